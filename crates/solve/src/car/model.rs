//! The car: a rigid body on two axles with tyres, load transfer and aerodynamics.
//!
//! Symbols: velocity (u, v) of the centre of gravity along and across the body, yaw rate r, angle
//! of the front wheels δ, acceleration p by the longitudinal forces of all tyres (the pedal),
//! distances a and b from the centre of gravity to the front and the rear axle, L = a + b, height h
//! of the centre of gravity, radius of gyration k² = I / m, w = u². All forces are divided by the
//! mass.
//!
//! ```text
//! load             n   = g_n + κ_n w        d w = downforce                                  (1)
//! axle loads       N_f = n b/L + φ d w - p h/L     N_r = n a/L + (1 - φ) d w + p h/L         (2)
//! pedal            p = p₊ + p₋              p± = (p ± √(p² + ε²)) / 2                        (3)
//! longitudinal     x_f = γ_d p₊ + γ_b p₋    x_r = p - x_f                                    (4)
//! slip angles      α_f = δ - atan((v + a r) / u)     α_r = -atan((v - b r) / u)              (5)
//! lateral          y_i = μ_y N_i ρ_i T(α_i / α̂_i)    T(σ) = sin(C atan(B σ))                 (6)
//! u' = x_f cos δ - y_f sin δ + x_r - resistance(w) + v r                                     (7)
//! v' = y_f cos δ + x_f sin δ + y_r - u r                                                     (8)
//! r' = (a (y_f cos δ + x_f sin δ) - b y_r) / k²                                              (9)
//! limits           |x_i / (μ_x N_i)|^e + |T(α_i / α̂_i)|^e ≤ 1,  |α_i| ≤ α̂_i,  p ≤ drive(w) (10)
//! ```
//!
//! The friction coefficients are those of the vehicle's tyre limits,
//!
//! ```text
//! μ_y = A_y(w) / (g + d_y w)          μ_x = A_x(w) / (g + d w)                              (11)
//! ```
//!
//! where d_y is d of the axle that limits cornering, by the mass that it carries: A_y is the limit
//! of this axle. μ_x has the [`braking_factor`], so that full braking on a straight with the car's
//! brake balance reaches A_x.
//!
//! **Four wheels.** Where the vehicle has track widths, N_i in (6) is the load C_i and in (10) the
//! load X_i of [`Wheels`], by the load that moves across the axles with the acceleration
//!
//! ```text
//! a_y = y_f + y_r   of (6) with the loads N_i of (2)                                        (14)
//! ```
//!
//! Forces and moved loads depend on one another; (14) is the first step of their iteration. It is
//! exact for tyres whose friction does not change with the load, and smooth and explicit for all.
//! u r in its place lacks the change of the sideslip, which is 9 % of it on average where the car
//! corners, but 40 % at the 95th percentile, and then asks for up to twice the tyres' limit.
//!
//! **One pedal, not two forces.** With a drive and a brake force of their own, pressing both must
//! be excluded by a bound on their product, at which no interior point is regular. The smooth split
//! of one force needs no such bound; where p = 0, it drives and brakes by ε/2 at once, which is
//! nothing.
//!
//! **The ellipse is a limit, not a factor.** The lateral force does not fall with the longitudinal
//! one, but both must stay inside the axle's ellipse, as in Christ et al. 2021, section 2, and as
//! in the car of `raceline drive`. The factor √(1 - x²) would be infinitely steep exactly where a
//! fast car brakes.
//!
//! Tyres: the magic formula without its curvature factor (Pacejka, *Tyre and Vehicle Dynamics*, 2nd
//! edition, section 4.3.1), C and B such that the peak is at σ = 1 and the slope at zero is 3, as
//! of a brush tyre. A brush tyre's second derivative is discontinuous at σ = 0, where cars are on
//! straights.

mod derivatives;
mod steady;
pub(super) mod tyres;

pub use derivatives::Derivatives;

use super::Reserve;
use super::number::Number;
use crate::speed::Ground;
use raceline_car::handling::{MIN_LOAD_FRACTION, braking_factor, moved_by_braking};
use raceline_car::{GgDiagram, Jet, STANDARD_GRAVITY, UsableLoad, Vehicle, VehicleError, Wheels};
use raceline_numerics::math;

/// C of the magic formula.
const SHAPE: f64 = 1.377_460_931_755_95;
/// Half the acceleration by which drive and brakes overlap at p = 0, m/s²; ε is twice this.
const OVERLAP_MPS2: f64 = 0.1;

/// Slope of a tyre's force at no slip, by its limit and by the slip of the peak: that of a brush
/// tyre.
const LONGITUDINAL_STIFFNESS: f64 = 3.0;

/// Time in which the pedal goes from nothing to full braking, s.
const PEDAL_TIME_S: f64 = 0.1;

