//! Obstacles and pick-ups: the sides and the detours that are chosen, and the margin that is kept.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::path::Path;

use proptest::prelude::*;
use raceline::Options;
use raceline::file::Method;
use raceline::frame::Spot;
use raceline::geometry::Point;
use raceline::options::Layer;
use raceline::solve::passing::{
    Choice, CircleObstacle, Decisions, Limits, Made, Obstacle, PassingTask, PickUp, PickUpSearch, PolygonObstacle,
    Relaxed, branch_and_bound, decide,
};
use raceline::solve::{Line, LocalRoad, PassingError, PassingSide, SolveError, SolveOptions, optimize};
use raceline::speed::Lap;
use raceline::track::{Direction, Track, TrackOptions, cut};
use raceline::vehicle::{Vehicle, preset};

use crate::roads;

const HALF_M: f64 = 6.0;

/// A straight road of 12 m along the x axis.
fn straight(length: f64) -> Track {
    let track = cut(&roads::straight(length, 2.0 * HALF_M), &TrackOptions::default()).unwrap();
    assert!(track.sections[0].middle().x < length / 2.0, "the road leads to the east");
    track
}

fn car() -> Vehicle {
    preset("tum-racecar").unwrap()
}

fn circle(x: f64, y: f64, radius_m: f64) -> Obstacle {
    Obstacle::Circle(CircleObstacle { at: Spot::Metres([x, y]), radius_m, side: None })
}

fn pick_up(x: f64, y: f64, worth_s: f64) -> PickUp {
    PickUp { at: Spot::Metres([x, y]), radius_m: 0.5, worth_s, take: None }
}

fn decided(track: &Track, obstacles: &[Obstacle], pick_ups: &[PickUp]) -> Result<Decisions, SolveError> {
    decided_by(PickUpSearch::Exact, track, obstacles, pick_ups)
}

fn decided_by(
    pick_up_search: PickUpSearch,
    track: &Track,
    obstacles: &[Obstacle],
    pick_ups: &[PickUp],
) -> Result<Decisions, SolveError> {
    let (road, car, options) = (LocalRoad::new(track), car(), SolveOptions::default());
    let (margin_m, lap) = (car.margin_m(), Lap::from(&car));
    let task = PassingTask { road: &road, margin_m, lap, pick_up_search, is_route: false, options: &options };
    Ok(decide(task, obstacles, pick_ups)?.1)
}

fn line(track: &Track, obstacle: &[Obstacle], pick_up: &[PickUp]) -> Line {
    let solve = SolveOptions { population: 4, generations: 1, ..SolveOptions::default() };
    let options = Options { obstacle: obstacle.to_vec(), pick_up: pick_up.to_vec(), solve, ..Options::default() };
    optimize(track, &car(), &options.line_options()).unwrap()
}

/// Smallest distance of a line from a place.
fn nearest_m(line: &Line, x: f64, y: f64) -> f64 {
    let driven = line.driven();
    let own = driven.points.iter().map(|point| point.position);
    own.chain(driven.between()).map(|p| (p - Point::new(x, y)).norm()).fold(f64::INFINITY, f64::min)
}

/// A lap in which a group of linked choices costs as much as its most expensive choice, and groups
/// add up.
fn group_lap(costs: &[[f64; 2]], groups: &[usize], made: &Made, is_obstacle: &[bool]) -> Relaxed<()> {
    let cost = |i: usize| match made[i] {
        Some(true) => costs[i][0],
        Some(false) if is_obstacle[i] => costs[i][1],
        _ => 0.0,
    };
    let of_group = |group: usize| (0..made.len()).filter(|&i| groups[i] == group).map(cost).fold(0.0, f64::max);
    let satisfied = (0..made.len()).map(|i| made[i] == Some(true) || is_obstacle[i] && made[i].is_some());
    Relaxed { time_s: 60.0 + (0..4).map(of_group).sum::<f64>(), satisfied: satisfied.collect(), lap: () }
}

