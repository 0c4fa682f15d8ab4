//! Templates of pages, and what every kind of page has.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::Hash as Sha256;

/// Length of a script without its lines of comments and its indentation, bytes.
pub(super) const fn shortened_length(script: &str) -> usize {
    let bytes = script.as_bytes();
    let (mut length, mut at) = (0, 0);
    while at < bytes.len() {
        let (begin, end) = kept_of_line(bytes, at);
        length += end - begin;
        at = end;
    }
    length
}

/// A script without its lines of comments and its indentation; `N` is its [`shortened_length`].
pub(super) const fn shortened<const N: usize>(script: &str) -> [u8; N] {
    let bytes = script.as_bytes();
    let (mut kept, mut length, mut at) = ([0; N], 0, 0);
    while at < bytes.len() {
        let (mut from, end) = kept_of_line(bytes, at);
        while from < end {
            kept[length] = bytes[from];
            length += 1;
            from += 1;
        }
        at = end;
    }
    kept
}

/// The part that is kept of the line at `at`, whose end is that of the line: nothing of a comment.
const fn kept_of_line(bytes: &[u8], at: usize) -> (usize, usize) {
    let mut begin = at;
    while begin < bytes.len() && bytes[begin] == b' ' {
        begin += 1;
    }
    let mut end = begin;
    while end < bytes.len() && bytes[end] != b'\n' {
        end += 1;
    }
    end = if end < bytes.len() { end + 1 } else { end };
    let is_comment = begin + 1 < bytes.len() && bytes[begin] == b'/' && bytes[begin + 1] == b'/';
    if is_comment || begin + 1 == end { (end, end) } else { (begin, end) }
}

/// A script of a page, without what only its authors read. No text of more than one line may be in it.
macro_rules! script {
    ($file:literal) => {{
        const TEXT: &str = include_str!($file);
        const BYTES: [u8; $crate::html::template::shortened_length(TEXT)] = $crate::html::template::shortened(TEXT);
        match std::str::from_utf8(&BYTES) {
            Ok(script) => script,
            // Whole lines of a text are one.
            Err(_) => TEXT,
        }
    }};
}
pub(super) use script;

pub(super) const STYLE: &str = concat!(include_str!("../tokens.css"), include_str!("page.css"));
/// What the scripts of every kind of page use.
pub(crate) const COMMON_SCRIPT: &str = script!("common.js");
/// The outline of a g-g diagram, for that of a line and for the cards of vehicles.
pub(super) const LIMIT_SCRIPT: &str = script!("gg_outline.js");

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

#[cfg(test)]
mod tests {
    use super::{shortened, shortened_length};

    #[test]
    fn a_script_loses_comments_and_indentation_and_nothing_else() {
        const SCRIPT: &str =
            "// Of two.\nconst a = 1; // kept\n\n  // Not this.\n  if (a) {\n    b(\"// this\");\n  }\n/x/.test(a)";
        const SHORT: [u8; shortened_length(SCRIPT)] = shortened(SCRIPT);
        let short = std::str::from_utf8(&SHORT).unwrap();
        assert_eq!(short, "const a = 1; // kept\nif (a) {\nb(\"// this\");\n}\n/x/.test(a)");
    }

    #[test]
    fn no_text_of_a_script_has_more_than_one_line() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/html");
        for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_some_and(|ending| ending == "js") {
                let script = std::fs::read_to_string(&file).unwrap();
                let odd = script.lines().find(|line| line.matches('`').count() % 2 == 1);
                assert_eq!(odd, None, "{}", file.display());
            }
        }
    }
}
