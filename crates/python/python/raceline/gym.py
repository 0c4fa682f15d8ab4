"""Environments of Gymnasium: a vehicle with tyres that a learning driver keeps on a road.

>>> import gymnasium
>>> import raceline.gym
>>> road = raceline.generate("kart", seed=7)
>>> world = gymnasium.make("raceline/Track-v0", track=road, vehicle="kart", method="min-curvature")
>>> seen, info = world.reset(seed=1)
>>> seen, reward, terminated, truncated, info = world.step(world.action_space.sample())
>>> seen.shape, terminated
((57,), False)

Many vehicles at once, each in an episode of its own:

>>> line = raceline.optimize(road, vehicle="kart", method="min-curvature")
>>> worlds = gymnasium.make_vec("raceline/Track-v0", num_envs=64, vectorization_mode="vector_entry_point", track=line)
>>> seen, infos = worlds.reset(seed=1)
>>> seen.shape
(64, 57)

**Action**: steering as a fraction of the largest angle, positive to the left, and pedal, where negative is the
brakes; both from -1 to 1.

**Observation**: numbers of about -1 to 1, of which none is cut off.

    0, 1    velocity along and across the body, by the vehicle's largest speed
    2       yaw rate, rad/s
    3       angle of the front wheels, by the largest one
    4       heading relative to the racing line, rad
    5, 6    distances to the left and the right edge of the road, by `preview`
    7 ...   for each of `preview_points` places ahead, evenly up to `preview` m along the line: x and y of the left
            edge, then of the right edge, seen from the vehicle (x ahead, y to the left), by `preview`
    ...     for each of these places, the racing line's speed, by the vehicle's largest speed

**Reward**: metres gained along the line in the frame. Where the body is not wholly on the road, only what is lost
counts.

**Episode**: ends (terminated) when the whole body is off the road, after `laps` laps, and at the end of an open
road; it is cut off (truncated) after `max_seconds`. It begins at a random place of the road, at a part of the
line's speed; `random_start=False` begins at rest on the line's first point, and
`reset(options={"s": 120.0, "offset": 0.0, "heading": 0.0, "speed": 10.0})` anywhere.

**Picture**: with `render_mode="rgb_array"`, `render()` is the road `preview` m ahead of the vehicle, seen from above,
as an array of shape (400, 400, 3); it needs NumPy alone.
"""

from __future__ import annotations

import math
from typing import Any, Dict, Mapping, Optional, Tuple, Union

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import raceline

from ._gym_picture import Camera
from ._raceline import _Fleet

__all__ = ["FollowerPolicy", "TrackEnv", "TrackVectorEnv"]

# A random start has up to this fraction of the line's speed and of the room beside it, and this heading, rad.
_START_SPEED = 0.8
_START_OFFSET = 0.5
_START_HEADING = 0.1
# A lap may take this multiple of the line's time, and this, s.
_PATIENCE = 2.0
_PATIENCE_S = 20.0
_PLACES = ("s", "offset", "heading", "speed")

_Seen = NDArray[np.float32]
_Numbers = NDArray[np.float64]
_Which = NDArray[np.bool_]
_Vehicle = Union[str, raceline.Vehicle, None]
_Options = Optional[Dict[str, Any]]


