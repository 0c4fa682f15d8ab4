//! Limits over speed: against the tables they are made from, their derivatives against central
//! differences, and their crossings against closed forms.

use proptest::prelude::*;
use raceline::vehicle::{DriveLimit, GgDiagram, Jet, SpeedCurve, Vehicle, preset, presets};

const TABLE: [[f64; 2]; 4] = [[0.0, 5.0], [10.0, 4.0], [20.0, 6.0], [40.0, 3.0]];

/// Plain linear interpolation, constant beyond the ends.
fn interpolated(points: &[[f64; 2]], speed: f64) -> f64 {
    let after = points.iter().position(|point| point[0] > speed).unwrap_or(points.len());
    if after == 0 || after == points.len() {
        return points[after.saturating_sub(1)][1];
    }
    let ([a, f], [b, g]) = (points[after - 1], points[after]);
    f + (g - f) * (speed - a) / (b - a)
}

#[test]
fn a_table_is_followed_exactly_but_near_its_points() {
    let curve = SpeedCurve::table(&TABLE);
    for speed in [1.25, 3.0, 8.75, 11.25, 15.0, 18.75, 21.25, 30.0, 37.5, 42.5, 1e6] {
        let error = (curve.at(speed * speed) - interpolated(&TABLE, speed)).abs();
        assert!(error < 1e-12, "{speed}: {error}");
    }
    // A kink is rounded to its inside by a quarter of the half width times the change of slope.
    for (speed, half, kink) in [(10.0, 1.25, 0.3), (20.0, 1.25, -0.35), (40.0, 2.5, 0.15)] {
        let expected = interpolated(&TABLE, speed) + half * kink / 4.0;
        assert!((curve.at(speed * speed) - expected).abs() < 1e-12, "{speed}");
    }
    // At standstill the table goes on as its mirror image, with a kink of twice the slope.
    assert!((curve.at(0.0) - (5.0 - 1.25 * 0.2 / 4.0)).abs() < 1e-12);
}

#[test]
fn special_tables_are_what_they_look_like() {
    for (points, speed, value) in [
        (&[][..], 3.0, 0.0),
        (&[[7.0, 2.0]][..], 0.0, 2.0),
        (&[[7.0, 2.0]][..], 100.0, 2.0),
        (&[[0.0, 2.0], [5.0, 2.0], [9.0, 2.0]][..], 5.0, 2.0),
        // Points on one line leave no kink between them.
        (&[[1.0, 2.0], [2.0, 4.0], [5.0, 10.0]][..], 2.0, 4.0),
    ] {
        assert_eq!(SpeedCurve::table(points).at(speed * speed), value, "{points:?}");
    }
}

#[test]
fn force_and_power_meet_in_a_rounded_knee() {
    let curve = SpeedCurve::falling_with_speed(10.0, 200.0);
    for speed in [0.0, 5.0, 19.3, 20.7, 50.0] {
        let expected = f64::min(10.0, 200.0 / speed);
        assert!((curve.at(speed * speed) - expected).abs() < 1e-12, "{speed}");
    }
    for step in 0..100 {
        let speed = 19.0 + 0.02 * f64::from(step);
        let lost = f64::min(10.0, 200.0 / speed) - curve.at(speed * speed);
        assert!((-1e-12..0.1).contains(&lost), "{speed}: {lost}");
    }
}

