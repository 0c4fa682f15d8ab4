"""What `progress=True` shows: one line on stderr that is written over, or one per stage in a file."""

import sys

_last = [None]


def show(stage, done, total, note):
    if sys.stderr.isatty():
        steps = f" {done}/{total} {note}" if total else " …"
        sys.stderr.write(f"\r\x1b[K{stage}{steps}")
        if total and done == total:
            sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
    elif stage != _last[0]:
        print(f"raceline: {stage}", file=sys.stderr)
    _last[0] = stage
