//! Crowds: who is near whom, and how a flock moves.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::behaviours::{agent, assert_near, body, distance};
use crate::common::{FRAME_S, numbers};
use proptest::prelude::*;
use raceline_follower::behaviours::*;

proptest! {
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
        // With room for half of them, so that the table grows.
        let mut grid = NeighbourGrid::new(count / 2, cell);
        grid.rebuild(&bodies);
        let mut found = [Body::default(); 128];
        for (number, one) in bodies.iter().enumerate() {
            let mut near: Vec<usize> = grid.near(one.position_m, radius).map(|(other, _)| other).collect();
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
    let mut found = [Body::default(); 64];
    for _ in 0..1200 {
        let bodies: Vec<Body> = agents.iter().map(|one| one.body).collect();
        grid.rebuild(&bodies);
        for (number, one) in agents.iter_mut().enumerate() {
            let wanted = flock.acceleration(one, grid.others(number, flock.reach_m(), &mut found));
            one.advance(wanted, FRAME_S);
        }
    }
    assert!(before < 0.4 && order(&agents) > 0.9, "{before}, then {}", order(&agents));
    let nearest = |k: usize| {
        let apart = |other: &Agent| distance(agents[k].body.position_m, other.body.position_m);
        agents.iter().enumerate().filter(|&(other, _)| other != k).map(|(_, other)| apart(other)).fold(1e9, f64::min)
    };
    assert!((0..agents.len()).all(|k| nearest(k) > 0.7), "two agents are in one place");
}
