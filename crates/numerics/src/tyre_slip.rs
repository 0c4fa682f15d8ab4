//! Slip angle of a tyre over the use of its lateral limit.
//!
//! With the use u, the force across by the largest one, the slip s of a unit of use where it is
//! small, and the slip p of the peak:
//!
//! ```text
//! α(u) = a (1 - (1 - u)^⅓) + b u,     a = 3/2 (p - s),     b = 3/2 s - p/2                    (1)
//! ```
//!
//! It has the slope s at u = 0 and the value p at u = 1. At p = 3 s it is Fiala's brush tyre; at p
//! = s the force is proportional to the slip up to the limit.
//!
//! The inverse: r³ = 1 - u is the one real root of a cubic, with p = a / b and q = (a + b - α) / b,
//!
//! ```text
//! r³ + p r = q                                                                               (2)
//! r = 2 √(p/3) sinh(⅓ asinh(3 q / (2 p) √(3/p)))                                             (3)
//! ```
//!
//! Source: NIST Digital Library of Mathematical Functions, section 4.43. At b = 0, r = 1 - α / a.

use crate::math;

/// Use of the limit at which [`TyreSlip::brush_peak_rad`] has the slip of this tyre, 0 to 1: where
/// a vehicle is in bends. A larger one fits the tyre at its peak, a smaller one below it.
const FITTED_USE: f64 = 0.8;

/// The slip angle over the use of the lateral limit.
///
/// ```
/// use raceline_numerics::TyreSlip;
///
/// let brush = TyreSlip::brush(0.12);
/// assert!((brush.at(0.875) - 0.06).abs() < 1e-12); // 1 - 0.125^⅓ is a half
/// let linear = TyreSlip::with_slope(0.2, 0.2);
/// assert!((linear.at(0.5) - 0.1).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TyreSlip {
    /// a of equation (1), rad.
    curved_rad: f64,
    /// b of equation (1), rad.
    linear_rad: f64,
}

impl TyreSlip {
    /// A brush tyre with its peak at `peak_rad`, rad, above 0.
    #[must_use]
    pub fn brush(peak_rad: f64) -> Self {
        Self { curved_rad: peak_rad, linear_rad: 0.0 }
    }

    /// A tyre with the slip `slope_rad` of a unit of use where it is small, above 0: the largest
    /// force by the cornering stiffness. The slip of the peak, `peak_rad`, is at least that and at
    /// most three times that, as of a brush tyre; beyond, the top of the curve is flat. Both are in
    /// rad.
    #[must_use]
    pub fn with_slope(slope_rad: f64, peak_rad: f64) -> Self {
        let peak = peak_rad.clamp(slope_rad, 3.0 * slope_rad);
        Self { curved_rad: 1.5 * (peak - slope_rad), linear_rad: (1.5 * slope_rad - 0.5 * peak).max(0.0) }
    }

    /// The slip at a use, 0 to 1, rad.
    #[must_use]
    pub fn at(self, used: f64) -> f64 {
        self.with_cube_root(used, math::cbrt(1.0 - used))
    }

    /// As [`Self::at`], where the cube root of `1 - used` is known.
    #[must_use]
    pub fn with_cube_root(self, used: f64, root: f64) -> f64 {
        self.curved_rad * (1.0 - root) + self.linear_rad * used // equation (1)
    }

    /// The slope dα/du where the cube root of `1 - used` is `root`, above 0, rad.
    #[must_use]
    pub fn slope_with_cube_root(self, root: f64) -> f64 {
        self.curved_rad / (3.0 * root * root) + self.linear_rad // the derivative of equation (1)
    }

    /// The use at a slip, rad, with the sign of the slip; ±1 beyond the peak: the inverse of
    /// [`Self::at`].
    #[must_use]
    pub fn used_at(self, slip_rad: f64) -> f64 {
        let slip = slip_rad.abs().min(self.peak_rad());
        let used = if self.curved_rad == 0.0 {
            slip / self.linear_rad
        } else {
            let root = if self.linear_rad == 0.0 {
                1.0 - slip / self.curved_rad
            } else {
                // Equation (2), solved by equation (3).
                let p = self.curved_rad / self.linear_rad;
                let q = (self.peak_rad() - slip) / self.linear_rad;
                2.0 * (p / 3.0).sqrt() * math::sinh(math::asinh(1.5 * q / p * (3.0 / p).sqrt()) / 3.0)
            };
            1.0 - math::powi(root, 3)
        };
        used.min(1.0).copysign(slip_rad)
    }

