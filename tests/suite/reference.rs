//! The reference in `docs/reference`: what the code knows is generated from it, between the lines
//! `<!-- generated: name -->` and `<!-- end of name -->` of a page.
//!
//! After a change of the code, `RACELINE_BLESS=1 cargo test --test suite reference::` writes the parts
//! anew.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

mod command_line;
mod options;
mod python_options;
mod source_text;
mod table;
mod vehicle_keys;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use raceline::Options;
use raceline::formats::{Closing, FORMATS};

use source_text::constant;
use table::{Table, escaped};

/// The generated parts: page, name and text.
fn parts() -> Vec<(&'static str, &'static str, String)> {
    vec![
        ("command-line.md", "overview", command_line::overview()),
        ("command-line.md", "commands", command_line::commands()),
        ("options.md", "options", options::of_a_run()),
        ("options.md", "follower", options::of_the_follower()),
        ("options.md", "local planner", options::of_the_local_planner()),
        ("vehicle-keys.md", "presets", vehicle_keys::preset_table()),
        ("vehicle-keys.md", "keys", vehicle_keys::keys()),
        ("export-formats.md", "formats", formats()),
        ("exit-codes.md", "commands", command_line::exit_codes()),
        ("exit-codes.md", "c interface", results_in_c()),
        ("limits.md", "limits", limits()),
    ]
}

pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn formats() -> String {
    let mut table = Table::new(&["Format", "Ending", "Contents and readers", "First point repeated at the end"]);
    for format in FORMATS {
        let closing = match format.closing {
            Closing::Repeated => "yes, unless `--closed-repeat=false`",
            Closing::Once => "no, unless `--closed-repeat`",
            Closing::Stated => "no: the file states that the line is closed",
            Closing::NoPoints => "the file has no points of the line",
        };
        let (name, ending) = (format!("`{}`", format.name), format!("`.{}`", format.extension));
        table.row(&[&name, &ending, &escaped(format.description), closing]);
    }
    table.finish()
}

/// The results of the C interface, from its header.
fn results_in_c() -> String {
    let header = fs::read_to_string(root().join("crates/follower/include/raceline_follower.h")).unwrap();
    let (_, results) = header.split_once("RACELINE_OK = 0").unwrap();
    let (results, _) = results.split_once("};").unwrap();
    let mut table = Table::new(&["Result", "Value", "Meaning"]);
    table.row(&["`RACELINE_OK`", "0", "done"]);
    for line in results.lines().filter(|line| line.contains(" = ")) {
        let (name, rest) = line.trim().split_once(" = ").unwrap();
        let (value, meaning) = rest.split_once("/*").unwrap();
        let value = value.trim().trim_end_matches(',');
        table.row(&[&format!("`{name}`"), value, &escaped(meaning.trim_end_matches("*/"))]);
    }
    table.finish()
}

