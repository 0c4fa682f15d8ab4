//! A line of points that is to be driven as it is: classified as closed or open, without coincident
//! points, and smoothed as far as its noise requires.

use super::centre_line::{DUPLICATE_FRACTION, LONGEST_M, MAX_CROSSINGS, MIN_CLOSED, MIN_OPEN};
use super::closing::{distinct, looks_closed, usual_step};
use super::self_crossings::self_crossings;
use super::survey_smoothing::{self, Noise};
use super::{ImportError, ImportNote, ImportOptions, SpecifiedClosed};
use crate::geometry::{Point, SplineCurve};

/// A line through which a spline passes.
#[derive(Clone, Debug, PartialEq)]
pub struct TidyLine {
    /// The points in the order of travel, metres; a closed line does not repeat its first.
    pub points: Vec<Point>,
    /// Whether the last point leads back to the first.
    pub closed: bool,
    /// What was changed.
    pub notes: Vec<ImportNote>,
}

/// The line through `points`, which a vehicle drives on a road of about `width_m`. Points that
/// nearly coincide are one. Noise is smoothed as that of a centre line is, by `options`.
///
/// ```
/// use raceline_road::construction::{ImportOptions, tidy_line};
/// use raceline_road::geometry::Point;
///
/// // A circle that repeats its first point.
/// let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 60.0;
/// let circle: Vec<Point> = (0..=60).map(|i| Point::new(50.0 * angle(i).cos(), 50.0 * angle(i).sin())).collect();
/// let line = tidy_line(&circle, None, 8.0, &ImportOptions::default())?;
/// assert!(line.closed && line.points.len() == 60);
/// # Ok::<(), raceline_road::construction::ImportError>(())
/// ```
///
/// # Errors
/// Too few points, a line that is too long or that crosses itself too often, and smoothing out of
/// its range.
pub fn tidy_line(
    points: &[Point],
    closed: SpecifiedClosed,
    width_m: f64,
    options: &ImportOptions,
) -> Result<TidyLine, ImportError> {
    let mut notes = Vec::new();
    let closed = closed.unwrap_or_else(|| looks_closed(points, width_m));
    let kept = distinct(points, closed, DUPLICATE_FRACTION * usual_step(points).unwrap_or(0.0));
    let needed = if closed { MIN_CLOSED } else { MIN_OPEN };
    let too_few = ImportError::TooFewPoints { what: "the line", found: kept.len(), needed };
    if kept.len() < needed {
        return Err(too_few);
    }
    let repeats_first = closed && points.first() == points.last();
    let dropped = points.len() - kept.len() - usize::from(repeats_first);
    if dropped > 0 {
        notes.push(ImportNote::PointsMerged { count: dropped });
    }
    let points: Vec<Point> = kept.into_iter().filter_map(|index| points.get(index).copied()).collect();
    let crossings = self_crossings(&points, closed, MAX_CROSSINGS + 1);
    if crossings.len() > MAX_CROSSINGS {
        return Err(ImportError::OutOfOrder { crossings: crossings.len(), limit: MAX_CROSSINGS + 1, line: None });
    }
    let Some(curve) = SplineCurve::through(&points, closed) else { return Err(too_few) };
    if !curve.length().is_finite() || curve.length() > LONGEST_M {
        return Err(ImportError::TooLong { length_km: curve.length() / 1e3, limit_km: LONGEST_M / 1e3 });
    }
    let noise = Noise::of(&points, closed);
    let amount_m = match (options.smoothing_m, noise) {
        (Some(specified_m), _) => specified_m,
        (None, Some(noise)) => noise.smoothing_m(width_m),
        (None, None) => 0.0,
    };
    survey_smoothing::check(amount_m, curve.length())?;
    if amount_m == 0.0 {
        return Ok(TidyLine { points, closed, notes });
    }
    let smoothed = survey_smoothing::smoothed(&curve, &points, amount_m)?;
    let reason = if options.smoothing_m.is_none() { noise } else { None };
    notes.push(smoothed.note("the line", reason, amount_m));
    Ok(TidyLine { points: smoothed.points, closed, notes })
}
