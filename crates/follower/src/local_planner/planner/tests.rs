use super::{LocalPlanner, LocalPlannerOptions, PlannedRoute, Shift};
use crate::bodies::{Around, Neighbour};
use crate::chassis::testing::{HEADING, on_straight, place, straight};
use crate::options::TargetSpeedOptions;
use crate::vehicle::VehicleGeometry;

/// A car that stands at a place along and beside the path.
fn standing([along, left]: [f64; 2]) -> Neighbour {
    Neighbour {
        position_m: place(along, left),
        velocity_mps: [0.0; 3],
        heading_rad: HEADING + std::f64::consts::PI,
        length_m: 4.4,
        width_m: 1.8,
    }
}

/// A step of a planner on the path, 100 m along it, among others.
fn step(planner: &mut LocalPlanner, speed: f64, others: &[Neighbour], placed: bool) -> Shift {
    let path = straight([6.0; 2], 15.0);
    let mut frame = on_straight(&path, [100.0, 0.0], speed);
    frame.nearest.teleported = placed;
    let around = Around { neighbours: others, obstacles: &[], pick_ups: &[] };
    planner.step(&frame, &around, &TargetSpeedOptions::default(), &VehicleGeometry::default())
}

fn fresh() -> LocalPlanner {
    LocalPlanner::fresh(LocalPlannerOptions::default())
}

#[test]
fn a_vehicle_that_stands_too_near_is_blocked_unless_another_is_behind_it() {
    let near = standing([106.0, 0.0]);
    assert!(step(&mut fresh(), 0.0, &[near], false).blocked);
    assert!(!step(&mut fresh(), 2.0, &[near], false).blocked);
    assert!(!step(&mut fresh(), 0.0, &[standing([130.0, 0.0])], false).blocked);
    let behind = standing([95.0, 0.0]);
    let between = step(&mut fresh(), 0.0, &[near, behind], false);
    assert!(between.closed_behind && !between.blocked, "{between:?}");
    // It waits for as long as it stands behind the other.
    let mut planner = fresh();
    for frame in 1..=3 {
        step(&mut planner, 0.0, &[near], false);
        assert!((planner.waited_s - 0.02 * f64::from(frame)).abs() < 1e-12);
    }
    step(&mut planner, 2.0, &[near], false);
    assert_eq!(planner.waited_s, 0.0);
}

#[test]
fn a_route_ends_where_the_path_is_reached_again() {
    // The vehicle is on the path, and its route leads along it or off it.
    let on = |slope: f64| {
        let route = PlannedRoute::straight(0.0, slope);
        let mut planner = LocalPlanner { route, active: true, ..fresh() };
        (step(&mut planner, 10.0, &[], false), planner)
    };
    let (shift, planner) = on(0.001);
    assert!(shift == Shift::NONE && !planner.is_active() && planner.route == PlannedRoute::PATH);
    for slope in [0.003, -0.003] {
        let (shift, planner) = on(slope);
        assert!(planner.is_active() && (shift.rate - 10.0 * slope).abs() < 1e-9, "{shift:?}");
    }
    for offset in [0.03, -0.03] {
        let mut planner = LocalPlanner { route: PlannedRoute::straight(offset, 0.0), active: true, ..fresh() };
        let shift = step(&mut planner, 10.0, &[], false);
        assert!(planner.is_active() && (shift.offset - offset).abs() < 1e-9 && shift.goal == 0.0, "{shift:?}");
        assert!((planner.offsets_m()[0] - offset).abs() < 1e-9);
    }
    // Nobody else: nothing is planned.
    assert_eq!(step(&mut fresh(), 10.0, &[], false), Shift::NONE);
}

#[test]
fn a_vehicle_that_was_placed_forgets_its_route() {
    let route = PlannedRoute::straight(1.0, 0.0);
    let driven = || LocalPlanner { route, goal: 1.0, active: true, waited_s: 5.0, ..fresh() };
    let mut planner = driven();
    assert_eq!(step(&mut planner, 10.0, &[], true), Shift::NONE);
    assert_eq!(planner, fresh());
    assert!(step(&mut driven(), 10.0, &[], false).offset > 0.9);
    // Farther from its route than 1.2 m it begins where it is.
    let far = PlannedRoute::straight(1.3, 0.0);
    assert_eq!(step(&mut LocalPlanner { route: far, ..driven() }, 10.0, &[], false).offset, 0.0);
}
