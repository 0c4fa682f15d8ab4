"""Recorded states give the same commands in Python as in Rust and C, bit for bit."""

import csv
import math
import pathlib
import platform

import pytest
import raceline

ROOT = pathlib.Path(__file__).parents[3]
RECORDED = ROOT / "crates/follower/tests/recorded"


def rows(name):
    with open(RECORDED / name, newline="") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def test_recorded_states_give_the_recorded_commands():
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        pytest.skip("recorded with the functions of another C library")
    follower = raceline.Follower(ROOT / "tracks/club.raceline.json")
    states, expected = rows("states.csv"), rows("commands.csv")
    assert len(states) == len(expected) > 250
    for number, (state, wanted) in enumerate(zip(states, expected)):
        others = []
        if not math.isnan(state["neighbour_x_m"]):
            velocity = (state["neighbour_velocity_x_mps"], state["neighbour_velocity_y_mps"])
            place = (state["neighbour_x_m"], state["neighbour_y_m"], state["neighbour_heading_rad"])
            others = [raceline.Neighbour(*place, velocity=velocity)]
        command = follower.step(
            state["x_m"],
            state["y_m"],
            state["heading_rad"],
            state["speed_mps"],
            1.0 / 60.0,
            velocity=(state["velocity_x_mps"], state["velocity_y_mps"]),
            yaw_rate=state["yaw_rate_radps"],
            neighbours=others,
        )
        found = {
            "pedal": command.pedal,
            "steering_rad": command.steering,
            "target_speed_mps": command.target_speed,
            "s_m": command.s,
            "cross_track_error_m": command.cross_track_error,
            "shift_m": command.shift,
        }
        assert found == wanted, f"state {number}"
