//! The fit of a network to samples: mean squared error, AdamW, minibatches.
//!
//! Loshchilov and Hutter, *Decoupled Weight Decay Regularization*, ICLR 2019, with a decay of 0; the
//! learning rate falls by a half cosine (the same authors, *SGDR*, ICLR 2017, equation 5, without
//! restarts).

use std::f64::consts::PI;

use candle_core::{Device, Tensor, Var};
use candle_nn::{AdamW, Optimizer, ParamsAdamW};
use raceline_follower::neural::{INPUTS, Layer, Network, OUTPUTS};
use rand::{Rng, RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use crate::error::TrainError;
use crate::samples::{Sample, Scales};

/// Samples per step.
const BATCH: usize = 256;
/// Weight of the steering's error against the pedal's: steering errors add up to lost places.
const STEERING_WEIGHT: f64 = 3.0;
/// Learning rate at the end of a fit, as a fraction of that at its beginning.
const LAST_RATE: f64 = 0.01;

/// How a network is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    /// Passes over the samples.
    pub epochs: u32,
    /// Learning rate at the beginning.
    pub learning_rate: f64,
    /// Seed of the samples' order.
    pub seed: u64,
}

/// A network with random weights, of variance 1 / inputs (LeCun et al., *Efficient BackProp*, 1998,
/// section 4.6), for scaled inputs.
///
/// # Errors
/// [`TrainError::Diverged`] for sizes that a network can't have.
pub fn first_network(hidden: &[usize], seed: u64) -> Result<Network, TrainError> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut inputs = INPUTS;
    let mut layers = Vec::new();
    for &units in hidden.iter().chain(&[OUTPUTS]) {
        let max = (3.0 / inputs as f64).sqrt();
        let weights = (0..units * inputs).map(|_| max * (2.0 * random.random::<f64>() - 1.0)).collect();
        layers.push(Layer { weights, biases: vec![0.0; units] });
        inputs = units;
    }
    Ok(Network::new(layers)?)
}

/// Fits `network` to `samples` and returns it with the loss of each pass: the mean over the samples by their
/// weights, and over steering and pedal, weighted 3 to 1, of the squared error in standard deviations of the
/// outputs.
///
/// # Errors
/// [`TrainError::Fit`] of the framework, [`TrainError::Diverged`] for weights that became NaN.
pub fn fit(
    network: &Network,
    samples: &[Sample],
    scales: &Scales,
    options: &FitOptions,
) -> Result<(Network, Vec<f64>), TrainError> {
    let device = Device::Cpu;
    let count = samples.len();
    let scaled = |value: f64, (mean, deviation): (f64, f64)| ((value - mean) / deviation) as f32;
    let pairs = |sample: &Sample| std::array::from_fn::<f32, INPUTS, _>(|k| scaled(sample.inputs[k], scales.inputs[k]));
    let inputs: Vec<[f32; INPUTS]> = samples.iter().map(pairs).collect();
    let wanted: Vec<[f32; OUTPUTS]> =
        samples.iter().map(|sample| std::array::from_fn(|k| scaled(sample.outputs[k], scales.outputs[k]))).collect();
    let weights: Vec<f32> = samples.iter().map(|sample| sample.weight as f32).collect();
    let layers = variables(&scales.unfolded(network), &device)?;
    let all: Vec<Var> = layers.iter().flat_map(|(weights, biases)| [weights.clone(), biases.clone()]).collect();
    let parameters = ParamsAdamW { lr: options.learning_rate, weight_decay: 0.0, ..ParamsAdamW::default() };
    let mut optimizer = AdamW::new(all, parameters)?;
    let error_weights = [STEERING_WEIGHT, 1.0].map(|weight| (weight / (STEERING_WEIGHT + 1.0)) as f32);
    let error_weights = Tensor::new(&error_weights, &device)?;
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    let mut order: Vec<usize> = (0..count).collect();
    let steps = (options.epochs as usize * count.div_ceil(BATCH)).max(1);
    let mut step = 0;
    let mut losses = Vec::new();
    for _ in 0..options.epochs {
        order.shuffle(&mut random as &mut dyn Rng);
        let mut sum = 0.0;
        for chunk in order.chunks(BATCH) {
            let progress = step as f64 / steps as f64;
            let rate = LAST_RATE + (1.0 - LAST_RATE) * 0.5 * (1.0 + (PI * progress).cos());
            optimizer.set_learning_rate(rate * options.learning_rate);
            let x: Vec<f32> = chunk.iter().flat_map(|&i| inputs[i]).collect();
            let y: Vec<f32> = chunk.iter().flat_map(|&i| wanted[i]).collect();
            let x = Tensor::from_vec(x, (chunk.len(), INPUTS), &device)?;
            let y = Tensor::from_vec(y, (chunk.len(), OUTPUTS), &device)?;
            let weight: Vec<f32> = chunk.iter().map(|&i| weights[i]).collect();
            let weight = Tensor::from_vec(weight, (chunk.len(), 1), &device)?;
            let squares = (evaluate(&layers, &x)? - y)?.sqr()?.broadcast_mul(&weight)?;
            let loss = squares.mean(0)?.mul(&error_weights)?.sum_all()?;
            optimizer.backward_step(&loss)?;
            sum += f64::from(loss.to_scalar::<f32>()?) * chunk.len() as f64;
            step += 1;
        }
        losses.push(sum / count.max(1) as f64);
    }
    let fitted = layers
        .iter()
        .map(|(weights, biases)| Ok(Layer { weights: numbers(&weights.flatten_all()?)?, biases: numbers(biases)? }));
    let fitted: Vec<Layer> = fitted.collect::<Result<_, candle_core::Error>>()?;
    Ok((scales.folded(fitted)?, losses))
}

