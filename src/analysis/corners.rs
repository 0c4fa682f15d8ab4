//! Corners: where the line's curvature is larger than the vehicle's grip allows at its top speed.

use serde::Serialize;

use super::lap::Lap;

/// The direction of a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// Counter-clockwise.
    Left,
    /// Clockwise.
    Right,
}

impl Turn {
    /// `left` or `right`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// A corner.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Corner {
    /// Number, from 1, in the order of the apexes from the start line.
    pub number: usize,
    /// Name, if the line's options have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Direction.
    pub direction: Turn,
    /// Where curvature rises above the threshold, m from the start line. For a corner across the
    /// start line it is larger than the exit.
    pub entry_s_m: f64,
    /// Where the line is nearest to the inner edge, or, if it follows the edge, where its curvature
    /// is largest, m from the start line.
    pub apex_s_m: f64,
    /// Where curvature falls below the threshold, m from the start line.
    pub exit_s_m: f64,
    /// Position of the apex, m.
    pub apex_m: [f64; 2],
    /// Length from entry to exit, m.
    pub length_m: f64,
    /// Change of heading from entry to exit, rad, positive to the left.
    pub angle_rad: f64,
    /// Minimum radius, m.
    pub min_radius_m: f64,
    /// Speed at the entry, m/s.
    pub entry_speed_mps: f64,
    /// Speed at the apex, m/s.
    pub apex_speed_mps: f64,
    /// Lowest speed, m/s.
    pub lowest_speed_mps: f64,
    /// Speed at the exit, m/s.
    pub exit_speed_mps: f64,
    /// Time from entry to exit, s.
    pub time_s: f64,
}

/// The definition of a corner.
///
/// ```
/// use raceline::analysis::{AnalysisOptions, CornerOptions};
///
/// // Every bend of more than 5 degrees that is tighter than 200 m, in two sectors.
/// let corners = CornerOptions { curvature_radpm: Some(0.005), min_angle_rad: 0.087, ..CornerOptions::default() };
/// let options = AnalysisOptions { corners, sectors_m: vec![900.0] };
/// assert_eq!(options.corners.merge_s, 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CornerOptions {
    /// Curvature that a corner exceeds, 1/m. Default: the curvature that uses the vehicle's lateral
    /// limit at the lap's top speed.
    pub curvature_radpm: Option<f64>,
    /// Bends to the same side are one corner if less than this time passes between them, s. Default
    /// 0.5.
    pub merge_s: f64,
    /// Minimum change of heading in a corner, rad. Default 0.15, which is 9 degrees.
    pub min_angle_rad: f64,
}

impl Default for CornerOptions {
    fn default() -> Self {
        Self { curvature_radpm: None, merge_s: 0.5, min_angle_rad: 0.15 }
    }
}

/// The distance to the inner edge at the apex may exceed the smallest distance by this, m: a line
/// along the edge has no unique nearest point.
const APEX_ROOM_M: f64 = 0.05;

/// A bend, m from the start line; on a closed line the end may lie beyond the length.
#[derive(Clone, Copy, Debug)]
struct Bend {
    from_m: f64,
    to_m: f64,
    turn: Turn,
}

/// The corners of a line, in the order of their apexes.
pub fn corners(lap: Lap, threshold: f64, options: &CornerOptions) -> Vec<Corner> {
    let mut corners: Vec<Corner> = merged(lap, bends(lap, threshold), options.merge_s)
        .into_iter()
        .map(|bend| corner(lap, bend))
        .filter(|corner| corner.angle_rad.abs() >= options.min_angle_rad)
        .collect();
    corners.sort_by(|a, b| a.apex_s_m.total_cmp(&b.apex_s_m));
    for (i, corner) in corners.iter_mut().enumerate() {
        corner.number = i + 1;
    }
    corners
}

