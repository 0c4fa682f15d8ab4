//! One self-contained page of a line or of several: map, charts, corner table, a car that drives the lap.
//!
//! The page needs no network: style, scripts and data stand in it, the charts by the plotly.js that the `plotly` crate carries. What comes
//! from a file is in one JSON element and reaches the page as text only; a Content-Security-Policy with the digests of the page's own
//! scripts keeps anything else from running. `docs/html.md` tells how the page is used.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::Hash as Sha256;

use super::backdrop::Backdrop;
use super::colour_scale::ColourBy;
use super::error::RenderError;
use crate::RacingLine;
use crate::formats::xml_text::Escaped;

mod columns;
mod data;
mod labels;

/// What shapes a page.
#[derive(Clone, Debug, PartialEq)]
pub struct HtmlOptions {
    /// Whether the page begins light or dark. Default: as the reader's system is.
    pub theme: PageTheme,
    /// What the colour of the line shows at first, all but a deviation; the page's reader may choose another. Default: speed, or of several
    /// lines one colour each.
    pub colour_by: Option<ColourBy>,
    /// Whether the cross-sections are shown from the start, which the first line must carry then; a layer they are whenever a line
    /// carries them. Default: no.
    pub sections: bool,
    /// Whether the candidates whose points the lines carry are layers of the page. Default: yes.
    pub candidates: bool,
    /// Whether the corners' numbers are shown from the start. Default: yes.
    pub corners: bool,
    /// The picture that lies behind the road. Default: none.
    pub backdrop: Option<Backdrop>,
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
        }
    }
}

/// The colours that a page begins with; its reader may switch them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageTheme {
    /// As the reader's system is.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// The page's own scripts, one scope for all: a file may use what those before it define.
const SCRIPTS: [&str; 7] = [
    include_str!("line.js"),
    include_str!("view.js"),
    include_str!("map.js"),
    include_str!("charts.js"),
    include_str!("tables.js"),
    include_str!("drive.js"),
    include_str!("page.js"),
];

/// The page of `lines`. The first is the reference: distances are along it, and the others' times are compared with its own.
///
/// # Errors
/// No line, a line that can't be analysed or laid beside the first, cross-sections that are wanted but not there, and colours of a
/// deviation.
pub fn render(lines: &[RacingLine], options: &HtmlOptions) -> Result<String, RenderError> {
    let data = data::of(lines, options)?;
    let json = serde_json::to_string(&data).map_err(|error| RenderError::Data(error.to_string()))?;
    let script = format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPTS.concat());
    let library = chart_library();
    let policy = format!(
        "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src {} {}",
        digest(library),
        digest(&script)
    );
    Ok(filled(&[
        ("policy", &policy),
        ("title", &Escaped(&data.title).to_string()),
        ("style", STYLE),
        ("data", &script_json(&json)),
        ("library", library),
        ("script", &script),
    ]))
}

/// The page with each `{{name}}` replaced; what is put in is not looked at again.
fn filled(parts: &[(&str, &str)]) -> String {
    let mut page = String::with_capacity(PAGE.len() + parts.iter().map(|(_, part)| part.len()).sum::<usize>());
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else { break };
        page.push_str(parts.iter().find(|(key, _)| *key == name).map_or("", |(_, part)| *part));
        rest = after;
    }
    page.push_str(rest);
    page
}

/// The script of plotly.js. The crate offers it as an element, followed by another that typesets formulas, which the page doesn't have.
fn chart_library() -> &'static str {
    static LIBRARY: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    LIBRARY.get_or_init(|| {
        let elements = plotly::Plot::offline_js_sources();
        let script = elements.split_once('>').and_then(|(_, rest)| rest.split_once("</script>"));
        script.map_or_else(String::new, |(script, _)| script.to_owned())
    })
}

/// A script's source expression in a Content-Security-Policy.
fn digest(script: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::hash(script.as_bytes())))
}

/// JSON that can stand in a script element: no `<` can end the element or open a comment.
fn script_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
