//! The g-g diagram: which accelerations a vehicle can reach at a speed and a curvature.
//!
//! Everything is a function of w = v², the squared speed: a speed profile integrates w over
//! distance (dw/ds = 2a), and grip, drag and lateral acceleration are linear in w. With mass m,
//! drag coefficient c_d, coefficient of rolling resistance c_r, exponent p and curvature κ:
//!
//! ```text
//! tyre limits            A_x(w), A_y(w)
//! lateral use            u    = |κ| w / A_y                        at most 1                 (1)
//! tyres, longitudinal    t    = A_x (1 - u^p)^(1/p)                                          (2)
//! resistance             r    = c_d w / m + c_r g                                            (3)
//! acceleration           a₊   = min(t, drive(w)) - r                                         (4)
//! deceleration           a₋   = t + r                                                        (5)
//! cornering              u ≤ 1  ⇔  |κ| w ≤ A_y                                               (6)
//! ```
//!
//! A_x and p may be others for driving than for braking.
//!
//! On two wheels, a wheel that lifts limits the brakes and the drive ([`lean`](crate::lean)).
//!
//! The tyre limits are a g-g-v table, or constants at standstill that grow with downforce
//! (coefficient c_l): `A(w) = A(0) (1 + c_l w / (m g))`. Where the axles carry other fractions of the
//! downforce than of the weight, the lateral limit is that of the axle with less:
//! [`Vehicle::limiting_downforce_fraction`] multiplies its c_l. A table is measured or simulated at speed,
//! so it already includes downforce and is not multiplied by it; a vehicle with both is rejected.
//!
//! Grip along the road, a factor μ on both tyre limits, requires no change here: cornering at μ is
//! cornering at the curvature κ / μ, and t at μ is μ times t at κ / μ.

use super::gear_change::{self, Straight};
use super::lean::held;
use super::{DriveLimit, Jet, STANDARD_GRAVITY, SpeedCurve, Vehicle, VehicleError};
use raceline_numerics::math;

/// A [`Vehicle`] compiled for evaluation in hot loops. Curvatures are passed without their sign,
/// speeds as w = v² ≥ 0.
///
/// ```
/// use raceline_car::{GgDiagram, preset};
///
/// let diagram = GgDiagram::new(&preset("gt")?)?;
/// let w = 50.0 * 50.0; // squared speed, m²/s²
/// // A bend that takes all lateral grip leaves nothing for braking but the resistance.
/// let sharpest = diagram.lateral_limit(w) / w;
/// assert!((diagram.deceleration(w, sharpest) - diagram.resistance(w)).abs() < 1e-6);
/// # Ok::<(), raceline_car::VehicleError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GgDiagram {
    lateral: SpeedCurve,
    longitudinal: SpeedCurve,
    ellipse: Superellipse,
    /// The limit while driving and its ellipse, where they are not those of braking.
    driving: Option<(SpeedCurve, Superellipse)>,
    drive: SpeedCurve,
    /// c_d / m, 1/m.
    drag_over_mass: f64,
    /// Downforce per mass and w, 1/m.
    downforce_over_mass: f64,
    /// Downforce coefficient of the axle that limits cornering, per mass that it carries, 1/m.
    lateral_downforce_over_mass: f64,
    /// c_r g, m/s².
    rolling_deceleration: f64,
    max_speed_squared: f64,
}

/// The friction ellipse by its exponent; the two usual ones need no powers.
///
/// ```
/// use raceline_car::Superellipse;
///
/// assert_eq!(Superellipse::Diamond.remaining(0.6), 0.4);
/// assert_eq!(Superellipse::Ellipse.remaining(0.6), 0.8);
/// let square = Superellipse::General { exponent: 100.0 };
/// assert!(square.remaining(0.6) > 0.999);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Superellipse {
    /// Exponent 1.
    Diamond,
    /// Exponent 2.
    Ellipse,
    /// Any other exponent.
    General {
        /// The exponent.
        exponent: f64,
    },
}

impl Superellipse {
    /// The ellipse of this exponent, 1 or more.
    #[must_use]
    pub fn with_exponent(exponent: f64) -> Self {
        if exponent == 1.0 {
            Self::Diamond
        } else if exponent == 2.0 {
            Self::Ellipse
        } else {
            Self::General { exponent }
        }
    }