#[test]
fn crossings_are_found_in_every_piece() {
    let table = SpeedCurve::table(&[[10.0, 4.0], [20.0, 2.0], [40.0, 3.0]]);
    // Before the first point 4; then 6 - v/5; then 1 + v/20; then 3. Where each meets c v², by the
    // quadratic formula.
    for (drag, speed) in [
        (0.06, f64::sqrt(4.0 / 0.06)),
        (0.013, (-0.2 + f64::sqrt(0.04 + 4.0 * 0.013 * 6.0)) / 0.026),
        (0.004, (0.05 + f64::sqrt(0.0025 + 4.0 * 0.004)) / 0.008),
        (0.001, f64::sqrt(3.0 / 0.001)),
    ] {
        for got in [table.last_reaching(0.0, drag), table.first_crossing(drag)] {
            assert!((got.sqrt() - speed).abs() < 1e-9, "{drag}: {} instead of {speed}", got.sqrt());
        }
    }
    assert_eq!(table.last_reaching(0.0, 0.0), f64::INFINITY);
    assert_eq!(table.last_reaching(2.9, 0.0), f64::INFINITY);
    assert_eq!(table.last_reaching(5.0, 0.0), 0.0);
    assert_eq!(table.first_crossing(0.0), f64::INFINITY);
    // 3.5 is passed for the last time on the descent to 2: 6 - v/5 = 3.5.
    assert!((table.last_reaching(3.5, 0.0).sqrt() - 12.5).abs() < 1e-9);
    // 12 - v drops below the line of slope 0.35 before the table rises above it again: the first
    // place counts.
    let dip = SpeedCurve::table(&[[0.0, 12.0], [10.0, 2.0], [12.0, 60.0]]);
    let speed = (-1.0 + f64::sqrt(1.0 + 4.0 * 0.35 * 12.0)) / 0.7;
    assert!((dip.first_crossing(0.35).sqrt() - speed).abs() < 1e-9);
    // The lowest line that the dip touches, it touches in its rounded bottom.
    let ratio_at = |speed: f64| dip.at(speed * speed) / (speed * speed);
    let min = (0..5000).map(|i| ratio_at(9.0 + f64::from(i) * 4e-4)).fold(f64::INFINITY, f64::min);
    assert!(min < ratio_at(9.75) && min < ratio_at(10.25));
    assert!((9.75..10.25).contains(&dip.first_crossing(min * 1.0001).sqrt()));
    assert!((dip.first_crossing(min * 0.999) - 60.0 / (min * 0.999)).abs() < 1e-6);

    let power = SpeedCurve::falling_with_speed(50.0, 500.0);
    // Power rules: 500 W/kg = 0.004 v³; force rules: 50 m/s² = 2 v².
    assert!((power.last_reaching(0.0, 0.004).sqrt() - f64::cbrt(500.0 / 0.004)).abs() < 1e-9);
    assert!((power.last_reaching(0.0, 2.0) - 25.0).abs() < 1e-9);
    // 500 / v = 0.2 + 0.004 v²
    let speed = power.last_reaching(0.2, 0.004).sqrt();
    assert!((500.0 / speed - 0.2 - 0.004 * speed * speed).abs() < 1e-9);
    assert!((power.last_reaching(0.2, 0.0).sqrt() - 2500.0).abs() < 1e-6);
    assert_eq!(power.last_reaching(0.0, 0.0), f64::INFINITY);
    // Constant limits with downforce: 12 + 0.001 w = 0.004 w and never.
    let growing = SpeedCurve::growing(12.0, 0.001);
    assert!((growing.first_crossing(0.004) - 4000.0).abs() < 1e-9);
    assert_eq!(growing.first_crossing(0.001), f64::INFINITY);
}

/// Compares a jet with central differences at `w`, both sides of which must lie in one piece.
#[track_caller]
fn check_jet(name: &str, jet: impl Fn(f64) -> Jet, w: f64) {
    let step = (1e-4 * w).max(1e-4);
    let (below, here, above) = (jet(w - step), jet(w), jet(w + step));
    let scale = here.value.abs().max(1.0);
    let slope = (above.value - below.value) / (2.0 * step);
    let bend = (above.slope - below.slope) / (2.0 * step);
    assert!(
        (here.slope - slope).abs() < 1e-6 * scale / w.max(1.0) + 1e-9 * scale,
        "{name} at {w}: slope {} {slope}",
        here.slope
    );
    assert!(
        (here.bend - bend).abs() < 1e-4 * scale / w.max(1.0) + 1e-9 * scale,
        "{name} at {w}: bend {} {bend}",
        here.bend
    );
}

#[test]
fn jets_are_the_derivatives_of_their_values() {
    let cars = ["tum-racecar", "gt", "kart", "robot-car"].map(|name| preset(name).unwrap());
    let tabled = Vehicle {
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        ggv_table: vec![[0.0, 11.0, 12.0], [20.0, 12.5, 15.0], [60.0, 14.0, 13.0]],
        rolling_resistance: 0.015,
        ..cars[0].clone()
    };
    for car in cars.iter().chain([&tabled]) {
        let diagram = GgDiagram::new(car).unwrap();
        // Inside pieces: no kink of any of the cars' curves lies within the steps of these.
        for speed in [0.5, 1.0, 3.3, 7.1, 11.7, 19.0, 20.3, 26.0, 36.1, 38.0, 40.2, 59.8, 63.7, 90.0] {
            let w = speed * speed;
            check_jet("lateral", |w| diagram.lateral_limit_jet(w), w);
            check_jet("longitudinal", |w| diagram.longitudinal_limit_jet(w), w);
            check_jet("drive", |w| diagram.drive_jet(w), w);
            check_jet("resistance", |w| diagram.resistance_jet(w), w);
            assert_eq!(diagram.lateral_limit_jet(w).value, diagram.lateral_limit(w));
            assert_eq!(diagram.resistance_jet(w).value, diagram.resistance(w));
        }
    }
}

