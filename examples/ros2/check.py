"""Checks what the node does without ROS: every message passes through its wire format, by `rosbags`, and a vehicle
that raceline did not write, the BMW 320i of `examples/python/commonroad.py`, drives a lap by these messages alone.

    pip install raceline rosbags commonroad-vehicle-models
    python examples/ros2/check.py
"""

import math
import sys
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import raceline
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "python")]
from commonroad import BRAKES_MPS2, DRIVE_MPS2, FRAME_S, POWER_W, ROOT, STEPS, BmwEnv  # noqa: E402
from raceline_follower.driver import Driver, heading_of, quaternion  # noqa: E402

# The package ackermann_msgs is none of the messages that come with ROS.
ACKERMANN = {
    "ackermann_msgs/msg/AckermannDrive": "float32 steering_angle\nfloat32 steering_angle_velocity\nfloat32 speed\n"
    "float32 acceleration\nfloat32 jerk\n",
    "ackermann_msgs/msg/AckermannDriveStamped": "std_msgs/Header header\nackermann_msgs/AckermannDrive drive\n",
}
store = get_typestore(Stores.ROS2_HUMBLE)
for name, text in ACKERMANN.items():
    store.register(get_types_from_msg(text, name))


def message(kind, values):
    """A message of a type from a dictionary of its fields, of which none may be missing or too many."""
    made = store.types[kind]
    kinds = {field.name: field.type for field in fields(made) if field.name != "__msgtype__"}
    if kinds.keys() != values.keys():
        sys.exit(f"{kind} has the fields {sorted(kinds)}, but is given {sorted(values)}")

    def value_of(name, value):
        inner = str(kinds[name]).replace("__", "/")
        if isinstance(value, dict):
            return message(inner, value)
        if isinstance(value, list):
            return [message("geometry_msgs/msg/PoseStamped", one) for one in value]
        return value

    return made(**{name: value_of(name, value) for name, value in values.items()})


def through_the_wire(kind, values):
    """What another node receives."""
    return store.deserialize_cdr(store.serialize_cdr(message(kind, values), kind), kind)


def odometry(time_s, state):
    """The odometry of the centre of mass."""
    x, y, _, speed, heading, yaw_rate, sideslip = state
    pose = {"position": {"x": x, "y": y, "z": 0.0}, "orientation": quaternion(heading)}
    velocity = {"x": speed * math.cos(sideslip), "y": speed * math.sin(sideslip), "z": 0.0}
    twist = {"linear": velocity, "angular": {"x": 0.0, "y": 0.0, "z": yaw_rate}}
    sec, nanosec = divmod(round(time_s * 1e9), 10**9)
    unknown = np.zeros(36)
    values = {
        "header": {"stamp": {"sec": sec, "nanosec": nanosec}, "frame_id": "map"}, "child_frame_id": "base_link",
        "pose": {"pose": pose, "covariance": unknown}, "twist": {"twist": twist, "covariance": unknown},
    }  # fmt: skip
    return through_the_wire("nav_msgs/msg/Odometry", values)


bmw = ROOT / "examples/vehicles/commonroad-bmw-320i.toml"
line = raceline.optimize(ROOT / "tracks/club.png", vehicle=bmw, grip_fraction=0.9)
vehicle = BmwEnv(line)
vehicle.reset()
driver = Driver(line, reference_ahead_m=vehicle.ahead_m)
path = through_the_wire("nav_msgs/msg/Path", driver.path("map"))
assert len(path.poses) == len(line) + 1 and path.header.frame_id == "map"
for pose, x, heading in zip(path.poses, line.x, line.heading):
    assert pose.pose.position.x == x and abs(math.remainder(heading_of(pose.pose.orientation) - heading, math.tau)) < 1e-9

time_s, nearest, worst = 0.0, 0, 0.0
assert driver.command(odometry(time_s, vehicle.state)) is None, "the first message has no frame"
while True:
    time_s += FRAME_S
    values = driver.command(odometry(time_s, vehicle.state))
    drive = through_the_wire("ackermann_msgs/msg/AckermannDriveStamped", values).drive
    engine = min(DRIVE_MPS2, POWER_W / (vehicle.parameters.m * max(vehicle.state[3], 1.0)))
    throttle, brake = max(drive.acceleration, 0.0) / engine, max(-drive.acceleration, 0.0) / BRAKES_MPS2
    for _ in range(STEPS):
        vehicle.move(SimpleNamespace(steering=drive.steering_angle, throttle=min(throttle, 1.0), brake=min(brake, 1.0)), FRAME_S / STEPS)
    distances = np.hypot(line.x - vehicle.state[0], line.y - vehicle.state[1])
    before, nearest = nearest, int(distances.argmin())
    worst = max(worst, float(distances[nearest]))
    if nearest < before - len(line) // 2:
        break
    assert time_s < 2.0 * line.lap_time, "the vehicle does not get round"
assert driver.command(odometry(time_s, vehicle.state)) is None, "this message is not later"
print(f"{line.lap_time:.2f} s on paper, driven in {time_s:.2f} s from 10 m/s, at most {worst:.2f} m from the points of the line")
assert worst < 3.0 and time_s < 1.1 * line.lap_time
