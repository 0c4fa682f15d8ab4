"""The command line of the wheel: the same as the program `raceline`."""

import signal
import sys

from ._raceline import command_line


def main():
    # Ctrl-C ends the program at once, as it does without Python around it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    sys.exit(command_line(["raceline", *sys.argv[1:]]))
