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
    use super::{SolveError, fractions};
    use crate::test_roads::part_of_ring;

    #[test]
    fn a_line_that_passes_nine_of_ten_sections_is_on_the_road() {
        let track = part_of_ring(100.0, [400, 400], 4.0, None);
        let sections = track.sections.len();
        let quarter = |section: &raceline_road::track::CrossSection| section.point(0.25);
        let points: Vec<_> = track.sections.iter().map(quarter).collect();
        assert!(fractions(&track, &points).unwrap().iter().all(|alpha| (alpha - 0.25).abs() < 1e-9));
        // A line that leaves the road passes the fewer sections the sooner it does.
        let leaving = |last: usize| {
            let beside = |i: usize| if i < last { points[i] } else { track.sections[i].point(-9.0) };
            (0..sections).map(beside).collect::<Vec<_>>()
        };
        for (passed_fraction, is_on_road) in [(0.95, true), (0.5, false), (0.8, false)] {
            let found = fractions(&track, &leaving((passed_fraction * sections as f64) as usize));
            match found {
                Ok(alpha) => assert!(is_on_road && alpha.len() == sections),
                Err(SolveError::LineOffRoad { passed, sections: of, needed }) => {
                    let found_fraction = passed as f64 / of as f64;
                    assert!(!is_on_road && of == sections && needed == 90.0);
                    assert!((found_fraction - passed_fraction).abs() < 0.02, "{found_fraction}");
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
}
