//! Angles.

use std::f64::consts::{PI, TAU};

/// The equivalent angle in (-π, π], radians. An angle in this range is returned unchanged. NaN and
/// infinities return NaN.
///
/// The remainder is exact. Shifting it into the range adds one rounding of at most 4.5e-16.
///
/// ```
/// use std::f64::consts::PI;
///
/// use raceline_numerics::wrap_angle;
///
/// assert_eq!(wrap_angle(-PI), PI);
/// assert!((wrap_angle(7.0) - (7.0 - 2.0 * PI)).abs() < 1e-15);
/// ```
#[inline]
#[must_use]
pub fn wrap_angle(angle: f64) -> f64 {
    // Nearly all angles are in the range, and a remainder costs more than two comparisons.
    if angle > -PI && angle <= PI {
        return angle;
    }
    let wrapped = angle.rem_euclid(TAU);
    if wrapped > PI { wrapped - TAU } else { wrapped }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI, TAU};

    use super::wrap_angle;

    #[test]
    fn angles_in_the_range_keep_their_bits() {
        for angle in [0.0, -0.0, 1e-300, -1e-300, 3.0, -3.0, PI, (-PI).next_up()] {
            assert_eq!(wrap_angle(angle).to_bits(), angle.to_bits(), "{angle}");
        }
    }

    #[test]
    fn whole_turns_are_taken_off() {
        for (angle, expected) in [(-PI, PI), (TAU, 0.0), (3.0 * FRAC_PI_2, -FRAC_PI_2), (-3.0 * FRAC_PI_2, FRAC_PI_2)] {
            assert!((wrap_angle(angle) - expected).abs() < 1e-15, "{angle}: {}", wrap_angle(angle));
        }
        for turns in -20..=20 {
            let angle = 1.25 + f64::from(turns) * TAU;
            assert!((wrap_angle(angle) - 1.25).abs() < 1e-13, "{turns}");
        }
    }

    /// Rounding at either end of the range must not leave the range.
    #[test]
    fn the_range_is_half_open() {
        for end in [PI, -PI, TAU, -TAU, 3.0 * PI, -3.0 * PI, 1e9 * PI] {
            for angle in [end.next_down(), end, end.next_up()] {
                let wrapped = wrap_angle(angle);
                assert!(wrapped > -PI && wrapped <= PI, "{angle}: {wrapped}");
            }
        }
    }

    #[test]
    fn what_is_no_angle_gives_nan() {
        for angle in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(wrap_angle(angle).is_nan());
        }
    }
}