proptest! {
    #[test]
    fn branch_and_bound_finds_the_best_of_all_combinations(
        items in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64, 0.0..1.5_f64, 0..4_usize, any::<bool>()), 1..8)
    ) {
        let costs: Vec<[f64; 2]> = items.iter().map(|item| [item.0, item.1]).collect();
        let groups: Vec<usize> = items.iter().map(|item| item.3).collect();
        let is_obstacle: Vec<bool> = items.iter().map(|item| item.4).collect();
        let choices: Vec<Choice> = (0..items.len())
            .map(|i| Choice {
                worth_s: if is_obstacle[i] { 0.0 } else { items[i].2 },
                may_be_left: !is_obstacle[i],
                linked: (0..items.len()).filter(|&j| j != i && groups[i] == groups[j]).collect(),
            })
            .collect();
        let value = |made: &Made| {
            let worth: f64 = (0..made.len()).filter(|&i| made[i] == Some(true)).map(|i| choices[i].worth_s).sum();
            group_lap(&costs, &groups, made, &is_obstacle).time_s - worth
        };
        let all = (0..1_usize << items.len()).map(|bits| (0..items.len()).map(|i| Some(bits >> i & 1 == 1)).collect());
        let min = all.map(|made: Made| value(&made)).fold(f64::INFINITY, f64::min);
        let limits = Limits { laps: 100_000, gap_s: 1e-9, greedy: false };
        let found = branch_and_bound::<(), ()>(&choices, vec![None; items.len()], limits, |made| {
            Ok(Some(group_lap(&costs, &groups, made, &is_obstacle)))
        })
        .unwrap();
        prop_assert!(found.is_proven);
        prop_assert!((value(&found.made) - min).abs() < 1e-6, "{} for {min}", value(&found.made));
    }
}

#[test]
fn independent_detours_need_few_laps() {
    let (count, costs) = (20, vec![[0.2, 0.3]; 20]);
    let groups: Vec<usize> = (0..count).map(|i| i % 4).collect();
    let choice = Choice { worth_s: 0.3, may_be_left: true, linked: Vec::new() };
    let limits = Limits { laps: 500, gap_s: 1e-6, greedy: false };
    let found = branch_and_bound::<(), ()>(&vec![choice; count], vec![None; count], limits, |made| {
        let taken = made.iter().filter(|choice| **choice == Some(true)).count();
        let mut lap = group_lap(&costs, &groups, made, &vec![false; count]);
        lap.time_s = 60.0 + 0.2 * taken as f64;
        Ok(Some(lap))
    })
    .unwrap();
    assert!(found.is_proven && found.laps <= 41, "{}", found.laps);
    assert!(found.made.iter().all(|choice| *choice == Some(true)));
}

#[test]
fn an_obstacle_is_passed_on_the_wide_side_with_the_margin() {
    let track = straight(200.0);
    for (y, side) in [(1.0, PassingSide::Right), (-1.0, PassingSide::Left)] {
        let obstacles = [circle(100.0, y, 0.8)];
        let chosen = decided(&track, &obstacles, &[]).unwrap();
        assert_eq!(chosen.sides, [Some(side)]);
        assert_eq!(decided_by(PickUpSearch::HeavyPoints, &track, &obstacles, &[]).unwrap(), chosen);
        let found = line(&track, &obstacles, &[]);
        let nearest = nearest_m(&found, 100.0, y) - 0.8;
        assert!(nearest > 0.98 * car().margin_m(), "{nearest}");
    }
}

#[test]
fn the_sides_of_an_obstacle_in_the_middle_take_the_same_time() {
    let track = straight(200.0);
    let lap = |side: PassingSide| {
        let mut obstacle = circle(100.0, 0.0, 0.8);
        obstacle.set_side(side);
        let found = line(&track, &[obstacle], &[]);
        let y = found.driven().points.iter().min_by_key(|p| (p.position.x - 100.0).abs() as u64).unwrap().position.y;
        assert_eq!(y > 0.0, side == PassingSide::Left, "{y}");
        found.lap_time_s
    };
    let (left, right) = (lap(PassingSide::Left), lap(PassingSide::Right));
    assert!((left - right).abs() < 1e-3 * left, "{left} and {right}");
}

#[test]
fn three_obstacles_are_passed_as_the_best_of_all_eight_choices() {
    let track = straight(240.0);
    let obstacles = [circle(70.0, 1.2, 0.6), circle(110.0, -0.9, 0.6), circle(160.0, 0.8, 0.6)];
    let found = decided(&track, &obstacles, &[]).unwrap();
    assert!(found.is_proven);
    let lap = |sides: [PassingSide; 3]| {
        let mut fixed = obstacles.clone();
        fixed.iter_mut().zip(sides).for_each(|(obstacle, side)| obstacle.set_side(side));
        line(&track, &fixed, &[]).lap_time_s
    };
    let sides =
        |bits: usize| [0, 1, 2].map(|i| if bits >> i & 1 == 1 { PassingSide::Left } else { PassingSide::Right });
    let min = (0..8).map(|bits| lap(sides(bits))).fold(f64::INFINITY, f64::min);
    let chosen = lap([found.sides[0].unwrap(), found.sides[1].unwrap(), found.sides[2].unwrap()]);
    assert!(chosen <= min * (1.0 + 3e-4), "{chosen} against {min}");
}

