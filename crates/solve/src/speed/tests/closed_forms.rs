//! Parts of the speeds against closed forms.

use raceline_car::{STANDARD_GRAVITY, Turning, Vehicle, preset};
use raceline_road::geometry::{Slope, Vector};

use super::super::turning::TurningLine;
use super::lines::tyres;
use crate::speed::{
    Course, Effect, EndSpeed, FixedLine, Ground, LoadOptions, SpeedError, SpeedOptions, SpeedSolver, TurningCost,
    derivative, sensitivities_of,
};

#[track_caller]
fn assert_close(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{value} is not {expected}");
}

#[test]
fn a_road_adds_what_its_equations_state() {
    let slope = Slope { height_m: 4.0, gradient: Vector::new(0.2, -0.13), bending: [0.003, -0.002, 0.0047] };
    let (direction, curvature) = (0.6_f64, 0.017);
    let along = Vector::new(direction.cos(), direction.sin());
    let (p, q) = (0.2 * along.x - 0.13 * along.y, -0.2 * along.y - 0.13 * along.x);
    let h = 0.003 * along.x * along.x - 0.004 * along.x * along.y + 0.0047 * along.y * along.y;
    let (c, m) = ((1.0 + p * p).sqrt(), (1.0 + p * p + q * q).sqrt());
    let options = LoadOptions { crest_reserve: Some(0.3), dip_share: 0.4, banking_share: 0.7, least_load: 0.12 };
    let ground = Ground::under(&slope, along, curvature, &options);
    assert_eq!((ground.height_m, ground.min_load), (4.0, 0.12));
    assert_close(ground.grade_rad.tan(), p);
    assert_close(ground.banking_rad.sin(), q / (m * c));
    assert_close(ground.stretch, c);
    assert_close(ground.geodesic(curvature), curvature * m / c.powi(3) + q * h / (m * c.powi(3)));
    assert_close(ground.geodesic(0.0), q * h / (m * c.powi(3)));
    assert_close(ground.vertical_curvature, h / (m * c * c));
    assert_close(ground.gravity_normal, STANDARD_GRAVITY / m);
    assert_close(ground.gravity_across, STANDARD_GRAVITY * q / (m * c));
    assert_close(ground.gravity_along, STANDARD_GRAVITY * p / c);
    // A dip: what banking explains counts by its fraction, the rest by that of dips.
    let vertical = h / (m * c * c);
    let banked = vertical.min(0.7 * (-q * curvature / (m * c * c)).max(0.0));
    assert!(vertical > 0.0 && banked > 0.0);
    assert_close(ground.normal_curvature, banked + 0.4 * (vertical - banked));
    let crest = Slope { bending: [-0.003, 0.002, -0.0047], ..slope };
    let crest = Ground::under(&crest, along, curvature, &options);
    assert_close(crest.normal_curvature, -1.3 * vertical);
    // The load by what the tyres carry.
    let (w, downforce) = (900.0, 0.002);
    let carried = ground.gravity_normal + (ground.normal_curvature + downforce) * w;
    assert_close(ground.load_factor(w, downforce), carried / (STANDARD_GRAVITY + downforce * w));
    // The mean of both, number by number.
    let mean = ground.mean(&crest);
    assert_close(mean.normal_curvature, 0.5 * (ground.normal_curvature + crest.normal_curvature));
    assert_close(mean.stretch, c);
    let flying = crest.flying_speed_squared(downforce);
    assert_close(crest.load_factor(flying, downforce), 0.12);
}

#[test]
fn options_of_the_load_are_checked_each() {
    assert!(LoadOptions::EXACT.validate().is_ok() && LoadOptions::default().validate().is_ok());
    for wrong in [
        LoadOptions { crest_reserve: Some(2.1), ..LoadOptions::default() },
        LoadOptions { dip_share: 1.1, ..LoadOptions::default() },
        LoadOptions { banking_share: -0.1, ..LoadOptions::default() },
        LoadOptions { least_load: 1.1, ..LoadOptions::default() },
    ] {
        assert!(wrong.validate().is_err(), "{wrong:?}");
    }
}

