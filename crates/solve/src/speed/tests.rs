//! Profiles against the relations that define them: none is broken, and at nearly every point one
//! holds with equality.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod closed_forms;
mod conditions;
mod derivatives;
mod lines;
mod trace;

use raceline_car::{DriveLimit, GgDiagram, STANDARD_GRAVITY, Turning, Vehicle, preset};

use super::passes::FLOOR;
use super::turning::TurningLine;
use super::{Course, FixedLine, Ground, SpeedProfile, Status, TurningCost};

const POINTS: usize = 160;

/// A vehicle without a cost of turning.
fn plain() -> Vehicle {
    Vehicle {
        mass_kg: 900.0,
        lateral_limit_mps2: 12.0,
        longitudinal_limit_mps2: 10.0,
        drag_kgpm: 0.9,
        downforce_kgpm: 1.1,
        rolling_resistance: 0.012,
        max_speed_mps: 62.0,
        drive: DriveLimit::PowerAndForce { power_w: 180e3, force_n: 6.5e3 },
        ..preset("gt").unwrap()
    }
}

/// Vehicles of every kind of tyres and of drive.
fn vehicles() -> Vec<Vehicle> {
    let with = |ellipse_exponent: f64| Vehicle { ellipse_exponent, ..plain() };
    let tabled = Vehicle {
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        downforce_kgpm: 0.0,
        ggv_table: vec![[0.0, 9.0, 10.0], [20.0, 11.0, 13.0], [45.0, 12.0, 12.0], [70.0, 15.0, 16.0]],
        drive: DriveLimit::TableN(vec![[0.0, 6e3], [12.0, 7e3], [25.0, 4e3], [33.0, 5e3], [60.0, 2e3]]),
        ..plain()
    };
    let axles = Vehicle { front_downforce_fraction: Some(0.35), front_weight_fraction: Some(0.5), ..plain() };
    let driven = Vehicle { driving_exponent: Some(1.3), driving_limit_table: vec![[0.0, 5.0], [30.0, 7.0]], ..plain() };
    let changing = Vehicle { gear_change_s: 0.2, gear_change_speeds_mps: vec![18.0, 30.0], ..plain() };
    let tyres_limit = Vehicle { drive: DriveLimit::TableMps2(vec![[0.0, 30.0]]), downforce_kgpm: 0.0, ..plain() };
    let diamond = Vehicle { ellipse_exponent: 1.0, ..tabled.clone() };
    let general = Vehicle { ellipse_exponent: 1.4, ..tabled.clone() };
    vec![plain(), with(1.0), with(1.5), with(3.0), tabled, axles, driven, changing, tyres_limit, diamond, general]
}

/// Bends of both directions, sharp and wide, and straights.
fn curvature() -> Vec<f64> {
    let bend = |i: usize| {
        let place = i as f64 / POINTS as f64 * std::f64::consts::TAU;
        0.09 * (3.0 * place).sin().powi(5) + 0.012 * (7.0 * place + 0.4).sin().powi(3)
    };
    (0..POINTS).map(bend).collect()
}

fn steps() -> Vec<f64> {
    (0..POINTS).map(|i| 3.0 + 1.3 * (0.37 * i as f64).sin()).collect()
}

fn grip() -> Vec<f64> {
    (0..POINTS).map(|i| 0.9 + 0.25 * (0.21 * i as f64).cos()).collect()
}

/// Hills, dips and banks.
fn grounds() -> Vec<Ground> {
    let ground = |i: usize| {
        let t = 0.11 * i as f64;
        let (grade, bank): (f64, f64) = (0.05 * t.sin(), 0.08 * (0.7 * t).cos());
        Ground {
            stretch: 1.0 + 0.01 * t.sin().powi(2),
            geodesic_factor: 0.99,
            geodesic_offset: 1e-4 * t.cos(),
            normal_curvature: 0.002 * (1.3 * t).sin(),
            gravity_normal: STANDARD_GRAVITY * grade.cos() * bank.cos(),
            gravity_across: STANDARD_GRAVITY * bank.sin(),
            gravity_along: STANDARD_GRAVITY * grade.sin(),
            min_load: 0.15,
            ..Ground::LEVEL
        }
    };
    (0..POINTS).map(ground).collect()
}