#[test]
fn an_obstacle_beside_the_road_changes_nothing() {
    let track = straight(120.0);
    let outside = Obstacle::Polygon(PolygonObstacle {
        points: [[40.0, 6.2], [60.0, 6.2], [60.0, 9.0]].map(Spot::Metres).to_vec(),
        side: None,
    });
    let found = decided(&track, std::slice::from_ref(&outside), &[]).unwrap();
    assert_eq!(found.sides, [None]);
    let (with, without) = (line(&track, &[outside], &[]), line(&track, &[], &[]));
    assert_eq!(with.driven().points, without.driven().points);
}

#[test]
fn every_method_keeps_the_margin() {
    let track = straight(160.0);
    for method in [Method::ShortestPath, Method::MinCurvature, Method::Relaxation, Method::Sampled] {
        let solve = SolveOptions { sampled_lines: 200, ..SolveOptions::default() };
        let options = Options { method, obstacle: vec![circle(80.0, 0.5, 0.8)], solve, ..Options::default() };
        let found = optimize(&track, &car(), &options.line_options()).unwrap();
        let nearest = nearest_m(&found, 80.0, 0.5) - 0.8;
        assert!(nearest > 0.9 * car().margin_m(), "{}: {nearest}", method.name());
    }
}

#[test]
fn the_pick_ups_taken_are_the_best_of_all_subsets() {
    let track = straight(300.0);
    let pick_ups =
        [pick_up(60.0, 4.0, 0.05), pick_up(100.0, -4.0, 0.002), pick_up(150.0, 0.0, 0.01), pick_up(230.0, 3.5, 0.001)];
    let found = decided(&track, &[], &pick_ups).unwrap();
    assert!(found.is_proven);
    let value = |taken: [bool; 4]| {
        let mut fixed = pick_ups;
        fixed.iter_mut().zip(taken).for_each(|(pick_up, take)| pick_up.take = Some(take));
        let worth: f64 = (0..4).filter(|&i| taken[i]).map(|i| pick_ups[i].worth_s).sum();
        line(&track, &[], &fixed).lap_time_s - worth
    };
    let subset = |bits: usize| [0, 1, 2, 3].map(|i| bits >> i & 1 == 1);
    let min = (0..16).map(|bits| value(subset(bits))).fold(f64::INFINITY, f64::min);
    let taken = [0, 1, 2, 3].map(|i| found.pick_ups[i].is_taken);
    assert!(taken[0] && taken.contains(&false), "{taken:?}");
    assert!(value(taken) <= min + 1e-3, "{} against {min}: {found:?}", value(taken));
    // The line comes by what it takes.
    let chosen = line(&track, &[], &pick_ups);
    for (pick_up, _) in pick_ups.iter().zip(taken).filter(|(_, taken)| *taken) {
        let Spot::Metres([x, y]) = pick_up.at else { panic!("in metres") };
        assert!(nearest_m(&chosen, x, y) < 0.5 + 0.3, "{}", nearest_m(&chosen, x, y));
    }
}

