//! What the planner does from frame to frame.

use crate::chassis::Frame;
use crate::chassis::testing::{on_straight, straight, straight_of};
use crate::closeness::assert_close;
use crate::local_planner::relaxed;
use crate::options::{TargetSpeedOptions, TrafficOptions};
use crate::path::{Path, Waypoint};
use crate::planned_route::{PlannedRoute, STATIONS};
use crate::shift::Shift;
use crate::traffic::following::Brakes;
use crate::traffic::neighbours::Seen;
use crate::traffic::overtaking::planner::{Overtaking, bends, following, gaps};
use crate::traffic::overtaking::rivals::Rivals;
use crate::traffic::overtaking::stages::{STAGES, Stage, stages};
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;

/// A vehicle of 5 m/s² drive, as fast as its path.
fn vehicle() -> (VehicleDynamics, TargetSpeedOptions) {
    let speeds = TargetSpeedOptions { max_speed_mps: 100.0, ..TargetSpeedOptions::default() };
    (VehicleDynamics::constant(10.0, 8.0, 5.0), speeds)
}

fn step(planner: &mut Overtaking, frame: &Frame<'_>, seen: &[Seen]) -> Shift {
    let (dynamics, speeds) = vehicle();
    planner.step(frame, seen, &dynamics, &TrafficOptions::default(), &speeds, &VehicleGeometry::default())
}

/// A car so far ahead of 100 m along the path.
fn car(ahead: f64, offset: f64, speed: f64) -> Seen {
    let gap = ahead.abs() - 4.4;
    Seen { s: 100.0 + ahead, gap, ahead: ahead > 0.0, offset, half_width: 0.9, speed, ..Seen::default() }
}

/// A road of 20 m/s with 8 m to either side.
fn road() -> Path {
    straight([8.0; 2], 20.0)
}

/// A planner that drives beside the path.
fn beside(offset: f64, slope: f64) -> Overtaking {
    Overtaking { route: PlannedRoute::straight(offset, slope), active: true, ..Overtaking::default() }
}

fn stages_of(frame: &Frame<'_>) -> [Stage; STAGES] {
    let (dynamics, speeds) = vehicle();
    stages(frame, &dynamics, &speeds, &TrafficOptions::default(), &VehicleGeometry::default())
}

#[test]
fn without_rivals_nothing_is_planned() {
    let path = road();
    let frame = on_straight(&path, [100.0, 0.0], 15.0);
    // Nobody, and one that is too far behind.
    for seen in [&[][..], &[car(-25.0, 0.0, 15.0)]] {
        let mut planner = Overtaking::default();
        assert_eq!(step(&mut planner, &frame, seen), Shift::NONE);
        assert!(!planner.is_active() && planner.route == PlannedRoute::PATH);
    }
    let mut planner = Overtaking::default();
    assert!(step(&mut planner, &frame, &[car(12.0, 0.0, 10.0)]) != Shift::NONE && planner.is_active());
}

#[test]
fn a_plan_begins_on_the_path_or_where_a_vehicle_far_from_it_is() {
    let path = road();
    let begun = |mut planner: Overtaking, left: f64, turned: f64| {
        let mut frame = on_straight(&path, [100.0, left], 15.0);
        frame.heading_error = turned;
        let Shift { offset, rate, .. } = step(&mut planner, &frame, &[car(20.0, 0.0, 10.0)]);
        [offset, rate]
    };
    let is = |found: [f64; 2], expected: [f64; 2]| (0..2).for_each(|k| assert_close(found[k], expected[k]));
    for side in [1.0, -1.0] {
        is(begun(Overtaking::default(), 1.19 * side, 0.1), [0.0; 2]);
        is(begun(Overtaking::default(), 1.21 * side, 0.1 * side), [1.21 * side, 15.0 * side * 0.1_f64.tan()]);
        is(begun(Overtaking::default(), 1.21 * side, 0.5 * side), [1.21 * side, 15.0 * side * 0.3]);
        // It goes on along its route unless that is 1.2 m away.
        is(begun(beside(0.5, 0.0), 0.5 + 1.19 * side, 0.1), [0.5, 0.0]);
        is(begun(beside(0.5, 0.0), 0.5 + 1.21 * side, 0.1), [0.5 + 1.21 * side, 15.0 * 0.1_f64.tan()]);
        is(begun(beside(1.3 * side, 0.0), 0.0, 0.1), [0.0, 15.0 * 0.1_f64.tan()]);
    }
}

