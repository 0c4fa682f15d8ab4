use super::Feedback;
use crate::limit::model::Model;
use crate::options::LimitOptions;
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} and {b}");
}

fn feedback(options: &LimitOptions, speed: f64, given: f64, dt: f64) -> Feedback {
    let dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    Feedback::new(&Model::new(&dynamics, &VehicleGeometry::default(), 1.0), options, speed, given, dt)
}

#[test]
fn the_gain_falls_with_the_speed_and_grows_where_inputs_are_given() {
    let options =
        LimitOptions { heading_gain: 1.4, heading_rate_radps: 25.0, return_s: 0.7, ..LimitOptions::default() };
    // 25 · 2.6 / 50 = 1.3.
    near(feedback(&options, 40.0, 0.0, 0.02).gain, 1.4);
    near(feedback(&options, 50.0, 0.0, 0.02).gain, 1.3);
    near(feedback(&options, 50.0, 1.0, 0.02).gain, 1.3 * 1.5);
    near(feedback(&options, 50.0, 0.4, 0.02).gain, 1.3 * 1.2);
    near(feedback(&LimitOptions { heading_rate_radps: 0.2, ..options }, 0.5, 0.0, 0.02).gain, 0.52);
    let returns = [0.0, 1.0, 0.4].map(|given| feedback(&options, 50.0, given, 0.02).return_s);
    returns.into_iter().zip([0.7, 0.35, 0.56]).for_each(|(found, expected)| near(found, expected));
}

/// The bound of the yaw feedback: a quarter of the gain at which it swings, (1 + π/2 τ / late) L / v.
#[test]
fn feedback_of_the_yaw_rate_falls_with_the_delay() {
    let options = LimitOptions { yaw_damping_s: 10.0, delay_s: 0.1, ..LimitOptions::default() };
    // τ = k² v / (a b A_y / s): k² = a b, and s is a third of the brush tyre's peak.
    let dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
    let peak = Model::new(&dynamics, &VehicleGeometry::default(), 1.0).peak_slip;
    let expected = |speed: f64, late: f64| {
        let time = speed * peak / 3.0 / 10.0;
        0.25 * (1.0 + std::f64::consts::FRAC_PI_2 * time / late) * 2.6 / speed.max(1.0)
    };
    near(feedback(&options, 30.0, 0.0, 0.02).damping_s, expected(30.0, 0.21));
    near(feedback(&options, 0.5, 0.0, 0.02).damping_s, expected(0.5, 0.21));
    let prompt = LimitOptions { delay_s: 0.0, ..options };
    near(feedback(&prompt, 30.0, 0.0, 0.02).damping_s, expected(30.0, 0.01));
    near(feedback(&prompt, 30.0, 0.0, 1e-4).damping_s, expected(30.0, 1e-3));
    near(feedback(&LimitOptions { yaw_damping_s: 0.01, ..options }, 30.0, 0.0, 0.02).damping_s, 0.01);
}
