use super::super::derivatives::{ARGUMENTS, IntervalDerivatives};
use super::super::power::Power;
use super::{Arguments, Car, INTERVAL_LIMITS, arms};
use crate::speed::{Ground, LoadOptions};
use raceline_car::{GgDiagram, Turning, Vehicle, preset};
use raceline_road::geometry::{Slope, Vector};

fn at(values: [f64; ARGUMENTS], ground: Ground) -> Arguments {
    let [k1, k2, length, w1, w2] = values;
    Arguments { curvature: [k1, k2], length, speed_squared: [w1, w2], grip: 0.9, ground, arms: [1.7, 1.4] }
}

/// Compares finite differences of the value with the gradient, and of the gradient with the
/// second derivatives.
fn check(
    point: [f64; ARGUMENTS],
    ground: Ground,
    value: impl Fn(Arguments) -> f64,
    derivatives: impl Fn(Arguments) -> IntervalDerivatives,
) {
    let exact = derivatives(at(point, ground));
    // About a millionth of a typical argument.
    let steps = [1e-7, 1e-7, 1e-5, 1e-3, 1e-3];
    let scale = [0.05, 0.05, 3.0, 600.0, 600.0];
    for i in 0..ARGUMENTS {
        let moved = |sign: f64| {
            let mut point = point;
            point[i] += sign * steps[i];
            at(point, ground)
        };
        let slope = (value(moved(1.0)) - value(moved(-1.0))) / (2.0 * steps[i]);
        assert!((slope - exact.gradient[i]).abs() * scale[i] < 1e-6, "gradient {i}: {slope} {}", exact.gradient[i]);
        let (after, before) = (derivatives(moved(1.0)), derivatives(moved(-1.0)));
        for j in 0..ARGUMENTS {
            let slope = (after.gradient[j] - before.gradient[j]) / (2.0 * steps[i]);
            let error = (slope - exact.hessian[i][j]).abs() * scale[i] * scale[j];
            assert!(error < 1e-5, "second derivative {i} {j}: {slope} {}", exact.hessian[i][j]);
        }
    }
}

/// Where κ + e c = κ_max in two intervals, κ + i (c + c') / 2 = κ_max between them.
#[test]
fn curvature_that_grows_to_its_limit_has_it_in_the_profile_too() {
    let turning = Turning::of(&preset("gt").unwrap());
    for length in [0.01, 1.0, 3.0, 40.0] {
        for (arm, of_body) in arms(&turning, length).into_iter().zip([turning.front_m, turning.rear_m]) {
            // κ₂ from κ₁, with κ_max = 1.
            let next = |from: f64| from + (1.0 - from) * length / (0.5 * length + arm);
            let [first, second, third] = [0.0, next(0.0), next(next(0.0))];
            let change = (third - first) / (2.0 * length);
            assert!((second + of_body * change - 1.0).abs() < 1e-9, "{length} {arm}");
        }
    }
    assert_eq!(arms(&Turning::default(), 3.0), [0.0; 2]);
}

#[test]
fn derivatives_are_those_of_the_functions() {
    let gt = preset("gt").unwrap();
    let mut vehicles = [1.0, 1.5, 2.0, 4.0].map(|ellipse_exponent| Vehicle { ellipse_exponent, ..gt.clone() });
    vehicles[2].front_downforce_fraction = Some(0.3);
    let points =
        [[0.03, 0.04, 2.5, 400.0, 430.0], [-0.02, -0.01, 3.0, 700.0, 620.0], [0.0005, -0.001, 4.0, 900.0, 925.0]];
    let hill = Slope { height_m: 0.0, gradient: Vector::new(0.1, -0.15), bending: [-0.003, 0.001, 0.002] };
    let hill = Ground::under(&hill, Vector::new(0.8, 0.6), 0.02, &LoadOptions::default());
    let grounds = [Ground::LEVEL, hill];
    for vehicle in vehicles {
        let diagram = GgDiagram::new(&vehicle).unwrap();
        let power = Power::new(vehicle.ellipse_exponent);
        let leans = Turning { lean_rate_radps: 1.3, ..Turning::default() };
        for turning in [Turning::default(), Turning::of(&vehicle), leans] {
            let car = Car { diagram: &diagram, turning, power, driving_power: power };
            for (point, ground) in points.into_iter().flat_map(|point| grounds.map(|ground| (point, ground))) {
                check(point, ground, |arguments| arguments.time(), |arguments| arguments.time_derivatives());
                for k in 0..INTERVAL_LIMITS {
                    check(
                        point,
                        ground,
                        |arguments| arguments.limits(&car)[k],
                        |arguments| arguments.limit_derivatives(&car)[k],
                    );
                }
            }
        }
    }
}

#[test]
fn derivatives_by_the_grip_are_those_of_the_functions() {
    let vehicle = Vehicle { ellipse_exponent: 1.5, ..preset("gt").unwrap() };
    let diagram = GgDiagram::new(&vehicle).unwrap();
    let power = Power::new(vehicle.ellipse_exponent);
    let car = Car { diagram: &diagram, turning: Turning::of(&vehicle), power, driving_power: power };
    for point in [[0.03, 0.04, 2.5, 400.0, 430.0], [-0.02, -0.01, 3.0, 700.0, 620.0]] {
        let (here, h) = (at(point, Ground::LEVEL), 1e-5);
        let moved = |sign: f64| Arguments { grip: here.grip + sign * h, ..here };
        let exact = here.grip_derivatives(&car);
        for (k, exact) in exact.iter().enumerate() {
            let [after, before] = [1.0, -1.0].map(|sign| moved(sign).limits(&car)[k]);
            assert!(((after - before) / (2.0 * h) - exact.slope).abs() < 1e-6, "{k}");
            let [after, before] = [1.0, -1.0].map(|sign| moved(sign).grip_derivatives(&car)[k]);
            assert!(((after.slope - before.slope) / (2.0 * h) - exact.bend).abs() < 1e-5, "{k}");
            let [after, before] = [1.0, -1.0].map(|sign| moved(sign).limit_derivatives(&car)[k]);
            for (i, exact) in exact.mixed.iter().enumerate() {
                let mixed = (after.gradient[i] - before.gradient[i]) / (2.0 * h);
                assert!((mixed - exact).abs() < 1e-5 * (1.0 + mixed.abs()), "{k} {i}");
            }
        }
    }
}
