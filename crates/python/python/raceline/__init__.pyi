from os import PathLike
from typing import Any, Callable, Dict, Iterable, Iterator, List, Literal, Mapping, Optional, Protocol, Sequence, Tuple, TypedDict, Union, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Unpack

from . import behaviours as behaviours
from . import results as results
from ._options import Method as Method
from ._options import Noise as Noise
from ._options import ArrayOptions as _ArrayOptions
from ._options import Options as Options
from ._options import RoadOptions as _RoadOptions

_Path = Union[str, "PathLike[str]"]
_Vehicle = Union[_Path, Mapping[str, Any], Vehicle]
_Picture = Union[NDArray[np.uint8], NDArray[np.bool_]]
_Range = Union[str, Tuple[float, float]]
_Given = Union[Track, _Path, bytes, _Picture]
_Noise = Union[_Path, Noise]
_Colour = Literal["speed", "acceleration", "curvature", "grade", "speed-ratio", "deviation"]
_Telemetry = Union[_Path, Mapping[str, Any], results.Trace]
_Planner = Literal[
    "voronoi",
    "a-star",
    "weighted-a-star",
    "dijkstra",
    "ida-star",
    "cells",
    "navigation-mesh",
    "quadtree",
    "potential-field",
    "prm",
    "gaussian-prm",
    "visibility-prm",
    "rrt",
    "rrt-star",
    "hybrid-a-star",
]
_Progress = Union[bool, Callable[[str, int, int, str], object], None]
_Array = NDArray[np.float64]
_Cell = Tuple[int, int]
_Vector = Union[Tuple[float, float], Tuple[float, float, float]]

__version__: str

class RacelineError(Exception): ...
class InputError(RacelineError): ...
class OptionsError(RacelineError): ...
class SolveError(RacelineError): ...

