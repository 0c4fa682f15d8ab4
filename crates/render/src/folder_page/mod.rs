//! The start page of a folder of tracks: one card per track with a thumbnail, sorted and filtered by
//! a script of its own. It needs no network and works from a file.

use serde::Serialize;

use super::error::RenderError;
use super::html::{COMMON_SCRIPT, digest, filled, script_json};
use super::markup::Short;
use raceline::RacingLine;
use raceline::formats::xml_text::Escaped;

/// A track on the page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FolderEntry {
    /// Path below the folder, without ending.
    pub name: String,
    /// Own page, relative to this one; `None` without a line.
    pub page: Option<String>,
    /// The road and the line, as SVG; see [`thumbnail`].
    pub thumbnail: Option<String>,
    /// Lap time, s.
    pub lap_time_s: Option<f64>,
    /// Length, m; the page sorts by it.
    pub length_m: Option<f64>,
    /// The length as it is shown, with its unit; see [`Decimals`](raceline::units::Decimals).
    pub length: Option<String>,
    /// Name of the vehicle.
    pub vehicle: Option<String>,
    /// How the track fared, in a word or two.
    pub status: String,
    /// Why it failed.
    pub error: Option<String>,
    /// What is doubtful about it.
    pub warnings: Vec<String>,
    /// What the line differs in from the one in git; `None` where git has none.
    pub drift: Option<Vec<String>>,
    /// Date of the line's last commit, as `2026-11-23`; `None` where git has none.
    pub committed: Option<String>,
}

#[derive(Serialize)]
struct FolderData<'a> {
    entries: &'a [FolderEntry],
}

const PAGE: &str = include_str!("folder.html");
const STYLE: &str = include_str!("folder.css");
const SCRIPT: &str = include_str!("folder.js");

/// The page of a folder called `title`.
///
/// # Errors
/// Data that JSON cannot express.
pub fn render(title: &str, entries: &[FolderEntry]) -> Result<String, RenderError> {
    let json = serde_json::to_string(&FolderData { entries }).map_err(|error| RenderError::Data(error.to_string()))?;
    let script = format!("(() => {{\n\"use strict\";\n{COMMON_SCRIPT}{SCRIPT}}})();\n");
    let policy =
        format!("default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src {}", digest(&script));
    Ok(filled(
        PAGE,
        &[
            ("policy", &policy),
            ("title", &Escaped(title).to_string()),
            ("style", STYLE),
            ("data", &script_json(&json)),
            ("script", &script),
        ],
    ))
}

/// Sides of a thumbnail, in its own unit.
const SIDES: [f64; 2] = [240.0, 160.0];
const MARGIN: f64 = 10.0;
/// More points than a thumbnail can show.
const MAX_POINTS: usize = 240;

/// The road and the line of `line` as a small SVG. Its colours are those of the page.
#[must_use]
pub fn thumbnail(line: &RacingLine) -> String {
    let edges = line.edges.left.iter().chain(&line.edges.right);
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in edges {
        for axis in [0, 1] {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    let size = [0, 1].map(|axis| (high[axis] - low[axis]).max(1e-3));
    let room = SIDES.map(|side| side - 2.0 * MARGIN);
    let scale = (room[0] / size[0]).min(room[1] / size[1]);
    let path = |points: &mut dyn Iterator<Item = [f64; 2]>, count: usize| {
        let every = count.div_ceil(MAX_POINTS).max(1);
        let mut data = String::new();
        for (i, [x, y]) in points.step_by(every).enumerate() {
            let px = SIDES[0] / 2.0 + (x - (low[0] + high[0]) / 2.0) * scale;
            let py = SIDES[1] / 2.0 - (y - (low[1] + high[1]) / 2.0) * scale;
            data.push_str(&format!("{}{} {}", if i == 0 { "M" } else { "L" }, Short(px), Short(py)));
        }
        if line.closed {
            data.push('Z');
        }
        data
    };
    let edge = |points: &[[f64; 2]]| path(&mut points.iter().copied(), points.len());
    let driven = path(&mut line.points.iter().map(|point| [point.x_m, point.y_m]), line.points.len());
    format!(
        r#"<svg viewBox="0 0 {} {}" aria-hidden="true"><path class="edge" d="{}"/><path class="edge" d="{}"/><path class="line" d="{driven}"/></svg>"#,
        SIDES[0],
        SIDES[1],
        edge(&line.edges.left),
        edge(&line.edges.right)
    )
}
