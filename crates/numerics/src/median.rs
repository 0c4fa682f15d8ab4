//! The value in the middle of samples.

/// The median of `values`, of an even number the upper of the two in the middle; `None` of none.
///
/// ```
/// use raceline_numerics::median;
///
/// assert_eq!(median(vec![7.0, 1.0, 3.0]), Some(3.0));
/// assert_eq!(median(vec![7.0, 1.0, 3.0, 5.0]), Some(5.0));
/// assert_eq!(median(Vec::new()), None);
/// ```
#[must_use]
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f64::total_cmp).1)
}
