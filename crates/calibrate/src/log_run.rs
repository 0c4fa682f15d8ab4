//! The laps of a logger as telemetry: the accelerations of the smoothed path.

use raceline_laps::{Quantity, Session};

use super::telemetry::Run;

/// A vehicle that is slower stands, m/s.
const MIN_SPEED_MPS: f64 = 2.0;

/// The telemetry of a log: speed and accelerations of the smoothed path; throttle, brake and gear as the
/// logger has them.
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
    let pedal = trace(Quantity::Pedal);
    let part = |sign: f64| pedal.as_ref().map(|pedal| pedal.iter().map(|pedal| (sign * pedal).max(0.0)).collect());
    Run {
        name: name.to_owned(),
        speed_mps: nodes.iter().map(|node| node.speed_mps()).collect(),
        accel_mps2: Some(nodes.iter().map(|node| node.body_accel_mps2()[0]).collect()),
        lateral_accel_mps2: Some(across),
        throttle: trace(Quantity::Throttle).or_else(|| part(1.0)),
        brake: trace(Quantity::Brake).or_else(|| part(-1.0)),
        gear: trace(Quantity::Gear).map(|gears| gears.iter().map(|gear| gear.round()).collect()),
        time_s: times,
        ..Run::default()
    }
}
