use super::{LimitOptions, Moment, Pedal, SpeedControlOptions, pedal};
use crate::chassis::testing::{on_straight, straight_of};
use crate::limit::model::Model;
use crate::limit::motion::Motion;
use crate::limit::plan::Ahead;
use crate::path::{Path, Waypoint};
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;

const NEW: Moment<'_> = Moment { before: None, lost: 0.0, front_use: 0.0, dt: 0.02, end: None, given: None };

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} and {b}");
}

/// A motion along the path, without a slide in a bend of its own yaw rate.
fn moving(speed: f64) -> Motion {
    Motion { advance: 0.0, offset: 0.0, heading: 0.0, speed, across: 0.0, yaw_rate: 0.0 }
}

fn car() -> VehicleDynamics {
    VehicleDynamics::constant(12.0, 10.0, 5.0)
}

/// The pedal 120 m along a path; the full brake pedal gives 8 m/s².
fn asked(dynamics: &VehicleDynamics, path: &Path, motion: Motion, moment: &Moment<'_>) -> Pedal {
    let geometry = VehicleGeometry::default();
    let (options, control) =
        (LimitOptions::default(), SpeedControlOptions { full_brake_mps2: 8.0, ..Default::default() });
    let frame = on_straight(path, [120.0, 0.0], motion.speed);
    let model = Model::new(dynamics, &geometry, 1.0);
    pedal(&model, &options, &control, [&motion, &motion], &mut Ahead::new(&frame, 1.0, 100.0), moment)
}

/// A path at 20 m/s with a curvature.
fn bend(curvature_radpm: f64) -> Path {
    straight_of(|_| Waypoint { speed_mps: 20.0, curvature_radpm, ..Waypoint::default() })
}

#[test]
fn a_missing_speed_is_asked_for_three_times_a_second() {
    let at = |speed: f64| asked(&car(), &bend(0.0), moving(speed), &NEW);
    let slow = at(19.5);
    near(slow.target, 20.0);
    near(slow.along, 1.5);
    near(slow.pedal, 0.3);
    near(at(20.5).along, -1.5);
    near(at(20.5).pedal, -1.5 / 8.0);
    // No more than the drive and the full brake pedal.
    assert_eq!((at(15.0).along, at(15.0).pedal), (5.0, 1.0));
    assert_eq!((at(30.0).along, at(30.0).pedal), (-8.0, -1.0));
    // Against rolling and drag as well.
    let resisted = VehicleDynamics { rolling_mps2: 0.2, drag_radpm: 1e-3, ..car() };
    near(asked(&resisted, &bend(0.0), moving(20.0), &NEW).along, 0.6);
}

#[test]
fn the_pedal_moves_no_faster_than_in_its_time() {
    // 10 m/s² in 0.16 s of a wheelbase of 2.5 m.
    let jerk = 10.0 / (0.16 * (2.6_f64 / 2.5).sqrt());
    let at =
        |speed: f64, before: f64| asked(&car(), &bend(0.0), moving(speed), &Moment { before: Some(before), ..NEW });
    near(at(15.0, 0.0).along, 0.02 * jerk);
    near(at(30.0, 0.0).along, -0.02 * jerk);
    near(at(30.0, 2.0).along, 2.0 - 0.02 * jerk);
    // Braking counts for the time of the preview: 0.02 s, and half of the time to full braking.
    let preview = 0.02 + (6.4 - 1.0) / (2.0 * jerk);
    near(at(20.1, -1.0).along, 3.0 * (20.0 - 20.1 + preview));
}

/// From 20 m/s, 150 m along the path, it is driven at 10 m/s: 30.4 m ahead lies the last sample.
fn slows(from: f64) -> Path {
    straight_of(|along| Waypoint { speed_mps: if along < from { 40.0 } else { 10.0 }, ..Waypoint::default() })
}

#[test]
fn the_speed_is_that_from_which_the_brakes_reach_what_is_ahead() {
    // Samples every 2 m from 120.4 m on; the one at 150.4 m is slow, and 0.8 of 8 m/s² are planned for 30 m.
    let at = |moment: &Moment<'_>| asked(&car(), &slows(150.0), moving(20.0), moment);
    let found = at(&NEW);
    let square = 100.0 + 2.0 * 30.0 * 6.4;
    near(found.target, f64::sqrt(square));
    near(found.along, 3.0 * (f64::sqrt(square) - (20.0 - 0.02 * 6.4)) - 6.4);
    // The end of the path, or another vehicle, allows less.
    let ends = at(&Moment { end: Some((12.0, 3.0)), ..NEW });
    assert_eq!((ends.target, ends.along), (12.0, -8.0));
    near(at(&Moment { end: Some((19.5, 3.0)), ..NEW }).along, 3.0 * -0.5 - 3.0);
    near(at(&Moment { end: Some((25.0, 3.0)), ..NEW }).target, found.target);
    // Rolling alone reaches a little less: with 7 m/s² of it, and none of the brakes.
    let rolls = VehicleDynamics { rolling_mps2: 45.0, ..car() };
    assert!((asked(&rolls, &slows(150.0), moving(20.0), &NEW).target - 40.0).abs() < 1e-9);
}