/// The bounds on a profile that hold at a point, and its accelerations there.
struct Bounds<'a> {
    /// Whether the squared speed `w` can be driven through point `i`.
    corners: &'a dyn Fn(usize, f64) -> bool,
    /// Acceleration at point `i` and `w`, for a step that begins with the squared speed of the
    /// third argument.
    driving: &'a dyn Fn(usize, f64, f64) -> f64,
    braking: &'a dyn Fn(usize, f64) -> f64,
    /// Highest w by what does not depend on the tyres.
    ceiling: &'a dyn Fn(usize) -> f64,
}

/// Checks the three relations of the module and that no point could be faster.
///
/// Near the limit of cornering the tyres' remaining acceleration is infinitely steep over w, so a
/// relation holds if it does for speeds that differ by a fraction.
#[track_caller]
fn assert_fastest(profile: &SpeedProfile, steps: &[f64], bounds: &Bounds, context: &str) {
    let n = profile.speed_mps.len();
    let w: Vec<f64> = profile.speed_mps.iter().map(|v| v * v).collect();
    let closed = steps.len() == n;
    let fraction = 1e-6;
    let [below, above] = [1.0 - fraction, 1.0 + fraction];
    // The smallest and the largest acceleration, where the loss of the drive is that of the point
    // or of the one before.
    let driving = |i: usize, factor: f64| -> [f64; 2] {
        let [a, b] = [w[i], w[(i + n - 1) % n]].map(|begin| (bounds.driving)(i, factor * w[i], begin));
        [a.min(b), a.max(b)]
    };
    let braking = |i: usize, factor: f64| [(bounds.braking)(i, factor * w[i]); 2];
    let around = |at: &dyn Fn(usize, f64) -> [f64; 2], i: usize| {
        let [a, b, c] = [below, 1.0, above].map(|factor| at(i, factor));
        [a[0].min(b[0]).min(c[0]), a[1].max(b[1]).max(c[1])]
    };
    let (mut kinds, mut slack) = ([0; 4], 0);
    for i in 0..n {
        let (previous, next) = ((i + n - 1) % n, (i + 1) % n);
        let is_lowest = w[i] <= FLOOR * 1.001;
        assert!(is_lowest || (bounds.corners)(i, w[i] * below), "{context}: {i} corners too fast");
        assert!(is_lowest || w[i] * below <= (bounds.ceiling)(i), "{context}: {i} is above its ceiling");
        let mut active = [w[i] * above >= (bounds.ceiling)(i), !(bounds.corners)(i, w[i] * above), false, false];
        for (kind, from, step, at) in [
            (2, previous, previous, &driving as &dyn Fn(usize, f64) -> [f64; 2]),
            (3, next, i, &braking as &dyn Fn(usize, f64) -> [f64; 2]),
        ] {
            // An open course has no step over its ends.
            if !closed && step == n - 1 {
                continue;
            }
            let begin = around(at, from);
            let reached = w[from] * above + steps[step] * (begin[1] + at(i, below)[1]);
            assert!(is_lowest || w[i] * below <= reached, "{context}: {i} {kind}: {} {reached}", w[i]);
            active[kind] = w[i] * above >= w[from] * below + steps[step] * (begin[0] + at(i, above)[0]);
        }
        slack += usize::from(!active.contains(&true) && !is_lowest);
        for (count, is_active) in kinds.iter_mut().zip(active) {
            *count += usize::from(is_active);
        }
    }
    // Where the point before is lowered for the bend ahead, its tyres have more left than the
    // driving pass found.
    assert!(slack <= 8, "{context}: {slack} points could be faster");
    // The profile has all kinds of points, or it would not test them.
    assert!(kinds[1] > 0 && kinds[2] > 10 && kinds[3] > 5, "{context}: {kinds:?}");
}

