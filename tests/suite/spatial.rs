//! Roads in three dimensions: closed forms of speeds and of surfaces, order of convergence, and that
//! a level road is driven as a flat one.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used)]

use std::f64::consts::{PI, TAU};

use raceline::Options;
use raceline::edges::{EdgeKind, EdgePoint, Edges, RoadSurface};
use raceline::file::{Method, Source};
use raceline::geometry::{CurvePoint, Point, Slope, Vector};
use raceline::pipeline::Request;
use raceline::solve::{LineOptions, LoadedRelief, optimize};
use raceline::speed::{Course, FixedLine, Ground, LoadOptions, Relief, SpeedProfile, TurningCost};
use raceline::track::{
    BankingPoint, ClearanceOptions, ElevationPoint, ReliefOptions, Track, TrackOptions, TrackRelief, cut, usable,
};
use raceline::track_file;
use raceline::vehicle::{DriveLimit, STANDARD_GRAVITY, Vehicle, preset};

use crate::roads::{raised, ring, stadium, wavy};

/// A car with a friction of 1, a drive of 4 m/s² and no air.
fn airless() -> Vehicle {
    Vehicle {
        mass_kg: 1000.0,
        lateral_limit_mps2: STANDARD_GRAVITY,
        longitudinal_limit_mps2: STANDARD_GRAVITY,
        ellipse_exponent: 2.0,
        drag_kgpm: 0.0,
        downforce_kgpm: 0.0,
        rolling_resistance: 0.0,
        drive: DriveLimit::TableMps2(vec![[0.0, 4.0]]),
        max_speed_mps: 100.0,
        ..preset("tum-racecar").unwrap()
    }
}

/// The profile over `grounds`, whose lengths in the plane are `steps`.
fn driven(vehicle: &Vehicle, curvature: &[f64], steps: &[f64], course: Course, grounds: &[Ground]) -> SpeedProfile {
    let line = FixedLine {
        curvature,
        step_lengths: steps,
        course,
        grip: None,
        turning: TurningCost::Free,
        grounds: Some(grounds),
        caps: None,
    };
    line.profile(vehicle).unwrap()
}

#[track_caller]
fn assert_close(value: f64, expected: f64, relative: f64) {
    let error = (value - expected).abs() / expected.abs();
    assert!(error <= relative, "{value} is not {expected}: relative error {error:.3e}");
}

/// A road along x of the height z(x), given as (z, z', z'').
fn along_x(height: impl Fn(f64) -> [f64; 3], x: f64, load: &LoadOptions) -> Ground {
    let [z, slope, bend] = height(x);
    let slope = Slope { height_m: z, gradient: Vector::new(slope, 0.0), bending: [bend, 0.0, 0.0] };
    Ground::under(&slope, Vector::new(1.0, 0.0), 0.0, load)
}

#[test]
fn the_load_that_banking_adds_counts_by_its_fraction() {
    let (radius, rise) = (80.0, 0.15);
    let slope = Slope { height_m: 0.0, gradient: Vector::new(0.0, -rise), bending: [rise / radius, 0.0, 0.0] };
    let curvature = |banking_share: f64| {
        let load = LoadOptions { banking_share, ..LoadOptions::default() };
        Ground::under(&slope, Vector::new(1.0, 0.0), 1.0 / radius, &load).normal_curvature
    };
    // sin(banking) / radius, all of which is banking's.
    let whole = f64::sin(f64::atan(rise)) / radius;
    for fraction in [0.0, 0.4, 1.0] {
        assert!((curvature(fraction) - fraction * whole).abs() < 1e-15, "{fraction}: {}", curvature(fraction));
    }
}

#[test]
fn a_banked_circle_is_driven_at_its_closed_form_speed() {
    let (radius, points) = (50.0, 400);
    for (banking, downforce) in [(0.3, 0.0), (-0.2, 0.0), (0.2, 2.0)] {
        let rise: f64 = f64::tan(banking);
        let slope = Slope { height_m: 0.0, gradient: Vector::new(0.0, -rise), bending: [rise / radius, 0.0, 0.0] };
        let ground = Ground::under(&slope, Vector::new(1.0, 0.0), 1.0 / radius, &LoadOptions::EXACT);
        let step = TAU * radius / f64::from(points);
        let vehicle = Vehicle { downforce_kgpm: downforce, ..airless() };
        let count = points as usize;
        let profile =
            driven(&vehicle, &vec![1.0 / radius; count], &vec![step; count], Course::Closed, &vec![ground; count]);
        // v² κ cos φ - g sin φ = μ (g cos φ + v² (κ sin φ + d))
        let per_mass = downforce / vehicle.mass_kg;
        let (sine, cosine) = banking.sin_cos();
        let squared = STANDARD_GRAVITY * (sine + cosine) / ((cosine - sine) / radius - per_mass);
        assert_close(profile.lap_time_s, TAU * radius / squared.sqrt(), 1e-9);
    }
}

