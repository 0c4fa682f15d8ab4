//! The steering angle.
//!
//! Without feed-forward it is pure pursuit from the rear axle ([`crate::pure_pursuit`]). With it, for vehicles fast enough to slide,
//!
//! ```text
//! κ = κ_path(s + v · preview) + κ_pursuit(vehicle) - κ_pursuit(path)
//! δ = atan(wheelbase κ) + understeer κ v² - damping (yaw rate - κ v)
//! ```
//!
//! where κ_pursuit(vehicle) starts from the reference point along the course, and κ_pursuit(path) from the vehicle's place on the path along
//! the path, both to the same target: pure pursuit of the deviation alone. On the path, and moving along it, the vehicle gets the path's curvature,
//! whatever its slip angle, and bends aren't cut. For a small offset e and course error ψ the difference is about -2 e/L² - 2 ψ/L at the lookahead L: a
//! second-order response over distance with damping 1/√2.

use crate::chassis::Frame;
use crate::geometry::{Point, wrap_angle};
use crate::options::SteeringOptions;
use crate::pure_pursuit::{bicycle_steering, pursuit_curvature};
use crate::target_speed::Walk;
use crate::vehicle::VehicleGeometry;

/// Below this speed the velocity's direction is noise, m/s.
const COURSE_MPS: f64 = 2.0;

/// The angle to `target`, which is `on_path` but for a detour.
pub(crate) fn steering_angle(
    frame: &Frame<'_>,
    options: &SteeringOptions,
    vehicle: &VehicleGeometry,
    target: Point,
    on_path: Point,
) -> f64 {
    let share = options.curvature_feedforward;
    let speed = frame.state.speed_mps;
    let mut curvature = 0.0;
    if share < 1.0 {
        let (x, y) = frame.in_vehicle(target);
        curvature += (1.0 - share) * pursuit_curvature(x, y);
    }
    if share > 0.0 {
        let there = frame.nearest.s + speed.max(0.0) * options.preview_s;
        let path = Walk::new(frame.path, frame.nearest.segment).sample(there).curvature_radpm;
        let actual = pursuit_from(frame.state.position_m, course(frame), target);
        let ideal = pursuit_from(frame.here.position_m, frame.here.heading_rad, on_path);
        curvature += share * (path + actual - ideal);
    }
    let kinematic = bicycle_steering(vehicle.wheelbase_m, curvature);
    let slip = options.understeer_radpmps2 * curvature * speed * speed;
    let yaw_rate = frame.state.yaw_rate_radps;
    let excess = if yaw_rate.is_finite() { yaw_rate - curvature * speed } else { 0.0 };
    kinematic + slip - options.yaw_damping_s * excess
}

/// Direction in which the reference point moves. Where the velocity doesn't tell, that of a bicycle without slip on the path's curvature.
fn course(frame: &Frame<'_>) -> f64 {
    let [x, y, _] = frame.state.velocity_mps;
    if frame.velocity_known && x.hypot(y) > COURSE_MPS {
        y.atan2(x)
    } else {
        wrap_angle(frame.state.heading_rad + (frame.rear_axle * frame.here.curvature_radpm).atan())
    }
}

fn pursuit_from(origin: Point, heading: f64, target: Point) -> f64 {
    let (sin, cos) = heading.sin_cos();
    let (x, y) = (target[0] - origin[0], target[1] - origin[1]);
    pursuit_curvature(x * cos + y * sin, y * cos - x * sin)
}