/// The passes in three dimensions on a level road, for a car and for a vehicle that leans.
#[test]
fn a_level_road_in_three_dimensions_is_a_level_road() {
    let car = Vehicle { peak_slip_rad: None, ..preset("gt").unwrap() };
    let leaning = Vehicle {
        lean_rate_radps: Some(1.0),
        centre_of_gravity_m: Some(0.6),
        front_weight_fraction: Some(0.5),
        wheelbase_m: 1.4,
        ..car.clone()
    };
    let curvature: Vec<f64> = (0..90).map(|i| if i / 15 % 2 == 0 { 0.0 } else { 0.04 }).collect();
    let line = FixedLine {
        curvature: &curvature,
        step_lengths: &[2.0; 90],
        course: Course::Closed,
        grip: None,
        turning: TurningCost::ByVehicle,
        grounds: None,
        caps: None,
    };
    let grounds = [Ground::LEVEL; 90];
    let mut times = Vec::new();
    for vehicle in [&car, &leaning] {
        let level = line.profile(vehicle).unwrap();
        let spatial = FixedLine { grounds: Some(&grounds), ..line }.profile(vehicle).unwrap();
        for (a, b) in level.speed_mps.iter().zip(&spatial.speed_mps) {
            assert!((a / b - 1.0).abs() < 1e-6, "{a} {b}");
        }
        times.push(level.lap_time_s);
    }
    // Leaning takes time.
    assert!(times[1] > times[0] + 0.2, "{times:?}");
}

/// A road so steep across that a vehicle slides down where it is slow: 0.8 rad, and tyres of 0.8 g.
/// It holds from 97 to 841 m²/s² on.
#[test]
fn a_steep_bank_is_driven_at_the_end_of_the_speeds_that_hold() {
    let (bank, kappa) = (0.8_f64, 0.015);
    let vehicle = Vehicle { drive: preset("gt").unwrap().drive, ..tyres() };
    let ground = Ground {
        gravity_normal: STANDARD_GRAVITY * bank.cos(),
        gravity_across: -STANDARD_GRAVITY * bank.sin(),
        ..Ground::LEVEL
    };
    let line = FixedLine {
        curvature: &[kappa; 60],
        step_lengths: &[2.0; 60],
        course: Course::Closed,
        grip: None,
        turning: TurningCost::Free,
        grounds: Some(&[ground; 60]),
        caps: None,
    };
    let highest = (STANDARD_GRAVITY * bank.sin() + 8.0 * bank.cos()) / kappa;
    for speed in line.profile(&vehicle).unwrap().speed_mps {
        assert!((speed * speed / highest - 1.0).abs() < 1e-9, "{speed} {highest}");
    }
}

/// The curvature at the distance `s` on lines between the points; `None` beyond the ends of an open
/// line.
fn interpolated(curvature: &[f64], places: &[f64], length: Option<f64>, s: f64) -> f64 {
    let s = length.map_or(s.clamp(0.0, places[places.len() - 1]), |length| s.rem_euclid(length));
    let i = places.iter().rposition(|place| *place <= s).unwrap();
    let (next, end) = if i + 1 < places.len() {
        (curvature[i + 1], places[i + 1])
    } else {
        (curvature[0], length.unwrap_or(places[i] + 1.0))
    };
    curvature[i] + (next - curvature[i]) * (s - places[i]) / (end - places[i])
}

