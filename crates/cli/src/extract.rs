//! `raceline extract`: from a picture to the track alone.

use std::path::{Path, PathBuf};

use anyhow::Context;
use raceline::pipeline::{self, Error, Extraction, StageTrace};
use raceline_render::stage_pictures::{self, StageResults};
use raceline_road::track_file::{self, TrackFile};

use super::advice::{warning_with_advice, with_advice};
use super::explanation;
use super::file_guard;
use super::option_flags::OptionFlags;
use super::output::{Output, remove_leftovers};
use super::report::{self, Failure};
use super::{GlobalFlags, progress};

/// Find the road in a picture, without a line
///
/// Writes the road's edges and cross-sections as JSON, which `raceline optimize` accepts in place
/// of the picture. Use it to check the result, to correct it by hand, or to try vehicles without
/// reading the picture again.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// A picture, a map YAML or a track file: CSV, GeoJSON, SVG or XML of TORCS; - for stdin
    #[arg(value_name = "PICTURE")]
    input: PathBuf,
    /// Where to write: a file, or - for stdout
    #[arg(long, short, value_name = "TRACK", default_value = "-")]
    output: PathBuf,
    /// Draw what was found in a picture, also if no track was: as one PNG, with the road tinted, its
    /// edges, and doubtful stretches; or into this folder, with one picture per stage of reading and
    /// report.json with the style, the scores of all styles, omitted shapes and warnings
    #[arg(long, value_name = "PNG|DIR")]
    explain: Option<PathBuf>,
    /// Name of the track [default: that of the input file, stdin for stdin]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Print what was found as JSON: on stdout, or on stderr if the track is there
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: OptionFlags,
}

/// The report of `--explain`.
const REPORT: &str = "report.json";

const AFTER_HELP: &str = "\
Examples:
  raceline extract club.png --metres-per-pixel 0.25 -o club.track.json
  raceline optimize club.track.json --vehicle kart";

impl Arguments {
    /// Extracts the track and writes it.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let layered = self.options.layered(&self.input)?;
        let output = Output::new(&self.output);
        let (picture, folder) = match &self.explain {
            Some(path) if explanation::is_picture(path) => (Some(path), None),
            folder => (None, folder.as_ref()),
        };
        let explained = folder.into_iter().flat_map(|folder| {
            stage_pictures::NAMES.iter().chain(&[REPORT]).map(|name| Output::File(folder.join(name)))
        });
        let explained = explained.chain(picture.map(|path| Output::File(path.clone())));
        let outputs: Vec<Output> = std::iter::once(output.clone()).chain(explained).collect();
        file_guard::check(&self.options.files(&self.input), &outputs)?;
        output.check()?;
        let mut trace = self.explain.is_some().then(StageTrace::default);
        let extraction = {
            let progress = progress::watch(flags, &self.input.display().to_string());
            pipeline::extract_with_trace(&self.input, &layered.options, &*progress, trace.as_mut())
        };
        if let (Some(folder), Some(trace)) = (folder, &trace) {
            explain(folder, trace, extraction.as_ref())?;
        }
        if let (Some(path), Some(trace)) = (picture, &trace) {
            explanation::write(path, trace, extraction.as_ref().ok())?;
        }
        let mut extraction = extraction.map_err(|error| layered.failure(error))?;
        if let Some(name) = &self.name {
            extraction.rename(name);
        }
        let file = TrackFile::new(&extraction.name, &extraction.track, &extraction.source);
        output.write(&track_file::write(&file)?)?;
        if !flags.quiet {
            flags.warn(self.input.display(), &extraction.report.warnings);
            if !self.json {
                report::to_stderr(&format!("{}: {}\n", extraction.name, extraction.report.line()));
            }
        }
        if self.json {
            let text = report_json(&extraction)?;
            report::beside(&text, output.is_stdout())?;
        }
        Ok(())
    }
}

/// Writes the results of the stages, and the report or the error.
fn explain(folder: &Path, trace: &StageTrace, extraction: Result<&Extraction, &Error>) -> Result<(), Failure> {
    remove_leftovers(folder);
    std::fs::create_dir_all(folder).with_context(|| format!("can't create the folder {}", folder.display()))?;
    if let Some(grey) = &trace.grey {
        let stages = StageResults {
            grey,
            mask: trace.mask.as_ref().map(|mask| &mask.coverage),
            edges: trace.traced.as_ref().map(|traced| &traced.edges),
            track: extraction.ok().map(|extraction| &extraction.track),
        };
        for (name, bytes) in stage_pictures::draw(&stages)? {
            Output::File(folder.join(name)).write(&bytes)?;
        }
    }
    let report = match extraction {
        Ok(extraction) => report_json(extraction)?,
        Err(error) => {
            let report = serde_json::json!({ "error": with_advice(error), "styles": trace.styles });
            serde_json::to_string_pretty(&report).context("the report")? + "\n"
        }
    };
    Output::File(folder.join(REPORT)).write(report.as_bytes())?;
    Ok(())
}

/// The report as JSON, with the warnings as they are printed.
fn report_json(extraction: &Extraction) -> anyhow::Result<String> {
    let mut report = serde_json::to_value(&extraction.report).context("the report")?;
    if let Some(warnings) = report.get_mut("warnings") {
        *warnings = extraction.report.warnings.iter().map(warning_with_advice).collect();
    }
    Ok(serde_json::to_string_pretty(&report).context("the report")? + "\n")
}
