"""Racing-line files that no track of ours gives: one of 100 km, one of 3000 points, one with a hostile name, one that is open.

    python3 made_lines.py FOLDER    # FOLDER holds club.json
"""

import json
import math
import pathlib
import sys

HOSTILE = """</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">'"&--><!--"""


def long_line(like):
    """100 km with 27 000 points and about 300 corners."""
    return winding_line(like, "hundred kilometres", 12_000.0, 150, 95.0, 27_000)


def circuit_line(like):
    """7 km with 3000 points and about 30 corners."""
    return winding_line(like, "three thousand points", 900.0, 15, 40.0, 3_000)


def winding_line(like, name, radius, waves, wave_m, count):
    """A ring that winds."""

    def place(angle, offset=0.0):
        r = radius + wave_m * math.sin(waves * angle) + radius / 4.8 * math.cos(3 * angle) + offset
        return r * math.cos(angle), r * math.sin(angle)

    angles = [2 * math.pi * i / count for i in range(count)]
    places = [place(angle) for angle in angles]
    steps = [math.dist(places[i], places[(i + 1) % count]) for i in range(count)]
    headings = [
        math.atan2(places[(i + 1) % count][1] - places[i - 1][1], places[(i + 1) % count][0] - places[i - 1][0])
        for i in range(count)
    ]
    wrap = lambda angle: (angle + math.pi) % (2 * math.pi) - math.pi
    curvatures = [wrap(headings[(i + 1) % count] - headings[i - 1]) / (steps[i] + steps[i - 1]) for i in range(count)]
    speeds = [min(65.0, math.sqrt(12.0 / max(abs(k), 1e-4))) for k in curvatures]
    points, s, time = [], 0.0, 0.0
    for i in range(count):
        ahead = speeds[(i + 1) % count]
        points.append({
            "s_m": round(s, 3), "x_m": round(places[i][0], 3), "y_m": round(places[i][1], 3),
            "heading_rad": round(wrap(headings[i]), 6), "curvature_radpm": round(curvatures[i], 6),
            "speed_mps": round(speeds[i], 3), "accel_mps2": round((ahead**2 - speeds[i] ** 2) / (2 * steps[i]), 3),
            "time_s": round(time, 4), "left_m": round(6 + 3 * math.sin(40 * angles[i]), 3),
            "right_m": round(6 - 3 * math.sin(40 * angles[i]), 3),
        })
        s += steps[i]
        time += 2 * steps[i] / (speeds[i] + ahead)
    edge = lambda offset: [[round(x, 3), round(y, 3)] for x, y in (place(angle, offset) for angle in angles)]
    return dict(like, name=name, direction="counterclockwise", points=points, length_m=round(s, 3),
                lap_time_s=round(time, 4), edges={"left": edge(-6.0), "right": edge(6.0)}, sections=[], candidates=[])


def hostile_line(like):
    """Every text that a file holds tries to get out of its place."""
    vehicle = dict(like["vehicle"], name=HOSTILE)
    return dict(like, name=HOSTILE, vehicle=vehicle, generator=HOSTILE, source=dict(like["source"], file=HOSTILE))


def open_line(like):
    """The first half of a lap, as a stage."""
    points = like["points"][: len(like["points"]) // 2]
    return dict(like, name="stage", closed=False, points=points, length_m=points[-1]["s_m"],
                lap_time_s=points[-1]["time_s"], sections=[], candidates=[])


def main(folder):
    like = json.loads((folder / "club.json").read_text())
    for name, make in [("long", long_line), ("circuit", circuit_line), ("hostile", hostile_line), ("open", open_line)]:
        (folder / f"{name}.json").write_text(json.dumps(make(like)))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
