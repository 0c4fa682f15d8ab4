//! Where between two pixel centres an edge runs.
//!
//! The coverage of a pixel is the area of its part on the road's side. Along a row (or column) of pixels
//! that an edge crosses, the coverages therefore add up to the mean distance at which the edge crosses that row: exactly, for
//! a straight edge, whatever its slope, and for any symmetric anti-aliasing filter that the row spans (the partial area
//! effect: A. Trujillo-Pino et al., "Accurate subpixel edge location based on partial area effect", Image and Vision
//! Computing 31, 2013). Linear interpolation between two pixels is off by up to 0.09 px on the same edge.

use image::GrayImage;

use super::marching_squares::{Crossing, value_at};

/// Pixels that are added up on either side of the crossing. An edge at 45° under a box filter covers two on either
/// side; filters for scaling down reach one farther.
const REACH: i64 = 3;

/// Coverage that counts as whole or none.
const NOISE: u8 = 12;

/// How far the sum may lead from the linear interpolation, pixels. Beyond it the row doesn't show one straight edge.
const MOST_SHIFT_PX: f64 = 0.15;

/// Position of the half level along the link, by linear interpolation: continuous pixel coordinates.
pub(super) fn linear(picture: &GrayImage, crossing: Crossing) -> (f64, f64) {
    at(crossing, linear_distance(picture, crossing))
}

/// Position of the edge along the link by the partial area effect, or by linear interpolation where the row of pixels
/// meets another edge close by.
pub(super) fn partial_area(picture: &GrayImage, crossing: Crossing) -> (f64, f64) {
    let linear = linear_distance(picture, crossing);
    let distance = summed_distance(picture, crossing).filter(|sum| (sum - linear).abs() <= MOST_SHIFT_PX);
    at(crossing, distance.unwrap_or(linear))
}

/// The point at `distance` from the inside node towards the outside one.
fn at(Crossing { inside, outside }: Crossing, distance: f64) -> (f64, f64) {
    let along = |from: i64, to: i64| from as f64 + 0.5 + (to - from) as f64 * distance;
    (along(inside.0, outside.0), along(inside.1, outside.1))
}

fn linear_distance(picture: &GrayImage, Crossing { inside, outside }: Crossing) -> f64 {
    let (a, b) = (f64::from(value_at(picture, inside)), f64::from(value_at(picture, outside)));
    (a - 127.5) / (a - b)
}

/// Sum of the coverages on either side of the crossing, as a distance from the inside node; `None` unless they fall from whole
/// to none within reach.
fn summed_distance(picture: &GrayImage, Crossing { inside, outside }: Crossing) -> Option<f64> {
    let step = (outside.0 - inside.0, outside.1 - inside.1);
    let value = |k: i64| value_at(picture, (inside.0 + k * step.0, inside.1 + k * step.1));
    let mut sum = 0.0;
    let mut last = value(0);
    for k in 0..=REACH {
        let v = value(-k);
        if v.saturating_add(NOISE) < last {
            return None;
        }
        last = v;
        // What is missing from a whole pixel pulls the edge inwards.
        sum -= f64::from(255 - v);
        if v >= 255 - NOISE {
            break;
        }
        if k == REACH {
            return None;
        }
    }
    last = value(1);
    for k in 1..=REACH + 1 {
        let v = value(k);
        if v > last.saturating_add(NOISE) {
            return None;
        }
        last = v;
        sum += f64::from(v);
        if v <= NOISE {
            break;
        }
        if k == REACH + 1 {
            return None;
        }
    }
    Some(0.5 + sum / 255.0)
}
