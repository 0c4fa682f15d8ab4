"""The options of a run as keyword arguments with types.

Generated from the code, as docs/reference/options.md is: `RACELINE_BLESS=1 cargo test --test suite
reference::` writes it anew.
"""

from os import PathLike
from typing import Literal, Optional, Sequence, TypedDict, Union

# A position (x, y) in metres.
Position = Sequence[float]
# A position in metres, or text: "120,80px" in pixels or "11.71,44.34deg" in degrees.
Spot = Union[Sequence[float], str]
# The path of a file.
File = Union[str, "PathLike[str]"]

# The methods that search a line.
Method = Literal["shortest-path", "min-curvature", "iterated-min-curvature", "blend", "time-optimal", "relaxation", "sampled"]

OneWay = TypedDict("OneWay", {"from": Sequence[float], "to": Sequence[float]})


class BankingPoint(TypedDict):
    """A point of a profile of banking."""

    banking_rad: float
    """Angle of the road across the direction of travel, radians: positive where the left edge is
    higher."""
    s_m: float
    """Distance along the centre line from the start line, metres."""


class CornerName(TypedDict):
    """The name of a corner."""

    at: Spot
    """A place in the corner, metres or pixels as `start`."""
    name: str
    """The name, 1 to 60 characters."""


class _EdgeStretch(TypedDict):
    from_m: float
    """Beginning: distance along the centre line from the start line, metres."""
    kind: Literal["line", "kerb", "wall"]
    """What they are made of. Where stretches overlap, the last one counts."""
    to_m: float
    """End, likewise; on a closed track, an end before the beginning leads over the start line."""


class EdgeStretch(_EdgeStretch, total=False):
    """A stretch of road with a kind of edge."""

    side: Optional[Literal["left", "right", "both"]]
    """The edges that it is about, seen in the direction of travel. Default: both."""


class _EdgeMargin(TypedDict):
    s_m: float
    """Distance along the centre line from the start line, metres."""


class EdgeMargin(_EdgeMargin, total=False):
    """Room that lines keep to both edges at a place of the road, beside their margin: for a driver or
    a robot that strays from the line. Between two places it is a cubic spline, never below 0; a
    closed road's last place leads to the first."""

    left_m: Optional[float]
    """Room to the left edge, metres, 0 to 1000."""
    right_m: Optional[float]
    """Room to the right edge, metres, 0 to 1000."""


class _EdgeCorrection(TypedDict):
    at: Spot
    """The place, metres or pixels as `start`, at most twice the road's mean width from the edge."""


class EdgeCorrection(_EdgeCorrection, total=False):
    """A place that an edge of the road passes through, where it was read wrongly. The road may become
    wider or narrower by it."""

    length_m: Optional[float]
    """Distance along the edge, to either side, from which on it is as it was read, metres. Between two
    places on one edge that are nearer to one another than the longer of their lengths, the edge is
    a smooth curve. Default: twice the road's mean width."""
    side: Optional[Literal["left", "right"]]
    """The edge, seen in the direction of travel: `left` or `right`. Default: the nearer one."""


class ElevationPoint(TypedDict):
    """A point of an elevation profile."""

    s_m: float
    """Distance along the centre line from the start line, metres."""
    z_m: float
    """Height of the centre line, metres."""


class _GripStretch(TypedDict):
    factor: float
    """Factor on both tyre limits, 0.05 to 3: about 0.7 for wet asphalt, 0.3 for snow. Where stretches
    overlap, their factors are multiplied."""
    from_m: float
    """Beginning: distance along the centre line from the start line, metres."""
    to_m: float
    """End, likewise; on a closed track, an end before the beginning leads over the start line."""


class GripStretch(_GripStretch, total=False):
    """A stretch of road with its own grip."""

    ramp_m: Optional[float]
    """Length over which the grip changes, inside the stretch at either end, metres; 0 is a step.
    Default: 5."""


class _GripStrip(TypedDict):
    factor: float
    """Factor on both tyre limits, 0.05 to 3. Where parts overlap, their factors are multiplied."""
    from_m: float
    """Beginning: distance along the centre line from the start line, metres."""
    side: Literal["left", "right", "both"]
    """The edge that it is measured from, seen in the direction of travel: `left`, `right` or `both`."""
    to_m: float
    """End, likewise; on a closed track, an end before the beginning leads over the start line."""
    width_m: float
    """Width of the strip from that edge along the cross-section, metres, 0.01 to 1000."""


