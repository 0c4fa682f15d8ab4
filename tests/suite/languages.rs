//! The languages of the app in the browser: each has every text of the sources, and no other.
//!
//! `crates/web/app/languages/translator.js` replaces the texts of the app and of the pages in it by those of a
//! table. The English texts are the keys; `{}` stands for what the page fills in, and in a translation whose
//! order differs `{1}` is the first of these.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use raceline::vehicle::presets;

use crate::file_tree::files_below;

const APP: &str = "crates/web/app";
const PAGE: &str = "crates/render/src/html";
/// Folders of the stages that a run of the app reports.
const STAGES: [&str; 2] = ["src/pipeline", "crates/solve/src/search"];
const NOTE: &str = "crates/editor/src/drive_note.rs";
/// Names what a page shows of a log.
const LATER: &str = "crates/web-later/src/lib.rs";

/// Literals that look like a text for readers and are none: styles, selectors, keys, names, numbers.
const NO_TEXTS: [&str; 37] = [
    "#corners tbody",
    "#corners thead",
    "#losses tbody",
    "#losses thead",
    "(prefers-color-scheme: dark)",
    "11px system-ui, sans-serif",
    "12px system-ui, sans-serif",
    "600 12px system-ui, sans-serif",
    "600 15px system-ui, sans-serif",
    "Arrow",
    "BUTTON",
    "CANVAS",
    "Content-Type",
    "Ctrl+Shift+Z",
    "Ctrl+Z",
    "Enter",
    "INPUT",
    "POST",
    "PNG",
    "SELECT",
    "SUMMARY",
    "input, select, textarea",
    "km/h",
    "linear-gradient(to right, {})",
    "m/s",
    "mph",
    "raceline",
    "rgba(109, 179, 255, 0.10)",
    "rgba(11, 98, 196, 0.07)",
    "s on 100 m",
    "{} km",
    "lineTo",
    "moveTo",
    "translateX({}px)",
    "gripUsed",
    "yawRate",
    "serviceWorker",
];

/// Single words of scripts and data that readers see: no rule distinguishes them from names.
const WORDS: [&str; 8] = ["clockwise", "counterclockwise", "left", "name", "right", "road", "start", "to"];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A literal of a script, with `{}` for each expression in it, and the code before it.
struct Literal {
    text: String,
    before: String,
}

/// The literals of a script without regular expressions that hold quotes, as the scripts here are.
fn literals(script: &str) -> Vec<Literal> {
    let code: Vec<char> = script.chars().collect();
    let mut found = Vec::new();
    let end = code_to(&code, 0, false, &mut found);
    assert_eq!(end, code.len(), "the script ends in the middle");
    found
}

/// Reads code from `at` to its end, or to the brace that closes an expression; the place behind it.
fn code_to(code: &[char], mut at: usize, in_braces: bool, found: &mut Vec<Literal>) -> usize {
    let skip_past = |from: usize, ending: &str| {
        let ending: Vec<char> = ending.chars().collect();
        let place = code[from..].windows(ending.len()).position(|window| window == ending);
        place.map_or(code.len(), |place| from + place + ending.len())
    };
    while at < code.len() {
        let next = code.get(at + 1);
        match code[at] {
            '/' if next == Some(&'/') => at = skip_past(at, "\n"),
            '/' if next == Some(&'*') => at = skip_past(at, "*/"),
            '}' if in_braces => return at + 1,
            '{' => at = code_to(code, at + 1, true, found),
            '"' | '`' => at = literal_to(code, at, found),
            _ => at += 1,
        }
    }
    at
}

/// Reads the literal that begins at `begin`; the place behind it.
fn literal_to(code: &[char], begin: usize, found: &mut Vec<Literal>) -> usize {
    let quote = code[begin];
    let mut text = String::new();
    let mut at = begin + 1;
    while code[at] != quote {
        if code[at] == '\\' {
            text.push(code[at + 1]);
            at += 2;
        } else if quote == '`' && code[at] == '$' && code[at + 1] == '{' {
            text.push_str("{}");
            at = code_to(code, at + 2, true, found);
        } else {
            text.push(code[at]);
            at += 1;
        }
    }
    let before = code[begin.saturating_sub(14)..begin].iter().collect();
    found.push(Literal { text, before });
    at + 1
}

fn has_words(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_alphabetic))
}

fn of_script(script: &str) -> Vec<String> {
    let is_prose = |literal: &Literal| {
        let is_shown = [" text: ", "textContent: ", "title: "].iter().any(|name| literal.before.ends_with(name));
        is_shown || literal.text.contains(' ') || literal.text.starts_with(|first: char| first.is_ascii_uppercase())
    };
    let prose = literals(script).into_iter().filter(|literal| has_words(&literal.text) && is_prose(literal));
    prose.map(|literal| literal.text.trim().to_owned()).collect()
}