/// Fraction of the vehicle's largest curvature that a lap uses: between nodes and where the
/// sideslip changes, the line bends a little more.
pub const CURVATURE_FRACTION: f64 = 0.98;

/// Parameters of the car, and its limits over speed.
#[derive(Clone, Debug)]
pub struct Car {
    diagram: GgDiagram,
    /// d, 1/m.
    pub downforce_over_mass: f64,
    /// d_y, 1/m.
    limiting_downforce: f64,
    /// a and b, m.
    to_front_m: f64,
    to_rear_m: f64,
    /// h, m.
    height_m: f64,
    /// k², m².
    gyration_squared: f64,
    /// φ.
    front_downforce: f64,
    /// γ_b and γ_d.
    front_brake: f64,
    front_drive: f64,
    /// α̂, rad.
    peak_slip_rad: f64,
    /// ρ of both axles.
    grip_factors: [f64; 2],
    /// Reserve of the tyres that the lap leaves to the driver.
    reserve: Reserve,
    /// B of the magic formula.
    stiffness: f64,
    /// μ_x by A_x / (g + d w).
    braking_factor: f64,
    /// Largest curvature of the path, 1/m.
    pub max_curvature_radpm: f64,
    /// Largest rate of δ, rad/s.
    pub steering_rate_radps: f64,
    /// Largest rate of p, m/s³.
    pub pedal_rate_mps3: f64,
    /// Largest speed, m/s.
    max_speed_mps: f64,
    /// Mass m, kg.
    pub mass_kg: f64,
    /// The wheels, where load moves across the axles.
    wheels: Option<Wheels>,
}

/// The variables of the equations.
#[derive(Clone, Copy, Debug)]
pub struct Motion<T> {
    /// u, m/s.
    pub forward: T,
    /// v, m/s.
    pub leftward: T,
    /// r, rad/s.
    pub yaw_rate: T,
    /// δ, rad.
    pub steering: T,
    /// p, m/s².
    pub pedal: T,
}

/// Rates of change and use of the tyres, as they follow from a motion.
#[derive(Clone, Copy, Debug)]
pub struct Rates<T> {
    /// u' without the road's gravity, m/s².
    pub forward: T,
    /// v' likewise.
    pub leftward: T,
    /// r', rad/s².
    pub yaw: T,
    /// p - drive(w), m/s²: at most 0.
    pub power: T,
    /// Use of the ellipses, front and rear, less 1: at most 0.
    pub use_less_one: [T; 2],
    /// Slip angles divided by that of the peak, front and rear.
    pub slip: [T; 2],
}

/// Both axles, front and rear, by the speed u, the pedal p and, where load moves across, the
/// acceleration a_y of equation (14).
#[derive(Clone, Copy, Debug)]
struct AxleForces<T> {
    /// Longitudinal forces, m/s².
    along: [T; 2],
    /// Lateral forces at the peak of the slip, m/s².
    lateral_limits: [T; 2],
    /// Parts of the ellipses that the longitudinal forces use.
    braking_use: [T; 2],
    /// p - drive(w), m/s².
    power: T,
    /// m/s².
    resistance: T,
}

impl Car {
    /// The car of `vehicle`.
    ///
    /// # Errors
    /// The errors of [`Vehicle::validate`].
    pub fn new(vehicle: &Vehicle, reserve: Reserve) -> Result<Self, VehicleError> {
        let diagram = GgDiagram::new(vehicle)?;
        let length = vehicle.wheelbase_m;
        let handling = vehicle.handling();
        let front_weight = handling.front_weight_fraction;
        let (to_front_m, to_rear_m) = ((1.0 - front_weight) * length, front_weight * length);
        let moved = moved_by_braking(diagram.longitudinal_limit(0.0), handling.centre_of_gravity_m, length);
        let wheels = vehicle.wheels();
        Ok(Self {
            to_front_m,
            to_rear_m,
            height_m: handling.centre_of_gravity_m,
            gyration_squared: handling.gyration_m2,
            downforce_over_mass: diagram.downforce_over_mass(),
            limiting_downforce: diagram.lateral_downforce_over_mass(),
            front_downforce: handling.front_downforce_fraction,
            front_brake: handling.front_brake_fraction,
            front_drive: handling.front_drive_fraction,
            peak_slip_rad: handling.brush_peak_slip_rad,
            grip_factors: [1.0, 1.0 + handling.rear_grip_reserve],
            reserve,
            stiffness: math::tan(std::f64::consts::FRAC_PI_2 / SHAPE),
            braking_factor: braking_factor(Some(handling.front_brake_fraction), front_weight, moved, wheels.as_ref()),
            max_curvature_radpm: CURVATURE_FRACTION * vehicle.max_curvature_radpm,
            steering_rate_radps: handling.steering_rate_radps,
            pedal_rate_mps3: diagram.longitudinal_limit(0.0) / PEDAL_TIME_S,
            max_speed_mps: vehicle.max_speed_mps,
            mass_kg: vehicle.mass_kg,
            wheels,
            diagram,
        })
    }

