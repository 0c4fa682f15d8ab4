use super::{AtLimit, BendBrakes, LimitControl, Model, Motion};
use crate::chassis::Frame;
use crate::chassis::testing::{HEADING, frame, place, straight, straight_of};
use crate::closeness::assert_close;
use crate::options::{FollowerOptions, SpeedControlOptions, SpeedMode};
use crate::path::{Path, PathInputs, Waypoint};
use crate::shift::Shift;
use crate::vehicle::{VehicleGeometry, VehicleState};
use raceline_car::VehicleDynamics;

fn car() -> VehicleDynamics {
    VehicleDynamics::constant(12.0, 10.0, 5.0)
}

/// A straight path at 20 m/s of that car.
fn path() -> Path {
    straight([50.0; 2], 20.0).with_dynamics(&car())
}

/// The frame of a vehicle whose velocity and yaw rate are known, `along` a straight path and in its direction.
fn at<'a>(path: &'a Path, along: f64, speed: f64) -> Frame<'a> {
    let (sin, cos) = HEADING.sin_cos();
    let state = VehicleState::new(place(along, 0.0), HEADING, speed);
    frame(path, &VehicleState { velocity_mps: [speed * cos, speed * sin, 0.0], yaw_rate_radps: 0.0, ..state })
}

/// Options with which the full brake pedal gives 8 m/s².
fn options() -> FollowerOptions {
    let mut options = FollowerOptions::for_racing();
    options.target_speed.mode = SpeedMode::Profile;
    options.speed_control = SpeedControlOptions { full_brake_mps2: 8.0, ..options.speed_control };
    (options.limit.delay_s, options.limit.brakes_at_limit) = (0.0, false);
    options
}

fn step(control: &mut LimitControl, frame: &Frame<'_>, options: &FollowerOptions) -> Option<AtLimit> {
    control.step(frame, options, &VehicleGeometry::default())
}

#[test]
fn it_applies_near_the_path_to_a_vehicle_that_moves_and_whose_motion_is_known() {
    let path = path();
    let applies = |change: &dyn Fn(&mut Frame<'_>)| {
        let mut frame = at(&path, 100.0, 20.0);
        change(&mut frame);
        step(&mut LimitControl::default(), &frame, &options()).is_some()
    };
    assert!(applies(&|_| {}));
    assert!(!applies(&|frame| frame.velocity_known = false));
    assert!(!applies(&|frame| frame.state.yaw_rate_radps = f64::NAN));
    assert!(!applies(&|frame| frame.here.speed_mps = f64::INFINITY));
    assert!(!applies(&|frame| frame.state.speed_mps = 1.0) && applies(&|frame| frame.state.speed_mps = 1.01));
    for side in [1.0, -1.0] {
        assert!(applies(&|frame| frame.cross_track = 7.9 * side) && !applies(&|frame| frame.cross_track = 8.0 * side));
        // From the path beside the path.
        let beside = |offset: f64| {
            applies(&|frame| {
                frame.shift = Shift { offset: 5.0 * side, goal: 5.0 * side, ..Shift::NONE };
                frame.cross_track = offset * side;
            })
        };
        assert!(beside(12.9) && beside(-2.9) && !beside(13.0) && !beside(-3.0));
        assert!(applies(&|frame| frame.heading_error = 0.99 * side));
        assert!(!applies(&|frame| frame.heading_error = 1.0 * side));
    }
}

#[test]
fn it_is_asked_for_by_the_options_and_by_a_path_with_a_vehicle_and_its_speeds() {
    let (path, plain) = (path(), straight([50.0; 2], 20.0));
    let [mut off, mut by_curves] = [options(); 2];
    off.limit.enabled = false;
    by_curves.target_speed.mode = SpeedMode::Bezier;
    for (path, options, is_asked_for) in
        [(&path, options(), true), (&path, off, false), (&path, by_curves, false), (&plain, options(), false)]
    {
        let mut frame = at(path, 100.0, 20.0);
        assert_eq!(step(&mut LimitControl::default(), &frame, &options).is_some(), is_asked_for);
        assert!(!LimitControl::lacks_velocity(&frame, &options));
        frame.velocity_known = false;
        assert_eq!(LimitControl::lacks_velocity(&frame, &options), is_asked_for);
        frame.here.speed_mps = f64::INFINITY;
        assert!(!LimitControl::lacks_velocity(&frame, &options));
    }
}