class GripStrip(_GripStrip, total=False):
    """A strip along an edge with its own grip, such as a wet kerb."""

    border_m: Optional[float]
    """Width over which the grip changes, inside the strip, metres, 0.1 to 100. Default: 0.5."""
    ramp_m: Optional[float]
    """Length over which the grip changes, inside the strip at either end, metres; 0 is a step.
    Default: 5."""


class _GripPolygon(TypedDict):
    factor: float
    """Factor on both tyre limits, 0.05 to 3. Where parts overlap, their factors are multiplied."""
    polygon: Sequence[Spot]
    """Three vertices or more, metres or pixels as `start`."""


class GripPolygon(_GripPolygon, total=False):
    """A polygon with its own grip, such as oil."""

    border_m: Optional[float]
    """Width over which the grip changes, inside the polygon, metres, 0.1 to 100. Default: 0.5."""


class StretchNoGo(TypedDict):
    """A strip of the road along one edge, such as a kerb."""

    from_m: float
    """Beginning: distance along the centre line from the start line, metres."""
    side: Literal["left", "right", "both"]
    """The edge that it is measured from, seen in the direction of travel: `left`, `right` or `both`."""
    to_m: float
    """End, likewise; on a closed track, an end before the beginning leads over the start line."""
    width_m: float
    """Width of the strip from that edge, metres, 0.01 to 1000."""


class _PolygonNoGo(TypedDict):
    polygon: Sequence[Spot]
    """Three vertices or more, metres or pixels as `start`."""


class PolygonNoGo(_PolygonNoGo, total=False):
    """A polygon on the road."""

    side: Optional[Literal["left", "right"]]
    """The side on which the line passes it, seen in the direction of travel. Default: the one with
    room; where both have room, it is searched."""


class _CircleObstacle(TypedDict):
    at: Spot
    """Centre, metres or pixels as `start`."""
    radius_m: float
    """Radius, metres, above 0."""


class CircleObstacle(_CircleObstacle, total=False):
    """A disc that stands on the road."""

    side: Optional[Literal["left", "right"]]
    """The side on which the line passes it, seen in the direction of travel. Default: searched."""


class _PolygonObstacle(TypedDict):
    points: Sequence[Spot]
    """Vertices, metres or pixels as `start`; two are a wall."""


class PolygonObstacle(_PolygonObstacle, total=False):
    """A polygon that stands on the road."""

    side: Optional[Literal["left", "right"]]
    """The side on which the line passes it, seen in the direction of travel. Default: searched."""


class _PickUp(TypedDict):
    at: Spot
    """The place, metres or pixels as `start`."""
    radius_m: float
    """A line within this distance has it, metres, above 0."""
    worth_s: float
    """Worth of the pick-up, seconds, at least 0."""


class PickUp(_PickUp, total=False):
    """A place that is worth time to a line that passes near it."""

    take: Optional[bool]
    """Whether the line takes it. Default: searched."""


class _Pin(TypedDict):
    at: Spot
    """The place, metres or pixels as `start`."""


class Pin(_Pin, total=False):
    """A place that the line passes within a tolerance."""

    tolerance_m: Optional[float]
    """Largest distance of the line from it, metres, 0.01 to 1000. Default: 0.1."""


class SpeedCap(TypedDict):
    """A stretch of road with a maximum speed."""

    from_m: float
    """Beginning: distance along the centre line from the start line, metres."""
    max_speed_mps: float
    """Largest speed on the stretch, metres per second, 1 to 1000. Where stretches overlap, the lowest
    counts."""
    to_m: float
    """End, likewise; on a closed track, an end before the beginning leads over the start line."""