    fn exponent(self) -> f64 {
        match self {
            Self::Diamond => 1.0,
            Self::Ellipse => 2.0,
            Self::General { exponent } => exponent,
        }
    }

    /// The fraction of the longitudinal limit that remains when the fraction `lateral_use`, from 0
    /// to 1, of the lateral limit is used.
    #[inline]
    #[must_use]
    pub fn remaining(self, lateral_use: f64) -> f64 {
        match self {
            Self::Diamond => 1.0 - lateral_use,
            Self::Ellipse => (1.0 - lateral_use * lateral_use).sqrt(),
            Self::General { exponent } => math::powf(1.0 - math::powf(lateral_use, exponent), exponent.recip()), // equation (2)
        }
    }
}

impl GgDiagram {
    /// Validates and compiles `vehicle`.
    ///
    /// # Errors
    /// Those of [`Vehicle::validate`].
    pub fn new(vehicle: &Vehicle) -> Result<Self, VehicleError> {
        vehicle.validate()?;
        // Two wheels: the brakes are limited by the rear wheel that lifts, the tyres while driving are not.
        let lift = vehicle.wheel_lift_mps2();
        let longitudinal = longitudinal_limit_of(vehicle, lift.map_or(f64::INFINITY, |[braking, _]| braking));
        let drives_otherwise = !vehicle.driving_limit_table.is_empty() || vehicle.driving_exponent.is_some();
        let driving = (drives_otherwise || lift.is_some()).then(|| {
            let curve = match vehicle.driving_limit_table.as_slice() {
                [] => longitudinal_limit_of(vehicle, f64::INFINITY),
                table => SpeedCurve::table(table),
            };
            let exponent = vehicle.driving_exponent.unwrap_or(vehicle.ellipse_exponent);
            (curve, Superellipse::with_exponent(exponent))
        });
        let drive = match lift {
            Some([_, driving]) => vehicle.drive.at_most(driving, vehicle.mass_kg).acceleration(vehicle.mass_kg),
            None => vehicle.drive.acceleration(vehicle.mass_kg),
        };
        let downforce_over_mass = vehicle.downforce_on_tyres_kgpm() / vehicle.mass_kg;
        let mut diagram = Self {
            driving,
            lateral: lateral_limit_of(vehicle),
            longitudinal,
            ellipse: Superellipse::with_exponent(vehicle.ellipse_exponent),
            drive,
            drag_over_mass: vehicle.drag_kgpm / vehicle.mass_kg,
            downforce_over_mass,
            lateral_downforce_over_mass: downforce_over_mass * vehicle.limiting_downforce_fraction(),
            rolling_deceleration: vehicle.rolling_resistance * STANDARD_GRAVITY,
            max_speed_squared: vehicle.max_speed_mps * vehicle.max_speed_mps,
        };
        if vehicle.gear_change_s > 0.0 {
            let straight = Straight {
                tyres: diagram.driving().0,
                drag_over_mass: diagram.drag_over_mass,
                rolling_mps2: diagram.rolling_deceleration,
                highest_mps: diagram.terminal_speed_squared().sqrt(),
            };
            let (speeds, seconds) = (&vehicle.gear_change_speeds_mps, vehicle.gear_change_s);
            diagram.drive = gear_change::slowed(&diagram.drive, straight, speeds, seconds);
        }
        Ok(diagram)
    }

    #[must_use]
    /// The largest lateral acceleration over speed, m/s².
    pub fn lateral(&self) -> &SpeedCurve {
        &self.lateral
    }

    #[must_use]
    /// The largest longitudinal acceleration of the tyres over speed, m/s².
    pub fn longitudinal(&self) -> &SpeedCurve {
        &self.longitudinal
    }

    /// The tyres' limit while driving and its ellipse.
    #[must_use]
    pub fn driving(&self) -> (&SpeedCurve, Superellipse) {
        self.driving.as_ref().map_or((&self.longitudinal, self.ellipse), |(curve, ellipse)| (curve, *ellipse))
    }

    /// Whether they differ from those of braking.
    #[must_use]
    pub fn drives_otherwise(&self) -> bool {
        self.driving.is_some()
    }

    #[must_use]
    /// The largest acceleration of the drive over speed, m/s².
    pub fn drive(&self) -> &SpeedCurve {
        &self.drive
    }

    #[must_use]
    /// The friction ellipse.
    pub fn ellipse(&self) -> Superellipse {
        self.ellipse
    }

