//! The route through the pits as two open paths beside the road: from the line to the own box, where the
//! follower stops at the path's end, and from there back to the line.
//!
//! Both are made of distances from the middle of the road, d(s), with quintic steps between four of them:
//! the line, just inside the road's edge, the lane along the boxes and the box. The road's edge is crossed
//! where TORCS provides for it, before the first box and after the last. Speeds are those that the curves,
//! the speed limit and the brakes allow.

use raceline_follower::{Path, VehicleDynamics, Waypoint};
use raceline_numerics::wrap_angle;

use crate::layout::Track;
use crate::pits::{OwnBox, Pits};

/// Distance between waypoints, m.
const SPACING_M: f64 = 2.0;
/// How long before the entry the route in begins, m, so that the fastest car brakes after it, and over
/// which distance it moves to the side of the pits, m.
const BEGINS_M: f64 = 450.0;
const ASIDE_M: f64 = 180.0;
/// Over which distance the route out returns to the line, m, and how far it goes on along it, m, since the
/// follower would stop at its end.
const RETURN_M: f64 = 220.0;
const GOES_ON_M: f64 = 400.0;
/// Smallest distance over which the road's edge is crossed, m.
const CROSSING_M: f64 = 50.0;
/// Distance over which a box is driven to and left, in lengths of a box.
const BOX_LENGTHS: f64 = 1.6;
/// Distance between the side of the body and the road's edge before it is crossed, m.
const INSIDE_M: f64 = 0.8;
/// Room beside the path in the pits, m, for a body of this width more.
const ROOM_M: f64 = 0.7;
/// Fraction of the tyres' limits that is used.
const CAUTION: f64 = 0.7;
/// Distance to the speed limit, m/s, and over which distance it counts before and after, m.
const BELOW_LIMIT_MPS: f64 = 0.8;
const LIMIT_MARGIN_M: f64 = 4.0;
/// Smallest speed of the profile, m/s: where the follower would wait for ever.
const SLOWEST_MPS: f64 = 3.0;

/// The route in and out.
#[derive(Clone, Debug)]
pub struct PitLane {
    /// Ends in the box.
    pub route_in: Path,
    /// Begins in the box.
    pub route_out: Path,
    /// Where the route in begins, m from the start line.
    pub begins_m: f64,
    /// Arc length of the route out where it has come back to the line, m.
    pub back_m: f64,
    /// What both cost against driving past, without the stop itself, s.
    pub loss_s: f64,
}

/// A place of the line as seen from the middle of the road.
#[derive(Clone, Copy, Debug)]
struct OnLine {
    /// Distance from the start line, m.
    s: f64,
    left: f64,
    /// Arc length of the line, m.
    line_s: f64,
}

/// A place of a route.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    position: [f64; 3],
    /// Left of the middle of the road, m.
    left: f64,
    /// From the entry, m.
    along: f64,
    line_s: f64,
    speed: f64,
    grip: f64,
    curvature: f64,
}

