use super::{Powertrain, Tariff, Uses};
use crate::car::Reserve;
use crate::car::model::{Car, Motion};
use crate::speed::Ground;
use raceline_car::preset;

const HYBRID: Powertrain = Powertrain { engine_power_w: 3e5, recuperation_power_w: 2e5, recuperation: 0.6 };

fn motion(forward: f64, pedal: f64) -> Motion<f64> {
    Motion { forward, leftward: -0.4, yaw_rate: 0.3, steering: 0.04, pedal }
}

#[test]
fn engine_and_motor_divide_the_power_and_the_motor_brakes_to_its_limit() {
    let mass_kg = 800.0;
    let powers = |u: f64, p: f64| HYBRID.pedals(mass_kg, u, p, 1e-6).map(|pedal| mass_kg * u * pedal);
    let near = |found: [f64; 3], expected: [f64; 3]| {
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1.0), "{found:?}");
    };
    // 5 m/s² at 50 m/s are 200 kW, 10 are 400 kW; braking with 2 and with 10.
    near(powers(50.0, 5.0), [2e5, 0.0, 0.0]);
    near(powers(50.0, 10.0), [3e5, 1e5, 0.0]);
    near(powers(50.0, -2.0), [0.0, 0.0, 0.6 * 8e4]);
    near(powers(50.0, -10.0), [0.0, 0.0, 2e5]);
    let engine = Powertrain::ENGINE.pedals(mass_kg, 50.0, 10.0, 1e-6);
    assert!((engine[0] - 10.0).abs() < 1e-9 && engine[1..] == [0.0, 0.0]);
    let electric = Powertrain { engine_power_w: 0.0, ..HYBRID }.pedals(mass_kg, 50.0, 10.0, 0.2);
    assert!(electric[0].abs() < 1e-12 && (electric[1] - 10.0).abs() < 2e-3);
}

#[test]
fn without_a_limit_all_of_the_fraction_of_the_brakes_is_recuperated() {
    let of = |recuperation_power_w: f64| {
        let powertrain = Powertrain { recuperation_power_w, ..HYBRID };
        [-12.0, -2.0, 0.0, 3.0].map(|pedal| powertrain.pedals(800.0, 50.0, pedal, 1e-3)[2])
    };
    let (unlimited, far_above) = (of(f64::INFINITY), of(1e9));
    for (unlimited, far_above) in unlimited.into_iter().zip(far_above) {
        assert!((unlimited - far_above).abs() < 1e-6, "{unlimited} {far_above}");
    }
    assert!((unlimited[0] - 0.6 * 12.0).abs() < 1e-6);
}

#[test]
fn the_tariff_is_the_sum_of_the_powers_by_their_prices() {
    let vehicle = preset("formula").unwrap();
    let car = Car::new(&vehicle, Reserve::NONE).unwrap();
    let prices = Uses { engine: 1e-8, deployed: 3e-8, recuperated: 2e-8, friction: 5e-7 };
    let tariff = Tariff { powertrain: HYBRID, prices };
    for pedal in [-12.0, -1.0, 0.0, 3.0, 9.0] {
        let motion = motion(60.0, pedal);
        let [engine, deployed, recuperated] = HYBRID.pedals(car.mass_kg, 60.0, pedal, 0.2);
        let friction = car.sliding(motion, &Ground::LEVEL, 1.0);
        let by_mass = Uses { engine, deployed, recuperated, friction };
        let expected = 60.0 * car.mass_kg * by_mass.cost_s(&prices);
        let cost = tariff.cost(&car, motion, &Ground::LEVEL, 1.0, 0.2);
        assert!((cost - expected).abs() < 1e-12 * expected.abs().max(1.0), "{pedal}");
        assert!(friction > 0.0);
    }
    // Straight on without pedal, nothing slides.
    let straight = Motion { leftward: 0.0, yaw_rate: 0.0, steering: 0.0, ..motion(60.0, 0.0) };
    assert!(car.sliding(straight, &Ground::LEVEL, 1.0).abs() < 1e-3);
}