class Noise(TypedDict, total=False):
    """Errors of a driver's or a robot's knowledge, of which each drive draws its own."""

    correlation_s: Optional[float]
    """Time over which the errors of position and heading fade, s, 0 to 1000: after it, the correlation
    of one with its later value is 1/e. Default: 0, each frame has an error of its own."""
    delay_s: Optional[float]
    """Largest delay from a command to its effect beside the known one, s, 0 to 0.5: each drive has one
    from 0 to this, all alike probable. Default: 0."""
    grip_fraction: Optional[float]
    """Largest change of the tyres' grip, as a fraction, 0 to 0.5: each drive has a factor from 1 less
    this to 1 more this, all alike probable. Default: 0."""
    heading_rad: Optional[float]
    """Standard deviation of the error of the measured heading, rad, 0 to 0.5. Default: 0. The measured
    direction of motion has the same error."""
    position_m: Optional[float]
    """Standard deviation of the error of the measured position, along each axis, m, 0 to 10. Default:
    0."""
    side_correlation_s: Optional[float]
    """Time over which that acceleration fades, s, 0 to 1000, as `correlation_s`. Default: 1."""
    side_mps2: Optional[float]
    """Standard deviation of an acceleration of the body to its side, as by gusts of wind or a wavy
    road, m/s², 0 to 10. Default: 0. A wind of v m/s that blows on A m² of the side of a body of m
    kg gives about 0.6 A v² / m."""


