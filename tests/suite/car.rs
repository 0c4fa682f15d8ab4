//! The fastest lap of a car with axles, tyres and inertia.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::TAU;

use raceline::Options;
use raceline::edges::Edges;
use raceline::file::Method;
use raceline::geometry::{Point, Polyline, SplineCurve};
use raceline::solve::car::{CarLap, CarOptions, Status, car_lap, car_lap_from};
use raceline::solve::min_curvature::min_curvature;
use raceline::solve::time_optimal::{Task, TimeOptimal, time_optimal};
use raceline::solve::{
    Corridor, EdgeDistance, LineOptions, LineWarning, Model, SolveError, SolveOptions, optimize, profile,
};
use raceline::speed::{Effect, EndSpeed, Lap, Sensitivity, SpeedOptions};
use raceline::track::{BankingPoint, Direction, ElevationPoint, GripStretch, TrackOptions, cut};
use raceline::vehicle::{DriveLimit, Vehicle, preset, presets};

use crate::roads;

/// The fastest laps of a point mass and of the car.
pub fn search(
    edges: &Edges,
    vehicle: &Vehicle,
    speeds: SpeedOptions,
    options: CarOptions,
) -> (TimeOptimal, Result<CarLap, SolveError>) {
    let counterclockwise = TrackOptions { direction: Some(Direction::Counterclockwise), ..TrackOptions::default() };
    let track = cut(edges, &counterclockwise).unwrap();
    let edges = EdgeDistance::new(&track);
    let corridor = Corridor::new(&track, &edges, vehicle.margin_m()).unwrap();
    let start = min_curvature(&corridor, &SolveOptions::default(), &corridor.middle()).unwrap().alpha;
    let lap = Lap { speeds, ..vehicle.into() };
    let task =
        Task { corridor: &corridor, edges: &edges, margin_m: vehicle.margin_m(), spacing_m: track.spacing_m, lap };
    let point_mass = time_optimal(task, &start).unwrap();
    let car = car_lap(task, &point_mass, options, &|_| {});
    (point_mass, car)
}

/// Both laps with the default options; the car's has converged.
fn laps(edges: &Edges, vehicle: &Vehicle, speeds: SpeedOptions) -> (TimeOptimal, CarLap) {
    let (point_mass, car) = search(edges, vehicle, speeds, CarOptions::default());
    let car = car.unwrap();
    assert_eq!(car.status, Status::Converged, "{} steps", car.iterations);
    assert!(car.violation < 1e-3 && car.error < 1e-4, "{} {}", car.violation, car.error);
    (point_mass, car)
}

#[test]
fn on_a_ring_the_car_turns_once_and_loses_little_to_the_point_mass() {
    let vehicle = preset("tum-racecar").unwrap();
    let (point_mass, car) = laps(&roads::ring(44.0, 56.0), &vehicle, SpeedOptions::default());
    let n = car.points.len();
    let turned: f64 = (0..n)
        .map(|i| {
            let (from, to) = (&car.states[i], &car.states[(i + 1) % n]);
            let end = if i + 1 == n { car.lap_time_s } else { to.time_s };
            0.5 * (from.yaw_rate_radps + to.yaw_rate_radps) * (end - from.time_s)
        })
        .sum();
    assert!((turned - TAU).abs() < 1e-3, "{turned}");
    let ratio = car.lap_time_s / point_mass.objective_s;
    assert!((1.0..1.04).contains(&ratio), "{} {}", car.lap_time_s, point_mass.objective_s);
    for state in &car.states {
        assert!(state.steering_rad > 0.04 && state.sideslip_rad < 0.0 && state.pedal > 0.0, "{state:?}");
    }
}

