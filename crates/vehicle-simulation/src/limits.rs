//! Limits of a vehicle's tyres and drive over speed.
//!
//! Limits are accelerations and functions of w = v², the squared speed. Downforce, a power limit or
//! a g-g-v table are part of an implementation; the equations of motion do not depend on them.

pub(crate) use raceline_car::STANDARD_GRAVITY;

/// The limits of a vehicle over its squared speed w, m²/s², at least 0.
///
/// The tyres of the whole vehicle can transmit the longitudinal acceleration a_x and the lateral
/// one a_y if `|a_x / A_x|^p + |a_y / A_y|^p ≤ 1`.
pub trait AccelerationLimits {
    /// A_x(w), the largest longitudinal acceleration of the tyres, m/s², above 0.
    fn longitudinal_limit_mps2(&self, speed_squared: f64) -> f64;

    /// Largest driving acceleration of the tyres of a vehicle on two wheels, m/s², whose brakes are limited by a wheel
    /// that lifts. Default: the longitudinal limit.
    fn driving_limit_mps2(&self, speed_squared: f64) -> f64 {
        self.longitudinal_limit_mps2(speed_squared)
    }

    /// A_y(w), the largest lateral acceleration of the tyres, m/s², above 0.
    fn lateral_limit_mps2(&self, speed_squared: f64) -> f64;

    /// Largest acceleration by the drive before resistance, m/s², at least 0.
    fn drive_limit_mps2(&self, speed_squared: f64) -> f64;

    /// Deceleration by drag and rolling resistance, m/s², at least 0.
    fn resistance_mps2(&self, speed_squared: f64) -> f64;

    /// p, the exponent of the friction ellipse: 1 is a diamond, 2 an ellipse.
    fn ellipse_exponent(&self) -> f64;

    /// Downforce by the mass, m/s², at least 0; needed only with
    /// [`front_downforce_fraction`](crate::HandlingParameters::front_downforce_fraction). Default:
    /// what makes A_y grow with the speed.
    fn downforce_mps2(&self, speed_squared: f64) -> f64 {
        STANDARD_GRAVITY * (self.lateral_limit_mps2(speed_squared) / self.lateral_limit_mps2(0.0) - 1.0)
    }
}

/// Limits that are the same at every speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantLimits {
    /// Largest longitudinal acceleration of the tyres, m/s², above 0.
    pub longitudinal_mps2: f64,
    /// Largest lateral acceleration of the tyres, m/s², above 0.
    pub lateral_mps2: f64,
    /// Largest acceleration by the drive, m/s², at least 0.
    pub drive_mps2: f64,
    /// Deceleration by resistance, m/s², at least 0.
    pub resistance_mps2: f64,
    /// Exponent of the friction ellipse: 1 is a diamond, 2 an ellipse.
    pub ellipse_exponent: f64,
}

impl AccelerationLimits for ConstantLimits {
    fn longitudinal_limit_mps2(&self, _speed_squared: f64) -> f64 {
        self.longitudinal_mps2
    }

    fn lateral_limit_mps2(&self, _speed_squared: f64) -> f64 {
        self.lateral_mps2
    }

    fn drive_limit_mps2(&self, _speed_squared: f64) -> f64 {
        self.drive_mps2
    }

    fn resistance_mps2(&self, _speed_squared: f64) -> f64 {
        self.resistance_mps2
    }

    fn ellipse_exponent(&self) -> f64 {
        self.ellipse_exponent
    }
}

impl AccelerationLimits for raceline_car::GgDiagram {
    fn longitudinal_limit_mps2(&self, speed_squared: f64) -> f64 {
        self.longitudinal_limit_jet(speed_squared).value
    }

    fn driving_limit_mps2(&self, speed_squared: f64) -> f64 {
        self.driving_limit_jet(speed_squared).value
    }

    fn lateral_limit_mps2(&self, speed_squared: f64) -> f64 {
        self.lateral_limit(speed_squared)
    }

    fn drive_limit_mps2(&self, speed_squared: f64) -> f64 {
        self.drive_jet(speed_squared).value
    }

    fn resistance_mps2(&self, speed_squared: f64) -> f64 {
        self.resistance(speed_squared)
    }

    fn ellipse_exponent(&self) -> f64 {
        self.exponent()
    }

    fn downforce_mps2(&self, speed_squared: f64) -> f64 {
        self.downforce_over_mass() * speed_squared
    }
}
