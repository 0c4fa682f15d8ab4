//! Crowds: who is near whom, and how a flock moves.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::behaviours::{agent, assert_near, body, distance};
use crate::common::{FRAME_S, numbers};
use proptest::prelude::*;
use raceline_follower::behaviours::*;

fn grid_of(bodies: &[Body], capacity: usize, reach_m: f64) -> NeighbourGrid {
    let mut grid = NeighbourGrid::new(capacity, reach_m);
    grid.rebuild(bodies);
    grid
}

fn bytes(body: &Body) -> [u64; 5] {
    let ([x, y], [vx, vy]) = (body.position_m, body.velocity_mps);
    [x, y, vx, vy, body.radius_m].map(f64::to_bits)
}

/// Agents within a square, with velocities of at most 4 m/s in each direction.
fn crowd(seed: u64, count: usize, side_m: f64) -> Vec<Agent> {
    let mut next = numbers(seed);
    let mut within = |size: f64| [size * (next() - 0.5), size * (next() - 0.5)];
    (0..count).map(|_| agent(within(side_m), within(8.0))).collect()
}

/// A flock of any distances, angles and weights; with `alike`, two of its neighbourhoods are equal.
fn any_flock(seed: u64, alike: bool) -> Flock {
    let mut next = numbers(seed);
    let mut rule = || FlockRule {
        weight: 2.0 * next(),
        neighbourhood: Neighbourhood { radius_m: 20.0 * next(), view_rad: std::f64::consts::PI * next() },
    };
    let [separation, cohesion, other] = [rule(), rule(), rule()];
    let neighbourhood = if alike { cohesion.neighbourhood } else { other.neighbourhood };
    Flock { separation, cohesion, alignment: FlockRule { neighbourhood, ..other } }
}

/// What a flock wants of each, m/s².
fn accelerations(flock: &Flock, agents: &[Agent]) -> Vec<[f64; 2]> {
    flock.accelerations(agents, &mut NeighbourGrid::new(agents.len(), flock.reach_m())).to_vec()
}

/// Sums in another order, m/s².
const ROUNDING: f64 = 1e-8;

