use super::{
    Axle, Deviation, DeviationNoise, Feedback, MOTION, Matrix, Model, STATES, advanced, closed_loop, deviation_at,
    deviations, frame, gains, slip_deviations, stiffness,
};
use crate::closeness::assert_close;
use crate::options::FollowerOptions;
use crate::path::{Path, Waypoint};
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;

const SPEED_MPS: f64 = 30.0;
const FRAME_S: f64 = 1.0 / 60.0;

/// The last deviation on a straight that is driven for 100 s.
fn settled(noise: &DeviationNoise) -> Deviation {
    let at =
        |i: u32| Waypoint { position_m: [10.0 * f64::from(i), 0.0, 0.0], speed_mps: SPEED_MPS, ..Waypoint::default() };
    let dynamics = VehicleDynamics::constant(12.0, 10.0, 5.0);
    let path = Path::new((0..=300).map(at).collect(), false).unwrap().with_dynamics(&dynamics);
    let geometry = VehicleGeometry::default();
    let options = FollowerOptions::for_vehicle(&dynamics, &geometry);
    *deviations(&path, &options, &geometry, noise, FRAME_S).last().unwrap()
}

#[test]
fn a_position_that_is_wrong_for_long_is_followed() {
    let noise = DeviationNoise { position_m: 0.1, correlation_s: 1e5, ..DeviationNoise::default() };
    let found = settled(&noise);
    assert!((found.offset_m - 0.1).abs() < 1e-3, "{found:?}");
    assert!(found.heading_rad < 1e-4, "{found:?}");
}

/// The tyres' stiffness is that of `MIN_SLIP_RAD` as long as less slip occurs, and less with more.
#[test]
fn little_noise_strays_in_proportion_and_much_noise_farther() {
    assert_eq!(settled(&DeviationNoise::default()).offset_m, 0.0);
    let of = |factor: f64| {
        let noise = DeviationNoise {
            position_m: 0.05 * factor,
            side_mps2: 0.8 * factor,
            side_correlation_s: 1.0,
            ..DeviationNoise::default()
        };
        settled(&noise)
    };
    let (once, twice, much) = (of(1e-3), of(2e-3), of(2.0));
    assert!(once.offset_m > 5e-6);
    assert!((twice.offset_m / once.offset_m - 2.0).abs() < 1e-9);
    assert!((twice.offset_rate_mps / once.offset_rate_mps - 2.0).abs() < 1e-9);
    assert!((2050.0..3000.0).contains(&(much.offset_m / once.offset_m)), "{}", much.offset_m / once.offset_m);
}

#[test]
fn a_path_without_speeds_has_no_deviations() {
    let at = |x: f64| Waypoint { position_m: [x, 0.0, 0.0], ..Waypoint::default() };
    let path = Path::new(vec![at(0.0), at(100.0)], false).unwrap();
    let (options, geometry) = (FollowerOptions::default(), VehicleGeometry::default());
    assert!(deviations(&path, &options, &geometry, &DeviationNoise::default(), FRAME_S).is_empty());
}

/// A state without pattern.
const STATE: [f64; STATES] = [0.3, -0.02, 0.15, 0.08, -0.05, 0.4, 0.25, -0.015];

/// The covariance of one state and its opposite.
fn of_one(state: &[f64; STATES]) -> Matrix {
    state.map(|a| state.map(|b| a * b))
}

fn vehicle() -> VehicleDynamics {
    let mut dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    (dynamics.front_weight_fraction, dynamics.gyration_m2) = (0.6, 2.0);
    dynamics
}

const FEEDBACK: Feedback = Feedback { gain: 1.3, return_s: 0.6, damping_s: 0.1 };

/// The steering angle of equation (6) at 30 m/s.
fn steering(x: &[f64; STATES]) -> f64 {
    -1.3 * (x[7] + 0.3 * x[2] / 30.0 + x[6] / (0.6 * 30.0)) - 0.1 * x[3]
}

/// Equations (2) to (5) at 30 m/s, with a = 1.04 m, b = 1.56 m and k² = 2 m².
fn rates(x: &[f64; MOTION], w: f64, angle: f64, [front, rear]: [f64; 2]) -> [f64; MOTION] {
    let at_front = front * (angle - (x[2] + 1.04 * x[3]) / 30.0);
    let at_rear = rear * (1.56 * x[3] - x[2]) / 30.0;
    let across = 0.6 * at_front + 0.4 * at_rear - 30.0 * x[3] + w;
    [30.0 * x[1] + x[2], x[3], across, 1.04 * 1.56 / (2.6 * 2.0) * (at_front - at_rear)]
}

