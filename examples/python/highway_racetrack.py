"""Drives highway-env's racetrack: its road, its vehicle, our line and follower.

    pip install "raceline" "highway-env==1.12.1"
    python examples/python/highway_racetrack.py

The road is the two lanes of the environment's network, each 5 m wide. The vehicle is a kinematic single-track
model of 5 m between the axles that accelerates and brakes at up to 5 m/s²; it never slides, so the acceleration
across is chosen. Beside it drives the environment's own controller in the middle of a lane. The environment's
rule about leaving the road is off: between two of its lanes there is a gap of 3 cm, where it ends the episode.
"""

import sys

import gymnasium
import highway_env  # noqa: F401, it registers the environments
import numpy as np
import raceline
from highway_env.vehicle.controller import ControlledVehicle

RATE_HZ, LIMIT_MPS2, LANE_SPEED_MPS = 15, 5.0, 10.0
VEHICLE = {
    "name": "highway-env", "mass_kg": 1000.0, "width_m": 2.0, "length_m": 5.0, "wheelbase_m": 5.0, "safety_distance_m": 0.3,
    "lateral_limit_mps2": LIMIT_MPS2, "longitudinal_limit_mps2": LIMIT_MPS2, "ellipse_exponent": 2.0, "drag_kgpm": 0.0,
    "downforce_kgpm": 0.0, "drive": {"power_and_force": {"power_w": 1e6, "force_n": 5000.0}}, "max_speed_mps": 40.0,
    "max_curvature_radpm": 0.17, "max_steering_rad": np.pi / 4, "steering_rate_radps": 10.0,
}  # fmt: skip
CONFIG = {
    "action": {"type": "ContinuousAction"}, "other_vehicles": 0, "terminate_off_road": False, "simulation_frequency": RATE_HZ, "policy_frequency": RATE_HZ,
}  # fmt: skip


def world():
    made = gymnasium.make("racetrack-v1", config=CONFIG)
    made.reset(seed=1)
    return made


def road(network):
    """The track between the outer sides of both lanes, node by node from "a"."""
    here, sides = "a", ([], [])
    while here != "a" or not sides[0]:
        there = next(iter(network.graph[here]))
        lanes = network.graph[here][there]
        for part in np.linspace(0.0, 1.0, 20, endpoint=False):
            first, last = (lane.position(part * lane.length, 0.0) for lane in (lanes[0], lanes[-1]))
            half = 0.5 * lanes[0].width * (last - first) / np.hypot(*(last - first))
            sides[0].append(first - half)
            sides[1].append(last + half)
        here = there
    ahead, across = sides[0][1] - sides[0][0], sides[0][0] - sides[1][0]
    left, right = sides if ahead[0] * across[1] > ahead[1] * across[0] else sides[::-1]
    return raceline.Track.from_points(np.array(left), np.array(right), name="racetrack-v1")


def lap_of_the_follower():
    """Seconds of the second lap, and the line."""
    env = world()
    car = env.unwrapped.vehicle
    line = raceline.optimize(road(env.unwrapped.road.network), vehicle=VEHICLE)
    follower = raceline.Follower(line)
    gained, before, passed, steering = 0.0, None, [], 0.0
    while len(passed) < 3:
        # The point midway between the axles moves at this angle to the body.
        slip = np.arctan(0.5 * np.tan(steering))
        forward, leftward = car.speed * np.cos(slip), car.speed * np.sin(slip)
        command = follower.step(*car.position, car.heading, forward, 1 / RATE_HZ, lateral_speed=leftward, yaw_rate=leftward / 2.5)
        if not command.on_road:
            sys.exit(f"off the road after {gained:.0f} m")
        if before is not None:
            gained += (command.s - before + 0.5 * line.length) % line.length - 0.5 * line.length
        before = command.s
        if gained >= len(passed) * line.length:
            passed.append(env.unwrapped.time)
        steering = float(np.clip(command.steering, -np.pi / 4, np.pi / 4))
        env.step(np.array([command.acceleration / 5.0, steering / (np.pi / 4)], dtype=np.float32))
    return passed[2] - passed[1], line


def lap_in_a_lane():
    """Seconds of the second lap of the environment's controller, at the lanes' speed limit."""
    env = world().unwrapped
    first = env.road.network.get_lane(("a", "b", 0))
    car = ControlledVehicle(env.road, first.position(0.0, 0.0), first.heading_at(0.0), LANE_SPEED_MPS, target_speed=LANE_SPEED_MPS)
    car.route = None
    starts, frames = [], 0
    was_on = car.lane_index[0]
    while len(starts) < 2:
        car.act()
        car.step(1 / RATE_HZ)
        frames += 1
        if car.lane_index[0] == "a" and was_on != "a":
            starts.append(frames / RATE_HZ)
        was_on = car.lane_index[0]
    return starts[1] - starts[0]


if __name__ == "__main__":
    driven, line = lap_of_the_follower()
    lane = lap_in_a_lane()
    print(f"the follower {driven:.1f} s, its line {line.lap_time:.1f} s, the environment's controller in a lane {lane:.1f} s")
    if not driven < 0.8 * lane:
        sys.exit("not faster")
