//! Shortest path, minimum curvature and blend on roads whose answers are known.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::{PI, TAU};

use proptest::prelude::*;
use raceline::edges::Edges;
use raceline::file::Method;
use raceline::geometry::{Point, Polyline, SplineCurve};
use raceline::solve::blend::{LapEvaluator, Segments, blend};
use raceline::solve::min_curvature::min_curvature;
use raceline::solve::shortest_path::shortest_path;
use raceline::solve::{
    Corridor, Detail, EdgeDistance, Formulation, LineOptions, Parent, QpSolver, Search, SolveError, SolveOptions,
    optimize,
};
use raceline::track::{Direction, Track, TrackOptions, cut};
use raceline::vehicle::{Vehicle, preset};

use crate::roads;

const MARGIN: f64 = 1.7;

fn track_of(edges: &Edges) -> Track {
    cut(edges, &TrackOptions { direction: Some(Direction::Counterclockwise), ..TrackOptions::default() }).unwrap()
}

fn corridor_of(edges: &Edges) -> Corridor {
    let track = track_of(edges);
    Corridor::new(&track, &EdgeDistance::new(&track), MARGIN).unwrap()
}

fn car() -> Vehicle {
    preset("tum-racecar").unwrap()
}

fn polyline(corridor: &Corridor, alpha: &[f64]) -> Polyline {
    Polyline::closed(corridor.points(alpha))
}

/// ∫ κ² ds of the spline through a line's points.
fn bending(corridor: &Corridor, alpha: &[f64]) -> f64 {
    let curve = SplineCurve::through(&corridor.points(alpha), true).unwrap();
    let count = 8 * corridor.len();
    let step = curve.length() / count as f64;
    curve.evenly(count).iter().map(|p| p.curvature().powi(2) * step).sum()
}

fn with(formulation: Formulation) -> SolveOptions {
    SolveOptions { formulation, ..SolveOptions::default() }
}

fn both_parents(corridor: &Corridor, formulation: Formulation) -> [Parent; 2] {
    let shortest = shortest_path(corridor, &with(formulation)).unwrap();
    let curved = min_curvature(corridor, &with(formulation), &corridor.middle()).unwrap();
    [shortest, curved]
}

#[test]
fn corridor_of_a_ring_keeps_the_margin_on_both_sides() {
    let corridor = corridor_of(&roads::ring(40.0, 52.0));
    for (i, section) in corridor.sections.iter().enumerate() {
        // The inner edge is convex, so between sections the corridor gives it up to a millimetre
        // more.
        let outer = section.point(corridor.low[i]).coords.norm();
        let inner = section.point(corridor.high[i]).coords.norm();
        assert!((outer - 50.3).abs() < 1e-3, "{outer}");
        assert!((40.0 + MARGIN..40.0 + MARGIN + 0.02).contains(&(inner + 1e-3)), "{inner}");
    }
}

#[test]
fn margin_counts_from_every_edge_and_not_only_along_the_section() {
    // At the sharp corners sections reach the corner at a slant to the neighbouring sides.
    let track = track_of(&roads::sharp_triangle(120.0, 14.0));
    let distance = EdgeDistance::new(&track);
    let corridor = Corridor::new(&track, &distance, MARGIN).unwrap();
    for bound in [&corridor.low, &corridor.high] {
        for p in corridor.points(bound) {
            assert!(distance.nearest(p) > MARGIN - 1e-3, "{p}");
            for margin_m in [0.5 * MARGIN, MARGIN, 4.0 * MARGIN] {
                assert_eq!(distance.missing_m(p, margin_m), (margin_m - distance.nearest(p)).max(0.0), "{p}");
            }
        }
    }
}

#[test]
fn a_road_narrower_than_the_vehicle_is_refused_with_place_and_widths() {
    let track = track_of(&roads::ring(40.0, 43.0));
    match Corridor::new(&track, &EdgeDistance::new(&track), MARGIN) {
        Err(SolveError::RoadTooNarrow { x_m, y_m, width_m, needed_m }) => {
            assert!((Point::new(x_m, y_m).coords.norm() - 41.5).abs() < 0.01);
            assert!((width_m - 3.0).abs() < 0.01);
            assert_eq!(needed_m, 3.4);
        }
        other => panic!("{:?}", other.map(|corridor| corridor.len())),
    }
}

