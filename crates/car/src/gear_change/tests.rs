use std::f64::consts::{FRAC_PI_2, PI};

use super::{Band, Straight, TOLERANCE, slowed};
use crate::SpeedCurve;

#[track_caller]
fn assert_close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance * expected.abs().max(1e-3), "{value} is not {expected}");
}

fn drives() -> [SpeedCurve; 5] {
    [
        SpeedCurve::growing(4.0, 0.0),
        SpeedCurve::growing(15.0, 0.0),
        SpeedCurve::table(&[[0.0, 8.0], [21.0, 7.0], [32.0, 5.0], [50.0, 4.0]]),
        SpeedCurve::falling_with_speed(7.0, 250.0),
        // More than the tyres transmit.
        SpeedCurve::growing(40.0, 0.0),
    ]
}

fn tyres() -> SpeedCurve {
    SpeedCurve::growing(18.0, 0.001)
}

/// A straight with air and rolling, on which 100 m/s are reached.
fn straight(tyres: &SpeedCurve) -> Straight<'_> {
    Straight { tyres, drag_over_mass: 0.0006, rolling_mps2: 0.2, highest_mps: 100.0 }
}

/// The acceleration with `drive` at the speed `v`.
fn acceleration(drive: &SpeedCurve, v: f64) -> f64 {
    drive.at(v * v).min(18.0 + 0.001 * v * v) - 0.2 - 0.0006 * v * v
}

/// The time from the speed `begin` to `end`, by Simpson's rule in steps of a knot's 64th.
fn time(drive: &SpeedCurve, begin: f64, end: f64) -> f64 {
    let step = (end - begin) / 1024.0;
    let pace = |at: f64| 1.0 / acceleration(drive, begin + at * step);
    (0..1024).map(f64::from).map(|i| (pace(i) + 4.0 * pace(i + 0.5) + pace(i + 1.0)) * step / 6.0).sum()
}

#[test]
fn a_change_of_gear_takes_its_time_in_its_band() {
    let tyres = tyres();
    for (number, drive) in drives().iter().enumerate() {
        for change in [1.0, 12.0, 30.0, 52.0] {
            for seconds in [0.0002, 0.02, 0.15, 1.0, 5.0] {
                let changing = slowed(drive, straight(&tyres), &[change], seconds);
                let lost = time(&changing, change, 1.2 * change) - time(drive, change, 1.2 * change);
                // Both rules are rough where the drive falls below what the tyres transmit, between two of their places.
                let tolerance = if number == 4 { 1e-2 } else { 1e-4 };
                assert!((lost / seconds - 1.0).abs() < tolerance, "{number} {change} {seconds}: {lost}");
                // The time that the search for it measures is exact.
                let half = 0.1 * change;
                let band = Band { straight: straight(&tyres), drive, middle: change + half, half };
                let lost = band.time(&changing) - band.time(drive);
                assert!((lost - seconds).abs() <= TOLERANCE * seconds + 1e-14, "{number} {change} {seconds}: {lost}");
            }
        }
    }
}

#[test]
fn a_short_change_is_found_where_the_tyres_limit_a_little_more_than_the_drive() {
    // As long as the drive gives what the tyres transmit, a larger factor costs nothing: the search begins flat.
    let (drive, tyres) = (SpeedCurve::growing(0.3, 0.0), SpeedCurve::growing(0.25, 0.001));
    let straight = Straight { tyres: &tyres, drag_over_mass: 0.0, rolling_mps2: 0.1, highest_mps: 100.0 };
    let band = Band { straight, drive: &drive, middle: 1.1, half: 0.1 };
    for seconds in [1e-5, 2.8e-5, 2.2e-4, 1e-3] {
        let lost = band.time(&band.slowed(seconds).unwrap()) - band.time(&drive);
        assert!((lost / seconds - 1.0).abs() < 1e-6, "{seconds}: {lost}");
    }
}

