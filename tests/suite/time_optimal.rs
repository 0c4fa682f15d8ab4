//! The line of minimum lap time on roads whose answers are known, and what it promises on any road.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::PI;

use raceline::edges::Edges;
use raceline::geometry::{Point, Polyline, SplineCurve};
use raceline::solve::min_curvature::{iterated_min_curvature, min_curvature};
use raceline::solve::time_optimal::{Status, Task, TimeOptimal, time_optimal};
use raceline::solve::{Corridor, EdgeDistance, QpSolver, SolveOptions};
use raceline::speed::{DrivenLine, EndSpeed, Lap, SpeedOptions};
use raceline::track::{Direction, GripStretch, Track, TrackGrip, TrackOptions, cut};
use raceline::vehicle::{DriveLimit, Vehicle, preset};

use crate::roads;

const MARGIN: f64 = 1.7;

/// A car with tyres alone: no drag, more drive than the tyres carry, no other limit.
fn tyres_alone() -> Vehicle {
    Vehicle {
        drag_kgpm: 0.0,
        drive: DriveLimit::TableMps2(vec![[0.0, 100.0]]),
        max_speed_mps: 300.0,
        max_curvature_radpm: 1.0,
        max_steering_rad: None,
        ..preset("tum-racecar").unwrap()
    }
}

/// A road, and the minimum-curvature line through it.
struct Road {
    track: Track,
    edges: EdgeDistance,
    corridor: Corridor,
    start: Vec<f64>,
}

impl Road {
    fn new(edges: &Edges) -> Self {
        Self::pinned(edges, &SolveOptions::default())
    }

    fn pinned(edges: &Edges, options: &SolveOptions) -> Self {
        let track =
            cut(edges, &TrackOptions { direction: Some(Direction::Counterclockwise), ..TrackOptions::default() })
                .unwrap();
        let edges = EdgeDistance::new(&track);
        let mut corridor = Corridor::new(&track, &edges, MARGIN).unwrap();
        corridor.pin_ends(options);
        let start = min_curvature(&corridor, &SolveOptions::default(), &corridor.middle()).unwrap().alpha;
        Self { track, edges, corridor, start }
    }

    fn fastest<'a>(&self, lap: impl Into<Lap<'a>>) -> (TimeOptimal, DrivenLine) {
        let lap = lap.into();
        let (corridor, edges) = (&self.corridor, &self.edges);
        let task = Task { corridor, edges, margin_m: MARGIN, spacing_m: self.track.spacing_m, lap };
        let found = time_optimal(task, &self.start).unwrap();
        assert_eq!(found.status, Status::Converged, "{:?}", found.iterations);
        assert!(found.violation < 1e-3, "{}", found.violation);
        let driven = DrivenLine::through(&found.points, self.track.closed, lap).unwrap();
        (found, driven)
    }

    fn start_lap<'a>(&self, lap: impl Into<Lap<'a>>) -> f64 {
        DrivenLine::through(&self.corridor.points(&self.start), self.track.closed, lap).unwrap().lap_time_s()
    }

    /// How much of the margin a line lacks at worst.
    fn missing(&self, line: &DrivenLine) -> f64 {
        line.between().map(|p| MARGIN - self.edges.nearest(p)).fold(f64::NEG_INFINITY, f64::max)
    }
}

fn straight(length: f64, half_width: f64) -> Edges {
    let side = |y: f64| Polyline::open((0..=200).map(|i| Point::new(length * f64::from(i) / 200.0, y)).collect());
    Edges::between(side(half_width), side(-half_width))
}

/// On a circle of radius r the lap takes 2π √(r / a): the inner circle is the fastest.
#[test]
fn on_a_ring_the_fastest_line_is_the_inner_circle() {
    let road = Road::new(&roads::ring(40.0, 52.0));
    let vehicle = tyres_alone();
    let (_, line) = road.fastest(&vehicle);
    let radius: f64 = 40.0 + MARGIN;
    let expected = 2.0 * PI * (radius / vehicle.lateral_limit_mps2).sqrt();
    assert!((line.lap_time_s() / expected - 1.0).abs() < 2e-4, "{} s, {expected} s", line.lap_time_s());
    for place in &line.points {
        assert!((place.position.coords.norm() - radius).abs() < 0.02);
    }
}

