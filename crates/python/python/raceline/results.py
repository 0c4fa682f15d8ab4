"""The types of what the functions return as dictionaries: one entry per key, in SI units.

>>> import raceline
>>> def slowest(line: raceline.Line) -> raceline.results.Corner:
...     return min(raceline.inspect(line)["corners"], key=lambda corner: corner["lowest_speed_mps"])

A class whose name begins with an underscore holds the keys that are always there; a key beside it may be absent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Tuple, TypedDict

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from . import Line, Vehicle

__all__ = [
    "AnytimePath",
    "Balance",
    "Calibration",
    "Candidate",
    "Coaching",
    "Comparison",
    "ComparedPart",
    "ComparedPlace",
    "Corner",
    "CornerBalance",
    "CornerLoss",
    "Crest",
    "Discovery",
    "Drive",
    "Estimate",
    "Extreme",
    "Extremes",
    "Gate",
    "GridPath",
    "Inspection",
    "Lap",
    "Laps",
    "Learned",
    "LimitCurve",
    "LimitPoint",
    "LogColumn",
    "LogNoise",
    "Losses",
    "Margins",
    "NoisyDrives",
    "NoisyLaps",
    "Plan",
    "Relief",
    "Route",
    "Sensitivity",
    "SetUp",
    "SetUpKey",
    "Stint",
    "StintLap",
    "StintResiduals",
    "StintStretch",
    "Stretch",
    "Survival",
    "Trace",
    "TuningSheet",
    "TuningStanding",
    "TuningTrial",
]

_Numbers = NDArray[np.float64]


class _Corner(TypedDict):
    number: int
    direction: Literal["left", "right"]
    entry_s_m: float
    apex_s_m: float
    exit_s_m: float
    apex_m: List[float]
    length_m: float
    angle_rad: float
    min_radius_m: float
    entry_speed_mps: float
    apex_speed_mps: float
    lowest_speed_mps: float
    exit_speed_mps: float
    time_s: float


class Corner(_Corner, total=False):
    """A corner of a line with its number on the road; `apex_m` is its x and y. `last_number` is there where
    several corners of the road are driven as one, and `name` where the track names it."""

    last_number: int
    name: str


class Candidate(TypedDict):
    """A line that was compared in the search."""

    method: str
    lap_time: float
    length: float


class Extreme(TypedDict):
    """A largest or smallest value, with its place; `position_m` is x and y."""

    value: float
    s_m: float
    position_m: List[float]


class Extremes(TypedDict):
    """The extremes of a lap."""

    top_speed_mps: Extreme
    lowest_speed_mps: Extreme
    acceleration_mps2: Extreme
    braking_mps2: Extreme
    lateral_mps2: Extreme
    radius_m: Extreme
    left_m: Extreme
    right_m: Extreme


class Margins(TypedDict):
    """How a line uses the vehicle's margin to the edges."""

    margin_m: float
    least_spare_m: float
    share_at_margin: float


class Stretch(TypedDict):
    """A sector, or a stretch between corners."""

    number: int
    from_s_m: float
    to_s_m: float
    length_m: float
    time_s: float
    top_speed_mps: float
    lowest_speed_mps: float


class Crest(TypedDict):
    """A crest that takes load from the tyres."""

    s_m: float
    position_m: List[float]
    speed_mps: float
    vertical_curvature_radpm: float
    lost_weight_share: float


class Relief(TypedDict):
    """The heights along a line."""

    lowest_m: Extreme
    highest_m: Extreme
    climb_m: float
    steepest_up_rad: Extreme
    steepest_down_rad: Extreme
    banking_rad: Extreme
    crests: List[Crest]


class _CornerBalance(TypedDict):
    number: int
    tendency: Literal["understeer", "neutral", "oversteer"]
    slip_difference: float
    front_use: float
    rear_use: float


class CornerBalance(_CornerBalance, total=False):
    """A car's balance in a corner; `last_number` as of a `Corner`."""

    last_number: int


class Balance(TypedDict):
    """A car's balance on a lap."""

    front_use: float
    rear_use: float
    share_at_limit: float
    drive_energy_j: float
    brake_energy_j: float
    corners: List[CornerBalance]


class _Sensitivity(TypedDict):
    key: str
    value: float
    unit: str
    effect: Literal["lap-time", "road"]


