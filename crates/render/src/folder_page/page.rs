//! The page.

use serde::Serialize;

use crate::error::RenderError;
use crate::html::{COMMON_SCRIPT, digest, filled, script_json};
use raceline::formats::xml_text::Escaped;

/// A track on the page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FolderEntry {
    /// Path below the folder, without ending.
    pub name: String,
    /// Own page, relative to this one; `None` without a line.
    pub page: Option<String>,
    /// The road and the line, as SVG; see [`thumbnail`](super::thumbnail).
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
const STYLE: &str = concat!(include_str!("../tokens.css"), include_str!("folder.css"));
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
