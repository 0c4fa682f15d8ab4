//! Plain English: words that a contributor who is no native speaker reads as riddles do not stand in
//! comments, messages and names, and a summary in the documentation stands alone.
//!
//! A word that is right in one phrase is listed with this phrase. A word in backticks or between
//! quotation marks is a name or a title, and is not checked.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

mod source;

use std::fs;
use std::path::{Path, PathBuf};

use source::{Passage, Source};

use crate::file_tree::files_below;
use crate::reference::by_hand;

/// Folders whose Rust and C files are checked.
const FOLDERS: [&str; 25] = [
    "benches",
    "crates/calibrate",
    "crates/car",
    "crates/file",
    "crates/python",
    "crates/road",
    "crates/cli",
    "crates/follower",
    "crates/generate",
    "crates/laps",
    "crates/neural-driver",
    "crates/numerics",
    "crates/plan",
    "crates/proving-ground",
    "crates/read",
    "crates/render",
    "crates/solve",
    "crates/tactics",
    "crates/torcs-driver",
    "crates/tune",
    "crates/vehicle-simulation",
    "crates/verify",
    "examples",
    "src",
    "tests",
];

/// Documents that are checked, and folders of documents. Notes are a notebook; what a page of the
/// reference has from the code is checked there.
const DOCUMENTS: [&str; 11] = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "docs/README.md",
    "docs/architecture.md",
    "docs/explanation",
    "docs/guides",
    "docs/notes/README.md",
    "docs/reference",
    "docs/tutorials",
];

/// Words, or groups of words, that are not used.
struct Rule {
    words: &'static [&'static str],
    why: &'static str,
    instead: &'static str,
    /// Phrases in which the words are right.
    phrases: &'static [&'static str],
}

/// Words of comments, messages and documents.
const WORDS: [Rule; 11] = [
    Rule {
        words: &["told", "tell", "tells", "telling", "said", "say", "says", "saying"],
        why: "files and programs do not speak",
        instead: "given, reported, specified, shows, states",
        // A comment in `tracks/grid.toml`: the files there stay byte for byte.
        phrases: &["says the same for"],
    },
    Rule {
        words: &["most"],
        why: "the field writes maximum",
        instead: "maximum, largest",
        phrases: &[
            "at most",
            "at the most",
            "most of",
            "most sections",
            "the most",
            "most expensive",
            "most informative",
            "most likely",
            "most negative",
            "most positive",
            "most slender",
        ],
    },
    Rule {
        words: &["least", "fewest"],
        why: "the field writes minimum",
        instead: "minimum, smallest, smallest number of",
        phrases: &["at least", "at the least", "deviate the least", "least squares", "least squared"],
    },
    Rule {
        words: &["share", "shares"],
        why: "a number from 0 to 1 is a fraction",
        instead: "fraction, part; use in common",
        phrases: &[],
    },
    Rule {
        words: &["way", "ways"],
        why: "it means both a line and a method",
        instead: "path, route, distance; method, manner",
        phrases: &[
            "half way",
            "in another way",
            "in any way",
            "in the same way",
            "in this way",
            "the wrong way round",
            "the shorter way round",
            "way of the map",
            "ways of the map",
            "way of OpenStreetMap",
            "ways of OpenStreetMap",
        ],
    },
    Rule { words: &["company"], why: "it suggests a firm", instead: "traffic, other vehicles", phrases: &[] },
    Rule { words: &["rock", "rocks"], why: "it is one kind of several", instead: "obstacle, obstacles", phrases: &[] },
    Rule {
        words: &["bodies"],
        why: "it is not clear which",
        instead: "vehicles, outlines, obstacles",
        phrases: &["rigid bodies"],
    },
    Rule { words: &["bonus", "bonuses"], why: "one thing has one name", instead: "pick-up", phrases: &[] },
    Rule {
        words: &["heavy point", "heavy points", "others on the road", "who learns"],
        why: "only its author understands it",
        instead: "the thing itself",
        phrases: &[],
    },
    Rule {
        words: &["dear", "dearer", "dearest"],
        why: "it is seldom known",
        instead: "expensive, costly",
        phrases: &[],
    },
];

/// Parts of names that are not used, with their replacement.
const PARTS: [(&str, &str); 17] = [
    ("told", "given, reported"),
    ("tell", "show, report"),
    ("tells", "shows, reports"),
    ("said", "specified"),
    ("say", "state"),
    ("says", "states"),
    ("share", "fraction"),
    ("shares", "fractions"),
    ("most", "max, largest"),
    ("least", "min, smallest"),
    ("fewest", "min"),
    ("company", "traffic"),
    ("rock", "obstacle"),
    ("rocks", "obstacles"),
    ("bonus", "pick_up"),
    ("way", "path, route, distance"),
    ("ways", "paths, routes"),
];