#[test]
fn on_a_straight_it_accelerates_as_the_drive_allows() {
    let vehicle = Vehicle {
        drag_kgpm: 0.0,
        drive: DriveLimit::TableMps2(vec![[0.0, 4.0]]),
        max_speed_mps: 300.0,
        ..preset("tum-racecar").unwrap()
    };
    let side = |y: f64| Polyline::open((0..=200).map(|i| Point::new(3.0 * f64::from(i), y)).collect());
    let road = Edges::between(side(5.0), side(-5.0));
    let speeds = SpeedOptions { start_speed_mps: Some(EndSpeed::Given(20.0)), ..SpeedOptions::default() };
    let (_, car) = laps(&road, &vehicle, speeds);
    let last = car.states.last().unwrap();
    let length: f64 = car.points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    let speed = (400.0 + 2.0 * 4.0 * length).sqrt();
    assert!((last.speed_mps / speed - 1.0).abs() < 2e-3, "{} {speed}", last.speed_mps);
    assert!((car.lap_time_s / ((speed - 20.0) / 4.0) - 1.0).abs() < 2e-3, "{}", car.lap_time_s);
    assert!(car.states[5].pedal > 0.95 && last.steering_rad.abs() < 1e-3, "{:?}", car.states[5]);
}

#[test]
fn from_a_standing_start_it_gains_no_speed_for_nothing() {
    let (force, mass) = (4.0, 1200.0);
    let vehicle = Vehicle {
        drag_kgpm: 0.0,
        mass_kg: mass,
        drive: DriveLimit::TableMps2(vec![[0.0, force]]),
        max_speed_mps: 300.0,
        ..preset("tum-racecar").unwrap()
    };
    let side = |y: f64| Polyline::open((0..=200).map(|i| Point::new(3.0 * f64::from(i), y)).collect());
    let road = Edges::between(side(5.0), side(-5.0));
    let (point_mass, car) = laps(&road, &vehicle, SpeedOptions::default());
    // Its nodes are closer together where it stands.
    let first_step = |points: &[Point]| (points[1] - points[0]).norm();
    assert!(first_step(&car.points) < 0.5 * first_step(&point_mass.points));
    let mut length = 0.0;
    let mut before = car.points[0];
    for (point, state) in car.points.iter().zip(&car.states) {
        length += (point - before).norm();
        before = *point;
        // v² = 2 a s from a walking speed.
        let square = state.speed_mps * state.speed_mps;
        assert!(square <= 1.01 * 2.0 * force * length + 1.0, "{square} after {length} m");
    }
    let last = car.states.last().unwrap();
    let speed = (2.0 * force * length).sqrt();
    assert!((last.speed_mps / speed - 1.0).abs() < 3e-3, "{} {speed}", last.speed_mps);
    assert!((car.lap_time_s / (speed / force) - 1.0).abs() < 5e-3, "{} {}", car.lap_time_s, speed / force);
    assert!((car.energy_j / (mass * force * length) - 1.0).abs() < 5e-3, "{} {}", car.energy_j, mass * force * length);
    assert!((last.time_s / car.lap_time_s - 1.0).abs() < 1e-9, "{} {}", last.time_s, car.lap_time_s);
}

#[test]
fn to_a_standing_end_it_brakes_as_the_tyres_allow() {
    let vehicle = preset("tum-racecar").unwrap();
    let side = |y: f64| Polyline::open((0..=100).map(|i| Point::new(3.0 * f64::from(i), y)).collect());
    let road = Edges::between(side(5.0), side(-5.0));
    let speeds = SpeedOptions { end_speed_mps: Some(EndSpeed::Given(0.0)), ..SpeedOptions::default() };
    let (point_mass, car) = laps(&road, &vehicle, speeds);
    assert!(
        (car.lap_time_s / point_mass.objective_s - 1.0).abs() < 0.03,
        "{} {}",
        car.lap_time_s,
        point_mass.objective_s
    );
    let states = &car.states;
    assert!(states.last().unwrap().speed_mps < 1.0, "{:?}", states.last());
    for (pair, points) in states.windows(2).zip(car.points.windows(2)) {
        let step = (points[1] - points[0]).norm();
        let slowing = (pair[0].speed_mps.powi(2) - pair[1].speed_mps.powi(2)) / (2.0 * step);
        // The limit at standstill, more by the downforce and the resistance at the speed there.
        let limit = vehicle.longitudinal_limit_mps2 + 0.004 * pair[0].speed_mps.powi(2);
        assert!(slowing <= 1.03 * limit, "{slowing} {limit} at {} m/s", pair[0].speed_mps);
        assert!(pair[1].time_s > pair[0].time_s, "{pair:?}");
    }
}