#[test]
fn after_a_gap_it_knows_only_what_it_has_learned() {
    let path = straight_of(|_| Waypoint { speed_mps: 20.0, curvature_radpm: 0.02, ..Waypoint::default() });
    let path = path.with_dynamics(&car());
    let mut options = options();
    options.limit.delay_s = 0.1;
    let mut control = LimitControl::default();
    for speed in [24.0, 23.9, 23.8] {
        step(&mut control, &at(&path, 100.0, speed), &options);
    }
    let LimitControl { rear, brakes, front_use, pending, .. } = control;
    assert!(rear != Default::default() && front_use > 0.0 && pending != Default::default());
    step(&mut control, &at(&path, 100.0, 0.5), &options);
    let (mut interrupted, mut none) = (brakes, pending);
    interrupted.interrupt();
    none.clear();
    assert_eq!(control, LimitControl { rear, brakes: interrupted, pending: none, ..LimitControl::default() });
    assert!(interrupted != brakes && none != pending);
    control.reset();
    assert_eq!(control, LimitControl::default());
}

/// 10 m/s² in 0.16 s of a wheelbase of 2.5 m.
fn jerk() -> f64 {
    10.0 / (0.16 * (2.6_f64 / 2.5).sqrt())
}

#[test]
fn the_pedal_goes_on_from_that_of_the_last_frame() {
    let path = path();
    let mut control = LimitControl::default();
    let first = step(&mut control, &at(&path, 100.0, 19.5), &options()).unwrap();
    assert_close(first.pedal, 1.5 / 5.0);
    let second = step(&mut control, &at(&path, 100.0, 30.0), &options()).unwrap();
    assert_close(second.pedal, (1.5 - 0.02 * jerk()) / 5.0);
    assert_close(second.target_speed, 20.0);
}

#[test]
fn the_end_of_the_path_and_other_vehicles_are_braked_for() {
    let path = path().with_grip(|_, _| 0.8);
    let at_end = at(&path, 370.0, 20.0);
    // 0.7 of the brakes on this surface.
    let end = at_end.end_speed(true, 0.7 * 0.8 * 10.0).unwrap();
    assert!(end.0 < 19.0 && end.1 == 5.6, "{end:?}");
    let target = |shift: Shift, stop_at_end: bool| {
        let mut options = options();
        options.target_speed.stop_at_end = stop_at_end;
        step(&mut LimitControl::default(), &Frame { shift, ..at_end }, &options).unwrap()
    };
    let behind = |max_speed: f64| Shift { max_speed, braking: 3.0, ..Shift::NONE };
    assert_close(target(Shift::NONE, true).target_speed, end.0);
    assert_close(target(Shift::NONE, false).target_speed, 20.0);
    assert_close(target(behind(end.0 - 1.0), true).target_speed, end.0 - 1.0);
    assert_close(target(behind(end.0 + 1.0), true).target_speed, end.0);
    // Slower by 0.2 m/s, with 3 m/s² besides.
    let followed = target(behind(19.8), false);
    assert_close(followed.target_speed, 19.8);
    assert_close(followed.pedal, -(3.0 * 0.2 + 3.0) / 8.0);
}

/// On a straight the given angle counts by half, by the fraction of the options and as far as the brakes are trusted.
#[test]
fn given_inputs_count_by_their_fraction_and_by_the_trust_in_the_brakes() {
    let inputs = PathInputs { steering_rad: 0.05, pedal: 0.0, sideslip_rad: 0.0, yaw_rate_radps: 0.0 };
    let path = path().with_inputs(move |_, _| Some(inputs));
    let angle = |fraction: f64, brakes: BendBrakes| {
        let mut options = options();
        options.limit.inputs_fraction = fraction;
        let mut control = LimitControl { brakes, ..LimitControl::default() };
        step(&mut control, &at(&path, 100.0, 20.0), &options).unwrap().steering
    };
    assert_close(angle(1.0, BendBrakes::default()), 0.5 * 0.05);
    assert_close(angle(0.4, BendBrakes::default()), 0.4 * 0.5 * 0.05);
    // Brakes that gave nothing in bends.
    let (dynamics, geometry) = (car(), VehicleGeometry::default());
    let (model, mut brakes) = (Model::new(&dynamics, &geometry, 1.0), BendBrakes::default());
    let now = Motion::new(&at(&path, 100.0, 20.0), &model);
    while brakes.trust() > 0.8 {
        brakes.learn(&model, &now, 10.0, Some(-3.0), [2.0, 0.02]);
    }
    brakes.interrupt();
    assert!(brakes.trust() > 0.3);
    assert_close(angle(0.4, brakes), 0.4 * brakes.trust() * 0.5 * 0.05);
}

