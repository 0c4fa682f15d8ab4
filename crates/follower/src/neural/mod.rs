//! A driver that is a small neural network, trained to imitate the follower.
//!
//! A [`Network`] is a multilayer perceptron: its weights come from a file (`json::read_network`, with
//! the feature `json`) or from [`Network::new`]. A [`NeuralDriver`] computes the network's inputs from
//! a vehicle's motion and a preview of the path, evaluates it, and makes its outputs a steering angle
//! and a pedal. All inputs are relative to the vehicle's limits, so that one network can drive tracks
//! and vehicles that it was not trained on. The crate `raceline-neural-driver` trains networks.

mod driver;
#[cfg(feature = "json")]
pub(crate) mod file;
mod inputs;
mod network;

pub use driver::{NeuralDriver, NeuralDriverOptions};
pub use inputs::{INPUTS, PREVIEW_S};
pub use network::{Layer, MAX_HIDDEN_LAYERS, MAX_UNITS, Network, NetworkError, OUTPUTS};