#[test]
fn heavy_points_take_what_is_worth_it() {
    let track = straight(400.0);
    // The first is far off for little, the rest lie on the line or are worth much.
    let pick_ups =
        [pick_up(100.0, -4.0, 1e-7), pick_up(180.0, 0.1, 0.01), pick_up(230.0, 3.5, 0.5), pick_up(330.0, -3.0, 0.5)];
    let found = decided_by(PickUpSearch::HeavyPoints, &track, &[], &pick_ups).unwrap();
    assert_eq!([0, 1, 2, 3].map(|i| found.pick_ups[i].is_taken), [false, true, true, true]);
    let worth_s: f64 = found.pick_ups.iter().filter(|one| one.is_taken).map(|one| one.worth_s).sum();
    let detour_s = found.detour_of_all_s.unwrap();
    assert!(detour_s > -1e-3 && detour_s < worth_s, "{detour_s}");
    assert!(found.laps <= 20 && !found.is_proven, "{}", found.laps);
    let mut forced = pick_ups;
    forced[0].take = Some(true);
    forced[2].take = Some(false);
    let found = decided_by(PickUpSearch::HeavyPoints, &track, &[circle(60.0, 0.0, 0.5)], &forced).unwrap();
    assert!(found.pick_ups[0].is_taken && !found.pick_ups[2].is_taken && found.sides[0].is_some());
    // Two that no line takes together.
    let apart = [pick_up(200.0, 4.0, 1.0), pick_up(200.5, -4.0, 1.0)].map(|one| PickUp { take: Some(true), ..one });
    let error = decided_by(PickUpSearch::HeavyPoints, &track, &[], &apart).unwrap_err();
    assert!(matches!(error, SolveError::Passing(PassingError::OutOfReach { number: 2, .. })), "{error}");
    // The method of relaxation has them without being asked, and comes by what they take.
    let options = Options { method: Method::Relaxation, pick_up: pick_ups.to_vec(), ..Options::default() };
    let line = optimize(&track, &car(), &options.line_options()).unwrap();
    assert!(nearest_m(&line, 230.0, 3.5) < 0.5 + 0.3 && nearest_m(&line, 330.0, -3.0) < 0.5 + 0.3);
}

#[test]
fn heavy_points_never_lose_time() {
    let options = TrackOptions { direction: Some(Direction::Counterclockwise), ..TrackOptions::default() };
    let track = cut(&roads::stadium(120.0, 30.0, 42.0), &options).unwrap();
    // Off the line in a bend, at the end of a bend, and on a straight.
    let at = [(60.0, 33.0, -0.4_f64), (-60.0, 39.5, 2.0), (0.0, 38.0, 0.0)];
    let place = |(centre, radius, angle): (f64, f64, f64)| {
        if angle == 0.0 { (centre, radius) } else { (centre + radius * angle.cos(), radius * angle.sin()) }
    };
    let mut counts = Vec::new();
    for worth_s in [0.002, 0.01, 0.03, 0.06, 0.1, 0.2, 0.5] {
        let pick_ups = at.map(place).map(|(x, y)| PickUp { radius_m: 0.5, ..pick_up(x, y, worth_s) });
        let found = decided_by(PickUpSearch::HeavyPoints, &track, &[], &pick_ups).unwrap();
        let taken = found.pick_ups.iter().filter(|one| one.is_taken).count();
        let (detour_s, worth_s) = (found.detour_of_all_s.unwrap(), taken as f64 * worth_s);
        assert!(detour_s <= worth_s + 1e-9, "{detour_s} s for {taken} of together {worth_s} s");
        counts.push(taken);
    }
    assert!(counts.is_sorted() && counts.first() < counts.last(), "{counts:?}");
}

/// A route through a town passes by few of the pick-ups in it: more would be an error.
#[test]
fn a_route_leaves_the_pick_ups_beside_it() {
    let (road, car, options) = (LocalRoad::new(&straight(200.0)), car(), SolveOptions::default());
    let (margin_m, lap) = (car.margin_m(), Lap::from(&car));
    let pick_ups = [pick_up(60.0, 40.0, 1.0), pick_up(120.0, 1.0, 1.0)];
    for pick_up_search in [PickUpSearch::Exact, PickUpSearch::HeavyPoints] {
        let task = PassingTask { road: &road, margin_m, lap, pick_up_search, is_route: true, options: &options };
        let (_, found) = decide(task, &[], &pick_ups).unwrap();
        assert_eq!(found.pick_ups.iter().map(|one| one.is_taken).collect::<Vec<_>>(), [false, true]);
        let mut forced = pick_ups;
        forced[0].take = Some(true);
        let error = decide(task, &[], &forced).unwrap_err();
        assert!(matches!(error, SolveError::Passing(PassingError::OutOfReach { number: 1, .. })), "{error}");
    }
}

