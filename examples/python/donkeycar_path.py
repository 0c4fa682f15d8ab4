"""A path of donkeycar from a racing line, and a racing line from a path that donkeycar recorded.

    pip install raceline pyfiglet prettytable simple_pid pillow && pip install --no-deps donkeycar==5.3.0
    python examples/python/donkeycar_path.py

donkeycar follows the points of a file: x and y, m, and the throttle, 0 to 1. Its own classes write and read the
files here, and its part for the distance from the path checks a drive along the line.
"""

import pathlib
import tempfile

import numpy as np
import raceline
from donkeycar.parts.path import CTE, CsvPath, CsvThrottlePath

# The throttle at which the car reaches the line's largest speed.
FULL_THROTTLE = 0.6


def save_path(line, file):
    """Writes a line as a path with throttles in proportion to its speeds."""
    throttle = FULL_THROTTLE * line.speed / line.speed.max()
    rows = zip(line.x.tolist(), line.y.tolist(), throttle.tolist())
    pathlib.Path(file).write_text("".join(f"{x}, {y}, {value}\n" for x, y, value in rows))


def main():
    track = raceline.generate("kart", seed=7)
    line = raceline.optimize(track, vehicle="robot-car", method="min-curvature")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "donkey_path.csv"
        save_path(line, file)
        path = CsvThrottlePath()
        assert path.load(str(file)) and path.throttles[0] == FULL_THROTTLE * line.speed[0] / line.speed.max()
        # Half way between two points, 0.2 m to the left of the line.
        across = []
        for k in range(0, len(line) - 1, 50):
            x, y = 0.5 * (line.x[k] + line.x[k + 1]), 0.5 * (line.y[k] + line.y[k + 1])
            x, y = x - 0.2 * np.sin(line.heading[k]), y + 0.2 * np.cos(line.heading[k])
            across.append(abs(CTE().run(path.get_xy(), x, y, from_pt=0)[0]))
        # A drive that donkeycar records becomes a line with speeds.
        recorded = CsvPath(min_dist=0.3)
        for x, y in zip(line.x.tolist(), line.y.tolist()):
            recorded.run(True, x, y)
        assert recorded.save(str(file))
        again = raceline.profile(file, vehicle="robot-car", shape="closed")
    apart = max(np.hypot(again.x - x, again.y - y).min() for x, y in recorded.path)
    print(f"{len(path.path)} points, {min(across):.3f} to {max(across):.3f} m across at 0.2 m beside the line")
    print(f"{len(recorded.path)} recorded points become a line of {again.lap_time:.2f} s, {line.lap_time:.2f} s before; its points at most {apart:.2f} m away")
    assert max(abs(value - 0.2) for value in across) < 0.02 and apart < 0.5 * line.length / len(line)
    assert abs(again.lap_time / line.lap_time - 1.0) < 0.02


if __name__ == "__main__":
    main()
