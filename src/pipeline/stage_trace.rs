//! The results of the stages of reading a picture, for `raceline extract --explain`.

use crate::picture::{Grey, RoadMask, StyleTrial};
use crate::tracing::Traced;

/// The results of the stages of reading a picture, up to the one that failed. Empty for an input of
/// another kind.
#[derive(Clone, Debug, Default)]
pub struct StageTrace {
    /// The picture.
    pub grey: Option<Grey>,
    /// The results of every style.
    pub styles: Vec<StyleTrial>,
    /// The road mask.
    pub mask: Option<RoadMask>,
    /// The edges.
    pub traced: Option<Traced>,
}
