use super::{Bounds, Cell, Verdict, slips};
use crate::chassis::testing::straight;
use crate::command::Command;
use crate::stuck::StuckState;
use crate::vehicle::{VehicleGeometry, VehicleState};
use raceline_car::{VehicleDynamics, handling};

fn command(target_speed_mps: f64) -> Command {
    Command { target_speed_mps, ..Command::brake(StuckState::Driving) }
}

/// A cell of two frames with the same evidence, at the target speed times `pace`.
fn cell(outside: f64, slips: [f64; 2], pace: f64) -> Cell {
    let mut cell = Cell::default();
    for _ in 0..2 {
        cell.add(0.25, outside, slips, 20.0 * pace, &command(20.0), false);
    }
    cell
}

#[test]
fn a_verdict_changes_at_each_bound() {
    use Verdict::{Faster, Keep, Tamer};
    let of = |reported: bool, outside: f64, slips: [f64; 2], pace: f64| {
        cell(outside, slips, pace).own_verdict(&Bounds::new(reported))
    };
    for (reported, holds, followed, at_target, reached, slides) in
        [(false, 0.7, 0.6, 1.015, 0.985, 1.2), (true, 1.1, 0.9, 1.03, 0.95, 1.5)]
    {
        let of = |outside: f64, slips: [f64; 2], pace: f64| of(reported, outside, slips, pace);
        let by = 1e-6;
        assert_eq!(of(0.0, [0.0; 2], 1.0), Faster);
        let pairs = [
            (of(0.0, [holds - by, 0.0], 1.0), of(0.0, [holds + by, 0.0], 1.0)),
            (of(0.0, [0.0, holds - by], 1.0), of(0.0, [0.0, holds + by], 1.0)),
            (of(followed - by, [0.0; 2], 1.0), of(followed + by, [0.0; 2], 1.0)),
            (of(0.0, [0.0; 2], at_target - by), of(0.0, [0.0; 2], at_target + by)),
            (of(0.0, [0.0; 2], reached + by), of(0.0, [0.0; 2], reached - by)),
        ];
        assert_eq!(pairs, [(Faster, Keep); 5]);
        let pairs = [
            (of(1.0, [0.0; 2], 1.0), of(1.0 + by, [0.0; 2], 1.0)),
            (of(0.0, [0.0; 2], 1.04 - by), of(0.0, [0.0; 2], 1.04 + by)),
            (of(0.0, [0.0, slides - by], 1.0), of(0.0, [0.0, slides + by], 1.0)),
            (of(0.5 + by, [1.05 - by, 1.3], 0.5), of(0.5 + by, [1.05 + by, 1.1], 0.5)),
            (of(0.5 - by, [1.05 + by, 1.1], 0.5), of(0.5 + by, [1.05 + by, 1.1], 0.5)),
        ];
        let first = if reported { [Keep; 5] } else { [Keep, Keep, Keep, Tamer, Keep] };
        assert_eq!(pairs.map(|(before, _)| before), first, "{reported}");
        assert_eq!(pairs.map(|(_, beyond)| beyond), [Tamer; 5], "{reported}");
    }
}

#[test]
fn means_are_those_over_time_and_the_largest_excess_counts() {
    let bounds = Bounds::new(false);
    // A slip of 0.9 for a quarter of the time, and of 0.6: 0.675; for half of it 0.75.
    let of = |long: f64| {
        let mut cell = cell(0.0, [0.6; 2], 1.0);
        cell.add(long, 0.0, [0.9; 2], 20.0, &command(20.0), false);
        cell.own_verdict(&bounds)
    };
    assert_eq!([of(0.5 / 3.0), of(0.5)], [Verdict::Faster, Verdict::Keep]);
    for (outside, pace) in [(1.1, 1.0), (0.0, 1.05)] {
        let mut once = cell(0.0, [0.0; 2], 1.0);
        once.add(1e-3, outside, [0.0; 2], 20.0 * pace, &command(20.0), false);
        once.add(0.1, 0.0, [0.0; 2], 20.0, &command(20.0), false);
        assert_eq!(once.own_verdict(&bounds), Verdict::Tamer);
        assert!((once.seconds - 0.601).abs() < 1e-12);
    }
    // A target that is exceeded more than twice counts as twice: 0.05 of the time hide a target that is missed.
    let mut slow = cell(0.0, [0.0; 2], 0.94);
    slow.add(0.02, 0.0, [0.0; 2], 200.0, &command(20.0), false);
    assert!((slow.reached - (0.94 * 0.5 + 2.0 * 0.02)).abs() < 1e-12 && slow.excess == 1.0, "{slow:?}");
}

