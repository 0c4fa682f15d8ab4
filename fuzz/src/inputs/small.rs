//! Small roads and lines out of a few bytes, for targets whose task begins behind the readers.

use arbitrary::{Result, Unstructured};
use raceline::edges::RoadShape;
use raceline::track::{Track, TrackOptions};

/// A number from `low` to `high`, one of 256.
pub fn number(bytes: &mut Unstructured<'_>, [low, high]: [f64; 2]) -> Result<f64> {
    Ok(low + (high - low) * f64::from(bytes.arbitrary::<u8>()?) / 255.0)
}

/// A ring about the origin of 8 to 15 corners with radii of 25 to 60 m and 6 to 16 m of width, or a part of
/// such a ring; `None` where it folds.
pub fn track(bytes: &mut Unstructured<'_>) -> Result<Option<Track>> {
    let count = 8 + usize::from(bytes.arbitrary::<u8>()? % 8);
    let is_closed = bytes.ratio(3, 4)?;
    let width_m = number(bytes, [6.0, 16.0])?;
    let radii = (0..count).map(|_| number(bytes, [25.0, 60.0])).collect::<Result<Vec<f64>>>()?;
    let edge = |offset: f64| -> Vec<[f64; 2]> {
        let steps = if is_closed { 4 * count } else { 3 * count };
        let at = |step: usize| {
            let (index, fraction) = (step / 4, (step % 4) as f64 / 4.0);
            // A smooth passage from corner to corner.
            let weight = (1.0 - (std::f64::consts::PI * fraction).cos()) / 2.0;
            let radius = radii[index % count] * (1.0 - weight) + radii[(index + 1) % count] * weight + offset;
            let angle = std::f64::consts::TAU * step as f64 / (4 * count) as f64;
            [radius * angle.cos(), radius * angle.sin()]
        };
        (0..steps).map(at).collect()
    };
    let shape = if is_closed { RoadShape::Closed } else { RoadShape::Open };
    let (left, right) = (edge(-width_m / 2.0), edge(width_m / 2.0));
    Ok(Track::from_points(&left, &right, shape, &TrackOptions::default()).ok())
}