    /// The slip of a unit of use where it is small, rad.
    #[must_use]
    pub fn slope_rad(self) -> f64 {
        self.curved_rad / 3.0 + self.linear_rad
    }

    /// The slip of the peak, rad.
    #[must_use]
    pub fn peak_rad(self) -> f64 {
        self.curved_rad + self.linear_rad
    }

    /// A tyre with the peak at `peak_rad`, rad, above 0, and the slip at each use in proportion.
    #[must_use]
    pub fn with_peak(self, peak_rad: f64) -> Self {
        let peak = self.peak_rad();
        Self { curved_rad: peak_rad * (self.curved_rad / peak), linear_rad: peak_rad * (self.linear_rad / peak) }
    }

    /// How much of the slip of the peak is proportional to the force, 0 to 1: 0 for a brush tyre,
    /// whose force hardly grows near its peak, 1 for one that is linear up to it.
    #[must_use]
    pub fn linear_fraction(self) -> f64 {
        self.linear_rad / self.peak_rad()
    }

    /// The slip of the peak of the brush tyre that stands for this one: both slip alike at 0.8 of
    /// the limit.
    #[must_use]
    pub fn brush_peak_rad(self) -> f64 {
        self.curved_rad + self.linear_rad * FITTED_USE / (1.0 - math::cbrt(1.0 - FITTED_USE))
    }
}

#[cfg(test)]
mod tests {
    use super::TyreSlip;

    #[test]
    fn slope_and_peak_are_those_that_were_asked_for() {
        for (slope, peak) in [(0.2, 0.2), (0.05, 0.1), (0.04, 0.12)] {
            let tyre = TyreSlip::with_slope(slope, peak);
            assert!((tyre.at(1.0) - peak).abs() < 1e-12);
            assert!((tyre.at(1e-6) / 1e-6 - slope).abs() < 1e-6);
            assert!((tyre.slope_rad() - slope).abs() < 1e-12);
            assert!((tyre.linear_fraction() - 1.5 * (slope / peak) + 0.5).abs() < 1e-12);
            let brush = TyreSlip::brush(tyre.brush_peak_rad());
            assert!((brush.at(0.8) - tyre.at(0.8)).abs() < 1e-12);
        }
    }

    #[test]
    fn the_slope_is_that_of_differences() {
        for tyre in [TyreSlip::brush(0.12), TyreSlip::with_slope(0.05, 0.1), TyreSlip::with_slope(0.2, 0.2)] {
            for used in [0.1_f64, 0.5, 0.9] {
                let difference = (tyre.at(used + 1e-6) - tyre.at(used - 1e-6)) / 2e-6;
                let slope = tyre.slope_with_cube_root((1.0 - used).cbrt());
                assert!((slope - difference).abs() < 1e-6, "{tyre:?} {used}: {slope}, {difference}");
            }
        }
    }

    #[test]
    fn the_use_at_a_slip_is_the_inverse_of_the_slip_at_a_use() {
        let mixed = [TyreSlip::with_slope(0.05, 0.1), TyreSlip::with_slope(0.06, 0.1), TyreSlip::with_slope(0.09, 0.1)];
        for tyre in [TyreSlip::brush(0.12), TyreSlip::with_slope(0.2, 0.2)].into_iter().chain(mixed) {
            for used in [0.0, 0.1, 0.5, 0.8, 0.95, 0.99] {
                let found = tyre.used_at(tyre.at(used));
                assert!((found - used).abs() < 1e-12, "{tyre:?} {used}: {found}");
                assert_eq!(tyre.used_at(-tyre.at(used)), -found);
            }
            assert_eq!(tyre.used_at(2.0 * tyre.peak_rad()), 1.0);
        }
    }

    #[test]
    fn another_peak_stretches_every_slip() {
        let tyre = TyreSlip::with_slope(0.05, 0.1);
        let stretched = tyre.with_peak(0.16);
        assert!((stretched.peak_rad() - 0.16).abs() < 1e-12);
        for used in [0.1, 0.5, 0.9] {
            assert!((stretched.at(used) - 1.6 * tyre.at(used)).abs() < 1e-12);
        }
    }

    #[test]
    fn a_peak_out_of_reach_is_that_of_the_nearest_tyre() {
        assert_eq!(TyreSlip::with_slope(0.1, 0.05), TyreSlip::with_slope(0.1, 0.1));
        let flat = TyreSlip::with_slope(0.1, 0.9);
        assert!((flat.at(0.7) - TyreSlip::brush(0.3).at(0.7)).abs() < 1e-12);
        assert_eq!(TyreSlip::brush(0.14).brush_peak_rad(), 0.14);
    }
}
