//! The lateral force of an axle: a tyre's curve inside a friction ellipse.
//!
//! Fiala's brush model with a parabolic pressure distribution gives, for a slip angle α, cornering
//! stiffness C and largest force F,
//!
//! ```text
//! z = C |tan α| / (3 F)
//! force = F (1 - (1 - z)³)     z < 1: part of the contact patch adheres      (1)
//! force = F                    z ≥ 1: all of it slides
//! ```
//!
//! against the slip. It rises with slope C from the origin and reaches F without a kink at the slip
//! tan α = 3 F / C. Source: E. Fiala, *Seitenkräfte am rollenden Luftreifen*, VDI-Zeitschrift 96
//! (1954), in the form of Pacejka, *Tire and Vehicle Dynamics* (3rd ed., 2012), section 3.2.1. The
//! force does not drop beyond the peak.
//!
//! Deviation: the slip angle of the peak is the parameter in place of C. F can therefore be taken
//! from a vehicle's acceleration limits. As F grows with downforce, C grows in proportion.
//!
//! Tyres that are stiffer or softer than a brush tyre with their peak have the curve of
//! [`TyreSlip`]: with r³ = 1 - force / F, and a and b as there, but of tangents,
//!
//! ```text
//! |tan α| = a (1 - r) + b (1 - r³)                                           (2)
//! ```
//!
//! At b = 0 that is equation (1) with r = 1 - z. The cubic in r has one real root: with p = a / b
//! and q = (a + b - |tan α|) / b,
//!
//! ```text
//! r = 2 √(p/3) sinh(⅓ asinh(3 q / (2 p) √(3/p)))                             (3)
//! ```
//!
//! Source: NIST Digital Library of Mathematical Functions, section 4.43, for r³ + p r = q.

use raceline_car::TyreSlip;

/// Lateral force over slip angle, as a fraction of the largest lateral force.
///
/// ```
/// use raceline_vehicle_simulation::{Tyre, TyreSlip};
///
/// let tyre = Tyre::new(TyreSlip::brush(0.12));
/// assert_eq!(tyre.force_fraction(-0.2), -1.0);
/// assert!((tyre.slip_rad(tyre.force_fraction(0.05)) - 0.05).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tyre {
    /// a of equation (2).
    curved: f64,
    /// b of equation (2).
    linear: f64,
}

impl Tyre {
    /// A tyre with the curve `slip`, whose peak lies in (0, π/2) rad.
    #[must_use]
    pub fn new(slip: TyreSlip) -> Self {
        let (curved, linear) = slip.parts_rad();
        let peak = curved + linear;
        let tangent = peak.tan();
        Self { curved: tangent * (curved / peak), linear: tangent * (linear / peak) }
    }

    /// Fraction of the largest lateral force at the slip angle `slip_rad`, in [-1, 1], with the
    /// sign of the slip angle.
    #[must_use]
    pub fn force_fraction(self, slip_rad: f64) -> f64 {
        let peak = self.curved + self.linear;
        let slip = slip_rad.tan().abs().min(peak);
        let used = if self.curved == 0.0 {
            slip / self.linear
        } else {
            let root = if self.linear == 0.0 {
                1.0 - slip / self.curved // equation (1)
            } else {
                // Equation (3).
                let p = self.curved / self.linear;
                let q = (peak - slip) / self.linear;
                2.0 * (p / 3.0).sqrt() * ((1.5 * q / p * (3.0 / p).sqrt()).asinh() / 3.0).sinh()
            };
            1.0 - root.powi(3)
        };
        used.min(1.0).copysign(slip_rad)
    }

    /// Cornering stiffness as a fraction of the largest lateral force per radian: the slope at the
    /// origin.
    #[must_use]
    pub fn stiffness(self) -> f64 {
        3.0 / (self.curved + 3.0 * self.linear)
    }

    /// Slip angle, rad, at the fraction `force_fraction` of the largest lateral force, from -1 to
    /// 1: the inverse of [`Self::force_fraction`].
    #[must_use]
    pub fn slip_rad(self, force_fraction: f64) -> f64 {
        let used = force_fraction.abs().min(1.0);
        // Equation (2).
        (self.curved * (1.0 - (1.0 - used).cbrt()) + self.linear * used).atan().copysign(force_fraction)
    }
}

/// Longitudinal and lateral force, each as a fraction of its limit, brought inside the ellipse
/// `|x|^p + |y|^p ≤ 1` of exponent p ≥ 1: demands outside it shrink in proportion until they lie on
/// it.
///
/// The reduction models anti-lock brakes and a traction control: a tyre with too large a demand
/// keeps a part of both forces. Full brakes in the middle of a bend take three tenths of the
/// lateral force, not all of it.
#[must_use]
pub fn inside_ellipse(longitudinal: f64, lateral: f64, exponent: f64) -> (f64, f64) {
    // The usual exponent, several times faster.
    let is_circle = exponent == 2.0;
    let demand = if is_circle {
        longitudinal * longitudinal + lateral * lateral
    } else {
        longitudinal.abs().powf(exponent) + lateral.abs().powf(exponent)
    };
    if demand <= 1.0 {
        return (longitudinal, lateral);
    }
    let shrink = if is_circle { demand.sqrt().recip() } else { demand.powf(-exponent.recip()) };
    (longitudinal * shrink, lateral * shrink)
}
