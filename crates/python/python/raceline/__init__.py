"""Racing lines: a picture of a track in, the fast line with its speed profile out.

>>> import raceline
>>> line = raceline.optimize("tracks/club.png")            # doctest: +SKIP
>>> line.lap_time, line.x, line.y, line.speed              # doctest: +SKIP
"""

from . import behaviours
from ._raceline import (
    Body,
    Command,
    InputError,
    Line,
    Neighbour,
    NeuralDriver,
    OptionsError,
    PathAhead,
    PickUp,
    RacelineError,
    SolveError,
    Track,
    __version__,
    extract,
    laps,
    load,
    optimize,
    path_ahead,
    profile,
    verify,
)
from ._raceline import Follower as _Follower
from ._raceline import vehicles as _vehicles

__all__ = [
    "Body",
    "Command",
    "Follower",
    "InputError",
    "Line",
    "Neighbour",
    "NeuralDriver",
    "OptionsError",
    "PathAhead",
    "PickUp",
    "RacelineError",
    "SolveError",
    "Track",
    "__version__",
    "behaviours",
    "extract",
    "laps",
    "load",
    "optimize",
    "path_ahead",
    "profile",
    "vehicles",
    "verify",
]


def vehicles():
    """The names of the vehicle presets, each with its description."""
    return dict(_vehicles())


class Follower(_Follower):
    """Drives a vehicle along a line, one call per frame."""

    def drive(self, vehicle, dt=1 / 60):
        """Drives `vehicle` until it ends, and yields each command.

        `vehicle.reset()` returns its state: x and y in metres, heading in radians, speed in m/s, or a
        dictionary with these and other arguments of `step`, such as `velocity`, `yaw_rate` and
        `neighbours`. `vehicle.step(command)` moves it by `dt` seconds and returns the next state, or
        None at the end.
        """
        self.reset()
        state = vehicle.reset()
        while state is not None:
            command = self.step(**state, dt=dt) if isinstance(state, dict) else self.step(*state, dt)
            yield command
            state = vehicle.step(command)
