//! One line, made and reported as `raceline optimize` does.

use std::path::Path;

use anyhow::Context;

use super::GlobalFlags;
use super::constraint_lines::constraint_lines;
use super::explanation;
use super::initial_line_table::initial_line_table;
use super::optimize_summary::OptimizeSummary;
use super::option_flags::OptionFlags;
use super::output::{Output, written};
use super::passing_lines::passing_lines;
use super::progress;
use super::refusal;
use super::report::{self, Failure};
use super::summary_table::summary_table;
use super::survival::{self, SurvivalFlags};
use super::track_name::name_of;
use raceline::confidence::{ConfidenceError, Survival, optimize_with_confidence};
use raceline::file::json;
use raceline::pipeline::{self, LapEnergy, Outcome, Request, StageTrace};
use raceline::units::Decimals;
use raceline_editor::{Previewer, reading_tools};
use raceline_render::html::ReadingTools;
use raceline_road::frame::PictureFrame;
use raceline_road::track::Direction;

/// A line with the other information of its track.
pub struct MadeLine {
    /// The line.
    pub outcome: Outcome,
    /// What the line was made to survive.
    pub survival: Option<Survival>,
    /// The position of the track's picture.
    pub frame: Option<PictureFrame>,
    /// The direction of travel.
    pub direction: Direction,
    /// The middles of the cross-sections, m.
    pub centre_line_m: Vec<[f64; 2]>,
    /// Makes coarse lines of this track, for a page.
    pub previewer: Previewer,
    /// The options of reading that change the road.
    pub reading: ReadingTools,
}

/// A line that is to be made.
pub struct LineTask<'a> {
    /// The track.
    pub input: &'a Path,
    /// Where the line is written.
    pub output: &'a Output,
    /// The track's name, if not that of its file.
    pub name: Option<&'a str>,
    /// The options.
    pub options: &'a OptionFlags,
    /// Whether the line's file has the details.
    pub detail: bool,
    /// Whether the summary is JSON.
    pub json: bool,
    /// Where a picture of what was found is written.
    pub explain: Option<&'a Path>,
    /// What the line must survive, where a command has flags for it.
    pub survival: Option<&'a SurvivalFlags>,
    /// Flags of every command.
    pub flags: GlobalFlags,
}

impl LineTask<'_> {
    /// Makes the line. Warnings are printed, those about the track before the search.
    pub fn make(&self) -> Result<MadeLine, Failure> {
        let &Self { input, flags, .. } = self;
        let layered = self.options.layered(input)?;
        let vehicle = layered.load_vehicle()?;
        self.output.check()?;
        let name = name_of(input);
        let mut trace = self.explain.is_some().then(StageTrace::default);
        let extraction = {
            let progress = progress::watch(flags, &name);
            pipeline::extract_with_trace(input, &layered.options, &*progress, trace.as_mut())
        };
        if let (Some(path), Some(trace)) = (self.explain, &trace) {
            explanation::write(path, trace, extraction.as_ref().ok())?;
        }
        let mut extraction = extraction.map_err(|error| layered.failure(error))?;
        if let Some(name) = self.name {
            extraction.rename(name);
        }
        // Before the search, which may take long on a track that is not one.
        let reported = extraction.warnings_for(&vehicle);
        self.flags.warn(input.display(), &reported);
        let centre_line_m = extraction.track.centre_line().points.iter().map(|point| [point.x, point.y]).collect();
        let (frame, direction) = (extraction.frame, extraction.track.direction);
        let reading = reading_tools(&layered.options, &extraction);
        let previewer = Previewer::new(extraction.clone(), &layered.options, &vehicle);
        let survived = self.survival.map(SurvivalFlags::options).transpose()?.flatten();
        let (outcome, survival) = {
            let progress = progress::watch(flags, &name);
            let request = Request::new(&layered.options, &vehicle).detail(self.detail).verify(!flags.no_verify);
            let request = request.progress(&*progress);
            let read = self.options.files(input);
            let refused = |error| refusal::reported(error, refusal::place_beside(self.output, &read));
            match &survived {
                Some(options) => {
                    let found =
                        optimize_with_confidence(&extraction, &request, options).map_err(|error| match error {
                            ConfidenceError::Line(error) => refused(error),
                            error => anyhow::Error::from(error).context(input.display().to_string()),
                        })?;
                    (found.outcome, Some(found.survival))
                }
                None => (pipeline::optimize(extraction, &request).map_err(refused)?, None),
            }
        };
        if flags.verbose {
            outcome.details.iter().for_each(|detail| report::print_detail(&detail.to_string()));
        }
        self.flags.warn(input.display(), &outcome.warnings[reported.len()..]);
        Ok(MadeLine { outcome, survival, frame, direction, centre_line_m, previewer, reading })
    }

    /// Writes the line, and prints the table of the lines that were compared.
    pub fn write(&self, made: &MadeLine) -> Result<(), Failure> {
        let outcome = &made.outcome;
        let line = json::write(&outcome.line).with_context(|| format!("the line of {}", self.input.display()))?;
        self.output.write(&line)?;
        if self.json {
            return OptimizeSummary::new(self.input, self.output, outcome, made.survival).print(self.output);
        }
        if self.flags.quiet {
            return Ok(());
        }
        let heading = format!("{}: {}", outcome.line.name, outcome.extraction.line());
        let decimals = Decimals::of(outcome.extraction.length_m, outcome.extraction.mean_width_m);
        let mut table = summary_table(&heading, &outcome.summaries, outcome.line.method, decimals);
        if let Some(energy) = outcome.energy {
            table.push_str(&energy_line(energy));
        }
        if let Some(initial) = &outcome.initial {
            table.push_str(&initial_line_table(initial, &outcome.line));
        }
        if let Some(decisions) = &outcome.decisions {
            table.push_str(&passing_lines(decisions));
        }
        table.push_str(&constraint_lines(&outcome.line.constraints));
        if let Some(survival) = &made.survival {
            table.push_str(&survival::line(survival, outcome.line.lap_time_s));
        }
        table.push_str(&written([self.output]));
        Ok(report::beside(&table, self.output.is_stdout())?)
    }
}

/// What the car's lap takes, below the table.
fn energy_line(energy: LapEnergy) -> String {
    // A model car takes joules, a racing car millions of them.
    let (unit, joules) = match energy.energy_j {
        few if few < 1e3 => ("J", 1.0),
        more if more < 1e6 => ("kJ", 1e3),
        _ => ("MJ", 1e6),
    };
    let saved = joules * energy.seconds_per_joule;
    let price = if saved > 0.0 { format!("; one more {unit} saves {saved:.3} s") } else { String::new() };
    format!("  energy {:.3} {unit}{price}\n", energy.energy_j / joules)
}