#[test]
fn on_a_constant_grade_gravity_adds_to_the_drive_and_lengths_are_those_in_space() {
    for grade in [-0.15, 0.0, 0.2] {
        let (points, step) = (201, 2.0);
        let ground = along_x(|x| [grade * x, grade, 0.0], 0.0, &LoadOptions::default());
        let steps = vec![step; points - 1];
        let profile = driven(&airless(), &vec![0.0; points], &steps, Course::FROM_STANDSTILL, &vec![ground; points]);
        let cosine = 1.0 / f64::hypot(1.0, grade);
        let length = step * (points - 1) as f64 / cosine;
        let acceleration = 4.0 - STANDARD_GRAVITY * grade * cosine;
        assert_close(*profile.speed_mps.last().unwrap(), (2.0 * acceleration * length).sqrt(), 1e-6);
    }
}

#[test]
fn a_crest_bounds_the_speed_where_the_vehicle_would_fly_also_on_a_straight() {
    let radius = 80.0;
    let grounds: Vec<Ground> =
        (0..200).map(|_| along_x(|_| [0.0, 0.0, -1.0 / radius], 0.0, &LoadOptions::default())).collect();
    let free = Course::Open { start_speed_mps: None, end_speed_mps: None };
    let profile = driven(&airless(), &[0.0; 200], &[1.0; 199], free, &grounds);
    // The load falls to 15 %: g - 1.2 v² / R = 0.15 g.
    let expected = (0.85 * STANDARD_GRAVITY * radius / 1.2).sqrt();
    assert_close(profile.speed_mps[100], expected, 1e-9);
}

/// Lap time over sine hills, bent to both sides in turn, with `points` points.
fn hills(points: usize) -> f64 {
    let (length, height, waves) = (800.0, 2.0, 4.0);
    let k = TAU * waves / length;
    let step = length / points as f64;
    let x = |i: usize| i as f64 * step;
    let hill = |x: f64| [height * (k * x).sin(), height * k * (k * x).cos(), -height * k * k * (k * x).sin()];
    let curvature: Vec<f64> = (0..points).map(|i| 0.02 * (TAU * x(i) / length).cos()).collect();
    let grounds: Vec<Ground> = (0..points)
        .map(|i| {
            let [z, slope, bend] = hill(x(i));
            let slope = Slope { height_m: z, gradient: Vector::new(slope, 0.0), bending: [bend, 0.0, 0.0] };
            Ground::under(&slope, Vector::new(1.0, 0.0), curvature[i], &LoadOptions::EXACT)
        })
        .collect();
    let vehicle = Vehicle { drag_kgpm: 0.8, downforce_kgpm: 1.0, ..airless() };
    driven(&vehicle, &curvature, &vec![step; points], Course::Closed, &grounds).lap_time_s
}

#[test]
fn over_sine_hills_the_lap_time_converges_with_the_square_of_the_step() {
    let exact = hills(12_800);
    let errors = [40, 80, 160, 320].map(|points| (hills(points) - exact).abs() / exact);
    // Each lies below a line that falls with the square of the step.
    for (error, bound) in errors.iter().zip([4.0, 1.0, 0.25, 0.0625]) {
        assert!(*error < 1e-3 * bound, "{errors:?}");
    }
}

#[test]
fn a_hill_costs_time_and_gives_it_back_less_than_all() {
    let level = vec![Ground::LEVEL; 400];
    let flat = driven(&airless(), &[0.0; 400], &[2.0; 399], Course::FROM_STANDSTILL, &level);
    let hill: Vec<Ground> = (0..400)
        .map(|i| {
            let x = PI * f64::from(i) / 399.0;
            along_x(|_| [20.0 * x.sin(), 20.0 * PI / 798.0 * x.cos(), 0.0], 0.0, &LoadOptions::default())
        })
        .collect();
    let over = driven(&airless(), &[0.0; 400], &[2.0; 399], Course::FROM_STANDSTILL, &hill);
    assert!(over.lap_time_s > flat.lap_time_s + 0.1, "{} {}", over.lap_time_s, flat.lap_time_s);
    assert_close(*over.speed_mps.last().unwrap(), *flat.speed_mps.last().unwrap(), 0.01);
}