class Sensitivity(_Sensitivity, total=False):
    """What a number of the vehicle is worth in lap time; without `s_per_unit` where it changes the road."""

    s_per_unit: float
    s_per_percent: float


class _Inspection(TypedDict):
    name: str
    closed: bool
    method: str
    vehicle: str
    length_m: float
    lap_time_s: float
    corner_curvature_radpm: float
    corners: List[Corner]
    straights: List[Stretch]
    sectors: List[Stretch]
    extremes: Extremes
    margins: Margins


class Inspection(_Inspection, total=False):
    """What `raceline.inspect` returns; `relief` for a road with heights, `balance` for a line of a car."""

    relief: Relief
    balance: Balance
    sensitivities: List[Sensitivity]


class ComparedPlace(TypedDict):
    """Another line beside a point of the reference."""

    s_m: float
    other_s_m: float
    offset_m: float
    speed_difference_mps: float
    time_difference_s: float


class _ComparedPart(TypedDict):
    number: int
    from_s_m: float
    to_s_m: float
    reference_s: float
    difference_s: float
    offset_m: float
    reference_lowest_mps: float
    other_lowest_mps: float


class ComparedPart(_ComparedPart, total=False):
    """A corner, a stretch or a sector of both lines; a corner has a direction."""

    last_number: int
    direction: Literal["left", "right"]


class Comparison(TypedDict):
    """What `raceline.compare` returns; differences are the line's less the reference's."""

    lap_difference_s: float
    length_difference_m: float
    along: List[ComparedPlace]
    corners: List[ComparedPart]
    straights: List[ComparedPart]
    sectors: List[ComparedPart]


class Trace(TypedDict):
    """A drive, one entry per frame; `lap` is 0 before the timed laps."""

    time_s: _Numbers
    s_m: _Numbers
    x_m: _Numbers
    y_m: _Numbers
    heading_rad: _Numbers
    forward_mps: _Numbers
    leftward_mps: _Numbers
    yaw_rate_radps: _Numbers
    steering_rad: _Numbers
    pedal: _Numbers
    wanted_steering_rad: _Numbers
    target_speed_mps: _Numbers
    profile_speed_mps: _Numbers
    cross_track_error_m: _Numbers
    room_m: _Numbers
    lap: NDArray[np.uint32]
    state: List[str]


class Learned(TypedDict):
    """Speeds that a follower has learned: what `learned` of `raceline.drive` takes."""

    length_m: float
    points: int
    laps: int
    best_lap_s: Optional[float]
    factors: List[float]


class _Drive(TypedDict):
    lap_times_s: List[float]
    speed_fraction: float
    clean: bool
    complete: bool
    stuck_events: int
    placements: int
    profile_lap_time_s: float
    cross_track_mean_m: float
    cross_track_95_m: float
    cross_track_worst_m: float
    cross_track_worst_at_m: float
    inside_fraction: float
    min_room_m: float
    min_room_at_m: float
    learned: Optional[Learned]
    trace: Trace


class Drive(_Drive, total=False):
    """What `raceline.drive` returns; the other keys are there with obstacles or traffic."""

    obstacle_contacts: int
    vehicle_contacts: int
    overtakes: int
    overtaken: int
    min_gap_m: Optional[float]


class NoisyLaps(TypedDict):
    """The timed laps of drives with noise, one entry per lap: the number of its drive, the factor of the grip and the
    delay that were drawn, whether the body stayed on the road, the lap time (NaN where the lap was not completed), and
    the smallest distance from an edge, negative off the road, with its place."""

    drive: NDArray[np.uint32]
    grip: _Numbers
    delay_s: _Numbers
    on_road: NDArray[np.bool_]
    lap_time_s: _Numbers
    min_room_m: _Numbers
    min_room_at_m: _Numbers


class NoisyDrives(TypedDict):
    """What `raceline.drive` returns with noise; `on_road_range` holds the probability with 95 %."""

    drives: int
    laps: int
    laps_on_road: int
    on_road_fraction: float
    on_road_range: Tuple[float, float]
    mean_lap_time_s: Optional[float]
    profile_lap_time_s: float
    min_room_m: Optional[float]
    min_room_at_m: Optional[float]
    each_lap: NoisyLaps


