use std::cell::Cell;

use super::root;

/// The root of a function between two places, and how often it was computed.
fn found(f: impl Fn(f64) -> f64, low: f64, high: f64, guess: f64) -> (f64, usize) {
    let count = Cell::new(0);
    let counted = |w: f64| {
        count.set(count.get() + 1);
        f(w)
    };
    (root(counted, (low, f(low)), (high, f(high)), guess), count.get())
}

#[test]
fn a_root_is_found_in_few_evaluations() {
    // Curved to either side: without halving, one end would stay.
    for guess in [1.0, 40.0, 100.0, -5.0, 900.0] {
        for (f, expected) in [
            (&(|w: f64| w.powi(3) - 1000.0) as &dyn Fn(f64) -> f64, 10.0),
            (&|w: f64| 1e-3 - w.recip().powi(2), 1000.0_f64.sqrt()),
            (&|w: f64| (w / 10.0).sinh() - 50.0, 10.0 * 50.0_f64.asinh()),
        ] {
            let (w, count) = found(f, 0.5, 100.0, guess);
            assert!((w - expected).abs() <= 1e-9 * expected, "{guess}: {w} {expected}");
            assert!(count <= 26, "{guess}: {count}");
        }
    }
    // A line takes one step, an exact estimate none.
    assert_eq!(found(|w| w - 7.0, 0.5, 100.0, 7.0), (7.0, 1));
    let (w, count) = found(|w| w - 7.0, 0.5, 100.0, 40.0);
    assert!((w - 7.0).abs() < 1e-12 && count <= 3, "{w} {count}");
}
