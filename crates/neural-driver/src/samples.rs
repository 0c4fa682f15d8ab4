//! The network's training data: inputs with the answers of the follower or of a person.

use raceline_follower::neural::{INPUTS, Layer, Network, NetworkError, OUTPUTS};

/// A frame: what the network is shown, and the outputs with which it would command what the follower or a
/// person commands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// See [`raceline_follower::neural`].
    pub inputs: [f64; INPUTS],
    /// Steering and pedal.
    pub outputs: [f64; OUTPUTS],
    /// Factor on the squared error, 0 or more; 1 on the mean of all samples.
    pub weight: f64,
}

/// Samples for a fit.
pub type Samples = Vec<Sample>;

/// Mean and standard deviation of every input and output: the fit sees numbers of mean 0 and
/// deviation 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Scales {
    /// Of the inputs.
    pub inputs: [(f64, f64); INPUTS],
    /// Of the outputs.
    pub outputs: [(f64, f64); OUTPUTS],
}

/// An input that varies less than this is shown as it is.
const MIN_DEVIATION: f64 = 1e-3;

impl Scales {
    /// The scales of `samples`; mean 0 and deviation 1 without any.
    #[must_use]
    pub fn of(samples: &[Sample]) -> Self {
        Self {
            inputs: std::array::from_fn(|k| mean_and_deviation(samples.iter().map(|sample| sample.inputs[k]))),
            outputs: std::array::from_fn(|k| mean_and_deviation(samples.iter().map(|sample| sample.outputs[k]))),
        }
    }

    /// The layers of a network that was fitted to scaled numbers, for numbers as they are: the scales
    /// become part of the first and the last layer.
    ///
    /// # Errors
    /// [`NetworkError`] for weights that are no network.
    pub fn folded(&self, mut layers: Vec<Layer>) -> Result<Network, NetworkError> {
        if let Some(first) = layers.first_mut() {
            for (row, bias) in first.weights.chunks_exact_mut(INPUTS).zip(&mut first.biases) {
                for (weight, (mean, deviation)) in row.iter_mut().zip(self.inputs) {
                    *weight /= deviation;
                    *bias -= *weight * mean;
                }
            }
        }
        if let Some(last) = layers.last_mut() {
            let width = last.weights.len() / last.biases.len().max(1);
            let rows = last.weights.chunks_exact_mut(width.max(1)).zip(&mut last.biases);
            for ((row, bias), (mean, deviation)) in rows.zip(self.outputs) {
                row.iter_mut().for_each(|weight| *weight *= deviation);
                *bias = *bias * deviation + mean;
            }
        }
        Network::new(layers)
    }

    /// The inverse of [`Self::folded`].
    #[must_use]
    pub fn unfolded(&self, network: &Network) -> Vec<Layer> {
        let mut layers = network.layers().to_vec();
        if let Some(last) = layers.last_mut() {
            let width = last.weights.len() / last.biases.len().max(1);
            let rows = last.weights.chunks_exact_mut(width.max(1)).zip(&mut last.biases);
            for ((row, bias), (mean, deviation)) in rows.zip(self.outputs) {
                row.iter_mut().for_each(|weight| *weight /= deviation);
                *bias = (*bias - mean) / deviation;
            }
        }
        if let Some(first) = layers.first_mut() {
            for (row, bias) in first.weights.chunks_exact_mut(INPUTS).zip(&mut first.biases) {
                for (weight, (mean, deviation)) in row.iter_mut().zip(self.inputs) {
                    *bias += *weight * mean;
                    *weight *= deviation;
                }
            }
        }
        layers
    }
}

fn mean_and_deviation(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    let deviation = (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
    (mean, if deviation > MIN_DEVIATION { deviation } else { 1.0 })
}
