"""The circuits of the comparison as centre lines with widths, the one form that everybody reads."""

import json
import subprocess
from pathlib import Path

import numpy as np
from scipy.interpolate import splev, splprep

from arguments import CIRCUIT_COLUMNS, CIRCUITS
from curve import ClosedCurve

# Distance of the points that are written for a picture, metres.
SPACING_M = 2.0
# Root mean square distance by which their smoothing may move them, metres.
SMOOTHING_M = 0.02


class UnusableCircuit(Exception):
    """The file holds no closed centre line with widths."""


def load(path):
    """(n, 4): x, y, width to the right, width to the left; the first point isn't repeated."""
    try:
        # A header begins with a number sign, as TUM's, or with its first name.
        rows = np.loadtxt(path, comments=("#", "x_m"), delimiter=",", ndmin=2)
    except (OSError, ValueError) as error:
        raise UnusableCircuit(f"{path}: {error}") from error
    if rows.shape[1] == 3:  # x, y and the whole width
        rows = np.column_stack([rows[:, :2], rows[:, 2] / 2, rows[:, 2] / 2])
    if rows.shape[1] != 4 or len(rows) < 8 or not np.all(np.isfinite(rows)):
        raise UnusableCircuit(f"{path}: not a centre line of at least eight rows {CIRCUIT_COLUMNS}")
    if np.hypot(*(rows[0, :2] - rows[-1, :2])) < 1e-6:
        rows = rows[:-1]
    return rows


def from_picture(binary, picture, folder):
    """Lets raceline find the road in a picture of the repository, and writes it as a centre line; returns the CSV's path."""
    folder.mkdir(parents=True, exist_ok=True)
    track = folder / f"{picture.stem}.track.json"
    done = subprocess.run([binary, "extract", str(picture), "-o", str(track), "--quiet"], capture_output=True, text=True)
    if done.returncode != 0:
        raise UnusableCircuit(f"{picture}: {done.stderr.strip()}")
    document = json.loads(track.read_text(encoding="utf-8"))
    if not document["closed"]:
        raise UnusableCircuit(f"{picture}: an open road, and the peers take closed ones")
    if document.get("crossings"):
        raise UnusableCircuit(f"{picture}: a road that crosses itself, whose walls a centre line with widths can't say")
    csv = folder / f"{picture.stem}.csv"
    np.savetxt(csv, centre_line(document), fmt="%.6f", delimiter=",", header=CIRCUIT_COLUMNS)
    return csv


def centre_line(document):
    """A smooth line near the middles of the cross-sections, evenly spaced, and at right angles to it the widths up to the edges.

    Where the line lies costs nothing, since the widths are measured from it, but its curvature enters the peers' programs: a
    millimetre of noise from the pixels every two metres would be a thousandth of a 1/m, and lines judged slow for it.
    """
    middles = np.array(document["sections"], float).mean(axis=1)
    ring = np.vstack([middles, middles[:1]])
    fit, _ = splprep(ring.T, per=True, s=len(ring) * SMOOTHING_M**2)
    curve = ClosedCurve(np.column_stack(splev(np.linspace(0.0, 1.0, 4 * len(ring) + 1), fit)))
    knots, _ = curve.even_parameters(SPACING_M)
    curve = ClosedCurve(curve.points(knots))
    middle, left = curve.points(curve.knots[:-1]), curve.normals(curve.knots[:-1])
    edges = [np.array(document["edges"][side], float)[:, :2] for side in ("right", "left")]
    widths = [distance_along(middle, direction, edge) for direction, edge in zip((-left, left), edges)]
    return np.column_stack([middle, *widths])


def distance_along(origins, directions, ring):
    """From each origin along its unit direction to the first piece of a closed polyline that it meets, metres."""
    tails, pieces = ring, np.roll(ring, -1, 0) - ring
    out = np.empty(len(origins))
    for k, (origin, direction) in enumerate(zip(origins, directions)):
        # origin + t direction = tail + u piece, by Cramer's rule
        across = direction[0] * pieces[:, 1] - direction[1] * pieces[:, 0]
        gap = tails - origin
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (gap[:, 0] * pieces[:, 1] - gap[:, 1] * pieces[:, 0]) / across
            u = (gap[:, 0] * direction[1] - gap[:, 1] * direction[0]) / across
        met = t[(t > 0) & (u >= 0) & (u <= 1)]
        if len(met) == 0:
            raise UnusableCircuit(f"no edge beside the centre line at ({origin[0]:.1f}, {origin[1]:.1f})")
        out[k] = met.min()
    return out


def find(names, binary, root, folder):
    """(name, path of the CSV) for each name: a CSV, a picture, or the name of one of the repository's tracks."""
    for name in names or CIRCUITS:
        path = Path(name)
        if path.suffix == ".csv":
            load(path)  # so that a bad file is told before anything runs
            yield path.stem, path
        elif path.suffix:
            yield path.stem, from_picture(binary, path, folder)
        else:
            yield name, from_picture(binary, root / "tracks" / f"{name}.png", folder)
