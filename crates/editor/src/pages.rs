//! Pages with the editor's tools: that of a line, and that of a track without one.

use raceline::analysis::Losses;
use raceline::file::Streets;
use raceline::pipeline::{Extraction, Warning};
use raceline::{Options, RacingLine};
use raceline_car::presets;
use raceline_render::html::{self, Draft, FrameData, HtmlOptions, LivePage, PageEditor, ReadingTools, VehicleCard};
use raceline_render::{Backdrop, RenderError};
use raceline_road::construction::ImportNote;
use raceline_road::frame::PictureFrame;
use raceline_road::track::Direction;

use super::comparison::Comparison;
use super::sidecar_edit::editor_values;

/// A line on a page.
#[derive(Clone, Copy, Debug)]
pub struct LineOnPage<'a> {
    /// The line.
    pub line: &'a RacingLine,
    /// The place of the track's picture in the world, if it has one.
    pub frame: Option<&'a PictureFrame>,
    /// The direction of travel.
    pub direction: Direction,
    /// The middles of the cross-sections, m.
    pub centre_line_m: &'a [[f64; 2]],
    /// What it is compared with.
    pub comparison: &'a Comparison,
    /// The options of reading that change the road.
    pub reading: ReadingTools,
}

/// A track without a line on a page.
#[derive(Clone, Copy, Debug)]
pub struct DraftOnPage<'a> {
    /// Name of the track.
    pub title: &'a str,
    /// Lines of a file without a picture, m: its streets.
    pub streets: Option<&'a Streets>,
}

/// The sidecar that the tools of a page change.
#[derive(Clone, Copy, Debug)]
pub struct SidecarOnPage<'a> {
    /// Name of the file.
    pub name: &'a str,
    /// Its text; empty where there is no file yet.
    pub text: &'a str,
}

/// The picture of a track.
#[derive(Clone, Copy, Debug)]
pub struct PictureOnPage<'a> {
    /// Name of the file.
    pub name: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// Makes the pages of one track, over its picture.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    /// The picture's bytes, and the picture in pixels as it is drawn: a large one takes long to pack.
    picture: Option<(Vec<u8>, Backdrop)>,
    losses: Option<Losses>,
}

impl Pages {
    /// Sets the track's picture, which is packed if it is another one than before. One that cannot be decoded is
    /// left out, except a damaged PNG, which the reader of the track refuses.
    pub fn set_picture(&mut self, picture: Option<PictureOnPage>) {
        let Some(PictureOnPage { name, bytes }) = picture else {
            self.picture = None;
            return;
        };
        if self.picture.as_ref().is_none_or(|(before, _)| *before != bytes) {
            self.picture = Backdrop::unplaced_unread(name, bytes).ok().map(|picture| (bytes.to_vec(), picture));
        }
    }

    /// Sets where a driven lap loses time: the first of the lines that the line is compared with.
    pub fn set_losses(&mut self, losses: Option<Losses>) {
        self.losses = losses;
    }

    /// The page of a line, as a whole HTML file. Without a sidecar it has no tools. `number`: see
    /// [`LivePage::number`].
    ///
    /// # Errors
    /// Those of [`html::render`].
    pub fn of_line(
        &self,
        shown: LineOnPage,
        sidecar: Option<SidecarOnPage>,
        number: u64,
    ) -> Result<String, RenderError> {
        let LineOnPage { line, frame, direction, centre_line_m, comparison, reading } = shown;
        let (compared, entries) = comparison.beside(line);
        let editor = sidecar.map(|sidecar| PageEditor {
            vehicle: line.vehicle.name.clone(),
            centre_line_m: centre_line_m.to_vec(),
            closed: line.closed,
            direction: Some(direction),
            compared: entries,
            reading,
            ..tools(sidecar, frame.map(FrameData::from))
        });
        self.page(line, compared, Some(LivePage { number, editor }))
    }

    /// The page of a line without tools, one file that needs neither an app nor a server.
    ///
    /// # Errors
    /// Those of [`html::render`].
    pub fn without_tools(&self, line: &RacingLine, comparison: &Comparison) -> Result<String, RenderError> {
        self.page(line, comparison.beside(line).0, None)
    }

    fn page(
        &self,
        line: &RacingLine,
        compared: Vec<RacingLine>,
        live: Option<LivePage>,
    ) -> Result<String, RenderError> {
        let backdrop = self.backdrop().and_then(|picture| picture.placed(line).ok());
        let losses = self.losses.clone().filter(|_| !compared.is_empty());
        let options = HtmlOptions { backdrop, losses, live, ..HtmlOptions::default() };
        let lines: Vec<RacingLine> = std::iter::once(line.clone()).chain(compared).collect();
        html::render(&lines, &options)
    }

    /// The page of a track that has no line yet.
    ///
    /// # Errors
    /// Those of [`html::render_draft`].
    pub fn draft(
        &self,
        shown: DraftOnPage,
        sidecar: Option<SidecarOnPage>,
        number: u64,
    ) -> Result<String, RenderError> {
        let picture = self.backdrop();
        // In the pixels of the picture, with y upwards.
        let frame = picture.as_ref().map(|picture| FrameData {
            metres_per_pixel: 1.0,
            origin_m: [0.0, 0.0],
            height_px: picture.corners_m()[1][1] as u32,
        });
        let editor = sidecar.map(|sidecar| tools(sidecar, frame));
        let streets = shown.streets.map(|streets| streets.lines.clone()).unwrap_or_default();
        html::render_draft(&Draft {
            title: shown.title.to_owned(),
            picture,
            streets,
            live: LivePage { number, editor },
        })
    }

    /// The picture in pixels.
    fn backdrop(&self) -> Option<Backdrop> {
        self.picture.as_ref().map(|(_, picture)| picture.clone())
    }
}

/// The options of reading that change the road that was read so with `options`.
#[must_use]
pub fn reading_tools(options: &Options, extraction: &Extraction) -> ReadingTools {
    let Extraction { frame, report, .. } = extraction;
    let is_incomplete = |warning: &Warning| matches!(warning, Warning::Import(ImportNote::WidthIncomplete { .. }));
    let is_unused = |warning: &Warning| matches!(warning, Warning::Import(ImportNote::WidthNotUsed));
    let has = |is_so: fn(&Warning) -> bool| report.warnings.iter().any(is_so);
    // A path through free space passes its vias, and has no other road to choose.
    let is_planned = options.plan.is_planned();
    let is_traced = frame.is_some() && !is_planned;
    ReadingTools {
        lap: is_traced,
        width: has(is_incomplete) || options.scale.track_width_m.is_some() && !has(is_unused),
        road_at: is_traced,
        via: is_planned || is_traced && (report.crossings > 0 || !report.side_roads.is_empty()),
    }
}

/// What the tools need on a page without a line.
fn tools(sidecar: SidecarOnPage, frame: Option<FrameData>) -> PageEditor {
    let values = editor_values(sidecar.text);
    let vehicle = values.get("vehicle").and_then(|value| value.as_str()).unwrap_or(Options::DEFAULT_VEHICLE);
    // Before a road was read, what may change it.
    let is_traced = frame.is_some() && !values.contains_key("from");
    PageEditor {
        sidecar: sidecar.name.to_owned(),
        vehicle: vehicle.to_owned(),
        reading: ReadingTools { lap: is_traced, width: false, road_at: is_traced, via: frame.is_some() },
        values,
        vehicles: presets().iter().map(VehicleCard::from).collect(),
        frame,
        ..PageEditor::default()
    }
}