/// Points of the circle of radius `radius` with derivatives.
fn circle(radius: f64) -> Vec<CurvePoint> {
    (0..100)
        .map(|i| {
            let (sine, cosine) = (TAU * f64::from(i) / 100.0).sin_cos();
            CurvePoint {
                position: Point::new(radius * cosine, radius * sine),
                first: Vector::new(-sine, cosine),
                second: Vector::new(-cosine, -sine) / radius,
            }
        })
        .collect()
}

fn counterclockwise() -> TrackOptions {
    TrackOptions { direction: Some(raceline::track::Direction::Counterclockwise), ..TrackOptions::default() }
}

fn grounds_on(track: &Track, line: &[CurvePoint]) -> Vec<Ground> {
    let relief = TrackRelief::new(track, &ReliefOptions::default()).unwrap();
    LoadedRelief { relief, load: LoadOptions::EXACT }.along(line)
}

#[test]
fn the_surface_of_a_cone_has_its_banking_and_curvatures_on_every_circle() {
    let banking = 0.25_f64;
    let track = cut(&raised(ring(45.0, 55.0), |p| banking.tan() * p.coords.norm()), &counterclockwise()).unwrap();
    for radius in [46.5, 50.0, 54.0] {
        for ground in grounds_on(&track, &circle(radius)) {
            assert_close(ground.banking_rad, -banking, 1e-3);
            assert_close(ground.geodesic(1.0 / radius), banking.cos() / radius, 3e-3);
            assert_close(ground.vertical_curvature, banking.sin() / radius, 1e-2);
            assert!(ground.grade_rad.abs() < 1e-4, "{}", ground.grade_rad);
            assert_close(ground.height_m, banking.tan() * radius, 1e-3);
        }
    }
}

#[test]
fn on_a_tilted_plane_no_line_is_bent_towards_the_road() {
    let plane = |p: Point| 0.08 * p.x - 0.05 * p.y;
    let track = cut(&raised(ring(45.0, 55.0), plane), &counterclockwise()).unwrap();
    for radius in [46.5, 50.0, 54.0] {
        for (point, ground) in circle(radius).iter().zip(grounds_on(&track, &circle(radius))) {
            assert!(ground.vertical_curvature.abs() < 2e-5, "{}", ground.vertical_curvature);
            assert!((ground.height_m - plane(point.position)).abs() < 0.02, "{}", ground.height_m);
            let along = 0.08 * point.first.x - 0.05 * point.first.y;
            assert!((ground.grade_rad - along.atan()).abs() < 1e-3, "{} {along}", ground.grade_rad);
        }
    }
}

#[test]
fn on_a_tilted_plane_a_road_of_changing_curvature_has_no_bend_beside_its_middle() {
    let track = cut(&raised(wavy(80.0, 0.08, 3, 12.0), |p| 0.08 * p.x - 0.05 * p.y), &counterclockwise()).unwrap();
    let relief = TrackRelief::new(&track, &ReliefOptions::default()).unwrap();
    for offset in [-4.0, 0.0, 4.0] {
        let place = |t: f64| {
            let radius = 80.0 * (1.0 + 0.08 * (3.0 * t).cos()) + offset;
            Point::new(radius * t.cos(), radius * t.sin())
        };
        let line = (0..400).map(|i| place(TAU * f64::from(i) / 400.0));
        let worst = relief.along(line).flat_map(|slope| slope.bending).map(f64::abs).fold(0.0, f64::max);
        // Without the change of the curvature along the road it is 0.00011 beside the middle.
        assert!(worst < 5e-5, "{worst} at {offset}");
    }
}

