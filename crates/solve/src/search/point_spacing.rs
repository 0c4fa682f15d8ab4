//! The distance between the points of a written line.

use raceline_car::Vehicle;
use raceline_road::range::Range;
use raceline_road::track::Track;

use crate::SolveError;

/// Range of `point_spacing_m`.
pub const POINT_SPACING: Range = Range::above(0.0).in_metres();

/// Default distance between points on straights, in mean widths of the road and in lengths of the
/// vehicle; the smaller applies. A spline through the points then has the lap time of the line to
/// within 0.02 %. Larger distances make smaller files with less of a bend.
const WIDTHS: f64 = 0.25;
const LENGTHS: f64 = 0.75;
/// Square of the smallest distance, per metre of the road's width. Positions are rounded to 10 µm,
/// which makes noise of the curvature that a reader computes; it falls with the square of the
/// distance. Curvatures of lines are of the order of 1 / width. Measured on a road 14 m wide: a
/// reader's lap is 0.035 % slower than the line's at this distance (0.5 m), 0.14 % at half of it.
const FLOOR_SQUARED_PER_WIDTH_M: f64 = 0.018;

/// The largest distance between points, m: the `specified` one, at most the road's mean width, else
/// a fraction of that width and of the vehicle's length.
///
/// # Errors
/// [`SolveError::PointSpacing`] below the floor, [`SolveError::OutOfRange`] for a number that is
/// not positive.
pub(super) fn point_spacing_m(track: &Track, vehicle: &Vehicle, specified: Option<f64>) -> Result<f64, SolveError> {
    let width_m = track.mean_width();
    let floor_m = (FLOOR_SQUARED_PER_WIDTH_M * width_m).sqrt();
    let Some(point_spacing_m) = specified else {
        return Ok((WIDTHS * width_m).min(LENGTHS * vehicle.length_m).max(floor_m));
    };
    POINT_SPACING.check("point_spacing_m", point_spacing_m)?;
    if point_spacing_m < floor_m {
        return Err(SolveError::PointSpacing { point_spacing_m, floor_m, width_m });
    }
    Ok(point_spacing_m.min(width_m))
}

#[cfg(test)]
mod tests {
    use raceline_car::preset;

    use super::{SolveError, point_spacing_m};
    use crate::test_roads::part_of_ring;

    #[test]
    fn the_default_is_by_the_road_on_a_narrow_one_and_by_the_vehicle_on_a_wide_one() {
        let kart = preset("kart").unwrap();
        for (half_width_m, expected_m) in [(2.0, 0.25 * 4.0), (10.0, 0.75 * kart.length_m)] {
            let track = part_of_ring(100.0, [200, 200], half_width_m, None);
            let found_m = point_spacing_m(&track, &kart, None).unwrap();
            assert!((found_m - expected_m).abs() < 1e-3, "{found_m} for {expected_m}");
        }
    }

    #[test]
    fn a_specified_distance_is_from_the_floor_to_the_width_of_the_road() {
        let kart = preset("kart").unwrap();
        let track = part_of_ring(100.0, [200, 200], 4.0, None);
        let width_m = track.mean_width();
        let floor_m = (0.018 * width_m).sqrt();
        for (specified_m, used_m) in [(floor_m, floor_m), (3.0, 3.0), (50.0, width_m)] {
            assert_eq!(point_spacing_m(&track, &kart, Some(specified_m)), Ok(used_m));
        }
        let below_m = 0.999 * floor_m;
        let refused = SolveError::PointSpacing { point_spacing_m: below_m, floor_m, width_m };
        assert_eq!(point_spacing_m(&track, &kart, Some(below_m)), Err(refused));
        assert!(matches!(point_spacing_m(&track, &kart, Some(0.0)), Err(SolveError::OutOfRange { .. })));
        // A vehicle of a few centimetres.
        let tiny = raceline_car::Vehicle { length_m: 0.05, ..kart };
        assert_eq!(point_spacing_m(&track, &tiny, None), Ok(floor_m));
    }
}
