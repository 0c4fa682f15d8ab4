//! Racing-line files, and the error for a file that is none.

use std::path::Path;

use anyhow::{Context, anyhow};
use raceline::RacingLine;
use raceline::file::{ReadError, json};
use raceline::verify;
use raceline_file::files::{self, LARGEST_LINE_FILE};
use raceline_read::input::{Foreign, InputKind};

use super::{GlobalFlags, report};

/// The racing line in a file.
///
/// # Errors
/// A file that cannot be read, and one that is no racing line; if it is another kind of file, the
/// message names it.
pub fn read_line(path: &Path) -> anyhow::Result<RacingLine> {
    let bytes = files::read(path, LARGEST_LINE_FILE).with_context(|| format!("can't read {}", path.display()))?;
    json::read(&bytes).map_err(|error| not_a_line(path, &bytes, error)).with_context(|| path.display().to_string())
}

/// The racing line in a file. A line whose numbers contradict each other is read with a warning: a
/// measured lap and a line of another program are less exact than what `raceline verify` proves.
///
/// # Errors
/// Those of [`read_line`].
pub fn read_with_doubts(path: &Path, flags: GlobalFlags) -> anyhow::Result<RacingLine> {
    let line = read_line(path)?;
    if !flags.quiet
        && !flags.no_verify
        && let Some(doubt) = doubt(&line)
    {
        report::print_warning(&format!("{}: {doubt}", path.display()), flags.colour());
    }
    Ok(line)
}

/// The first rule by which the numbers of a line contradict each other.
fn doubt(line: &RacingLine) -> Option<String> {
    let report = verify::consistency(line).ok()?;
    let others = report.findings().count().checked_sub(1)?;
    let finding = report.findings().next()?;
    let more = match others {
        0 => String::new(),
        1 => "; one more rule is violated".to_owned(),
        others => format!("; {others} more rules are violated"),
    };
    Some(format!("its numbers contradict each other: {finding}{more}: `raceline verify` lists them"))
}

/// The error for a file that is no racing line.
fn not_a_line(path: &Path, bytes: &[u8], error: ReadError) -> anyhow::Error {
    let shown = path.display();
    let track = |found: &str| {
        anyhow!(
            "it is {found}, not a racing line: run `raceline optimize {shown}` first and name the line that it writes"
        )
    };
    let is_json = bytes.trim_ascii_start().starts_with(b"{");
    match (InputKind::by_content(bytes), &error) {
        (Some(InputKind::Picture), _) => track("a picture"),
        (Some(InputKind::Map), _) => track("the YAML of a map"),
        (Some(InputKind::Csv), _) => track("a table of numbers, as track files are"),
        (Some(InputKind::Svg), _) => track("an SVG drawing"),
        (Some(InputKind::TorcsXml), _) => track("a track of TORCS"),
        (Some(InputKind::GeoJson), _) => track("GeoJSON"),
        (Some(InputKind::Kml), _) => track("KML"),
        (Some(InputKind::Gpx), _) => track("GPX"),
        (Some(InputKind::Osm), _) => track("a map of OpenStreetMap"),
        (Some(InputKind::OpenDrive), _) => track("OpenDRIVE"),
        (Some(InputKind::GameLine), _) => track("the line of a game"),
        (Some(InputKind::Mesh), _) => track("a mesh"),
        (Some(InputKind::Cones), _) => track("a map of cones"),
        (Some(InputKind::Line(_)), _) => anyhow!(
            "it is a line of another program, not a racing-line file: run `raceline profile {shown}` first and name the \
             line that it writes"
        ),
        (_, ReadError::Json { .. }) if !is_json => match Foreign::of(path, bytes) {
            Some(foreign) => {
                anyhow!("it is {}, not a racing line: name a file that `raceline optimize` has written", foreign.found)
            }
            None => anyhow!("it is not JSON, as racing lines are: name a file that `raceline optimize` has written"),
        },
        (_, ReadError::Inconsistent(_)) => anyhow!("{error}: make the line again with `raceline optimize`"),
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{json, not_a_line};

    #[test]
    fn a_file_that_is_no_line_is_named() {
        let message = |name: &str, bytes: &[u8]| match json::read(bytes) {
            Err(error) => not_a_line(Path::new(name), bytes, error).to_string(),
            Ok(_) => String::new(),
        };
        let cases: [(&str, &[u8], &str); 8] = [
            ("good.csv", b"# x_m,y_m,w_tr_right_m,w_tr_left_m\n1,2,3,4\n", "it is a table of numbers"),
            ("good.csv", b"1,2\n", "run `raceline optimize good.csv` first"),
            ("a.png", b"\x89PNG\r\n\x1a\n", "it is a picture, not a racing line"),
            ("a.yaml", b"image: a.png\nresolution: 0.05\n", "the YAML of a map"),
            ("a.geojson", b"{\"type\": \"FeatureCollection\", \"features\": []}", "GeoJSON"),
            ("a.toml", b"vehicle = \"gt\"\n", "it is a TOML file, not a racing line: name a file"),
            ("a.txt", b"words", "it is not JSON"),
            ("a.json", b"{\"format\": \"raceline\", ", "line 1, column 23: EOF"),
        ];
        for (name, bytes, part) in cases {
            let message = message(name, bytes);
            assert!(message.contains(part), "{part:?} is missing in {message:?}");
        }
    }
}
