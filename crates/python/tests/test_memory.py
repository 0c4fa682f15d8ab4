"""Nothing is lost over ten thousand calls, and a crash is reported with its place."""

import faulthandler
import gc
import pathlib
import sys

import numpy as np
import pytest
import raceline
from raceline import behaviours

ROOT = pathlib.Path(__file__).parents[3]
CLUB = ROOT / "tracks/club.raceline.json"
# Growth of the process that pages and caches explain, bytes; 10 000 lost arrays of a kilobyte are 10 MB.
ALLOWED = 3 << 20


def resident():
    """Memory of this process, bytes."""
    gc.collect()
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096


def ring():
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    width = np.full(40, 4.0)
    return raceline.Track.from_centerline(30 * np.cos(angle), 30 * np.sin(angle), width, width)


def refused():
    with pytest.raises(raceline.InputError):
        raceline.Track.from_centerline([0.0, 1.0], [0.0], [1.0], [1.0])
    with pytest.raises(raceline.OptionsError):
        raceline.Follower(raceline.load(CLUB), {"nonsense": 1.0})


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_ten_thousand_calls_lose_no_memory():
    line = raceline.load(CLUB)
    follower, planning = raceline.Follower(line), raceline.Follower(line, planner=True)
    at = dict(x=line.x[20], y=line.y[20], heading=line.heading[20], speed=8.0, lateral_speed=0.0)
    parked = raceline.Neighbour(line.x[60], line.y[60], line.heading[60])
    agent, stone = behaviours.Agent(0.0, 0.0, velocity=(4.0, 0.0)), raceline.Body(5.0, 0.2, radius=1.0)
    calls = {
        lambda: follower.step(**at): 5000,
        lambda: planning.step(**at, neighbours=[parked], obstacles=[stone]): 1500,
        lambda: behaviours.avoid_obstacles(agent, [stone]): 2000,
        lambda: raceline.Neighbour(1.0, 2.0, 0.3): 1000,
        lambda: raceline.load(CLUB).curvature.sum(): 200,
        lambda: ring().width.sum(): 200,
        refused: 100,
    }
    assert sum(calls.values()) == 10_000
    for call, count in calls.items():
        # The first calls fill caches.
        for _ in range(count // 5):
            call()
    before = resident()
    for call, count in calls.items():
        for _ in range(count):
            call()
    grown = resident() - before
    assert grown < ALLOWED, f"{grown / 2**20:.1f} MiB more after 10 000 calls"


def test_a_crash_would_be_reported_with_its_place():
    # pytest switches it on; a crash of the extension then prints the line of Python that called it.
    assert faulthandler.is_enabled()