#[test]
fn a_bend_takes_from_the_brakes_what_the_ellipse_does_not_leave() {
    // At 20 m/s a bend of 0.024 takes 0.8 of 12 m/s²: 0.6 of 10 m/s² are left.
    let steady = Motion { yaw_rate: 0.48, across: 1.3 * 0.48, ..moving(20.0) };
    let at = |motion: Motion, moment: &Moment<'_>| asked(&car(), &bend(0.024), motion, moment);
    let drag = {
        let (dynamics, geometry) = (car(), VehicleGeometry::default());
        Model::new(&dynamics, &geometry, 1.0).cornering_drag(20.0, 9.6)
    };
    // The tyres' drag slows it down for the preview's time.
    near(at(steady, &NEW).along, 3.0 * 0.02 * drag);
    // At 22.3 m/s 11.93 of 12 m/s² are taken. A tenth too fast: 0.6 of the brakes, whatever is left.
    let fast = Motion { speed: 22.3, yaw_rate: 0.024 * 22.3, across: 1.3 * 0.024 * 22.3, ..steady };
    near(at(fast, &NEW).along, -6.0);
    // The front runs wide: nothing drives it, and from one and a half on the brakes alone act.
    let slow = Motion { speed: 18.0, yaw_rate: 0.432, across: 1.3 * 0.432, ..steady };
    let used = 324.0 * 0.024 / 12.0_f64;
    let drives = (10.0 * (1.0 - used * used).sqrt()).min(5.0);
    for (front_use, part) in [(0.9, 1.0), (1.25, 0.5), (1.6, 0.0)] {
        near(at(slow, &Moment { front_use, ..NEW }).along, part * drives);
    }
    // The rear slides: from 0.55 of the peak on it takes less, at 0.95 none, and 0.2 m/s² of braking stay.
    let peak = {
        let (dynamics, geometry) = (car(), VehicleGeometry::default());
        Model::new(&dynamics, &geometry, 1.0).peak_slip
    };
    let slides = |slip: f64, speed: f64| {
        let yaw_rate = 0.024 * speed;
        let across = 1.3 * yaw_rate - speed * (slip * peak).tan();
        at(Motion { speed, yaw_rate, across, ..steady }, &NEW).along
    };
    near(slides(0.5, 18.0), drives);
    let unbounded = 10.0 * (1.0 - used * used).sqrt();
    near(slides(0.85, 18.0), (0.25 * unbounded).min(5.0));
    near(slides(1.0, 18.0), 0.0);
    near(slides(1.0, 22.0), -0.2);
    near(slides(0.75, 22.0), -0.5 * 6.0);
}

#[test]
fn outside_of_a_bend_the_vehicle_is_slower() {
    let target =
        |curvature: f64, offset: f64| asked(&car(), &bend(curvature), Motion { offset, ..moving(20.0) }, &NEW).target;
    near(target(0.01, -2.0), 20.0 * 0.9);
    near(target(-0.01, 2.0), 20.0 * 0.9);
    near(target(0.01, 2.0), 20.0);
    near(target(0.01, -9.0), 20.0 * 0.8);
}

/// A tyre whose slip is linear: its drag is given back on the path, and beside it by less.
#[test]
fn the_drag_of_a_linear_tyre_is_driven_against() {
    let stiff = VehicleDynamics { cornering_stiffness_per_rad: Some(20.0), peak_slip_rad: 0.08, ..car() };
    let geometry = VehicleGeometry::default();
    let model = Model::new(&stiff, &geometry, 1.0);
    let (part, drag) = (model.linear_fraction(), model.cornering_drag(20.0, 4.0));
    assert!(part > 0.1 && drag > 0.05);
    let at = |offset: f64| {
        let motion = Motion { offset, yaw_rate: 0.2, across: 1.3 * 0.2, ..moving(20.0) };
        asked(&stiff, &bend(0.01), motion, &NEW).along
    };
    for (offset, on_path) in [(0.0, 1.0), (0.9, 0.5), (2.0, 0.0)] {
        let planned = part * on_path * drag;
        let gain = planned - drag;
        near(at(offset), 3.0 * (0.0 - 0.02 * gain) + planned);
    }
}