/// Groups of parts in which they are right.
const GROUPS: [&str; 13] = [
    "at_least",
    "at_most",
    "both_ways",
    "half_way",
    "most_of",
    "one_way",
    "share_a_point",
    "share_a_polyline",
    "share_stdout",
    "share_the_road",
    "tell_failed",
    "tuner_tell",
    "way_round",
];

/// Names that are keys of files or flags of the command line, which stay readable, and the field's own:
/// optimizers that are called by the user's program have `ask` and `tell`.
const KEYS: [&str; 6] = ["speed_share", "corner_least_angle_rad", "dip_share", "banking_share", "least_load", "tell"];

/// Beginnings of a summary that needs the line above it.
const BEGINNINGS: [&str; 12] =
    ["It", "They", "This", "These", "Those", "That", "Its", "Their", "He", "She", "One that", "The same"];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A word of a text: its place in bytes, and itself in lower case.
fn words(text: &str) -> Vec<(usize, String)> {
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '.' | '/' | '=' | '{' | '}');
    let mut found = Vec::new();
    let mut begin = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (begin, is_inside(c)) {
            (None, true) => begin = Some(i),
            (Some(from), false) => {
                let word = text[from..i].trim_end_matches(['.', '\'']).trim_end_matches("'s");
                found.push((from, word.to_lowercase()));
                begin = None;
            }
            _ => {}
        }
    }
    found
}

/// The text with spaces for what is in backticks, between quotation marks or in a block of code, and for
/// links' addresses; line feeds stay.
fn prose(text: &str) -> String {
    let mut kept = String::new();
    let mut is_code_block = false;
    let mut open = None;
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        is_code_block ^= is_fence;
        if is_code_block || is_fence {
            open = None;
            kept.push('\n');
            continue;
        }
        if line.trim().is_empty() {
            open = None;
        }
        for c in line.chars() {
            match (open, c) {
                (_, '\n') => kept.push('\n'),
                (None, '`' | '"') => {
                    open = Some(c);
                    kept.push(' ');
                }
                (Some(sign), c) => {
                    if sign == c {
                        open = None;
                    }
                    kept.push(' ');
                }
                (None, c) => kept.push(c),
            }
        }
    }
    kept
}

/// The offences of `text` against [`WORDS`]: line within the text from 0, and message.
fn offences(text: &str) -> Vec<(usize, String)> {
    let words = words(text);
    let stands_at = |i: usize, group: &str| {
        let mut length = 0;
        let is_there = group.split(' ').enumerate().all(|(k, word)| {
            length = k + 1;
            words.get(i + k).is_some_and(|(_, other)| other == word)
        });
        is_there.then_some(length)
    };
    let mut found = Vec::new();
    for rule in &WORDS {
        let is_right = |i: usize| {
            rule.phrases.iter().any(|phrase| {
                (i.saturating_sub(4)..=i).any(|from| stands_at(from, phrase).is_some_and(|length| from + length > i))
            })
        };
        for (i, (place, _)) in words.iter().enumerate() {
            if let Some(word) = rule.words.iter().find(|word| stands_at(i, word).is_some() && !is_right(i)) {
                let line = text[..*place].matches('\n').count();
                found.push((line, format!("`{word}`: {}; write {}", rule.why, rule.instead)));
            }
        }
    }
    found
}

/// What is wrong with the beginning of a summary.
fn beginning(doc: &str) -> Option<String> {
    let first = doc.trim_start();
    let found = BEGINNINGS
        .iter()
        .find(|beginning| first.strip_prefix(**beginning).is_some_and(|rest| rest.starts_with([' ', ',', '\''])))?;
    Some(format!("a summary that begins with `{found}` does not stand alone; name the thing"))
}

