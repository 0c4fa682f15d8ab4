//! The g-g diagram: which accelerations a vehicle can reach at a speed and a curvature.
//!
//! Everything is a function of w = v², the squared speed: it is what a speed profile integrates over distance
//! (dw/ds = 2a), and grip, drag and lateral acceleration are linear in it. With mass m, downforce coefficient c_l, drag
//! coefficient c_d, standstill limits A_x and A_y, exponent p and curvature κ:
//!
//! ```text
//! grip factor            D(w) = 1 + c_l w / (m g)
//! lateral use            u    = |κ| w / (A_y D)                        at most 1
//! tyres, longitudinal    t    = A_x D (1 - u^p)^(1/p)
//! acceleration           a₊   = min(t, drive(w)) - c_d w / m
//! deceleration           a₋   = t + c_d w / m
//! cornering              u ≤ 1  ⇔  w (|κ| - A_y c_l / (m g)) ≤ A_y
//! ```

use super::{DriveCurve, STANDARD_GRAVITY, Vehicle, VehicleError};

/// A [`Vehicle`] compiled for evaluation in hot loops. Curvatures are passed without their sign.
#[derive(Clone, Debug, PartialEq)]
pub struct GgDiagram {
    /// A_y, m/s².
    lateral_limit: f64,
    inverse_lateral_limit: f64,
    /// A_x, m/s².
    longitudinal_limit: f64,
    ellipse: Superellipse,
    /// c_l / (m g), s²/m².
    grip_growth: f64,
    /// c_d / m, 1/m.
    drag_over_mass: f64,
    drive: DriveCurve,
    max_speed_squared: f64,
}

/// The friction ellipse by its exponent; the two usual ones do without powers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Superellipse {
    Diamond,
    Ellipse,
    General { exponent: f64 },
}

impl Superellipse {
    fn with_exponent(exponent: f64) -> Self {
        if exponent == 1.0 {
            Self::Diamond
        } else if exponent == 2.0 {
            Self::Ellipse
        } else {
            Self::General { exponent }
        }
    }

    /// The share of the longitudinal limit that is left when the share `lateral_use`, from 0 to 1, of the lateral limit
    /// is used.
    #[inline]
    fn remaining(self, lateral_use: f64) -> f64 {
        match self {
            Self::Diamond => 1.0 - lateral_use,
            Self::Ellipse => (1.0 - lateral_use * lateral_use).sqrt(),
            Self::General { exponent } => (1.0 - lateral_use.powf(exponent)).powf(exponent.recip()),
        }
    }
}

impl GgDiagram {
    /// Validates and compiles `vehicle`.
    pub fn new(vehicle: &Vehicle) -> Result<Self, VehicleError> {
        vehicle.validate()?;
        Ok(Self {
            lateral_limit: vehicle.lateral_limit_mps2,
            inverse_lateral_limit: vehicle.lateral_limit_mps2.recip(),
            longitudinal_limit: vehicle.longitudinal_limit_mps2,
            ellipse: Superellipse::with_exponent(vehicle.ellipse_exponent),
            grip_growth: vehicle.downforce_kgpm / (vehicle.mass_kg * STANDARD_GRAVITY),
            drag_over_mass: vehicle.drag_kgpm / vehicle.mass_kg,
            drive: DriveCurve::new(&vehicle.drive, vehicle.mass_kg),
            max_speed_squared: vehicle.max_speed_mps * vehicle.max_speed_mps,
        })
    }

    /// Largest lateral acceleration, m/s², at the squared speed `speed_squared`, m²/s².
    #[inline]
    pub fn lateral_limit(&self, speed_squared: f64) -> f64 {
        self.lateral_limit * self.grip_factor(speed_squared)
    }

    /// Longitudinal acceleration, m/s², that the tyres have left at the squared speed `speed_squared`, m²/s², on the
    /// curvature `curvature` ≥ 0, 1/m; zero where cornering takes all.
    #[inline]
    pub fn tyre_acceleration(&self, speed_squared: f64, curvature: f64) -> f64 {
        let lateral = curvature * speed_squared * self.inverse_lateral_limit;
        if self.grip_growth == 0.0 {
            // The usual case spares the division.
            return self.longitudinal_limit * self.ellipse.remaining(lateral.min(1.0));
        }
        let grip = self.grip_factor(speed_squared);
        self.longitudinal_limit * grip * self.ellipse.remaining((lateral / grip).min(1.0))
    }

    /// Largest acceleration along the line, m/s², with tyres, drive and drag; negative where drag wins.
    #[inline]
    pub fn acceleration(&self, speed_squared: f64, curvature: f64) -> f64 {
        let available = self.tyre_acceleration(speed_squared, curvature).min(self.drive.acceleration(speed_squared));
        available - self.drag_deceleration(speed_squared)
    }

    /// Largest deceleration along the line, m/s², with tyres and drag.
    #[inline]
    pub fn deceleration(&self, speed_squared: f64, curvature: f64) -> f64 {
        self.tyre_acceleration(speed_squared, curvature) + self.drag_deceleration(speed_squared)
    }

    /// Deceleration by drag alone, m/s².
    #[inline]
    pub fn drag_deceleration(&self, speed_squared: f64) -> f64 {
        self.drag_over_mass * speed_squared
    }

    /// Square of the highest speed, m²/s², that the tyres carry through the curvature `curvature` ≥ 0, 1/m, and the
    /// vehicle's maximum speed allows.
    #[inline]
    pub fn cornering_speed_squared(&self, curvature: f64) -> f64 {
        // What downforce leaves of the curvature; where it leaves nothing, more speed brings more grip than it needs.
        let effective = curvature - self.lateral_limit * self.grip_growth;
        if effective * self.max_speed_squared > self.lateral_limit {
            self.lateral_limit / effective
        } else {
            self.max_speed_squared
        }
    }

    /// Square of the highest speed, m²/s², that drive and tyres hold against drag on a straight, or of the vehicle's
    /// maximum speed if that is lower. No lap that repeats itself is anywhere faster.
    pub fn terminal_speed_squared(&self) -> f64 {
        // A_x D(w) ≥ c_d w / m
        let growth = self.drag_over_mass - self.longitudinal_limit * self.grip_growth;
        let tyres = if growth > 0.0 { self.longitudinal_limit / growth } else { f64::INFINITY };
        self.drive.terminal_speed_squared(self.drag_over_mass).min(tyres).min(self.max_speed_squared)
    }

    #[inline]
    fn grip_factor(&self, speed_squared: f64) -> f64 {
        1.0 + self.grip_growth * speed_squared
    }
}
