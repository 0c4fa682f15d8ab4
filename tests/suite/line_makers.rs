//! Relaxation and random lines on roads whose answers are known, and beside the other methods.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use proptest::prelude::*;
use raceline::Options;
use raceline::edges::Edges;
use raceline::file::Method;
use raceline::geometry::{Point, SplineCurve};
use raceline::pipeline::{Request, optimize};
use raceline::solve::min_curvature::min_curvature;
use raceline::solve::relaxation::{Form, Weight, relaxation, relaxation_with};
use raceline::solve::sampled::sampled;
use raceline::solve::{Corridor, EdgeDistance, SolveOptions};
use raceline::speed::{Course, DrivenLine, Lap, SpeedSolver};
use raceline::track::{Direction, TrackOptions, cut};
use raceline::vehicle::{Vehicle, preset};
use raceline_generate as generate;

use crate::roads;

fn corridor_of(edges: &Edges) -> Corridor {
    let options = TrackOptions { direction: Some(Direction::Counterclockwise), ..TrackOptions::default() };
    let track = cut(edges, &options).unwrap();
    Corridor::new(&track, &EdgeDistance::new(&track), 1.7).unwrap()
}

fn car() -> Vehicle {
    preset("tum-racecar").unwrap()
}

fn curve(corridor: &Corridor, alpha: &[f64]) -> SplineCurve {
    SplineCurve::through(&corridor.points(alpha), corridor.closed).unwrap()
}

/// ∫ κ² ds.
fn bending(corridor: &Corridor, alpha: &[f64]) -> f64 {
    let curve = curve(corridor, alpha);
    let count = 8 * corridor.len();
    curve.evenly(count).iter().map(|p| p.curvature().powi(2)).sum::<f64>() * curve.length() / count as f64
}

fn lap_time_s(corridor: &Corridor, alpha: &[f64]) -> f64 {
    DrivenLine::through(&corridor.points(alpha), corridor.closed, &car()).unwrap().lap_time_s()
}

fn springs(spring_tension: f64, relaxation_sweeps: usize) -> SolveOptions {
    SolveOptions { relaxation: Form::SpringsAndHinges, spring_tension, relaxation_sweeps, ..SolveOptions::default() }
}

/// A circle of radius R has the energy `π/R + 2π R T/w²`, which is minimum at `R = w/√(2 T)`.
#[test]
fn springs_and_hinges_rest_on_the_circle_where_they_balance() {
    let corridor = corridor_of(&roads::ring(40.0, 52.0));
    for radius in [44.0_f64, 46.0, 49.0] {
        let found = relaxation(&corridor, springs((12.0 / radius).powi(2) / 2.0, 8000).relaxation_settings());
        // The circle may lie anywhere in the ring, so its length determines its radius.
        let found = curve(&corridor, &found.alpha).length() / std::f64::consts::TAU;
        assert!((found - radius).abs() < 0.3, "{found} for {radius}");
    }
}

/// A beam of stiffness 1 and length L between two supports yields by `F L³/48` to a force F in its middle.
#[test]
fn a_heavy_point_bends_the_chain_like_a_beam() {
    let track = cut(&roads::straight(120.0, 12.0), &TrackOptions::default()).unwrap();
    let mut corridor = Corridor::new(&track, &EdgeDistance::new(&track), 1.0).unwrap();
    let last = corridor.len() - 1;
    for end in [0, last] {
        (corridor.low[end], corridor.high[end]) = (0.5, 0.5);
    }
    let middle = |force: f64| {
        let weight = Weight { section: last / 2, alpha: 0.75, reach_m: 0.2, force };
        let found = relaxation_with(&corridor, springs(0.0, 60_000).relaxation_settings(), &[weight]).alpha;
        (found[last / 2] - 0.5) * 12.0
    };
    let length = (corridor.sections[last].middle() - corridor.sections[0].middle()).norm();
    for yields_m in [0.5, 2.0] {
        let found = middle(yields_m * 48.0 / length.powi(3));
        assert!((found - yields_m).abs() < 0.05 * yields_m, "{found} for {yields_m}");
    }
    // Heavier ones pull it within their reach, and no farther.
    let found = middle(10.0 * 48.0 / length.powi(3));
    assert!((2.8..=3.2).contains(&found), "{found}");
}

#[test]
fn without_tension_hinges_go_outside_and_with_much_springs_go_inside() {
    let corridor = corridor_of(&roads::ring(40.0, 52.0));
    let radius = |options: &SolveOptions| {
        corridor.points(&relaxation(&corridor, options.relaxation_settings()).alpha)[7].coords.norm()
    };
    assert!((radius(&springs(0.0, 1000)) - 50.3).abs() < 0.05);
    assert!((radius(&springs(10.0, 1000)) - 41.7).abs() < 0.05);
}

#[test]
fn a_circle_is_at_rest_for_interpolated_curvature() {
    let corridor = corridor_of(&roads::ring(40.0, 52.0));
    let found = relaxation(&corridor, SolveOptions::default().relaxation_settings());
    for p in corridor.points(&found.alpha) {
        assert!((p.coords.norm() - 46.0).abs() < 0.02, "{}", p.coords.norm());
    }
    assert!(found.last_move_m < 1e-3, "{}", found.last_move_m);
}