/// Checks times and accelerations against the speeds.
#[track_caller]
fn assert_consistent(profile: &SpeedProfile, steps: &[f64]) {
    assert_eq!(profile.status, Status::Converged);
    let n = profile.speed_mps.len();
    let mut time = 0.0;
    for (i, step) in steps.iter().enumerate() {
        let (from, to) = (profile.speed_mps[i], profile.speed_mps[(i + 1) % n]);
        assert!((profile.time_s[i] - time).abs() < 1e-9);
        assert!((profile.accel_mps2[i] - 0.5 * (to * to - from * from) / step).abs() < 1e-9);
        time += step / (0.5 * (from + to));
    }
    assert!((profile.lap_time_s - time).abs() < 1e-9);
    assert_eq!((profile.time_s.len(), profile.accel_mps2.len()), (n, n));
    if steps.len() < n {
        assert_eq!((profile.time_s[n - 1], profile.accel_mps2[n - 1]), (profile.lap_time_s, profile.accel_mps2[n - 2]));
    }
}

const COURSES: [Course; 4] = [
    Course::Closed,
    Course::FROM_STANDSTILL,
    Course::Open { start_speed_mps: None, end_speed_mps: Some(7.0) },
    Course::Open { start_speed_mps: Some(14.0), end_speed_mps: None },
];

/// The highest w at each point by the course, the vehicle and the caps.
fn ceilings(vehicle: &Vehicle, diagram: &GgDiagram, course: Course, caps: Option<&[f64]>) -> Vec<f64> {
    let all = if course == Course::Closed { diagram.terminal_speed_squared() } else { vehicle.max_speed_mps.powi(2) };
    let mut ceilings: Vec<f64> = (0..POINTS).map(|i| caps.map_or(all, |caps| all.min(caps[i] * caps[i]))).collect();
    if let Course::Open { start_speed_mps, end_speed_mps } = course {
        for (i, speed) in [(0, start_speed_mps), (POINTS - 1, end_speed_mps)] {
            ceilings[i] = speed.map_or(ceilings[i], |speed| ceilings[i].min((speed * speed).max(FLOOR)));
        }
    }
    ceilings
}

#[test]
fn no_point_of_a_level_line_could_be_faster() {
    let (curvature, steps, grip) = (curvature(), steps(), grip());
    let caps: Vec<f64> = (0..POINTS).map(|i| if i / 20 % 3 == 1 { 13.0 } else { f64::INFINITY }).collect();
    for (number, vehicle) in vehicles().into_iter().enumerate() {
        let diagram = GgDiagram::new(&vehicle).unwrap();
        for (course, grip, caps) in [
            (COURSES[0], None, None),
            (COURSES[0], Some(&grip[..]), None),
            (COURSES[1], None, Some(&caps[..])),
            (COURSES[1], Some(&grip[..]), None),
            (COURSES[2], None, None),
            (COURSES[3], Some(&grip[..]), Some(&caps[..])),
        ] {
            let steps = if course == Course::Closed { &steps[..] } else { &steps[..POINTS - 1] };
            let line = FixedLine {
                curvature: &curvature,
                step_lengths: steps,
                course,
                grip,
                turning: TurningCost::Free,
                grounds: None,
                caps,
            };
            let profile = line.profile(&vehicle).unwrap();
            assert_consistent(&profile, steps);
            assert_eq!(line.lap_time(&vehicle).unwrap(), profile.lap_time_s);
            let ceilings = ceilings(&vehicle, &diagram, course, caps);
            let at = |i: usize| {
                let mu = grip.map_or(1.0, |grip| grip[i]);
                (mu, curvature[i].abs() / mu)
            };
            let bounds = Bounds {
                corners: &|i, w| at(i).1 * w <= diagram.lateral_limit(w),
                driving: &|i, w, _| {
                    let ((mu, kappa), (limit, ellipse)) = (at(i), diagram.driving());
                    let used = (kappa * w / diagram.lateral_limit(w)).min(1.0);
                    (mu * limit.at(w) * ellipse.remaining(used)).min(diagram.drive_limit(w)) - diagram.resistance(w)
                },
                braking: &|i, w| at(i).0 * diagram.tyre_acceleration(w, at(i).1) + diagram.resistance(w),
                ceiling: &|i| ceilings[i],
            };
            assert_fastest(&profile, steps, &bounds, &format!("{number} {course:?} {}", grip.is_some()));
        }
    }
}