    /// The rates of change on `ground`, with the factor `grip` on the tyre limits.
    pub fn rates<T: Number>(&self, motion: Motion<T>, ground: &Ground, grip: f64) -> Rates<T> {
        let Motion { forward: u, leftward: v, yaw_rate: r, steering, pedal } = motion;
        let slip = self.slips(u, v, r, steering);
        let fractions = slip.map(|slip| self.force_fraction(slip));
        let lateral = self.wheels.is_some().then(|| self.tyres_across(u, pedal, fractions, ground, grip));
        let AxleForces { along, lateral_limits, braking_use, power, resistance } =
            self.axles(u, pedal, lateral, ground, grip);
        let across: [T; 2] = std::array::from_fn(|i| lateral_limits[i] * fractions[i]); // equation (6)
        // Equation (10).
        let use_less_one =
            std::array::from_fn(|i| braking_use[i] + self.part_of_use(fractions[i] * self.used_fraction(i)) + -1.0);
        let (sin, cos) = steering.sin_cos();
        let front_across = across[0] * cos + along[0] * sin;
        Rates {
            // Equation (7).
            forward: along[0] * cos - across[0] * sin + along[1] - resistance + v * r,
            // Equation (8).
            leftward: front_across + across[1] - u * r,
            // Equation (9).
            yaw: (front_across * self.to_front_m - across[1] * self.to_rear_m) * self.gyration_squared.recip(),
            power,
            use_less_one,
            slip,
        }
    }

    /// The power with which the tyres slide by the mass and by u, m/s²: equation (4) of `tariff`.
    pub fn sliding<T: Number>(&self, motion: Motion<T>, ground: &Ground, grip: f64) -> T {
        let Motion { forward: u, leftward: v, yaw_rate: r, steering, pedal } = motion;
        let slip = self.slips(u, v, r, steering);
        let fractions = slip.map(|slip| self.force_fraction(slip));
        let lateral = self.wheels.is_some().then(|| self.tyres_across(u, pedal, fractions, ground, grip));
        let AxleForces { along, lateral_limits, .. } = self.axles(u, pedal, lateral, ground, grip);
        let of_axle = |i: usize| {
            lateral_limits[i] * fractions[i] * slip[i]
                + along[i].square() * (lateral_limits[i] * LONGITUDINAL_STIFFNESS).recip()
        };
        (of_axle(0) + of_axle(1)) * self.peak_slip_rad
    }

    /// Loads of the axles at w = u², equations (1) and (2).
    #[inline]
    fn loads<T: Number>(&self, w: T, p: T, ground: &Ground) -> [T; 2] {
        let (a, b) = (self.to_front_m, self.to_rear_m);
        let length = a + b;
        let downforce = self.downforce_over_mass;
        let weight = w * ground.normal_curvature + ground.gravity_normal;
        let moved = p * (self.height_m / length);
        let front_load = weight * (b / length) + w * (self.front_downforce * downforce) - moved;
        let rear_load = weight * (a / length) + w * ((1.0 - self.front_downforce) * downforce) + moved;
        [front_load, rear_load].map(|load| load_above_zero(load))
    }

    /// μ_y at w = u², equation (11).
    #[inline]
    fn lateral_friction<T: Number>(&self, w: T, grip: f64) -> T {
        let across_load = (w * self.limiting_downforce + STANDARD_GRAVITY).recip();
        through(w, self.diagram.lateral_limit_jet(w.value())) * across_load * grip
    }

    /// a_y of equation (14), with the fractions T of both axles.
    fn tyres_across<T: Number>(&self, u: T, p: T, fractions: [T; 2], ground: &Ground, grip: f64) -> T {
        let w = u.square();
        let loads = self.loads(w, p, ground);
        let [front, rear] = std::array::from_fn(|i| loads[i] * fractions[i] * self.grip_factors[i]);
        (front + rear) * self.lateral_friction(w, grip)
    }