#[test]
fn on_a_ring_the_shortest_path_is_the_inner_circle() {
    let corridor = corridor_of(&roads::ring(40.0, 52.0));
    for formulation in [Formulation::TrueSpacing, Formulation::Classic] {
        let parent = shortest_path(&corridor, &with(formulation)).unwrap();
        assert!(parent.report.converged(), "{:?}", parent.report);
        for p in corridor.points(&parent.alpha) {
            assert!((p.coords.norm() - 41.7).abs() < 0.02, "{formulation:?}: {}", p.coords.norm());
        }
        let length = polyline(&corridor, &parent.alpha).length();
        assert!((length - TAU * 41.7).abs() < 0.15, "{length}");
    }
}

#[test]
fn on_a_ring_the_line_of_minimum_curvature_is_the_outer_circle() {
    let corridor = corridor_of(&roads::ring(40.0, 52.0));
    for formulation in [Formulation::TrueSpacing, Formulation::Classic] {
        let parent = min_curvature(&corridor, &with(formulation), &corridor.middle()).unwrap();
        assert!(parent.report.converged(), "{:?}", parent.report);
        for p in corridor.points(&parent.alpha) {
            let radius = p.coords.norm();
            // Second differences at fixed angles shrink with the radius, so the classic form goes
            // inwards; its objective is so flat here that it stops before the bound.
            let fits = if formulation == Formulation::Classic { radius < 42.0 } else { (radius - 50.3).abs() < 0.02 };
            assert!(fits, "{formulation:?}: {}", p.coords.norm());
        }
    }
    let bending =
        bending(&corridor, &min_curvature(&corridor, &SolveOptions::default(), &corridor.middle()).unwrap().alpha);
    assert!((bending - TAU / 50.3).abs() < 1e-4, "{bending}");
}

/// The shortest closed line round a stadium's inner edge hugs it at the margin everywhere: 2
/// straights and a circle.
#[test]
fn the_shortest_path_of_a_stadium_is_its_inner_edge_at_the_margin() {
    let corridor = corridor_of(&roads::stadium(300.0, 14.0, 26.0));
    let parent = shortest_path(&corridor, &SolveOptions::default()).unwrap();
    let known = 2.0 * 300.0 + TAU * 15.7;
    let found = polyline(&corridor, &parent.alpha).length();
    // The bending stiffness lengthens the line where it turns in.
    assert!(found > known - 0.05 && found < known * 1.0007, "{found} {known}");
    assert!(parent.report.converged());
}

/// The minimum-curvature line of a stadium: it must beat the widest concentric line, 2π/24.3 of
/// bending, and by symmetry it passes the middle of each straight at the outer limit and the ends'
/// tips at the inner one or beyond.
#[test]
fn the_minimum_curvature_line_of_a_stadium_uses_the_width() {
    let corridor = corridor_of(&roads::stadium(300.0, 14.0, 26.0));
    let parent = min_curvature(&corridor, &SolveOptions::default(), &corridor.middle()).unwrap();
    assert!(parent.report.converged(), "{:?}", parent.report);
    let outermost = TAU / 24.3;
    let found = bending(&corridor, &parent.alpha);
    assert!(found < 0.97 * outermost, "{found} {outermost}");
    let points = corridor.points(&parent.alpha);
    let tip = points.iter().map(|p| p.x).fold(0.0, f64::max);
    let entry = points.iter().filter(|p| (p.x - 150.0).abs() < 1.5).map(|p| p.y.abs()).fold(0.0, f64::max);
    assert!((entry - 24.3).abs() < 0.3 || tip < 150.0 + 24.3, "entry {entry}, tip {tip}");
    // Four-fold symmetry of the road is a symmetry of its best line.
    let mirrored = polyline(&corridor, &points_alpha_mirror(&corridor, &parent.alpha));
    for (p, m) in points.iter().zip(&mirrored.points) {
        assert!((p - m).norm() < 0.4, "{p} {m}");
    }
}

/// α of the line turned by half a turn about the origin, read off at each section.
fn points_alpha_mirror(corridor: &Corridor, alpha: &[f64]) -> Vec<f64> {
    let turned: Vec<Point> = corridor.points(alpha).iter().map(|p| Point::new(-p.x, -p.y)).collect();
    corridor
        .sections
        .iter()
        .map(|section| {
            let axis = section.span() / section.width();
            let nearest = turned.iter().min_by(|a, b| {
                let off = |p: &Point| {
                    ((p - section.middle()) - axis * axis.dot(&(p - section.middle()))).norm_squared()
                        + if (p - section.middle()).norm() > 13.0 { 1e6 } else { 0.0 }
                };
                off(a).total_cmp(&off(b))
            });
            nearest.map_or(0.5, |p| axis.dot(&(p - section.right)) / section.width())
        })
        .collect()
}