/// A vehicle with all costs of turning.
fn turning(vehicle: Vehicle) -> Vehicle {
    Vehicle {
        yaw_inertia_kgm2: Some(1500.0),
        front_weight_fraction: Some(0.45),
        peak_slip_rad: Some(0.12),
        steering_rate_radps: Some(0.7),
        wheelbase_m: 2.7,
        front_downforce_fraction: vehicle.front_downforce_fraction.map(|_| 0.3),
        ..vehicle
    }
}

#[test]
fn no_point_of_a_line_that_costs_turning_could_be_faster() {
    let (curvature, steps, grip) = (curvature(), steps(), grip());
    for (number, vehicle) in vehicles().into_iter().map(turning).enumerate() {
        let diagram = GgDiagram::new(&vehicle).unwrap();
        for (course, grip) in [(COURSES[0], Some(&grip[..])), (COURSES[1], None), (COURSES[2], Some(&grip[..]))] {
            let steps = if course == Course::Closed { &steps[..] } else { &steps[..POINTS - 1] };
            let line = FixedLine {
                curvature: &curvature,
                step_lengths: steps,
                course,
                grip,
                turning: TurningCost::ByVehicle,
                grounds: None,
                caps: None,
            };
            let profile = line.profile(&vehicle).unwrap();
            assert_consistent(&profile, steps);
            assert_eq!(line.lap_time(&vehicle).unwrap(), profile.lap_time_s);
            let even = [1.0; POINTS];
            let grips = grip.unwrap_or(&even);
            let road = TurningLine::new(&curvature, steps, grips, &Turning::of(&vehicle));
            let mut ceilings = ceilings(&vehicle, &diagram, course, None);
            for (ceiling, by_steering) in ceilings.iter_mut().zip(&road.ceiling) {
                *ceiling = ceiling.min(*by_steering);
            }
            let at = |i: usize| (grips[i], road.curvature[i] / grips[i]);
            let bounds = Bounds {
                corners: &|i, w| at(i).1 * w <= diagram.lateral_limit(w),
                driving: &|i, w, begin| {
                    let ((mu, kappa), (limit, ellipse)) = (at(i), diagram.driving());
                    let used = (kappa * w / diagram.lateral_limit(w)).min(1.0);
                    let loss = road.slip_drag[i] * begin * begin / diagram.lateral_limit(begin);
                    let drive = diagram.drive_limit(w) - loss;
                    (mu * limit.at(w) * ellipse.remaining(used)).min(drive) - diagram.resistance(w)
                },
                braking: &|i, w| at(i).0 * diagram.tyre_acceleration(w, at(i).1) + diagram.resistance(w),
                ceiling: &|i| ceilings[i],
            };
            assert_fastest(&profile, steps, &bounds, &format!("{number} {course:?} {}", grip.is_some()));
        }
    }
}