    /// Forces and limits of the axles, which depend on the speed u and the pedal p, and on the
    /// acceleration `lateral` of equation (14) where the car has wheels.
    fn axles<T: Number>(&self, u: T, p: T, lateral: Option<T>, ground: &Ground, grip: f64) -> AxleForces<T> {
        let w = u.square();
        let loads = self.loads(w, p, ground);
        let lateral_friction = self.lateral_friction(w, grip);
        // Equation (11).
        let along_load = (w * self.downforce_over_mass + STANDARD_GRAVITY).recip();
        let usable = grip * self.braking_factor * (1.0 - self.reserve.longitudinal);
        let longitudinal_friction = through(w, self.diagram.longitudinal_limit_jet(w.value())) * along_load * usable;
        // Longitudinal forces, equations (3) and (4).
        let whole = (p.square() + 4.0 * OVERLAP_MPS2 * OVERLAP_MPS2).sqrt();
        let driving = (p + whole) * 0.5;
        let front_along = p * self.front_brake + driving * (self.front_drive - self.front_brake);
        let along = [front_along, p - front_along];
        let usable = match (&self.wheels, lateral) {
            (None, _) | (_, None) => loads.map(|load| UsableLoad { across: load, along: load }),
            (Some(wheels), Some(lateral)) => {
                let level = self.level_loads(w);
                let usable = wheels.usable_loads(loads, level, lateral, driving * whole.recip());
                usable.map(|load| UsableLoad { across: load.across * wheels.lateral_factor(), ..load })
            }
        };
        AxleForces {
            lateral_limits: std::array::from_fn(|i| lateral_friction * usable[i].across * self.grip_factors[i]),
            braking_use: std::array::from_fn(|i| {
                self.part_of_use(along[i] * (longitudinal_friction * usable[i].along).recip())
            }),
            along,
            power: p - through(w, self.diagram.drive_jet(w.value())),
            resistance: through(w, self.diagram.resistance_jet(w.value())),
        }
    }

    /// Loads of the axles on a level road at w = u², front and rear.
    fn level_loads<T: Number>(&self, w: T) -> [T; 2] {
        let (a, b) = (self.to_front_m, self.to_rear_m);
        let pressed = [self.front_downforce, 1.0 - self.front_downforce];
        std::array::from_fn(|i| w * (pressed[i] * self.downforce_over_mass) + STANDARD_GRAVITY * ([b, a][i] / (a + b)))
    }

    /// σ, front and rear.
    fn slips<T: Number>(&self, u: T, v: T, r: T, steering: T) -> [T; 2] {
        let inverse = u.recip();
        // Equation (5).
        [
            (steering - ((v + r * self.to_front_m) * inverse).atan()) * self.peak_slip_rad.recip(),
            -((v - r * self.to_rear_m) * inverse).atan() * self.peak_slip_rad.recip(),
        ]
    }

    /// Factor on the used fraction of an axle's lateral limit: above 1 where there is a reserve.
    fn used_fraction(&self, axle: usize) -> f64 {
        if axle == 0 { 1.0 } else { (1.0 - self.reserve.rear).recip() }
    }

    /// Part of the use of an axle by a force that is `fraction` of its limit.
    fn part_of_use<T: Number>(&self, fraction: T) -> T {
        fraction.square().power(0.5 * self.diagram.exponent())
    }

    /// T(σ).
    fn force_fraction<T: Number>(&self, slip: T) -> T {
        ((slip * self.stiffness).atan() * SHAPE).sin_cos().0 // equation (6)
    }

    /// The largest speed on `ground`, m/s: the vehicle's, or that at which a crest takes as much
    /// load off the tyres as may be, as for the point mass.
    pub fn speed_limit_mps(&self, ground: &Ground) -> f64 {
        self.max_speed_mps.min(ground.flying_speed_squared(self.downforce_over_mass).sqrt())
    }

    /// A_x at standstill, m/s².
    pub fn longitudinal_limit_mps2(&self) -> f64 {
        self.diagram.longitudinal_limit(0.0)
    }

    /// α̂, rad.
    pub fn peak_slip_rad(&self) -> f64 {
        self.peak_slip_rad
    }

    /// Exponent e of the ellipse.
    pub fn exponent(&self) -> f64 {
        self.diagram.exponent()
    }

    /// The pedal p, m/s², whose [`Self::pedal_fraction`] is `fraction`.
    pub fn pedal_of_fraction(&self, fraction: f64, forward_mps: f64) -> f64 {
        let w = forward_mps * forward_mps;
        fraction * if fraction > 0.0 { self.diagram.drive_jet(w).value } else { self.diagram.longitudinal_limit(w) }
    }

    /// The pedal `p`, m/s², at the speed u as a fraction of the drive's limit, or of A_x where it
    /// brakes.
    pub fn pedal_fraction(&self, p: f64, forward_mps: f64) -> f64 {
        let w = forward_mps * forward_mps;
        p / if p > 0.0 { self.diagram.drive_jet(w).value } else { self.diagram.longitudinal_limit(w) }
    }
}

/// The load itself where it is well above zero, and smoothly at least a small load.
fn load_above_zero<T: Number>(load: T) -> T {
    let smallest = MIN_LOAD_FRACTION * STANDARD_GRAVITY;
    (load + (load.square() + smallest * smallest).sqrt()) * 0.5
}

fn through<T: Number>(w: T, jet: Jet) -> T {
    w.through(jet.value, jet.slope, jet.bend)
}

#[cfg(test)]
mod tests;