#[test]
fn a_level_road_at_any_height_is_driven_as_a_flat_one_to_the_last_bit() {
    let car = preset("gt").unwrap();
    let flat = cut(&stadium(150.0, 25.0, 37.0), &TrackOptions::default()).unwrap();
    let level = cut(&raised(stadium(150.0, 25.0, 37.0), |_| 320.0), &TrackOptions::default()).unwrap();
    let find = |track: &Track| {
        let found = optimize(track, &car, &LineOptions::default()).unwrap().driven();
        (found.points, found.profile)
    };
    assert_eq!(find(&flat), find(&level));
}

#[test]
fn profiles_along_the_centre_line_are_followed() {
    let track = cut(&ring(45.0, 55.0), &counterclockwise()).unwrap();
    let length = track.centre_line().length();
    let elevation: Vec<ElevationPoint> = (0..16)
        .map(|i| f64::from(i) / 16.0)
        .map(|fraction| ElevationPoint { s_m: fraction * length, z_m: 3.0 * (TAU * fraction).sin() })
        .collect();
    let banking = [BankingPoint { s_m: 0.0, banking_rad: -0.1 }];
    let track = track.with_profiles(&elevation, &banking).unwrap();
    let start = track.sections[0].middle();
    let from_start = |p: Point| (p.y.atan2(p.x) - start.y.atan2(start.x)).rem_euclid(TAU);
    for (point, ground) in circle(50.0).iter().zip(grounds_on(&track, &circle(50.0))) {
        let expected = 3.0 * from_start(point.position).sin();
        assert!((ground.height_m - expected).abs() < 0.05, "{} {expected}", ground.height_m);
        assert!((ground.banking_rad + 0.1).abs() < 2e-3, "{}", ground.banking_rad);
    }
}

#[test]
fn profiles_that_do_not_fit_name_the_point_and_the_range() {
    let track = || cut(&ring(45.0, 55.0), &counterclockwise()).unwrap();
    let point = |s_m, z_m| ElevationPoint { s_m, z_m };
    let message = |elevation: &[ElevationPoint]| track().with_profiles(elevation, &[]).unwrap_err().to_string();
    assert_eq!(
        message(&[point(0.0, 1.0), point(0.0, 2.0)]),
        "elevation point 2: s_m = 0 must be greater than 0 of the point before it"
    );
    assert!(message(&[point(400.0, 1.0)]).starts_with("elevation point 1: s_m = 400 lies beyond the end of the road"));
    assert!(message(&[point(0.0, f64::NAN)]).contains("must be a height from"));
    let steep = track().with_profiles(&[], &[BankingPoint { s_m: 0.0, banking_rad: 1.6 }]).unwrap_err();
    assert_eq!(steep.to_string(), "banking point 1: banking_rad = 1.6 must be an angle from -1.2 to 1.2 rad");
}

/// A raised ring with walls outside and kerbs inside.
fn walled_ring() -> Edges {
    let edges = raised(ring(45.0, 57.0), |p| 0.1 * p.x);
    let of_kind =
        |points: &[EdgePoint], kind: EdgeKind| points.iter().map(|point| EdgePoint { kind, ..*point }).collect();
    let surface = edges.surface.as_ref().unwrap();
    // Counter-clockwise, the inner edge is on the left.
    let surface =
        RoadSurface { left: of_kind(&surface.left, EdgeKind::Kerb), right: of_kind(&surface.right, EdgeKind::Wall) };
    Edges { surface: Some(surface), ..edges }
}

#[test]
fn a_line_keeps_its_clearance_from_walls_and_hangs_over_kerbs() {
    let car = Vehicle { safety_distance_m: 0.3, width_m: 2.0, ..preset("gt").unwrap() };
    let track = cut(&walled_ring(), &counterclockwise()).unwrap();
    let radii = |options: &Options| {
        let found = optimize(&track, &car, &options.line_options()).unwrap().driven();
        let radii = found.between().map(|p| p.coords.norm());
        radii.fold((f64::INFINITY, 0.0_f64), |(low, high), r| (low.min(r), high.max(r)))
    };
    let mut options = Options { method: Method::ShortestPath, ..Options::default() };
    options.clearance.kerb_overhang_m = 0.4;
    // The car's side 0.4 m beyond the inner edge.
    assert!((radii(&options).0 - (45.0 + 1.0 - 0.4)).abs() < 0.02, "{:?}", radii(&options));
    let usable = |wall_clearance_m: f64| {
        let clearance = ClearanceOptions { wall_clearance_m, kerb_overhang_m: 0.4 };
        let track = usable(&track, (&clearance, &[]), &counterclockwise(), 0.3, 5.0).unwrap().unwrap();
        let outer = track.right_edge.points.iter().map(|p| p.coords.norm());
        outer.fold(0.0, f64::max)
    };
    // The margin of 0.3 m is kept from the moved edge.
    assert!((usable(0.9) - (57.0 - 0.6)).abs() < 0.01, "{}", usable(0.9));
    // A clearance below the safety distance changes nothing.
    assert!((usable(0.1) - 57.0).abs() < 0.01, "{}", usable(0.1));
}