#[test]
fn no_small_change_makes_the_minimum_curvature_line_better() {
    let corridor = corridor_of(&roads::wavy(90.0, 0.25, 3, 12.0));
    let parent = min_curvature(&corridor, &SolveOptions::default(), &corridor.middle()).unwrap();
    let best = bending(&corridor, &parent.alpha);
    let n = corridor.len();
    for (wave, size) in [(1, 0.02), (2, 0.02), (3, 0.02), (5, 0.01), (9, 0.01)] {
        for phase in 0..8 {
            let moved: Vec<f64> = (0..n)
                .map(|i| {
                    let angle = TAU * f64::from(wave) * i as f64 / n as f64 + PI / 4.0 * f64::from(phase);
                    (parent.alpha[i] + size * angle.sin()).clamp(corridor.low[i], corridor.high[i])
                })
                .collect();
            let other = bending(&corridor, &moved);
            assert!(other > best * (1.0 - 2e-4), "wave {wave} phase {phase}: {other} < {best}");
        }
    }
}

#[test]
fn true_spacing_bends_less_than_the_classic_form() {
    let corridor = corridor_of(&roads::wavy(90.0, 0.25, 3, 12.0));
    let [_, classic] = both_parents(&corridor, Formulation::Classic);
    let [_, exact] = both_parents(&corridor, Formulation::TrueSpacing);
    let (exact_bending, classic_bending) = (bending(&corridor, &exact.alpha), bending(&corridor, &classic.alpha));
    assert!(exact_bending < classic_bending, "{exact_bending} {classic_bending} {:?}", exact.report);
}

#[test]
fn both_solvers_find_the_same_parents() {
    let mut corridors = Vec::new();
    for edges in [
        roads::ring(40.0, 52.0),
        roads::wavy(90.0, 0.25, 3, 12.0),
        roads::stadium(200.0, 40.0, 52.0),
        roads::sharp_triangle(120.0, 14.0),
    ] {
        corridors.push(corridor_of(&edges));
    }
    // An open road whose ends are fixed.
    let mut open = corridors[1].clone();
    open.closed = false;
    open.pin_ends(&SolveOptions { start_offset_m: Some(2.0), end_offset_m: Some(-1.0), ..SolveOptions::default() });
    corridors.push(open);
    for (road, corridor) in corridors.iter().enumerate() {
        for formulation in [Formulation::TrueSpacing, Formulation::Classic] {
            let [interior, osqp] = [QpSolver::InteriorPoint, QpSolver::Osqp].map(|qp_solver| {
                let options = SolveOptions { qp_solver: Some(qp_solver), ..with(formulation) };
                let shortest = shortest_path(corridor, &options).unwrap();
                let curved = min_curvature(corridor, &options, &corridor.middle()).unwrap();
                assert!(shortest.report.converged() && curved.report.converged(), "road {road}, {options:?}");
                let length: f64 = corridor.step_lengths(&corridor.points(&shortest.alpha)).iter().sum();
                (length, bending(corridor, &curved.alpha))
            });
            assert!((osqp.0 / interior.0 - 1.0).abs() < 1e-4, "road {road}, {formulation:?}: {osqp:?} {interior:?}");
            assert!((osqp.1 / interior.1 - 1.0).abs() < 1e-3, "road {road}, {formulation:?}: {osqp:?} {interior:?}");
        }
    }
}

#[test]
fn parents_keep_the_margin_everywhere() {
    for edges in
        [roads::stadium(300.0, 14.0, 26.0), roads::sharp_triangle(120.0, 14.0), roads::wavy(90.0, 0.25, 3, 12.0)]
    {
        let track = track_of(&edges);
        let distance = EdgeDistance::new(&track);
        let corridor = Corridor::new(&track, &distance, MARGIN).unwrap();
        for parent in both_parents(&corridor, Formulation::TrueSpacing) {
            let curve = SplineCurve::through(&corridor.points(&parent.alpha), true).unwrap();
            let min = curve
                .evenly(6 * corridor.len())
                .iter()
                .map(|p| distance.nearest(p.position))
                .fold(f64::INFINITY, f64::min);
            assert!(min > MARGIN - 0.02, "{min}");
        }
    }
}

fn quick() -> SolveOptions {
    SolveOptions { population: 16, generations: 15, ..SolveOptions::default() }
}

#[test]
fn parents_that_do_not_cross_make_one_segment() {
    let corridor = corridor_of(&roads::ring(40.0, 52.0));
    let segments = Segments::between(&corridor, &corridor.high, &corridor.low, &SolveOptions::default());
    assert_eq!(segments.count(), 1);
}

