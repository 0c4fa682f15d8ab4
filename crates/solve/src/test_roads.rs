//! Roads that tests of several modules use.

use std::f64::consts::TAU;

use raceline_road::edges::RoadShape;
use raceline_road::track::{Track, TrackOptions};

/// A road, counter-clockwise, whose middle has the first `count` of `of` even points of a circle
/// about the origin: closed if these are all.
pub fn part_of_ring(radius_m: f64, [count, of]: [usize; 2], half_width_m: f64, spacing_m: Option<f64>) -> Track {
    let angle = |i: usize| i as f64 * TAU / of as f64;
    let middle: Vec<[f64; 2]> = (0..count).map(|i| [radius_m * angle(i).cos(), radius_m * angle(i).sin()]).collect();
    let shape = if count == of { RoadShape::Closed } else { RoadShape::Open };
    let options = TrackOptions { spacing_m, ..TrackOptions::default() };
    Track::from_centre_line(&middle, &vec![[half_width_m; 2]; count], shape, &options).expect("a ring is a road")
}
