//! The methods compared with random search at equal numbers of trials, and the treatments of noise with one
//! another.
//!
//! ```sh
//! cargo run --release -p raceline-tune --example methods
//! ```
//!
//! Each figure is the mean over seeds of the true value at the values that the sheet gives as the best: the
//! noise of the scores is not in it.

use std::time::Instant;

use raceline_numerics::SplitMix64;
use raceline_tune::{Method, Options, Parameter, TuneError, Tuner};

type Function = fn(&[f64]) -> f64;

/// Squared distance from a place beside the middle.
fn sphere(x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(k, x)| (x - 0.3 - 0.05 * k as f64).powi(2)).sum()
}

/// Axes of 1 to 1000, turned.
fn ellipsoid(x: &[f64]) -> f64 {
    let n = x.len();
    let turned = |i: usize| (x[i] + 0.5 * x[(i + 1) % n] - 0.45) * 10.0_f64.powf(1.5 * i as f64 / (n - 1) as f64);
    (0..n).map(|i| turned(i).powi(2)).sum::<f64>() / n as f64
}

/// The valley of Rosenbrock in ±2.
fn rosenbrock(x: &[f64]) -> f64 {
    let place = |x: f64| 4.0 * x - 2.0;
    let pairs = x.windows(2).map(|x| (place(x[0]), place(x[1])));
    pairs.map(|(x, y)| (y - x * x).powi(2) + 0.01 * (1.0 - x).powi(2)).sum()
}

/// A lap: seconds that grow on both sides of the best values, and a crash of half a minute beyond a border.
fn lap(x: &[f64]) -> f64 {
    let crash = if x[0] + x[1] > 1.15 { 30.0 } else { 0.0 };
    60.0 - 3.0 * x[0] - 2.0 * x[1] + x[2..].iter().map(|x| (x - 0.4).abs()).sum::<f64>() + crash
}

const FUNCTIONS: [(&str, Function, f64); 4] =
    [("sphere", sphere, 0.05), ("ellipsoid", ellipsoid, 0.05), ("Rosenbrock", rosenbrock, 0.05), ("lap", lap, 0.1)];

fn parameters(n: usize) -> Vec<Parameter> {
    (0..n).map(|k| Parameter::linear(format!("p{k}"), 0.0, 1.0)).collect()
}

fn tuned(options: Options, n: usize, trials: usize, noise: f64, f: Function) -> Result<f64, TuneError> {
    let mut tuner = Tuner::new(parameters(n), options)?;
    let mut random = SplitMix64::stream(options.seed, 1 << 40);
    for _ in 0..trials {
        let trial = tuner.ask()?;
        tuner.tell(trial.id, f(&trial.values) + noise * random.normal())?;
    }
    Ok(f(&tuner.sheet()?.standings[0].values))
}

fn at_random(seed: u64, n: usize, trials: usize, noise: f64, f: Function) -> f64 {
    let mut random = SplitMix64::new(seed);
    let mut best = (f64::INFINITY, f64::INFINITY);
    for _ in 0..trials {
        let x: Vec<f64> = (0..n).map(|_| random.uniform()).collect();
        let value = f(&x);
        let score = value + noise * random.normal();
        if score < best.0 {
            best = (score, value);
        }
    }
    best.1
}

fn main() -> Result<(), TuneError> {
    let seeds = 10;
    let mean = |each: &dyn Fn(u64) -> Result<f64, TuneError>| -> Result<f64, TuneError> {
        Ok((0..seeds).map(each).sum::<Result<f64, _>>()? / seeds as f64)
    };
    println!("function, parameters, trials, noise: random search, cma-es, bayesian");
    for (n, trials) in [(3, 40), (6, 100)] {
        for (name, f, deviation) in FUNCTIONS {
            for noise in [0.0, deviation] {
                let of =
                    |method| mean(&|seed| tuned(Options { method, seed, ..Options::default() }, n, trials, noise, f));
                let random = mean(&|seed| Ok(at_random(seed, n, trials, noise, f)))?;
                let (cma, bayesian) = (of(Method::CmaEs)?, of(Method::Bayesian)?);
                println!("{name}, {n}, {trials}, {noise}: {random:.4}, {cma:.4}, {bayesian:.4}");
            }
        }
    }
    println!("\ncma-es, function, parameters, trials, noise: repeats 1, 2, 4, population twice, four times");
    for (n, trials) in [(4, 200), (4, 1000), (8, 400), (8, 2000)] {
        for (name, f, deviation) in FUNCTIONS {
            for noise in [0.2 * deviation, deviation, 5.0 * deviation] {
                let population = 4 + (3.0 * f64::from(n as u32).ln()) as u32;
                let each = |options: Options| {
                    mean(&|seed| tuned(Options { seed, ..options }, n, trials, noise, f))
                        .map(|value| format!("{value:.4}"))
                };
                let of = |repeats| each(Options { repeats, ..Options::default() });
                let larger =
                    |factor: u32| each(Options { population: Some(factor * population), ..Options::default() });
                let figures = [of(1)?, of(2)?, of(4)?, larger(2)?, larger(4)?];
                println!("{name}, {n}, {trials}, {noise:.2}: {}", figures.join(", "));
            }
        }
    }
    println!("\nseconds of an ask of bayesian, 8 parameters, by trial");
    let mut tuner = Tuner::new(parameters(8), Options { method: Method::Bayesian, ..Options::default() })?;
    for i in 0..500 {
        let begun = Instant::now();
        let trial = tuner.ask()?;
        if [50, 100, 200, 300, 400, 499].contains(&i) {
            println!("{i}: {:.3}", begun.elapsed().as_secs_f64());
        }
        tuner.tell(trial.id, rosenbrock(&trial.values))?;
    }
    Ok(())
}
