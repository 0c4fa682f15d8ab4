//! Steering of a vehicle on two wheels, which turns as it leans.
//!
//! The steering angle asks for a lean φ_d, and so for a lateral acceleration y_d, which follows in the time T of
//! [`LEANING_TIME_S`] and no faster than the lean rate p allows. What the path asks for after T is
//! commanded now, within the band from which the leans of all places ahead can be reached at a part of p. To it comes
//! what returns to the path, with the offset e and its rate e', critically damped:
//!
//! ```text
//! y_d = κ v² (after T) - 2 ω e' - ω² e         δ = atan(L y_d / v²)                          (1)
//! ω   = p RETURN                                                                             (2)
//! ```
//!
//! y_d is at most what the brakes leave of the tyres: where they are too fast for a bend, riders brake more upright.
//! The change of y_d that an offset asks for grows with ω³ e, and a rate-limited lean that is asked for more swings:
//! so the return is as slow as the vehicle leans.

use super::model::Model;
use super::motion::Motion;
use super::plan::{Ahead, SAMPLES, SPACING_S};
use raceline_car::lean::{LEANING_TIME_S, lean_rad};
use raceline_numerics::{STANDARD_GRAVITY, math};

/// ω of equation (2) by the lean rate. A larger one returns sooner, and swings where the lean rate is used by the path.
const RETURN: f64 = 1.6;
/// Fraction of the lean rate, 0 to 1, that the feed-forward uses; the rest is left to the feedback. Lines need 0.8 of
/// it. A larger one turns into bends later.
const RATE_FRACTION: f64 = 0.85;
/// Fraction of the brakes that is kept at the lateral limit, 0 to 1: a bend that was entered too fast leaves no lean to
/// return to the path with. With less, bends are left up to 3.6 m wide; with 0.4, laps are 0.6 % slower.
pub(super) const BRAKES_KEPT: f64 = 0.2;
/// Sine of the greatest angle at which the vehicle returns to the path, 0 to 1.
const MAX_APPROACH: f64 = 0.15;

/// The steering angle where the brakes decelerate by `braking`, m/s², and the lateral acceleration that it asks for as a
/// multiple of what the tyres give: above 1 they cannot turn the vehicle as it should.
pub(super) fn steering(
    model: &Model<'_>,
    lean_rate: f64,
    motion: &Motion,
    ahead: &mut Ahead<'_>,
    braking: f64,
) -> (f64, f64) {
    let moving = motion.speed.max(1.0);
    let here = ahead.at(motion.advance);
    let excess = moving * moving - here.square;
    let hurry = here.acceleration.clamp(-10.0, 10.0);
    let rate = RATE_FRACTION * lean_rate;
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut lead = 0.0;
    for k in 0..SAMPLES {
        let time = LEANING_TIME_S + k as f64 * SPACING_S;
        let there = ahead.at(motion.advance + ((moving + 0.5 * hurry * time) * time).max(0.0));
        let lean = lean_rad(there.curvature * (there.square + excess).max(1.0));
        let reach = rate * k as f64 * SPACING_S;
        if k == 0 {
            lead = lean;
        }
        (low, high) = (low.max(lean - reach), high.min(lean + reach));
    }
    let forward = if low <= high { lead.clamp(low, high) } else { 0.5 * (low + high) };
    let return_radps = RETURN * lean_rate;
    let course = motion.heading + math::atan2(motion.across, moving);
    let approach = (0.5 * return_radps * motion.offset / moving).clamp(-MAX_APPROACH, MAX_APPROACH);
    // Equation (1).
    let back = -2.0 * return_radps * moving * (math::sin(course) + approach);
    let across = STANDARD_GRAVITY * math::tan(forward) + back;
    let limit = model.on(here.grip).lateral_beside(moving, braking);
    let held = across.clamp(-limit, limit);
    (math::atan(model.wheelbase * held / (moving * moving)), across.abs() / limit)
}

/// The yaw rate after `dt` of a vehicle that leans to the lateral acceleration `demanded`, m/s², and speeds up by
/// `acceleration`, m/s².
pub(super) fn yaw_rate_after(motion: &Motion, demanded: f64, lean_rate: f64, [acceleration, dt]: [f64; 2]) -> f64 {
    let lean = lean_rad(motion.yaw_rate * motion.speed);
    let reach = lean_rate * dt;
    // Over a step as long as the time constant, the lean is there.
    let leaned = lean + ((lean_rad(demanded) - lean) * (dt / LEANING_TIME_S).min(1.0)).clamp(-reach, reach);
    let speed = (motion.speed + acceleration * dt).max(1.0);
    STANDARD_GRAVITY * math::tan(leaned) / speed
}

#[cfg(test)]
mod tests {
    use super::{Ahead, Model, Motion, STANDARD_GRAVITY, lean_rad, steering, yaw_rate_after};
    use crate::chassis::testing::{frame, on_straight, straight, straight_of};
    use crate::path::{Path, Waypoint};
    use crate::vehicle::{VehicleGeometry, VehicleState};
    use raceline_car::VehicleDynamics;

    const STILL: Motion = Motion { advance: 0.0, offset: 0.0, heading: 0.0, speed: 20.0, across: 0.0, yaw_rate: 0.0 };