class _Track:
    """What one environment and many have in common."""

    def __init__(
        self,
        track: Any,
        vehicle: _Vehicle,
        count: int,
        laps: int,
        max_seconds: Optional[float],
        random_start: bool,
        fleet: Dict[str, Any],
        options: Dict[str, Any],
    ) -> None:
        if isinstance(track, raceline.Line):
            if options:
                raise raceline.OptionsError(f"{next(iter(options))}: a line has its options already")
            self.line = track
        else:
            self.line = raceline.optimize(track, vehicle=vehicle, **options)
        self.fleet = _Fleet(self.line, vehicle=vehicle, count=count, **fleet)
        if laps < 1:
            raise raceline.OptionsError(f"laps is {laps}, but must be 1 or more")
        self.goal = self.fleet.length * (laps if self.line.closed else 1)
        if max_seconds is None:
            max_seconds = laps * (_PATIENCE * self.line.lap_time + _PATIENCE_S)
        self.max_frames = max(1, math.ceil(max_seconds / self.fleet.frame))
        self.random_start = random_start
        self.gained = np.zeros(count)
        self.frames = np.zeros(count, dtype=np.int64)
        size = self.fleet.observation_len
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float32)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (2,), np.float32)

    def begin(self, index: int, random: np.random.Generator, options: _Options) -> None:
        """Begins an episode of the vehicle `index`."""
        options = options or {}
        unknown = set(options) - set(_PLACES)
        if unknown:
            raise raceline.OptionsError(f"reset has no option {sorted(unknown)[0]!r}, but {', '.join(_PLACES)}")
        place = dict.fromkeys(_PLACES, 0.0)
        if self.random_start:
            drawn = random.random(4)
            place["s"] = drawn[0] * self.fleet.length * (1.0 if self.line.closed else 0.5)
            left, right, speed = self.fleet.road(options.get("s", place["s"]))
            half = 0.5 * self.fleet.width
            room = (_START_OFFSET * max(left - half, 0.0), _START_OFFSET * max(right - half, 0.0))
            place["offset"] = drawn[1] * (room[0] + room[1]) - room[1]
            place["heading"] = _START_HEADING * (2.0 * drawn[2] - 1.0)
            place["speed"] = _START_SPEED * drawn[3] * speed
        place.update(options)
        self.fleet.place(index, *(float(place[name]) for name in _PLACES))
        self.gained[index] = self.frames[index] = 0

    def step(self, actions: Any) -> Tuple[_Seen, _Numbers, _Which, _Which]:
        """Observations, rewards, and which episodes are terminated and truncated."""
        seen = self.fleet.step(actions)
        progress, room, s = self.fleet.progress, self.fleet.room, self.fleet.s
        self.gained += progress
        self.frames += 1
        rewards = np.where(room >= 0.0, progress, np.minimum(progress, 0.0))
        ended = (room < -self.fleet.width) | (self.gained >= self.goal)
        if not self.line.closed:
            ended |= s >= self.fleet.length
        return seen, rewards, ended, ~ended & (self.frames >= self.max_frames)

    def info(self) -> Dict[str, _Numbers]:
        return {"s": self.fleet.s, "offset": self.fleet.offset, "room": self.fleet.room, "gained": self.gained.copy()}