#[test]
fn every_preset_has_a_lap_on_a_road_that_rises_leans_and_is_wet_in_places() {
    let track = cut(&roads::stadium(150.0, 25.0, 37.0), &TrackOptions::default()).unwrap();
    let length = track.centre_line().length();
    let elevation: Vec<ElevationPoint> = (0..16)
        .map(|i| f64::from(i) / 16.0)
        .map(|fraction| ElevationPoint { s_m: fraction * length, z_m: 4.0 * (TAU * fraction).sin() })
        .collect();
    let track = track.with_profiles(&elevation, &[BankingPoint { s_m: 0.0, banking_rad: 0.08 }]).unwrap();
    let grip = vec![GripStretch { from_m: 100.0, to_m: 160.0, factor: 0.8, ramp_m: 10.0 }.into()];
    let mut options = Options { method: Method::TimeOptimal, grip, ..Options::default() };
    for preset in presets() {
        let vehicle = self::preset(preset.name).unwrap();
        let [point_mass, car] = [Model::PointMass, Model::Car].map(|model| {
            options.solve.model = Some(model);
            optimize(&track, &vehicle, &options.line_options()).unwrap()
        });
        let failed = |warning: &LineWarning| {
            matches!(
                warning,
                LineWarning::TimeOptimalNotConverged | LineWarning::CandidateFailed { method: Method::TimeOptimal, .. }
            )
        };
        assert!(!car.warnings.iter().any(failed), "{}: {:?}", preset.name, car.warnings);
        // Where no lap of the car is found, the result is that of the point mass.
        let ratio = car.lap_time_s / point_mass.lap_time_s;
        assert!((0.95..1.1).contains(&ratio) && ratio != 1.0, "{}: {ratio}", preset.name);
    }
}

/// A profile of a line that exists took the default's reserve in place of the vehicle's.
#[test]
fn a_profile_has_the_crest_reserve_of_the_vehicle() {
    let track = cut(&roads::stadium(150.0, 25.0, 37.0), &TrackOptions::default()).unwrap();
    let length = track.centre_line().length();
    let elevation: Vec<ElevationPoint> = (0..16)
        .map(|i| f64::from(i) / 16.0)
        .map(|fraction| ElevationPoint { s_m: fraction * length, z_m: 4.0 * (TAU * fraction).sin() })
        .collect();
    let track = track.with_profiles(&elevation, &[]).unwrap();
    let mut options = LineOptions { initial_line: Some(track.centre_line().points), ..LineOptions::default() };
    let vehicle = preset("gt").unwrap();
    let careful = Vehicle { crest_reserve: Some(1.5), ..vehicle.clone() };
    let lap_s = |vehicle: &Vehicle, options: &LineOptions| profile(&track, vehicle, options).unwrap().lap_time_s;
    let [usual_s, careful_s] = [&vehicle, &careful].map(|vehicle| lap_s(vehicle, &options));
    assert!(careful_s > usual_s + 0.01, "{careful_s} {usual_s}");
    options.load.crest_reserve = Some(1.5);
    assert_eq!(lap_s(&vehicle, &options).to_bits(), careful_s.to_bits());
}

#[test]
fn a_line_bends_no_more_than_the_steering_allows_though_the_tyres_slip() {
    // Hairpins that the tyres would turn into more sharply than the wheels are steered. When a
    // smaller steering angle on the whole lap kept the curvature low, the lap of the first was 4 %
    // slower than a point mass's, and the second had none.
    for allowed in [0.1, 0.08] {
        let vehicle = Vehicle { max_curvature_radpm: allowed, ..preset("gt").unwrap() };
        let (point_mass, car) = laps(&roads::stadium(80.0, 5.0, 16.0), &vehicle, SpeedOptions::default());
        let curve = SplineCurve::through(&car.points, true).unwrap();
        let max = curve.evenly(4000).iter().map(|place| place.curvature().abs()).fold(0.0, f64::max);
        assert!((0.95 * allowed..=allowed).contains(&max), "{allowed}: {max}");
        let slower = car.lap_time_s / point_mass.objective_s - 1.0;
        assert!((-0.01..0.01).contains(&slower), "{allowed}: {slower}");
    }
}

