use super::{Ahead, LocalPlanner, LocalPlannerOptions, PlannedRoute, Shift, relaxed};
use crate::bodies::{Around, Neighbour};
use crate::chassis::testing::{HEADING, on_straight, place, straight};
use crate::closeness::assert_close;
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

#[test]
fn a_plan_begins_on_the_path_or_where_a_vehicle_far_from_it_is() {
    let path = straight([6.0; 2], 15.0);
    let begun = |mut planner: LocalPlanner, left: f64, turned: f64, length_m: f64| {
        let mut frame = on_straight(&path, [100.0, left], 10.0);
        frame.heading_error = turned;
        let around = Around { neighbours: &[standing([130.0, 0.0])], obstacles: &[], pick_ups: &[] };
        let geometry = VehicleGeometry { length_m, ..VehicleGeometry::default() };
        let Shift { offset, rate, .. } = planner.step(&frame, &around, &TargetSpeedOptions::default(), &geometry);
        [offset, rate]
    };
    let is = |found: [f64; 2], expected: [f64; 2]| (0..2).for_each(|k| assert_close(found[k], expected[k]));
    let beside = |offset: f64| {
        let route = PlannedRoute::straight(offset, 0.0);
        LocalPlanner { route, goal: offset, active: true, ..fresh() }
    };
    for side in [1.0, -1.0] {
        is(begun(fresh(), 1.19 * side, 0.1, 4.4), [0.0; 2]);
        is(begun(fresh(), 1.21 * side, 0.1 * side, 4.4), [1.21 * side, 10.0 * side * 0.1_f64.tan()]);
        is(begun(fresh(), 1.21 * side, 0.6 * side, 4.4), [1.21 * side, 10.0 * side * 0.5]);
        // Vehicles half as long are lost half as far away.
        is(begun(fresh(), 0.61 * side, 0.0, 2.0), [0.61 * side, 0.0]);
        is(begun(fresh(), 0.59 * side, 0.0, 2.0), [0.0; 2]);
        // It goes on along its route unless that is 1.2 m away.
        is(begun(beside(0.5), 0.5 + 1.19 * side, 0.1, 4.4), [0.5, 0.0]);
        is(begun(beside(0.5), 0.5 + 1.21 * side, 0.1, 4.4), [0.5 + 1.21 * side, 10.0 * 0.1_f64.tan()]);
        is(begun(beside(1.3 * side), 0.0, 0.1, 4.4), [0.0, 10.0 * 0.1_f64.tan()]);
    }
}

/// By up to 10 m forwards, and relaxed over the distance of a lateral acceleration of 3 m/s² for 2.5 m, or 1.2 lengths.
#[test]
fn the_route_is_driven_along_and_relaxed_anew() {
    let path = straight([6.0; 2], 15.0);
    let (options, speeds, geometry) =
        (LocalPlannerOptions::default(), TargetSpeedOptions::default(), VehicleGeometry::default());
    for (speed, reach) in [(2.0, 1.2 * 4.4), (10.0, 10.0 * (2.5_f64 / 3.0).sqrt())] {
        for (advance, driven) in [(2.0, 2.0), (50.0, 10.0), (-3.0, 0.0)] {
            let mut frame = on_straight(&path, [100.0, 0.8], speed);
            frame.nearest.advance = advance;
            let route = PlannedRoute::straight(0.8, 0.01);
            let mut planner = LocalPlanner { route, goal: 0.8, active: true, ..fresh() };
            let around = Around { neighbours: &[], obstacles: &[], pick_ups: &[] };
            let shift = planner.step(&frame, &around, &speeds, &geometry);
            assert_close(shift.offset, 0.8 + 0.01 * driven);
            let ahead = Ahead::new(&frame, &speeds, &options, &geometry);
            let here = route.at(driven);
            assert_eq!(planner.route, relaxed(ahead.step, [here.offset, here.slope], &ahead.corridor, reach));
        }
    }
}