#[test]
fn both_forms_come_near_the_minimum_curvature_and_beat_the_middle() {
    let corridor = corridor_of(&roads::stadium(200.0, 40.0, 52.0));
    let min = min_curvature(&corridor, &SolveOptions::default(), &corridor.middle()).unwrap();
    let min_bending = bending(&corridor, &min.alpha);
    let middle = bending(&corridor, &corridor.middle());
    for (options, fraction) in [(springs(0.0, 400), 1.02), (SolveOptions::default(), 1.2)] {
        let found = relaxation(&corridor, options.relaxation_settings());
        let energy = bending(&corridor, &found.alpha);
        assert!(energy < fraction * min_bending && energy < 0.9 * middle, "{energy} {min_bending} {middle}");
        assert!(energy > 0.99 * min_bending, "less than the minimum: {energy} {min_bending}");
        assert!(lap_time_s(&corridor, &found.alpha) < 0.98 * lap_time_s(&corridor, &corridor.middle()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn lines_stay_in_the_corridor(swing in 0.0..0.3f64, lobes in 2..6_usize, form in any::<bool>(), seed in 0..99_u64) {
        let corridor = corridor_of(&roads::wavy(90.0, swing, lobes, 11.0));
        let form = if form { Form::SpringsAndHinges } else { Form::CurvatureInterpolation };
        let options = SolveOptions { relaxation: form, relaxation_sweeps: 30, sampled_lines: 30, seed, ..SolveOptions::default() };
        let vehicle = car();
        let lines = [relaxation(&corridor, options.relaxation_settings()).alpha, sampled(&corridor, Lap::from(&vehicle), &options).unwrap().alpha];
        for alpha in lines {
            prop_assert_eq!(alpha.len(), corridor.len());
            for (i, a) in alpha.iter().enumerate() {
                prop_assert!((corridor.low[i] - 1e-9..=corridor.high[i] + 1e-9).contains(a), "{} at {}", a, i);
            }
        }
    }
}

#[test]
fn random_lines_are_the_same_on_any_number_of_threads() {
    let corridor = corridor_of(&roads::stadium(150.0, 30.0, 41.0));
    let vehicle = car();
    let draw = |seed: u64, threads: usize| {
        let options = SolveOptions { seed, sampled_lines: 100, ..SolveOptions::default() };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| sampled(&corridor, Lap::from(&vehicle), &options).unwrap().alpha)
    };
    assert_eq!(draw(1, 1), draw(1, 3));
    assert_ne!(draw(1, 1), draw(2, 1));
}

#[test]
fn random_lines_beat_the_middle_and_more_lines_beat_few() {
    let corridor = corridor_of(&roads::stadium(200.0, 40.0, 52.0));
    let vehicle = car();
    let time = |sampled_lines: usize| -> f64 {
        let laps = (1..=4).map(|seed| {
            let options = SolveOptions { seed, sampled_lines, ..SolveOptions::default() };
            lap_time_s(&corridor, &sampled(&corridor, Lap::from(&vehicle), &options).unwrap().alpha)
        });
        laps.sum::<f64>() / 4.0
    };
    let (few, many, middle) = (time(20), time(1500), lap_time_s(&corridor, &corridor.middle()));
    assert!(many < few && many < 0.99 * middle, "{many} {few} {middle}");
}

#[test]
fn the_pipeline_finds_both_lines_and_states_how() {
    let folder = tempfile::TempDir::new().unwrap();
    for style in [generate::Style::Kart, generate::Style::Stage] {
        let options = generate::GenerateOptions { style, seed: 4, length_m: Some(500.0), ..Default::default() };
        let road = generate::generate(&options).unwrap();
        let path = folder.path().join(format!("{}.csv", road.name));
        std::fs::write(&path, road.csv()).unwrap();
        let kart = preset("kart").unwrap();
        for method in [Method::Relaxation, Method::Sampled] {
            let mut options = Options { method, ..Options::default() };
            options.solve.sampled_lines = 50;
            let outcome = optimize(&path, &Request::new(&options, &kart)).unwrap();
            assert_eq!(outcome.line.method, method);
            assert_eq!(outcome.line.candidates.len(), 1);
            assert!(outcome.line.lap_time_s.is_finite() && outcome.line.length_m < 1.1 * road.length_m);
        }
    }
}

/// The middle of a straight open road is straight: nothing moves it, and its time is that of a
/// straight.
#[test]
fn a_straight_stays_straight() {
    let line = |y: f64| (0..=60).map(|i| Point::new(5.0 * f64::from(i), y)).collect::<Vec<_>>();
    let edge = |y: f64| raceline::geometry::Polyline::open(line(y));
    let edges = Edges { directed: true, ..Edges::between(edge(5.0), edge(-5.0)) };
    let track = cut(&edges, &TrackOptions::default()).unwrap();
    let corridor = Corridor::new(&track, &EdgeDistance::new(&track), 1.7).unwrap();
    for form in [Form::CurvatureInterpolation, Form::SpringsAndHinges] {
        let found =
            relaxation(&corridor, SolveOptions { relaxation: form, ..SolveOptions::default() }.relaxation_settings());
        assert!(corridor.points(&found.alpha).iter().all(|p| p.y.abs() < 1e-6), "{form:?}");
    }
    let mut solver = SpeedSolver::new(&car(), Course::FROM_STANDSTILL).unwrap();
    assert!(solver.lap_time(&[0.0; 3], &[100.0; 2], None).is_finite());
}
