"""Every object is pickled, copied, compared, hashed and shown."""

import copy
import pathlib
import pickle

import numpy as np
import pytest
import raceline
from raceline import behaviours

ROOT = pathlib.Path(__file__).parents[3]
CLUB = ROOT / "tracks/club.png"


def ring(radius=40.0, **options):
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    width = np.full(60, 4.0)
    return raceline.Track.from_centerline(radius * np.cos(angle), radius * np.sin(angle), width, width, **options)


def command(speed=8.0):
    line = raceline.load(ROOT / "tracks/club.raceline.json")
    follower = raceline.Follower(line)
    return follower.step(line.x[20], line.y[20], line.heading[20], speed, lateral_speed=0.0, yaw_rate=0.0)


def path_ahead(width=3.5):
    return raceline.path_ahead([(4.0 * i, side * width / 2) for i in range(8) for side in (1, -1)], 0.0, 0.0, 0.0)


# An object, an equal one and another one, each made anew.
OBJECTS = {
    "Track": (lambda: ring(), lambda: ring(41.0)),
    "Track with heights": (
        lambda: ring(elevation=[{"s_m": 0, "z_m": 0}, {"s_m": 100, "z_m": 3}]),
        lambda: ring(elevation=[{"s_m": 0, "z_m": 0}, {"s_m": 100, "z_m": 4}]),
    ),
    "Track of a picture": (lambda: raceline.extract(CLUB), lambda: raceline.extract(CLUB, direction="clockwise")),
    "Line": (
        lambda: raceline.optimize(ring(), vehicle="kart", method="shortest-path"),
        lambda: raceline.optimize(ring(), vehicle="kart", method="shortest-path", detail=True),
    ),
    "Command": (command, lambda: command(9.0)),
    "PathAhead": (path_ahead, lambda: path_ahead(3.6)),
    "Neighbour": (
        lambda: raceline.Neighbour(1.0, 2.0, 0.3, 4.0, length=5.0, width=2.0, z=0.5),
        lambda: raceline.Neighbour(1.0, 2.0, 0.3, 4.0, length=5.0, width=2.0, z=0.6),
    ),
    "Vehicle": (lambda: raceline.Vehicle("kart"), lambda: raceline.Vehicle("kart").replace(mass_kg=171.0)),
    "Body": (lambda: raceline.Body(1.0, 2.0, 0.7, (3.0, 4.0)), lambda: raceline.Body(1.0, 2.0, 0.7)),
    "PickUp": (lambda: raceline.PickUp(1.0, 2.0, z=1.0), lambda: raceline.PickUp(1.0, 2.0)),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_is_pickled_copied_compared_and_shown(name):
    make, make_other = OBJECTS[name]
    one, other = make(), make_other()
    twins = [make(), copy.copy(one), copy.deepcopy(one), copy.deepcopy([one])[0]]
    twins += [pickle.loads(pickle.dumps(one, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for twin in twins:
        assert type(twin) is type(one) and twin == one and hash(twin) == hash(one) and repr(twin) == repr(one)
        assert twin != other and not twin == other
    assert one != "text" and one is not None and {one: 1}[twins[-1]] == 1
    assert name.split()[0] in repr(one)
    for attribute in dir(one):
        value = getattr(one, attribute)
        if not attribute.startswith("_") and not callable(value):
            np.testing.assert_equal(getattr(twins[-1], attribute), value, err_msg=attribute)


def test_a_pickled_track_gives_the_same_line_and_the_same_warnings():
    track = raceline.extract(CLUB, obstacle=[{"at": "300,200px", "radius_m": 0.2}])
    again = pickle.loads(pickle.dumps(track))
    here, there = (raceline.optimize(one, method="min-curvature") for one in (track, again))
    assert here.to_json() == there.to_json() and here.warnings == there.warnings
    assert again.warnings == track.warnings
    thin = ring(radius=900.0)
    assert thin.warnings == pickle.loads(pickle.dumps(thin)).warnings


def test_what_is_no_pickle_is_refused():
    from raceline._raceline import _command, _line, _track

    with pytest.raises(raceline.InputError, match="no pickled track"):
        _track(b"{}")
    with pytest.raises(raceline.InputError):
        _line(b"{}", [])
    numbers, places, (flags, _) = command().__reduce__()[1]
    with pytest.raises(raceline.InputError, match="no state"):
        _command(numbers, places, (flags, "flying"))


def test_agents_are_copied_and_shown():
    agent = behaviours.Agent(1.0, 2.0, velocity=(3.0, 0.0), radius=0.7, max_speed=9.0)
    twin = pickle.loads(pickle.dumps(agent))
    assert twin == agent and repr(twin) == repr(agent)
    twin.advance((1.0, 0.0), 0.1)
    assert twin != agent and copy.copy(agent) == agent


@pytest.mark.parametrize(
    "change, message",
    [
        ({"right": (7, float("nan"))}, r"^right\[7\] is nan"),
        ({"left": (3, -1.0)}, r"^left\[3\] is -1: a distance to an edge is from 0 m"),
        ({"right": (4, 1e9)}, r"^right\[4\] is 1000000000"),
        ({"x": (5, float("inf"))}, r"^x\[5\] is inf"),
        ({"y": (59, 1e12)}, r"^y\[59\] is 1000000000000: a coordinate is"),
    ],
)
def test_messages_about_arrays_name_the_argument(change, message):
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    arrays = {"x": 40 * np.cos(angle), "y": 40 * np.sin(angle), "right": np.full(60, 4.0), "left": np.full(60, 4.0)}
    for name, (index, value) in change.items():
        arrays[name][index] = value
    with pytest.raises(raceline.InputError, match=message) as error:
        raceline.Track.from_centerline(**arrays)
    assert ".csv" not in str(error.value) and "line 7" not in str(error.value)
