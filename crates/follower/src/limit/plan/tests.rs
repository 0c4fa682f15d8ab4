use super::{Ahead, on_shifted};
use crate::chassis::testing::{on_straight, straight_of};
use crate::closeness::assert_close;
use crate::path::{Path, Waypoint};
use crate::planned_route::PlannedRoute;
use crate::shift::Shift;
use raceline_car::{SpeedTable, VehicleDynamics};

fn is(found: (f64, f64), curvature: f64, square: f64) {
    assert_close(found.0, curvature);
    assert_close(found.1, square);
}

/// A straight path that is driven with 1 m/s² from 10 m/s on.
fn faster() -> Path {
    straight_of(|along| Waypoint { speed_mps: (100.0 + 2.0 * along).sqrt(), ..Waypoint::default() })
}

#[test]
fn the_profile_is_scaled_and_cut_off_at_the_top_speed() {
    let path = faster().with_grip(|_, _| 0.8).with_banking(|_, _| -0.1);
    let frame = on_straight(&path, [100.0, 0.0], 20.0);
    let mut ahead = Ahead::new(&frame, 0.9, 20.0);
    for distance in [0.0, 20.0, 90.0, 96.5] {
        let there = ahead.at(distance);
        assert_close(there.square, 0.81 * (300.0 + 2.0 * distance));
        assert_close(there.acceleration, 0.81);
        assert_close(there.grip, 0.8);
        assert_close(there.gravity_across, -9.80665 * 0.1_f64.sin());
        assert_close(there.across(100.0), there.curvature * 100.0 + there.gravity_across);
    }
    // 0.81 · (300 + 2 · 97) is above 400.
    let top = ahead.at(97.0);
    assert!(top.square == 400.0 && top.acceleration == 0.0 && top.grip == 0.8, "{top:?}");
}

#[test]
fn beside_the_path_the_limits_of_the_vehicle_count_where_they_are_known() {
    let dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    let path = straight_of(|_| Waypoint { speed_mps: 20.0, curvature_radpm: 0.02, ..Waypoint::default() });
    let shift = Shift { offset: 5.0, goal: 5.0, ..Shift::NONE };
    let square = |path: &Path, shift: Shift| {
        let mut frame = on_straight(path, [100.0, 0.0], 20.0);
        frame.shift = shift;
        let there = Ahead::new(&frame, 1.0, 100.0).at(10.0);
        (there.curvature, there.square)
    };
    is(square(&path, shift), 0.02, 400.0);
    let path = path.with_dynamics(&dynamics);
    is(square(&path, shift), 0.02 / 0.9, 0.9 * 400.0);
    is(square(&path, Shift::NONE), 0.02, 400.0);
}

#[test]
fn on_the_inside_of_a_bend_the_speed_falls_with_the_radius() {
    let lateral = SpeedTable::constant(10.0);
    let at = |offset: f64| on_shifted(&Shift { offset, goal: offset, ..Shift::NONE }, &lateral, 10.0, 0.02, 400.0, 1.0);
    is(at(10.0), 0.025, 320.0);
    is(at(-10.0), 0.02 / 1.2, 400.0);
    is(at(49.0), 0.1, 80.0);
    // While it moves from 0 to 10 m within 20 m.
    let moves = Shift { goal: 10.0, reach: 20.0, ..Shift::NONE };
    is(on_shifted(&moves, &lateral, 5.0, 0.02, 400.0, 1.0), 0.02 / 0.95, 380.0);
}

/// What moving takes of the tyres is missing for the bend; a half is left.
#[test]
fn moving_across_takes_a_part_of_the_grip() {
    let lateral = SpeedTable::constant(10.0);
    let moves = Shift { across: 3.0, reach: 20.0, ..Shift::NONE };
    let at = |shift: &Shift, distance: f64, curvature: f64, grip: f64| {
        on_shifted(shift, &lateral, distance, curvature, 400.0, grip).1
    };
    // 10 m/s² of grip 0.9, less 3 m/s², at a radius of 50 m.
    assert_close(at(&moves, 5.0, 0.02, 0.9), 6.0 * 50.0);
    assert_close(at(&moves, 5.0, -0.02, 0.9), 6.0 * 50.0);
    assert_close(at(&Shift { across: 6.0, ..moves }, 5.0, 0.02, 0.9), 4.5 * 50.0);
    // What the path's own speed takes is there: 12 m/s² on a banked bend.
    assert_close(at(&moves, 5.0, 0.03, 0.9), 9.0 / 0.03);
    // Not where it has arrived, nor on a straight, nor where the bend takes little.
    assert_close(at(&moves, 20.0, 0.02, 0.9), 400.0);
    assert_close(at(&moves, 5.0, 0.0, 0.9), 400.0);
    assert_close(at(&moves, 5.0, 0.01, 0.9), 400.0);
    assert_close(at(&Shift { across: 0.0, ..moves }, 5.0, 0.02, 0.3), 400.0);
}

#[test]
fn a_planned_route_takes_nine_tenths_of_the_grip() {
    let lateral = SpeedTable::constant(10.0);
    let at = |route: PlannedRoute, curvature: f64, grip: f64| {
        let shift = Shift { route: Some(route), across: 3.0, ..Shift::NONE };
        on_shifted(&shift, &lateral, 5.0, curvature, 400.0, grip)
    };
    // e = 0.01 s²: it bends by 0.02, with the path or against it, and is 0.25 m beside it.
    let bent = PlannedRoute::new(1.0, 0.0, std::array::from_fn(|k| 0.01 * (k as f64).powi(2)));
    let [inside, outside] = [0.02, -0.02].map(|curvature: f64| curvature / (1.0 - 0.25 * curvature));
    is(at(bent, 0.02, 1.0), inside + 0.02, 9.0 / (inside + 0.02));
    is(at(bent, -0.02, 1.0), outside + 0.02, 400.0);
    is(at(bent, 0.02, 0.5), inside + 0.02, 8.0 / (inside + 0.02));
    // What the path's own speed takes is there.
    is(at(bent, 0.03, 1.0), 0.03 / 0.9925 + 0.02, 12.0 / (0.03 / 0.9925 + 0.02));
    is(at(PlannedRoute::PATH, 0.0, 1.0), 0.0, 400.0);
}
