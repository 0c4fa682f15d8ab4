//! Corners: the bends of the road in which the line's curvature is larger than the vehicle's grip
//! allows at its top speed.

use std::fmt;

use serde::Serialize;

use super::lap::Lap;
use super::road_corners::{RoadCorner, RoadCorners};
use super::turn::{Bending, Turn, bending, side_of_all};

/// The number of a corner, which belongs to the track: all lines on a road with one start line have the
/// same number at one place.
///
/// ```
/// use raceline::analysis::CornerNumber;
///
/// assert_eq!(CornerNumber { number: 3, last_number: None }.to_string(), "3");
/// assert_eq!(CornerNumber { number: 3, last_number: Some(5) }.to_string(), "3-5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CornerNumber {
    /// Number, from 1 in the order of travel from the start line. A corner of the road that does not
    /// limit the vehicle has a number too, but is not in the list.
    pub number: usize,
    /// Number of the last corner of the road where the vehicle drives several as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_number: Option<usize>,
}

impl CornerNumber {
    /// Whether a corner of the road with this number is a part of the corner.
    #[must_use]
    pub fn contains(self, number: usize) -> bool {
        (self.number..=self.last_number.unwrap_or(self.number)).contains(&number)
    }
}

impl fmt::Display for CornerNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last_number {
            Some(last) => write!(f, "{}-{last}", self.number),
            None => write!(f, "{}", self.number),
        }
    }
}

/// A corner.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Corner {
    /// Number on the track.
    #[serde(flatten)]
    pub number: CornerNumber,
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
    /// Minimum change of the road's heading in a corner, rad. Default 0.26, which is 15 degrees.
    pub min_angle_rad: f64,
}

impl Default for CornerOptions {
    fn default() -> Self {
        Self { curvature_radpm: None, merge_s: 0.5, min_angle_rad: 0.26 }
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

/// The corners of a line, in the order of their numbers.
///
/// Each corner of the road belongs to the bend of the line that passes the longest part of it in its
/// direction. A bend is a corner if one belongs to it; bends beside it in the same corner of the road
/// are parts of it. A line without a road about it has its own bends, in the order of their apexes.
pub fn corners(lap: Lap, road: Option<&RoadCorners>, threshold: f64, options: &CornerOptions) -> Vec<Corner> {
    let bends = merged(lap, bends(lap, threshold), options.merge_s);
    match road {
        Some(road) => {
            let numbered = numbered(lap, road, bends).into_iter();
            numbered.map(|(number, bend)| corner(lap, number, bend)).collect()
        }
        None => {
            let unnumbered = CornerNumber { number: 0, last_number: None };
            let mut corners: Vec<Corner> = bends
                .into_iter()
                .map(|bend| corner(lap, unnumbered, bend))
                .filter(|corner| corner.angle_rad.abs() >= options.min_angle_rad)
                .collect();
            corners.sort_by(|a, b| a.apex_s_m.total_cmp(&b.apex_s_m));
            for (i, corner) in corners.iter_mut().enumerate() {
                corner.number.number = i + 1;
            }
            corners
        }
    }
}

/// The bends that are corners of the road, with their numbers and in their order.
fn numbered(lap: Lap, road: &RoadCorners, bends: Vec<Bend>) -> Vec<(CornerNumber, Bend)> {
    // The bends that pass each corner of the road, and which of them passes the longest part.
    let passing = |corner: &RoadCorner| -> Option<(Vec<usize>, usize)> {
        let passed = |bend: &Bend| match bend.turn == corner.turn {
            true => road.passed_m(lap, corner, bend.from_m, bend.to_m),
            false => 0.0,
        };
        let passed: Vec<f64> = bends.iter().map(passed).collect();
        // The first of equal ones.
        let longest = (0..bends.len()).rev().max_by(|&a, &b| passed[a].total_cmp(&passed[b]))?;
        (passed[longest] > 0.0).then(|| ((0..bends.len()).filter(|&i| passed[i] > 0.0).collect(), longest))
    };
    let mut owned: Vec<Option<CornerNumber>> = vec![None; bends.len()];
    let mut part_of: Vec<Option<usize>> = vec![None; bends.len()];
    for corner in road.corners() {
        let Some((passing, longest)) = passing(corner) else { continue };
        match &mut owned[longest] {
            Some(number) => number.last_number = Some(corner.number),
            none => *none = Some(CornerNumber { number: corner.number, last_number: None }),
        }
        for i in passing {
            part_of[i].get_or_insert(longest);
        }
    }
    let mut numbered: Vec<(CornerNumber, Bend)> = Vec::new();
    for (i, bend) in bends.iter().enumerate() {
        let Some(number) = owned[i] else { continue };
        let mut whole = *bend;
        // Neighbours that are parts of this corner and no corner themselves.
        let is_part = |k: usize| owned[k].is_none() && part_of[k] == Some(i);
        for k in (i + 1..bends.len()).take_while(|&k| is_part(k)) {
            whole.to_m = whole.from_m + lap.ahead(whole.from_m, bends[k].to_m);
        }
        for k in (0..i).rev().take_while(|&k| is_part(k)) {
            let end_m = lap.within(whole.to_m);
            whole.from_m = bends[k].from_m;
            whole.to_m = whole.from_m + lap.ahead(whole.from_m, end_m);
        }
        numbered.push((number, whole));
    }
    numbered.sort_by_key(|(number, _)| number.number);
    numbered
}

/// The stretches whose curvature exceeds the threshold.
fn bends(lap: Lap, threshold: f64) -> Vec<Bend> {
    let points = lap.points();
    let n = points.len();
    let curvature: Vec<f64> = points.iter().map(|point| point.curvature_radpm).collect();
    if let Some(turn) = side_of_all(&curvature, threshold) {
        // A circle is one corner from the start line to the start line.
        return vec![Bend { from_m: 0.0, to_m: lap.line.length_m, turn }];
    }
    // The place between points i and i + 1 where the curvature passes ±threshold.
    let crossing = |i: usize, turn: Turn| {
        let (a, b) = (points[i].curvature_radpm, points[(i + 1) % n].curvature_radpm);
        let level = if turn == Turn::Left { threshold } else { -threshold };
        let fraction = if a == b { 0.0 } else { ((level - a) / (b - a)).clamp(0.0, 1.0) };
        points[i].s_m + fraction * (lap.distance(i + 1) - points[i].s_m)
    };
    let bend = |Bending { from, to, turn }: Bending| {
        let (here, last) = (from % n, (to - 1) % n);
        let from_m = if !lap.line.closed && here == 0 { 0.0 } else { crossing((here + n - 1) % n, turn) };
        let to_m = if !lap.line.closed && last + 1 == n { lap.line.length_m } else { crossing(last, turn) };
        Bend { from_m, to_m: from_m + lap.ahead(from_m, to_m), turn }
    };
    bending(&curvature, threshold, lap.line.closed).into_iter().flatten().map(bend).collect()
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

fn corner(lap: Lap, number: CornerNumber, bend: Bend) -> Corner {
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
        number,
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