/// The parts of a name: of `MAX_steps` and `maxSteps`, `max` and `steps`.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if c == '_' || c == '.' || c.is_uppercase() && was_lower {
            parts.push(String::new());
        }
        if c != '_' && c != '.' {
            parts.last_mut().unwrap().extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// What is wrong with a name.
fn name_offence(name: &str) -> Option<String> {
    if KEYS.contains(&name.trim_start_matches('.')) {
        return None;
    }
    let mut joined = format!("_{}_", parts(name).join("_"));
    for group in GROUPS {
        joined = joined.replace(&format!("_{group}_"), "__");
    }
    let (part, instead) = PARTS.iter().find(|(part, _)| joined.contains(&format!("_{part}_")))?;
    Some(format!("`{part}` in the name {name}; write {instead}"))
}

/// A message: words with spaces, and not a part of a page or a drawing. `no way` is a value in a report.
fn is_message(string: &Passage) -> bool {
    string.text.contains(' ')
        && !string.text.contains(['<', '`'])
        && !string.text.contains("=\"")
        && string.text != "no way"
}

/// All offences of a Rust file: line and message.
fn check(text: &str) -> Vec<(usize, String)> {
    let source = Source::new(text);
    let mut found = Vec::new();
    for doc in &source.docs {
        found.extend(beginning(&doc.text).map(|message| (doc.line, message)));
    }
    let messages = source.strings.iter().filter(|string| is_message(string));
    let all = source.docs.iter().chain(&source.comments).map(|passage| (passage.line, prose(&passage.text)));
    for (line, text) in all.chain(messages.map(|passage| (passage.line, passage.text.replace(['\\', '"'], " ")))) {
        found.extend(offences(&text).into_iter().map(|(below, message)| (line + below, message)));
    }
    found.extend(source.names.iter().filter_map(|(name, line)| Some((*line, name_offence(name)?))));
    found.sort();
    found.dedup();
    found
}

/// A C file as the checker reads it: a comment between `/*` and `*/` is a line comment on each of its
/// lines.
fn with_line_comments(text: &str) -> String {
    let mut is_inside = false;
    let mut converted = String::new();
    for line in text.lines() {
        let continued = if is_inside { "// " } else { "" };
        is_inside = match (line.rfind("/*"), line.rfind("*/")) {
            (Some(begin), Some(end)) => begin > end,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => is_inside,
        };
        let body = if continued.is_empty() { line } else { line.trim_start().trim_start_matches("* ") };
        converted.push_str(&format!("{continued}{}\n", body.replace("/*", "//").replace("*/", "")));
    }
    converted
}

/// Endings of Rust and C files.
const SOURCES: &[&str] = &["rs", "c", "h"];

/// Fails with a line for each offence.
fn report(mut offences: Vec<(PathBuf, usize, String)>) {
    offences.sort();
    let lines: Vec<String> = offences
        .iter()
        .map(|(path, line, message)| format!("{}:{line}: {message}", path.strip_prefix(root()).unwrap().display()))
        .collect();
    assert!(lines.is_empty(), "{} places that are not plain:\n{}", lines.len(), lines.join("\n"));
}

/// Where a way is a way of OpenStreetMap: a list of nodes, which no other word means.
const OF_OPEN_STREET_MAP: [&str; 4] = [
    "crates/read/src/importers/osm",
    "crates/road/src/construction/note.rs",
    "src/formats/lanelet2.rs",
    "tests/suite/maps.rs",
];

/// Whether an offence is the word for a list of nodes in OpenStreetMap.
fn is_about_ways(message: &str) -> bool {
    message.starts_with("`way`") || message.starts_with("`ways`")
}

#[test]
fn comments_messages_and_names_are_plain() {
    let mut found = Vec::new();
    // The lists themselves.
    let lists = Path::new("tests/suite/vocabulary.rs");
    for path in FOLDERS.iter().flat_map(|folder| files_below(&root().join(folder), SOURCES)) {
        if !path.ends_with(lists) {
            let text = fs::read_to_string(&path).unwrap();
            let is_rust = path.extension().is_some_and(|ending| ending == "rs");
            let text = if is_rust { text } else { with_line_comments(&text) };
            let is_osm =
                OF_OPEN_STREET_MAP.iter().any(|part| path.ends_with(part) || path.starts_with(root().join(part)));
            let offences = check(&text).into_iter().filter(|(_, message)| !(is_osm && is_about_ways(message)));
            found.extend(offences.map(|(line, message)| (path.clone(), line, message)));
        }
    }
    report(found);
}

#[test]
fn documents_are_plain() {
    let mut found = Vec::new();
    for name in DOCUMENTS {
        let path = root().join(name);
        let pages = if path.is_dir() { files_below(&path, &["md"]) } else { vec![path] };
        for path in pages {
            let text = prose(&by_hand(&fs::read_to_string(&path).unwrap()));
            found.extend(offences(&text).into_iter().map(|(line, message)| (path.clone(), line + 1, message)));
        }
    }
    report(found);
}

/// Longest line of a comment's text, in characters.
const COLUMNS: usize = 100;

/// Lines of comments that are longer, from 1: sentences and formulas. Rows of tables and code of
/// examples may be longer, as code may.
fn long_lines(text: &str) -> Vec<usize> {
    let mut fence: Option<String> = None;
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            fence = None;
            continue;
        };
        let body = comment.trim_start_matches(['/', '!']).trim_start();
        if let Some(language) = body.strip_prefix("```") {
            fence = fence.is_none().then(|| language.to_owned());
            continue;
        }
        let may = body.starts_with('|') || fence.as_ref().is_some_and(|language| language != "text");
        if !may && line.chars().count() > COLUMNS {
            found.push(i + 1);
        }
    }
    found
}