class Survival(TypedDict):
    """How surely a line with a confidence stays on the road: the probabilities in a lap, asked for and predicted, the
    fraction of the grip that it uses, the largest room to an edge beside the vehicle's margin, and the lap time and the
    probability of the line without noise."""

    confidence: float
    predicted: float
    grip_fraction: float
    max_edge_margin_m: float
    free_lap_time_s: float
    free_predicted: float


class Estimate(TypedDict):
    """A number that was fitted; without samples it is the base's."""

    value: float
    standard_error: Optional[float]
    samples: int


class LimitPoint(TypedDict):
    """A limit at a speed, and where it comes from."""

    speed_mps: float
    limit_mps2: float
    standard_error_mps2: Optional[float]
    samples: int
    origin: str


class LimitCurve(TypedDict):
    """A limit over the speed; `reached_mps` are the speeds between which it was reached."""

    points: List[LimitPoint]
    reached_mps: Optional[List[float]]


class DrivenRound(TypedDict):
    """How a line was driven: `lines` is 0 without a complete lap."""

    lines: int
    predicted_s: float
    driven_s: float


class _Calibration(TypedDict):
    vehicle: Vehicle
    samples: int
    seconds: float
    fastest_mps: float
    noise_mps2: List[float]
    pedal_lag_s: Optional[float]
    drag_kgpm: Estimate
    rolling_resistance: Estimate
    resistance: Literal["coasting", "pedals", "base"]
    downforce_kgpm: Estimate
    downforce_by_loads_kgpm: Optional[Estimate]
    mass_by_loads_kg: Optional[Estimate]
    ellipse_exponent: Estimate
    braking: LimitCurve
    lateral: LimitCurve
    drive: LimitCurve
    driving: Optional[LimitCurve]
    notes: List[str]


class Calibration(_Calibration, total=False):
    """What `raceline.calibrate` returns; the last three with `lines`."""

    rounds: List[DrivenRound]
    best_round: Optional[int]
    settled: bool


class _CornerLoss(TypedDict):
    number: int
    direction: Literal["left", "right"]
    from_s_m: float
    apex_s_m: float
    to_s_m: float
    loss_s: float
    braking_s: float
    apex_speed_s: float
    line_s: float
    throttle_s: float
    reference_lowest_mps: float
    driven_lowest_mps: float
    offset_m: float


class CornerLoss(_CornerLoss, total=False):
    """The time lost in a corner, by its causes; `brakes_earlier_m` where both laps brake."""

    last_number: int
    name: str
    brakes_earlier_m: float
    cause: Literal["braking", "apex_speed", "line", "throttle"]


class Losses(TypedDict):
    """The time lost to the ideal lap."""

    total_s: float
    corners: List[CornerLoss]


class Coaching(TypedDict):
    """What `raceline.coach` returns: the ideal lap, the driven one, and what lies between them."""

    line: Line
    driven: Line
    losses: Losses
    vehicle: Vehicle
    notes: List[str]


class Plan(TypedDict):
    """What `raceline.plan` returns: a path through free space."""

    planner: str
    x: _Numbers
    y: _Numbers
    cost: float
    length_m: float
    estimated_time_s: float
    nodes_expanded: int


class Discovery(TypedDict):
    """What `raceline.discover` returns: a path driven through a map that was seen on the way."""

    x: _Numbers
    y: _Numbers
    length_m: float
    known_length_m: float
    estimated_time_s: float
    replans: int
    nodes_expanded: int
    a_star_expanded: Optional[int]
    a_star_if_blocked_expanded: Optional[int]


class TileRace(TypedDict):
    """What `raceline.tile_race` returns: a race over road tiles that were seen within a radius."""

    x: _Numbers
    y: _Numbers
    length_m: float
    estimated_time_s: float
    tiles: int
    turns: int
    nodes_expanded: int
    known_tiles: int
    known_turns: int
    known_nodes_expanded: int
    d_star_lite_tiles: Optional[int]
    d_star_lite_turns: Optional[int]
    d_star_lite_nodes_expanded: Optional[int]


class GridPath(TypedDict):
    """What `raceline.GridPlanner.path` returns: a path on a grid, its cells as rows (row, column)."""

    cells: NDArray[np.int64]
    cost: float
    expanded: int


class AnytimePath(GridPath):
    """What `raceline.AnytimeSearch` publishes: a path on a grid with the factor that it keeps."""

    factor: float


