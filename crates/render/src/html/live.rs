//! The page of a server: it loads itself anew when the server has a new one, and its tools change
//! the track's sidecar. A track without a line yet has a draft: its picture and the same tools.

use serde::Serialize;
use serde_json::{Map, Value};

use super::template::{COMMON_SCRIPT, STYLE, digest, filled, script_json};
use crate::backdrop::Backdrop;
use crate::error::RenderError;
use raceline::formats::xml_text::Escaped;
use raceline_road::frame::PictureFrame;
use raceline_road::track::Direction;

/// What a page needs to know about its server.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LivePage {
    /// Number of the page; the page loads itself anew when the server's is another.
    pub number: u64,
    /// What the tools need; `None` for a page without tools.
    pub editor: Option<PageEditor>,
}

/// What the tools of a page need.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageEditor {
    /// Name of the sidecar.
    pub sidecar: String,
    /// The sidecar's options.
    pub values: Map<String, Value>,
    /// Names of the vehicle presets.
    pub vehicles: Vec<String>,
    /// Name of the vehicle in use.
    pub vehicle: String,
    /// Where the picture's pixels lie; positions are then written in pixels, else in metres.
    pub frame: Option<FrameData>,
    /// The centre line from the start line in the direction of travel, m; empty without a track.
    pub centre_line_m: Vec<[f64; 2]>,
    /// Whether the road leads back to its start.
    pub closed: bool,
    /// The direction of travel; `None` without a track.
    pub direction: Option<Direction>,
}

/// A picture's place in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FrameData {
    /// Side of a pixel, m.
    pub metres_per_pixel: f64,
    /// World position of the bottom-left corner, m.
    pub origin_m: [f64; 2],
    /// Rows of pixels.
    pub height_px: u32,
}

impl From<&PictureFrame> for FrameData {
    fn from(frame: &PictureFrame) -> Self {
        let origin_m = [frame.origin_m.x, frame.origin_m.y];
        Self { metres_per_pixel: frame.metres_per_pixel, origin_m, height_px: frame.height_px }
    }
}

/// The scripts of a page with [`LivePage`], after those that make its map.
pub(super) const LIVE_SCRIPTS: [&str; 4] =
    [include_str!("keypad.js"), include_str!("editor_marks.js"), include_str!("editor.js"), include_str!("live.js")];
pub(super) const EDITOR_STYLE: &str = include_str!("editor.css");

const DRAFT: &str = include_str!("draft.html");
const DRAFT_SCRIPT: &str = include_str!("draft.js");

/// The page of a track that has no line yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Name of the track.
    pub title: String,
    /// Picture, which lies as [`Backdrop::unplaced`].
    pub picture: Option<Backdrop>,
    /// What the page needs to know about its server.
    pub live: LivePage,
}

#[derive(Serialize)]
struct DraftData<'a> {
    picture: Option<String>,
    size: [f64; 2],
    live: &'a LivePage,
}

/// The page of `draft`.
///
/// # Errors
/// Data that JSON cannot express.
pub fn render_draft(draft: &Draft) -> Result<String, RenderError> {
    let data = DraftData {
        picture: draft.picture.as_ref().map(Backdrop::data_uri),
        size: draft.picture.as_ref().map_or([1.0, 1.0], |picture| picture.corners_m()[1]),
        live: &draft.live,
    };
    let json = serde_json::to_string(&data).map_err(|error| RenderError::Data(error.to_string()))?;
    let script = format!("(() => {{\n\"use strict\";\n{COMMON_SCRIPT}{DRAFT_SCRIPT}{}}})();\n", LIVE_SCRIPTS.concat());
    let policy = format!(
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; connect-src 'self'; script-src {}",
        digest(&script)
    );
    Ok(filled(
        DRAFT,
        &[
            ("policy", &policy),
            ("title", &Escaped(&draft.title).to_string()),
            ("style", &[STYLE, EDITOR_STYLE].concat()),
            ("data", &script_json(&json)),
            ("script", &script),
        ],
    ))
}