/// The motion after a frame, by Runge and Kutta's method in 200 steps.
fn moved(x: &[f64; STATES], angle: f64, stiffness: [f64; 2]) -> [f64; MOTION] {
    let (mut at, h) = ([x[0], x[1], x[2], x[3]], FRAME_S / 200.0);
    let plus = |at: &[f64; MOTION], by: f64, rate: &[f64; MOTION]| std::array::from_fn(|i| at[i] + by * rate[i]);
    for _ in 0..200 {
        let rate = |at: &[f64; MOTION]| rates(at, x[5], angle, stiffness);
        let first = rate(&at);
        let second = rate(&plus(&at, 0.5 * h, &first));
        let third = rate(&plus(&at, 0.5 * h, &second));
        let last = rate(&plus(&at, h, &third));
        at = std::array::from_fn(|i| at[i] + h / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + last[i]));
    }
    at
}

#[test]
fn a_frame_is_the_solution_of_the_equations_of_motion() {
    let (dynamics, geometry) = (vehicle(), VehicleGeometry::default());
    let model = Model::new(&dynamics, &geometry, 1.0);
    let stiffness = [90.0, 120.0];
    let motion = frame(&model, stiffness, 30.0, FRAME_S);
    let expected = moved(&STATE, 0.07, stiffness);
    for (row, expected) in motion.iter().zip(expected) {
        assert_close(row.iter().zip(STATE.iter().chain([&0.07])).map(|(a, b)| a * b).sum(), expected);
    }
}

#[test]
fn a_frame_of_the_closed_loop_steers_moves_and_estimates() {
    let (dynamics, geometry) = (vehicle(), VehicleGeometry::default());
    let model = Model::new(&dynamics, &geometry, 1.0);
    let stiffness = [90.0, 120.0];
    let gains = gains(&FEEDBACK, 0.3, 30.0);
    let matrix = closed_loop(&frame(&model, stiffness, 30.0, FRAME_S), &gains, [0.9, 0.7], [30.0, FRAME_S]);
    let after = matrix.map(|row| row.iter().zip(STATE).map(|(a, b)| a * b).sum::<f64>());
    let x = STATE;
    for (found, expected) in after.iter().zip(moved(&x, steering(&x), stiffness)) {
        assert_close(*found, expected);
    }
    assert_close(after[4], 0.9 * x[4]);
    assert_close(after[5], 0.7 * x[5]);
    // Equation (7) with a trust of 2 rad/s.
    let missing = x[0] + x[4] - x[6];
    assert_close(after[6], x[6] + FRAME_S * (30.0 * x[7] + x[2] + 4.0 * missing));
    assert_close(after[7], x[7] + FRAME_S * (x[3] + 4.0 / 30.0 * missing));
    let moved = advanced(&matrix, &of_one(&x));
    for (row, a) in moved.iter().zip(after) {
        row.iter().zip(after).for_each(|(found, b)| assert_close(*found, a * b));
    }
}

#[test]
fn deviations_of_one_state_are_those_of_its_numbers() {
    let (dynamics, geometry) = (vehicle(), VehicleGeometry::default());
    let model = Model::new(&dynamics, &geometry, 1.0);
    let (x, covariance) = (STATE, of_one(&STATE));
    let found = deviation_at(7.0, 30.0, &covariance);
    assert_eq!((found.s_m, found.speed_mps), (7.0, 30.0));
    assert_close(found.offset_m, 0.3);
    assert_close(found.heading_rad, 0.02);
    assert_close(found.offset_heading_mrad, -0.3 * 0.02);
    assert_close(found.offset_rate_mps, (30.0 * x[1] + x[2]).abs());
    for ahead in [2.0, -1.5] {
        assert_close(found.offset_ahead_m(ahead), (0.3 - 0.02 * ahead).abs());
    }
    let [front, rear] = slip_deviations(&model, &gains(&FEEDBACK, 0.3, 30.0), 30.0, &covariance);
    assert_close(front, (steering(&x) - (x[2] + 1.04 * x[3]) / 30.0).abs());
    assert_close(rear, ((1.56 * x[3] - x[2]) / 30.0).abs());
}