#[test]
fn crossings_too_close_together_are_merged() {
    let corridor = corridor_of(&roads::ring(90.0, 102.0));
    let n = corridor.len();
    let wave =
        |waves: f64| -> Vec<f64> { (0..n).map(|i| 0.5 + 0.2 * (TAU * waves * i as f64 / n as f64).sin()).collect() };
    let middle = vec![0.5; n];
    let count = |waves, widths| {
        let options = SolveOptions { min_segment_widths: widths, ..SolveOptions::default() };
        Segments::between(&corridor, &wave(waves), &middle, &options).count()
    };
    assert_eq!(count(3.0, 3.0), 6);
    assert_eq!(count(20.0, 0.0), 40);
    // 603 m of lap hold at most 16 segments of 36 m.
    assert!((8..=16).contains(&count(20.0, 3.0)), "{}", count(20.0, 3.0));
}

#[test]
fn mixing_factors_change_smoothly_and_reach_their_values() {
    let corridor = corridor_of(&roads::ring(90.0, 102.0));
    let n = corridor.len();
    let shortest: Vec<f64> = (0..n).map(|i| 0.5 + 0.2 * (TAU * 3.0 * i as f64 / n as f64).sin()).collect();
    let middle = vec![0.5; n];
    let segments = Segments::between(&corridor, &shortest, &middle, &SolveOptions::default());
    let genes: Vec<f64> = (0..segments.count()).map(|k| (k % 2) as f64).collect();
    // Where the parents are 1 and 0, α is the mixing factor itself.
    let mut factor = vec![0.0; n];
    segments.mix(&genes, &vec![1.0; n], &vec![0.0; n], &mut factor);
    let steps: Vec<f64> = (0..n).map(|i| (factor[(i + 1) % n] - factor[i]).abs()).collect();
    assert!(steps.iter().all(|&step| step < 0.25), "{:?}", steps.iter().copied().fold(0.0, f64::max));
    assert!(factor.contains(&0.0) && factor.contains(&1.0));
}

#[test]
fn evaluator_agrees_with_the_circle_in_closed_form() {
    let corridor = corridor_of(&roads::ring(40.0, 52.0));
    let mut car = car();
    car.drag_kgpm = 0.0;
    let mut evaluator = LapEvaluator::new(&corridor, &corridor.high, &corridor.low, &car).unwrap();
    let segments = Segments::between(&corridor, &corridor.high, &corridor.low, &SolveOptions::default());
    // The outer circle at 12 m/s²: 2π √(r/a).
    let known = TAU * (50.3f64 / 12.0).sqrt();
    assert!((evaluator.lap_time(&segments, &[0.0]) - known).abs() < 2e-3 * known);
}

#[test]
fn blend_is_never_slower_than_its_parents_or_the_best_uniform_mixture() {
    for edges in [roads::stadium(300.0, 14.0, 26.0), roads::wavy(90.0, 0.25, 3, 12.0)] {
        let corridor = corridor_of(&edges);
        let [shortest, curved] = both_parents(&corridor, Formulation::TrueSpacing);
        // Of all searches that are built.
        for search in [Search::Ga, Search::Cmaes].into_iter().take(if cfg!(feature = "cmaes") { 2 } else { 1 }) {
            let options = SolveOptions { search, ..quick() };
            let found = blend(&corridor, &shortest.alpha, &curved.alpha, &car(), &options, &|_, _| {}).unwrap();
            let mut evaluator = LapEvaluator::new(&corridor, &shortest.alpha, &curved.alpha, &car()).unwrap();
            let segments = Segments::between(&corridor, &shortest.alpha, &curved.alpha, &options);
            let uniform = |factor: f64, evaluator: &mut LapEvaluator| {
                evaluator.lap_time(&segments, &vec![factor; segments.count()])
            };
            for factor in [0.0, 1.0, found.best_uniform.0] {
                assert!(found.lap_time_s <= uniform(factor, &mut evaluator), "{search:?} {factor}");
            }
            assert!(found.history_s.windows(2).all(|pair| pair[1] <= pair[0]), "{:?}", found.history_s);
            assert_eq!(found.lap_time_s, evaluator.lap_time(&segments, &found.mixing));
            assert!(found.evaluations > 16);
            assert!(
                found.alpha.iter().zip(corridor.low.iter().zip(&corridor.high)).all(|(a, (l, h))| a >= l && a <= h)
            );
        }
    }
}