#[test]
fn axles_drive_the_curvature_and_its_change_over_a_wheelbase() {
    let turning = Turning {
        front_m: 0.9,
        rear_m: 0.7,
        slip_drag_rad: 0.06,
        steering_time_sm: 4.0,
        wheelbase_m: 3.0,
        ..Turning::default()
    };
    let curvature: Vec<f64> = (0..30).map(|i| 0.05 * (0.45 * f64::from(i)).sin()).collect();
    let grip: Vec<f64> = (0..30).map(|i| 0.8 + 0.01 * f64::from(i)).collect();
    for closed in [true, false] {
        // Steps far shorter than a wheelbase, and longer.
        let steps: Vec<f64> = (0..if closed { 30 } else { 29 }).map(|i| [0.4, 0.7, 5.0][i / 10]).collect();
        let mut places = vec![0.0];
        for step in &steps {
            places.push(places[places.len() - 1] + step);
        }
        let length = closed.then(|| places.pop().unwrap());
        let road = TurningLine::new(&curvature, &steps, &grip, &turning);
        let ([front, rear], ceilings) = TurningLine::axles(curvature.clone(), &steps, &turning);
        for i in 0..30 {
            let before = if closed || i > 0 { steps[(i + steps.len() - 1) % steps.len()] } else { 0.0 };
            let after = if i < steps.len() { steps[i] } else { 0.0 };
            let reach = |step: f64, room: f64| step.max(1.5).min(room);
            let end = length.unwrap_or(places[29]);
            let (back, ahead) = if closed {
                (reach(before, f64::MAX), reach(after, f64::MAX))
            } else {
                (reach(before, places[i]), reach(after, end - places[i]))
            };
            let at = |s: f64| interpolated(&curvature, &places, length, s);
            let change = (at(places[i] + ahead) - at(places[i] - back)) / (back + ahead);
            let (kappa, near) = (curvature[i], |a: f64, b: f64| (a - b).abs() < 1e-9 * (1.0 + b.abs()));
            assert!(near(front[i], kappa + 0.9 * change), "{closed} {i}: {} {}", front[i], kappa + 0.9 * change);
            assert!(near(rear[i], kappa - 0.7 * change), "{closed} {i}");
            assert!(near(road.curvature[i], front[i].abs().max(rear[i].abs())), "{closed} {i}");
            assert!(near(road.ceiling[i], ceilings[i]) && near(ceilings[i], (4.0 * change).powi(-2)), "{closed} {i}");
            assert!(near(road.slip_drag[i], 0.06 * kappa * kappa / grip[i]), "{closed} {i}");
        }
    }
    let ([front, rear], ceilings) = TurningLine::axles(curvature.clone(), &[1.0; 30], &Turning::default());
    assert!(front == curvature && rear == curvature && ceilings.iter().all(|w| *w == f64::INFINITY));
}

#[test]
fn speeds_at_ends_are_read_and_make_the_course() {
    assert_eq!(" free ".parse::<EndSpeed>().unwrap(), EndSpeed::Free);
    assert_eq!(" 12.5".parse::<EndSpeed>().unwrap(), EndSpeed::Given(12.5));
    for wrong in ["", "fast", "inf", "nan"] {
        assert_eq!(wrong.parse::<EndSpeed>().unwrap_err().text, wrong);
    }
    let options = |start: Option<EndSpeed>, end: Option<EndSpeed>| {
        SpeedOptions { start_speed_mps: start, end_speed_mps: end, ..SpeedOptions::default() }.course(false)
    };
    let open = |start_speed_mps, end_speed_mps| Course::Open { start_speed_mps, end_speed_mps };
    assert_eq!(options(None, None), Course::FROM_STANDSTILL);
    assert_eq!(options(Some(EndSpeed::Free), Some(EndSpeed::Free)), open(None, None));
    assert_eq!(options(Some(EndSpeed::Given(3.0)), Some(EndSpeed::Given(5.0))), open(Some(3.0), Some(5.0)));
    assert_eq!(SpeedOptions::default().course(true), Course::Closed);
    let gt = preset("gt").unwrap();
    assert_eq!((TurningCost::ByVehicle.of(&gt), TurningCost::Free.of(&gt)), (Turning::of(&gt), Turning::default()));
}

