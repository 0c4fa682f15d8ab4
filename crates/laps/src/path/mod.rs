//! Noisy positions → a smooth path, with the noise measured from the positions themselves.

mod filter;
mod likelihood;
mod node;
mod smoother;

pub(crate) use node::Measurement;
pub use node::{Node, Noise};
pub(crate) use smoother::smoothed;