    /// c_d / m, 1/m.
    #[must_use]
    pub fn drag_over_mass(&self) -> f64 {
        self.drag_over_mass
    }

    /// Downforce on the tyres per mass and w, 1/m, whether a table of limits includes it or not.
    #[must_use]
    pub fn downforce_over_mass(&self) -> f64 {
        self.downforce_over_mass
    }

    /// Downforce coefficient of the axle that limits cornering, per mass that it carries, 1/m.
    #[must_use]
    pub fn lateral_downforce_over_mass(&self) -> f64 {
        self.lateral_downforce_over_mass
    }

    /// Whether both limits of the tyres grow by the same factor with downforce.
    #[must_use]
    pub fn grows_alike(&self) -> bool {
        self.lateral_downforce_over_mass == self.downforce_over_mass
    }

    /// The largest acceleration of the drive, m/s².
    #[inline]
    #[must_use]
    pub fn drive_limit(&self, w: f64) -> f64 {
        self.drive.at(w)
    }

    /// c_r g, m/s².
    #[must_use]
    pub fn rolling_deceleration(&self) -> f64 {
        self.rolling_deceleration
    }

    /// Exponent p of the friction ellipse.
    #[must_use]
    pub fn exponent(&self) -> f64 {
        self.ellipse.exponent()
    }

    /// Exponent p of the friction ellipse while driving.
    #[must_use]
    pub fn driving_exponent(&self) -> f64 {
        self.driving().1.exponent()
    }

    /// Square of the vehicle's maximum speed, m²/s².
    #[must_use]
    pub fn max_speed_squared(&self) -> f64 {
        self.max_speed_squared
    }

    /// A_y, the largest lateral acceleration, m/s², including downforce, with its derivatives with
    /// respect to w.
    #[must_use]
    pub fn lateral_limit_jet(&self, w: f64) -> Jet {
        self.lateral.jet(w)
    }

    /// A_x, the largest longitudinal acceleration of the tyres, m/s², including downforce, with its
    /// derivatives with respect to w.
    #[must_use]
    pub fn longitudinal_limit_jet(&self, w: f64) -> Jet {
        self.longitudinal.jet(w)
    }

    /// Driving limit at w = v², with its derivatives.
    #[must_use]
    pub fn driving_limit_jet(&self, w: f64) -> Jet {
        self.driving().0.jet(w)
    }

    /// The largest acceleration of the drive, m/s², before drag and rolling resistance, with its
    /// derivatives with respect to w.
    #[must_use]
    pub fn drive_jet(&self, w: f64) -> Jet {
        self.drive.jet(w)
    }

    /// The deceleration by drag and rolling resistance, m/s², with its derivatives with respect to
    /// w.
    #[must_use]
    pub fn resistance_jet(&self, w: f64) -> Jet {
        Jet { value: self.resistance(w), slope: self.drag_over_mass, bend: 0.0 }
    }

    /// Largest lateral acceleration, m/s².
    #[inline]
    #[must_use]
    pub fn lateral_limit(&self, w: f64) -> f64 {
        self.lateral.at(w)
    }

    /// Largest longitudinal acceleration of the tyres, m/s².
    #[inline]
    #[must_use]
    pub fn longitudinal_limit(&self, w: f64) -> f64 {
        self.longitudinal.at(w)
    }

    /// Longitudinal acceleration that the tyres have left, m/s², at the curvature `curvature` ≥ 0,
    /// 1/m; zero where cornering uses all of the grip.
    #[inline]
    #[must_use]
    pub fn tyre_acceleration(&self, w: f64, curvature: f64) -> f64 {
        let lateral_use = (curvature * w / self.lateral.at(w)).min(1.0); // equation (1)
        self.longitudinal.at(w) * self.ellipse.remaining(lateral_use) // equation (2)
    }

    /// Largest acceleration along the line, m/s², limited by tyres and drive, less the resistance;
    /// negative where the resistance is greater.
    #[must_use]
    pub fn acceleration(&self, w: f64, curvature: f64) -> f64 {
        let (limit, ellipse) = self.driving();
        let lateral_use = (curvature * w / self.lateral.at(w)).min(1.0);
        // Equation (4).
        (limit.at(w) * ellipse.remaining(lateral_use)).min(self.drive.at(w)) - self.resistance(w)
    }

