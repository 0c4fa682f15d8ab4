//! The vehicle's nearest point on the path.
//!
//! The globally nearest point is not sufficient: where two legs run side by side, or the path
//! crosses itself, the vehicle's position on the path must advance steadily. The search is
//! therefore limited to a window of arc length around the last position. The window is slightly
//! longer than the vehicle's movement, plus four times the vehicle's distance from the path ahead,
//! for a vehicle that cuts a corner. A position outside the inner part of the window is accepted
//! only if it is nearer and the path there has the vehicle's direction.
//!
//! The whole path is searched, in a tree of boxes built with the path, at the start, after the game
//! moved the vehicle or changed the path, and if the vehicle is further away than an option allows.
//! A step examines at most [`BUDGET`] boxes; a search that requires more continues in the next
//! step.

use crate::geometry::{distance, segment_distance_squared, wrap_angle};
use crate::options::NearestPointOptions;
use crate::path::Path;
use crate::segment_tree::{NearestSegment, Search};
use crate::vehicle::VehicleState;
use raceline_numerics::math;

/// The vehicle's position on the path, kept from frame to frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestPoint {
    options: NearestPointOptions,
    place: Option<LastPosition>,
    search: Option<Search>,
}

#[derive(Clone, Copy, Debug)]
struct LastPosition {
    path: u64,
    segment: usize,
    s: f64,
    position: [f64; 3],
    heading: f64,
}

/// The result of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    pub segment: usize,
    pub s: f64,
    /// Distance in space.
    pub distance: f64,
    /// Movement of the position along the path since the last frame.
    pub advance: f64,
    /// Movement of the vehicle since the last frame.
    pub moved: f64,
    /// Rotation of the vehicle since the last frame.
    pub turn: f64,
    pub teleported: bool,
    pub path_changed: bool,
}

/// Largest number of boxes that a search examines in one step.
pub(crate) const BUDGET: usize = 256;
/// Largest number of segments of a window that is scanned linearly.
const SCANNED: usize = 40;
/// Distance added to a path of the opposite direction, metres.
const OPPOSITE_M: f64 = 3.0;
/// Length of the window in addition to the vehicle's movement, metres.
const SLACK_M: f64 = 1.0;
/// Length of the window ahead as a multiple of the distance from the path: corners down to 53° (2
/// atan ½) can be cut.
const CUT: f64 = 4.0;
/// A vehicle was moved by the game if it moves by more than this multiple of the distance at its
/// speed, and by more than `TELEPORT_M`.
const TELEPORT_TIMES: f64 = 4.0;
const TELEPORT_M: f64 = 4.0;
/// The vehicle was also moved by the game if it turned by more than this plus the angle of the
/// fastest spin, radians and rad/s.
const TELEPORT_RAD: f64 = 1.0;
const TELEPORT_RADPS: f64 = 10.0;

impl NearestPoint {
    pub(crate) fn new(options: NearestPointOptions) -> Self {
        Self { options, place: None, search: None }
    }

    pub(crate) fn reset(&mut self) {
        self.place = None;
        self.search = None;
    }

    /// Finds the vehicle's position on the path. `state`'s position and heading must be finite.
    pub(crate) fn update(&mut self, path: &Path, state: &VehicleState, dt: f64) -> Nearest {
        let last = self.place.filter(|place| place.path == path.id() && place.segment < path.segments());
        let path_changed = self.place.is_some() && last.is_none();
        let moved = self.place.map_or(0.0, |place| distance(place.position, state.position_m));
        let turn = self.place.map_or(0.0, |place| wrap_angle(state.heading_rad - place.heading));
        let teleported = self.place.is_some()
            && (moved > TELEPORT_M + TELEPORT_TIMES * state.speed_mps.abs() * dt
                || turn.abs() > TELEPORT_RAD + TELEPORT_RADPS * dt);
        let (segment, s, away) = match last {
            Some(place) if !teleported => {
                let (segment, s, away) = follow(path, state, &place, moved);
                if away > self.options.rejoin_distance_m {
                    self.rejoin(path, state, (segment, s, away))
                } else {
                    self.search = None;
                    (segment, s, away)
                }
            }
            _ => {
                self.search = None;
                let nearest = self.locate(path, state);
                (nearest.segment, arc_length(path, &nearest), nearest.distance_squared.sqrt())
            }
        };
        let advance = last.filter(|_| !teleported).map_or(0.0, |place| path.signed_distance(place.s, s));
        self.place =
            Some(LastPosition { path: path.id(), segment, s, position: state.position_m, heading: state.heading_rad });
        Nearest { segment, s, distance: away, advance, moved, turn, teleported, path_changed }
    }

    /// Continues or starts the search of the whole path, and returns the best position so far.
    fn locate(&mut self, path: &Path, state: &VehicleState) -> NearestSegment {
        let mut search = self.search.unwrap_or_else(Search::new);
        if let Some(best) = &mut search.best {
            // The vehicle has moved since.
            *best = measure(path, state, best.segment);
        }
        let all = 0..path.segments();
        let ends = |k: usize| path.nodes()[k].position;
        path.tree().search(&mut search, BUDGET, state.position_m, ends, all, |segment| penalty(path, state, segment));
        let best = search.best;
        self.search = (!search.done()).then_some(search);
        best.unwrap_or_else(|| measure(path, state, 0))
    }

