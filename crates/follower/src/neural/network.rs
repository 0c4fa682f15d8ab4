//! A multilayer perceptron of fixed greatest size, evaluated without allocation.
//!
//! ```text
//! h₁ = tanh(W₁ x + b₁)    …    y = W y₋₁ + b
//! ```
//!
//! (Goodfellow, Bengio and Courville, *Deep Learning*, 2016, section 6.)

use std::fmt;

use super::inputs::INPUTS;
use raceline_numerics::math;

/// Number of outputs: steering and pedal.
pub const OUTPUTS: usize = 2;
/// Largest number of units of a hidden layer.
pub const MAX_UNITS: usize = 128;
/// Largest number of hidden layers.
pub const MAX_HIDDEN_LAYERS: usize = 3;
/// Largest weight or bias.
const LARGEST: f64 = 1e6;

/// One layer: outputs = weights · inputs + biases.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    /// The weights of one unit after another: of each, one weight per input of the layer. Each within
    /// ± 1e6.
    pub weights: Vec<f64>,
    /// One bias per unit, each within ± 1e6.
    pub biases: Vec<f64>,
}

/// The network of a driver: [`INPUTS`] inputs, 0 to [`MAX_HIDDEN_LAYERS`] hidden layers of at most
/// [`MAX_UNITS`] units with tanh, [`OUTPUTS`] outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    layers: Vec<Layer>,
}

/// The reason that weights are not a driver's network. Layers and units are counted from 1.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NetworkError {
    /// No layer, or too many.
    Layers {
        /// Number of layers, that of the outputs included.
        given: usize,
    },
    /// A hidden layer with no unit or too many, or a last layer without [`OUTPUTS`] units.
    Units {
        /// The layer.
        layer: usize,
        /// Number of units that was given.
        given: usize,
        /// Permitted number.
        must: &'static str,
    },
    /// A layer whose weights are not one per unit and input.
    Weights {
        /// The layer.
        layer: usize,
        /// Number of weights.
        given: usize,
        /// Number of units of the layer.
        units: usize,
        /// Number of inputs of the layer.
        inputs: usize,
    },
    /// A weight or bias that is NaN, infinite or too large.
    Number {
        /// The layer.
        layer: usize,
        /// The unit.
        unit: usize,
        /// The value.
        value: f64,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layers { given } => {
                write!(f, "the network has {given} layers, but must have 1 to {}", MAX_HIDDEN_LAYERS + 1)
            }
            Self::Units { layer, given, must } => write!(f, "layer {layer} has {given} units, but must have {must}"),
            Self::Weights { layer, given, units, inputs } => write!(
                f,
                "layer {layer} has {given} weights, but its {units} units with {inputs} inputs each must have {}",
                units.saturating_mul(*inputs)
            ),
            Self::Number { layer, unit, value } => write!(
                f,
                "layer {layer}, unit {unit}: a weight or the bias is {value}, but must be within ± {LARGEST}: train \
                 the driver again"
            ),
        }
    }
}

impl std::error::Error for NetworkError {}

impl Network {
    /// Checks sizes and numbers.
    ///
    /// # Errors
    /// The first layer that does not fit.
    pub fn new(layers: Vec<Layer>) -> Result<Self, NetworkError> {
        let last = match layers.len() {
            count @ 1.. if count <= MAX_HIDDEN_LAYERS + 1 => count,
            given => return Err(NetworkError::Layers { given }),
        };
        let mut inputs = INPUTS;
        for (layer, Layer { weights, biases }) in (1..).zip(&layers) {
            let units = biases.len();
            let (fits, must) = if layer == last {
                (units == OUTPUTS, "2, steering and pedal")
            } else {
                ((1..=MAX_UNITS).contains(&units), "1 to 128")
            };
            if !fits {
                return Err(NetworkError::Units { layer, given: units, must });
            }
            if weights.len() != units * inputs {
                return Err(NetworkError::Weights { layer, given: weights.len(), units, inputs });
            }
            for (unit, (row, bias)) in (1..).zip(weights.chunks_exact(inputs).zip(biases)) {
                // NaN is not within the range either.
                let wrong = row.iter().chain([bias]).find(|value| !(-LARGEST..=LARGEST).contains(*value));
                if let Some(&value) = wrong {
                    return Err(NetworkError::Number { layer, unit, value });
                }
            }
            inputs = units;
        }
        Ok(Self { layers })
    }

    /// The layers from the inputs to the outputs.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The outputs. Finite for finite inputs within ± 1e6; allocates nothing.
    pub fn evaluate(&self, inputs: &[f64; INPUTS]) -> [f64; OUTPUTS] {
        const { assert!(INPUTS <= MAX_UNITS && OUTPUTS <= MAX_UNITS) };
        let mut values = [0.0; MAX_UNITS];
        values[..INPUTS].copy_from_slice(inputs);
        let mut count = INPUTS;
        for (number, layer) in (1..).zip(&self.layers) {
            let is_last = number == self.layers.len();
            let mut next = [0.0; MAX_UNITS];
            let rows = layer.weights.chunks_exact(count).zip(&layer.biases);
            for (place, (row, bias)) in next.iter_mut().zip(rows) {
                let sum = row.iter().zip(&values).fold(*bias, |sum, (weight, value)| sum + weight * value);
                *place = if is_last { sum } else { math::tanh(sum) };
            }
            values = next;
            count = layer.biases.len();
        }
        [values[0], values[1]]
    }
}