    /// At the lean rate as long as more is missing than it leans within the time constant, then in that time.
    #[test]
    fn the_predicted_lean_is_that_of_its_rate_and_time() {
        let (mut motion, dt) = (STILL, 1e-3);
        for step in 1..=300 {
            motion.yaw_rate = yaw_rate_after(&motion, 8.0, 1.5, [0.0, dt]);
            assert!((lean_rad(20.0 * motion.yaw_rate) - 1.5 * f64::from(step) * dt).abs() < 1e-9, "{step}");
        }
        let missing = lean_rad(8.0) - lean_rad(20.0 * motion.yaw_rate);
        for _ in 0..400 {
            motion.yaw_rate = yaw_rate_after(&motion, 8.0, 100.0, [0.0, dt]);
        }
        let left = lean_rad(8.0) - lean_rad(20.0 * motion.yaw_rate);
        assert!((left / missing - (-0.4 / 0.1_f64).exp()).abs() < 2e-3, "{left} of {missing}");
    }

    fn motorcycle() -> VehicleDynamics {
        VehicleDynamics { lean_rate_radps: Some(1.5), ..VehicleDynamics::constant(12.0, 10.0, 5.0) }
    }

    /// The lateral acceleration that the steering asks for, m/s², and what it is of the tyres' limit.
    #[track_caller]
    fn asked(ahead: &mut Ahead<'_>, motion: &Motion, braking: f64) -> (f64, f64) {
        let (dynamics, geometry) = (motorcycle(), VehicleGeometry::default());
        let model = Model::new(&dynamics, &geometry, 1.0);
        let (angle, used) = steering(&model, 1.5, motion, ahead, braking);
        (motion.speed * motion.speed * angle.tan() / geometry.wheelbase_m, used)
    }

    /// Equation (1) with ω = 1.6 · 1.5 rad/s, from near the path and, at a sine of 0.15, from far.
    #[test]
    fn a_vehicle_beside_its_path_returns_critically_damped() {
        let path = straight([5.0; 2], 20.0).with_dynamics(&motorcycle());
        let frame = on_straight(&path, [100.0, 0.0], 20.0);
        let ahead = || Ahead::new(&frame, 1.0, 100.0);
        let near = Motion { offset: 0.3, heading: 0.02, across: 0.4, ..STILL };
        let rate = 20.0 * (0.02 + 0.4_f64.atan2(20.0)).sin();
        let expected = -2.0 * 2.4 * rate - 2.4 * 2.4 * 0.3;
        let (across, used) = asked(&mut ahead(), &near, 0.0);
        assert!((across - expected).abs() < 1e-9 && (used + expected / 12.0).abs() < 1e-9, "{across} {used}");
        let far = Motion { offset: -4.0, heading: 0.1, ..STILL };
        let expected = -2.0 * 2.4 * 20.0 * (0.1_f64.sin() - 0.15);
        assert!((asked(&mut ahead(), &far, 0.0).0 - expected).abs() < 1e-9);
        // Brakes at 0.8 of their limit leave 0.6 of that across.
        let wide = Motion { offset: -4.0, heading: -0.1, ..STILL };
        let (across, used) = asked(&mut ahead(), &wide, 8.0);
        assert!((across - 7.2).abs() < 1e-9 && used > 3.0, "{across} {used}");
    }

    /// A bend with a lean of 0.936 rad begins 10 m ahead, at 20 m/s: what is not leant after half a second is more than
    /// 0.85 of the rate give then, so the vehicle leans before the path does.
    #[test]
    fn a_bend_that_needs_more_time_than_is_left_is_leant_into_early() {
        let arc = |k: u32| {
            let (sin, cos) = (f64::from(k) * 0.02).sin_cos();
            [110.0 + 30.0 * sin, 30.0 - 30.0 * cos, 0.0]
        };
        let line = (0..110).map(|k| [f64::from(k), 0.0, 0.0]).chain((0..100).map(arc));
        let points = line.map(|position_m| Waypoint { position_m, speed_mps: 20.0, ..Waypoint::default() });
        let path = Path::new(points.collect(), false).unwrap().with_dynamics(&motorcycle());
        let frame = frame(&path, &VehicleState::new([100.0, 0.0, 0.0], 0.0, 20.0));
        let (across, _) = asked(&mut Ahead::new(&frame, 1.0, 100.0), &STILL, 0.0);
        // The bend is reached 0.4 s after the lean that is asked for now; the path's curvature grows over some metres.
        let sudden = STANDARD_GRAVITY * (lean_rad(20.0 * 20.0 / 30.0) - 0.85 * 1.5 * 0.4).tan();
        assert!((1.0..sudden).contains(&across), "{across} {sudden}");
    }

    /// The curvature grows by 1e-4 in a metre and the profile speeds up by 2 m/s²: after 0.1 s the vehicle is 2.01 m ahead.
    #[test]
    fn the_lean_is_that_of_the_place_after_its_time() {
        let path = straight_of(|along| Waypoint {
            speed_mps: (4.0 * along).sqrt(),
            curvature_radpm: 1e-4 * along,
            ..Waypoint::default()
        });
        let path = path.with_dynamics(&motorcycle());
        let frame = on_straight(&path, [100.0, 0.0], 20.0);
        let (across, _) = asked(&mut Ahead::new(&frame, 1.0, 100.0), &STILL, 0.0);
        let expected = 0.010_201 * 4.0 * 102.01;
        assert!((across - expected).abs() < 1e-9, "{across} {expected}");
    }

    #[test]
    fn a_vehicle_that_slows_turns_faster_at_the_same_lean() {
        let leaning = Motion { yaw_rate: 0.3, ..STILL };
        let after = yaw_rate_after(&leaning, 6.0, 1.5, [-10.0, 0.05]);
        assert!((after * 19.5 - 6.0).abs() < 1e-9, "{after}");
    }
}
