"""Drives two laps in the F1TENTH gym, https://github.com/f1tenth/f1tenth_gym, on one of its maps.

    python examples/python/f1tenth_gym.py Spielberg_map.yaml

The vehicle is the preset robot-car, whose numbers are the gym's.
"""

import pathlib
import sys

import numpy as np
import raceline
from f110_gym.envs.base_classes import Integrator
from f110_gym.envs.f110_env import F110Env

FRAME_S = 0.01
VEHICLE = "robot-car"


def action(command, speed, car):
    """The gym's steering angle and speed: its own controller turns the difference of the speeds into an acceleration."""
    fastest = car["v_max"] if command.acceleration > 0.0 else -car["v_min"]
    return np.array([[command.steering, speed + command.acceleration * fastest / (10.0 * car["a_max"])]])


def drive(world, line, laps):
    """The seconds of the laps from a standing start."""
    follower, seconds, s, times = raceline.Follower(line), 0.0, 0.0, []
    seen, *_ = world.reset(np.array([[line.x[0], line.y[0], line.heading[0]]]))
    before = None
    while len(times) < laps:
        x, y, heading, speed, yaw_rate = (
            float(seen[key][0]) for key in ("poses_x", "poses_y", "poses_theta", "linear_vels_x", "ang_vels_z")
        )
        # The gym's linear_vels_y is always 0; how the car slides is in its positions.
        velocity = ((x - before[0]) / FRAME_S, (y - before[1]) / FRAME_S) if before else (0.0, 0.0)
        before = (x, y)
        command = follower.step(x, y, heading, speed, FRAME_S, velocity=velocity, yaw_rate=yaw_rate)
        if seconds > 1.0 and command.s < s - 0.5 * line.length:
            times.append(round(seconds - sum(times), 2))
        s, seconds = command.s, seconds + FRAME_S
        seen, *_ = world.step(action(command, speed, world.params))
        if seen["collisions"][0] or seconds > 10.0 * laps * line.lap_time:
            sys.exit(f"no lap: the car stands at {s:.1f} m after {seconds:.2f} s")
    return times


def main(path):
    line = raceline.optimize(path, vehicle=VEHICLE)
    settings = {"map_ext": ".png", "num_agents": 1, "timestep": FRAME_S, "integrator": Integrator.RK4}
    times = drive(F110Env(map=str(pathlib.Path(path).with_suffix("")), **settings), line, 2)
    print(f"{line.name}: {line.lap_time:.2f} s on paper, {times[0]:.2f} s from standstill, then {times[1]:.2f} s")


if __name__ == "__main__":
    main(sys.argv[1])
