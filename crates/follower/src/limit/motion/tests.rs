use super::{Model, Motion, Shift};
use crate::chassis::testing::{HEADING, frame, place, ring, straight};
use crate::vehicle::{VehicleGeometry, VehicleState};
use raceline_car::VehicleDynamics;

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} and {b}");
}

/// Three fifths of the weight in front: the centre of gravity is 1.56 m before the rear axle, and 0.26 m before the
/// reference point.
fn dynamics() -> VehicleDynamics {
    VehicleDynamics { front_weight_fraction: 0.6, ..VehicleDynamics::constant(10.0, 8.0, 5.0) }
}

#[test]
fn the_motion_is_that_of_the_centre_of_gravity() {
    let (dynamics, geometry) = (dynamics(), VehicleGeometry::default());
    let model = Model::new(&dynamics, &geometry, 1.0);
    let path = straight([50.0; 2], 20.0);
    // The body is turned by 0.2 to the left, and the velocity by 0.1.
    let heading = HEADING + 0.2;
    let (sin, cos) = (HEADING + 0.1).sin_cos();
    let state = VehicleState {
        velocity_mps: [20.0 * cos, 20.0 * sin, 0.0],
        yaw_rate_radps: 0.3,
        ..VehicleState::new(place(100.0, 0.7), heading, 20.0 * 0.1_f64.cos())
    };
    let motion = Motion::new(&frame(&path, &state), &model);
    near(motion.advance, 0.26 * 0.2_f64.cos());
    near(motion.offset, 0.7 + 0.26 * 0.2_f64.sin());
    near(motion.heading, 0.2);
    near(motion.speed, 20.0 * 0.1_f64.cos());
    near(motion.across, -20.0 * 0.1_f64.sin() + 0.26 * 0.3);
    near(motion.yaw_rate, 0.3);
    // On a bend the path has turned there.
    let path = ring(50.0, [5.0; 2], 20.0);
    let state = VehicleState {
        velocity_mps: [0.0, 20.0, 0.0],
        yaw_rate_radps: 50.0,
        ..VehicleState::new([50.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2, -1.0)
    };
    let on_ring = frame(&path, &state);
    let motion = Motion::new(&on_ring, &model);
    near(motion.advance, 0.26 * on_ring.heading_error.cos());
    near(motion.heading, on_ring.heading_error - motion.advance * on_ring.here.curvature_radpm);
    assert!(on_ring.here.curvature_radpm > 0.0199 && motion.speed == 0.0 && motion.yaw_rate == 20.0, "{motion:?}");
}

#[test]
fn a_path_beside_the_path_has_its_own_offset_and_direction() {
    let now = Motion { advance: 0.1, offset: 2.0, heading: 0.1, speed: 16.0, across: 0.4, yaw_rate: 0.2 };
    let shift = Shift { offset: 1.2, rate: 0.8, ..Shift::NONE };
    assert_eq!(now.beside(&shift), Motion { offset: 0.8, heading: 0.1 - 0.05_f64.atan(), ..now });
    let slow = Motion { speed: 0.2, ..now };
    assert_eq!(slow.beside(&shift).heading, 0.1 - 0.8_f64.atan());
}

/// At constant speed and yaw rate what is driven is a chord, in the direction halfway.
#[test]
fn a_motion_goes_on_along_the_chord() {
    let now = Motion { advance: 0.5, offset: 2.0, heading: 0.1, speed: 20.0, across: 0.6, yaw_rate: 0.4 };
    let (time, curvature) = (0.15, 0.01);
    let course = 0.1_f64 + 0.2 * time;
    let along = (20.0 * course.cos() - 0.6 * course.sin()) * time;
    let left = (20.0 * course.sin() + 0.6 * course.cos()) * time;
    let after = now.after(time, curvature);
    near(after.advance, 0.5 + along);
    near(after.offset, 2.0 + left - along * along / 200.0);
    near(after.heading, 0.1 + 0.4 * time - 0.01 * along);
    assert_eq!(Motion { advance: 0.5, offset: 2.0, heading: 0.1, ..after }, now);
    assert_eq!([now.after(0.0, curvature), now.after(-0.1, curvature)], [now; 2]);
    // Along a circle of the path's curvature the offset stays, to the fourth order of the time.
    let circle = Motion { offset: 0.0, heading: 0.0, speed: 20.0, across: 0.0, yaw_rate: 0.2, advance: 0.0 };
    let after = circle.after(0.1, 0.01);
    assert!(after.offset.abs() < 1e-5 && after.heading.abs() < 1e-5, "{after:?}");
}