/// Halving the grip of tyres alone makes every speed √2 lower and changes nothing else.
#[test]
fn lap_time_with_tyres_alone_goes_with_the_root_of_grip() {
    let road = Road::new(&roads::wavy(90.0, 0.2, 3, 12.0));
    let vehicle = tyres_alone();
    let (_, dry) = road.fastest(&vehicle);
    let everywhere = GripStretch { from_m: 0.0, to_m: road.track.centre_line().length(), factor: 0.5, ramp_m: 0.0 };
    let grip = TrackGrip::new(&road.track, &[everywhere]).unwrap();
    let lap = Lap {
        vehicle: &vehicle,
        speeds: SpeedOptions::default(),
        grip: grip.as_ref().map(|grip| grip as _),
        relief: None,
        caps: None,
    };
    let (_, wet) = road.fastest(lap);
    let ratio = wet.lap_time_s() / dry.lap_time_s();
    assert!((ratio / 2f64.sqrt() - 1.0).abs() < 2e-3, "{ratio}");
}

#[test]
fn every_vehicle_is_faster_than_on_the_minimum_curvature_line_and_keeps_the_margin() {
    let shapes = [
        roads::stadium(300.0, 14.0, 26.0),
        roads::wavy(120.0, 0.25, 4, 12.0),
        // Bends tighter than the road is wide.
        roads::wavy(60.0, 0.35, 4, 14.0),
        roads::sharp_triangle(150.0, 12.0),
    ];
    for (number, edges) in shapes.iter().enumerate() {
        let road = Road::new(edges);
        for name in ["tum-racecar", "gt", "kart", "formula", "torcs-car1-trb1"] {
            let vehicle = preset(name).unwrap();
            let (_, line) = road.fastest(&vehicle);
            let start = road.start_lap(&vehicle);
            assert!(line.lap_time_s() < start, "{name}, road {number}: {} s, {start} s", line.lap_time_s());
            assert!(road.missing(&line) < 0.02, "{name}, road {number}: {}", road.missing(&line));
        }
    }
}

#[test]
fn every_exponent_of_the_friction_ellipse_is_solved() {
    let road = Road::new(&roads::wavy(90.0, 0.25, 3, 12.0));
    let mut slower = f64::INFINITY;
    for ellipse_exponent in [1.0, 1.3, 2.0, 4.0, 10.0] {
        let vehicle = Vehicle { ellipse_exponent, ..preset("tum-racecar").unwrap() };
        let (_, line) = road.fastest(&vehicle);
        assert!(line.lap_time_s() < slower, "{ellipse_exponent}: {} s after {slower} s", line.lap_time_s());
        slower = line.lap_time_s();
    }
}

#[test]
fn curvature_stays_within_what_the_steering_allows() {
    let road = Road::new(&roads::stadium(200.0, 8.0, 24.0));
    let free = tyres_alone();
    let sharpest = |line: &DrivenLine| line.curvature.iter().fold(0.0, |max: f64, k| max.max(k.abs()));
    let limit = 0.8 * sharpest(&road.fastest(&free).1);
    let (_, line) = road.fastest(&Vehicle { max_curvature_radpm: limit, ..free });
    assert!(sharpest(&line) <= limit, "{} {limit}", sharpest(&line));
}

#[test]
fn a_mirrored_road_takes_the_same_time() {
    let mirrored = |edges: Edges| {
        // Turned round, or the mirror image would be driven in the opposite direction.
        let mirror =
            |edge: &Polyline| Polyline::closed(edge.points.iter().rev().map(|p| Point::new(-p.x, p.y)).collect());
        Edges::ring(mirror(&edges.right), mirror(&edges.left))
    };
    let vehicle = preset("tum-racecar").unwrap();
    let laps = [roads::wavy(100.0, 0.2, 3, 12.0), mirrored(roads::wavy(100.0, 0.2, 3, 12.0))]
        .map(|edges| Road::new(&edges).fastest(&vehicle).1.lap_time_s());
    assert!((laps[0] / laps[1] - 1.0).abs() < 5e-4, "{laps:?}");
}

