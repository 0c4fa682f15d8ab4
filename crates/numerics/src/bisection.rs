//! Where a condition ends, by halving.

/// The two ends of the part of `low` to `high` in which `holds` ceases to be true, after so many
/// halvings. It is true at `low` and false at `high`, and changes once between them.
///
/// ```
/// use raceline_numerics::bisected;
///
/// let [below, above] = bisected([0.0, 2.0], 50, |x| x * x <= 2.0);
/// assert!(below <= 2_f64.sqrt() && above > 2_f64.sqrt() && above - below < 1e-14);
/// ```
#[must_use]
pub fn bisected([mut low, mut high]: [f64; 2], halvings: usize, mut holds: impl FnMut(f64) -> bool) -> [f64; 2] {
    for _ in 0..halvings {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::bisected;

    #[test]
    fn the_ends_are_on_either_side_and_as_near_as_the_halvings_make_them() {
        assert_eq!(bisected([1.0, 3.0], 3, |x| x < 2.1), [2.0, 2.25]);
        assert_eq!(bisected([3.0, 1.0], 2, |x| x > 1.1), [1.5, 1.0]);
        assert_eq!(bisected([1.0, 3.0], 0, |_| true), [1.0, 3.0]);
    }
}