#[test]
fn the_stiffness_is_that_between_the_slips_that_occur() {
    let (dynamics, geometry) = (vehicle(), VehicleGeometry::default());
    let model = Model::new(&dynamics, &geometry, 1.0);
    let axle = Axle { lateral: 10.0, along: 0.2 };
    let slip = model.slip(axle, 6.0);
    let expected = (model.across_at(axle, slip + 0.03) - model.across_at(axle, slip - 0.03)) / 0.06;
    assert_close(stiffness(&model, axle, 6.0, 0.03), expected);
    // Less slip than 0.1 mrad counts as that.
    let smallest = (model.across_at(axle, slip + 1e-4) - model.across_at(axle, slip - 1e-4)) / 2e-4;
    assert_close(stiffness(&model, axle, 6.0, 0.0), smallest);
    assert!((smallest / expected - 1.0).abs() > 1e-3);
}

/// The places of a path of 100 m at a speed.
fn places(speed_mps: f64, closed: bool, noise: &DeviationNoise, frame_s: f64) -> Vec<Deviation> {
    let points: &[[f64; 2]] = if closed {
        &[[0.0, 0.0], [25.0, 0.0], [25.0, 25.0], [0.0, 25.0]]
    } else {
        &[[0.0, 0.0], [50.0, 0.0], [100.0, 0.0]]
    };
    let at = |[x, y]: &[f64; 2]| Waypoint {
        position_m: [*x, *y, 0.0],
        speed_mps,
        curvature_radpm: 0.0,
        ..Waypoint::default()
    };
    let dynamics = vehicle();
    let path = Path::new(points.iter().map(at).collect(), closed).unwrap().with_dynamics(&dynamics);
    let geometry = VehicleGeometry::default();
    deviations(&path, &FollowerOptions::for_vehicle(&dynamics, &geometry), &geometry, noise, frame_s)
}

#[test]
fn a_path_is_driven_frame_by_frame_and_a_closed_one_once_before() {
    let noise = DeviationNoise { position_m: 0.1, side_mps2: 0.5, ..DeviationNoise::default() };
    let open = places(20.0, false, &noise, 0.02);
    assert_eq!(open.len(), 250);
    for (k, place) in open.iter().enumerate() {
        assert_close(place.s_m, 0.4 * k as f64);
        assert_eq!(place.speed_mps, 20.0);
    }
    assert_eq!((open[0].offset_m, open[0].heading_rad), (0.0, 0.0));
    // In the first frame the vehicle steers for the whole error of its position, and is moved by the force.
    assert!(open[1].offset_m > 1e-4 && open[1].offset_m < 0.01, "{:?}", open[1]);
    let closed = places(20.0, true, &noise, 0.02);
    assert_eq!(closed.len(), 250);
    assert!((closed[0].offset_m / open.last().unwrap().offset_m - 1.0).abs() < 0.05);
    // No slower than 2 m/s.
    let slow = places(0.5, false, &noise, 0.5);
    assert!(slow.len() == 100 && slow[0].speed_mps == 2.0);
    assert!(places(20.0, false, &noise, 0.0).is_empty() && places(20.0, false, &noise, -0.1).is_empty());
}

/// Errors of their own in each frame have no correlation, and a variance that stays.
#[test]
fn the_first_frame_moves_by_what_is_not_known() {
    let (frame_s, speed) = (0.02, 20.0);
    let side = DeviationNoise { side_mps2: 0.5, side_correlation_s: 1e9, ..DeviationNoise::default() };
    let found = places(speed, false, &side, frame_s);
    // The force moves the vehicle across, and its tyres turn it hardly: ½ w T².
    assert!((found[1].offset_m / (0.5 * 0.5 * frame_s * frame_s) - 1.0).abs() < 0.1, "{:?}", found[1]);
    // The estimate begins with the measured position: its error is steered for.
    let position = DeviationNoise { position_m: 0.1, correlation_s: 1e9, ..DeviationNoise::default() };
    let [with, without] = [position, DeviationNoise { correlation_s: 0.0, ..position }]
        .map(|noise| places(speed, false, &noise, frame_s));
    assert_close(with[1].offset_m, without[1].offset_m);
    assert!(with[1].offset_m > 0.0 && with[100].offset_m > 2.0 * without[100].offset_m);
}