#[test]
fn who_stands_or_has_no_target_shows_nothing_but_that_it_is_out() {
    for (speed, target) in [(2.9, 20.0), (20.0, 0.0)] {
        let mut cell = Cell::default();
        cell.add(0.1, 2.0, [3.0; 2], speed, &command(target), false);
        assert_eq!(cell, Cell::default());
        assert_eq!(cell.own_verdict(&Bounds::new(false)), Verdict::Keep);
        cell.add(0.1, 2.0, [3.0; 2], speed, &command(target), true);
        cell.add(0.1, 2.0, [3.0; 2], speed, &command(target), false);
        assert!(cell.out && cell.seconds == 0.0);
        assert_eq!(cell.own_verdict(&Bounds::new(false)), Verdict::Slower);
    }
    let mut cell = Cell::default();
    cell.add(0.1, 0.0, [0.0; 2], 3.0, &command(20.0), false);
    assert_eq!(cell.seconds, 0.1);
}

#[test]
fn the_slips_of_the_axles_are_those_of_their_velocities() {
    let (sin, cos) = 0.5_f64.sin_cos();
    let (along, across, yaw) = (20.0, 0.8, 0.3);
    let state = VehicleState {
        velocity_mps: [along * cos - across * sin, along * sin + across * cos, 0.0],
        yaw_rate_radps: yaw,
        ..VehicleState::new([0.0; 3], 0.5, along)
    };
    let vehicle = VehicleGeometry { rear_axle_m: 1.1, ..VehicleGeometry::default() };
    let path = straight([5.0; 2], 20.0);
    let expected = [0.05 - ((across + 1.5 * yaw) / along).atan(), ((across - 1.1 * yaw) / along).atan()];
    let is = |path: &crate::path::Path, peak: f64| {
        let found = slips(path, &state, &vehicle, 0.05);
        assert!((0..2).all(|k| (found[k] - expected[k].abs() / peak).abs() < 1e-9), "{found:?} {expected:?} {peak}");
    };
    is(&path, handling::PEAK_SLIP_RAD);
    let mut dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    dynamics.cornering_stiffness_per_rad = Some(25.0);
    let peak = dynamics.handling(2.6, 1.1).brush_peak_slip_rad;
    assert!((peak - handling::PEAK_SLIP_RAD).abs() > 1e-3);
    is(&straight([5.0; 2], 20.0).with_dynamics(&dynamics), peak);
    // A slide counts as ten times the peak, and nothing is known of who stands or does not report its motion.
    let spun = VehicleState { velocity_mps: [-20.0 * sin, 20.0 * cos, 0.0], ..state };
    assert_eq!(slips(&path, &VehicleState { speed_mps: 3.0, ..spun }, &vehicle, -3.0)[0], 10.0);
    let none = |state: VehicleState| assert_eq!(slips(&path, &state, &vehicle, 0.05), [0.0; 2]);
    none(VehicleState { speed_mps: 2.9, ..state });
    none(VehicleState { yaw_rate_radps: f64::NAN, ..state });
    for k in 0..2 {
        let mut velocity_mps = state.velocity_mps;
        velocity_mps[k] = f64::NAN;
        none(VehicleState { velocity_mps, ..state });
    }
}
