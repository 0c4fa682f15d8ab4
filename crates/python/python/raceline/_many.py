"""Many lines in one file: NumPy arrays, in place of JSON for each."""

import numpy as np

from ._raceline import InputError

# The columns of the points, in the order of the file.
COLUMNS = (
    "s_m", "x_m", "y_m", "heading_rad", "curvature_radpm", "speed_mps", "accel_mps2", "time_s", "left_m", "right_m",
)  # fmt: skip
_ATTRIBUTES = ("s", "x", "y", "heading", "curvature", "speed", "acceleration", "time", "left", "right")


def save_lines(path, lines):
    """Writes lines to one `.npz`, which `numpy.load` and `raceline.load_lines` read.

    It has two structured arrays: "lines", an entry per line with `name`, `method`, `vehicle`, `closed`,
    `lap_time_s`, `length_m` and its `first` point and their `count`; and "points", all points one after
    the other, with the columns of a racing-line file in SI units.

    >>> import pathlib, raceline, tempfile
    >>> line = raceline.optimize(raceline.generate("oval", length=900.0), vehicle="gt", method="min-curvature")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     raceline.save_lines(pathlib.Path(folder) / "lines.npz", [line, line])
    ...     lines, points = raceline.load_lines(pathlib.Path(folder) / "lines.npz")
    >>> lines["name"].tolist(), bool((points[1]["x_m"] == line.x).all())
    (['oval-0', 'oval-0'], True)
    """
    path = str(path)
    if not path.endswith(".npz"):
        raise InputError(f"{path}: lines are saved in a file that ends in .npz")
    lines = list(lines)
    for index, line in enumerate(lines):
        if not hasattr(line, "lap_time"):
            raise InputError(f"lines[{index}] is {type(line)}: give lines")
    counts = [len(line) for line in lines]
    points = np.empty(sum(counts), dtype=[(name, np.float64) for name in COLUMNS])
    for name, attribute in zip(COLUMNS, _ATTRIBUTES):
        columns = [getattr(line, attribute) for line in lines]
        points[name] = np.concatenate(columns) if columns else []

    def texts(name):
        values = [getattr(line, name) for line in lines]
        return np.array(values, dtype=str) if values else np.array([], dtype="U1")

    text = {name: texts(name) for name in ("name", "method", "vehicle")}
    kinds = [(name, values.dtype) for name, values in text.items()]
    kinds += [("closed", bool), ("lap_time_s", np.float64), ("length_m", np.float64), ("first", np.int64), ("count", np.int64)]
    table = np.empty(len(lines), dtype=kinds)
    for name, values in text.items():
        table[name] = values
    table["closed"] = [line.closed for line in lines]
    table["lap_time_s"] = [line.lap_time for line in lines]
    table["length_m"] = [line.length for line in lines]
    table["count"] = counts
    table["first"] = np.cumsum([0, *counts])[:-1]
    np.savez_compressed(path, lines=table, points=points)


def load_lines(path):
    """Reads what `save_lines` wrote: the array "lines", and a list with the points of each line.

    >>> import raceline
    >>> raceline.load_lines("no-such-file.npz")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: 'no-such-file.npz'
    """
    with np.load(path) as file:
        if not {"lines", "points"} <= set(file.files):
            raise InputError(f"{path}: it has no lines and points: give a file of raceline.save_lines")
        lines, points = file["lines"], file["points"]
    return lines, [points[first : first + count] for first, count in zip(lines["first"], lines["count"])]