#[test]
fn jets_stay_finite_down_to_standstill() {
    // Sloping from the first point on, where dv/dw is infinite.
    let sloping = DriveLimit::TableMps2(vec![[0.0, 9.0], [4.0, 3.0], [30.0, 1.0]]).acceleration(1.0);
    let mut curves = vec![("sloping", sloping)];
    curves.extend(presets().iter().map(|entry| {
        let car = preset(entry.name).unwrap();
        (entry.name, car.drive.acceleration(car.mass_kg))
    }));
    for (name, curve) in curves {
        let rest = curve.jet(0.0);
        for w in [0.0, f64::MIN_POSITIVE, 1e-12, 1e-6, 1e-4, 0.01, 0.1] {
            let jet = curve.jet(w);
            assert!(jet.value.is_finite() && jet.slope.is_finite() && jet.bend.is_finite(), "{name} at {w}: {jet:?}");
            assert!(jet.slope.abs() < 10.0, "{name} at {w}: {jet:?}");
            assert!((jet.value - rest.value).abs() <= 10.0 * w, "{name} at {w}: {jet:?}");
        }
    }
}

/// A table of speeds that rise by what is given, and values.
fn tables() -> impl Strategy<Value = Vec<[f64; 2]>> {
    let points = prop::collection::vec((0.01..30.0f64, 0.1..30.0f64), 1..9);
    (points, any::<bool>()).prop_map(|(points, from_rest)| {
        let mut speed = if from_rest { -points[0].0 } else { 0.0 };
        points
            .into_iter()
            .map(|(step, value)| {
                speed += step;
                [speed, value]
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// No jump in value or slope anywhere, values between those of the table's neighbours, and
    /// slopes between theirs.
    #[test]
    fn tables_have_a_continuous_slope_and_stay_between_their_points(points in tables(), at in 0.0..1.2f64) {
        let curve = SpeedCurve::table(&points);
        let (low, high) = points.iter().fold((f64::INFINITY, 0.0f64), |(low, high), p| (low.min(p[1]), high.max(p[1])));
        let steepest = points.windows(2).map(|p| ((p[1][1] - p[0][1]) / (p[1][0] - p[0][0])).abs()).fold(0.0, f64::max);
        let narrowest = points.windows(2).map(|p| p[1][0] - p[0][0]).fold(f64::INFINITY, f64::min).min(
            if points[0][0] > 0.0 { points[0][0] } else { f64::INFINITY });
        let speed = at * points[points.len() - 1][0];
        let slope_by_speed = |speed: f64| 2.0 * speed * curve.jet(speed * speed).slope;
        prop_assert!((low - 1e-9..=high + 1e-9).contains(&curve.at(speed * speed)));
        prop_assert!(slope_by_speed(speed).abs() <= steepest * (1.0 + 1e-6) + 1e-9);
        // Lipschitz: rounding changes the slope by at most twice the steepest over a quarter of the
        // narrowest interval.
        for place in points.iter().map(|p| p[0]).chain([speed]) {
            for shift in [-0.125, 0.125, 0.0] {
                let near = (place + shift * narrowest.min(1e3)).max(1e-3);
                let nudge = 1e-6 * near;
                let change = slope_by_speed(near + nudge) - slope_by_speed(near - nudge);
                prop_assert!(change.abs() <= 2.0 * nudge * 2.0 * steepest / (0.25 * narrowest) * 1.01 + 1e-6, "{near}: {change}");
            }
        }
    }

    /// Below the first crossing every speed is on the curve's safe side, and at it the two are
    /// equal.
    #[test]
    fn the_first_crossing_is_the_first(points in tables(), ratio in 1e-3..3.0f64) {
        let curve = SpeedCurve::table(&points);
        let crossing = curve.first_crossing(ratio);
        prop_assert!((curve.at(crossing) - ratio * crossing).abs() <= 1e-7 * curve.at(crossing), "{crossing}");
        for fraction in 0..200 {
            let w = crossing * f64::from(fraction) / 200.0;
            prop_assert!(curve.at(w) >= ratio * w * (1.0 - 1e-9), "{w} before {crossing}");
        }
        let last = curve.last_reaching(0.0, ratio);
        prop_assert!(last >= crossing * (1.0 - 1e-9) && (curve.at(last) - ratio * last).abs() <= 1e-7 * curve.at(last));
    }
}