/// What a constant limits: the thing, and its unit.
const LIMITS: [(&str, &str, &str, &str); 28] = [
    ("Picture file", "bytes", "crates/file/src/files.rs", "LARGEST_PICTURE"),
    ("Track file, map, extracted track", "bytes", "crates/file/src/files.rs", "LARGEST_TRACK_FILE"),
    ("Racing-line file", "bytes", "crates/file/src/files.rs", "LARGEST_LINE_FILE"),
    ("Telemetry file", "bytes", "crates/file/src/files.rs", "LARGEST_TELEMETRY"),
    ("Sidecar, vehicle file, table", "bytes", "crates/file/src/files.rs", "LARGEST_OPTIONS_FILE"),
    ("SVG file", "bytes", "crates/read/src/importers/svg_budget.rs", "MAX_BYTES"),
    ("Elements of an SVG, with repetitions", "", "crates/read/src/importers/svg_budget.rs", "MAX_ELEMENTS"),
    ("Numbers in the paths of an SVG", "", "crates/read/src/importers/svg_budget.rs", "MAX_NUMBERS"),
    ("Points on the curves of an SVG", "", "crates/read/src/importers/svg.rs", "MAX_POINTS"),
    ("Depth of elements in an SVG", "", "crates/read/src/importers/svg_budget.rs", "MAX_LEVELS"),
    ("Elements of a TORCS track", "", "crates/read/src/importers/torcs/xml.rs", "MAX_ELEMENTS"),
    ("Depth of elements in a TORCS track", "", "crates/read/src/importers/torcs/xml.rs", "DEEPEST"),
    ("Drawn pixels looked at for gaps in thin lines", "", "crates/read/src/picture/gaps.rs", "MAX_LOOKS"),
    ("Length of a road, in its mean widths", "", "crates/road/src/road_length.rs", "LONGEST_WIDTHS"),
    (
        "Cross-sections, where their spacing is less than a sixth of the width",
        "",
        "crates/road/src/road_length.rs",
        "MAX_CLOSE_SECTIONS",
    ),
    ("Evaluations of a line's points in a search", "", "crates/solve/src/search/work.rs", "MAX_EVALUATIONS"),
    ("Length of a centre line", "m", "crates/road/src/construction/centre_line.rs", "LONGEST_M"),
    ("Crossings of a centre line with itself", "", "crates/road/src/construction/centre_line.rs", "MAX_CROSSINGS"),
    ("Places where the edges meet", "", "crates/road/src/edges/overlaps.rs", "MAX_MEETINGS"),
    ("Obstacles whose sides are searched exactly", "", "crates/solve/src/passing/limits.rs", "MAX_SEARCHED_OBSTACLES"),
    ("Pick-ups whose subsets are searched exactly", "", "crates/solve/src/passing/limits.rs", "MAX_SEARCHED_PICK_UPS"),
    ("Vias in any order, in streets", "", "crates/plan/src/network/search.rs", "MAX_ANY_ORDER"),
    ("Rows of a sweep", "", "src/sweep/plan.rs", "MAX_COMBINATIONS"),
    ("Points of an exported line", "", "src/formats/resample.rs", "MAX_POINTS"),
    ("Cells along a side of a flow field", "", "src/formats/flow_field/field.rs", "MAX_CELLS"),
    ("Waypoints of the follower's path", "", "crates/follower/src/error.rs", "MAX_WAYPOINTS"),
    ("Neighbours in a step of the follower", "", "crates/follower/src/bodies.rs", "MAX_NEIGHBOURS"),
    ("Obstacles in a step of the follower", "", "crates/follower/src/bodies.rs", "MAX_OBSTACLES"),
];

fn limits() -> String {
    let mut table = Table::new(&["What", "Maximum"]);
    let megapixels = Options::default().picture.max_megapixels;
    table.row(&["Pixels of a picture".to_owned(), format!("{megapixels} million; `--max-megapixels` changes it")]);
    for (what, unit, file, name) in LIMITS {
        table.row(&[what.to_owned(), quantity(constant(file, name), unit)]);
    }
    table.finish()
}

/// The number with groups of three digits; bytes as MiB or GiB.
fn quantity(value: f64, unit: &str) -> String {
    let (value, unit) = match unit {
        "bytes" if value >= f64::from(1 << 30) => (value / f64::from(1 << 30), "GiB"),
        "bytes" => (value / f64::from(1 << 20), "MiB"),
        unit => (value, unit),
    };
    let digits = value.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    format!("{} {unit}", groups.join(" ")).trim_end().to_owned()
}

/// The beginning and the end of the part `name`.
fn markers(name: &str) -> [String; 2] {
    [format!("<!-- generated: {name} -->\n"), format!("<!-- end of {name} -->\n")]
}

/// Whether what is checked is written anew in place of that.
pub fn is_blessed() -> bool {
    std::env::var_os("RACELINE_BLESS").is_some_and(|value| value == "1")
}

/// The text of a page with empty lines in place of its generated parts.
pub fn by_hand(text: &str) -> String {
    let mut is_generated = false;
    let mut kept = String::new();
    for line in text.lines() {
        is_generated |= line.starts_with("<!-- generated: ");
        kept.push_str(if is_generated { "" } else { line });
        kept.push('\n');
        is_generated &= !line.starts_with("<!-- end of ");
    }
    kept
}

