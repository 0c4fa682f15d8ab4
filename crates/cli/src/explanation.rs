//! `--explain found.png`: one picture of what was found in an input.

use std::path::Path;

use anyhow::anyhow;
use raceline::pipeline::{self, Extraction, StageTrace};
use raceline_render::stage_pictures::{self, StageResults};

use super::output::Output;
use super::report::Failure;

/// Whether the value of `--explain` is a picture, and not a folder.
pub fn is_picture(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
}

/// Writes the picture, also of an input in which no track was found.
///
/// # Errors
/// An input that is no picture, and a file that cannot be written.
pub fn write(path: &Path, trace: &StageTrace, extraction: Option<&Extraction>) -> Result<(), Failure> {
    let Some(grey) = &trace.grey else {
        // The error of a picture that cannot be read is reported instead.
        return match extraction {
            Some(_) => Err(anyhow!("{}: only what is found in a picture can be drawn", path.display()).into()),
            None => Ok(()),
        };
    };
    let stages = StageResults {
        grey,
        mask: trace.mask.as_ref().map(|mask| &mask.coverage),
        edges: trace.traced.as_ref().map(|traced| &traced.edges),
        track: extraction.map(|extraction| &extraction.track),
    };
    let doubtful: Vec<[f64; 2]> = extraction
        .iter()
        .flat_map(|extraction| pipeline::doubtful(&extraction.report.edge_uncertainty))
        .map(|stretch| [stretch.from_m, stretch.to_m])
        .collect();
    let picture = stage_pictures::draw_found(&stages, &doubtful).map_err(anyhow::Error::from)?;
    Output::new(path).write(&picture)?;
    Ok(())
}
