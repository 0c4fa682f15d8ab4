//! A track with what is known of its source.

use std::path::PathBuf;

use super::plausibility;
use super::report::ExtractionReport;
use super::warning::Warning;
use crate::file::{Source, Streets};
use crate::frame::PictureFrame;
use crate::track::Track;
use crate::vehicle::Vehicle;

/// A track and its source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extraction {
    /// The file that it was read from, or its name in messages.
    pub file: PathBuf,
    /// Name of the track: the file's name without its ending.
    pub name: String,
    /// The track.
    pub track: Track,
    /// Source.
    pub source: Source,
    /// The position of its picture, for obstacles and pick-ups in pixels.
    pub frame: Option<PictureFrame>,
    /// The streets that its route leads through; `None` for a track that is no route through streets.
    pub streets: Option<Streets>,
    /// The findings, their confidence and the warnings.
    pub report: ExtractionReport,
}

impl Extraction {
    /// Gives the track another name, in its report too.
    pub fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        name.clone_into(&mut self.report.name);
    }

    /// The warnings about the track, and what is unlikely about it for the vehicle that is to drive it, as a
    /// wrong scale makes it. The warnings of [`optimize`](super::optimize) for this track begin with these.
    #[must_use]
    pub fn warnings_for(&self, vehicle: &Vehicle) -> Vec<Warning> {
        let doubts = plausibility::doubts_for(&self.track, vehicle).into_iter().map(Warning::Doubtful);
        self.report.warnings.iter().cloned().chain(doubts).collect()
    }
}