@final
class Track:
    """A road cut into cross-sections. Arrays can't be written."""
    @staticmethod
    def from_centerline(
        x: ArrayLike,
        y: ArrayLike,
        right: ArrayLike,
        left: ArrayLike,
        *,
        closed: bool = True,
        name: str = "track",
        vehicle: Optional[_Vehicle] = None,
        **options: Unpack[_ArrayOptions],
    ) -> Track: ...
    @staticmethod
    def from_points(
        left: ArrayLike,
        right: ArrayLike,
        *,
        closed: bool = True,
        name: str = "track",
        vehicle: Optional[_Vehicle] = None,
        **options: Unpack[_ArrayOptions],
    ) -> Track: ...
    @property
    def name(self) -> str: ...
    @property
    def closed(self) -> bool: ...
    @property
    def length(self) -> float: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def s(self) -> _Array: ...
    @property
    def x(self) -> _Array: ...
    @property
    def y(self) -> _Array: ...
    @property
    def curvature(self) -> _Array: ...
    @property
    def heights(self) -> _Array: ...
    @property
    def width(self) -> _Array: ...
    @property
    def left(self) -> Tuple[_Array, _Array]: ...
    @property
    def right(self) -> Tuple[_Array, _Array]: ...
    def to_json(self) -> str: ...
    def save(self, path: _Path) -> None: ...
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Vehicle:
    """A vehicle with its limits: what `vehicle=` takes everywhere."""
    def __new__(cls, name: str) -> Vehicle: ...
    @staticmethod
    def from_file(path: _Path) -> Vehicle: ...
    @staticmethod
    def from_dict(values: Mapping[str, Any], *, base: Optional[str] = None) -> Vehicle: ...
    def replace(self, **changes: Any) -> Vehicle: ...
    @property
    def name(self) -> str: ...
    def as_dict(self) -> dict[str, Any]: ...
    def to_toml(self) -> str: ...
    def save(self, path: _Path) -> None: ...
    def keys(self) -> list[str]: ...
    def __getitem__(self, key: str, /) -> Any: ...
    def __contains__(self, key: str, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Line:
    """A racing line with its speed profile. SI units; arrays can't be written."""
    @property
    def name(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def vehicle(self) -> str: ...
    @property
    def closed(self) -> bool: ...
    @property
    def lap_time(self) -> float: ...
    @property
    def length(self) -> float: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def survival(self) -> Optional[results.Survival]: ...
    @property
    def s(self) -> _Array: ...
    @property
    def x(self) -> _Array: ...
    @property
    def y(self) -> _Array: ...
    @property
    def heading(self) -> _Array: ...
    @property
    def curvature(self) -> _Array: ...
    @property
    def speed(self) -> _Array: ...
    @property
    def acceleration(self) -> _Array: ...
    @property
    def time(self) -> _Array: ...
    @property
    def left(self) -> _Array: ...
    @property
    def right(self) -> _Array: ...
    @property
    def z(self) -> Optional[_Array]: ...
    @property
    def banking(self) -> Optional[_Array]: ...
    @property
    def corners(self) -> list[results.Corner]: ...
    @property
    def candidates(self) -> list[results.Candidate]: ...
    @property
    def edges(self) -> Tuple[Tuple[_Array, _Array], Tuple[_Array, _Array]]: ...
    @property
    def options(self) -> dict[str, Any]: ...
    @property
    def vehicle_used(self) -> Vehicle: ...
    def to_json(self) -> str: ...
    def to_dataframe(self) -> Any: ...
    def save(self, path: _Path) -> None: ...
    @overload
    def export(
        self,
        path: None = None,
        *,
        format: str,
        spacing: Optional[float] = None,
        speed_factor: Optional[float] = None,
        closed_repeat: Optional[bool] = None,
        origin: Optional[Tuple[float, float]] = None,
        cell: Optional[float] = None,
        margin: Optional[float] = None,
    ) -> bytes: ...
    @overload
    def export(
        self,
        path: _Path,
        *,
        format: Optional[str] = None,
        spacing: Optional[float] = None,
        speed_factor: Optional[float] = None,
        closed_repeat: Optional[bool] = None,
        origin: Optional[Tuple[float, float]] = None,
        cell: Optional[float] = None,
        margin: Optional[float] = None,
    ) -> None: ...
    @overload
    def render(self, path: None = None, **options: Any) -> bytes: ...
    @overload
    def render(self, path: _Path, **options: Any) -> None: ...
    def plot(
        self, ax: Any = None, *, colour: Literal["speed", "acceleration", "curvature", "time"] = "speed", **keywords: Any
    ) -> Any: ...
    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __len__(self) -> int: ...

@final
class Command:
    """What the vehicle is to do in a frame."""
    @property
    def steering(self) -> float: ...
    @property
    def pedal(self) -> float: ...
    @property
    def acceleration(self) -> Optional[float]: ...
    @property
    def throttle(self) -> float: ...
    @property
    def brake(self) -> float: ...
    @property
    def reverse(self) -> bool: ...
    @property
    def target_speed(self) -> float: ...
    @property
    def s(self) -> float: ...
    @property
    def cross_track_error(self) -> float: ...
    @property
    def on_road(self) -> bool: ...
    @property
    def arrived(self) -> bool: ...
    @property
    def boost(self) -> bool: ...
    @property
    def target(self) -> Tuple[float, float, float]: ...
    @property
    def nearest(self) -> Tuple[float, float, float]: ...
    @property
    def state(self) -> str: ...
    @property
    def place_back(self) -> Optional[Tuple[float, float, float]]: ...
    @property
    def avoiding(self) -> bool: ...
    @property
    def shift(self) -> float: ...
    @property
    def lacks_velocity(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Neighbour:
    """Another vehicle."""
    def __new__(
        cls,
        x: float,
        y: float,
        heading: float = 0.0,
        speed: float = 0.0,
        *,
        velocity: Optional[Tuple[float, float]] = None,
        length: float = 4.4,
        width: float = 1.8,
        z: float = 0.0,
    ) -> Neighbour: ...
    @property
    def position(self) -> Tuple[float, float, float]: ...
    @property
    def velocity(self) -> Tuple[float, float]: ...
    @property
    def heading(self) -> float: ...
    @property
    def length(self) -> float: ...
    @property
    def width(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Body:
    """A round body: an obstacle, or with a velocity one that agents see."""
    def __new__(cls, x: float, y: float, radius: float = 0.5, velocity: Tuple[float, float] = ...) -> Body: ...
    @property
    def position(self) -> Tuple[float, float]: ...
    @property
    def radius(self) -> float: ...
    @property
    def velocity(self) -> Tuple[float, float]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class PickUp:
    """An object to collect."""
    def __new__(cls, x: float, y: float, radius: float = 0.5, *, z: float = 0.0) -> PickUp: ...
    @property
    def position(self) -> Tuple[float, float, float]: ...
    @property
    def radius(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_State = Union[Tuple[float, float, float, float], dict[str, Any]]

class _DrivenVehicle(Protocol):
    def reset(self) -> Optional[_State]: ...
    def step(self, command: Command) -> Optional[_State]: ...

class Follower:
    """Drives a vehicle along a line, one call per frame."""
    def __new__(
        cls,
        line: Union[Line, _Path],
        options: Optional[Mapping[str, float]] = None,
        *,
        planner: Union[bool, dict[str, float], None] = None,
        preset: Literal["limit", "racing", "game", "paper"] = "limit",
    ) -> Follower: ...
    def step(
        self,
        x: float,
        y: float,
        heading: float,
        speed: float,
        dt: float = ...,
        *,
        z: float = 0.0,
        velocity: Optional[_Vector] = None,
        lateral_speed: Optional[float] = None,
        yaw_rate: Optional[float] = None,
        neighbours: Sequence[Neighbour] = ...,
        obstacles: Sequence[Body] = ...,
        pick_ups: Sequence[PickUp] = ...,
        reverse: bool = False,
    ) -> Command: ...
    def reset(self) -> None: ...
    def drive(self, vehicle: _DrivenVehicle, dt: float = ...) -> Iterator[Command]: ...

@final
class GridPlanner:
    """Plans a path on a grid of which cells become blocked and free, from a start that moves (D* Lite)."""
    def __new__(cls, blocked: ArrayLike, start: _Cell, goal: _Cell) -> GridPlanner: ...
    def update(self, *, blocked: Sequence[_Cell] = ..., free: Sequence[_Cell] = ...) -> None: ...
    def move_to(self, cell: _Cell) -> None: ...
    def path(self) -> Optional[results.GridPath]: ...
    @property
    def start(self) -> _Cell: ...
    @property
    def expanded(self) -> int: ...

@final
class AnytimeSearch:
    """Publishes better and better paths on a grid as long as it is asked for the next (ARA*)."""
    def __new__(cls, blocked: ArrayLike, start: _Cell, goal: _Cell, *, factor: float = 3.0, step: float = 0.5) -> AnytimeSearch: ...
    def __iter__(self) -> AnytimeSearch: ...
    def __next__(self) -> results.AnytimePath: ...

@final
class Tactics:
    """Decisions of a driver: behaviour trees and state machines, stepped once a frame."""
    def __new__(cls, decisions: _Path) -> Tactics: ...
    def step(self, inputs: Union[Dict[str, float], Sequence[float]], dt: float = 0.02) -> Dict[str, float]: ...
    def set_tracing(self, on: bool) -> None: ...
    def reset(self) -> None: ...
    @property
    def status(self) -> Optional[str]: ...
    @property
    def inputs(self) -> List[str]: ...
    @property
    def outputs(self) -> List[str]: ...
    @property
    def active(self) -> List[str]: ...
    @property
    def trace(self) -> List[str]: ...

class _Parameter(TypedDict, total=False):
    min: float
    max: float
    scale: Literal["linear", "logarithmic"]
    integer: bool
    start: float

_Declared = Union[Tuple[float, float], Tuple[float, float, Literal["linear", "logarithmic"]], _Parameter]

@final
class Tuner:
    """Tunes numbers by scores of your own simulator: `ask` gives a trial, `tell` takes its score."""
    def __new__(
        cls,
        parameters: Mapping[str, _Declared],
        method: Literal["cma-es", "bayesian"] = "cma-es",
        *,
        seed: int = 0,
        population: Optional[int] = None,
        first_deviation: float = 0.2,
        repeats: int = 1,
        first_trials: Optional[int] = None,
    ) -> Tuner: ...
    def ask(self) -> Tuple[int, Dict[str, float]]: ...
    def tell(self, trial: int, score: Optional[float]) -> None: ...
    def sheet(self) -> results.TuningSheet: ...
    def report(self) -> str: ...
    def history_svg(self) -> str: ...
    def save(self) -> str: ...
    @staticmethod
    def load(state: str) -> Tuner: ...
    def __len__(self) -> int: ...
    @property
    def trials(self) -> List[results.TuningTrial]: ...
    @property
    def open(self) -> List[Tuple[int, Dict[str, float]]]: ...
    @property
    def best(self) -> results.TuningStanding: ...

class NeuralDriver:
    """A small network that drives a vehicle along a line."""
    def __new__(cls, line: Union[Line, _Path], network: _Path, *, profile_scale: float = 1.0) -> NeuralDriver: ...
    def step(
        self,
        x: float,
        y: float,
        heading: float,
        speed: float,
        dt: float = ...,
        *,
        z: float = 0.0,
        velocity: Optional[_Vector] = None,
        lateral_speed: Optional[float] = None,
        yaw_rate: Optional[float] = None,
    ) -> Command: ...
    def reset(self) -> None: ...

@final
class PathAhead:
    """The path in front of a vehicle between cones."""
    @property
    def points(self) -> Tuple[_Array, _Array]: ...
    @property
    def left(self) -> Tuple[_Array, _Array]: ...
    @property
    def right(self) -> Tuple[_Array, _Array]: ...
    @property
    def is_straight_guess(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def extract(
    path: _Given,
    *,
    name: Optional[str] = None,
    vehicle: Optional[_Vehicle] = None,
    progress: _Progress = None,
    **options: Unpack[Options],
) -> Track: ...
def optimize(
    track: _Given,
    *,
    vehicle: Optional[_Vehicle] = None,
    method: Optional[Method] = None,
    progress: _Progress = None,
    detail: bool = False,
    name: Optional[str] = None,
    noise: Optional[_Noise] = None,
    confidence: Optional[float] = None,
    **options: Unpack[Options],
) -> Line: ...
@overload
def optimize_many(
    tracks: Iterable[_Given],
    *,
    vehicle: Optional[_Vehicle] = None,
    method: Optional[Method] = None,
    threads: Optional[int] = None,
    errors: Literal["raise"] = "raise",
    progress: _Progress = None,
    **options: Unpack[Options],
) -> list[Line]: ...
@overload
def optimize_many(
    tracks: Iterable[_Given],
    *,
    vehicle: Optional[_Vehicle] = None,
    method: Optional[Method] = None,
    threads: Optional[int] = None,
    errors: Literal["return"],
    progress: _Progress = None,
    **options: Unpack[Options],
) -> list[Union[Line, RacelineError]]: ...
def save_lines(path: _Path, lines: Iterable[Line]) -> None: ...
def load_lines(path: _Path) -> Tuple[NDArray[Any], list[NDArray[Any]]]: ...
def profile(
    line: Union[_Path, Sequence[Sequence[float]], NDArray[Any]],
    *,
    track: Optional[_Given] = None,
    vehicle: Optional[_Vehicle] = None,
    name: str = "line",
    progress: _Progress = None,
    **options: Unpack[Options],
) -> Line: ...
def generate(
    style: Literal["circuit", "street", "kart", "oval", "stage", "maze"] = "circuit",
    *,
    seed: int = 0,
    length: Optional[float] = None,
    width: Optional[float] = None,
    crossings: bool = False,
    vehicle: Optional[_Vehicle] = None,
    **options: Unpack[_RoadOptions],
) -> Track: ...
def setup(
    track: _Given,
    free: Mapping[str, Union[_Range, Mapping[str, _Range]]],
    *,
    vehicle: Optional[_Vehicle] = None,
    progress: _Progress = None,
    **options: Unpack[Options],
) -> results.SetUp: ...
def stint(
    track: _Given,
    laps: int,
    *,
    car: Optional[Union[_Path, Mapping[str, Mapping[str, Any]]]] = None,
    lap: Optional[int] = None,
    vehicle: Optional[_Vehicle] = None,
    progress: _Progress = None,
    **options: Unpack[Options],
) -> results.Stint: ...
def sweep(
    track: _Given,
    vary: Mapping[str, Union[ArrayLike, str]],
    *,
    vehicle: Optional[_Vehicle] = None,
    method: Optional[Method] = None,
    fixed_line: bool = False,
    progress: _Progress = None,
    **options: Unpack[Options],
) -> results.Sweep: ...
def inspect(
    line: Union[Line, _Path],
    *,
    sensitivities: bool = False,
    corner_curvature: Optional[float] = None,
    corner_merge: Optional[float] = None,
    corner_min_angle: Optional[float] = None,
    sectors: Optional[Sequence[float]] = None,
) -> results.Inspection: ...
def compare(
    reference: Union[Line, _Path],
    line: Union[Line, _Path],
    *,
    corner_curvature: Optional[float] = None,
    corner_merge: Optional[float] = None,
    corner_min_angle: Optional[float] = None,
    sectors: Optional[Sequence[float]] = None,
) -> results.Comparison: ...
@overload
def render(
    lines: Union[Line, _Path, Sequence[Union[Line, _Path]]],
    path: None = None,
    *,
    format: Optional[Literal["svg", "png", "html"]] = None,
    width: Optional[int] = None,
    height: Optional[int] = None,
    colour_by: Optional[_Colour] = None,
    background: Optional[_Path] = None,
    candidates: bool = True,
    corners: bool = True,
    braking: bool = True,
    sections: bool = False,
    inputs: bool = False,
    driven: Optional[_Path] = None,
) -> bytes: ...
@overload
def render(
    lines: Union[Line, _Path, Sequence[Union[Line, _Path]]],
    path: _Path,
    *,
    format: Optional[Literal["svg", "png", "html"]] = None,
    width: Optional[int] = None,
    height: Optional[int] = None,
    colour_by: Optional[_Colour] = None,
    background: Optional[_Path] = None,
    candidates: bool = True,
    corners: bool = True,
    braking: bool = True,
    sections: bool = False,
    inputs: bool = False,
    driven: Optional[_Path] = None,
) -> None: ...
def export(line: Union[Line, _Path], path: Optional[_Path] = None, **options: Any) -> Optional[bytes]: ...
@overload
def drive(
    line: Union[Line, _Path],
    *,
    vehicle: Optional[_Vehicle] = None,
    follower: Literal["both", "profile", "bezier", "baseline", "reynolds", "neural"] = "both",
    network: Optional[_Path] = None,
    laps: int = 3,
    learn_laps: int = 0,
    learned: Union[results.Learned, Mapping[str, Any], None] = None,
    speed_fraction: float = 1.0,
    best: bool = False,
    frame_rate: float = 60.0,
    delay: float = 0.0,
    steering_rate: Optional[float] = None,
    grip: Sequence[Tuple[float, float, float]] = ...,
    obstacles: Sequence[Body] = ...,
    traffic: int = 0,
    traffic_speeds: Tuple[float, float] = ...,
    seed: int = 0,
    noise: None = None,
    drives: None = None,
) -> results.Drive: ...
@overload
def drive(
    line: Union[Line, _Path],
    *,
    vehicle: Optional[_Vehicle] = None,
    follower: Literal["both", "profile", "bezier", "baseline", "reynolds", "neural"] = "both",
    network: Optional[_Path] = None,
    laps: int = 3,
    learn_laps: Literal[0] = 0,
    learned: None = None,
    speed_fraction: float = 1.0,
    best: Literal[False] = False,
    frame_rate: float = 60.0,
    delay: float = 0.0,
    steering_rate: Optional[float] = None,
    grip: Sequence[Tuple[float, float, float]] = ...,
    obstacles: Sequence[Body] = ...,
    traffic: int = 0,
    traffic_speeds: Tuple[float, float] = ...,
    seed: int = 0,
    noise: _Noise,
    drives: Optional[int] = None,
) -> results.NoisyDrives: ...
def calibrate(
    telemetry: Union[_Telemetry, Sequence[_Telemetry]],
    *,
    base: _Vehicle,
    lines: Optional[Sequence[Union[Line, _Path]]] = None,
) -> results.Calibration: ...
@overload
def plan(
    map: _Path,
    from_: Union[Sequence[float], str],
    to: Union[Sequence[float], str],
    *,
    via: Optional[Sequence[Union[Sequence[float], str]]] = None,
    planner: Optional[_Planner] = None,
    vehicle: Optional[_Vehicle] = None,
    **options: Any,
) -> results.Plan: ...
@overload
def plan(
    map: _Path,
    from_: Union[Sequence[float], str],
    to: Union[Sequence[float], str],
    *,
    via: Optional[Sequence[Union[Sequence[float], str]]] = None,
    planner: Literal["all"],
    vehicle: Optional[_Vehicle] = None,
    **options: Any,
) -> list[results.Plan]: ...
def discover(
    map: _Path,
    from_: Union[Sequence[float], str],
    to: Union[Sequence[float], str],
    *,
    radius: float,
    compare: bool = False,
    via: Optional[Sequence[Union[Sequence[float], str]]] = None,
    vehicle: Optional[_Vehicle] = None,
    **options: Any,
) -> results.Discovery: ...
def tile_race(
    map: _Path,
    from_: Union[Sequence[float], str],
    to: Union[Sequence[float], str],
    *,
    radius: float,
    tile: float,
    turn_tiles: float = 0.0,
    compare: bool = False,
    via: Optional[Sequence[Union[Sequence[float], str]]] = None,
    vehicle: Optional[_Vehicle] = None,
    **options: Any,
) -> results.TileRace: ...
def route(
    map: _Path,
    from_: Union[Sequence[float], str],
    to: Union[Sequence[float], str],
    *,
    via: Optional[Sequence[Union[Sequence[float], str]]] = None,
    kind: Optional[Literal["shortest", "fastest", "exhaustive"]] = None,
    vehicle: Optional[_Vehicle] = None,
    **options: Any,
) -> results.Route: ...
def formats() -> dict[str, str]: ...
def schema() -> str: ...
def laps(
    path: _Path,
    *,
    track: Optional[Track] = None,
    start: Optional[Tuple[float, float]] = None,
    sectors: int = 3,
    driven: bool = False,
) -> results.Laps: ...
def coach(
    path: _Path,
    *,
    track: Optional[Track] = None,
    track_width: Optional[float] = None,
    vehicle: Optional[_Vehicle] = None,
    base: Optional[_Vehicle] = None,
    start: Optional[Tuple[float, float]] = None,
    lap: Optional[int] = None,
    page: Optional[_Path] = None,
    progress: _Progress = None,
) -> results.Coaching: ...
def load(path: _Path) -> Line: ...
def verify(line: Union[Line, _Path], *, vehicle: Optional[_Vehicle] = None) -> list[str]: ...
def path_ahead(
    cones: Iterable[Union[Tuple[float, float], Tuple[float, float, str]]],
    x: float,
    y: float,
    heading: float,
    *,
    width: Optional[float] = None,
) -> PathAhead: ...
def vehicles() -> dict[str, str]: ...
