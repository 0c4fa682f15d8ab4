//! Tuners of functions whose minimum is known, their state, and what they refuse.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

mod order;
mod refusals;
mod search;
mod sheets;
mod state;

use raceline_numerics::SplitMix64;
use raceline_tune::{Method, Options, Parameter, Tuner};

/// `n` parameters from 0 to 1.
fn unit_parameters(n: usize) -> Vec<Parameter> {
    (0..n).map(|k| Parameter::linear(format!("p{k}"), 0.0, 1.0)).collect()
}

fn options(method: Method) -> Options {
    Options { method, ..Options::default() }
}

/// Asks for `count` trials one by one, scored by `f` with its noise.
fn run(tuner: &mut Tuner, count: usize, mut f: impl FnMut(&[f64]) -> f64) {
    for _ in 0..count {
        let trial = tuner.ask().unwrap();
        tuner.tell(trial.id, f(&trial.values)).unwrap();
    }
}

/// Squared distance from (0.3, 0.35, 0.4 …).
fn bowl(x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(k, x)| (x - 0.3 - 0.05 * k as f64).powi(2)).sum()
}

/// `f` plus normal noise.
fn noisy(deviation: f64, seed: u64, f: impl Fn(&[f64]) -> f64) -> impl FnMut(&[f64]) -> f64 {
    let mut random = SplitMix64::new(seed);
    move |x| f(x) + deviation * random.normal()
}
