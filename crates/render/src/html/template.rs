//! Templates of pages, and what every kind of page has.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::Hash as Sha256;

pub(super) const STYLE: &str = concat!(include_str!("../tokens.css"), include_str!("page.css"));
/// What the scripts of every kind of page use.
pub(crate) const COMMON_SCRIPT: &str = include_str!("common.js");
/// The outline of a g-g diagram, for that of a line and for the cards of vehicles.
pub(super) const LIMIT_SCRIPT: &str = include_str!("gg_outline.js");

/// `template` with each `{{name}}` replaced; inserted text is not searched again.
pub(crate) fn filled(template: &str, parts: &[(&str, &str)]) -> String {
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

/// A script's source expression in a Content-Security-Policy.
pub(crate) fn digest(script: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::hash(script.as_bytes())))
}

/// JSON for a script element: `<` is escaped, so that it cannot end the element or open a comment.
pub(crate) fn script_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