#[test]
fn generated_parts_are_those_of_the_code() {
    let is_blessed = is_blessed();
    let mut stale = Vec::new();
    for (page, name, text) in parts() {
        let path = root().join("docs/reference").join(page);
        let old = fs::read_to_string(&path).unwrap();
        let [begin, end] = markers(name);
        let (before, rest) = old.split_once(&begin).unwrap_or_else(|| panic!("{page} lacks the line {begin}"));
        let (kept, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{page} lacks the line {end}"));
        let text = format!("\n{}\n\n", text.trim_end());
        if kept == text {
            continue;
        }
        if is_blessed {
            fs::write(&path, format!("{before}{begin}{text}{end}{after}")).unwrap();
        } else {
            let line = text.lines().zip(kept.lines()).find(|(new, old)| new != old);
            stale.push(format!("{page}, {name}: {line:?}"));
        }
    }
    assert!(
        stale.is_empty(),
        "parts that are not what the code states (RACELINE_BLESS=1 writes them anew); \
         the first new and old line of each:\n{}",
        stale.join("\n")
    );
}

#[test]
fn every_generated_part_of_a_page_is_checked() {
    let parts = parts();
    for entry in fs::read_dir(root().join("docs/reference")).unwrap().map(|entry| entry.unwrap().path()) {
        let page = entry.file_name().unwrap().to_str().unwrap().to_owned();
        if page.ends_with(".md") {
            let text = fs::read_to_string(&entry).unwrap();
            for name in text.lines().filter_map(|line| line.strip_prefix("<!-- generated: ")?.strip_suffix(" -->")) {
                assert!(parts.iter().any(|(in_page, part, _)| *in_page == page && *part == name), "{page}: {name}");
            }
        }
    }
}

#[test]
fn by_hand_is_what_stands_outside_the_markers() {
    let [begin, end] = markers("a");
    assert_eq!(by_hand(&format!("x\n{begin}y\n{end}z\n")), "x\n\n\n\nz\n");
}

/// The packages in the first cells of the tables in a page of dependencies.
fn packages_of(page: &str) -> BTreeSet<&str> {
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    // Every second piece between backticks is a name.
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn every_dependency_has_a_row() {
    let mut used = BTreeSet::new();
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    for folder in crates.chain([root().to_owned(), root().join("fuzz")]) {
        let manifest: toml::Table = fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap();
        let mut tables = vec![&manifest];
        tables.extend(manifest.get("workspace").and_then(toml::Value::as_table));
        let targets = manifest.get("target").and_then(toml::Value::as_table);
        tables.extend(targets.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table));
        for table in tables {
            for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
                let found = table.get(kind).and_then(toml::Value::as_table);
                used.extend(found.into_iter().flat_map(toml::Table::keys).cloned());
            }
        }
    }
    used.retain(|name| !name.starts_with("raceline"));
    let page = fs::read_to_string(root().join("docs/reference/dependencies.md")).unwrap();
    assert_eq!(packages_of(&page), used.iter().map(String::as_str).collect(), "rows, and packages that are used");
}

/// The table of docs/notes/python.md, of what Python and C have of each command.
#[test]
fn every_command_has_a_row_beside_python_and_c() {
    let page = fs::read_to_string(root().join("docs/notes/python.md")).unwrap();
    let (_, table) = page.split_once("\n## Commands\n").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let commands: Vec<String> =
        raceline_cli::command().get_subcommands().map(|command| format!("`{}`", command.get_name())).collect();
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), commands, "a row for each, in the order of the help");
    let names = |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let stub = fs::read_to_string(root().join("crates/python/python/raceline/__init__.pyi")).unwrap();
    let header = fs::read_to_string(root().join("crates/follower/include/raceline_follower.h")).unwrap();
    for row in &rows {
        for name in names(row[1]) {
            // `Line.export` is a method, `help(raceline)` a word of Python.
            let last = name.rsplit('.').next().unwrap();
            let is_there = [format!("def {last}("), format!("def {last}(self"), format!("class {last}:")];
            let is_other = name.contains('(') || name.starts_with("multiprocessing") || last.ends_with("_laps");
            let is_other = is_other || name == "line";
            assert!(is_other || is_there.iter().any(|text| stub.contains(text)), "{name} is not in the stub");
        }
        for name in names(row[2]) {
            assert!(header.contains(&format!("{name}(")), "{name} is not in the header");
        }
    }
}

/// The codes of the table, as a process returns them.
#[test]
fn exit_codes_are_0_1_and_2() {
    let code = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_raceline")).args(arguments).output().unwrap().status.code().unwrap()
    };
    assert_eq!(code(&["vehicles"]), 0);
    assert_eq!(code(&["inspect", "no-such-line.json"]), 1);
    assert_eq!(code(&["inspect", "--no-such-flag"]), 2);
}
