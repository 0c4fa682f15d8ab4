"""Racing lines: a picture of a track in, the fast line with its speed profile out.

>>> import raceline
>>> track = raceline.generate("kart", seed=7)             # or the path of a picture, a map or a track file
>>> line = raceline.optimize(track, vehicle="kart", method="min-curvature")
>>> round(line.lap_time), line.x.shape == line.speed.shape
(38, True)
"""

from . import behaviours, results
from ._many import load_lines, save_lines
from ._options import Method, Noise, Options
from ._raceline import (
    AnytimeSearch,
    Body,
    Command,
    GridPlanner,
    InputError,
    Line,
    Neighbour,
    NeuralDriver,
    OptionsError,
    PathAhead,
    PickUp,
    RacelineError,
    SolveError,
    Tactics,
    Track,
    Tuner,
    Vehicle,
    __version__,
    calibrate,
    coach,
    compare,
    discover,
    drive,
    extract,
    generate,
    inspect,
    laps,
    load,
    optimize,
    optimize_many,
    path_ahead,
    plan,
    profile,
    render,
    route,
    schema,
    setup,
    stint,
    sweep,
    tile_race,
    verify,
)
from ._raceline import Follower as _Follower
from ._raceline import formats as _formats
from ._raceline import vehicles as _vehicles

__all__ = [
    "AnytimeSearch",
    "Body",
    "Command",
    "Follower",
    "GridPlanner",
    "InputError",
    "Line",
    "Method",
    "Neighbour",
    "NeuralDriver",
    "Noise",
    "Options",
    "OptionsError",
    "PathAhead",
    "PickUp",
    "RacelineError",
    "SolveError",
    "Tactics",
    "Track",
    "Tuner",
    "Vehicle",
    "__version__",
    "behaviours",
    "calibrate",
    "coach",
    "compare",
    "discover",
    "drive",
    "export",
    "extract",
    "formats",
    "generate",
    "inspect",
    "laps",
    "load",
    "load_lines",
    "optimize",
    "optimize_many",
    "path_ahead",
    "plan",
    "profile",
    "render",
    "results",
    "route",
    "save_lines",
    "schema",
    "setup",
    "stint",
    "sweep",
    "tile_race",
    "vehicles",
    "verify",
]


def vehicles():
    """The names of the vehicle presets, each with its description.

    >>> import raceline
    >>> "kart" in raceline.vehicles()
    True
    """
    return dict(_vehicles())


def formats():
    """The names of the formats of other programs, each with its description.

    >>> import raceline
    >>> "tum" in raceline.formats()
    True
    """
    return dict(_formats())


def export(line, path=None, **options):
    """Writes a line in the format of another program, or returns its bytes where `path` is None.

    `line` is a `Line` or the path of its file; the other arguments are those of `Line.export`.

    >>> import raceline
    >>> line = raceline.optimize(raceline.generate("oval", length=900.0), vehicle="gt", method="min-curvature")
    >>> raceline.export(line, format="csv")[:4]
    b's_m,'
    """
    line = line if isinstance(line, Line) else load(line)
    return line.export(path, **options)


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
