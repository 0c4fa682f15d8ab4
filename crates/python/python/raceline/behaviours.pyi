from os import PathLike
from typing import List, Optional, Sequence, Tuple, Union, final

from numpy.typing import ArrayLike

from . import Body, Line

_Pair = Tuple[float, float]
_Rule = Tuple[float, float, float]
_Path = Union[str, "PathLike[str]"]

__all__ = [
    "Agent",
    "Flock",
    "FlowField",
    "NeighbourGrid",
    "PathFollowing",
    "Wander",
    "alignment",
    "arrival",
    "avoid_bodies",
    "avoid_obstacles",
    "blend_by_priority",
    "blend_weighted",
    "car_controls",
    "cohesion",
    "evasion",
    "flee",
    "follow_flow_field",
    "follow_leader",
    "follow_wall",
    "interception_time",
    "offset_pursuit",
    "pursuit",
    "seek",
    "separation",
]

@final
class Agent:
    """A point in the plane that behaviours push."""
    def __new__(
        cls,
        x: float = 0.0,
        y: float = 0.0,
        *,
        velocity: _Pair = ...,
        heading: Optional[float] = None,
        radius: float = 0.5,
        max_speed: float = 10.0,
        max_acceleration: float = 6.0,
        response: float = 0.5,
    ) -> Agent: ...
    @property
    def position(self) -> _Pair: ...
    @property
    def velocity(self) -> _Pair: ...
    @property
    def heading(self) -> float: ...
    def advance(self, acceleration: _Pair, dt: float) -> None: ...
    def body(self) -> Body: ...

@final
class PathFollowing:
    """Follows a line: one for each agent."""
    def __new__(
        cls, line: Union[Line, _Path], *, start: float = 0.0, prediction: float = 0.5, tube: float = 1.0, ahead: float = 4.0
    ) -> PathFollowing: ...
    @property
    def place(self) -> float: ...
    def step(self, agent: Agent) -> _Pair: ...

@final
class Wander:
    """A random walk of the direction: one for each agent."""
    def __new__(
        cls, *, radius: float = 3.0, distance: float = 5.0, rate: float = 2.0, speed: float = 5.0, seed: int = 0
    ) -> Wander: ...
    def step(self, agent: Agent, dt: float) -> _Pair: ...

@final
class NeighbourGrid:
    """Agents in the cells of a grid, so that those near a place are found among a few."""
    def __new__(cls, others: Sequence[Body], *, reach: float = 10.0) -> NeighbourGrid: ...
    def rebuild(self, others: Sequence[Body]) -> None: ...
    def near(self, at: _Pair, radius: float) -> List[int]: ...
    def others(self, number: int, radius: float) -> List[Body]: ...

@final
class Flock:
    """Separation, cohesion and alignment as one, each (weight, radius in m, view in rad to either side)."""
    def __new__(cls, *, separation: _Rule = ..., cohesion: _Rule = ..., alignment: _Rule = ...) -> Flock: ...
    def acceleration(self, agent: Agent, others: Sequence[Body]) -> _Pair: ...
    def accelerations(self, agents: Sequence[Agent]) -> List[_Pair]: ...
    def step(self, agents: Sequence[Agent], dt: float) -> None: ...

@final
class FlowField:
    """A grid of velocities of shape (rows, columns, 2), the lowest row first."""
    def __new__(cls, origin: _Pair, cell: float, velocities: ArrayLike) -> FlowField: ...
    def velocity(self, at: _Pair) -> _Pair: ...

def seek(agent: Agent, target: _Pair) -> _Pair: ...
def flee(agent: Agent, target: _Pair) -> _Pair: ...
def arrival(agent: Agent, target: _Pair, slowing: float = 5.0) -> _Pair: ...
def pursuit(agent: Agent, other: Body, horizon: float = 5.0) -> _Pair: ...
def evasion(agent: Agent, other: Body, horizon: float = 5.0) -> _Pair: ...
def offset_pursuit(agent: Agent, other: Body, offset: _Pair, horizon: float = 5.0) -> _Pair: ...
def follow_wall(
    agent: Agent, walls: Sequence[Tuple[_Pair, _Pair]], *, distance: float = 2.0, prediction: float = 0.5
) -> _Pair: ...
def avoid_obstacles(agent: Agent, obstacles: Sequence[Body], *, horizon: float = 3.0, gap: float = 0.5) -> _Pair: ...
def avoid_bodies(agent: Agent, others: Sequence[Body], *, horizon: float = 3.0, gap: float = 0.5) -> _Pair: ...
def separation(agent: Agent, others: Sequence[Body], *, radius: float = 10.0, view: float = ...) -> _Pair: ...
def cohesion(agent: Agent, others: Sequence[Body], *, radius: float = 10.0, view: float = ...) -> _Pair: ...
def alignment(agent: Agent, others: Sequence[Body], *, radius: float = 10.0, view: float = ...) -> _Pair: ...
def follow_leader(
    agent: Agent,
    leader: Body,
    others: Sequence[Body],
    *,
    behind: float = 4.0,
    clear: float = 2.0,
    clear_time: float = 1.5,
    slowing: float = 5.0,
    separation: float = 3.0,
) -> _Pair: ...
def follow_flow_field(agent: Agent, field: FlowField, prediction: float = 0.5) -> _Pair: ...
def blend_weighted(agent: Agent, wanted: Sequence[Tuple[float, _Pair]]) -> _Pair: ...
def blend_by_priority(agent: Agent, wanted: Sequence[_Pair]) -> _Pair: ...
def interception_time(start: _Pair, speed: float, other: Body) -> Optional[float]: ...
def car_controls(
    acceleration: _Pair,
    heading: float,
    speed: float,
    *,
    full_throttle: float = 5.0,
    full_brake: float = 8.0,
    wheelbase: float = 2.6,
    max_steering: float = 0.6,
) -> _Pair: ...