/// The stretches whose curvature exceeds the threshold.
fn bends(lap: Lap, threshold: f64) -> Vec<Bend> {
    let points = lap.points();
    let n = points.len();
    let side = |curvature: f64| match curvature {
        c if c > threshold => Some(Turn::Left),
        c if c < -threshold => Some(Turn::Right),
        _ => None,
    };
    let sides: Vec<Option<Turn>> = points.iter().map(|point| side(point.curvature_radpm)).collect();
    if sides.iter().all(|&here| here.is_some() && here == sides[0]) {
        // A circle is one corner from the start line to the start line.
        return sides
            .first()
            .copied()
            .flatten()
            .map(|turn| Bend { from_m: 0.0, to_m: lap.line.length_m, turn })
            .into_iter()
            .collect();
    }
    // The place between points i and i + 1 where the curvature passes ±threshold.
    let crossing = |i: usize, turn: Turn| {
        let (a, b) = (points[i].curvature_radpm, points[(i + 1) % n].curvature_radpm);
        let level = if turn == Turn::Left { threshold } else { -threshold };
        let fraction = if a == b { 0.0 } else { ((level - a) / (b - a)).clamp(0.0, 1.0) };
        points[i].s_m + fraction * (lap.distance(i + 1) - points[i].s_m)
    };
    // A closed lap is traversed from a point where no bend continues.
    let first = if lap.line.closed { (0..n).find(|&i| sides[i] != sides[(i + n - 1) % n]).unwrap_or(0) } else { 0 };
    let mut bends = Vec::new();
    let mut i = 0;
    while i < n {
        let here = (first + i) % n;
        let run = (i..n).take_while(|&k| sides[(first + k) % n] == sides[here]).count();
        if let Some(turn) = sides[here] {
            let last = (first + i + run - 1) % n;
            let from_m = if !lap.line.closed && here == 0 { 0.0 } else { crossing((here + n - 1) % n, turn) };
            let to_m = if !lap.line.closed && last + 1 == n { lap.line.length_m } else { crossing(last, turn) };
            bends.push(Bend { from_m, to_m: from_m + lap.ahead(from_m, to_m), turn });
        }
        i += run;
    }
    bends
}

/// Joins neighbours to the same side with less than `merge_s` between them.
fn merged(lap: Lap, bends: Vec<Bend>, merge_s: f64) -> Vec<Bend> {
    let mut merged: Vec<Bend> = Vec::with_capacity(bends.len());
    let near = |a: &Bend, b: &Bend| a.turn == b.turn && lap.seconds(a.to_m, b.from_m) < merge_s;
    for bend in bends {
        match merged.last_mut() {
            Some(last) if near(last, &bend) => last.to_m = last.from_m + lap.ahead(last.from_m, bend.to_m),
            _ => merged.push(bend),
        }
    }
    if let [first, .., last] = merged[..]
        && lap.line.closed
        && near(&last, &first)
    {
        merged[0] = Bend { from_m: last.from_m, to_m: last.from_m + lap.ahead(last.from_m, first.to_m), ..first };
        merged.pop();
    }
    merged
}

fn corner(lap: Lap, bend: Bend) -> Corner {
    let Bend { from_m, to_m, turn } = bend;
    let length_m = to_m - from_m;
    // The points within it, and both ends.
    let inside =
        lap.points().iter().map(|point| from_m + lap.ahead(from_m, point.s_m)).filter(|&s| s > from_m && s < to_m);
    let mut places: Vec<f64> = inside.chain([from_m, to_m]).collect();
    places.sort_by(f64::total_cmp);
    let here: Vec<_> = places.iter().map(|&s| lap.at(s)).collect();
    let inner = |place: &super::lap::Here| if turn == Turn::Left { place.left_m } else { place.right_m };
    let nearest = here.iter().map(inner).fold(f64::INFINITY, f64::min);
    let sharpest =
        |a: &&super::lap::Here, b: &&super::lap::Here| a.curvature_radpm.abs().total_cmp(&b.curvature_radpm.abs());
    let apex = here.iter().filter(|place| inner(place) <= nearest + APEX_ROOM_M).max_by(sharpest).copied();
    let apex = apex.unwrap_or_else(|| lap.at(from_m));
    // The trapezoidal rule over the points.
    let turned = |pair: (&[super::lap::Here], &[f64])| {
        (pair.1[1] - pair.1[0]) * (pair.0[0].curvature_radpm + pair.0[1].curvature_radpm) / 2.0
    };
    let whole = length_m >= lap.line.length_m;
    Corner {
        number: 0,
        name: None,
        direction: turn,
        entry_s_m: lap.within(from_m),
        apex_s_m: apex.s_m,
        exit_s_m: if whole { lap.line.length_m } else { lap.within(to_m) },
        apex_m: apex.position_m,
        length_m,
        angle_rad: here.windows(2).zip(places.windows(2)).map(turned).sum(),
        min_radius_m: 1.0 / here.iter().map(|place| place.curvature_radpm.abs()).fold(f64::MIN_POSITIVE, f64::max),
        entry_speed_mps: lap.at(from_m).speed_mps,
        apex_speed_mps: apex.speed_mps,
        lowest_speed_mps: here.iter().map(|place| place.speed_mps).fold(f64::INFINITY, f64::min),
        exit_speed_mps: lap.at(to_m).speed_mps,
        time_s: if whole { lap.line.lap_time_s } else { lap.seconds(from_m, to_m) },
    }
}
