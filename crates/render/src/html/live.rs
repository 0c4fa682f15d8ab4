//! The page of a server: it loads itself anew when the server has a new one, and its tools change
//! the track's sidecar. A track without a line yet has a draft: its picture and the same tools.

use serde::Serialize;
use serde_json::{Map, Value};

use super::grip::{Limits, limits_at};
use super::template::{COMMON_SCRIPT, LIMIT_SCRIPT, STYLE, digest, filled, script, script_json};
use crate::backdrop::Backdrop;
use crate::error::RenderError;
use raceline::formats::xml_text::Escaped;
use raceline_car::{Preset, Vehicle};
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
    /// The vehicle presets, the default first.
    pub vehicles: Vec<VehicleCard>,
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
    /// What the line is compared with, in the order of the page's other lines.
    pub compared: Vec<ComparedEntry>,
    /// The options of reading the track that change this road.
    pub reading: ReadingTools,
}

/// Which options of reading a track change its road: a page offers tools for these alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReadingTools {
    /// `track_length_m`.
    pub lap: bool,
    /// `track_width_m`.
    pub width: bool,
    /// `road_at`.
    pub road_at: bool,
    /// `via`.
    pub via: bool,
}

/// A line or a driven lap that a page compares with its own line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedEntry {
    /// Name of the file, or the lap time of a line that was kept.
    pub name: String,
    /// Whether it is on the page; not where it is of another track than the page's line.
    pub is_shown: bool,
}

/// A vehicle preset as a page shows it for a choice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VehicleCard {
    name: &'static str,
    summary: &'static str,
    /// At a slow and a fast speed, for a picture of the g-g diagram.
    limits: Option<Limits>,
}

/// The speeds of the g-g diagrams on a vehicle's card, m/s; the top speed instead of the second where that is lower.
const CARD_SPEEDS_MPS: [f64; 2] = [10.0, 30.0];

impl From<&Preset> for VehicleCard {
    fn from(preset: &Preset) -> Self {
        let of_vehicle = |vehicle: Vehicle| {
            let [slow, fast] = CARD_SPEEDS_MPS;
            limits_at(&vehicle, vec![slow, fast.min(vehicle.max_speed_mps)])
        };
        let limits = Vehicle::from_toml(preset.toml, preset.name).ok().and_then(of_vehicle);
        Self { name: preset.name, summary: preset.summary, limits }
    }
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
pub(super) const LIVE_SCRIPTS: [&str; 7] = [
    script!("keypad.js"),
    script!("vehicle_cards.js"),
    script!("editor_marks.js"),
    script!("handles.js"),
    script!("editor.js"),
    script!("comparison.js"),
    script!("live.js"),
];
pub(super) const EDITOR_STYLE: &str = include_str!("editor.css");

const DRAFT: &str = include_str!("draft.html");
const DRAFT_SCRIPT: &str = script!("draft.js");

/// The page of a track that has no line yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Name of the track.
    pub title: String,
    /// Picture, which lies as [`Backdrop::unplaced`].
    pub picture: Option<Backdrop>,
    /// Lines of a file without a picture, on which places are chosen, m.
    pub streets: Vec<Vec<[f64; 2]>>,
    /// What the page needs to know about its server.
    pub live: LivePage,
}

#[derive(Serialize)]
struct DraftData<'a> {
    picture: Option<String>,
    /// The bottom-left and the top-right corner of what is drawn.
    corners: [[f64; 2]; 2],
    streets: &'a [Vec<[f64; 2]>],
    live: &'a LivePage,
}

/// The corners of the box about `lines`; a square where there are none.
fn corners_of(lines: &[Vec<[f64; 2]>]) -> [[f64; 2]; 2] {
    let mut points = lines.iter().flatten();
    let Some(&first) = points.next() else { return [[0.0, 0.0], [1.0, 1.0]] };
    points.fold([first, first], |[low, high], point| {
        [[low[0].min(point[0]), low[1].min(point[1])], [high[0].max(point[0]), high[1].max(point[1])]]
    })
}

/// The page of `draft`.
///
/// # Errors
/// Data that JSON cannot express.
pub fn render_draft(draft: &Draft) -> Result<String, RenderError> {
    let data = DraftData {
        picture: draft.picture.as_ref().map(Backdrop::data_uri),
        corners: draft.picture.as_ref().map_or_else(|| corners_of(&draft.streets), |picture| picture.corners_m()),
        streets: &draft.streets,
        live: &draft.live,
    };
    let json = serde_json::to_string(&data).map_err(|error| RenderError::Data(error.to_string()))?;
    let script = format!(
        "(() => {{\n\"use strict\";\n{COMMON_SCRIPT}{LIMIT_SCRIPT}{DRAFT_SCRIPT}{}}})();\n",
        LIVE_SCRIPTS.concat()
    );
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

#[cfg(test)]
mod tests {
    use raceline_car::{STANDARD_GRAVITY, Vehicle, presets};
    use raceline_file::round_to;

    use super::VehicleCard;

    #[test]
    fn every_preset_has_a_card_with_the_limits_of_its_keys() {
        for preset in presets() {
            let vehicle = Vehicle::from_toml(preset.toml, preset.name).unwrap();
            let card = serde_json::to_value(VehicleCard::from(preset)).unwrap();
            let limits = &card["limits"];
            let fast = limits["speed_mps"][1].as_f64().unwrap();
            assert_eq!(limits["speed_mps"][0], 10.0, "{}", preset.name);
            assert!(fast > 10.0 && fast <= vehicle.max_speed_mps, "{}: {fast} m/s", preset.name);
            if vehicle.ggv_table.is_empty() {
                let growth = vehicle.downforce_kgpm * fast * fast / (vehicle.mass_kg * STANDARD_GRAVITY);
                let braking = vehicle.longitudinal_limit_mps2 * (1.0 + growth);
                assert_eq!(limits["braking_mps2"][1], round_to(braking, 3), "{}", preset.name);
            }
        }
    }
}
