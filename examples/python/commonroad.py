"""Drives a lap in a vehicle that raceline did not write: CommonRoad's single-track BMW 320i.

    pip install raceline commonroad-vehicle-models
    python examples/python/commonroad.py

The vehicle has the interface of a Gymnasium environment as far as a follower needs it: `reset()`
returns the state, `step(command)` moves it by one frame and returns the next.
"""

import math
import pathlib

import raceline
from vehiclemodels.parameters_vehicle2 import parameters_vehicle2
from vehiclemodels.vehicle_dynamics_st import vehicle_dynamics_st

ROOT = pathlib.Path(__file__).parents[2]
FRAME_S = 1 / 50
STEPS = 4
# From the pedal to the acceleration, m/s²; the drive's falls with the speed.
DRIVE_MPS2, BRAKES_MPS2, POWER_W = 6.4, 8.3, 89_700.0
# The steering follows the command with this time constant, s, at no more than the vehicle's rate.
STEERING_S = 0.05


class BmwEnv:
    """The single-track model on a line, from its start to the end of a lap."""

    def __init__(self, line):
        self.line, self.parameters = line, parameters_vehicle2()
        # The follower's place is midway between the axles, the model's is the centre of mass.
        self.ahead_m = (self.parameters.b - self.parameters.a) / 2
        self.seconds = 0.0

    def reset(self, speed=10.0):
        line = self.line
        heading = line.heading[0]
        x, y = (start - self.ahead_m * turn for start, turn in ((line.x[0], math.cos(heading)), (line.y[0], math.sin(heading))))
        # x, y, steering angle, speed, heading, yaw rate, sideslip.
        self.state = [x, y, 0.0, speed, heading, 0.0, 0.0]
        self.seconds, self.s = 0.0, 0.0
        return self.seen()

    def step(self, command):
        # The lap is over where the distance along the line begins anew, but not at its start.
        is_over = self.seconds > 5 and command.s < self.s - 0.5 * self.line.length
        if is_over or self.seconds > 3 * self.line.lap_time:
            return None
        self.s = command.s
        for _ in range(STEPS):
            self.move(command, FRAME_S / STEPS)
        self.seconds += FRAME_S
        return self.seen()

    def move(self, command, dt):
        """A step of the classical method of Runge and Kutta."""
        def slope(state):
            drive = min(DRIVE_MPS2, POWER_W / (self.parameters.m * max(state[3], 1.0)))
            inputs = [(command.steering - state[2]) / STEERING_S, drive * command.throttle - BRAKES_MPS2 * command.brake]
            return vehicle_dynamics_st(state, inputs, self.parameters)

        def moved(slopes, share):
            return [value + share * dt * change for value, change in zip(self.state, slopes)]

        one = slope(self.state)
        two = slope(moved(one, 0.5))
        three = slope(moved(two, 0.5))
        four = slope(moved(three, 1.0))
        mean = [(a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(one, two, three, four)]
        self.state = moved(mean, 1.0)

    def seen(self):
        x, y, _, speed, heading, _, _ = self.state
        return x + self.ahead_m * math.cos(heading), y + self.ahead_m * math.sin(heading), heading, speed


def main():
    # A tenth of the grip is left to a vehicle whose tyres raceline does not know.
    line = raceline.optimize(
        ROOT / "tracks/club.png", vehicle=ROOT / "examples/vehicles/commonroad-bmw-320i.toml", grip=[{"from_m": 0, "to_m": 2375, "factor": 0.9}]
    )
    vehicle = BmwEnv(line)
    worst, on_road, frames = 0.0, 0, 0
    for command in raceline.Follower(line).drive(vehicle, FRAME_S):
        worst = max(worst, abs(command.cross_track_error))
        on_road += command.on_road
        frames += 1
    share = on_road / frames
    print(f"{line.lap_time:.2f} s on paper, driven in {vehicle.seconds:.2f} s, at most {worst:.2f} m off the line, {share:.1%} on the road")
    assert share == 1.0, "the vehicle left the road"
    assert vehicle.seconds < 1.1 * line.lap_time


if __name__ == "__main__":
    main()
