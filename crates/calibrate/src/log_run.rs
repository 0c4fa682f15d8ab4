//! The laps of a logger as telemetry: the accelerations of the smoothed path.

use raceline_laps::{Quantity, Session};

use super::telemetry::Run;

/// A vehicle that is slower stands, m/s.
const MIN_SPEED_MPS: f64 = 2.0;
/// A sensor of lateral acceleration agrees with the path if their correlation is above this.
const AGREES: f64 = 0.8;

/// The telemetry of a log: speed and accelerations of the smoothed path; throttle, brake and gear as the
/// logger has them. A lateral acceleration of the logger takes the place of that of the path where both
/// agree; its sign and its offset follow from the path.
#[must_use]
pub fn run_of(session: &Session, name: &str) -> Run {
    let mut before_s = f64::NEG_INFINITY;
    let nodes = session.nodes.iter().filter(|node| node.speed_mps() > MIN_SPEED_MPS);
    let nodes: Vec<_> = nodes.filter(|node| std::mem::replace(&mut before_s, node.time_s) < node.time_s).collect();
    let times: Vec<f64> = nodes.iter().map(|node| node.time_s).collect();
    let trace = |quantity: Quantity| -> Option<Vec<f64>> {
        times.iter().map(|&time_s| session.trace(quantity, time_s)).collect()
    };
    let across: Vec<f64> = nodes.iter().map(|node| node.body_accel_mps2()[1]).collect();
    let sensed = trace(Quantity::LateralAcceleration).and_then(|sensed| fitted(&sensed, &across));
    let pedal = trace(Quantity::Pedal);
    let part = |sign: f64| pedal.as_ref().map(|pedal| pedal.iter().map(|pedal| (sign * pedal).max(0.0)).collect());
    Run {
        name: name.to_owned(),
        speed_mps: nodes.iter().map(|node| node.speed_mps()).collect(),
        accel_mps2: Some(nodes.iter().map(|node| node.body_accel_mps2()[0]).collect()),
        lateral_accel_mps2: Some(sensed.unwrap_or(across)),
        throttle: trace(Quantity::Throttle).or_else(|| part(1.0)),
        brake: trace(Quantity::Brake).or_else(|| part(-1.0)),
        gear: trace(Quantity::Gear).map(|gears| gears.iter().map(|gear| gear.round()).collect()),
        time_s: times,
        ..Run::default()
    }
}

/// What a sensor measures, with the sign of the path and without offset; `None` where they disagree.
fn fitted(sensed: &[f64], path: &[f64]) -> Option<Vec<f64>> {
    let count = sensed.len() as f64;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count;
    let (a, b) = (mean(sensed), mean(path));
    let sum = |x: &[f64], x_mean: f64, y: &[f64], y_mean: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - x_mean) * (y - y_mean)).sum()
    };
    let (both, own, of_path) = (sum(sensed, a, path, b), sum(sensed, a, sensed, a), sum(path, b, path, b));
    let correlation = both / (own * of_path).sqrt();
    let sign = both.signum();
    (correlation.abs() > AGREES).then(|| sensed.iter().map(|value| sign * (value - a) + b).collect())
}
