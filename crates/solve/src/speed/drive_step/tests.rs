use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{DriveStep, solve};
use raceline_car::{Piece, SpeedCurve};

const PIECE: Piece = Piece { begin: 0.0, end: f64::INFINITY, constant: 0.0, linear: 0.0, square: 0.0, inverse: 0.0 };

#[track_caller]
fn assert_solved(piece: &Piece, base: f64, gain: f64) {
    let (w, d) = solve(piece, base, gain, 3.0);
    assert!((w - base - gain * d).abs() <= 1e-9 * w.max(1.0), "{piece:?}: {w} {d}");
    assert!((piece.at(w) - d).abs() <= 1e-9 * d.abs().max(1.0), "{piece:?}: {w} {d}");
}

#[test]
fn a_step_on_a_piece_solves_its_equation() {
    for (base, gain) in [(400.0, 3.0), (90.0, 8.0), (0.5, 2.0), (1500.0, 0.7)] {
        for (constant, square) in [(4.0, 0.0), (4.0, -0.002), (2.0, 0.03), (-3.0, 0.001)] {
            // By hand: w = (base + gain a) / (1 - gain c).
            let piece = Piece { constant, square, ..PIECE };
            let w = (base + gain * constant) / (1.0 - gain * square);
            let found = solve(&piece, base, gain, 0.0);
            assert!((found.0 - w).abs() <= 1e-12 * w.abs(), "{piece:?}: {found:?} {w}");
            assert!((found.1 - constant - square * w).abs() < 1e-9, "{piece:?}: {found:?}");
            for linear in [-0.2, 0.1] {
                assert_solved(&Piece { constant: constant.abs(), linear, square, ..PIECE }, base, gain);
            }
        }
        assert_solved(&Piece { inverse: 150.0, ..PIECE }, base, gain);
    }
    // From standstill by constant power, v³ = gain p, and where resistance takes more than there
    // is.
    assert_solved(&Piece { inverse: 150.0, ..PIECE }, 0.0, 2.0);
    assert_solved(&Piece { inverse: 150.0, ..PIECE }, -20.0, 2.0);
}

#[test]
fn a_drive_that_grows_faster_than_the_step_allows_has_no_end() {
    let growing = |square: f64| solve(&Piece { constant: 4.0, square, ..PIECE }, 100.0, 10.0, 0.0).0;
    assert!(growing(0.09).is_finite() && growing(0.1) == f64::INFINITY && growing(0.2) == f64::INFINITY);
    // A valley: the lower of the roots 5 and 10 of v² - 15 v + 50 = 0.
    let valley = |constant: f64, linear: f64| solve(&Piece { constant, linear, square: 0.2, ..PIECE }, 0.0, 10.0, 0.0);
    let (w, d) = valley(5.0, -1.5);
    assert!((w - 25.0).abs() < 1e-9 && (d - 2.5).abs() < 1e-9, "{w} {d}");
    // None is overtaken where the discriminant is negative or the drive grows from the begin.
    assert_eq!(valley(6.0, -1.5), (f64::INFINITY, f64::INFINITY));
    assert_eq!(valley(5.0, 0.0), (f64::INFINITY, f64::INFINITY));
    assert_eq!(valley(5.0, 1.5), (f64::INFINITY, f64::INFINITY));
    // With a base below what the step needs, it stands.
    assert_eq!(valley(-5.0, -1.5).0, 0.0);
    let curve = SpeedCurve::growing(4.0, 0.2);
    assert_eq!(DriveStep::new(&curve).step(100.0, 10.0, 0.0).0, f64::INFINITY);
}

#[test]
fn a_step_is_the_same_from_each_piece() {
    let curves = [
        SpeedCurve::table(&[[0.0, 7.0], [12.0, 7.6], [25.0, 4.0], [33.0, 4.4], [60.0, 2.0]]),
        SpeedCurve::falling_with_speed(7.0, 180.0),
    ];
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for curve in &curves {
        let pieces = curve.pieces().len();
        assert!(pieces > 2);
        for _ in 0..200 {
            let (w, gain) = (3600.0 * random.random::<f64>(), 0.5 + 5.0 * random.random::<f64>());
            let d = curve.at(w);
            for piece in 0..pieces {
                let mut step = DriveStep { curve, piece };
                let (end, there) = step.step(w - gain * d, gain, d);
                assert!((end - w).abs() <= 1e-7 * w.max(1.0), "{piece}: {end} {w}");
                assert!((there - d).abs() <= 1e-7, "{piece}: {there} {d}");
                let used = &curve.pieces()[step.piece];
                assert!(used.begin <= end && end <= used.end, "{piece}");
                assert_eq!(DriveStep { curve, piece }.at(w), d);
            }
        }
        // Braked by more than the drive gives, it stands at the first piece.
        for piece in 0..pieces {
            let mut step = DriveStep { curve, piece };
            assert!(step.step(-50.0, 2.0, 3.0).0 < 0.01 && step.piece == 0, "{piece}");
        }
    }
}