class TrackEnv(gymnasium.Env[_Seen, _Seen]):
    """One vehicle on a road: `gymnasium.make("raceline/Track-v0", track=..., vehicle=...)`.

    track: a `raceline.Line`, or what `raceline.optimize` takes; options: those of its search.
    vehicle: as for `raceline.optimize`; default: the line's.
    laps, max_seconds: when an episode ends. random_start: whether it begins anywhere on the road.
    frame_rate: actions per second, 10 to 1000 Hz. time_step: longest step of the simulation, s.
    preview, preview_points: how far and how finely the road ahead is seen, m.
    render_mode: "rgb_array" for pictures, or None.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 20}

    def __init__(
        self,
        track: Any,
        vehicle: _Vehicle = None,
        *,
        laps: int = 1,
        max_seconds: Optional[float] = None,
        random_start: bool = True,
        frame_rate: float = 20.0,
        time_step: float = 0.01,
        preview: float = 60.0,
        preview_points: int = 10,
        render_mode: Optional[str] = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise raceline.OptionsError(f'render_mode is {render_mode!r}, but must be "rgb_array" or None')
        fleet = dict(frame_rate=frame_rate, time_step=time_step, preview=preview, preview_points=preview_points)
        self._track = _Track(track, vehicle, 1, laps, max_seconds, random_start, fleet, options)
        self.observation_space = self._track.observation_space
        self.action_space = self._track.action_space
        self.line = self._track.line
        self.metadata = {**self.metadata, "render_fps": round(frame_rate)}
        self.render_mode = render_mode
        length, wheelbase = self._track.fleet.body
        self._camera = Camera(self.line, (length, self._track.fleet.width, wheelbase), preview) if render_mode else None

    def reset(self, *, seed: Optional[int] = None, options: _Options = None) -> Tuple[_Seen, Dict[str, Any]]:
        super().reset(seed=seed)
        self._track.begin(0, self.np_random, options)
        return self._track.fleet.observation(0), self._info()

    def step(self, action: Any) -> Tuple[_Seen, float, bool, bool, Dict[str, Any]]:
        seen, rewards, ended, cut = self._track.step(np.reshape(action, (1, 2)))
        return seen[0], float(rewards[0]), bool(ended[0]), bool(cut[0]), self._info()

    def render(self) -> Any:
        """The picture of the vehicle as it stands, or None without a `render_mode`."""
        if self._camera is None:
            return None
        x, y, heading, _, _, _, steering = self._track.fleet.state(0)
        return self._camera.picture(x, y, heading, steering)

    def _info(self) -> Dict[str, float]:
        return {name: float(values[0]) for name, values in self._track.info().items()}


class TrackVectorEnv(gymnasium.vector.VectorEnv[_Seen, _Seen, NDArray[Any]]):
    """Many vehicles, each alone on the road; keywords as of `TrackEnv`, and `threads`, by default one per core.

    An episode that has ended begins anew at the next step, whose action does not count
    (`gymnasium.vector.AutoresetMode.NEXT_STEP`).
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int,
        track: Any,
        vehicle: _Vehicle = None,
        *,
        laps: int = 1,
        max_seconds: Optional[float] = None,
        random_start: bool = True,
        frame_rate: float = 20.0,
        time_step: float = 0.01,
        preview: float = 60.0,
        preview_points: int = 10,
        threads: int = 0,
        **options: Any,
    ) -> None:
        fleet = dict(frame_rate=frame_rate, time_step=time_step, preview=preview, preview_points=preview_points)
        fleet["threads"] = threads
        self._track = _Track(track, vehicle, num_envs, laps, max_seconds, random_start, fleet, options)
        self.num_envs = num_envs
        self.single_observation_space = self._track.observation_space
        self.single_action_space = self._track.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.line = self._track.line
        self._over = np.zeros(num_envs, dtype=bool)

    def reset(  # type: ignore[override]
        self, *, seed: Optional[int] = None, options: _Options = None
    ) -> Tuple[_Seen, Dict[str, Any]]:
        super().reset(seed=seed)
        options = dict(options or {})
        which = options.pop("reset_mask", np.ones(self.num_envs, dtype=bool))
        for index in np.flatnonzero(which):
            self._track.begin(int(index), self.np_random, options)
            self._over[index] = False
        seen = np.stack([self._track.fleet.observation(index) for index in range(self.num_envs)])
        return seen, self._infos()

    def step(self, actions: Any) -> Tuple[_Seen, NDArray[Any], NDArray[Any], NDArray[Any], Dict[str, Any]]:
        again = np.flatnonzero(self._over)
        seen, rewards, ended, cut = self._track.step(actions)
        for index in again.tolist():
            self._track.begin(index, self.np_random, None)
            seen[index] = self._track.fleet.observation(index)
        rewards[again], ended[again], cut[again] = 0.0, False, False
        self._over = ended | cut
        return seen, rewards, ended, cut, self._infos()

    def _infos(self) -> Dict[str, Any]:
        infos = self._track.info()
        here = np.ones(self.num_envs, dtype=bool)
        return {**infos, **{f"_{name}": here for name in infos}}


class FollowerPolicy:
    """The follower as a policy: `action = policy()` for a `TrackEnv`, rows of them for a `TrackVectorEnv`.

    It reads the vehicles' state, not the observations, and shows what a driver can reach. `options` are those of
    `raceline.Follower`.
    """

    def __init__(self, world: Any, options: Optional[Mapping[str, float]] = None) -> None:
        self._track = world.unwrapped._track
        self._followers = [raceline.Follower(self._track.line, options) for _ in self._track.gained]
        self._single = isinstance(world.unwrapped, TrackEnv)

    def __call__(self, *_: Any) -> _Seen:
        fleet = self._track.fleet
        actions = np.zeros((len(self._followers), 2), dtype=np.float32)
        for index, follower in enumerate(self._followers):
            if self._track.frames[index] == 0:
                follower.reset()
            x, y, heading, forward, leftward, yaw_rate, _ = fleet.state(index)
            command = follower.step(x, y, heading, forward, fleet.frame, lateral_speed=leftward, yaw_rate=yaw_rate)
            # The environment has no reverse gear.
            pedal = 0.0 if command.reverse else command.pedal
            actions[index] = np.clip((command.steering / fleet.max_steering, pedal), -1.0, 1.0)
        return actions[0] if self._single else actions


gymnasium.register(
    id="raceline/Track-v0",
    entry_point="raceline.gym:TrackEnv",
    vector_entry_point="raceline.gym:TrackVectorEnv",
)