#[test]
fn comments_of_the_numerics_fit_the_columns() {
    let mut found = Vec::new();
    for path in ["crates/numerics", "crates/solve"].iter().flat_map(|folder| files_below(&root().join(folder), &["rs"]))
    {
        let lines = long_lines(&fs::read_to_string(&path).unwrap());
        found.extend(lines.into_iter().map(|line| (path.clone(), line, format!("longer than {COLUMNS} columns"))));
    }
    report(found);
}

// ---- The checker

fn lines_of(text: &str) -> Vec<usize> {
    check(text).into_iter().map(|(line, _)| line).collect()
}

#[test]
fn a_word_is_found_in_comments_messages_and_names_with_its_line() {
    assert_eq!(lines_of("// The speed.\n// The follower is told of it.\nfn f() {}"), [2]);
    assert_eq!(lines_of("/// The share of\n/// the least time.\nfn f() {}"), [1, 2]);
    assert_eq!(lines_of("fn f() -> String {\n    format!(\"the way is {length} m\")\n}"), [2]);
    assert_eq!(lines_of("const A: &str = r#\"no company \"here\" today\"#;"), [1]);
    assert_eq!(lines_of("const MOST_STEPS: u32 = 1;\nstruct FreeWay;\nlet x = line.told;"), [1, 2, 3]);
    let [(_, message)] = &check("// Rocks.\n")[..] else { panic!() };
    assert_eq!(message, "`rocks`: it is one kind of several; write obstacle, obstacles");
}

#[test]
fn phrases_code_and_keys_are_not_found() {
    for text in [
        "// At least one, at most\n// two, most of them by least squares.",
        "// A one-way street, half way, driven in this way.",
        "// The key `share` of the paper \"The fewest\n// ways\".",
        "/// # Examples\n/// ```\n/// let way = told;\n/// ```",
        "fn f() { g(\"share\", \"--speed-share\", 'w', '\\'', \"rocks.csv\"); }",
        "fn at_least<'a>(one_way: &'a str) { speed_share }",
        "// Ways",
    ] {
        let is_wrong = text == "// Ways";
        assert_eq!(check(text).is_empty(), !is_wrong, "{text}: {:?}", check(text));
    }
}

#[test]
fn a_summary_that_begins_with_a_pronoun_is_found() {
    for beginning in BEGINNINGS {
        let text = format!("/// {beginning} length, m.\n///\n/// It may be here.\nlength: f64,");
        assert_eq!(lines_of(&text), [1], "{text}");
    }
    assert!(check("/// Items of a list. It is here.\nfn f() {}").is_empty());
    assert!(check("// It is a comment beside code.\n").is_empty());
}

#[test]
fn names_have_parts() {
    assert_eq!(parts("MAX_STEPS"), ["max", "steps"]);
    assert_eq!(parts(".maxSteps_m2"), ["max", "steps", "m2"]);
    assert_eq!(parts("FreePath"), ["free", "path"]);
}

#[test]
fn comments_of_c_are_found_with_their_lines() {
    let text =
        "/* The header.\n * It tells\n * more. */\nint most_s; /* the share */\nint length; /* metres\n * most */\n";
    assert_eq!(lines_of(&with_line_comments(text)), [2, 4, 4, 6]);
}

#[test]
fn a_long_comment_is_found_but_no_table_and_no_example() {
    let long = "x".repeat(COLUMNS);
    let text = format!("/// {long}\n/// ```text\n/// {long}\n/// ```\n/// | {long} |\n/// ```\n/// {long}\n/// ```\n");
    assert_eq!(long_lines(&text), [1, 3]);
    assert_eq!(long_lines(&format!("let x = 1; // {long}\n")), [0; 0]);
}
