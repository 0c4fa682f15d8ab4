//! Steering angle.
//!
//! Without feed-forward it is pure pursuit from the rear axle ([`crate::pure_pursuit`]). With
//! feed-forward, for vehicles fast enough to slide,
//!
//! ```text
//! κ = κ_path(s + v · preview) + κ_pursuit(vehicle) - κ_pursuit(path)                         (1)
//! δ = atan(wheelbase κ) + (understeer + learned) κ v² + damping (κ v - r)                    (2)
//! ```
//!
//! where κ_pursuit(vehicle) starts from the reference point along the course, and κ_pursuit(path)
//! from the vehicle's position on the path along the path, both to the same target point: pure
//! pursuit of the deviation alone. A vehicle on the path that moves along it therefore steers with
//! the path's curvature at any slip angle, and does not cut bends. For a small offset e and course
//! error ψ the difference is about -2 e/L² - 2 ψ/L at the lookahead L: a second-order response over
//! distance with damping 1/√2.
//!
//! The tyres' slip makes the vehicle turn by r/v instead of κ. The last term quickens its yaw. The
//! understeer gradient that would compensate for the difference is learned by a gradient step
//! normalised by the lateral acceleration a = κ v²:
//!
//! ```text
//! learned' = rate · wheelbase (κ - r/v) a / (a² + a₀²)                                       (3)
//! ```

use crate::chassis::{Frame, bounded};
use crate::geometry::{Point, wrap_angle};
use crate::options::SteeringOptions;
use crate::pure_pursuit::{bicycle_steering, pursuit_curvature};
use crate::target_speed::Walk;
use crate::vehicle::{VehicleGeometry, VehicleKind};
use raceline_numerics::math;

/// Speed below which the velocity's direction is noise, m/s.
const COURSE_MPS: f64 = 2.0;

/// Speed below which r/v contains no information about the tyres, m/s: a larger one learns less
/// often.
const SLIPPING_MPS: f64 = 5.0;
/// Lateral acceleration a₀ below which little is learned, m/s². A larger one learns in fast bends
/// only, a smaller one from noise on straights.
const TELLING_MPS2: f64 = 3.0;
/// Bounds of the learned gradient, rad/(m/s²): four times that of a strongly understeering road
/// car.
const MAX_LEARNED: f64 = 0.02;

/// The learned parameter of the vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Steering {
    /// Understeer gradient in addition to the option's, rad/(m/s²).
    learned: f64,
}

impl Steering {
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    /// The steering angle to `target`, which is `on_path` unless there is a detour.
    pub(crate) fn angle(
        &mut self,
        frame: &Frame<'_>,
        options: &SteeringOptions,
        vehicle: &VehicleGeometry,
        target: Point,
        on_path: Point,
    ) -> f64 {
        let speed = frame.state.speed_mps;
        let curvature = demanded_curvature(frame, options, target, on_path);
        let kinematic = bicycle_steering(vehicle.wheelbase_m, curvature);
        let sideways = curvature * speed * speed;
        // Equation (2), here and with the damping below.
        let mut angle = kinematic + (options.understeer_radpmps2 + self.learned) * sideways;
        let yaw_rate = frame.state.yaw_rate_radps;
        if !yaw_rate.is_finite() {
            return angle;
        }
        angle += options.yaw_damping_s * (curvature * speed - yaw_rate);
        if speed > SLIPPING_MPS {
            let wanted = angle;
            if frame.velocity_known {
                let [x, y, _] = frame.state.velocity_mps;
                let sideways = y * frame.cos - x * frame.sin;
                let front = math::atan2(sideways + (vehicle.wheelbase_m - frame.rear_axle) * yaw_rate, speed);
                angle = angle.max(front - options.max_slip_rad).min(front + options.max_slip_rad);
            }
            let missing = vehicle.wheelbase_m * (curvature - yaw_rate / speed);
            // No learning while the wheels are at their stop or the vehicle cannot turn faster.
            if angle == wanted && angle.abs() < vehicle.max_steering_rad {
                // Equation (3).
                let step =
                    options.slip_learning * missing * sideways / (sideways * sideways + TELLING_MPS2 * TELLING_MPS2);
                self.learned = bounded(self.learned + step * frame.dt, MAX_LEARNED);
            }
        }
        angle
    }
}

/// The curvature towards `target`, which is `on_path` unless there is a detour.
#[inline]
pub(crate) fn demanded_curvature(frame: &Frame<'_>, options: &SteeringOptions, target: Point, on_path: Point) -> f64 {
    let feedforward = options.curvature_feedforward;
    let mut curvature = 0.0;
    if feedforward < 1.0 {
        // A vehicle that slides as it turns is led along its course.
        let by_heading = frame.vehicle_kind != VehicleKind::Hover;
        let (x, y) = frame.in_vehicle(target);
        let pursuit = if by_heading {
            pursuit_curvature(x, y)
        } else {
            pursuit_from(frame.state.position_m, course(frame), target)
        };
        curvature += (1.0 - feedforward) * pursuit;
    }
    if feedforward > 0.0 {
        let there = frame.nearest.s + frame.state.speed_mps.max(0.0) * options.preview_s;
        let path = Walk::new(frame.path, frame.nearest.segment).sample(there).curvature_radpm;
        let actual = pursuit_from(frame.state.position_m, course(frame), target);
        let ideal = pursuit_from(frame.here.position_m, frame.here.heading_rad, on_path);
        curvature += feedforward * (path + actual - ideal); // equation (1)
    }
    curvature
}

/// Direction in which the reference point moves. If the velocity does not determine it, that of a
/// bicycle without slip on the path's curvature.
pub(crate) fn course(frame: &Frame<'_>) -> f64 {
    let [x, y, _] = frame.state.velocity_mps;
    if frame.velocity_known && math::hypot(x, y) > COURSE_MPS {
        math::atan2(y, x)
    } else {
        wrap_angle(frame.state.heading_rad + math::atan(frame.rear_axle * frame.here.curvature_radpm))
    }
}

fn pursuit_from(origin: Point, heading: f64, target: Point) -> f64 {
    let (sin, cos) = math::sin_cos(heading);
    let (x, y) = (target[0] - origin[0], target[1] - origin[1]);
    pursuit_curvature(x * cos + y * sin, y * cos - x * sin)
}