class Route(TypedDict):
    """What `raceline.route` returns: a route through streets."""

    route: Literal["shortest", "fastest", "exhaustive"]
    x: _Numbers
    y: _Numbers
    closed: bool
    length_m: float
    estimated_time_s: float
    turns: int
    straights: int
    pieces: int
    score_s: float


class LogColumn(TypedDict):
    """A column of a log that was read."""

    quantity: str
    name: str
    unit: str


class LogNoise(TypedDict):
    """The noise of a log."""

    position_m: float
    speed_mps: float
    heading_rad: float
    jerk: float
    wander: float
    lag_s: float


class Gate(TypedDict):
    """A line across the road: its middle, the heading of travel and half of its width."""

    position_m: List[float]
    heading_rad: float
    half_width_m: float


class Lap(TypedDict):
    """A lap of a log; a lap through the pit lane is not whole."""

    number: int
    start_s: float
    time_s: float
    length_m: float
    sectors_s: List[float]
    top_speed_mps: float
    lowest_speed_mps: float
    is_whole: bool


class _Laps(TypedDict):
    file: str
    kind: str
    rows: int
    frame: Optional[Literal["degrees", "metres"]]
    columns: List[LogColumn]
    unused: List[str]
    step_s: float
    noise: LogNoise
    notes: List[str]
    details: List[Any]
    geographic_origin_deg: Optional[List[float]]
    sector_ends: List[Gate]
    start: Gate
    laps: List[Lap]
    best: int
    best_sectors_s: List[float]
    best_sector_laps: List[int]
    ideal_lap_s: Optional[float]


class Laps(_Laps, total=False):
    """What `raceline.laps` returns; `driven` is the session as a table where it was asked for."""

    driven: str


class SetUpKey(TypedDict):
    """A number of the vehicle that was free: its own value, the fastest one, and whether that is at an end of its range."""

    own: Optional[float]
    best: float
    range: Tuple[float, float]
    at_end: bool


class SetUp(TypedDict):
    """What `raceline.setup` returns: the vehicle with the fastest set-up, and its line beside that of the vehicle as given."""

    gain_s: float
    keys: Dict[str, SetUpKey]
    laps: int
    settled: bool
    line: Line
    base: Line
    vehicle: Vehicle


class StintLap(TypedDict):
    """A lap of a stint: its time, the car at its start, what it uses (J) and the prices of that (s/J)."""

    lap: int
    time_s: float
    fuel_kg: float
    wear: float
    temperature_c: Optional[float]
    charge_j: float
    grip: float
    engine_j: float
    deployed_j: float
    recuperated_j: float
    friction_j: float
    engine_spj: float
    deployed_spj: float
    recuperated_spj: float
    friction_spj: float
    searched: bool


class StintStretch(TypedDict):
    """A stretch of a line on which the car lifts, or drives without the motor."""

    saving: Literal["lift", "engine-alone"]
    from_m: float
    to_m: float


class StintResiduals(TypedDict):
    """How well the laps of a stint agree with their prices."""

    value_s: float
    use_fraction: float
    price_fraction: float
    budget_fraction: float


class Stint(TypedDict):
    """What `raceline.stint` returns: the laps, and the line of lap `shown_lap`."""

    time_s: float
    length_m: float
    end_fuel_kg: float
    end_wear: float
    end_charge_j: float
    fuel_spkg: float
    laps: List[StintLap]
    shown_lap: int
    stretches: List[StintStretch]
    residuals: StintResiduals
    searched: int
    line: Line


class TuningTrial(TypedDict):
    """A trial of a `raceline.Tuner`."""

    trial: int
    values: Dict[str, float]
    score: Optional[float]
    failed: bool


class TuningStanding(TypedDict):
    """A point that a `raceline.Tuner` tried: its mean score of `count`, and the score that its model expects."""

    trial: int
    values: Dict[str, float]
    score: float
    count: int
    estimate: Optional[float]
    deviation: Optional[float]


class TuningSheet(TypedDict):
    """What `raceline.Tuner.sheet` returns."""

    trials: int
    failed: int
    open: int
    standings: List[TuningStanding]
    noise: Optional[float]
    importances: Dict[str, float]


# What `raceline.sweep` returns: arrays by the varied keys, "lap_time_s", "length_m", "top_speed_mps", "lowest_speed_mps"
# and "gain_s", and the list "message". A dictionary with keys that the caller names has no narrower type.
Sweep = Dict[str, Any]
