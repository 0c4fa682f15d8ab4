"""What notebooks show of a line and of a track."""

from html import escape

import numpy as np

from ._raceline import render

_FRAME_HEIGHT_PX = 640
_DRAWING_PX = 480
# Points of an edge in a drawing: more cannot be distinguished.
_MAX_POINTS = 600


def line_html(line):
    """The page of a line in a frame of its own, under a line of text, which remains where frames are forbidden."""
    page = render(line, format="html").decode()
    facts = f"{line.name}: {line.lap_time:.3f} s over {line.length:.1f} m, {line.method}, {line.vehicle}"
    # The page's scripts reach nothing of the notebook.
    return (
        f'<p>{escape(facts)}</p><iframe title="{escape(facts)}" srcdoc="{escape(page)}" '
        'sandbox="allow-scripts allow-downloads" loading="lazy" '
        f'style="width: 100%; height: {_FRAME_HEIGHT_PX}px; border: 0"></iframe>'
    )


def track_html(track):
    """The road of a track as a drawing, and its figures as a table."""
    width = track.width
    facts = [
        ("Track", track.name),
        ("Shape", "closed" if track.closed else "open"),
        ("Length", f"{track.length:.1f} m"),
        ("Width", f"{width.min():.2f} to {width.max():.2f} m, mean {width.mean():.2f} m"),
        ("Cross-sections", str(len(width))),
        *(("Warning", text) for text in track.warnings),
    ]
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in facts)
    return f"{_drawing(track)}<table>{rows}</table>"


def _thinned(edge):
    points = np.column_stack(edge)
    return points[:: -(-len(points) // _MAX_POINTS)]


def _drawing(track):
    left, right = _thinned(track.left), _thinned(track.right)
    both = np.concatenate([left, right])
    low, high = both.min(axis=0), both.max(axis=0)
    room = 0.04 * max(*(high - low), 1e-9)
    scale = _DRAWING_PX / (max(high - low) + 2 * room)

    def pixels(points):
        return np.column_stack([points[:, 0] - low[0] + room, high[1] + room - points[:, 1]]) * scale

    def path(points):
        return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in pixels(points))

    size = (high - low + 2 * room) * scale
    end = "Z" if track.closed else ""
    # The right edge runs backwards, so that the road winds once about what lies between the two.
    road = f"{path(left)}Z{path(right[::-1])}Z" if track.closed else path(np.concatenate([left, right[::-1]])) + "Z"
    start = path(np.array([left[0], right[0]]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]:.0f}" height="{size[1]:.0f}" '
        f'viewBox="0 0 {size[0]:.1f} {size[1]:.1f}" role="img" aria-label="{escape(track.name)}" '
        'fill="none" stroke="currentColor" stroke-linejoin="round">'
        f'<path d="{road}" fill="#8d949e" fill-opacity="0.35" stroke="none"/>'
        f'<path d="{path(left)}{end}{path(right)}{end}"/>'
        f'<path d="{start}" stroke="#c2410c" stroke-width="4"/></svg>'
    )
