//! What the stages of reading a picture found, for `raceline extract --explain`.

use crate::edges::Traced;
use crate::picture::{Grey, RoadMask, StyleTrial};

/// What each stage of reading a picture found, as far as the stages came. Empty for an input of another
/// kind.
#[derive(Clone, Debug, Default)]
pub struct StageTrace {
    /// The picture.
    pub grey: Option<Grey>,
    /// Every style, tried by itself.
    pub styles: Vec<StyleTrial>,
    /// The road mask.
    pub mask: Option<RoadMask>,
    /// The edges.
    pub traced: Option<Traced>,
}
