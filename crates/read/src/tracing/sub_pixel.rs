//! The position of an edge between two pixel centres.
//!
//! The coverage of a pixel is the area of its part on the road's side. Along a row (or column) of
//! pixels that an edge crosses, the sum of the coverages is therefore the mean distance at which
//! the edge crosses that row. This is exact for a straight edge of any slope and for any symmetric
//! anti-aliasing filter that the row spans (the partial area effect: A. Trujillo-Pino et al.,
//! "Accurate subpixel edge location based on partial area effect", Image and Vision Computing 31,
//! 2013). Linear interpolation between two pixels has an error of up to 0.09 px on the same edge.

use image::GrayImage;

use crate::picture::contours::{Crossing, value_at};

/// Number of pixels summed on either side of the crossing. An edge at 45° under a box filter covers
/// two on either side; filters for scaling down extend one farther.
const REACH: i64 = 3;

/// Largest remaining grey level of an edge, of 255, where the row has reached road or ground.
const NOISE: u8 = 12;

/// Maximum difference between the sum and the linear interpolation, pixels. Beyond it, the row does
/// not show one straight edge.
const MAX_SHIFT_PX: f64 = 0.15;

/// Position of the half level along the link, by linear interpolation: continuous pixel
/// coordinates.
pub(super) fn linear(picture: &GrayImage, crossing: Crossing) -> (f64, f64) {
    at(crossing, linear_distance(picture, crossing))
}

/// Position of the edge along the link by the partial area effect, or by linear interpolation if
/// the row of pixels meets another edge nearby.
pub(super) fn partial_area(picture: &GrayImage, crossing: Crossing) -> (f64, f64) {
    let linear = linear_distance(picture, crossing);
    let distance = summed_distance(picture, crossing).filter(|sum| (sum - linear).abs() <= MAX_SHIFT_PX);
    at(crossing, within(distance.unwrap_or(linear)))
}

/// A crossing remains between its two nodes, so that contours keep the topology of the grid and
/// never cross.
fn within(distance: f64) -> f64 {
    const CLEARANCE: f64 = 1e-3;
    distance.clamp(CLEARANCE, 1.0 - CLEARANCE)
}

/// The point at `distance` from the inside node towards the outside one.
fn at(Crossing { inside, outside }: Crossing, distance: f64) -> (f64, f64) {
    let along = |from: i64, to: i64| from as f64 + 0.5 + (to - from) as f64 * distance;
    (along(inside.0, outside.0), along(inside.1, outside.1))
}

fn linear_distance(picture: &GrayImage, Crossing { inside, outside }: Crossing) -> f64 {
    let (a, b) = (f64::from(value_at(picture, inside)), f64::from(value_at(picture, outside)));
    within((a - 127.5) / (a - b))
}

/// Sum of the coverages on either side of the crossing, as a distance from the inside node; `None`
/// unless they fall from full to zero within reach.
fn summed_distance(picture: &GrayImage, Crossing { inside, outside }: Crossing) -> Option<f64> {
    let step = (outside.0 - inside.0, outside.1 - inside.1);
    let value = |k: i64| value_at(picture, (inside.0 + k * step.0, inside.1 + k * step.1));
    // Area missing from full pixels moves the edge inwards; area on other pixels moves it outwards.
    let missing = sum_while_falling((0..=REACH).map(|k| 255 - value(-k)))?;
    let covered = sum_while_falling((1..=REACH + 1).map(value))?;
    Some(0.5 + (covered - missing) / 255.0)
}

/// Sum of the values up to where they rise again; `None` if they rise before they are nearly zero.
fn sum_while_falling(values: impl Iterator<Item = u8>) -> Option<f64> {
    let (mut sum, mut last) = (0.0, u8::MAX);
    for value in values {
        if value > last {
            break;
        }
        sum += f64::from(value);
        last = value;
    }
    (last <= NOISE).then_some(sum)
}