proptest! {
    #[test]
    fn a_frame_of_a_flock_is_what_all_pairs_give(
        seed in 0_u64..1000,
        count in 0_usize..150,
        side in 1.0_f64..300.0,
        reach in 0.1_f64..50.0,
        alike in any::<bool>(),
    ) {
        let (mut agents, flock) = (crowd(seed, count, side), any_flock(seed + 1, alike));
        // One at the place of another does not count; one without a place is near nobody.
        if count > 2 {
            agents[0].body.position_m = agents[1].body.position_m;
            agents[2].body.position_m[1] = f64::NAN;
        }
        let bodies: Vec<Body> = agents.iter().map(|one| one.body).collect();
        // Cells of any size give the same, and what was in the grid before changes no bit.
        let mut grid = NeighbourGrid::new(count / 3, reach);
        flock.accelerations(&crowd(seed + 2, count / 2, side), &mut grid);
        let found = flock.accelerations(&agents, &mut grid).to_vec();
        let mut other = NeighbourGrid::new(2 * count, reach);
        prop_assert_eq!(&found, flock.accelerations(&agents, &mut other));
        prop_assert_eq!(found.len(), count);
        for (one, found) in agents.iter().zip(&found) {
            let expected = flock.acceleration(one, &bodies);
            prop_assert!(distance(*found, expected) < ROUNDING, "{found:?} {expected:?}");
        }
        let mut moved = agents.clone();
        flock.step(&mut moved, &mut grid, FRAME_S);
        for ((one, moved), wanted) in agents.iter_mut().zip(&moved).zip(&found) {
            one.advance(*wanted, FRAME_S);
            prop_assert_eq!(bytes(&one.body), bytes(&moved.body));
        }
    }

    #[test]
    fn neither_the_order_of_the_agents_nor_a_mirror_matters(
        seed in 0_u64..1000,
        count in 1_usize..150,
        side in 1.0_f64..100.0,
        alike in any::<bool>(),
    ) {
        let (agents, flock) = (crowd(seed, count, side), any_flock(seed + 1, alike));
        let found = accelerations(&flock, &agents);
        // 151 is a prime number, so that multiples of a number run through all.
        let order: Vec<usize> = (1..=150).map(|k| k * 71 % 151 - 1).filter(|&k| k < count).collect();
        prop_assert_eq!(order.len(), count);
        let shuffled: Vec<Agent> = order.iter().map(|&k| agents[k]).collect();
        for (wanted, &k) in accelerations(&flock, &shuffled).iter().zip(&order) {
            prop_assert!(distance(*wanted, found[k]) < ROUNDING);
        }
        let across = |[x, y]: [f64; 2]| [x, -y];
        let mirrored: Vec<Agent> = agents
            .iter()
            .map(|one| {
                let Body { position_m, velocity_mps, radius_m } = one.body;
                Agent {
                    body: body(across(position_m), across(velocity_mps), radius_m),
                    heading_rad: -one.heading_rad,
                    ..*one
                }
            })
            .collect();
        for (mirrored, wanted) in accelerations(&flock, &mirrored).iter().zip(&found) {
            prop_assert!(distance(*mirrored, across(*wanted)) < ROUNDING);
        }
    }

    #[test]
    fn a_grid_finds_whom_a_look_at_all_finds(
        seed in 0_u64..1000,
        count in 0_usize..80,
        cell in 0.5_f64..30.0,
        radius in 0.0_f64..60.0,
        spread in 1.0_f64..1e4,
    ) {
        let mut next = numbers(seed);
        let bodies: Vec<Body> =
            (0..count).map(|_| body([spread * (next() - 0.5), spread * (next() - 0.5)], [next(), 0.0], 0.5)).collect();
        // With room for half of them, so that the table grows; and with others before.
        let mut grid = grid_of(&bodies, count / 2, cell);
        grid.rebuild(&bodies.iter().rev().copied().collect::<Vec<_>>());
        grid.rebuild(&bodies);
        let mut found = [Body::default(); 128];
        for (number, one) in bodies.iter().enumerate() {
            let found_near: Vec<(usize, &Body)> = grid.near(one.position_m, radius).collect();
            prop_assert!(found_near.iter().all(|&(other, body)| bytes(body) == bytes(&bodies[other])));
            let mut near: Vec<usize> = found_near.iter().map(|(other, _)| *other).collect();
            prop_assert_eq!(grid_of(&bodies, count / 2, cell).near(one.position_m, radius).map(|(k, _)| k)
                .collect::<Vec<_>>(), near.clone(), "another order");
            near.sort_unstable();
            let expected: Vec<usize> = (0..count)
                .filter(|&other| {
                    let [x, y] = [0, 1].map(|k| bodies[other].position_m[k] - one.position_m[k]);
                    x * x + y * y < radius * radius
                })
                .collect();
            prop_assert_eq!(&near, &expected);
            let others = grid.others(number, radius, &mut found);
            prop_assert_eq!(others.len(), expected.iter().filter(|&&other| other != number).count());
        }
    }
}

#[test]
fn a_grid_takes_any_position_and_fills_what_there_is_room_for() {
    let mut grid = NeighbourGrid::new(4, 0.0);
    assert!(grid.others(0, 5.0, &mut [Body::default(); 4]).is_empty(), "nobody is in it");
    let places =
        [[f64::NAN, 0.0], [f64::INFINITY, 0.0], [1e300, -1e300], [1e9, 1e9], [1e9 + 1.0, 1e9], [1e9, 1e9 + 2.0]];
    grid.rebuild(&places.map(|place| body(place, [0.0; 2], 1.0)));
    let near = |radius| grid.near([1e9, 1e9], radius).map(|(number, _)| number).collect::<Vec<_>>();
    assert_eq!(near(1.5), [3, 4]);
    assert_eq!(near(3.0).len(), 3);
    // All of finite distance, whatever the number of cells.
    assert_eq!(near(1e12).len(), 3);
    assert!(near(f64::NAN).is_empty() && near(-1.0).is_empty());
    assert_eq!(grid.others(3, 3.0, &mut [Body::default(); 1]).len(), 1);
    assert!(grid.others(6, 3.0, &mut [Body::default(); 1]).is_empty());
    assert!(grid.others(0, 3.0, &mut [Body::default(); 1]).is_empty(), "one without a place is near nobody");
    grid.rebuild(&[]);
    assert_eq!(grid.near([1e9, 1e9], 1e12).count(), 0);
}