/// The loss of `network` on samples that it need not have been fitted to.
#[must_use]
pub fn loss(network: &Network, samples: &[Sample], scales: &Scales) -> f64 {
    let weights = [STEERING_WEIGHT, 1.0].map(|weight| weight / (STEERING_WEIGHT + 1.0));
    let of = |sample: &Sample| {
        let outputs = network.evaluate(&sample.inputs);
        let square = |k: usize| ((outputs[k] - sample.outputs[k]) / scales.outputs[k].1).powi(2);
        sample.weight * (0..OUTPUTS).map(|k| weights[k] * square(k)).sum::<f64>()
    };
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

type Variables = Vec<(Var, Var)>;

fn variables(layers: &[Layer], device: &Device) -> Result<Variables, candle_core::Error> {
    let single = |values: &[f64]| values.iter().map(|&value| value as f32).collect::<Vec<f32>>();
    layers
        .iter()
        .map(|layer| {
            let units = layer.biases.len();
            let shape = (units, layer.weights.len() / units.max(1));
            let weights = Var::from_tensor(&Tensor::from_vec(single(&layer.weights), shape, device)?)?;
            let biases = Var::from_tensor(&Tensor::from_vec(single(&layer.biases), units, device)?)?;
            Ok((weights, biases))
        })
        .collect()
}

fn evaluate(layers: &Variables, inputs: &Tensor) -> Result<Tensor, candle_core::Error> {
    let mut values = inputs.clone();
    for (number, (weights, biases)) in (1..).zip(layers) {
        let sums = values.matmul(&weights.t()?)?.broadcast_add(biases)?;
        values = if number == layers.len() { sums } else { sums.tanh()? };
    }
    Ok(values)
}

fn numbers(values: &Tensor) -> Result<Vec<f64>, candle_core::Error> {
    Ok(values.to_vec1::<f32>()?.into_iter().map(f64::from).collect())
}

/// The outputs as the framework computes them, in single precision.
///
/// # Errors
/// Those of the framework.
pub fn framework_outputs(network: &Network, inputs: &[f64; INPUTS]) -> Result<[f64; OUTPUTS], TrainError> {
    let device = Device::Cpu;
    let layers = variables(network.layers(), &device)?;
    let single: Vec<f32> = inputs.iter().map(|&value| value as f32).collect();
    let outputs = evaluate(&layers, &Tensor::from_vec(single, (1, INPUTS), &device)?)?;
    let outputs = numbers(&outputs.flatten_all()?)?;
    Ok(std::array::from_fn(|k| outputs.get(k).copied().unwrap_or(f64::NAN)))
}