#[test]
fn lines_that_cannot_be_driven_are_refused_with_the_place() {
    let gt = preset("gt").unwrap();
    let of = |curvature: &[f64], steps: &[f64], grip: Option<&[f64]>, course: Course, caps: Option<&[f64]>| {
        let mut solver = SpeedSolver::new(&gt, course)?.with_caps(caps)?;
        let result = solver.profile(curvature, steps, grip);
        assert_eq!(solver.lap_time(curvature, steps, grip).is_finite(), result.is_ok());
        result
    };
    let open = Course::FROM_STANDSTILL;
    assert!(of(&[0.0; 3], &[1.0; 3], Some(&[0.5; 3]), Course::Closed, Some(&[f64::INFINITY; 3])).is_ok());
    assert!(of(&[0.0; 2], &[1.0; 1], None, open, None).is_ok());
    assert_eq!(of(&[0.0], &[], None, open, None), Err(SpeedError::TooFewPoints { points: 1 }));
    let wrong = SpeedError::StepCount { points: 3, steps: 3, expected: 2 };
    assert_eq!(of(&[0.0; 3], &[1.0; 3], None, open, None), Err(wrong));
    assert_eq!(of(&[0.0; 3], &[1.0, 0.0], None, open, None), Err(SpeedError::Step { index: 1, value: 0.0 }));
    let endless = SpeedError::Curvature { index: 2, value: f64::INFINITY };
    assert_eq!(of(&[0.0, 0.0, f64::INFINITY], &[1.0; 2], None, open, None), Err(endless));
    let few = SpeedError::GripCount { points: 3, factors: 2 };
    assert_eq!(of(&[0.0; 3], &[1.0; 2], Some(&[1.0; 2]), open, None), Err(few));
    let none = SpeedError::Grip { index: 1, value: 0.0 };
    assert_eq!(of(&[0.0; 3], &[1.0; 2], Some(&[1.0, 0.0, 1.0]), open, None), Err(none));
    assert_eq!(of(&[0.0; 3], &[1.0; 2], None, open, Some(&[3.0; 2])), Err(SpeedError::CapCount { points: 3, caps: 2 }));
    assert_eq!(
        of(&[0.0; 3], &[1.0; 2], None, open, Some(&[3.0, 0.0, 3.0])),
        Err(SpeedError::Cap { index: 1, value: 0.0 })
    );
    for (course, place, value) in [
        (Course::Open { start_speed_mps: Some(-1.0), end_speed_mps: None }, "start", -1.0),
        (Course::Open { start_speed_mps: None, end_speed_mps: Some(f64::INFINITY) }, "end", f64::INFINITY),
    ] {
        assert_eq!(of(&[0.0; 3], &[1.0; 2], None, course, None), Err(SpeedError::EndSpeed { place, value }));
    }
}

#[test]
fn sensitivities_are_the_derivatives_of_the_lap_time() {
    let gt = preset("gt").unwrap();
    // 100 s, more by the mass, less by the power, and by a number that is zero.
    let lap_time = |vehicle: &Vehicle| -> Result<f64, SpeedError> {
        vehicle.validate()?;
        let power = vehicle.parameter("drive.power_and_force.power_w")?.unwrap();
        Ok(100.0 + 0.01 * vehicle.mass_kg + 39e4 / power + 20.0 * vehicle.rolling_resistance)
    };
    let mut parameters = gt.parameters().unwrap();
    parameters.push(raceline_car::Parameter { key: "rolling_resistance".to_owned(), value: 0.0, unit: "" });
    let found = sensitivities_of(&lap_time, &gt, parameters, 1e-9).unwrap();
    let effect = |key: &str| found.iter().find(|sensitivity| sensitivity.key == key).unwrap().effect;
    let near = |key: &str, per_unit: f64, per_percent: Option<f64>| match effect(key) {
        Effect::LapTime { s_per_unit, s_per_percent } => {
            assert!((s_per_unit - per_unit).abs() <= 1e-6 * per_unit.abs(), "{key}: {s_per_unit}");
            assert_eq!(s_per_percent.is_some(), per_percent.is_some(), "{key}");
            let (a, b) = (s_per_percent.unwrap_or_default(), per_percent.unwrap_or_default());
            assert!((a - b).abs() <= 1e-6 * b.abs(), "{key}: {a}");
        }
        Effect::Road => panic!("{key}"),
    };
    near("mass_kg", 0.01, Some(0.13));
    near("drive.power_and_force.power_w", -1.0 / 39e4, Some(-0.01));
    near("rolling_resistance", 20.0, None);
    near("drag_kgpm", 0.0, Some(0.0));
    assert_eq!(effect("width_m"), Effect::Road);
    // The largest by percent first, then what is zero, then what changes the road.
    assert_eq!((&*found[0].key, &*found[1].key), ("mass_kg", "drive.power_and_force.power_w"));
    assert_eq!(found[found.len() - 1].effect, Effect::Road);
    // On a circle without drag, the lap's length by the root of the radius and of the limit.
    let robot = preset("robot-car").unwrap();
    let line = FixedLine {
        curvature: &[0.1; 40],
        step_lengths: &[0.5; 40],
        course: Course::Closed,
        grip: None,
        turning: TurningCost::Free,
        grounds: None,
        caps: None,
    };
    let time = 20.0 / (robot.lateral_limit_mps2 / 0.1).sqrt();
    assert!((line.lap_time(&robot).unwrap() / time - 1.0).abs() < 1e-9);
    let by_limit = derivative(line, &robot, "lateral_limit_mps2", 1e-4).unwrap();
    assert!((by_limit / (-0.5 * time / robot.lateral_limit_mps2) - 1.0).abs() < 1e-6, "{by_limit}");
}
