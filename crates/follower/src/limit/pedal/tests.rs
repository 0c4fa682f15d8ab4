use super::{LimitOptions, Moment, Pedal, SpeedControlOptions, pedal};
use crate::chassis::testing::{on_straight, straight_of};
use crate::limit::given::GivenInputs;
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

fn given(fraction: f64, along: f64, rear_slip: f64) -> GivenInputs {
    GivenInputs { fraction, steering: 0.0, sideslip: 0.0, yaw_rate: 0.0, along, rear_slip }
}

#[test]
fn the_given_pedal_replaces_the_plan_by_its_fraction() {
    let at = |path: &Path, speed: f64, before: Option<f64>, given: GivenInputs| {
        asked(&car(), path, moving(speed), &Moment { before, given: Some(&given), ..NEW })
    };
    near(at(&bend(0.0), 19.5, None, given(1.0, 2.0, 0.0)).along, 1.5 + 2.0);
    near(at(&bend(0.0), 19.5, None, given(0.5, 2.0, 0.0)).along, 1.5 + 1.0);
    // The pedal moves in 0.08 s, and no place ahead counts, nor braking for one.
    near(at(&bend(0.0), 15.0, Some(0.0), given(1.0, 0.0, 0.0)).along, 0.02 * 10.0 / 0.08);
    let usual = 0.16 * (2.6_f64 / 2.5).sqrt();
    near(at(&bend(0.0), 15.0, Some(0.0), given(0.5, 0.0, 0.0)).along, 0.02 * 10.0 / (0.5 * (usual + 0.08)));
    near(at(&slows(150.0), 20.0, None, given(1.0, 0.0, 0.0)).target, 40.0);
    // In part: 0.9 of 8 m/s² for 30 m.
    let square = 100.0 + 2.0 * 30.0 * 7.2;
    near(at(&slows(150.0), 20.0, None, given(0.5, 0.0, 0.0)).target, f64::sqrt(0.5 * (square + 1600.0)));
    // A bend leaves 0.8 m/s²: what the path gives is taken all the same.
    let sharp = |speed: f64, given: GivenInputs| {
        let motion = Motion { yaw_rate: 0.0299 * speed, across: 1.3 * 0.0299 * speed, ..moving(speed) };
        asked(&car(), &bend(0.0299), motion, &Moment { given: Some(&given), ..NEW }).along
    };
    near(sharp(20.1, given(1.0, -6.0, 0.0)), -6.0);
    near(sharp(20.2, given(0.5, -6.0, 0.0)), -3.0);
    near(sharp(19.9, given(1.0, 4.0, 0.0)), 4.0);
}

#[test]
fn a_slide_that_the_path_plans_takes_nothing_from_the_pedal() {
    let geometry = VehicleGeometry::default();
    let dynamics = car();
    let peak = Model::new(&dynamics, &geometry, 1.0).peak_slip;
    let motion = Motion { across: -19.0 * (0.95 * peak).tan(), ..moving(19.0) };
    let at = |given: GivenInputs| asked(&dynamics, &bend(0.0), motion, &Moment { given: Some(&given), ..NEW }).along;
    // At 0.95 of the peak nothing is left, at 0.75 a half.
    near(at(given(1.0, 0.0, 0.0)), 0.0);
    near(at(given(0.5, 0.0, 0.4)), 3.0);
    near(at(given(1.0, 0.0, 0.4)), 3.0);
}

/// Equations (1) and (2): in a bend the brakes have what the ellipse leaves less what they lose, and the use of the tyres
/// fades by 0.7 from sample to sample.
#[test]
fn the_brakes_are_planned_with_what_cornering_leaves_and_what_they_lose() {
    let path = straight_of(|along| Waypoint {
        speed_mps: if along < 150.0 { 40.0 } else { 10.0 },
        curvature_radpm: if along < 145.0 { 0.0055 } else { 0.0 },
        ..Waypoint::default()
    });
    let place = |k: usize| {
        let s = 120.4 + 2.0 * k as f64;
        let part = ((s - 140.0) / 10.0).clamp(0.0, 1.0);
        (1600.0 - 1500.0 * part, 0.0055 * (1.0 - part))
    };
    let mut used = 0.0055 * 400.0 / 12.0;
    let uses: Vec<f64> = (0..15)
        .map(|k| {
            used = (place(k).0 * place(k).1 / 12.0).max(0.7 * used);
            used
        })
        .collect();
    let mut square = place(15).0;
    for used in uses.iter().rev() {
        square += 4.0 * (10.0 * (1.0 - used * used).sqrt() * (1.0 - 0.5 * used)).min(6.4);
    }
    near(asked(&car(), &path, moving(20.0), &Moment { lost: 0.5, ..NEW }).target, square.sqrt());
}

#[test]
fn a_speed_that_grows_is_that_of_this_place_and_one_that_falls_that_of_the_next() {
    let path = |acceleration: f64| {
        straight_of(move |along| Waypoint {
            speed_mps: (400.0 + 2.0 * acceleration * (along - 120.0)).sqrt(),
            ..Waypoint::default()
        })
    };
    let [grows, falls] = [0.5, -0.5].map(|by| asked(&car(), &path(by), moving(19.9), &NEW));
    near(grows.target, 20.0);
    near(grows.along, 3.0 * 0.1 + 0.5);
    // 0.02 s ahead, where it arrives slower by 0.5 m/s².
    let there = (400.0 - 0.02 * 19.9_f64).sqrt();
    near(falls.target, there);
    near(falls.along, 3.0 * (there - (19.9 - 0.02 * 0.5)) - 0.5);
}

/// A pedal that drives is released at the jerk, and so is not counted for the whole preview.
#[test]
fn a_pedal_that_is_released_drives_until_then() {
    let jerk = 10.0 / (0.16 * (2.6_f64 / 2.5).sqrt());
    let at = |before: f64| asked(&car(), &bend(0.0), moving(19.9), &Moment { before: Some(before), ..NEW }).along;
    near(at(1.0), 3.0 * (0.1 - 1.0 / jerk));
    // The preview is shorter than that: 0.02 s and half of the time to full braking.
    let preview = 0.02 + (4.9 + 6.4) / (2.0 * jerk);
    assert!(preview > 4.9 / jerk);
    near(at(1.2), 3.0 * (0.1 - 1.2 * 1.2 / jerk));
}

/// Of the drag no more is driven against than 0.97 of the tyres leave.
#[test]
fn near_the_limit_less_of_the_drag_is_driven_against() {
    let stiff = VehicleDynamics { cornering_stiffness_per_rad: Some(20.0), peak_slip_rad: 0.08, ..car() };
    let across = 12.0 * 0.9695;
    for rolling_mps2 in [0.0, 0.2] {
        let dynamics = VehicleDynamics { rolling_mps2, ..stiff };
        let geometry = VehicleGeometry::default();
        let model = Model::new(&dynamics, &geometry, 1.0);
        let (part, drag) = (model.linear_fraction(), model.cornering_drag(20.0, across));
        let left = 9.7 * (1.0 - (0.9695 / 0.97_f64).powi(2)).sqrt();
        assert!(part * drag > left - rolling_mps2, "{part} {drag} {left}");
        let motion = Motion { yaw_rate: across / 20.0, across: 1.3 * across / 20.0, ..moving(20.0) };
        let found = asked(&dynamics, &bend(across / 400.0), motion, &NEW).along;
        near(found, 3.0 * -0.02 * (left - rolling_mps2 - drag) + left);
    }
}
