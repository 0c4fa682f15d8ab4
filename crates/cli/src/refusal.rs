//! The drawing of a line that is refused because it is not sound: the place of the violated rule,
//! beside the file that the line would have been.

use std::fs;
use std::path::PathBuf;

use raceline::RacingLine;
use raceline::batch::TaskError;
use raceline::pipeline;
use raceline::verify::{Check, VerifyError};
use raceline_render::close_up::{self, CloseUp};

use super::advice::with_advice;
use super::file_guard;
use super::output::Output;

/// Ending of the drawing, in place of that of the line.
const ENDING: &str = "refused.svg";

/// The place of a finding, as SVG.
pub fn drawing(line: &RacingLine, finding: &Check) -> String {
    let place = finding.place.map_or(0, |place| place.index);
    let view = CloseUp::of_point(line, place, finding.rule.name(), &finding.fault());
    close_up::render_one(line, &view)
}

/// Where the drawing for a line at `output` is written; `None` for what is no plain file, and where
/// it would take the place of one of the `inputs`.
pub fn place_beside(output: &Output, inputs: &[PathBuf]) -> Option<PathBuf> {
    let Output::File(path) = output else { return None };
    let is_special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    let drawn = Output::File(path.with_extension(ENDING));
    match drawn {
        Output::File(path) if !is_special && file_guard::check(inputs, [&Output::File(path.clone())]).is_ok() => {
            Some(path)
        }
        _ => None,
    }
}

/// The error with its remedy, and the name of a drawing if it refuses a line.
pub fn reported(error: pipeline::Error, place: Option<PathBuf>) -> anyhow::Error {
    match (&error, place) {
        (pipeline::Error::Unsound { line, error: fault, .. }, Some(place)) => {
            anyhow::Error::msg(with_drawing(&with_advice(&error), line, fault, place))
        }
        _ => error.into(),
    }
}

/// The text of a failure of a batch; the line that it refuses is drawn to the file.
pub fn reported_of_task(error: &TaskError, place: Option<PathBuf>) -> String {
    let text = with_advice(error);
    let refused = match error {
        TaskError::Pipeline(error) => match &**error {
            pipeline::Error::Unsound { line, error, .. } => Some((line, error)),
            _ => None,
        },
        TaskError::Unsound { line, error, .. } => Some((line, error)),
        _ => None,
    };
    match (refused, place) {
        (Some((line, fault)), Some(place)) => {
            // The folder of --explain is made when something is to be explained.
            let _ = place.parent().map(fs::create_dir_all);
            with_drawing(&text, line, fault, place)
        }
        _ => text,
    }
}

fn with_drawing(text: &str, line: &RacingLine, fault: &VerifyError, place: PathBuf) -> String {
    let VerifyError::Unsound(unsound) = fault else { return text.to_owned() };
    let shown = place.display().to_string();
    match Output::File(place).write(drawing(line, &unsound.first).as_bytes()) {
        Ok(()) => format!("{text}: the place is drawn in {shown}"),
        // The line is what matters.
        Err(error) => format!("{text}: the place is not drawn: {error:#}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;
    use std::path::{Path, PathBuf};

    use raceline::file::json;
    use raceline::pipeline::{Error, prove};

    use super::{Output, place_beside, reported};

    /// The error that refuses a line with a wrong distance at one point.
    fn refused() -> Error {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/club.raceline.json");
        let mut line = json::read(&fs::read(path).unwrap()).unwrap();
        line.points[9].left_m += 0.5;
        let error = prove(&line).unwrap_err();
        Error::Unsound { file: "club.png".into(), line: Box::new(line), error }
    }

    #[test]
    fn a_refused_line_is_drawn_beside_its_output_and_the_message_names_the_drawing() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output::File(folder.path().join("club.raceline.json"));
        let place = place_beside(&output, &[]).unwrap();
        assert_eq!(place, folder.path().join("club.raceline.refused.svg"));
        let text = format!("{:#}", reported(refused(), Some(place.clone())));
        assert!(text.starts_with("club.png: the line that was found is not sound: point 9 (s "), "{text}");
        assert!(text.ends_with(&format!("the place is drawn in {}", place.display())), "{text}");
        assert!(fs::read_to_string(&place).unwrap().contains("left-distance"));
        // The line itself is not written, and nothing else is.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn without_a_place_for_the_drawing_the_message_is_that_of_the_fault() {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("{:#}", reported(refused(), None));
        assert!(text.contains("left-distance") && !text.contains("drawn"), "{text}");
        let gone = folder.path().join("gone/club.refused.svg");
        let text = format!("{:#}", reported(refused(), Some(gone)));
        assert!(text.contains("left-distance") && text.contains("not drawn: can't write"), "{text}");
    }

    #[test]
    fn neither_stdout_nor_an_input_is_drawn_over() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("a.refused.svg");
        fs::write(&input, "<svg/>").unwrap();
        let output = Output::File(folder.path().join("a.json"));
        assert_eq!(place_beside(&output, std::slice::from_ref(&input)), None);
        assert_eq!(place_beside(&output, &[]), Some(input));
        assert_eq!(place_beside(&Output::Stdout, &[]), None);
        assert_eq!(place_beside(&Output::File(PathBuf::from("/dev/null")), &[]), None);
    }
}
