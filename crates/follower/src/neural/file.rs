//! The file of a network, version 1: JSON.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::inputs::INPUTS;
use super::network::{Layer, Network, NetworkError};

/// Name and version.
const FORMAT: &str = "raceline-neural-driver";
const VERSION: u32 = 1;

/// The reason that a file is not a driver's network.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NetworkFileError {
    /// The text is not JSON, or lacks a key: the message of the reader with line and column.
    NotRead(String),
    /// The file has another `format` or `version`.
    OtherFormat {
        /// The file's `format`.
        format: String,
        /// The file's `version`.
        version: u32,
    },
    /// The network has another number of inputs.
    OtherInputs {
        /// Number of inputs that the file states.
        inputs: usize,
    },
    /// A row of weights with another length than the first of its layer. Counted from 1.
    UnevenRow {
        /// The layer.
        layer: usize,
        /// The unit.
        unit: usize,
    },
    /// The weights are not a network.
    Network(NetworkError),
}

impl fmt::Display for NetworkFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRead(reason) => write!(f, "not a neural driver: {reason}"),
            Self::OtherFormat { format, version } => write!(
                f,
                "format \"{format}\", version {version}: a neural driver has format \"{FORMAT}\", version {VERSION}"
            ),
            Self::OtherInputs { inputs } => {
                write!(f, "inputs: {inputs}, but this version has {INPUTS}: train the driver again")
            }
            Self::UnevenRow { layer, unit } => {
                write!(f, "layer {layer}: the row of unit {unit} has another length than that of unit 1")
            }
            Self::Network(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NetworkFileError {}

#[derive(Serialize, Deserialize)]
struct NetworkFile {
    format: String,
    version: u32,
    inputs: usize,
    layers: Vec<LayerRows>,
}

#[derive(Serialize, Deserialize)]
struct LayerRows {
    /// One row per unit.
    weights: Vec<Vec<f64>>,
    biases: Vec<f64>,
}

/// The JSON of a network. Numbers are written in full: reading gives the same network.
pub fn write_network(network: &Network) -> String {
    let mut inputs = INPUTS;
    let mut layers = Vec::new();
    for layer in network.layers() {
        let weights = layer.weights.chunks_exact(inputs).map(<[f64]>::to_vec).collect();
        layers.push(LayerRows { weights, biases: layer.biases.clone() });
        inputs = layer.biases.len();
    }
    let file = NetworkFile { format: FORMAT.to_owned(), version: VERSION, inputs: INPUTS, layers };
    // Numbers and a text always have a JSON form.
    let text = serde_json::to_string(&file).unwrap_or_default();
    // A row of weights per line, so that differences can be read.
    let mut text = text.replace("],[", "],\n[");
    text.push('\n');
    text
}

/// Reads what [`write_network`] wrote.
///
/// # Errors
/// [`NetworkFileError`] for bytes that are not such a file, and for a network of wrong sizes or with a
/// weight that is not a number.
pub fn read_network(bytes: &[u8]) -> Result<Network, NetworkFileError> {
    let file: NetworkFile =
        serde_json::from_slice(bytes).map_err(|error| NetworkFileError::NotRead(error.to_string()))?;
    if file.format != FORMAT || file.version != VERSION {
        return Err(NetworkFileError::OtherFormat { format: file.format, version: file.version });
    }
    if file.inputs != INPUTS {
        return Err(NetworkFileError::OtherInputs { inputs: file.inputs });
    }
    let mut layers = Vec::new();
    for (layer, LayerRows { weights, biases }) in (1..).zip(file.layers) {
        let width = weights.first().map_or(0, Vec::len);
        if let Some(unit) = weights.iter().position(|row| row.len() != width) {
            return Err(NetworkFileError::UnevenRow { layer, unit: unit + 1 });
        }
        layers.push(Layer { weights: weights.concat(), biases });
    }
    Network::new(layers).map_err(NetworkFileError::Network)
}
