//! The stretches between corners, and the sectors of a lap.

use serde::Serialize;

use super::corners::Corner;
use super::lap::Lap;

/// A stretch of the lap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stretch {
    /// Number, from 1 in the order of travel from the start line.
    pub number: usize,
    /// Where it begins, m from the start line.
    pub from_s_m: f64,
    /// Where it ends, m from the start line; less than its beginning for a straight across the
    /// start line.
    pub to_s_m: f64,
    /// Length, m.
    pub length_m: f64,
    /// Time to drive it, s.
    pub time_s: f64,
    /// Highest speed, m/s.
    pub top_speed_mps: f64,
    /// Lowest speed, m/s.
    pub lowest_speed_mps: f64,
}

/// Default number of sectors.
const SECTORS: usize = 3;

/// The stretches between corners.
pub fn straights(lap: Lap, corners: &[Corner]) -> Vec<Stretch> {
    let length = lap.line.length_m;
    let mut ends: Vec<(f64, f64)> = Vec::new();
    match (corners, lap.line.closed) {
        ([], _) => ends.push((0.0, length)),
        ([first, .., last], closed) | ([first @ last], closed) => {
            if !closed {
                ends.push((0.0, first.entry_s_m));
            }
            ends.extend(corners.windows(2).map(|pair| (pair[0].exit_s_m, pair[1].entry_s_m)));
            ends.push((last.exit_s_m, if closed { first.entry_s_m } else { length }));
        }
    }
    let long_enough = |&(from, to): &(f64, f64)| {
        // Corners may overlap by rounding, and an S-bend has no straight between its bends.
        let ahead = if corners.is_empty() { length } else { lap.ahead(from, to) };
        ahead > 1e-6 && !corners.iter().any(|corner| lap.line.closed && ahead > length - corner.length_m)
    };
    let straights = ends.into_iter().filter(long_enough);
    straights.enumerate().map(|(i, (from, to))| stretch(lap, i + 1, from, to)).collect()
}

/// The lap divided at `bounds_m`, ascending distances from the start line within the lap; three
/// sectors of equal length if there are none.
pub fn sectors(lap: Lap, bounds_m: &[f64]) -> Vec<Stretch> {
    let length = lap.line.length_m;
    let thirds: Vec<f64> = (1..SECTORS).map(|i| length * i as f64 / SECTORS as f64).collect();
    let bounds = if bounds_m.is_empty() { &thirds } else { bounds_m };
    let from = std::iter::once(0.0).chain(bounds.iter().copied());
    let to = bounds.iter().copied().chain(std::iter::once(length));
    from.zip(to).enumerate().map(|(i, (from, to))| stretch(lap, i + 1, from, to)).collect()
}

fn stretch(lap: Lap, number: usize, from_s_m: f64, to_s_m: f64) -> Stretch {
    let length = lap.line.length_m;
    let whole = from_s_m == 0.0 && to_s_m == length;
    let length_m = if to_s_m == length { length - from_s_m } else { lap.ahead(from_s_m, to_s_m) };
    let inside = lap
        .points()
        .iter()
        .filter(|point| lap.ahead(from_s_m, point.s_m) <= length_m && (lap.line.closed || point.s_m >= from_s_m));
    let speeds = inside.map(|point| point.speed_mps).chain([lap.at(from_s_m).speed_mps, lap.at(to_s_m).speed_mps]);
    let (lowest, top) = speeds.fold((f64::INFINITY, 0.0_f64), |(low, high), speed| (low.min(speed), high.max(speed)));
    let time_s = match to_s_m == length {
        _ if whole => lap.line.lap_time_s,
        true => lap.line.lap_time_s - lap.at(from_s_m).time_s,
        false => lap.seconds(from_s_m, to_s_m),
    };
    Stretch { number, from_s_m, to_s_m, length_m, time_s, top_speed_mps: top, lowest_speed_mps: lowest }
}