/// By up to 10 m, and only forwards.
#[test]
fn the_route_is_driven_along() {
    let path = road();
    for (advance, driven) in [(2.0, 2.0), (50.0, 10.0), (-3.0, 0.0)] {
        let mut planner = beside(0.5, 0.01);
        let mut frame = on_straight(&path, [100.0, 0.5], 15.0);
        frame.nearest.advance = advance;
        let shift = step(&mut planner, &frame, &[]);
        assert_close(shift.offset, 0.5 + 0.01 * driven);
        assert_close(shift.rate, 0.15);
        assert_close(planner.offset(), shift.offset);
    }
    // One that is lost begins anew.
    let mut planner = beside(0.5, 0.0);
    let mut frame = on_straight(&path, [100.0, 2.0], 15.0);
    (frame.nearest.advance, frame.heading_error) = (5.0, 0.1);
    assert_close(step(&mut planner, &frame, &[]).offset, 2.0);
}

#[test]
fn a_route_is_sought_every_fourth_frame_and_driven_along_between() {
    let path = road();
    let mut frame = on_straight(&path, [100.0, 0.0], 15.0);
    frame.nearest.advance = 0.3;
    let mut planner = Overtaking::default();
    for (k, age) in [0.0, 0.02, 0.04, 0.06, 0.0, 0.02].into_iter().enumerate() {
        let mut found = planner.found;
        step(&mut planner, &frame, &[car(20.0, 0.0, 10.0)]);
        assert_close(planner.age, age);
        found.advance(0.3, 0.02);
        assert_eq!(planner.found == found, age > 0.0, "{k}");
    }
}

/// Stations of the route reach as far as the stages, or 27 m; at walking pace too the springs act over 25 m.
#[test]
fn the_route_is_relaxed_in_the_gaps_of_what_was_found() {
    let options = TrafficOptions::default();
    let weak = VehicleDynamics::constant(10.0, 8.0, 0.1);
    let speeds = vehicle().1;
    let geometry = VehicleGeometry::default();
    let path = straight([8.0; 2], 40.0);
    for (speed, reach, returns) in [(0.2, 27.0, 25.0), (20.0, 104.41, 25.0), (35.0, 182.41, 35.0)] {
        let frame = on_straight(&path, [100.0, 0.0], speed);
        let seen = [car(3.0, 2.5, 0.8 * speed)];
        let mut planner = Overtaking::default();
        planner.step(&frame, &seen, &weak, &options, &speeds, &geometry);
        let stages = stages(&frame, &weak, &speeds, &options, &geometry);
        assert!((stages[STAGES - 1].s.max(27.0) - reach).abs() < 1.0, "{}", stages[STAGES - 1].s);
        let rivals = Rivals::new(&seen, &frame, &planner.field, &weak, &speeds, geometry.width_m);
        let step = stages[STAGES - 1].s.max(27.0) / 27.0;
        let (gaps, _) = gaps(&planner.found, &stages, rivals.as_slice(), &options, step, [0.0; 2], speed);
        assert_eq!(planner.route, relaxed(step, [0.0; 2], &gaps, returns));
        assert!((0..STATIONS).any(|k| planner.route.at(k as f64 * step).offset.abs() > 0.1));
    }
}

