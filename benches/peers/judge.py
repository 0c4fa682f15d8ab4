"""The one judge of every line: a lap time by one model, and how far the line goes past its margin.

It is no part of raceline and shares no code with it or with a peer. A line is a closed row of points; nothing that its
maker says of speed or curvature is used.

Lap time. A periodic cubic spline through the points is resampled at 1 m. The car is a point mass in the friction ellipse

    |a_x / a_x,max|^p + |v² κ / a_y,max|^p <= 1,    a_x <= drive(v),    dv²/ds = 2 (a_x - c v² / m),

whose greatest speed all round is found by a forward and a backward pass over w = v², each step by the implicit midpoint rule
(raceline takes the trapezoidal rule, TUM's helper the acceleration of one end).

Overhang. The road is the union of the quadrilaterals between neighbouring cross-sections, half a metre apart. The line must
keep the margin to the border of that union; the overhang is by how much it doesn't, at worst.
"""

import dataclasses
import math

import numpy as np
import shapely

from curve import ClosedCurve

LAP_STEP_M = 1.0
ROAD_STEP_M = 0.5
# What the overhang can tell: the chords of a wall with a radius of 8 m lie 4 mm beside it.
RESOLUTION_M = 0.005


@dataclasses.dataclass(frozen=True)
class Verdict:
    lap_s: float
    length_m: float
    max_curvature_radpm: float
    overhang_m: float  # 0 or less where the margin is kept all round


def judge(points, road, car):
    """The verdict on a line (n, 2) in metres, on a road from `Road`."""
    curve = ClosedCurve(points)
    at, step = curve.even_parameters(LAP_STEP_M)
    curvature = curve.curvature(at)
    return Verdict(
        lap_s=lap_time(curvature, step, car),
        length_m=curve.length,
        max_curvature_radpm=float(np.abs(curvature).max()),
        overhang_m=road.overhang(curve, car.margin_m),
    )


def lap_time(curvature, step, car):
    """Seconds for a lap over the curvature (1/m) at points `step` metres apart."""
    v = np.sqrt(squared_speeds(curvature, step, car))
    return float(np.sum(2.0 * step / (v + np.roll(v, -1))))


def squared_speeds(curvature, step, car):
    """v² (m²/s²) at each point: the greatest that cornering, driving and braking allow."""
    bend = np.abs(curvature)
    w = np.minimum(car.lateral_limit_mps2 / np.maximum(bend, 1e-12), car.max_speed_mps**2).tolist()
    between = ((bend + np.roll(bend, -1)) / 2).tolist()  # of the step from each point to its successor
    count = len(w)
    start = int(np.argmin(w))
    # From the slowest point once round gives the periodic speeds, but for drag, which may lower the start: hence twice.
    for i in range(start, start + 2 * count):
        here, after = i % count, (i + 1) % count
        w[after] = reachable(w[here], w[after], between[here], step, car, driving=True)
    for i in range(start, start - 2 * count, -1):
        here, before = i % count, (i - 1) % count
        w[before] = reachable(w[here], w[before], between[before], step, car, driving=False)
    return np.array(w)


def reachable(known, cap, bend, step, car, driving):
    """The greatest v² <= cap at the other end of a step from `known`, driving forwards or braking backwards in time."""

    def gain(other):
        return 2.0 * step * net_acceleration((known + other) / 2, bend, car, driving)

    if known + gain(cap) >= cap:
        return cap
    # The gain falls as the speed rises, where the ellipse is steep very fast: a few plain iterations, else bisection.
    w = min(known, cap)
    for _ in range(6):
        following = known + gain(w)
        if abs(following - w) <= 1e-9 * known:
            return min(max(following, 1e-6), cap)
        w = min(max(following, 1e-6), cap)
    low, high = 1e-6, cap
    for _ in range(50):
        middle = (low + high) / 2
        if known + gain(middle) >= middle:
            low = middle
        else:
            high = middle
    return low


def net_acceleration(w, bend, car, driving):
    """Greatest acceleration when driving, greatest deceleration otherwise, m/s²."""
    w = max(w, 0.0)
    used = min(w * bend / car.lateral_limit_mps2, 1.0)
    p = car.ellipse_exponent
    tyres = car.longitudinal_limit_mps2 * (1.0 - used**p) ** (1.0 / p)
    drag = car.drag_kgpm * w / car.mass_kg
    if driving:
        return min(tyres, car.drive_limit_mps2(math.sqrt(w))) - drag
    return tyres + drag


class Road:
    """The road of a circuit: a centre line (n, 4) of x, y, width to the right, width to the left; metres."""

    def __init__(self, circuit):
        centre = ClosedCurve(circuit[:, :2])
        at, _ = centre.even_parameters(ROAD_STEP_M)
        middle, left = centre.points(at), centre.normals(at)
        to_right = middle - left * centre.along(circuit[:, 2], at)[:, None]
        to_left = middle + left * centre.along(circuit[:, 3], at)[:, None]
        corners = np.stack([to_right, np.roll(to_right, -1, 0), np.roll(to_left, -1, 0), to_left], axis=1)
        # Hulls, because a quadrilateral whose sections cross is no polygon; a hair is added to close seams of rounding.
        pieces = shapely.convex_hull(shapely.multipoints(corners))
        self.area = shapely.unary_union(pieces).buffer(1e-6)
        shapely.prepare(self.area)
        ends = [np.asarray(ring.coords) for ring in self._rings()]
        self.walls = shapely.linestrings(np.concatenate([np.stack([ring[:-1], ring[1:]], axis=1) for ring in ends]))
        self.tree = shapely.STRtree(self.walls)

    def _rings(self):
        for part in shapely.get_parts(self.area):
            yield part.exterior
            yield from part.interiors

    def overhang(self, curve, margin_m):
        at, _ = curve.even_parameters(ROAD_STEP_M)
        points = shapely.points(curve.points(at))
        distance = shapely.distance(points, self.walls[self.tree.nearest(points)])
        clearance = np.where(shapely.contains(self.area, points), distance, -distance)
        return float(margin_m - clearance.min())
