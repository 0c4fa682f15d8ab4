//! How long a road may be, and how closely it is cut: the bound on the work of everything that follows.
//!
//! The work of tracing, cutting and solving grows with the number of cross-sections. A section is a fraction of the
//! road's width long unless a shorter vehicle or the options ask for less, so a road's length in its own
//! widths is its need, and what is asked for beyond that is an extra with a limit.

/// Longest road, in its mean widths: 200 km of a road 2 m wide. A spiral or a hatching in a picture is longer.
pub const LONGEST_WIDTHS: f64 = 100_000.0;

/// Maximum number of cross-sections, by the mean spacing, of a road that is cut more closely than its width
/// asks for. A lap on as many takes a few seconds.
pub const MAX_CLOSE_SECTIONS: f64 = 20_000.0;

/// A road that is longer than [`LONGEST_WIDTHS`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the road is {widths:.0} times as long as it is wide, and the limit is {LONGEST_WIDTHS}: a spiral, a hatching or noise \
     is no road"
)]
pub struct RoadTooLong {
    /// Length of the road in its mean widths.
    pub widths: f64,
}

/// Checks a road of this length and mean width, both in the same unit.
///
/// # Errors
/// [`RoadTooLong`].
pub fn check_length(length: f64, width: f64) -> Result<(), RoadTooLong> {
    let widths = length / width;
    if widths > LONGEST_WIDTHS { Err(RoadTooLong { widths }) } else { Ok(()) }
}

/// The spacing that a road `length_m` long is cut with in place of the one that is wanted, where the width asks
/// for `by_width_m`.
///
/// ```
/// use raceline_road::road_length::allowed_spacing_m;
///
/// // A lap of 7 km and 14 m width at 0.1 m would have 70 000 sections.
/// assert_eq!(allowed_spacing_m(0.1, 2.3, 7000.0), 0.35);
/// assert_eq!(allowed_spacing_m(1.0, 2.3, 7000.0), 1.0);
/// // What the width asks for is always allowed.
/// assert_eq!(allowed_spacing_m(0.1, 1.0, 200_000.0), 1.0);
/// ```
#[must_use]
pub fn allowed_spacing_m(wanted_m: f64, by_width_m: f64, length_m: f64) -> f64 {
    wanted_m.max(by_width_m.min(length_m / MAX_CLOSE_SECTIONS))
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_WIDTHS, RoadTooLong, check_length};

    #[test]
    fn a_road_may_be_as_long_as_the_limit() {
        assert_eq!(check_length(2.0 * LONGEST_WIDTHS, 2.0), Ok(()));
        let error = check_length(2.1 * LONGEST_WIDTHS, 2.0).unwrap_err();
        assert_eq!(error, RoadTooLong { widths: 1.05 * LONGEST_WIDTHS });
        assert!(error.to_string().contains("105000 times as long as it is wide, and the limit is 100000"), "{error}");
    }
}