/// The line is smooth enough that its points don't matter: through points a metre apart it takes
/// the same time.
#[test]
fn points_a_metre_apart_take_the_same_time() {
    let vehicle = preset("tum-racecar").unwrap();
    for edges in
        [roads::stadium(300.0, 14.0, 26.0), roads::wavy(120.0, 0.25, 4, 12.0), roads::sharp_triangle(150.0, 12.0)]
    {
        let (found, line) = Road::new(&edges).fastest(&vehicle);
        let curve = SplineCurve::through(&found.points, true).unwrap();
        let count = curve.length().round() as usize;
        let points: Vec<Point> = curve.evenly(count).iter().map(|place| place.position).collect();
        let resampled = DrivenLine::through(&points, true, &vehicle).unwrap();
        let ratio = resampled.lap_time_s() / line.lap_time_s();
        assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
    }
}

/// From standstill at constant acceleration a: v² = 2 a s.
#[test]
fn a_straight_from_standstill_takes_its_closed_form_time() {
    let vehicle = Vehicle { drive: DriveLimit::TableMps2(vec![[0.0, 5.0]]), ..tyres_alone() };
    let road = Road::new(&straight(400.0, 6.0));
    let (_, line) = road.fastest(&vehicle);
    let expected = (2.0 * line.length_m / 5.0f64).sqrt();
    assert!((line.lap_time_s() / expected - 1.0).abs() < 1e-3, "{} {expected}", line.lap_time_s());
    assert!((line.length_m - road.track.centre_line().length()).abs() < 0.1);
}

#[test]
fn given_ends_of_an_open_road_are_kept() {
    let options = SolveOptions { start_offset_m: Some(3.0), end_offset_m: Some(-2.5), ..SolveOptions::default() };
    let road = Road::pinned(&straight(300.0, 6.0), &options);
    let vehicle = preset("tum-racecar").unwrap();
    let speeds = SpeedOptions {
        start_speed_mps: Some(EndSpeed::Given(20.0)),
        end_speed_mps: Some(EndSpeed::Given(5.0)),
        ..SpeedOptions::default()
    };
    let (found, line) = road.fastest(Lap { vehicle: &vehicle, speeds, grip: None, relief: None, caps: None });
    let (first, last) = (found.points[0], found.points[found.points.len() - 1]);
    assert!((first.y - 3.0).abs() < 0.01 && (last.y + 2.5).abs() < 0.01, "{first} {last}");
    let speed = &line.profile.speed_mps;
    assert!((speed[0] - 20.0).abs() < 0.01 && (speed[speed.len() - 1] - 5.0).abs() < 0.01);
    // Free ends are faster.
    let free = SpeedOptions { start_speed_mps: Some(EndSpeed::Free), ..SpeedOptions::default() };
    let (_, flying) = Road::new(&straight(300.0, 6.0)).fastest(Lap {
        vehicle: &vehicle,
        speeds: free,
        grip: None,
        relief: None,
        caps: None,
    });
    assert!(flying.lap_time_s() < 0.7 * line.lap_time_s());
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let road = Road::new(&roads::wavy(120.0, 0.25, 4, 12.0));
    let vehicle = preset("gt").unwrap();
    let points = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| road.fastest(&vehicle).0.points)
    });
    assert_eq!(points[0], points[1]);
}

/// Stations that are laid anew on each line hold a line where the road is wider than its bend, and
/// bend no more than the line through the cross-sections.
#[test]
fn the_iterated_line_stands_and_bends_no_more() {
    for edges in
        [roads::wavy(60.0, 0.35, 4, 14.0), roads::stadium(300.0, 14.0, 26.0), roads::sharp_triangle(150.0, 12.0)]
    {
        let road = Road::new(&edges);
        let found = iterated_min_curvature(
            &road.corridor,
            &road.start,
            &road.edges,
            MARGIN,
            road.track.spacing_m,
            QpSolver::default(),
        )
        .unwrap();
        assert!(found.report.converged() && found.curvature_error < 1e-3, "{:?}", found.report);
        let bending = |points: &[Point]| {
            let curve = SplineCurve::through(points, true).unwrap();
            let count = 10_000;
            let step = curve.length() / f64::from(count);
            curve.evenly(count as usize).iter().map(|p| p.curvature().powi(2) * step).sum::<f64>()
        };
        let (iterated, before) = (bending(&found.points), bending(&road.corridor.points(&road.start)));
        assert!(iterated < 1.01 * before, "{iterated} {before}");
        let line = DrivenLine::through(&found.points, true, &preset("tum-racecar").unwrap()).unwrap();
        assert!(road.missing(&line) < 0.02, "{}", road.missing(&line));
    }
}