#[test]
fn blend_does_not_depend_on_the_number_of_threads_but_on_the_seed() {
    let corridor = corridor_of(&roads::wavy(90.0, 0.25, 3, 12.0));
    let n = corridor.len();
    let wave = |waves: f64, size: f64| -> Vec<f64> {
        (0..n).map(|i| 0.5 + size * (TAU * waves * i as f64 / n as f64).sin()).collect()
    };
    let (one_line, other_line) = (wave(5.0, 0.2), wave(3.0, -0.15));
    let run = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let options = SolveOptions { seed, ..quick() };
        pool.install(|| blend(&corridor, &one_line, &other_line, &car(), &options, &|_, _| {}).unwrap())
    };
    let one = run(1, 1);
    for threads in [2, 4] {
        let other = run(threads, 1);
        assert_eq!(one.mixing, other.mixing);
        assert_eq!(one.history_s, other.history_s);
    }
    assert_ne!(one.mixing, run(2, 2).mixing);
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let cases: [(SolveOptions, &str); 4] = [
        (SolveOptions { population: 2, ..quick() }, "population"),
        (SolveOptions { joint_widths: f64::NAN, ..quick() }, "joint_widths"),
        (SolveOptions { min_segment_widths: -1.0, ..quick() }, "min_segment_widths"),
        (SolveOptions { rear_reserve: Some(0.9), ..quick() }, "rear_reserve"),
    ];
    for (options, name) in cases {
        match options.validate() {
            Err(SolveError::OutOfRange(error)) => assert_eq!(error.option, name),
            other => panic!("{other:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn every_mixture_keeps_the_margin_at_the_sections(
        r0 in 70.0..150.0f64, swing in 0.0..0.35f64, lobes in 2usize..6, genes in prop::collection::vec(0.0..=1.0f64, 64),
    ) {
        let track = track_of(&roads::wavy(r0, swing, lobes, 12.0));
        let distance = EdgeDistance::new(&track);
        prop_assume!(track.sections.iter().all(|section| section.width() > 4.5));
        let Ok(corridor) = Corridor::new(&track, &distance, MARGIN) else { return Ok(()) };
        let [shortest, curved] = both_parents(&corridor, Formulation::TrueSpacing);
        let segments = Segments::between(&corridor, &shortest.alpha, &curved.alpha, &SolveOptions::default());
        let mut alpha = vec![0.0; corridor.len()];
        segments.mix(&genes[..segments.count().min(64)], &shortest.alpha, &curved.alpha, &mut alpha);
        for p in corridor.points(&alpha) {
            prop_assert!(distance.nearest(p) > MARGIN - 2e-3, "{}", distance.nearest(p));
        }
    }
}

#[test]
fn cracks_across_the_road_leave_no_kink_in_the_minimum_curvature_line() {
    let corridor = corridor_of(&roads::cracked_ring(40.0, 52.0, 40));
    let line = min_curvature(&corridor, &SolveOptions::default(), &corridor.middle()).unwrap();
    let sharpest = SplineCurve::through(&corridor.points(&line.alpha), true)
        .unwrap()
        .evenly(5000)
        .iter()
        .map(|place| place.curvature().abs())
        .fold(0.0, f64::max);
    assert!(sharpest < 1.5 / 40.0, "{sharpest}");
}

#[test]
fn a_search_makes_no_more_evaluations_than_are_estimated_before_it() {
    let track = track_of(&roads::ring(44.0, 52.0));
    let details = |method: Method, solve: SolveOptions| {
        optimize(&track, &car(), &LineOptions { method, solve, ..LineOptions::default() }).unwrap().details
    };
    let sampled = details(Method::Sampled, SolveOptions { sampled_lines: 100, ..SolveOptions::default() });
    let lines =
        sampled.iter().find_map(|detail| if let Detail::Sampled { lines } = detail { Some(*lines) } else { None });
    // Places three widths apart, and eight more before the lap begins.
    let places = track.centre_line().length() / (3.0 * track.mean_width());
    assert!(lines.is_some_and(|lines| lines as f64 <= 100.0 * (places + 9.0)), "{lines:?}");
    let solve = SolveOptions { generations: 100, population: 100, ..SolveOptions::default() };
    let blend = details(Method::Blend, solve);
    let laps = blend
        .iter()
        .find_map(|detail| if let Detail::Blend { evaluations, .. } = detail { Some(*evaluations) } else { None });
    // Those of the generations, the first population, and its uniform mixtures.
    assert!(laps.is_some_and(|laps| laps <= 100 * 101 + 22), "{laps:?}");
}