/// What readers see of a page: texts, and those attributes that are shown or read out. What is in a language
/// of its own, such as the languages' names, stays as it is.
fn of_html(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = html;
    while let Some((_, after)) = rest.split_once('<') {
        let is_comment = after.starts_with("!--");
        let (tag, after) = after.split_once(if is_comment { "-->" } else { ">" }).expect("a tag ends");
        for name in ["title", "aria-label", "alt"] {
            if let Some((_, value)) = tag.split_once(&format!(" {name}=\"")) {
                found.push(value.split('"').next().unwrap_or_default().to_owned());
            }
        }
        let is_own =
            tag.starts_with("style") || tag.starts_with("script") || tag.contains(" lang=") && !tag.starts_with("html");
        let text = after.split('<').next().unwrap_or_default().trim();
        if !is_comment && !is_own && !text.contains("{{") {
            found.push(text.to_owned());
        }
        rest = after;
    }
    found.retain(|text| has_words(text));
    found
}

/// Every text of the app and of its pages.
fn texts() -> BTreeSet<String> {
    let mut texts: BTreeSet<String> = WORDS.map(str::to_owned).into();
    texts.extend(
        [format!("{APP}/index.html"), format!("{PAGE}/page.html"), format!("{PAGE}/draft.html")]
            .iter()
            .flat_map(|path| of_html(&read(path))),
    );
    let of_app = ["app.js", "engine.js"].map(|script| root().join(APP).join(script));
    for path in files_below(&root().join(PAGE), &["js"]).into_iter().chain(of_app) {
        texts.extend(of_script(&read(path)));
    }
    let examples: Vec<BTreeMap<String, serde_json::Value>> =
        serde_json::from_str(&read(format!("{APP}/examples.json"))).unwrap();
    let of_example = |example: &BTreeMap<String, serde_json::Value>| {
        ["title", "note"].map(|key| example[key].as_str().unwrap().to_owned())
    };
    texts.extend(examples.iter().flat_map(of_example));
    texts.extend(presets().iter().map(|preset| preset.summary.to_owned()));
    for path in STAGES.iter().flat_map(|folder| files_below(&root().join(folder), &["rs"])) {
        let code = read(path);
        texts.extend(code.split("progress.stage(\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
    }
    // Each is a format of Rust, whose expressions stand between braces.
    let (note, later) = (read(NOTE), read(LATER));
    for format in note.split("format!(\"").skip(1).chain(later.split("name: format!(\"").skip(1)) {
        let format = format.split('"').next().unwrap();
        let pieces = format
            .split('{')
            .enumerate()
            .map(|(i, piece)| if i == 0 { piece } else { piece.split_once('}').unwrap().1 });
        texts.insert(pieces.collect::<Vec<_>>().join("{}"));
    }
    for text in NO_TEXTS {
        texts.remove(text);
    }
    texts
}

/// The languages that the app offers beside English, by the list on its first screen.
fn languages() -> Vec<String> {
    let index = read(format!("{APP}/index.html"));
    let (_, select) = index.split_once("id=\"language\"").expect("the list of languages");
    let select = select.split("</select>").next().unwrap();
    let codes = select.split("value=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    codes.filter(|code| code != "en").collect()
}

fn table(language: &str) -> BTreeMap<String, String> {
    let path = format!("{APP}/languages/{language}.json");
    serde_json::from_str(&read(&path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn each_language_has_every_text_and_no_other() {
    let texts = texts();
    assert!(texts.len() > 150, "only {} texts are found", texts.len());
    for language in languages() {
        let table = table(&language);
        let missing: Vec<_> = texts.iter().filter(|text| !table.contains_key(*text)).collect();
        let surplus: Vec<_> = table.keys().filter(|text| !texts.contains(*text)).collect();
        assert!(
            missing.is_empty() && surplus.is_empty(),
            "{language}.json lacks {missing:#?} and has {surplus:#?}, which no source has"
        );
    }
}

#[test]
fn each_list_of_languages_is_that_of_the_folder() {
    let mut offered = languages();
    offered.sort();
    let files = files_below(&root().join(APP).join("languages"), &["json"]);
    let tables: Vec<_> = files.iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(offered, tables);
}

#[test]
fn a_translation_has_what_the_page_fills_in() {
    for language in languages() {
        for (text, translation) in table(&language) {
            assert!(!translation.trim().is_empty(), "{language}: {text:?} has no translation");
            let count = text.matches("{}").count();
            let by_number = (1..=count).all(|number| translation.matches(&format!("{{{number}}}")).count() == 1);
            let braces = translation.matches('{').count();
            let in_order = translation.matches("{}").count() == count;
            assert!(
                braces == count && (in_order || by_number),
                "{language}: {translation:?} does not fill in as {text:?}"
            );
        }
        let same = table(&language).iter().filter(|(text, translation)| text == translation).count();
        assert!(same < 12, "{language}: {same} texts are still English");
    }
}

#[test]
fn texts_of_scripts_and_pages_are_found() {
    let script = r#"
        // "A comment", and don't.
        const made = { title: "Lap", textContent: `at ${one(`in ${"Metres here"}`)} m`, kind: "lap" };
    "#;
    assert_eq!(of_script(script), ["Lap", "Metres here", "in {}", "at {} m"]);
    let page = "<html lang=\"en\"><!-- <p>Not this</p> --><title>{{title}}</title><p title=\"A hint\">Speeds in <b>all</b></p>\
                <option lang=\"de\">Deutsch</option><script>\"Nor this\"</script></html>";
    assert_eq!(of_html(page), ["A hint", "Speeds in", "all"]);
}
