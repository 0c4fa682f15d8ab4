use super::{Feedback, GivenInputs, RearTyres, SAMPLES, SPACING_S, steering};
use crate::chassis::testing::{on_straight, straight_of};
use crate::closeness::assert_close;
use crate::limit::model::Model;
use crate::limit::motion::Motion;
use crate::limit::plan::Ahead;
use crate::options::LimitOptions;
use crate::path::{Path, Waypoint};
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;

const STILL: Motion = Motion { advance: 0.0, offset: 0.0, heading: 0.0, speed: 20.0, across: 0.0, yaw_rate: 0.0 };
const DT: f64 = 0.02;

/// Distances of the centre of gravity from the axles, m.
const TO_FRONT: f64 = 0.4 * 2.6;
const TO_REAR: f64 = 0.6 * 2.6;

/// A car whose wheels turn at once, unless a test has them turn slowly.
fn car() -> VehicleDynamics {
    VehicleDynamics {
        front_weight_fraction: 0.6,
        gyration_m2: 2.0,
        steering_rate_radps: 100.0,
        rolling_mps2: 0.2,
        drag_radpm: 1e-3,
        ..VehicleDynamics::constant(12.0, 10.0, 5.0)
    }
}

/// The car without slip of its tyres: those of a vehicle that leans are steered by their camber.
fn without_slip() -> VehicleDynamics {
    VehicleDynamics { lean_rate_radps: Some(1.5), ..car() }
}

/// No feedback, no bound of the slip and no learning.
fn forward(preview_s: f64) -> LimitOptions {
    LimitOptions {
        preview_s,
        heading_gain: 0.0,
        yaw_damping_s: 0.0,
        max_slip: 1e3,
        slip_learning: 0.0,
        ..LimitOptions::default()
    }
}

/// A path at 20 m/s with a curvature by the distance from 100 m on.
fn bends(curvature: impl Fn(f64) -> f64) -> Path {
    straight_of(|along| Waypoint { speed_mps: 20.0, curvature_radpm: curvature(along - 100.0), ..Waypoint::default() })
}

/// Steering and use of the front tyres 100 m along a path.
fn asked(
    dynamics: &VehicleDynamics,
    options: &LimitOptions,
    path: &Path,
    motions: [&Motion; 2],
    pedal: f64,
    given: Option<&GivenInputs>,
    rear: &mut RearTyres,
) -> (f64, f64) {
    let geometry = VehicleGeometry::default();
    let model = Model::new(dynamics, &geometry, 1.0);
    let frame = on_straight(path, [100.0, 0.0], motions[1].speed);
    steering(&model, options, motions, &mut Ahead::new(&frame, 1.0, 100.0), [pedal, DT], given, rear)
}

/// The feed-forward of a car, with the pedal that keeps the path's speed.
#[track_caller]
fn is_forward(dynamics: &VehicleDynamics, preview_s: f64, path: &Path, motion: Motion, pedal: f64, expected: f64) {
    let rear = &mut RearTyres::default();
    assert_close(asked(dynamics, &forward(preview_s), path, [&motion; 2], pedal, None, rear).0, expected);
}

