//! How two neighbouring bounds make up what is missing to the margin between them.
//!
//! With bounds a and b, inwards of an edge, the path between them at the fraction f is at
//! `(1 - f) a + f b`. What is missing there, m, is made up by moving the outer bound alone, as far
//! as the inner one; only then both:
//!
//! ```text
//! (1 - f) Δa + f Δb = m                                                                      (1)
//! ```
//!
//! Where a region begins between two stations, the one before it is free and the one beside it is
//! not. Moving both would keep lines farther from the region than the margin.

/// By how much both bounds move inwards for what is `missing` at the fraction `fraction` of the
/// path from one to the other, m, which is `step` farther inwards; 0 where nothing is missing.
pub(crate) fn moves(missing: f64, fraction: f64, step: f64) -> [f64; 2] {
    if missing <= 0.0 {
        return [0.0; 2];
    }
    // Equation (1).
    if step > 0.0 {
        let first = (missing / (1.0 - fraction)).min(step);
        let rest = missing - (1.0 - fraction) * first;
        [first + rest, rest]
    } else {
        let second = (missing / fraction).min(-step);
        let rest = missing - fraction * second;
        [rest, second + rest]
    }
}

#[cfg(test)]
mod tests {
    use super::moves;

    #[test]
    fn the_outer_bound_moves_first_and_what_is_missing_is_made_up() {
        assert_eq!(moves(-1.0, 0.5, 3.0), [0.0; 2]);
        assert_eq!(moves(1.0, 0.5, 3.0), [2.0, 0.0]);
        assert_eq!(moves(1.0, 0.25, -8.0), [0.0, 4.0]);
        for (missing, fraction, step) in [(1.0, 0.5, 0.4), (2.0, 0.75, -0.1), (0.3, 0.25, 0.0)] {
            let [first, second] = moves(missing, fraction, step);
            let made_up: f64 = (1.0 - fraction) * first + fraction * second;
            assert!((made_up - missing).abs() < 1e-12, "{first} {second}");
        }
    }
}