impl PitLane {
    /// The route for the box of a car with a body of `width_m`, from the line and back to it, which is driven
    /// at the fraction `fraction` of its speeds.
    ///
    /// # Errors
    /// Why there is none: pits that do not follow one another along the track.
    pub fn new(
        track: &Track,
        pits: &Pits,
        own: &OwnBox,
        line: &Path,
        fraction: f64,
        width_m: f64,
    ) -> Result<Self, String> {
        let dynamics = line.dynamics().ok_or("the line's vehicle has no dynamics")?;
        let after_entry = |from_start: f64| (from_start - pits.entry_m).rem_euclid(track.length_m);
        let [start, own_s, end, mut exit] = [pits.start_m, own.from_start_m, pits.end_m, pits.exit_m].map(after_entry);
        if exit < end {
            exit = end;
        }
        if !(start <= own_s && own_s <= end && exit < 0.7 * track.length_m && pits.limit_mps > SLOWEST_MPS) {
            return Err(format!(
                "the pits are not in order: entry 0 m, start {start} m, box {own_s} m, end {end} m, exit {exit} m"
            ));
        }
        let side = if pits.is_left { 1.0 } else { -1.0 };
        let edge = 0.5 * track.width_m;
        let inside = edge - 0.5 * width_m - INSIDE_M;
        let [box_length, box_width] = pits.box_m;
        // Beside the cars in their boxes, and on the lane's own segment, beside the road.
        let lane = (own.aside_m - box_width).max(edge + 0.25 * width_m).min(own.aside_m);
        let on_line = on_line(track, line);
        let to_box = (BOX_LENGTHS * box_length).max(1.0);
        let crosses_from = (start - CROSSING_M).min(0.0);
        let in_offset = |s: f64, line: f64| {
            let moved = mix(side * line, inside, step(s, crosses_from - ASIDE_M, crosses_from));
            let lane = mix(moved, lane, step(s, crosses_from, start));
            mix(lane, own.aside_m, step(s, own_s - to_box, own_s))
        };
        let crosses_to = exit.max(end + CROSSING_M);
        let out_offset = |s: f64, line: f64| {
            let lane = mix(own.aside_m, lane, step(s, own_s, (own_s + to_box).min(end.max(own_s + 0.5 * to_box))));
            let inside = mix(lane, inside, step(s, end, crosses_to));
            mix(inside, side * line, step(s, crosses_to, crosses_to + RETURN_M))
        };
        let places = |from: f64, to: f64, offset: &dyn Fn(f64, f64) -> f64| -> Vec<Place> {
            let count = ((to - from) / SPACING_M).round().max(3.0) as usize;
            let places = (0..=count).map(|i| {
                let along = from + (to - from) * i as f64 / count as f64;
                let s = (pits.entry_m + along).rem_euclid(track.length_m);
                let (line_left, line_s) = line_at(&on_line, s, track.length_m, line.length_m());
                let left = side * offset(along, line_left);
                let sample = line.sample(line_s);
                Place {
                    position: beside(track, s, left),
                    left,
                    along,
                    line_s,
                    speed: sample.speed_mps * fraction,
                    grip: line.grip(line_s),
                    curvature: 0.0,
                }
            });
            places.collect()
        };
        let begins = (-BEGINS_M).max(-0.25 * track.length_m).min(crosses_from - ASIDE_M);
        let back = crosses_to + RETURN_M;
        let mut going_in = places(begins, own_s, &in_offset);
        let mut going_out = places(own_s, back + GOES_ON_M.min(0.25 * track.length_m), &out_offset);
        let limit = pits.limit_mps - BELOW_LIMIT_MPS;
        let limited = start - LIMIT_MARGIN_M..end + LIMIT_MARGIN_M;
        for route in [&mut going_in, &mut going_out] {
            curve(route);
            for place in route.iter_mut() {
                if limited.contains(&place.along) {
                    place.speed = place.speed.min(limit);
                }
            }
        }
        if let Some(last) = going_in.last_mut() {
            last.speed = 0.0;
        }
        slow_down(&mut going_in, dynamics);
        slow_down(&mut going_out, dynamics);
        let loss_s = time_s(&going_in, 0.0) + time_s(&going_out, dynamics.drive_mps2.at(10.0))
            - time_on_line_s(line, &going_in, fraction)
            - time_on_line_s(line, &going_out, fraction);
        let path = |places: &[Place]| path(places, [edge, 0.5 * width_m + ROOM_M], dynamics);
        let route_out = path(&going_out)?;
        let passed = (back - own_s) / SPACING_M;
        let lengths = going_out.windows(2).take(passed.ceil() as usize);
        let back_m = lengths.map(|pair| distance(&pair[0], &pair[1])).sum();
        Ok(Self {
            route_in: path(&going_in)?,
            route_out,
            begins_m: (pits.entry_m + begins + 0.5 * SPACING_M).rem_euclid(track.length_m),
            back_m,
            loss_s,
        })
    }
}

/// From 0 at `from` to 1 at `to`, with no slope and no curvature at both.
fn step(s: f64, from: f64, to: f64) -> f64 {
    let t = ((s - from) / (to - from).max(1e-3)).clamp(0.0, 1.0);
    t * t * t * (10.0 + t * (6.0 * t - 15.0))
}

fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + t * (b - a)
}

fn distance(a: &Place, b: &Place) -> f64 {
    (a.position[0] - b.position[0]).hypot(a.position[1] - b.position[1])
}

/// The point that lies `left` metres to the left of the middle of the road, also beside it.
fn beside(track: &Track, s: f64, left: f64) -> [f64; 3] {
    let Some((segment, fraction)) = track.segment_at(s) else { return [0.0; 3] };
    let [l, r] = segment.across(fraction);
    let width = (l[0] - r[0]).hypot(l[1] - r[1]).max(0.1);
    let t = 0.5 + left / width;
    [mix(r[0], l[0], t), mix(r[1], l[1], t), 0.0]
}

/// The waypoints of the line from the start line on.
fn on_line(track: &Track, line: &Path) -> Vec<OnLine> {
    let waypoints = line.waypoints();
    let (mut found, mut line_s): (Vec<OnLine>, f64) = (Vec::with_capacity(waypoints.len()), 0.0);
    for (i, waypoint) in waypoints.iter().enumerate() {
        if i > 0 {
            let before = waypoints[i - 1].position_m;
            line_s += (waypoint.position_m[0] - before[0]).hypot(waypoint.position_m[1] - before[1]);
        }
        let guess = match found.last() {
            Some(last) => last.s,
            None => nearest_segment(track, waypoint.position_m),
        };
        let (s, left) = project(track, waypoint.position_m, guess);
        found.push(OnLine { s, left, line_s });
    }
    found.sort_by(|a, b| a.s.total_cmp(&b.s));
    found
}

fn nearest_segment(track: &Track, [x, y, _]: [f64; 3]) -> f64 {
    let away = |s: f64| {
        let [px, py, _] = beside(track, s, 0.0);
        (px - x).hypot(py - y)
    };
    let starts = track.segments.iter().map(|segment| segment.from_start_m);
    starts.min_by(|a, b| away(*a).total_cmp(&away(*b))).unwrap_or(0.0)
}

/// Distance from the start line and to the left of the middle of the road.
fn project(track: &Track, [x, y, _]: [f64; 3], guess: f64) -> (f64, f64) {
    let (mut s, mut left) = (guess, 0.0);
    for _ in 0..12 {
        let (a, b) = (beside(track, s, 0.0), beside(track, s, 1.0));
        let [across_x, across_y] = [b[0] - a[0], b[1] - a[1]];
        let [dx, dy] = [x - a[0], y - a[1]];
        left = dx * across_x + dy * across_y;
        // Ahead is to the right of the left.
        let ahead = dx * across_y - dy * across_x;
        s = (s + ahead).rem_euclid(track.length_m);
        if ahead.abs() < 1e-4 {
            break;
        }
    }
    (s, left)
}

/// The line at a distance from the start line: to the left of the middle of the road, by the cubic through
/// four waypoints, and its arc length.
fn line_at(on_line: &[OnLine], s: f64, length: f64, line_length: f64) -> (f64, f64) {
    let count = on_line.len();
    let next = on_line.partition_point(|place| place.s <= s);
    let of = |by: isize| on_line[(next as isize + by).rem_euclid(count as isize) as usize];
    let (before, a, b, after) = (of(-2), of(-1), of(0), of(1));
    let span = (b.s - a.s).rem_euclid(length).max(1e-6);
    let t = ((s - a.s).rem_euclid(length) / span).clamp(0.0, 1.0);
    let slope = |p: OnLine, q: OnLine| (q.left - p.left) / (q.s - p.s).rem_euclid(length).max(1e-6) * span;
    let (first, last) = (slope(before, b), slope(a, after));
    let (square, cube) = (3.0 * (b.left - a.left) - 2.0 * first - last, 2.0 * (a.left - b.left) + first + last);
    let left = a.left + t * (first + t * (square + t * cube));
    (left, a.line_s + t * (b.line_s - a.line_s).rem_euclid(line_length))
}