fn with_model<T>(dynamics: &VehicleDynamics, ask: impl Fn(&Model<'_>) -> T) -> T {
    ask(&Model::new(dynamics, &VehicleGeometry::default(), 1.0))
}

/// Slip of the front and of the rear tyres in a bend, for the tyres' acceleration along.
fn slips(speed: f64, along: f64, across: f64) -> [f64; 2] {
    with_model(&car(), |model| {
        let axles = model.axles(speed, along);
        [model.slip(axles.front, across), model.slip(axles.rear, across)]
    })
}

/// What keeps 22 m/s, m/s².
const KEEPS: f64 = 0.2 + 1e-3 * 22.0 * 22.0;

#[test]
fn a_steady_bend_needs_the_angle_of_its_radius_and_of_the_tyres() {
    // At the vehicle's speed, where the path has another.
    let motion = Motion { speed: 22.0, ..STILL };
    for curvature in [0.015, -0.015] {
        let [front, rear] = slips(22.0, KEEPS, 484.0 * curvature);
        for softness in [1.0, 1.3] {
            let mut tyres = RearTyres { softness };
            let path = bends(|_| curvature);
            let (angle, used) = asked(&car(), &forward(0.1), &path, [&motion; 2], KEEPS, None, &mut tyres);
            assert_close(angle, (2.6 * curvature).atan() + front - softness * rear);
            assert_close(used, angle.abs() / (1e3 * with_model(&car(), |model| model.peak_slip)));
            assert_eq!(tyres.softness, softness);
        }
    }
}

/// The pedal fades to the plan within 0.4 s, and the body turns while the rear tyres' slip changes.
#[test]
fn the_pedal_of_now_loads_the_axles_for_its_time() {
    let motion = Motion { speed: 22.0, ..STILL };
    for pedal in [-4.0, 3.0] {
        let at = |time: f64| slips(22.0, KEEPS + (pedal - KEEPS) * (1.0 - time / 0.4).max(0.0), 484.0 * 0.015);
        for (time, before, after) in [(0.0, 0.0, 0.05), (0.05, 0.0, 0.1), (0.3, 0.25, 0.35), (0.6, 0.55, 0.65)] {
            let turned = -(at(after)[1] - at(before)[1]) / (after - before);
            let [front, rear] = at(time);
            let expected = (2.6 * (0.015 * 22.0 - turned) / 22.0).atan() + front - rear;
            is_forward(&car(), time, &bends(|_| 0.015), motion, pedal, expected);
        }
    }
}

/// The angles at the samples ahead of a vehicle without slip, by their distance ahead and their speed.
fn without_slip_at(curvature: impl Fn(f64) -> f64, place: impl Fn(f64) -> [f64; 2]) -> [f64; SAMPLES - 1] {
    let course = |k: usize| {
        let [s, speed] = place(k as f64 * SPACING_S);
        ((TO_REAR * curvature(s)).atan(), curvature(s) * speed, speed)
    };
    std::array::from_fn(|k| {
        let span = SPACING_S * if k == 0 { 1.0 } else { 2.0 };
        let turned = (course(k + 1).0 - course(k.saturating_sub(1)).0) / span;
        (2.6 * (course(k).1 - turned) / course(k).2).atan()
    })
}

#[test]
fn the_angle_is_that_of_the_place_after_the_preview() {
    let curvature = |s: f64| 0.01 + 5e-4 * s;
    let angles = without_slip_at(curvature, |time| [20.0 * time, 20.0]);
    let between = angles[1] + 0.6 * (angles[2] - angles[1]);
    for (preview_s, expected) in [(0.0, angles[0]), (0.1, angles[2]), (0.08, between), (1.0, angles[15])] {
        is_forward(&without_slip(), preview_s, &bends(curvature), STILL, 0.6, expected);
    }
    // From a centre of gravity 2 m ahead.
    let ahead = without_slip_at(curvature, |time| [2.0 + 20.0 * time, 20.0]);
    is_forward(&without_slip(), 0.1, &bends(curvature), Motion { advance: 2.0, ..STILL }, 0.6, ahead[2]);
}

/// The plan's acceleration counts, up to 10 m/s², and the speed differs from the plan's by as much as it does now.
#[test]
fn a_vehicle_that_speeds_up_is_farther_ahead_by_then() {
    let curvature = |s: f64| 0.01 + 5e-4 * s;
    for (acceleration, hurry) in [(2.0, 2.0), (-2.0, -2.0), (30.0, 10.0), (-30.0, -10.0)] {
        let path = straight_of(|along| Waypoint {
            speed_mps: (5000.0 + 2.0 * acceleration * (along - 100.0)).max(1.0).sqrt(),
            curvature_radpm: curvature(along - 100.0),
            ..Waypoint::default()
        });
        let place = |time: f64| {
            let s = (20.0 + 0.5 * hurry * time) * time;
            [s, (400.0 + 2.0 * acceleration * s).sqrt()]
        };
        let angles = without_slip_at(curvature, place);
        is_forward(&without_slip(), 0.25, &path, STILL, acceleration, angles[5]);
    }
}

/// The curvature grows from none: only the yaw acceleration v² κ' takes of the tyres now.
#[test]
fn turning_in_takes_the_front_tyres_to_one_side_and_the_rear_tyres_to_the_other() {
    for growth in [1e-3, -1e-3] {
        let yaw_acceleration = growth * 400.0;
        let front = slips(20.0, 0.6, 2.0 * yaw_acceleration / TO_REAR)[0];
        let rear = slips(20.0, 0.6, -2.0 * yaw_acceleration / TO_FRONT)[1];
        // One sample, 1 m, later.
        let drift = (TO_REAR * growth).atan() - slips(20.0, 0.6, growth * 400.0)[1];
        let expected = (2.6 * -drift / SPACING_S / 20.0).atan() + front - rear;
        is_forward(&car(), 0.0, &bends(|s| growth * s), STILL, 0.6, expected);
    }
}

/// Wheels at 20 m/s that turn no faster than their rate, less a part for the feedback.
#[test]
fn the_angle_is_within_reach_of_the_places_after_the_preview() {
    for side in [1.0, -1.0] {
        // It ends 10 m ahead, where the vehicle is in 0.1 s; 0.02 s before, the angle may differ by so much.
        let curvature = |s: f64| -side * 0.01 * (10.0 - s).max(0.0);
        let angles = without_slip_at(curvature, |time| [8.0 + 20.0 * time, 20.0]);
        let quick = VehicleDynamics { steering_rate_radps: 0.5, ..without_slip() };
        let expected = angles[2] - side * 0.85 * 0.5 * 0.02;
        is_forward(&quick, 0.08, &bends(curvature), Motion { advance: 8.0, ..STILL }, 0.6, expected);
        // A bend from 10 m ahead on: at 15 m, in 0.75 s, the wheels are to be turned by 0.13 rad. That is out of reach of
        // the straight here: the middle of both.
        let curvature = |s: f64| side * 0.01 * (s - 10.0).max(0.0);
        let last = without_slip_at(curvature, |time| [20.0 * time, 20.0])[15];
        let slow = VehicleDynamics { steering_rate_radps: 0.1, ..without_slip() };
        for (preview_s, time) in [(0.0, 0.75), (0.1, 0.65)] {
            let expected = 0.5 * (last - side * 0.85 * 0.1 * time);
            is_forward(&slow, preview_s, &bends(curvature), STILL, 0.6, expected);
        }
    }
}

fn feedback(options: &LimitOptions, speed: f64, given: f64) -> Feedback {
    with_model(&car(), |model| Feedback::new(model, options, speed, given, DT))
}

#[test]
fn deviations_from_the_steady_turn_turn_the_wheels_back() {
    let options = LimitOptions { max_slip: 1e3, slip_learning: 0.0, ..LimitOptions::default() };
    let here = Motion { offset: 0.5, heading: 0.04, across: -0.3, yaw_rate: 0.2, ..STILL };
    for (speed, moving) in [(20.0, 20.0), (0.5, 1.0)] {
        let at = |motion: Motion, curvature: f64| {
            let motion = Motion { speed, ..motion };
            let rear = &mut RearTyres::default();
            asked(&car(), &options, &bends(|_| curvature), [&motion; 2], 0.2 + 1e-3 * moving * moving, None, rear).0
        };
        let Feedback { gain, return_s, damping_s } = feedback(&options, speed, 0.0);
        // On a straight; three tenths of what slides across are seen as the course.
        let course = (0.04 + 0.3 * (-0.3_f64).atan2(moving)).sin();
        assert_close(at(here, 0.0), -gain * (course + (0.5 / (return_s * moving)).min(0.3)) - damping_s * 0.2);
        for side in [1.0, -1.0] {
            assert_close(at(Motion { offset: 9.0 * side, ..STILL }, 0.0), -gain * 0.3 * side);
        }
        // In a bend nothing is missing for a body that is askew by the steady turn's angle.
        let [front, rear] = slips(moving, 0.2 + 1e-3 * moving * moving, 0.02 * moving * moving);
        let drift = (TO_REAR * 0.02).atan() - rear;
        let steady = Motion { heading: -drift, across: moving * drift.tan(), yaw_rate: 0.02 * moving, ..STILL };
        assert_close(at(steady, 0.02), (2.6_f64 * 0.02).atan() + front - rear);
        let turned = Motion { heading: 0.05 - drift, yaw_rate: 0.02 * moving - 0.1, ..steady };
        let back = -gain * 0.05_f64.sin() + damping_s * 0.1;
        assert_close(at(turned, 0.02), (2.6_f64 * 0.02).atan() + front - rear + back);
    }
}

/// Half of the angle that the path gives, as far as it applies, and about its steady turn.
#[test]
fn what_the_path_gives_replaces_the_steady_turn() {
    let options = LimitOptions { max_slip: 1e3, slip_learning: 0.0, ..LimitOptions::default() };
    let given =
        GivenInputs { fraction: 0.8, steering: 0.07, sideslip: -0.04, yaw_rate: 0.5, along: 0.0, rear_slip: 0.3 };
    let motion = Motion { offset: -0.2, heading: 0.01, across: 0.4, yaw_rate: 0.3, ..STILL };
    let [front, rear] = slips(20.0, 0.6, 0.01 * 400.0);
    let drift = (TO_REAR * 0.01).atan() - rear;
    let Feedback { gain, return_s, damping_s } = feedback(&options, 20.0, 0.8);
    let sideslip = 0.2 * drift - 0.8 * 0.04;
    let course = (0.01 + sideslip + 0.3 * (0.4_f64.atan2(20.0) - sideslip)).sin();
    let expected = 0.6 * ((2.6_f64 * 0.01).atan() + front - rear) + 0.4 * 0.07
        - gain * (course - 0.2 / (return_s * 20.0))
        + damping_s * (0.2 * 0.2 + 0.8 * 0.5 - 0.3);
    let path = bends(|_| 0.01);
    let found = asked(&car(), &options, &path, [&motion; 2], 0.6, Some(&given), &mut RearTyres::default());
    assert_close(found.0, expected);
}

/// The front wheels roll where their axle moves, and are turned from there by 1.1 of the peak's slip, no more.
#[test]
fn the_front_tyres_are_turned_no_farther_than_they_give_more() {
    let max_slip = 1.1 * with_model(&car(), |model| model.peak_slip);
    let options = LimitOptions { slip_learning: 0.0, ..LimitOptions::default() };
    for (speed, moving) in [(20.0, 20.0), (0.5, 1.0)] {
        for side in [1.0, -1.0] {
            let motion = Motion { heading: -0.8 * side, across: 0.3, yaw_rate: -0.2, speed, ..STILL };
            let rolling = (0.3 - TO_FRONT * 0.2_f64).atan2(moving);
            let at = |options: &LimitOptions| {
                let rear = &mut RearTyres::default();
                asked(&car(), options, &bends(|_| 0.0), [&motion; 2], 0.6, None, rear)
            };
            let unbounded = at(&LimitOptions { max_slip: 1e3, ..options }).0;
            let (angle, used) = at(&options);
            assert_close(angle, rolling + side * max_slip);
            assert_close(used, (unbounded - rolling) * side / max_slip);
            assert!(used > 1.0, "{used}");
        }
    }
}

#[test]
fn the_slip_of_the_rear_tyres_is_learned_by_its_gradient() {
    let learned = |softness: f64, expected: f64, measured: f64, rate: f64| {
        let mut rear = RearTyres { softness };
        rear.learn(expected, measured, rate);
        rear.softness
    };
    assert_close(learned(1.2, 0.04, 0.06, 0.5), 1.2 + 0.5 * (0.06 - 0.048) * 0.04 / (0.04 * 0.04 + 0.03 * 0.03));
    assert_close(learned(1.2, -0.04, -0.06, 0.5), learned(1.2, 0.04, 0.06, 0.5));
    assert_eq!([learned(1.0, 0.04, 9.0, 1.0), learned(1.0, 0.04, -9.0, 1.0)], [1.6, 0.5]);
    assert_eq!(learned(1.2, 0.04, f64::NAN, 0.5), 1.2);
    assert_eq!(RearTyres::default().softness, 1.0);
}

/// The motion of now is compared with the steady turn of its own place, not with that of the predicted motion.
#[test]
fn the_slip_is_learned_from_the_motion_and_the_place_of_now() {
    let now = Motion { advance: 1.0, across: -0.6, yaw_rate: 0.3, ..STILL };
    let then = Motion { advance: 3.0, speed: 21.0, ..now };
    let path = bends(|s| 0.01 + 1e-3 * s);
    for (delay_s, place) in [(0.1, 1.0), (0.0, 3.0)] {
        let options = LimitOptions { delay_s, slip_learning: 2.0, ..LimitOptions::default() };
        let mut found = RearTyres::default();
        asked(&car(), &options, &path, [&now, &then], -3.0, None, &mut found);
        let expected = slips(21.0, -3.0, (0.01 + 1e-3 * place) * 441.0)[1];
        let measured = (TO_REAR * 0.3 + 0.6_f64).atan2(20.0);
        let mut learned = RearTyres::default();
        learned.learn(expected, measured, 2.0 * DT);
        assert_close(found.softness, learned.softness);
        assert!(found != RearTyres::default());
    }
}