class RoadOptions(TypedDict, total=False):
    """The options of `generate`, which has a seed of its own."""

    metres_per_pixel: Optional[float]
    """Side of a pixel, metres."""
    origin_m: Optional[Position]
    """World position of the picture's bottom-left corner, metres. Default: (0, 0)."""
    track_length_m: Optional[float]
    """Length of the centre line, metres."""
    track_width_m: Optional[float]
    """Mean width of the road, metres. Together with track_length_m, the picture is a schematic map:
    the length gives the scale, and the road has this width about the drawn line."""
    max_megapixels: Optional[int]
    """Largest picture that is decoded, in million pixels. Default: 400."""
    partial: Optional[bool]
    """Whether a line for a part of the drawn road is accepted; otherwise it must cover at least 0.98
    of it. Default: false."""
    road: Optional[Literal["auto", "light", "dark", "outline", "aerial"]]
    """The style in which the picture shows its road. Default: auto."""
    road_at: Optional[Spot]
    """A point on the road, x,y in metres of the world frame, or x,ypx in pixels from the picture's
    top-left corner. Default: detected."""
    road_colour: Optional[str]
    """The road's colour, #rrggbb. Default: detected."""
    threshold: Optional[int]
    """Grey level above which a pixel is light, 0 to 254. Default: detected."""
    tolerance: Optional[float]
    """Largest deviation of a colour from road_colour, 1 to 255 levels per channel. Default: 40."""
    shape: Optional[Literal["auto", "closed", "open"]]
    """Whether the road leads back to its start. Default: auto."""
    via: Optional[Sequence[Spot]]
    """Points that the route must pass, for roads that fork: each as road_at. Default: none."""
    from_: Optional[Spot]
    """Start of a path through free space, as road_at. With it, a map or picture is no road but free
    space, in which a path is planned. Default: none."""
    from_heading_deg: Optional[float]
    """Heading of the vehicle at from, degrees counter-clockwise from the x axis. The path is then
    searched with hybrid A*. Default: any."""
    heuristic: Optional[Literal["octile", "euclidean", "chebyshev", "manhattan"]]
    """Estimate of the cost to the goal of a-star and weighted-a-star. Default: octile."""
    planner: Optional[Literal["voronoi", "a-star", "weighted-a-star", "dijkstra", "ida-star", "cells", "navigation-mesh", "quadtree", "potential-field", "prm", "gaussian-prm", "visibility-prm", "rrt", "rrt-star", "hybrid-a-star"]]
    """The search of a path through free space. Default: voronoi."""
    planner_weight: Optional[float]
    """Factor on the heuristic of weighted-a-star: the path costs at most this many times the minimum
    cost, with the heuristic manhattan 1.42 times as much. Default: 1.5."""
    potential_escape: Optional[Literal["fill", "random-walk", "backward-chaining", "roadmap"]]
    """How potential-field leaves a local minimum. Default: fill."""
    to: Optional[Spot]
    """End of a path through free space, as road_at. Default: none; a closed path needs none."""
    to_heading_deg: Optional[float]
    """Heading of the vehicle at to, degrees counter-clockwise from the x axis. The path is then
    searched with hybrid A*. Default: any."""
    depth: Optional[int]
    """Maximum number of pieces of street of an exhaustive route, or of tiles that a race looks ahead,
    1 to 24. Default: 11."""
    one_way: Optional[Sequence[OneWay]]
    """Streets of one direction, each with from and to, two places along it in metres; in a TOML
    [[one_way]]. It applies from junction to junction. Default: none but those of the source."""
    pick_up_weight: Optional[float]
    """Factor on the worth of pick-ups beside the path in the score of exhaustive routes. Default: 1."""
    route: Optional[Literal["shortest", "fastest", "exhaustive"]]
    """What the route through streets minimises. A picture with it is a network of streets, in place of
    free space. Default: fastest."""
    straight_weight_s: Optional[float]
    """Worth of each junction that is passed straight on in the score of exhaustive routes, s. Default:
    0."""
    street_width_m: Optional[float]
    """Width of streets whose source has none, metres. Default: 6."""
    time_weight: Optional[float]
    """Weight of the estimated time in the score of exhaustive routes; in a TOML under [route_weights],
    as the next three. Default: 1."""
    turn_weight_s: Optional[float]
    """Cost of each turn at a junction in the score of exhaustive routes, s. Default: 0."""
    via_order: Optional[Literal["given", "any"]]
    """The order of the vias of a route through streets. Default: given."""
    direction: Optional[Literal["clockwise", "counterclockwise"]]
    """The direction of travel on a closed road, at its easternmost point. Default: that of a track
    file's points, clockwise for a picture."""
    spacing_m: Optional[float]
    """Distance between cross-sections along the centre line on straights, metres; smaller in bends. At
    most a quarter of the road's mean width, at least 1/125 of it; less than a sixth of it as long
    as the road then has at most 20 000. Default: a sixth of the road's mean width, at most half the
    vehicle's length."""
    start: Optional[Spot]
    """A point near the start line, as road_at; the lap starts at the nearest cross-section, an open
    road at its nearer end. Default: the middle of the longest straight, an open road's western end."""
    part: Optional[str]
    """The part of a file with several that is the road, by name or number: a road or relation of
    OpenStreetMap, a road of OpenDRIVE, a lanelet, a material or object of a mesh, a line of
    GeoJSON, KML or GPX, or two of them as inner + outer, the edges. Default: the only one."""
    smoothing_m: Optional[float]
    """Smoothing of the lines of a track file (CSV, GeoJSON, KML, GPX, SVG): standard deviation of a
    Gaussian along them, metres. Default: 0 for clean lines, as much as required for noisy ones."""
    kerb_overhang_m: Optional[float]
    """How far the vehicle's side may be over a kerb, beyond the edge of the road, metres. Default:
    0.3."""
    wall_clearance_m: Optional[float]
    """Distance between the vehicle's side and a wall, metres; at least its safety distance. Default:
    0.7."""
    height_smoothing_m: Optional[float]
    """Smoothing of heights and banking: standard deviation of a Gaussian along the road, metres.
    Default: 3, about the wheelbase of a car."""
    banking_share: Optional[float]
    """Fraction of the load that banking adds in a bend which counts as such; the rest counts as a dip.
    Simulations with flat wheel forces, as TORCS's, add less than the road does. Default: 1."""
    crest_reserve: Optional[float]
    """Reserve on crests: their vertical curvature counts 1 plus this times, since a suspension unloads
    its tyres more than the road alone does. Default: the vehicle's, else 0.2."""
    dip_share: Optional[float]
    """Fraction of a dip's vertical curvature that adds load to the tyres. A suspension follows a dip
    late, so that what it adds cannot be relied on. What banking adds in a bend counts by
    banking_share. Default: 0."""
    least_load: Optional[float]
    """Smallest load of the tyres, as a fraction of that on a level road at the same speed; it bounds
    the speed on crests, on straights too. Default: 0.15."""
    end_offset_m: Optional[float]
    """Where the line ends on an open road, likewise. Default: free."""
    energy_j: Optional[float]
    """Energy that a lap of objective = "energy" may take, J: work of the drive at the tyres, less what
    recuperation returns. Default: not limited."""
    energy_price_spj: Optional[float]
    """What a joule counts instead, in seconds of the lap. Default: nothing."""
    formulation: Optional[Literal["true-spacing", "classic"]]
    """Formulation of the quadratic programs. Default: true-spacing."""
    generations: Optional[int]
    """Maximum number of generations. Default: 40."""
    joint_widths: Optional[float]
    """Length over which the mixture changes at a joint, in mean widths of the road. Default: 3."""
    longitudinal_reserve: Optional[float]
    """Fraction of each axle's longitudinal limit that the lap of model = "car" leaves to the driver,
    for roads and cars that differ from their description. Default: the vehicle's, else 0.05."""
    min_segment_widths: Optional[float]
    """A crossing of the two parent lines that follows the previous one by less than this many mean
    widths of the road is merged with it. Default: 3."""
    model: Optional[Literal["point-mass", "car"]]
    """Model of the vehicle on the time-optimal line; other methods have a point mass. The points of a
    car have steering_rad. Default: car for a vehicle with a wheelbase of 1.5 m or more and the keys
    of its axles (front_weight_fraction, centre_of_gravity_m, yaw_inertia_kgm2 and
    front_brake_fraction), if its lap is found, else, and with turning = "free", point-mass."""
    objective: Optional[Literal["time", "energy"]]
    """What the lap of model = "car" minimises. Default: time."""
    pick_up_search: Optional[Literal["exact", "heavy-points"]]
    """How it is decided which pick-ups of [[pick_up]] the line takes. Default: heavy-points with
    method = "relaxation", else exact."""
    population: Optional[int]
    """Individuals per generation. Default: 48."""
    qp_solver: Optional[Literal["osqp", "interior-point"]]
    """Solver of the quadratic programs. Default: osqp for the methods whose line is their solution,
    interior-point for those that start from it and in a build without the feature osqp."""
    rear_reserve: Optional[float]
    """Likewise of the rear axle's lateral limit, for stability. Default: the vehicle's, else 0."""
    recuperation: Optional[float]
    """Fraction of the brakes' work that returns, with objective = "energy". Default: 0."""
    relaxation: Optional[Literal["curvature-interpolation", "springs-and-hinges"]]
    """What moves the points of method = "relaxation". Default: curvature-interpolation."""
    relaxation_sweeps: Optional[int]
    """Sweeps of a relaxation over all points; coarser levels have more. Default: 100."""
    sampled_lines: Optional[int]
    """Lines that method = "sampled" draws at each place, about three widths of the road apart.
    Default: 10 000."""
    search: Optional[Literal["ga", "cmaes"]]
    """Search method of the blend. Default: ga."""
    spring_tension: Optional[float]
    """Tension of the springs of relaxation = "springs-and-hinges" against its hinges, over the square
    of the road's mean width: 0 is a minimum-curvature line, large numbers are a shortest path.
    Default: 0.002."""
    start_offset_m: Optional[float]
    """Where the line begins on an open road: metres to the left of the centre line, negative to the
    right. Default: free."""
    banking: Optional[Sequence[BankingPoint]]
    """Banking of the road, in place of the source's, each with s_m and banking_rad, positive where the
    left edge is higher; in a TOML [[banking]]. Default: the source's banking."""
    corner: Optional[Sequence[CornerName]]
    """Names of corners, each with at, a place in the corner, and name; in a TOML [[corner]]. Tables,
    pictures and the page show them. Default: none."""
    edge: Optional[Sequence[EdgeStretch]]
    """Kinds of edges on stretches of road, in place of the source's, each with from_m, to_m, kind
    (line, kerb or wall) and optionally side (left, right or both); in a TOML [[edge]]. Default: the
    source's kinds, else lines."""
    edge_margin: Optional[Sequence[EdgeMargin]]
    """Room that the line keeps to the edges beside the vehicle's margin, each with s_m along the
    centre line, left_m and right_m, with a spline between the places; in a TOML [[edge_margin]].
    Default: none."""
    edge_point: Optional[Sequence[EdgeCorrection]]
    """Places that an edge passes through, where it was read wrongly, each with at and optionally side
    (left or right) and length_m, over which the correction fades out along the edge; in a TOML
    [[edge_point]]. Default: none."""
    elevation: Optional[Sequence[ElevationPoint]]
    """Heights of the centre line, in place of the source's, each with s_m and z_m; in a TOML
    [[elevation]]. Default: the source's heights, else a level road."""
    end_speed_mps: Optional[Union[float, Literal["free"]]]
    """Highest speed at the end of an open road, m/s, or free. Default: free."""
    grip: Optional[Sequence[Union[GripStretch, GripStrip, GripPolygon]]]
    """Stretches of road with a different grip, each with from_m, to_m and factor, or parts of its
    width: with side (left, right or both) and width_m from that edge, or with polygon = [[x, y],
    …]; in a TOML [[grip]]. Default: none."""
    grip_fraction: Optional[float]
    """Fraction of the tyres' limits across and along that the line may use; the file's vehicle has
    these lower limits. For a vehicle that is driven less exactly than it is simulated. Default: 1."""
    initial_line: Optional[File]
    """A line that exists, from which the search for the time-optimal line starts: a racing-line file,
    a CSV with x_m and y_m, or another file with one line; in a sidecar the path is relative to the
    sidecar. A line's file has its name without its folder. Default: none."""
    like: Optional[File]
    """A reference line whose start and direction the lap takes: a racing-line file, or a CSV with x_m
    and y_m; in a sidecar the path is relative to the sidecar. start and direction override it.
    Default: none."""
    no_go: Optional[Sequence[Union[StretchNoGo, PolygonNoGo]]]
    """Regions that the vehicle keeps out of, each with from_m, to_m, side (left, right or both) and
    width_m from that edge, or with polygon = [[x, y], …]; in a TOML [[no_go]]. A line's file
    contains the side that was searched, as side. Default: none."""
    obstacle: Optional[Sequence[Union[CircleObstacle, PolygonObstacle]]]
    """What stands on the road, each with at and radius_m, or with points, and optionally the side
    (left or right) on which the line passes; in a TOML [[obstacle]]. A line's file has the sides
    that were searched. Default: none."""
    pick_up: Optional[Sequence[PickUp]]
    """Places that are worth time to a line that comes by, each with at, radius_m, worth_s and
    optionally take (true or false); in a TOML [[pick_up]]. A line's file states which were taken.
    Default: none."""
    pin: Optional[Sequence[Pin]]
    """Places that the line passes, each with at and optionally tolerance_m; in a TOML [[pin]].
    Default: none."""
    point_spacing_m: Optional[float]
    """Distance between the points of the line on straights, metres; smaller in bends. At most the
    road's mean width; the smallest follows from that width and the rounding of positions. It does
    not change the line. Default: a quarter of the road's mean width, at most three quarters of the
    vehicle's length."""
    safety_distance_m: Optional[float]
    """Overrides the vehicle's distance between its side and the edge of the road, metres. Default: the
    vehicle's."""
    sectors_m: Optional[Sequence[float]]
    """Ends of the sectors of a report, metres from the start line, ascending. Default: thirds of the
    lap."""
    speed_cap: Optional[Sequence[SpeedCap]]
    """Stretches of road with a maximum speed, each with from_m, to_m and max_speed_mps; in a TOML
    [[speed_cap]]. Default: none."""
    start_speed_mps: Optional[Union[float, Literal["free"]]]
    """Speed at the start of an open road, m/s, or free: as fast as the road ahead allows. Default: 0,
    a standing start."""
    turning: Optional[Literal["by-vehicle", "free"]]
    """What turning the body costs. Default: by-vehicle."""
    allow_outside: bool
    """Whether files of the run may name files outside their folders. Default: false."""


class ArrayOptions(RoadOptions, total=False):
    """The options of a track of arrays, whose edges are arguments."""

    seed: Optional[int]
    """Seed of the random numbers of the search. Default: 1."""


class Options(ArrayOptions, total=False):
    """Every key of a sidecar, except `vehicle` and `method`; None is one that is not given."""

    right: Optional[File]
    """A file with the right edge of the road, where the input has the left one alone: CSV, GeoJSON,
    KML or GPX, in metres or in degrees as the input is; in a sidecar the path is relative to the
    sidecar. Default: none."""
