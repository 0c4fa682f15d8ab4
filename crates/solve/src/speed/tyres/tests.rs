#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{AnyTyres, PlainTyres, Tyres, step_with_limits_held};
use raceline_car::{GgDiagram, Superellipse, Vehicle, preset};

fn diagram(change: Vehicle) -> GgDiagram {
    GgDiagram::new(&change).unwrap()
}

fn plain() -> Vehicle {
    Vehicle {
        mass_kg: 900.0,
        lateral_limit_mps2: 12.0,
        longitudinal_limit_mps2: 10.0,
        downforce_kgpm: 1.1,
        ellipse_exponent: 2.0,
        ..preset("gt").unwrap()
    }
}

#[test]
fn a_step_with_limits_held_is_on_the_ellipse() {
    for (ellipse, exponent) in [
        (Superellipse::Diamond, 1.0),
        (Superellipse::Ellipse, 2.0),
        (Superellipse::General { exponent: 1.4 }, 1.4),
        (Superellipse::General { exponent: 3.0 }, 3.0),
    ] {
        for (k, base, gain) in [(0.002, 300.0, 2.0), (0.01, 60.0, 6.0), (0.01, 99.0, 1.0), (1e-5, 900.0, 4.0)] {
            for guess in [0.0, 3.0, 10.0] {
                let t = step_with_limits_held(ellipse, 10.0, k, base, gain, guess);
                let used: f64 = (t / 10.0_f64).powf(exponent) + (k * (base + gain * t)).powf(exponent);
                assert!(t > 0.0 && (used - 1.0).abs() < 1e-8, "{ellipse:?} {k} {base}: {t} {used}");
            }
            // Beyond the limit of cornering nothing is left; on a straight all of it is.
            assert_eq!(step_with_limits_held(ellipse, 10.0, k, 1.001 / k, gain, 3.0), 0.0);
            let straight = step_with_limits_held(ellipse, 10.0, 0.0, base, gain, 3.0);
            assert!((straight - 10.0).abs() < 1e-12, "{ellipse:?} {straight}");
        }
    }
}

/// Both kinds of tyres on vehicles that both can be.
#[test]
fn plain_tyres_are_those_of_any_kind() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for downforce_kgpm in [0.0, 1.1] {
        let diagram = diagram(Vehicle { downforce_kgpm, ..plain() });
        let mut tyres = PlainTyres::of(&diagram).unwrap();
        let [mut any, _] = AnyTyres::both(&diagram);
        for _ in 0..300 {
            let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
            let (kappa, gain) = (between(0.001, 0.08), between(0.5, 6.0));
            let (one, other) = (tyres.cornering(kappa, 4000.0), any.cornering(kappa, 4000.0));
            assert!((one - other).abs() <= 1e-9 * other, "{kappa}: {one} {other}");
            let base = one * between(0.3, 0.999);
            let (one, other) = (tyres.left(base, kappa), any.left(base, kappa));
            assert!((one - other).abs() <= 1e-7, "{base} {kappa}: {one} {other}");
            assert!((tyres.lateral(base) - any.lateral(base)).abs() <= 1e-9);
            let (part, whole) = (0.999 * one, 1.001 * one);
            for (force, has) in [(part, true), (whole, false)] {
                assert_eq!(
                    (tyres.carry(3.0 * force, 3.0, base, kappa), any.carry(3.0 * force, 3.0, base, kappa)),
                    (has, has)
                );
            }
            // The step's own equation, w' = base + gain t(w').
            let (one, other) = (tyres.step(base, gain, kappa, 3.0), any.step(base, gain, kappa, 3.0));
            assert!((one - other).abs() <= 1e-5, "{base} {gain} {kappa}: {one} {other}");
            let there = base + gain * one;
            assert!((tyres.left(there, kappa) - one).abs() <= 1e-3 * one.max(1.0), "{one} {there}");
        }
        // Beyond the limit nothing is left, and the square of what is missing counts as nothing.
        assert_eq!((tyres.left(2000.0, 0.08), any.left(2000.0, 0.08)), (0.0, 0.0));
        assert!(!tyres.carry(1.0, 1.0, 2000.0, 0.08) && !any.carry(1.0, 1.0, 2000.0, 0.08));
    }
}

#[test]
fn a_step_into_endless_downforce_is_endless() {
    let diagram = diagram(Vehicle { downforce_kgpm: 9.0, ..plain() });
    let mut tyres = PlainTyres::of(&diagram).unwrap();
    // On a straight, the tyres' limit along, 10 m/s² at standstill, grows faster than the step
    // allows.
    let steepest = 1.0 / (10.0 * tyres.growth);
    assert_eq!(tyres.step(100.0, 1.01 * steepest, 0.0, 0.0), f64::INFINITY);
    assert!(tyres.step(100.0, 0.99 * steepest, 0.0, 0.0).is_finite());
    // More speed adds more grip than a wide bend requires.
    assert_eq!(tyres.cornering(1e-4, 4000.0), 4000.0);
}

#[test]
fn other_tyres_are_not_plain() {
    for other in [
        Vehicle { ellipse_exponent: 1.5, ..plain() },
        Vehicle { driving_exponent: Some(1.3), ..plain() },
        Vehicle { front_downforce_fraction: Some(0.35), front_weight_fraction: Some(0.5), ..plain() },
    ] {
        assert!(PlainTyres::of(&diagram(other)).is_none());
    }
}