/// On TORCS's alpine-2 every edge is a kerb of grip 1, and the line was refused.
#[test]
fn a_line_over_kerbs_of_grip_1_is_sound() {
    let car = Vehicle { width_m: 2.0, ..preset("gt").unwrap() };
    let road = walled_ring();
    let kerbs = |points: Vec<EdgePoint>| points.into_iter().map(|end| EdgePoint { kind: EdgeKind::Kerb, ..end });
    let surface = road
        .surface
        .map(|surface| RoadSurface { left: kerbs(surface.left).collect(), right: kerbs(surface.right).collect() });
    let track = cut(&Edges { surface, ..road }, &counterclockwise()).unwrap();
    let mut options = Options { method: Method::ShortestPath, ..Options::default() };
    options.clearance.kerb_overhang_m = 0.4;
    let source = Source { file: "ring.csv".into(), sha256: "0".repeat(64), ..Source::default() };
    let path = std::env::temp_dir().join(format!("kerbs-{}.track.json", std::process::id()));
    std::fs::write(&path, track_file::write(&track_file::TrackFile::new("ring", &track, &source)).unwrap()).unwrap();
    let outcome = raceline::pipeline::optimize(&path, &Request::new(&options, &car));
    std::fs::remove_file(&path).unwrap();
    assert!(outcome.unwrap().line.points.iter().all(|point| point.grip == Some(1.0)));
}

#[test]
fn a_road_between_lines_is_used_as_it_is() {
    let track = cut(&raised(ring(45.0, 57.0), |p| 0.1 * p.x), &counterclockwise()).unwrap();
    assert_eq!(usable(&track, (&ClearanceOptions::default(), &[]), &counterclockwise(), 0.3, 5.0), Ok(None));
}

#[test]
fn a_track_file_keeps_heights_grip_and_kinds_of_edges() {
    let track = cut(&walled_ring(), &counterclockwise()).unwrap();
    let source = Source { file: "ring.csv".into(), sha256: "0".repeat(64), ..Source::default() };
    let bytes = track_file::write(&track_file::TrackFile::new("ring", &track, &source)).unwrap();
    let read = track_file::read(&bytes).unwrap().track();
    let (reported, read) = (track.surface.unwrap(), read.surface.unwrap());
    assert_eq!(reported.len(), read.len());
    for (a, b) in reported.iter().zip(&read) {
        assert_eq!((a.left.kind, a.right.kind), (b.left.kind, b.right.kind));
        assert!((a.left.height_m - b.left.height_m).abs() < 1e-6 && (a.right.grip - b.right.grip).abs() < 1e-4);
    }
}

#[test]
fn tyres_that_drive_less_than_they_brake_limit_only_the_drive() {
    let vehicle = Vehicle { drive: DriveLimit::TableMps2(vec![[0.0, 50.0]]), ..airless() };
    let half = Vehicle { driving_limit_table: vec![[0.0, 3.0]], ..vehicle.clone() };
    let course = Course::Open { start_speed_mps: Some(0.0), end_speed_mps: Some(0.0) };
    // Without grounds, and with level ones: both kinds of passes.
    let level = vec![Ground::LEVEL; 401];
    for grounds in [None, Some(level.as_slice())] {
        let line = FixedLine {
            curvature: &[0.0; 401],
            step_lengths: &[0.5; 400],
            course,
            grip: None,
            turning: TurningCost::Free,
            grounds,
            caps: None,
        };
        let profile = line.profile(&half).unwrap();
        assert_close(profile.accel_mps2[100], 3.0, 1e-6);
        assert_close(-profile.accel_mps2[390], STANDARD_GRAVITY, 1e-6);
        assert_close(line.profile(&vehicle).unwrap().accel_mps2[50], STANDARD_GRAVITY, 1e-6);
    }
}