#[test]
fn what_cannot_be_passed_is_named() {
    let track = straight(120.0);
    match decided(&track, &[circle(30.0, 4.0, 0.5), circle(60.0, 0.0, 3.5)], &[]).unwrap_err() {
        SolveError::Passing(error @ PassingError::Blocked { number: 2, left_m, right_m, .. }) => {
            assert!((left_m - 2.5).abs() < 0.1 && (right_m - 2.5).abs() < 0.1, "{error}");
        }
        other => panic!("{other}"),
    }
    let mut behind = circle(60.0, 3.5, 1.0);
    behind.set_side(PassingSide::Left);
    let error = decided(&track, &[behind], &[]).unwrap_err();
    assert!(matches!(error, SolveError::Passing(PassingError::Blocked { number: 1, .. })), "{error}");
    assert!(error.to_string().contains("side = \"left\""), "{error}");
    let error = decided(&track, &[], &[pick_up(60.0, 9.0, 1.0)]).unwrap_err();
    assert!(matches!(error, SolveError::Passing(PassingError::OutOfReach { number: 1, .. })), "{error}");
    let pixels = Obstacle::Circle(CircleObstacle { at: Spot::Pixels([3.0, 4.0]), radius_m: 1.0, side: None });
    let error = decided(&track, &[pixels], &[]).unwrap_err();
    assert!(matches!(error, SolveError::Passing(PassingError::NoPicture { .. })), "{error}");
    let error = decided(&track, &[circle(60.0, 0.0, -1.0)], &[]).unwrap_err();
    assert!(error.to_string().contains("radius_m must be above 0"), "{error}");
}

#[test]
fn a_sidecar_lists_them_and_mistakes_have_their_line() {
    let read = |text: &str| Layer::from_toml(Path::new("x.toml"), text);
    let text = "[[obstacle]]\nat = [1, 2]\nradius_m = 0.5\n[[obstacle]]\npoints = [[0, 0], \"4,5px\"]\nside = \"left\"\n\
                [[pick_up]]\nat = \"3,4px\"\nradius_m = 1\nworth_s = 0.2\n";
    let options = Options::from_layers(&[read(text).unwrap()]).unwrap();
    assert_eq!(options.obstacle[0], circle(1.0, 2.0, 0.5));
    assert_eq!(options.obstacle[1].side(), Some(PassingSide::Left));
    assert_eq!(options.pick_up[0].at, Spot::Pixels([3.0, 4.0]));
    for (text, message) in [
        ("[[obstacle]]\nat = [1, 2]\n", "line 1: obstacle is"),
        ("[[obstacle]]\nat = [1, 2]\nradius_m = 1\nside = \"above\"\n", "expected a list of obstacles"),
        ("[[pick_up]]\nat = [1, 2]\nworth_s = 1\n", "expected a list of pick-ups"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(message), "{error} lacks {message}");
    }
}

#[test]
fn the_price_of_a_pick_up_is_the_difference_of_two_laps_of_its_method() {
    let track = straight(400.0);
    let line = |method: Method, pick_up_search: PickUpSearch, worth_s: f64, take: Option<bool>| {
        let solve = SolveOptions {
            population: 4,
            generations: 1,
            sampled_lines: 50,
            pick_up_search: Some(pick_up_search),
            ..SolveOptions::default()
        };
        let pick_up = PickUp { take, ..pick_up(200.0, 3.5, worth_s) };
        let options = Options { method, solve, pick_up: vec![pick_up], ..Options::default() };
        optimize(&track, &car(), &options.line_options()).unwrap()
    };
    let methods = [Method::ShortestPath, Method::MinCurvature, Method::Blend, Method::Relaxation, Method::Sampled];
    let mut prices_s = Vec::new();
    for method in methods {
        let [with, without] = [true, false].map(|take| line(method, PickUpSearch::Exact, 1.0, Some(take)).lap_time_s);
        // Taken for its worth, left for it, and as the options specify.
        for (worth_s, take) in [(100.0, None), (1e-6, None), (1.0, Some(true)), (1.0, Some(false))] {
            let found = line(method, PickUpSearch::Exact, worth_s, take);
            let decision = found.decisions.unwrap().pick_ups[0];
            assert_eq!(decision.is_taken, take.unwrap_or(worth_s > 1.0), "{method:?}");
            let price_s = decision.detour_s.unwrap();
            assert!((price_s - (with - without)).abs() < 1e-9, "{method:?}: {price_s} for {}", with - without);
        }
        let together = line(method, PickUpSearch::HeavyPoints, 100.0, Some(true)).decisions.unwrap().detour_of_all_s;
        assert!((together.unwrap() - (with - without)).abs() < 1e-9, "{method:?}: {together:?}");
        prices_s.push(with - without);
    }
    // The time-optimal line, by which they are chosen, has another price.
    let chosen = line(Method::TimeOptimal, PickUpSearch::Exact, 1.0, Some(true)).decisions.unwrap().pick_ups[0];
    assert!(prices_s.iter().any(|price_s| (price_s - chosen.detour_s.unwrap()).abs() > 1e-3), "{prices_s:?}");
}
