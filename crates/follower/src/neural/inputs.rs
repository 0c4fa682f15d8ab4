//! The inputs of a driver's network: the vehicle's motion relative to the path, and a preview of the
//! path at the places that the vehicle reaches in fixed times, all divided by the vehicle's limits.
//!
//! With the speed v (at least that of the tightest curve of one wheelbase), the lateral and the
//! longitudinal limit of the tyres here a_y and a_x, the tyres' peak slip α, the wheelbase L, and
//! T = 0.5 s:
//!
//! | Inputs | |
//! |---|---|
//! | 1, 2 | distance left of the path / (a_y T²); the same / L |
//! | 3 | course less the path's heading, times v / (a_y T) |
//! | 4, 5 | heading of the body less the path's / α; sideslip / α |
//! | 6, 7 | yaw rate less κ v, times v / a_y; yaw rate times v / a_y |
//! | 8 | v / the vehicle's largest speed |
//! | 9, 10 | drive at this speed / a_x; resistance / a_x |
//! | 11 to 13 | steering angle of a bicycle without slip on the path's curvature / α, at the first three places |
//! | then, for each place | κ v² / a_y; (speed of the profile - v) / (a_x 1 s); acceleration of the profile / a_x |

use raceline_numerics::{STANDARD_GRAVITY, math};

use crate::chassis::{Frame, bounded};
use crate::geometry::wrap_angle;
use crate::pure_pursuit::bicycle_steering;
use crate::target_speed::Walk;
use crate::vehicle::VehicleGeometry;
use raceline_car::{Handling, VehicleDynamics};

/// Times after which the path is looked at, at the present speed, s.
pub const PREVIEW_S: [f64; 9] = [0.0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 1.8, 2.6];
/// Places for which the steering of a bicycle without slip is an input.
const STEERED: usize = 3;
/// Number of inputs that describe the vehicle's motion.
const MOTION: usize = 10;
/// Inputs for each place of the preview.
const PER_PLACE: usize = 3;
/// Number of inputs of a driver's network.
pub const INPUTS: usize = MOTION + STEERED + PER_PLACE * PREVIEW_S.len();

/// Time to which distances and angles refer, s. A trained network fits this value alone.
const CORRECTION_S: f64 = 0.5;
/// Largest input: beyond, the network would extrapolate.
const MAX_INPUT: f64 = 4.0;

/// The inputs for a frame. `fraction` is the factor on the profile's speeds.
pub(super) fn inputs(
    frame: &Frame<'_>,
    dynamics: &VehicleDynamics,
    handling: &Handling,
    geometry: &VehicleGeometry,
    fraction: f64,
) -> [f64; INPUTS] {
    let mut inputs = [0.0; INPUTS];
    let mut walk = Walk::new(frame.path, frame.nearest.segment);
    let here = walk.profile(frame.nearest.s);
    let measured = frame.state.speed_mps;
    let grip = here.grip.max(1e-3);
    let slowest = (dynamics.lateral_mps2.at(0.0) * geometry.wheelbase_m).sqrt();
    let speed = measured.max(slowest);
    let lateral = dynamics.lateral_mps2.at(speed) * grip;
    let longitudinal = dynamics.longitudinal_mps2.at(speed) * grip;
    let peak = handling.peak_slip_rad;
    let [vx, vy, _] = frame.state.velocity_mps;
    let across = vy * frame.cos - vx * frame.sin;
    let sideslip = math::atan2(across, speed);
    let yaw_rate = if frame.state.yaw_rate_radps.is_finite() {
        frame.state.yaw_rate_radps
    } else {
        frame.state.speed_mps * here.curvature
    };
    let offset = frame.cross_track;
    let course = wrap_angle(frame.heading_error + sideslip);
    let resistance = dynamics.drag_radpm * measured * measured + dynamics.rolling_mps2;
    let motion = [
        offset / (lateral * CORRECTION_S * CORRECTION_S),
        offset / geometry.wheelbase_m,
        course * speed / (lateral * CORRECTION_S),
        frame.heading_error / peak,
        sideslip / peak,
        (yaw_rate - here.curvature * measured) * speed / lateral,
        yaw_rate * speed / lateral,
        measured / dynamics.max_speed_mps,
        dynamics.drive_mps2.at(speed) / longitudinal,
        resistance / longitudinal,
    ];
    let (motion_inputs, previewed) = inputs.split_at_mut(MOTION);
    motion_inputs.copy_from_slice(&motion);
    let (steered, previewed) = previewed.split_at_mut(STEERED);
    for (k, (time, place)) in PREVIEW_S.into_iter().zip(previewed.chunks_exact_mut(PER_PLACE)).enumerate() {
        let there = walk.profile(frame.nearest.s + speed * time);
        // A road that leans gives a part of what the bend needs.
        let bend = there.curvature * speed * speed + there.gravity_across.clamp(-STANDARD_GRAVITY, STANDARD_GRAVITY);
        let values = [
            bend / lateral,
            (fraction * there.speed_squared.max(0.0).sqrt() - measured) / longitudinal,
            fraction * fraction * there.acceleration / longitudinal,
        ];
        place.copy_from_slice(&values);
        if let Some(steered) = steered.get_mut(k) {
            *steered = bicycle_steering(geometry.wheelbase_m, there.curvature) / peak;
        }
    }
    inputs.map(|value| bounded(value, MAX_INPUT))
}