#[test]
fn no_point_of_a_line_in_three_dimensions_could_be_faster() {
    let (curvature, steps, grip, grounds) = (curvature(), steps(), grip(), grounds());
    let vehicles = vehicles();
    for (number, vehicle) in vehicles.iter().cloned().chain(vehicles.iter().cloned().map(turning)).enumerate() {
        let diagram = GgDiagram::new(&vehicle).unwrap();
        let costs = Turning::of(&vehicle);
        let cost = if number < vehicles.len() { TurningCost::Free } else { TurningCost::ByVehicle };
        let costs = if cost == TurningCost::Free { Turning::default() } else { costs };
        for (course, grip) in [(COURSES[0], Some(&grip[..])), (COURSES[1], None), (COURSES[2], Some(&grip[..]))] {
            let steps = if course == Course::Closed { &steps[..] } else { &steps[..POINTS - 1] };
            let line = FixedLine {
                curvature: &curvature,
                step_lengths: steps,
                course,
                grip,
                turning: cost,
                grounds: Some(&grounds),
                caps: None,
            };
            let profile = line.profile(&vehicle).unwrap();
            let stretched =
                |(i, step): (usize, &f64)| step * f64::midpoint(grounds[i].stretch, grounds[(i + 1) % POINTS].stretch);
            let steps: Vec<f64> = steps.iter().enumerate().map(stretched).collect();
            assert_consistent(&profile, &steps);
            assert_eq!(line.lap_time(&vehicle).unwrap(), profile.lap_time_s);
            let geodesic: Vec<f64> = curvature
                .iter()
                .zip(&grounds)
                .map(|(kappa, g)| g.geodesic_factor * kappa + g.geodesic_offset)
                .collect();
            let (axles, by_steering) = TurningLine::axles(geodesic, &steps, &costs);
            let mut ceilings = ceilings(&vehicle, &diagram, Course::FROM_STANDSTILL, None);
            if course == Course::Closed {
                ceilings = vec![vehicle.max_speed_mps.powi(2); POINTS];
            } else if let Course::Open { start_speed_mps: None, end_speed_mps: Some(speed) } = course {
                ceilings[0] = ceilings[1];
                ceilings[POINTS - 1] = speed * speed;
            }
            for (i, ceiling) in ceilings.iter_mut().enumerate() {
                *ceiling = ceiling
                    .min(by_steering[i])
                    .min(grounds[i].flying_speed_squared(diagram.lateral_downforce_over_mass()));
            }
            let mu = |i: usize| grip.map_or(1.0, |grip| grip[i]);
            let lateral = |i: usize, w: f64| {
                let load = grounds[i].load_factor(w, diagram.lateral_downforce_over_mass()).max(0.0);
                mu(i) * load * diagram.lateral_limit(w)
            };
            let across = |i: usize, w: f64| {
                let [front, rear] = [0, 1].map(|axle| (axles[axle][i] * w + grounds[i].gravity_across).abs());
                front.max(rear)
            };
            let left = |i: usize, w: f64, limit: f64, remaining: &dyn Fn(f64) -> f64| {
                let load = mu(i) * grounds[i].load_factor(w, diagram.downforce_over_mass()).max(0.0);
                let used = (across(i, w) / lateral(i, w)).min(1.0);
                load * limit * remaining(used)
            };
            let bounds = Bounds {
                corners: &|i, w| across(i, w) <= lateral(i, w),
                driving: &|i, w, _| {
                    let (limit, ellipse) = diagram.driving();
                    let tyres = left(i, w, limit.at(w), &|used| ellipse.remaining(used));
                    let drag = costs.slip_drag_rad * across(i, w).powi(2) / lateral(i, w);
                    let drive = diagram.drive_limit(w) - drag.min(across(i, w));
                    tyres.min(drive) - diagram.resistance(w) - grounds[i].gravity_along
                },
                braking: &|i, w| {
                    left(i, w, diagram.longitudinal_limit(w), &|used| diagram.ellipse().remaining(used))
                        + diagram.resistance(w)
                        + grounds[i].gravity_along
                },
                ceiling: &|i| ceilings[i],
            };
            assert_fastest(&profile, &steps, &bounds, &format!("{number} {course:?} {}", grip.is_some()));
        }
    }
}
