//! The page of one or several lines.

use super::options::HtmlOptions;
use super::template::{COMMON_SCRIPT, LIMIT_SCRIPT, STYLE, digest, filled, script, script_json};
use super::{data, live};
use crate::error::RenderError;
use raceline::RacingLine;
use raceline::formats::xml_text::Escaped;

const PAGE: &str = include_str!("page.html");
/// The page's own scripts in a common scope: a file may use the definitions of the files before it.
const SCRIPTS: [&str; 15] = [
    COMMON_SCRIPT,
    LIMIT_SCRIPT,
    script!("grip.js"),
    script!("line.js"),
    script!("view.js"),
    script!("units.js"),
    script!("map_marks.js"),
    script!("minimap.js"),
    script!("map.js"),
    script!("charts.js"),
    script!("gg.js"),
    script!("tables.js"),
    script!("drive.js"),
    script!("sheet.js"),
    script!("page.js"),
];

/// The page of `lines`. The first is the reference: distances are along it, and the other lines' times
/// are compared with its own.
///
/// # Errors
/// No line, a line that cannot be analysed or compared with the first, cross-sections that are to
/// be shown but missing, and colours by deviation.
pub fn render(lines: &[RacingLine], options: &HtmlOptions) -> Result<String, RenderError> {
    let data = data::of(lines, options)?;
    let json = serde_json::to_string(&data).map_err(|error| RenderError::Data(error.to_string()))?;
    let live = if options.live.is_some() { live::LIVE_SCRIPTS.concat() } else { String::new() };
    let script = format!("(() => {{\n\"use strict\";\n{}{live}}})();\n", SCRIPTS.concat());
    // A served page asks for its state.
    let connections = if options.live.is_some() { " connect-src 'self';" } else { "" };
    let policy = format!(
        "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline';{connections} script-src {}",
        digest(&script)
    );
    let style = if options.live.is_some() { [STYLE, live::EDITOR_STYLE].concat() } else { STYLE.to_owned() };
    Ok(filled(
        PAGE,
        &[
            ("policy", &policy),
            ("title", &Escaped(&data.title).to_string()),
            ("style", &style),
            ("data", &script_json(&json)),
            ("script", &script),
        ],
    ))
}
