use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Car, FUNCTIONS, Ground, Node, Problem, UNKNOWNS};
use crate::car::Reserve;
use crate::car::body_corners::CornerBound;
use crate::car::price::Price;
use crate::car::tariff::{Powertrain, Tariff, Uses};
use crate::stations::GripProfile;
use raceline_car::{Vehicle, preset};

#[test]
fn derivatives_are_those_of_the_functions() {
    let presets = ["gt", "torcs-car1-trb1", "kart", "tum-racecar"].map(|name| preset(name).expect("the preset exists"));
    let wheels = Vehicle {
        front_track_width_m: Some(1.7),
        rear_track_width_m: Some(1.65),
        front_roll_stiffness_fraction: Some(0.6),
        tyre_load_sensitivity: Some(0.15),
        differential_lock_fraction: Some(0.3),
        ..presets[0].clone()
    };
    let energy = Price { seconds_per_joule: 1e-5, recuperation: 0.3, rounding_mps2: 0.5, tariff: None };
    let tariff = Tariff {
        powertrain: Powertrain { engine_power_w: 1e5, recuperation_power_w: 8e4, recuperation: 0.6 },
        prices: Uses { engine: 2e-6, deployed: 3e-6, recuperated: 2.5e-6, friction: 4e-5 },
    };
    let stint = Price { seconds_per_joule: 1.0, recuperation: 0.0, rounding_mps2: 1.0, tariff: Some(tariff) };
    let cases = presets.into_iter().chain([wheels]).flat_map(|vehicle| [(vehicle.clone(), energy), (vehicle, stint)]);
    for (vehicle, price) in cases {
        let car = Car::new(&vehicle, Reserve::NONE).expect("a valid vehicle");
        let ground = Ground { gravity_along: 0.5, gravity_across: -0.8, normal_curvature: 0.001, ..Ground::LEVEL };
        let node = Node {
            curvature: 0.01,
            low_m: -3.0,
            high_m: 4.0,
            length_m: 3.0,
            turn_rad: 0.03,
            ground,
            grip: 0.9,
            profile: Some(0),
            max_speed_mps: 80.0,
            steering_price: 1.0,
            corners: [1.0, -1.0]
                .map(|side| Some(CornerBound { side, half_m: [2.5, 1.0], at_m: 2.3, edge: [4.0 * side, 0.2, -0.03] })),
        };
        let problem = Problem {
            car: &car,
            nodes: vec![node; 3],
            closed: true,
            min_speed_mps: 1.0,
            scales: [5.0, 0.1, 30.0, 1.0, 0.5, 0.1, 10.0],
            per_second: 1.0,
            price,
            smoothing: [0.0; 2],
            fixed: Vec::new(),
            profiles: vec![GripProfile::through(
                -4.0,
                0.4,
                &std::array::from_fn::<f64, 24, _>(|k| 1.0 - 0.2 * (0.4 * k as f64).sin()),
            )],
        };
        let weights: [f64; FUNCTIONS] = std::array::from_fn(|k| 0.7 + 0.4 * k as f64);
        let values = |x: &[f64; UNKNOWNS]| problem.functions(&node, &problem.unscaled(x));
        let h = 1e-5;
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (low, high) = ([-0.5, -1.0, 0.6, -1.0, -1.0, -0.9, -0.7], [0.5, 1.0, 1.5, 1.0, 1.0, 0.9, 0.5]);
        let mut points = vec![[0.2, 0.3, 1.0, -0.4, 0.6, 0.4, 0.3], [-0.3, 0.1, 1.3, 0.2, -0.5, -0.6, -0.5]];
        let mut place = || std::array::from_fn(|k| low[k] + (high[k] - low[k]) * random.random::<f64>());
        points.extend((0..30).map(|_| -> [f64; UNKNOWNS] { place() }));
        for x in points {
            let (gradients, hessian) = problem.derivatives(0, &x, &weights);
            for k in 0..UNKNOWNS {
                let (mut after, mut before) = (x, x);
                after[k] += h;
                before[k] -= h;
                let (up, down) = (values(&after), values(&before));
                for (f, (up, down)) in up.iter().zip(down).enumerate() {
                    let slope = (up - down) / (2.0 * h);
                    let exact = gradients[f][k];
                    assert!((slope - exact).abs() < 1e-6 * (1.0 + exact.abs()), "{f} {k}: {slope} {exact}");
                }
                let (up, down) =
                    (problem.derivatives(0, &after, &weights).0, problem.derivatives(0, &before, &weights).0);
                for j in 0..UNKNOWNS {
                    let bend: f64 = (0..FUNCTIONS).map(|f| weights[f] * (up[f][j] - down[f][j]) / (2.0 * h)).sum();
                    let exact = hessian[k][j];
                    assert!((bend - exact).abs() < 1e-5 * (1.0 + exact.abs()), "{k} {j}: {bend} {exact}");
                }
            }
        }
    }
}

#[test]
fn prices_are_near_if_each_is_within_the_factor_and_all_else_is_equal() {
    let tariff = |engine: f64, friction: f64| Tariff {
        powertrain: Powertrain::ENGINE,
        prices: Uses { engine, friction, ..Uses::default() },
    };
    let of = |engine: f64, friction: f64| Price { tariff: Some(tariff(engine, friction)), ..Price::NONE };
    let max_ln = 1.1_f64.ln() + 1e-12;
    assert!(of(1.0, 2.0).is_near(of(1.1, 2.0 / 1.1), max_ln));
    assert!(!of(1.0, 2.0).is_near(of(1.0, 2.3), max_ln) && !of(1.0, 2.0).is_near(of(0.8, 2.0), max_ln));
    let mut other = of(1.0, 2.0);
    other.tariff =
        Some(Tariff { powertrain: Powertrain { recuperation: 0.5, ..Powertrain::ENGINE }, ..tariff(1.0, 2.0) });
    assert!(!of(1.0, 2.0).is_near(other, max_ln) && !of(1.0, 2.0).is_near(Price::NONE, max_ln));
}