/// Half the difference of the laps with a number more and less by the fraction `share`, s for 1 %: of
/// lap times, and of what the program minimises.
fn differences(car: &CarLap, vehicle: &Vehicle, (key, value): (&str, f64), fraction: f64) -> [f64; 2] {
    let at = |factor: f64| {
        let changed = vehicle.with_parameters(&[(key, factor * value)]).unwrap();
        let lap = car_lap_from(&car.optimum, &changed, &|_| {}).unwrap();
        assert_eq!(lap.status, Status::Converged, "{key} {factor}");
        [lap.lap_time_s, lap.optimum.lagrangian_s(&changed).unwrap()]
    };
    let (more, less) = (at(1.0 + fraction), at(1.0 - fraction));
    std::array::from_fn(|k| (more[k] - less[k]) / (200.0 * fraction))
}

#[test]
fn sensitivities_are_the_differences_of_laps_searched_anew() {
    for name in ["gt", "torcs-car1-trb1"] {
        let vehicle = preset(name).unwrap();
        let (_, car) = laps(&roads::stadium(150.0, 25.0, 37.0), &vehicle, SpeedOptions::default());
        let all = car.optimum.sensitivities().unwrap();
        assert_eq!(all[0].key, "grip");
        let mut setup = 0;
        for Sensitivity { key, value, effect, .. } in &all {
            let Effect::LapTime { s_per_percent: Some(adjoint), .. } = *effect else { continue };
            let [of_time, of_objective] = differences(&car, &vehicle, (key, *value), 2e-3);
            println!("{name} {key}: adjoint {adjoint:+.6}, laps {of_time:+.6}, objective {of_objective:+.6}");
            let noise = 1e-7 * car.lap_time_s;
            let error = (adjoint - of_objective).abs();
            assert!(error < 5e-3 * adjoint.abs() + noise, "{name} {key}: {adjoint} {of_objective}");
            // The lap time alone, without the price of the smoothing.
            let error = (adjoint - of_time).abs();
            assert!(error < 0.05 * adjoint.abs() + 50.0 * noise, "{name} {key}: {adjoint} {of_time}");
            setup += usize::from(key.starts_with("front_"));
        }
        assert_eq!(setup, 3, "{name}: weight, downforce and brakes");
        let drive = all.iter().find(|one| one.key == "front_drive_fraction").unwrap();
        assert!(matches!(drive.effect, Effect::LapTime { s_per_unit, s_per_percent: None } if s_per_unit < 0.0));
    }
}

#[test]
fn sensitivities_foretell_laps_on_lines_of_their_own() {
    let vehicle = preset("gt").unwrap();
    let road = roads::stadium(150.0, 25.0, 37.0);
    let lap = |vehicle: &Vehicle| laps(&road, vehicle, SpeedOptions::default()).1;
    let all = lap(&vehicle).optimum.sensitivities().unwrap();
    for key in ["grip", "mass_kg"] {
        let own = vehicle.parameter(key).unwrap().unwrap();
        let [more, less] = [1.02, 0.98].map(|factor| vehicle.with_parameters(&[(key, factor * own)]).unwrap());
        let difference = (lap(&more).lap_time_s - lap(&less).lap_time_s) / 4.0;
        let one = all.iter().find(|one| one.key == key).unwrap();
        let Effect::LapTime { s_per_percent: Some(adjoint), .. } = one.effect else { panic!("{one:?}") };
        println!("{key}: adjoint {adjoint:+.6}, laps {difference:+.6}");
        assert!((adjoint - difference).abs() < 0.05 * adjoint.abs(), "{key}: {adjoint} {difference}");
    }
}

#[test]
fn a_neighbours_lap_saves_steps() {
    let vehicle = preset("gt").unwrap();
    let (_, car) = laps(&roads::stadium(150.0, 25.0, 37.0), &vehicle, SpeedOptions::default());
    // Beyond a few percent, other limits act: the multipliers help little, and must not harm.
    for (key, factor, fraction) in [("mass_kg", 1.0, 0.2), ("mass_kg", 1.01, 0.6), ("mass_kg", 1.05, 1.05)] {
        let own = vehicle.parameter(key).unwrap().unwrap();
        let changed = vehicle.with_parameters(&[(key, factor * own)]).unwrap();
        let warm = car_lap_from(&car.optimum, &changed, &|_| {}).unwrap();
        println!("{key} {factor}: {} steps for {}", warm.iterations, car.iterations);
        assert_eq!(warm.status, Status::Converged);
        assert!((warm.iterations as f64) < fraction * car.iterations as f64, "{key}: {}", warm.iterations);
    }
}