#[test]
fn the_time_through_a_band_is_that_of_its_closed_form() {
    let level = SpeedCurve::growing(60.0, 0.0);
    let straight = Straight { tyres: &level, drag_over_mass: 0.0, rolling_mps2: 0.0, highest_mps: 100.0 };
    for (drive, expected) in [
        (SpeedCurve::growing(4.0, 0.0), 4.0 / 4.0),
        // ∫ dv / (c + k v²) = atan(v √(k / c)) / √(c k).
        (
            SpeedCurve::growing(4.0, 0.01),
            (f64::atan(24.0 * (0.01_f64 / 4.0).sqrt()) - f64::atan(20.0 * (0.01_f64 / 4.0).sqrt())) / 0.04_f64.sqrt(),
        ),
        // ∫ v dv / P.
        (SpeedCurve::falling_with_speed(50.0, 250.0), (24.0 * 24.0 - 20.0 * 20.0) / 500.0),
    ] {
        let band = Band { straight, drive: &drive, middle: 22.0, half: 2.0 };
        assert_close(band.time(&drive), expected, 1e-12);
        // Weaker tyres take the place of the drive.
        let tyres = SpeedCurve::growing(2.5, 0.0);
        let band = Band { straight: Straight { tyres: &tyres, ..straight }, ..band };
        assert_close(band.time(&drive), 4.0 / 2.5, 1e-12);
        let (strong, tyres) = (SpeedCurve::growing(60.0, 0.0), drive.clone());
        let band = Band { straight: Straight { tyres: &tyres, ..straight }, ..band };
        assert_close(band.time(&strong), expected, 1e-12);
        // A vehicle that is never accelerated never arrives, and no change of gear makes a difference to it.
        let band = Band { straight: Straight { rolling_mps2: 50.0, ..straight }, ..band };
        assert_eq!(band.time(&drive), f64::INFINITY);
        assert!(band.slowed(0.1).is_none());
        assert_eq!(slowed(&drive, Straight { rolling_mps2: 50.0, ..straight }, &[20.0], 0.1), drive);
    }
    let still = SpeedCurve::growing(0.0, 0.0);
    assert_eq!(Band { straight, drive: &still, middle: 22.0, half: 2.0 }.time(&still), f64::INFINITY);
}

#[test]
fn the_drive_is_the_formula_at_every_knot() {
    let tyres = tyres();
    for (number, drive) in drives().iter().enumerate() {
        // The last band is narrow, for the highest speed is near.
        for (change, half, next) in [(12.0, 1.2, 100.0), (30.0, 3.0, 100.0), (52.0, 5.2, 100.0), (97.0, 0.75, 120.0)] {
            let changing = slowed(drive, straight(&tyres), &[change, next], 0.15);
            let middle = change + half;
            let resistance = |v: f64| 0.2 + 0.0006 * v * v;
            // The factor of h, from the middle, where h = 1 / δ.
            let pace = |curve: &SpeedCurve, v: f64| 1.0 / (curve.at(v * v) - resistance(v));
            let factor = half * (pace(&changing, middle) - pace(drive, middle));
            for i in 0..=16 {
                let v = change + f64::from(i) * half / 8.0;
                let (before, after) = (drive.jet(v * v), changing.jet(v * v));
                let angle = PI * (v - change - half) / (2.0 * half);
                let h = angle.cos().powi(2) / half;
                let h_slope = -2.0 * angle.cos() * angle.sin() * FRAC_PI_2 / (half * half);
                let acceleration = before.value - resistance(v);
                let expected = 1.0 / (1.0 / acceleration + factor * h);
                assert_close(after.value, resistance(v) + expected, 1e-10);
                // d a' = a'² (da / a² - t dh), and the slopes by v are 2 v times those by v².
                let slope = 2.0 * v * (before.slope - 0.0006) / (acceleration * acceleration) - factor * h_slope;
                let found = 2.0 * v * after.slope;
                let expected = 2.0 * v * 0.0006 + expected * expected * slope;
                assert!((found - expected).abs() < 1e-9, "{number} {change} {i}: {found} {expected}");
            }
        }
    }
}