    /// Largest deceleration along the line, m/s², by tyres and resistance.
    #[must_use]
    pub fn deceleration(&self, w: f64, curvature: f64) -> f64 {
        self.tyre_acceleration(w, curvature) + self.resistance(w) // equation (5)
    }

    /// Deceleration by drag and rolling resistance, m/s².
    #[inline]
    #[must_use]
    pub fn resistance(&self, w: f64) -> f64 {
        self.rolling_deceleration + self.drag_over_mass * w // equation (3)
    }

    /// Square of the highest speed, m²/s², up to which the tyres can corner at every speed with the
    /// curvature `curvature` ≥ 0, 1/m, at most that of the vehicle's maximum speed.
    #[inline]
    #[must_use]
    pub fn cornering_speed_squared(&self, curvature: f64) -> f64 {
        let Some(limit) = self.lateral.only_piece() else {
            return self.lateral.first_crossing(curvature).min(self.max_speed_squared);
        };
        // Equation (6) for w: the net curvature after downforce; where it is not positive, more
        // speed adds more grip than it requires.
        let effective = curvature - limit.square;
        if effective * self.max_speed_squared > limit.constant {
            limit.constant / effective
        } else {
            self.max_speed_squared
        }
    }

    /// Square of the highest speed, m²/s², that drive and tyres can sustain against the resistance
    /// on a straight, at most that of the vehicle's maximum speed. It bounds the speed of every lap
    /// that repeats.
    #[must_use]
    pub fn terminal_speed_squared(&self) -> f64 {
        let held = |limit: &SpeedCurve| limit.last_reaching(self.rolling_deceleration, self.drag_over_mass);
        held(&self.drive).min(held(self.driving().0)).min(self.max_speed_squared)
    }
}

/// Downforce by the weight per squared speed, s²/m².
fn growth_of(vehicle: &Vehicle) -> f64 {
    vehicle.downforce_kgpm / (vehicle.mass_kg * STANDARD_GRAVITY)
}

/// A column of a vehicle's g-g-v table over the speed: 1 is the longitudinal limit, 2 the lateral one.
fn column(vehicle: &Vehicle, number: usize) -> Vec<[f64; 2]> {
    vehicle.ggv_table.iter().map(|point| [point[0], point[number]]).collect()
}

/// The longitudinal limit of the tyres, which something else holds at `highest_mps2` at standstill.
fn longitudinal_limit_of(vehicle: &Vehicle, highest_mps2: f64) -> SpeedCurve {
    if vehicle.ggv_table.is_empty() {
        let limit = vehicle.longitudinal_limit_mps2.min(highest_mps2);
        return SpeedCurve::growing(limit, limit * growth_of(vehicle));
    }
    SpeedCurve::table(&held(&column(vehicle, 1), highest_mps2))
}

fn lateral_limit_of(vehicle: &Vehicle) -> SpeedCurve {
    if vehicle.ggv_table.is_empty() {
        let growth = growth_of(vehicle) * vehicle.limiting_downforce_fraction();
        return SpeedCurve::growing(vehicle.lateral_limit_mps2, vehicle.lateral_limit_mps2 * growth);
    }
    SpeedCurve::table(&column(vehicle, 2))
}

impl DriveLimit {
    /// The acceleration of the drive in a vehicle of `mass_kg`, m/s², before drag and rolling
    /// resistance.
    ///
    /// ```
    /// use raceline_car::DriveLimit;
    ///
    /// let drive = DriveLimit::PowerAndForce { power_w: 300e3, force_n: 12e3 };
    /// let acceleration = drive.acceleration(1500.0);
    /// assert!((acceleration.at(5.0 * 5.0) - 8.0).abs() < 1e-12);
    /// assert!((acceleration.at(50.0 * 50.0) - 4.0).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn acceleration(&self, mass_kg: f64) -> SpeedCurve {
        match self {
            Self::TableMps2(points) => SpeedCurve::table(points),
            Self::TableN(points) => {
                let accelerations: Vec<[f64; 2]> =
                    points.iter().map(|&[speed, force]| [speed, force / mass_kg]).collect();
                SpeedCurve::table(&accelerations)
            }
            Self::PowerAndForce { power_w, force_n } => {
                SpeedCurve::falling_with_speed(force_n / mass_kg, power_w / mass_kg)
            }
        }
    }
}

#[cfg(test)]
mod tests;
