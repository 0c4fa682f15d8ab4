"""The picture of an environment: the road ahead of a vehicle, which is drawn with NumPy alone."""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Camera"]

SIDE_PX = 400
# The vehicle stands here, as fractions of the picture from its left and its top, and looks up.
_STANDS = (0.5, 0.75)
# Each pixel is the mean of this many, squared.
_FINER = 2

_GRASS = (86, 125, 70)
_ROAD = (72, 76, 82)
_EDGE = (232, 232, 226)
_LINE = (230, 195, 74)
_BODY = (109, 179, 255)
_WHEEL = (18, 20, 24)

_Points = NDArray[np.float64]


class Camera:
    """Looks at a vehicle from above and turns with it."""

    def __init__(self, line: Any, body: Tuple[float, float, float], preview: float) -> None:
        """line: the racing line; body: length, width and wheelbase, m; preview: metres seen ahead."""
        self._edges = [np.column_stack(edge) for edge in line.edges]
        self._closed: bool = line.closed
        self._body = body
        self._side = SIDE_PX * _FINER
        self._scale = _STANDS[1] * self._side / preview
        self._line = _dense(np.column_stack([line.x, line.y]), self._closed, 1.0 / self._scale)

    def picture(self, x: float, y: float, heading: float, steering: float) -> NDArray[np.uint8]:
        """The picture of a vehicle at a place, m and rad, of shape (400, 400, 3)."""
        canvas = np.empty((self._side, self._side, 3), dtype=np.uint8)
        canvas[:] = _GRASS
        turn = np.array([[np.sin(heading), np.cos(heading)], [-np.cos(heading), np.sin(heading)]])
        at = np.array([x, y])
        stands = self._side * np.array(_STANDS)

        def pixels(points: _Points) -> _Points:
            seen: _Points = stands + ((points - at) @ turn) * [self._scale, -self._scale]
            return seen

        left, right = (pixels(edge) for edge in self._edges)
        # The right edge runs backwards, so that the road winds about what lies between the two, also where it crosses itself.
        rings = [left, right[::-1]] if self._closed else [np.concatenate([left, right[::-1]])]
        _fill(canvas, rings, _ROAD)
        for edge in (left, right):
            self._dots(canvas, _dense(edge, self._closed, 1.0, self._side), 1, _EDGE)
        self._dots(canvas, pixels(self._line), 1, _LINE)
        length, width, wheelbase = self._body
        wheel = (0.14 * length, 0.2 * width)
        for along, angle in ((0.5 * wheelbase, steering), (-0.5 * wheelbase, 0.0)):
            for across in (0.42 * width, -0.42 * width):
                self._box(canvas, stands, (along, across), angle, wheel, _WHEEL)
        self._box(canvas, stands, (0.0, 0.0), 0.0, (length, 0.72 * width), _BODY)
        self._box(canvas, stands, (0.12 * length, 0.0), 0.0, (0.18 * length, 0.5 * width), _WHEEL)
        finer = range(_FINER)
        sums = sum(canvas[down::_FINER, right::_FINER].astype(np.uint16) for down in finer for right in finer)
        return np.asarray(sums // _FINER**2, dtype=np.uint8)

    def _box(
        self,
        canvas: NDArray[np.uint8],
        stands: _Points,
        middle: Tuple[float, float],
        angle: float,
        size: Tuple[float, float],
        colour: Tuple[int, int, int],
    ) -> None:
        """A box about a place of the vehicle: along and to the left, m; turned to the left; length and width, m."""
        corners = 0.5 * np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) * size
        turned = corners @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) + middle
        # Along is up, and the left is on the left.
        _fill(canvas, [stands - turned[:, ::-1] * self._scale], colour)

    def _dots(self, canvas: NDArray[np.uint8], places: _Points, reach: int, colour: Tuple[int, int, int]) -> None:
        places = np.rint(places).astype(np.int64)
        seen = places[((places >= reach) & (places < self._side - reach)).all(axis=1)]
        for down in range(-reach, reach + 1):
            for right in range(-reach, reach + 1):
                canvas[seen[:, 1] + down, seen[:, 0] + right] = colour


def _fill(canvas: NDArray[np.uint8], rings: List[_Points], colour: Tuple[int, int, int]) -> None:
    """Colours the pixels about which rings wind, by the sum of crossings from the left."""
    size = canvas.shape[:2]
    all_points = np.concatenate(rings)
    low = np.clip(np.floor(all_points.min(axis=0)), 0, size[::-1]).astype(np.int64)
    high = np.clip(np.ceil(all_points.max(axis=0)), 0, size[::-1]).astype(np.int64)
    width, height = high - low
    if not width or not height:
        return
    winding = np.zeros((height, width + 1), dtype=np.int16)
    for ring in rings:
        (x0, y0), (x1, y1) = (ring - low).T, np.roll(ring - low, -1, axis=0).T
        # Rows whose middles an edge crosses.
        first = np.clip(np.ceil(np.minimum(y0, y1) - 0.5), 0, height).astype(np.int64)
        last = np.clip(np.ceil(np.maximum(y0, y1) - 0.5), 0, height).astype(np.int64)
        count = last - first
        edge = np.repeat(np.arange(len(ring)), count)
        row = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + first[edge]
        across = x0[edge] + (row + 0.5 - y0[edge]) * (x1 - x0)[edge] / (y1 - y0)[edge]
        column = np.clip(np.ceil(across - 0.5), 0, width).astype(np.int64)
        np.add.at(winding, (row, column), np.where(y1 > y0, 1, -1)[edge].astype(np.int16))
    inside = np.cumsum(winding, axis=1, dtype=np.int16)[:, :-1] != 0
    canvas[low[1] : high[1], low[0] : high[0]][inside] = colour


def _dense(points: _Points, closed: bool, step: float, side: float = np.inf) -> _Points:
    """Points along a path, `step` apart; with `side`, those alone of pieces that come near a picture of it."""
    ends = np.roll(points, -1, axis=0) if closed else points[1:]
    starts = points if closed else points[:-1]
    if np.isfinite(side):
        near = (np.maximum(starts, ends) >= 0).all(axis=1) & (np.minimum(starts, ends) <= side).all(axis=1)
        starts, ends = starts[near], ends[near]
    count = np.maximum(np.ceil(np.hypot(*(ends - starts).T) / step), 1).astype(np.int64)
    piece = np.repeat(np.arange(len(starts)), count)
    part = (np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)) / count[piece]
    dense: _Points = starts[piece] + part[:, None] * (ends - starts)[piece]
    return dense