#[test]
fn a_drive_that_the_tyres_do_not_limit_loses_nearly_the_formula_of_the_wanted_time() {
    let tyres = tyres();
    for (number, drive) in drives().iter().take(4).enumerate() {
        let changing = slowed(drive, straight(&tyres), &[30.0], 0.15);
        // 1 / a' = 1 / a + t / δ in the middle.
        let expected = 1.0 / (1.0 / acceleration(drive, 33.0) + 0.15 / 3.0);
        let found = acceleration(&changing, 33.0);
        assert!((found / expected - 1.0).abs() < 2e-3, "{number}: {found} {expected}");
    }
}

/// Where the curves differ: the first and the last of speeds that are 0.01 m/s apart.
fn changed(before: &SpeedCurve, after: &SpeedCurve) -> Option<[f64; 2]> {
    let speeds = || (0..11_000).map(|i| 0.01 * f64::from(i));
    let differs = |v: &f64| (after.at(v * v) - before.at(v * v)).abs() > 1e-12;
    Some([speeds().find(differs)?, speeds().rfind(differs)?])
}

#[test]
fn a_band_lies_above_its_change_and_below_what_follows() {
    let (tyres, drive) = (tyres(), SpeedCurve::growing(12.0, 0.0));
    for (speeds, begin, width) in [
        // A tenth of the speed to either side of the middle, at the next change where that is nearer, and halfway to
        // the highest speed.
        (&[30.0][..], 30.0, 6.0),
        (&[30.0, 40.0][..], 30.0, 6.0),
        (&[30.0, 33.0][..], 30.0, 3.0),
        (&[80.0][..], 80.0, 10.0),
        (&[90.0, 97.0][..], 90.0, 5.0),
    ] {
        let changing = slowed(&drive, straight(&tyres), &speeds[..1], 0.1);
        let [first, _] = changed(&drive, &changing).unwrap();
        assert!((first - begin).abs() < 0.02, "{speeds:?}: {first}");
        let both = slowed(&drive, straight(&tyres), speeds, 0.1);
        let [first, _] = changed(&drive, &both).unwrap();
        assert!((first - begin).abs() < 0.02, "{speeds:?}: {first}");
        let end = begin + width;
        let piece = both.pieces().iter().find(|piece| (piece.begin.sqrt() - end).abs() < 1e-9);
        assert!(piece.is_some() && (both.at(end * end) - 12.0).abs() < 1e-9, "{speeds:?}");
        // Just below its end, the loss is that of the band's last knots: there is one.
        let near = end - 0.1 * width;
        assert!(both.at(near * near) < 11.95, "{speeds:?}");
    }
    // Two changes that are close cost the time of two.
    let both = slowed(&drive, straight(&tyres), &[30.0, 33.0], 0.1);
    for [begin, end] in [[30.0, 33.0], [33.0, 39.6]] {
        assert_close(time(&both, begin, end) - time(&drive, begin, end), 0.1, 1e-4);
    }
}

#[test]
fn changes_at_standstill_and_from_the_highest_speed_on_cost_nothing() {
    let (tyres, drive) = (tyres(), SpeedCurve::growing(12.0, 0.0));
    for speed in [0.0, 100.0, 130.0] {
        assert_eq!(slowed(&drive, straight(&tyres), &[speed], 0.1), drive, "{speed}");
    }
    let with = slowed(&drive, straight(&tyres), &[0.0, 30.0, 100.0], 0.1);
    assert_eq!(with, slowed(&drive, straight(&tyres), &[30.0], 0.1));
}

#[test]
fn a_valley_of_the_drive_that_parabolas_would_miss_stays_as_it_is() {
    // Between two knots that are 0.375 m/s apart, the drive falls nearly to zero: a parabola through one of its flanks
    // would end below zero, and the vehicle could not pass the band.
    let (tyres, drive) =
        (tyres(), SpeedCurve::table(&[[0.0, 8.0], [32.1, 8.0], [32.2, 0.05], [32.3, 8.0], [60.0, 8.0]]));
    let straight = Straight { rolling_mps2: 0.0, drag_over_mass: 0.0, ..straight(&tyres) };
    let band = Band { straight, drive: &drive, middle: 33.0, half: 3.0 };
    assert!(band.time(&drive).is_finite());
    assert_eq!(slowed(&drive, straight, &[30.0], 0.1), drive);
}
