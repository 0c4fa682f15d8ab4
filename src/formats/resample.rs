//! A line at other points and at another speed, before it is written.
//!
//! Positions, headings and curvatures come from the cubic spline through the line's points, the
//! other values from between two points: the square of the speed is linear in the distance, as at
//! constant acceleration, so that the times remain those of the line.

use super::{FormatError, FormatOptions};
use crate::RacingLine;
use crate::file::LinePoint;
use crate::geometry::{Point, SplineCurve};
use crate::range::Range;

/// Range of `spacing_m`.
pub(super) const SPACING: Range = Range::between(0.001, 1000.0).in_metres();
/// Range of `speed_factor`.
pub(super) const SPEED_FACTOR: Range = Range::between(0.01, 2.0);
/// Minimum number of points, so that a lap remains a lap.
const MIN_POINTS: usize = 4;
/// Greatest number of points.
const MAX_POINTS: f64 = 1e6;

/// `line` with the spacing and the speed that `options` specify.
pub(super) fn resampled(line: &RacingLine, options: &FormatOptions) -> Result<RacingLine, FormatError> {
    let mut line = line.clone();
    if let Some(spacing_m) = options.spacing_m {
        SPACING.check("spacing_m", spacing_m)?;
        let count = (line.length_m / spacing_m).round();
        if count > MAX_POINTS {
            return Err(FormatError::TooManyPoints { count, max: MAX_POINTS });
        }
        at_even_distances(&mut line, (count as usize).max(MIN_POINTS));
    }
    if let Some(factor) = options.speed_factor {
        SPEED_FACTOR.check("speed_factor", factor)?;
        at_other_speed(&mut line, factor);
    }
    Ok(line)
}

/// Replaces the points by those at `gaps` equal distances.
fn at_even_distances(line: &mut RacingLine, gaps: usize) {
    let old = &line.points;
    let places: Vec<Point> = old.iter().map(|point| Point::new(point.x_m, point.y_m)).collect();
    let Some(curve) = SplineCurve::through(&places, line.closed) else { return };
    let (length_m, step_m) = (line.length_m, line.length_m / gaps as f64);
    let count = if line.closed { gaps } else { gaps + 1 };
    let end = if line.closed {
        old.first().map(|&first| LinePoint { s_m: length_m, time_s: line.lap_time_s, ..first })
    } else {
        None
    };
    let after = |index: usize| old.get(index + 1).copied().or(end);
    let mut index = 0;
    let mut points: Vec<LinePoint> = Vec::with_capacity(count);
    for number in 0..count {
        let s_m = (step_m * number as f64).min(length_m);
        while after(index).is_some_and(|next| next.s_m <= s_m) && index + 1 < old.len() {
            index += 1;
        }
        let Some(&from) = old.get(index) else { return };
        let Some(to) = after(index) else {
            points.push(from);
            continue;
        };
        let fraction = ((s_m - from.s_m) / (to.s_m - from.s_m)).clamp(0.0, 1.0);
        let knots = curve.positions();
        let end_of_piece = knots.get(index + 1).copied().unwrap_or_else(|| curve.length());
        let place = curve.at(knots[index] + fraction * (end_of_piece - knots[index]));
        let mut point = between(&from, &to, fraction);
        point.s_m = s_m;
        (point.x_m, point.y_m) = (place.position.x, place.position.y);
        (point.heading_rad, point.curvature_radpm) = (place.heading(), place.curvature());
        points.push(point);
    }
    accelerate(&mut points, line.closed.then_some(length_m));
    line.points = points;
}

/// The values between two points, except position and direction.
fn between(from: &LinePoint, to: &LinePoint, fraction: f64) -> LinePoint {
    let mix = |a: f64, b: f64| a + fraction * (b - a);
    let maybe = |a: Option<f64>, b: Option<f64>| Some(mix(a?, b?));
    let speed_mps = mix(from.speed_mps * from.speed_mps, to.speed_mps * to.speed_mps).max(0.0).sqrt();
    // At constant acceleration the distance is the mean speed times the time.
    let whole = from.speed_mps + to.speed_mps;
    let part = from.speed_mps + speed_mps;
    let fraction_of_time = if part > 0.0 { fraction * whole / part } else { fraction };
    LinePoint {
        speed_mps,
        time_s: from.time_s + fraction_of_time.min(1.0) * (to.time_s - from.time_s),
        left_m: mix(from.left_m, to.left_m),
        right_m: mix(from.right_m, to.right_m),
        z_m: maybe(from.z_m, to.z_m),
        banking_rad: maybe(from.banking_rad, to.banking_rad),
        // A point without it has a grip of 1.
        grip: from.grip.or(to.grip).map(|_| mix(from.grip.unwrap_or(1.0), to.grip.unwrap_or(1.0))),
        load: maybe(from.load, to.load),
        steering_rad: maybe(from.steering_rad, to.steering_rad),
        pedal: maybe(from.pedal, to.pedal),
        sideslip_rad: maybe(from.sideslip_rad, to.sideslip_rad),
        yaw_rate_radps: maybe(from.yaw_rate_radps, to.yaw_rate_radps),
        ..*from
    }
}

/// Sets the accelerations that lead from each speed to the next; `lap_m` is the length of a closed
/// line.
fn accelerate(points: &mut [LinePoint], lap_m: Option<f64>) {
    for index in 0..points.len() {
        let here = points[index];
        let next = match (points.get(index + 1), lap_m) {
            (Some(next), _) => *next,
            (None, Some(lap_m)) => LinePoint { s_m: lap_m, ..points[0] },
            // The end of an open line keeps its acceleration.
            (None, None) => continue,
        };
        let distance_m = next.s_m - here.s_m;
        let change = next.speed_mps * next.speed_mps - here.speed_mps * here.speed_mps;
        if distance_m > 0.0 {
            points[index].accel_mps2 = change / (2.0 * distance_m);
        }
    }
}

/// Drives the line `factor` times as fast: accelerations scale with its square.
fn at_other_speed(line: &mut RacingLine, factor: f64) {
    line.lap_time_s /= factor;
    for point in &mut line.points {
        point.speed_mps *= factor;
        point.accel_mps2 *= factor * factor;
        point.time_s /= factor;
        point.yaw_rate_radps = point.yaw_rate_radps.map(|rate| rate * factor);
    }
}
