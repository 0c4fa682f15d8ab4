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
//! [`TyreSlip`], of the tangent of the slip angle in place of the angle. The curve of its brush tyre
//! is equation (1).

use raceline_car::TyreSlip;
use raceline_numerics::math;

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
    /// The tangent of the slip angle over the use.
    tangent: TyreSlip,
}

impl Tyre {
    /// A tyre with the curve `slip`, whose peak lies in (0, π/2) rad.
    #[must_use]
    pub fn new(slip: TyreSlip) -> Self {
        Self { tangent: slip.with_peak(math::tan(slip.peak_rad())) }
    }

    /// Fraction of the largest lateral force at the slip angle `slip_rad`, in [-1, 1], with the
    /// sign of the slip angle.
    #[must_use]
    pub fn force_fraction(self, slip_rad: f64) -> f64 {
        // The tangent has the sign of the angle from -π/2 to π/2 alone.
        self.tangent.used_at(math::tan(slip_rad).abs().copysign(slip_rad))
    }

    /// Cornering stiffness as a fraction of the largest lateral force per radian: the slope at the
    /// origin.
    #[must_use]
    pub fn stiffness(self) -> f64 {
        1.0 / self.tangent.slope_rad()
    }

    /// Slip angle, rad, at the fraction `force_fraction` of the largest lateral force, from -1 to
    /// 1: the inverse of [`Self::force_fraction`].
    #[must_use]
    pub fn slip_rad(self, force_fraction: f64) -> f64 {
        math::atan(self.tangent.at(force_fraction.abs().min(1.0))).copysign(force_fraction)
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
        math::powf(longitudinal.abs(), exponent) + math::powf(lateral.abs(), exponent)
    };
    if demand <= 1.0 {
        return (longitudinal, lateral);
    }
    let shrink = if is_circle { demand.sqrt().recip() } else { math::powf(demand, -exponent.recip()) };
    (longitudinal * shrink, lateral * shrink)
}