#[test]
fn two_agents_are_pushed_apart_by_their_distance() {
    let nothing = FlockRule { weight: 0.0, neighbourhood: Neighbourhood::default() };
    let neighbourhood = Neighbourhood { radius_m: 8.0, ..Neighbourhood::default() };
    let flock = Flock { separation: FlockRule { weight: 0.7, neighbourhood }, cohesion: nothing, alignment: nothing };
    for apart in [0.1, 1.0, 2.0, 7.9, 8.1] {
        let (sin, cos) = 0.3_f64.sin_cos();
        let agents = [agent([5.0, 5.0], [0.0; 2]), agent([5.0 + apart * cos, 5.0 + apart * sin], [0.0; 2])];
        // A tenth of the radius by the distance, of 6 m/s², and no more than that.
        let size = if apart < 8.0 { 0.7 * 6.0 * (0.8 / apart).min(1.0) } else { 0.0 };
        let found = accelerations(&flock, &agents);
        assert_near(found[0], [-size * cos, -size * sin]);
        assert_near(found[1], [size * cos, size * sin]);
    }
}

#[test]
fn agents_that_are_nowhere_or_far_apart_have_a_frame_too() {
    let flock = Flock::default();
    let places = [[f64::NAN, 0.0], [1e300, -1e300], [f64::INFINITY, 0.0], [-1e17, 1e17], [0.0, 0.0], [2.0, 0.5]];
    let mut agents = places.map(|place| agent(place, [1.0, 0.0]));
    let wanted = accelerations(&flock, &agents);
    assert!(
        wanted[..4].iter().all(|wanted| *wanted == [0.0; 2]) && wanted[4..].iter().all(|wanted| wanted[0] != 0.0),
        "{wanted:?}"
    );
    // Those of one place have no direction to each other.
    agents = [Agent::default(); 6];
    assert_eq!(accelerations(&flock, &agents), [[0.0; 2]; 6]);
    assert!(accelerations(&flock, &[]).is_empty());
}

#[test]
fn a_flock_sums_its_rules_and_comes_to_fly_as_one() {
    let one = Agent { max_acceleration_mps2: 1e3, ..agent([0.0; 2], [3.0, 0.0]) };
    // Near, ahead beyond the separation's distance, and behind where nobody looks.
    let places = [([2.0, 1.0], [0.0, 4.0]), ([6.0, 2.0], [-2.0, 1.0]), ([-6.0, 2.0], [1.0, 1.0])];
    let others = places.map(|(place, velocity)| body(place, velocity, 0.5));
    let flock = Flock::default();
    let rules = [
        (1.5, separation(&one, &others, &flock.separation.neighbourhood)),
        (1.0, cohesion(&one, &others, &flock.cohesion.neighbourhood)),
        (1.0, alignment(&one, &others, &flock.alignment.neighbourhood)),
    ];
    assert_near(flock.acceleration(&one, &others), blend_weighted(&one, &rules));
    assert!((flock.reach_m() - 10.0).abs() < 1e-12);

    let mut next = numbers(3);
    let mut agents: Vec<Agent> =
        (0..40).map(|_| agent([15.0 * next(), 15.0 * next()], [8.0 * (next() - 0.5), 8.0 * (next() - 0.5)])).collect();
    // Length of the mean direction: 1 where all drive in one.
    let order = |agents: &[Agent]| {
        let sum = agents.iter().fold([0.0; 2], |sum, one| [0, 1].map(|k| sum[k] + one.forward()[k]));
        sum[0].hypot(sum[1]) / agents.len() as f64
    };
    let before = order(&agents);
    let mut grid = NeighbourGrid::new(agents.len(), flock.reach_m());
    for _ in 0..1200 {
        flock.step(&mut agents, &mut grid, FRAME_S);
    }
    assert!(before < 0.4 && order(&agents) > 0.9, "{before}, then {}", order(&agents));
    let nearest = |k: usize| {
        let apart = |other: &Agent| distance(agents[k].body.position_m, other.body.position_m);
        agents.iter().enumerate().filter(|&(other, _)| other != k).map(|(_, other)| apart(other)).fold(1e9, f64::min)
    };
    assert!((0..agents.len()).all(|k| nearest(k) > 0.7), "two agents are in one place");
}
