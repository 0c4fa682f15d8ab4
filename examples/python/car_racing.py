"""Drives Gymnasium's CarRacing-v3, whose episodes count as solved from a score of 900.

    pip install "raceline" "gymnasium[box2d]"
    python examples/python/car_racing.py 3

The argument is the number of episodes. The line comes from the environment's own coordinates. The vehicle's
numbers are those of the environment's source: four wheels with at most 400 N each and a force across of
82 N per m/s of slip, which is linear in the slip up to the limit; the wheels' inertia counts for 22 kg while
driving. The line uses 0.6 of the grip.
"""

import math
import sys

import gymnasium
import numpy as np
import raceline

FRAME_S, HALF_WIDTH_M, MASS_KG, WHEEL_RADIUS_M = 1 / 50, 40 / 6, 7.3, 0.54
LIMIT_MPS2 = 4 * 400 / MASS_KG
VEHICLE = {
    "name": "CarRacing-v3", "mass_kg": MASS_KG, "width_m": 2.5, "length_m": 5.0, "wheelbase_m": 3.24, "safety_distance_m": 0.5,
    "lateral_limit_mps2": LIMIT_MPS2, "longitudinal_limit_mps2": LIMIT_MPS2, "ellipse_exponent": 2.0, "drag_kgpm": 0.0,
    "downforce_kgpm": 0.0, "drive": {"power_and_force": {"power_w": 19_000.0, "force_n": 290.0}}, "max_speed_mps": 100.0,
    "max_curvature_radpm": 0.13, "max_steering_rad": 0.4, "steering_rate_radps": 3.0, "yaw_inertia_kgm2": 18.5,
    "front_weight_fraction": 0.506, "centre_of_gravity_m": 0.0, "front_brake_fraction": 0.5, "front_drive_fraction": 0.0,
    # At 45 m/s, in the middle of the speeds in bends.
    "cornering_stiffness_per_rad": 205.0, "peak_slip_rad": 0.11,
}  # fmt: skip


def action(command, speed):
    """Steering, gas and brake. Gas turns the wheels with a power; brake takes 15 rad/s from them in a frame."""
    acceleration = command.acceleration
    gas = max(acceleration, 0.0) * (abs(speed) / WHEEL_RADIUS_M + 5.0) / 5057.0
    return np.array([-command.steering, min(gas, 1.0), min(max(-acceleration, 0.0) / 305.0, 0.89)], dtype=np.float32)


def score(seed):
    """The score of an episode, and its frames."""
    world = gymnasium.make("CarRacing-v3")
    world.reset(seed=seed)
    _, _, x, y = np.array(world.unwrapped.track).T
    width = np.full(len(x), HALF_WIDTH_M)
    track = raceline.Track.from_centerline(x, y, width, width)
    follower = raceline.Follower(raceline.optimize(track, vehicle=VEHICLE, grip_fraction=0.6))
    hull, total, frames, is_over = world.unwrapped.car.hull, 0.0, 0, False
    while not is_over:
        heading, velocity = hull.angle + math.pi / 2, tuple(hull.linearVelocity)
        speed = velocity[0] * math.cos(heading) + velocity[1] * math.sin(heading)
        command = follower.step(*hull.position, heading, speed, FRAME_S, velocity=velocity, yaw_rate=hull.angularVelocity)
        _, reward, done, cut, _ = world.step(action(command, speed))
        total, frames, is_over = total + reward, frames + 1, done or cut
    return total, frames


if __name__ == "__main__":
    scores = [score(seed) for seed in range(1, 1 + int(sys.argv[1]))]
    for seed, (total, frames) in enumerate(scores, 1):
        print(f"seed {seed}: {total:.1f} points, {frames} frames")
    mean = np.mean([total for total, _ in scores])
    print(f"mean {mean:.1f}")
    if mean < 900.0:
        sys.exit("not solved")
