"""`Line.plot`: a line over its road, with matplotlib."""

import numpy as np

from ._raceline import OptionsError, RacelineError

_COLOURS = {
    "speed": "speed, m/s",
    "acceleration": "acceleration, m/s²",
    "curvature": "curvature, 1/m",
    "time": "time, s",
}


def plot(line, ax=None, colour="speed", **keywords):
    """Draws `line` on `ax`, or on the axes of a new figure, and returns the axes."""
    if colour not in _COLOURS:
        raise OptionsError(f"colour is {colour!r}, but must be one of {', '.join(_COLOURS)}")
    try:
        import matplotlib.pyplot
        from matplotlib.collections import LineCollection
    except ImportError as error:
        raise RacelineError("Line.plot needs matplotlib: pip install matplotlib") from error
    if ax is None:
        ax = matplotlib.pyplot.figure().add_subplot()

    def closed(values):
        return np.append(values, values[:1]) if line.closed else values

    for x, y in line.edges:
        ax.plot(closed(x), closed(y), color="0.6", linewidth=0.8)
    points = np.column_stack([closed(line.x), closed(line.y)])
    pieces = LineCollection(np.stack([points[:-1], points[1:]], axis=1), **keywords)
    pieces.set_array(getattr(line, colour)[: len(points) - 1])
    ax.add_collection(pieces)
    ax.figure.colorbar(pieces, ax=ax, label=_COLOURS[colour])
    ax.set_aspect("equal")
    ax.autoscale_view()
    ax.set_xlabel("x, m")
    ax.set_ylabel("y, m")
    ax.set_title(f"{line.name}: {line.lap_time:.3f} s, {line.vehicle}")
    return ax
