//! One self-contained page of one or several lines: map, charts, corner table, a car that drives
//! the lap.
//!
//! The page requires no network: it contains style, scripts and data. The charts use the plotly.js
//! of the `plotly` crate. The data from files is in one JSON element and is inserted into the page
//! as text only. A Content-Security-Policy with the digests of the page's scripts blocks any other
//! script. `docs/guides/pages-and-pictures.md` describes the use of the page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::Hash as Sha256;

use super::backdrop::Backdrop;
use super::colour_scale::ColourBy;
use super::error::RenderError;
use raceline::RacingLine;
use raceline::analysis::Losses;
use raceline::formats::xml_text::Escaped;

mod columns;
mod data;
mod grip;
mod labels;
mod live;
mod passed;

pub use live::{Draft, FrameData, LivePage, PageEditor, render_draft};

/// Options of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct HtmlOptions {
    /// The page's initial theme. Default: that of the reader's system.
    pub theme: PageTheme,
    /// The quantity that the line's colour shows initially, except a deviation; the reader can
    /// select another. Default: speed for one line, one colour per line for several.
    pub colour_by: Option<ColourBy>,
    /// Whether the cross-sections are shown initially; the first line must then contain them. They
    /// are a layer of the page whenever a line contains them. Default: no.
    pub sections: bool,
    /// Whether candidates whose points the lines contain are layers of the page. Default: yes.
    pub candidates: bool,
    /// Whether the corners' numbers are shown initially. Default: yes.
    pub corners: bool,
    /// The picture behind the road. Default: none.
    pub backdrop: Option<Backdrop>,
    /// Where a driven lap, the second line, loses time against the first. Default: none.
    pub losses: Option<Losses>,
    /// The server that the page follows. Default: none, and the page needs no network.
    pub live: Option<LivePage>,
}

impl Default for HtmlOptions {
    fn default() -> Self {
        Self {
            theme: PageTheme::Auto,
            colour_by: None,
            sections: false,
            candidates: true,
            corners: true,
            backdrop: None,
            losses: None,
            live: None,
        }
    }
}

/// The initial theme of a page; the reader can change it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageTheme {
    /// The theme of the reader's system.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// What the scripts of every kind of page use.
pub(super) const COMMON_SCRIPT: &str = include_str!("common.js");
/// The page's own scripts in a common scope: a file may use the definitions of the files before it.
const SCRIPTS: [&str; 12] = [
    COMMON_SCRIPT,
    include_str!("grip.js"),
    include_str!("line.js"),
    include_str!("view.js"),
    include_str!("units.js"),
    include_str!("map_marks.js"),
    include_str!("map.js"),
    include_str!("charts.js"),
    include_str!("gg.js"),
    include_str!("tables.js"),
    include_str!("drive.js"),
    include_str!("page.js"),
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
    // The server is asked for its state and for the chart library, which browsers keep.
    let (connections, library_source, library) = match options.live {
        Some(_) => {
            let link = format!("<script src=\"charts.js?{}\"></script>", env!("CARGO_PKG_VERSION"));
            (" connect-src 'self';", "'self'".to_owned(), link)
        }
        None => ("", digest(chart_library()), format!("<script>{}</script>", chart_library())),
    };
    let policy = format!(
        "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline';{connections} script-src {library_source} {}",
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
            ("library", &library),
            ("script", &script),
        ],
    ))
}

/// `template` with each `{{name}}` replaced; inserted text is not searched again.
pub(super) fn filled(template: &str, parts: &[(&str, &str)]) -> String {
    let mut page = String::with_capacity(template.len() + parts.iter().map(|(_, part)| part.len()).sum::<usize>());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else { break };
        page.push_str(parts.iter().find(|(key, _)| *key == name).map_or("", |(_, part)| *part));
        rest = after;
    }
    page.push_str(rest);
    page
}

/// The script of plotly.js, which a server has beside its page as `charts.js`. The crate returns it as
/// an element followed by another for typesetting formulas, which the page does not contain.
#[must_use]
pub fn chart_library() -> &'static str {
    static LIBRARY: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    LIBRARY.get_or_init(|| {
        let elements = plotly::Plot::offline_js_sources();
        let script = elements.split_once('>').and_then(|(_, rest)| rest.split_once("</script>"));
        script.map_or_else(String::new, |(script, _)| script.to_owned())
    })
}

/// A script's source expression in a Content-Security-Policy.
pub(super) fn digest(script: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::hash(script.as_bytes())))
}

/// JSON for a script element: `<` is escaped, so that it cannot end the element or open a comment.
pub(super) fn script_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