    fn rejoin(&mut self, path: &Path, state: &VehicleState, own: (usize, f64, f64)) -> (usize, f64, f64) {
        let anywhere = self.locate(path, state);
        let away = anywhere.distance_squared.sqrt();
        // Only with a clear advantage, so that a vehicle midway between two legs does not
        // alternate.
        if self.search.is_none() && away < 0.5 * own.2 {
            (anywhere.segment, arc_length(path, &anywhere), away)
        } else {
            own
        }
    }
}

/// The best position in the window around the last one.
fn follow(path: &Path, state: &VehicleState, last: &LastPosition, moved: f64) -> (usize, f64, f64) {
    let half = path.length_m() / 2.0;
    let near = (SLACK_M + 2.0 * moved).min(half);
    let inner = scan(path, state, last.s - near, last.s + near, false);
    let (segment, s, squared) = inner.unwrap_or((last.segment, last.s, f64::INFINITY));
    let away = squared.sqrt();
    let far = (near + CUT * away.min(50.0)).min(half);
    if away > 0.25
        && let Some(beyond) = scan(path, state, last.s + near, last.s + far, true)
        && beyond.2 < 0.8 * squared
    {
        return (beyond.0, beyond.1, beyond.2.sqrt());
    }
    (segment, s, away)
}

/// The point nearest to `point` between two arc lengths, and its distance.
pub(crate) fn near(path: &Path, point: [f64; 3], from: f64, to: f64) -> (f64, f64) {
    let half = path.length_m() / 2.0;
    let middle = path.wrap((from + to) / 2.0);
    let reach = ((to - from) / 2.0).min(half);
    let state = VehicleState::new(point, 0.0, 0.0);
    scan(path, &state, middle - reach, middle + reach, false)
        .map_or((middle, 0.0), |(_, s, squared)| (s, squared.sqrt()))
}

/// The nearest point between two arc lengths, at most half the path apart on either side of a
/// position on it: segment, arc length, square of the distance.
fn scan(path: &Path, state: &VehicleState, from: f64, to: f64, same_direction: bool) -> Option<(usize, f64, f64)> {
    let mut best: Option<(usize, f64, f64)> = None;
    let mut piece = |low: f64, high: f64| {
        let (first, last) = (path.segment_at(low), path.segment_at(high));
        if last - first < SCANNED {
            for segment in first..=last {
                let (a, b) = (&path.nodes()[segment], &path.nodes()[segment + 1]);
                let (mut squared, fraction) = segment_distance_squared(state.position_m, a.position, b.position);
                let mut s = a.s + fraction * (b.s - a.s);
                if s < low || s > high {
                    s = s.clamp(low, high);
                    let on_path = path.position_in(segment, s);
                    squared = math::powi(distance(on_path, state.position_m), 2);
                }
                if best.is_none_or(|best| squared < best.2) && !(same_direction && opposite(path, state, segment)) {
                    best = Some((segment, s, squared));
                }
            }
        } else {
            let mut search = Search::new();
            let ends = |k: usize| path.nodes()[k].position;
            path.tree().search(&mut search, BUDGET, state.position_m, ends, first..last + 1, |segment| {
                if same_direction && opposite(path, state, segment) { f64::INFINITY } else { 0.0 }
            });
            if let Some(found) = search.best
                && found.cost.is_finite()
                && best.is_none_or(|best| found.cost < best.2)
            {
                let s = arc_length(path, &found).clamp(low, high);
                best = Some((found.segment, s, found.distance_squared));
            }
        }
    };
    let length = path.length_m();
    if !path.closed() {
        let (low, high) = (from.clamp(0.0, length), to.clamp(0.0, length));
        piece(low, high);
    } else if from < 0.0 {
        piece(path.wrap(from), length);
        piece(0.0, to.clamp(0.0, length));
    } else if from >= length {
        piece(from - length, (to - length).clamp(0.0, length));
    } else if to > length {
        piece(from, length);
        piece(0.0, (to - length).min(length));
    } else {
        piece(from, to);
    }
    best
}

fn opposite(path: &Path, state: &VehicleState, segment: usize) -> bool {
    along(path, state, segment) < 0.0
}

/// Cosine of the angle between the vehicle's heading and the path's.
fn along(path: &Path, state: &VehicleState, segment: usize) -> f64 {
    let (a, b) = (path.nodes()[segment].position, path.nodes()[segment + 1].position);
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    let length = math::hypot(x, y);
    if length > 0.0 { (x * math::cos(state.heading_rad) + y * math::sin(state.heading_rad)) / length } else { 1.0 }
}

/// What is added to the square of the distance: 0 if path and vehicle have the same direction.
fn penalty(path: &Path, state: &VehicleState, segment: usize) -> f64 {
    OPPOSITE_M * OPPOSITE_M * 0.5 * (1.0 - along(path, state, segment)).max(0.0)
}

fn measure(path: &Path, state: &VehicleState, segment: usize) -> NearestSegment {
    let segment = segment.min(path.segments() - 1);
    let (a, b) = (&path.nodes()[segment], &path.nodes()[segment + 1]);
    let (distance_squared, fraction) = segment_distance_squared(state.position_m, a.position, b.position);
    NearestSegment { segment, fraction, cost: distance_squared + penalty(path, state, segment), distance_squared }
}

fn arc_length(path: &Path, found: &NearestSegment) -> f64 {
    let (a, b) = (&path.nodes()[found.segment], &path.nodes()[found.segment + 1]);
    a.s + found.fraction * (b.s - a.s)
}
