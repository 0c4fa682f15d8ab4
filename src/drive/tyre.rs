//! The lateral force of an axle: a brush tyre inside a friction ellipse.
//!
//! Fiala's brush model with a parabolic pressure distribution gives, for a slip angle α, cornering stiffness C and largest force F,
//!
//! ```text
//! z = C |tan α| / (3 F)
//! force = F (1 - (1 - z)³)     z < 1: part of the contact patch adheres
//! force = F                    z ≥ 1: all of it slides
//! ```
//!
//! against the slip. It rises with slope C from the origin and reaches F without a kink at the slip tan α = 3 F / C. Source: E. Fiala,
//! *Seitenkräfte am rollenden Luftreifen*, VDI-Zeitschrift 96 (1954), in the form of Pacejka, *Tire and Vehicle Dynamics*
//! (3rd ed., 2012), section 3.2.1. There is no drop beyond the peak.
//!
//! The peak slip is a parameter here in place of C, so that the limits, and not the stiffness, are what a vehicle says. As F grows with
//! downforce, C grows alike.

/// A tyre's curve as the share of its largest lateral force over the slip angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrushTyre {
    /// Tangent of the slip angle from which all of the contact patch slides.
    peak_slip: f64,
}

impl BrushTyre {
    /// A tyre that reaches its largest force at the slip angle `peak_slip_rad`, in (0, π/2).
    pub fn new(peak_slip_rad: f64) -> Self {
        Self { peak_slip: peak_slip_rad.tan() }
    }

    /// The share of the largest lateral force at the slip angle `slip_rad`, in [-1, 1]; with the sign of the slip angle.
    pub fn share(self, slip_rad: f64) -> f64 {
        let z = (slip_rad.tan().abs() / self.peak_slip).min(1.0);
        (1.0 - (1.0 - z).powi(3)).copysign(slip_rad)
    }

    /// Cornering stiffness as the share of the largest lateral force per radian of slip: the slope at the origin.
    pub fn stiffness(self) -> f64 {
        3.0 / self.peak_slip
    }

    /// The slip angle, rad, at which the share of the largest lateral force is `share` from -1 to 1: the inverse of [`Self::share`].
    pub fn slip(self, share: f64) -> f64 {
        let z = 1.0 - (1.0 - share.abs().min(1.0)).cbrt();
        (z * self.peak_slip).atan().copysign(share)
    }
}

/// What the two shares (longitudinal and lateral, of the largest force each way) become inside the ellipse
/// `|x|^p + |y|^p ≤ 1`: demands outside it shrink in proportion until they lie on it.
///
/// That is what anti-lock brakes and a traction control make of a pedal that asks for too much: the tyre keeps a part of both
/// forces. A full pedal in the middle of a bend takes three tenths of the lateral force, not all of it.
pub fn inside_ellipse(longitudinal: f64, lateral: f64, exponent: f64) -> (f64, f64) {
    let demand = longitudinal.abs().powf(exponent) + lateral.abs().powf(exponent);
    if demand <= 1.0 {
        return (longitudinal, lateral);
    }
    let shrink = demand.powf(-exponent.recip());
    (longitudinal * shrink, lateral * shrink)
}
