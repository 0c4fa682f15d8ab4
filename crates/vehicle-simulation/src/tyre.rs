//! The lateral force of an axle: a brush tyre inside a friction ellipse.
//!
//! Fiala's brush model with a parabolic pressure distribution gives, for a slip angle α, cornering
//! stiffness C and largest force F,
//!
//! ```text
//! z = C |tan α| / (3 F)
//! force = F (1 - (1 - z)³)     z < 1: part of the contact patch adheres
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

/// Lateral force over slip angle, as a fraction of the largest lateral force.
///
/// ```
/// use raceline_vehicle_simulation::BrushTyre;
///
/// let tyre = BrushTyre::new(0.12);
/// assert_eq!(tyre.force_fraction(-0.2), -1.0);
/// assert!((tyre.slip_rad(tyre.force_fraction(0.05)) - 0.05).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrushTyre {
    /// Tangent of the slip angle from which all of the contact patch slides.
    peak_slip: f64,
}

impl BrushTyre {
    /// A tyre that reaches its largest force at the slip angle `peak_slip_rad`, in (0, π/2).
    #[must_use]
    pub fn new(peak_slip_rad: f64) -> Self {
        Self { peak_slip: peak_slip_rad.tan() }
    }

    /// Fraction of the largest lateral force at the slip angle `slip_rad`, in [-1, 1], with the
    /// sign of the slip angle.
    #[must_use]
    pub fn force_fraction(self, slip_rad: f64) -> f64 {
        let z = (slip_rad.tan().abs() / self.peak_slip).min(1.0);
        (1.0 - (1.0 - z).powi(3)).copysign(slip_rad)
    }

    /// Cornering stiffness as a fraction of the largest lateral force per radian: the slope at the
    /// origin.
    #[must_use]
    pub fn stiffness(self) -> f64 {
        3.0 / self.peak_slip
    }

    /// Slip angle, rad, at the fraction `force_fraction` of the largest lateral force, from -1 to
    /// 1: the inverse of [`Self::force_fraction`].
    #[must_use]
    pub fn slip_rad(self, force_fraction: f64) -> f64 {
        let z = 1.0 - (1.0 - force_fraction.abs().min(1.0)).cbrt();
        (z * self.peak_slip).atan().copysign(force_fraction)
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
    let demand = longitudinal.abs().powf(exponent) + lateral.abs().powf(exponent);
    if demand <= 1.0 {
        return (longitudinal, lateral);
    }
    let shrink = demand.powf(-exponent.recip());
    (longitudinal * shrink, lateral * shrink)
}
