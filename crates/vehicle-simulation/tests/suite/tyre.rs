//! The tyre and the friction ellipse.

use proptest::prelude::*;
use raceline_vehicle_simulation::{Tyre, TyreSlip, inside_ellipse};

use crate::cars::assert_near;

#[test]
fn the_brush_tyre_starts_with_its_stiffness_and_ends_at_one() {
    let tyre = Tyre::new(TyreSlip::brush(0.12));
    assert_near(tyre.force_fraction(1e-6) / 1e-6, tyre.stiffness(), 1e-3);
    assert_near(tyre.stiffness(), 3.0 / 0.12_f64.tan(), 1e-12);
    assert_near(tyre.force_fraction(0.12), 1.0, 1e-12);
    assert_eq!(tyre.force_fraction(0.5), 1.0);
    // Half of the sliding slip: 1 - 1/8.
    assert_near(tyre.force_fraction((0.12_f64.tan() / 2.0).atan()), 0.875, 1e-12);
}

#[test]
fn a_linear_tyre_is_a_line_up_to_its_limit() {
    // As in the F1TENTH gym, up to its friction.
    let tyre = Tyre::new(TyreSlip::with_slope(0.2, 0.2));
    assert_near(tyre.force_fraction(-(0.2_f64.tan() / 2.0).atan()), -0.5, 1e-12);
    assert_near(tyre.stiffness(), 1.0 / 0.2_f64.tan(), 1e-12);
    assert_eq!(tyre.force_fraction(0.3), 1.0);
    // Between the two: the slope and the peak that were asked for.
    let between = Tyre::new(TyreSlip::with_slope(0.1, 0.2));
    assert_near(between.force_fraction(1e-6) / 1e-6, between.stiffness(), 1e-3);
    assert_near(between.stiffness(), 2.0 / 0.2_f64.tan(), 1e-12);
    assert_near(between.force_fraction(0.2), 1.0, 1e-12);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn slip_is_the_inverse_of_the_force(
        fraction in -0.999_f64..0.999, peak in 0.02_f64..0.9, slope_by_peak in 0.334_f64..1.0,
    ) {
        for slip in [TyreSlip::brush(peak), TyreSlip::with_slope(slope_by_peak * peak, peak)] {
            let tyre = Tyre::new(slip);
            prop_assert!((tyre.force_fraction(tyre.slip_rad(fraction)) - fraction).abs() < 1e-9);
        }
    }

    #[test]
    fn the_curve_is_that_of_the_solver(
        used in 0.01_f64..1.0, peak in 0.02_f64..0.2, slope_by_peak in 0.334_f64..1.0,
    ) {
        let slip = TyreSlip::with_slope(slope_by_peak * peak, peak);
        // In tangents here, in angles there: 1.4 % at 0.2 rad.
        prop_assert!((Tyre::new(slip).slip_rad(used) / slip.at(used) - 1.0).abs() < 0.015);
    }

    #[test]
    fn demands_end_inside_the_ellipse_and_keep_their_ratio(
        x in -3.0_f64..3.0, y in -1.0_f64..1.0, exponent in 1.0_f64..4.0,
    ) {
        let (a, b) = inside_ellipse(x, y, exponent);
        prop_assert!(a.abs().powf(exponent) + b.abs().powf(exponent) <= 1.0 + 1e-12);
        prop_assert!((a * y - b * x).abs() < 1e-12);
        if x.abs().powf(exponent) + y.abs().powf(exponent) <= 1.0 {
            prop_assert_eq!((a, b), (x, y));
        }
    }
}