/// Behind a slow vehicle that there is no room to pass, and on the inside of a bend beside another.
#[test]
fn the_speed_is_what_bends_and_those_ahead_allow() {
    let narrow = straight([1.5; 2], 20.0);
    let bend = straight_of(|_| Waypoint {
        left_m: 8.0,
        right_m: 8.0,
        speed_mps: 20.0,
        curvature_radpm: 0.04,
        ..Waypoint::default()
    });
    let (dynamics, speeds) = vehicle();
    let (options, geometry) = (TrafficOptions::default(), VehicleGeometry::default());
    for (path, speed, seen, start, is_behind) in
        [(&narrow, 20.0, car(12.0, 0.0, 8.0), 0.0, true), (&bend, 26.0, car(1.0, 0.0, 26.0), 3.0, false)]
    {
        let frame = on_straight(path, [100.0, start], speed);
        let mut planner = beside(start, 0.0);
        let shift = step(&mut planner, &frame, &[seen]);
        let rivals = Rivals::new(&[seen], &frame, &planner.field, &dynamics, &speeds, geometry.width_m);
        let brakes = Brakes::new(&frame, &options, &speeds, geometry.width_m);
        let behind = following(&planner.route, rivals.as_slice(), speed, &options, &brakes);
        let bends = bends(&planner.route, &stages_of(&frame), speed);
        assert!((behind.0 < bends.0) == is_behind, "{behind:?} {bends:?}");
        assert_eq!((shift.max_speed, shift.braking), if is_behind { behind } else { bends });
        assert!(shift.braking > 0.0, "{shift:?}");
        assert_close(shift.goal, planner.found.nodes[STAGES - 1].offset);
    }
}

#[test]
fn a_plan_ends_where_the_path_is_reached_again() {
    let path = road();
    let frame = on_straight(&path, [100.0, 0.0], 15.0);
    for (offset, slope, ends) in
        [(0.0199, 0.0, true), (0.0201, 0.0, false), (0.0, 0.000_99, true), (0.0, 0.001_01, false)]
    {
        for side in [1.0, -1.0] {
            let mut planner = beside(offset * side, slope * side);
            let shift = step(&mut planner, &frame, &[]);
            assert_eq!((planner.is_active(), shift == Shift::NONE), (!ends, ends), "{offset} {slope}");
            assert!(!ends || planner.route == PlannedRoute::PATH);
        }
    }
    // At 100 m/s and more the route swings out by 0.05 m before it returns.
    let fast = straight([8.0; 2], 100.0);
    for (speed, ends) in [(15.0, true), (150.0, false)] {
        let mut planner = beside(0.0199, 0.000_99);
        step(&mut planner, &on_straight(&fast, [100.0, 0.0], speed), &[]);
        assert_eq!(planner.is_active(), !ends, "{speed}");
    }
    // Not beside another, nor behind one that slows it down.
    let narrow = straight([1.5; 2], 20.0);
    let ahead = on_straight(&narrow, [100.0, 0.0], 15.0);
    for (frame, seen) in [(&frame, car(0.0, 3.5, 15.0)), (&ahead, car(15.0, 0.0, 10.0))] {
        let mut planner = beside(0.0, 0.0);
        step(&mut planner, frame, &[seen]);
        assert!(planner.is_active(), "{seen:?}");
    }
}

#[test]
fn one_before_which_it_stands_blocks_it_and_one_behind_closes_the_other_direction() {
    let path = road();
    let at = |speed: f64, seen: &[Seen]| {
        let shift = step(&mut Overtaking::default(), &on_straight(&path, [100.0, 0.0], speed), seen);
        (shift.blocked, shift.closed_behind)
    };
    let [near, behind] = [car(7.0, 0.0, 0.0), car(-4.8, 0.0, 0.0)];
    assert_eq!(at(0.0, &[near]), (true, false));
    assert_eq!(at(0.6, &[near]), (false, false));
    assert_eq!(at(0.4, &[near, behind]), (true, true));
    assert_eq!(at(0.0, &[car(40.0, 0.0, 0.0), behind]), (false, true));
}

/// By the path's speed, with the factor of the profile and up to the largest one.
#[test]
fn the_pace_of_the_others_is_learned() {
    let path = road();
    let frame = on_straight(&path, [100.0, 0.0], 15.0);
    let (dynamics, speeds) = vehicle();
    for (profile_scale, max_speed_mps, pace) in [(1.0, 100.0, 0.9), (0.8, 100.0, 1.125), (1.0, 15.0, 1.2)] {
        let speeds = TargetSpeedOptions { profile_scale, max_speed_mps, ..speeds };
        let (mut planner, seen) = (Overtaking::default(), car(30.0, 0.5, 18.0));
        let (options, geometry) = (TrafficOptions::default(), VehicleGeometry::default());
        for _ in 0..40 {
            planner.step(&frame, &[seen], &dynamics, &options, &speeds, &geometry);
        }
        assert!((planner.field.at(&path, seen.s).pace - pace).abs() < 1e-6, "{pace}");
    }
}
