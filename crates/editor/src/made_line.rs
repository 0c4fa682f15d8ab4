//! The line that was made last, with what its page needs of its track.

use raceline::RacingLine;
use raceline_render::html::ReadingTools;
use raceline_road::frame::PictureFrame;
use raceline_road::track::Direction;

use super::comparison::Comparison;
use super::pages::LineOnPage;

/// What was made of the track last.
#[derive(Clone, Debug)]
pub(super) struct MadeLine {
    pub(super) line: RacingLine,
    pub(super) frame: Option<PictureFrame>,
    pub(super) direction: Direction,
    pub(super) centre_line_m: Vec<[f64; 2]>,
    pub(super) reading: ReadingTools,
}

impl MadeLine {
    /// The line on its page, beside those that it is compared with.
    pub(super) fn on_page<'a>(&'a self, comparison: &'a Comparison) -> LineOnPage<'a> {
        LineOnPage {
            line: &self.line,
            frame: self.frame.as_ref(),
            direction: self.direction,
            centre_line_m: &self.centre_line_m,
            comparison,
            reading: self.reading,
        }
    }
}