/// The curvature of each place, smoothed over neighbours, and the speed that it allows at most.
fn curve(places: &mut [Place]) {
    let heading = |a: &Place, b: &Place| (b.position[1] - a.position[1]).atan2(b.position[0] - a.position[0]);
    let raw: Vec<f64> = (0..places.len())
        .map(|i| {
            let (a, b, c) = (i.saturating_sub(1), i, (i + 1).min(places.len() - 1));
            if a == b || b == c {
                return 0.0;
            }
            let turn = wrap_angle(heading(&places[b], &places[c]) - heading(&places[a], &places[b]));
            2.0 * turn / (distance(&places[a], &places[b]) + distance(&places[b], &places[c])).max(1e-3)
        })
        .collect();
    for (i, place) in places.iter_mut().enumerate() {
        let near = &raw[i.saturating_sub(2)..(i + 3).min(raw.len())];
        place.curvature = near.iter().sum::<f64>() / near.len() as f64;
    }
}

/// Lowers the speeds to what bends allow and to those from which the brakes reach the next place's.
fn slow_down(places: &mut [Place], dynamics: &VehicleDynamics) {
    for place in places.iter_mut() {
        for _ in 0..4 {
            let lateral = CAUTION * place.grip * dynamics.lateral_mps2.at(place.speed);
            place.speed = place.speed.min((lateral / place.curvature.abs().max(1e-6)).sqrt());
        }
    }
    for i in (1..places.len()).rev() {
        let (next, spacing) = (places[i], distance(&places[i - 1], &places[i]));
        let place = &mut places[i - 1];
        let lateral = place.grip * dynamics.lateral_mps2.at(next.speed);
        let used = (place.curvature.abs() * next.speed * next.speed / lateral.max(0.1)).min(1.0);
        let brakes =
            CAUTION * place.grip * dynamics.longitudinal_mps2.at(next.speed) * (1.0 - used * used).max(0.1).sqrt();
        place.speed = place.speed.min((next.speed * next.speed + 2.0 * brakes * spacing).sqrt());
    }
}

/// Time over a route, from its first speed on with an acceleration where one is given, s.
fn time_s(places: &[Place], acceleration: f64) -> f64 {
    let mut own = if acceleration > 0.0 { 1.0 } else { f64::INFINITY };
    let time = places.windows(2).map(|pair| {
        let length = distance(&pair[0], &pair[1]);
        let before = own.min(pair[0].speed);
        own = if acceleration > 0.0 { (before * before + 2.0 * acceleration * length).sqrt() } else { f64::INFINITY };
        let after = own.min(pair[1].speed);
        2.0 * length / (before + after).max(0.5)
    });
    time.sum()
}

/// Time on the line beside a route, s.
fn time_on_line_s(line: &Path, places: &[Place], fraction: f64) -> f64 {
    let time = places.windows(2).map(|pair| {
        let length = (pair[1].line_s - pair[0].line_s).rem_euclid(line.length_m());
        length / (line.sample(pair[0].line_s).speed_mps * fraction).max(1.0)
    });
    time.sum()
}

fn path(places: &[Place], [edge, room]: [f64; 2], dynamics: &VehicleDynamics) -> Result<Path, String> {
    let waypoint = |(i, place): (usize, &Place)| {
        // On the road up to its edges, in the pits within the lane.
        let of = |edge: f64| if place.left.abs() + room < edge + 0.5 { edge } else { 0.0 };
        let ends = i + 1 == places.len() && place.speed == 0.0;
        Waypoint {
            position_m: place.position,
            left_m: (of(edge) - place.left).max(room),
            right_m: (of(edge) + place.left).max(room),
            speed_mps: if ends { 0.0 } else { place.speed.max(SLOWEST_MPS) },
            curvature_radpm: place.curvature,
        }
    };
    let waypoints = places.iter().enumerate().map(waypoint).collect();
    let path = Path::new(waypoints, false).map_err(|error| format!("the route through the pits: {error}"))?;
    Ok(path.with_dynamics(dynamics).with_grip(|i, _| places.get(i).map_or(1.0, |place| place.grip)))
}
