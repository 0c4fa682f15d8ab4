//! What a track is read from.

use std::path::{Path, PathBuf};

use super::extracted_track::Extraction;
use crate::input::Input;

/// Where [`optimize`](super::optimize) takes a track from: a file, or what was extracted from one.
#[derive(Clone, Debug)]
pub enum TrackSource<'a> {
    /// A file of any kind that [`extract`](super::extract) reads.
    File(&'a Path),
    /// What such a file has, in memory, with its name in messages.
    Memory(PathBuf, Box<Input>),
    /// The points of a centre line, metres, in the direction of travel, with the distances from each to the left
    /// and to the right edge, metres, and the track's name.
    CentreLine(String, Vec<[f64; 2]>, Vec<[f64; 2]>),
    /// The points of the left and of the right edge, metres, in the direction of travel, and the track's name. The
    /// edges need not have the same number of points.
    EdgeLines(String, Vec<[f64; 2]>, Vec<[f64; 2]>),
    /// A track that was read before.
    Extracted(Box<Extraction>),
}

impl<'a, P: AsRef<Path> + ?Sized> From<&'a P> for TrackSource<'a> {
    fn from(file: &'a P) -> Self {
        Self::File(file.as_ref())
    }
}

impl From<Extraction> for TrackSource<'_> {
    fn from(extraction: Extraction) -> Self {
        Self::Extracted(Box::new(extraction))
    }
}
