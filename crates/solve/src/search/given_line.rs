//! A line that exists → its lap.

use std::sync::Arc;

use raceline_car::Vehicle;
use raceline_file::Method;
use raceline_road::geometry::{Point, SplineCurve};
use raceline_road::track::Track;

use super::conditions::RoadConditions;
use super::found_line::FoundLine;
use super::line::Line;
use super::options::LineOptions;
use super::point_spacing::point_spacing_m;
use super::region_constraints::region_constraints;
use super::summary::LineStatus;
use super::warning::LineWarning;
use crate::speed::{DrivenLine, Lap, places_at_ends};
use crate::{LocalRoad, SolveError, Spacing};

/// A line that passes fewer of a road's cross-sections belongs to another road.
const MIN_PASSED_FRACTION: f64 = 0.9;

/// The lap of `vehicle` along a line that exists: the spline through the `initial_line` of the
/// options, as it is, on `track`. It is neither moved nor checked: it may leave the road, and be
/// sharper than the vehicle's steering allows.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_car::preset;
/// use raceline_file::Method;
/// use raceline_road::geometry::Point;
/// use raceline_solve::{LineOptions, profile};
///
/// let circle = (0..96).map(|i| Point::new(62.0 * (angle(i) / 2.0).cos(), 62.0 * (angle(i) / 2.0).sin())).collect();
/// let options = LineOptions { method: Method::Given, initial_line: Some(circle), ..LineOptions::default() };
/// let line = profile(&track, &preset("kart")?, &options)?;
/// assert!((line.length_m - 62.0 * std::f64::consts::TAU).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Options out of their range or without `initial_line`, a line that does not run along the road,
/// and a vehicle that cannot be simulated.
pub fn profile(track: &Track, vehicle: &Vehicle, options: &LineOptions) -> Result<Line, SolveError> {
    let options = &options.for_vehicle(vehicle);
    options.validate()?;
    let needs = "a profile requires initial_line";
    let line = options.initial_line.as_deref().ok_or(SolveError::InitialLine { needs })?;
    let road = Arc::new(LocalRoad::new(track));
    let points: Vec<Point> = line.iter().map(|point| point - road.origin).collect();
    fractions(&road.track, &points)?;
    let conditions = RoadConditions::about(&road.track, road.origin, options)?;
    let spacing_m = point_spacing_m(&road.track, vehicle, options.point_spacing_m)?;
    let spacing = Spacing::of_points(spacing_m, road.track.mean_width());
    let driven = driven(&points, track.closed, spacing, conditions.lap(vehicle, options.speed))?;
    let mut constraints = conditions.constraints(options, road.origin);
    constraints.extend(region_constraints(&road, options)?);
    let speed = &options.speed;
    let has_ends = speed.start_speed_mps.is_some() || speed.end_speed_mps.is_some();
    Ok(Line {
        method: Method::Given,
        status: LineStatus::Solved,
        closed: track.closed,
        lap_time_s: driven.lap_time_s(),
        length_m: driven.arc_length_whole_m,
        optimum: None,
        energy: None,
        decisions: None,
        constraints,
        warnings: if track.closed && has_ends { vec![LineWarning::EndSpeedsOnClosedRoad] } else { Vec::new() },
        details: Vec::new(),
        candidates: vec![FoundLine { method: Method::Given, status: LineStatus::Solved, driven, car: None }],
        chosen: 0,
        source: road,
    })
}

/// The lap along the spline through `points`, which may be far apart, with points at `spacing`.
pub(super) fn driven(points: &[Point], closed: bool, spacing: Spacing, lap: Lap) -> Result<DrivenLine, SolveError> {
    let curve = SplineCurve::in_arc_length(points, closed).ok_or(SolveError::Degenerate)?;
    let places = places_at_ends(spacing.places(&curve), &curve, lap.caps);
    Ok(DrivenLine::along(curve, places, lap)?)
}

/// α of the line on every cross-section; where it passes none, that of the section before.
///
/// # Errors
/// [`SolveError::LineOffRoad`].
pub(super) fn fractions(track: &Track, points: &[Point]) -> Result<Vec<f64>, SolveError> {
    let found = track.fractions_of(points);
    let (passed, sections) = (found.iter().flatten().count(), found.len());
    if (passed as f64) < MIN_PASSED_FRACTION * sections as f64 {
        return Err(SolveError::LineOffRoad { passed, sections, needed: 100.0 * MIN_PASSED_FRACTION });
    }
    let mut last = found.iter().flatten().next_back().copied().unwrap_or(0.5);
    let filled = found.into_iter().map(|alpha| {
        last = alpha.unwrap_or(last);
        last
    });
    Ok(filled.collect())
}

#[cfg(test)]
mod tests {
    use raceline_road::geometry::Point;
    use raceline_road::track::Track;

    use super::{SolveError, fractions};
    use crate::test_roads::straight;

    /// Ten cross-sections of a straight along the x-axis, 10 m apart, from 4 m to the right to 4 m
    /// to the left.
    fn ten_sections() -> Track {
        let mut track = straight(21, 4.0);
        let first = track.sections[0];
        let at = |i: usize| first.moved_by(Point::new(10.0 * i as f64, 0.0) - first.middle());
        track.sections = (0..10).map(at).collect();
        track
    }

    #[test]
    fn a_line_that_passes_nine_of_ten_sections_belongs_to_the_road() {
        let track = ten_sections();
        let until = |end_m: f64| [Point::new(-5.0, 2.0), Point::new(end_m, 2.0)];
        for end_m in [95.0, 85.0] {
            let found = fractions(&track, &until(end_m)).unwrap();
            // 2 m to the left of the middle of 8 m is three quarters from the right; beyond the
            // line's end it is that of the section before.
            assert_eq!(found.len(), 10);
            assert!(found.iter().all(|alpha| (alpha - 0.75).abs() < 1e-9), "{found:?}");
        }
        let refused = SolveError::LineOffRoad { passed: 8, sections: 10, needed: 90.0 };
        assert_eq!(fractions(&track, &until(75.0)), Err(refused));
    }
}