/// By what the bend and its banking take of the tyres at the vehicle's speed, and by the pedal that acted.
#[test]
fn the_brakes_are_learned_from_the_bend_and_the_pedal_that_acted() {
    let path = straight_of(|_| Waypoint { speed_mps: 20.0, curvature_radpm: 0.012, ..Waypoint::default() });
    let path = path.with_dynamics(&car()).with_banking(|_, _| -0.1);
    let (dynamics, geometry) = (car(), VehicleGeometry::default());
    let model = Model::new(&dynamics, &geometry, 1.0);
    let mut options = options();
    options.limit.delay_s = 0.06;
    let (mut control, mut brakes, mut along) = (LimitControl::default(), BendBrakes::default(), None);
    for speed in [24.0, 23.9, 23.8] {
        let frame = at(&path, 100.0, speed);
        let gravity = -9.80665 * 0.1_f64.sin();
        let across = 0.012 * speed * speed + gravity;
        let acted = control.pending.acted(0.06, 0.02).or(along);
        brakes.learn(&model, &Motion::new(&frame, &model), across, acted, [2.0, 0.02]);
        step(&mut control, &frame, &options);
        along = control.along;
    }
    assert_close(control.brakes.lost(&model), brakes.lost(&model));
    assert!(brakes.lost(&model) != BendBrakes::default().lost(&model) && along.unwrap() < -3.0);
}

#[test]
fn a_path_beside_the_path_is_steered_along() {
    let path = path();
    let angle = |left: f64, shift: Shift| {
        let mut frame = at(&path, 100.0, 20.0);
        (frame.cross_track, frame.shift) = (left, shift);
        step(&mut LimitControl::default(), &frame, &options()).unwrap().steering
    };
    let beside = Shift { offset: 2.0, goal: 2.0, ..Shift::NONE };
    assert_close(angle(2.0, beside), 0.0);
    assert_close(angle(1.5, beside), angle(-0.5, Shift::NONE));
    assert!(angle(1.5, beside) > 0.01);
}

/// Far beside its path a vehicle that leans asks for all that its brakes leave.
#[test]
fn a_vehicle_that_leans_turns_by_what_its_brakes_leave() {
    let dynamics = VehicleDynamics { lean_rate_radps: Some(3.0), ..car() };
    let path = straight([50.0; 2], 20.0).with_dynamics(&dynamics);
    let geometry = VehicleGeometry::default();
    let model = Model::new(&dynamics, &geometry, 1.0);
    for speed in [22.0, 12.0] {
        let mut frame = at(&path, 100.0, speed);
        (frame.cross_track, frame.heading_error) = (-7.0, -0.5);
        let mut control = LimitControl::default();
        let found = step(&mut control, &frame, &options()).unwrap();
        let along = control.along.unwrap();
        assert!(if speed > 20.0 { along < -5.0 } else { along > 1.0 }, "{along}");
        let left = model.lateral_beside(speed, (-along).max(0.0));
        assert_close(found.steering, (2.6 * left / (speed * speed)).atan());
    }
}

/// What does not act yet is kept only where there is a delay.
#[test]
fn pending_commands_are_those_of_a_delay() {
    let path = path();
    for delay_s in [0.0, 0.1] {
        let mut options = options();
        options.limit.delay_s = delay_s;
        let mut control = LimitControl::default();
        let found = step(&mut control, &at(&path, 100.0, 19.0), &options).unwrap();
        let mut pending = super::PendingCommands::default();
        if delay_s > 0.0 {
            pending.push(found.steering, control.along.unwrap(), 0.02);
        }
        assert_eq!(control.pending, pending);
    }
}
