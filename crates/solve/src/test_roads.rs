//! Roads that tests of several modules use.

use std::f64::consts::TAU;

use raceline_road::edges::RoadShape;
use raceline_road::track::{Track, TrackOptions};

/// An open road straight along x, with `count` points 10 m apart on its middle.
pub fn straight(count: usize, half_width_m: f64) -> Track {
    let middle: Vec<[f64; 2]> = (0..count).map(|i| [10.0 * i as f64, 0.0]).collect();
    road(&middle, half_width_m, RoadShape::Open, None)
}

/// A road, counter-clockwise, whose middle has the first `count` of `of` even points of a circle
/// about the origin: closed if these are all.
pub fn part_of_ring(radius_m: f64, [count, of]: [usize; 2], half_width_m: f64, spacing_m: Option<f64>) -> Track {
    let angle = |i: usize| i as f64 * TAU / of as f64;
    let middle: Vec<[f64; 2]> = (0..count).map(|i| [radius_m * angle(i).cos(), radius_m * angle(i).sin()]).collect();
    let shape = if count == of { RoadShape::Closed } else { RoadShape::Open };
    road(&middle, half_width_m, shape, spacing_m)
}

fn road(middle: &[[f64; 2]], half_width_m: f64, shape: RoadShape, spacing_m: Option<f64>) -> Track {
    let options = TrackOptions { spacing_m, ..TrackOptions::default() };
    Track::from_centre_line(middle, &vec![[half_width_m; 2]; middle.len()], shape, &options).expect("a valid road")
}
