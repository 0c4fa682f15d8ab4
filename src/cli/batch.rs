//! `raceline batch`: every track of a folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use raceline::RacingLine;
use raceline::analysis::drift::{Drift, Tolerances};
use raceline::batch::{self, Action, Report, Request, State, Status, StoreError, Task};
use raceline::file::json;
use raceline::options::Layer;
use raceline::render::close_up::{self, CloseUp};

use super::batch_progress::BatchProgress;
use super::batch_selection::Selection;
use super::memory::{default_limit, parse_bytes};
use super::option_flags::LayerFlags;
use super::output::{Output, remove_leftovers};
use super::report::{self, Failure};
use super::{GlobalFlags, junit};

/// Find the racing line of every track in a folder, those that aren't up to date
///
/// Goes through DIR and the folders in it for pictures, map YAMLs, track files (CSV, GeoJSON, SVG with a sidecar) and extracted tracks (.track.json),
/// and writes <NAME>.raceline.json beside each. A sidecar <NAME>.toml holds a track's options, raceline.toml in DIR those of all; a
/// sidecar wins over raceline.toml, a flag over both.
///
/// A file is up to date when the digest of its input, every option, the vehicle and the program's version are those that the file states.
/// A track that fails stops no other; killed at any moment, the next run goes on where it stopped.
///
/// With --check nothing is written: every line is made again and compared with the file that is there.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write the lines here, in folders as in DIR [default: beside their tracks]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only tracks whose path in DIR matches, with or without its ending; may be given several times
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Leave out tracks whose path in DIR matches; may be given several times
    #[arg(long, value_name = "GLOB")]
    skip: Vec<String>,
    /// Make up-to-date lines too
    #[arg(long, conflicts_with = "check")]
    force: bool,
    /// Print what would be made, and why, and stop
    #[arg(long, conflicts_with_all = ["check", "list"])]
    dry_run: bool,
    /// Print the tasks and stop, for other engines: a line each with input, output and the other files that it depends on, between tabs,
    /// longest first. `raceline batch DIR --only INPUT` does one
    #[arg(long, conflicts_with = "check")]
    list: bool,
    /// Begin no other track after one has failed
    #[arg(long)]
    fail_fast: bool,
    /// Tracks at a time [default: one per thread]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Memory that all running tracks may take, by estimate, as 4G; a larger track runs alone [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    max_memory: Option<u64>,
    /// Store the compared lines' points and the cross-sections too, for `raceline render`
    #[arg(long)]
    detail: bool,
    /// Write what was done as JSON: times of each stage, lap times, warnings, errors, drift
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write what was done as JUnit XML, a test case for each track
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Check")]
    check: CheckFlags,
    #[command(flatten)]
    options: LayerFlags,
}

#[derive(Clone, Debug, clap::Args)]
struct CheckFlags {
    /// Write no line: make all again, compare them with the files that are there, fail where they differ
    #[arg(long)]
    check: bool,
    /// With --check: draw where a line differs, both over each other, and keep the new line, here
    #[arg(long, value_name = "DIR", requires = "check")]
    explain: Option<PathBuf>,
    /// With --check: how far a line may move across the road, metres
    #[arg(long, value_name = "M", requires = "check", default_value_t = 0.05, value_parser = tolerance)]
    lateral_tolerance_m: f64,
    /// With --check: how much a lap time may change, percent
    #[arg(long, value_name = "PERCENT", requires = "check", default_value_t = 0.1, value_parser = tolerance)]
    lap_time_tolerance_percent: f64,
    /// With --check: how much the speed at a place may change, m/s
    #[arg(long, value_name = "MPS", requires = "check", default_value_t = 0.2, value_parser = tolerance)]
    speed_tolerance_mps: f64,
}

const AFTER_HELP: &str = "\
Examples:
  Every track of a folder; the second time only what changed:
    raceline batch tracks
  Karts only, somewhere else, for another vehicle:
    raceline batch tracks --only 'kart*' --out lines --vehicle gt
  In CI, beside the tracks and lines in git:
    raceline batch tracks --check --junit report.xml --explain drift";

fn tolerance(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "give a number".to_owned())?;
    if number >= 0.0 && number.is_finite() { Ok(number) } else { Err("give a number, 0 or more".to_owned()) }
}

impl Arguments {
    /// Runs the batch.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let command_line = self.options.layer()?;
        let selection = Selection::new(&self.only, &self.skip)?;
        let mut tasks = batch::find(&self.folder, self.out.as_deref())?;
        let found = tasks.len();
        tasks.retain(|task| selection.contains(task));
        if tasks.is_empty() {
            let folder = self.folder.display();
            return Err(match found {
                0 => anyhow!("{folder}: no picture or track in it: see `raceline batch --help` for what counts as one"),
                _ => anyhow!("{folder}: none of its {found} tracks is meant by --only and --skip"),
            }
            .into());
        }
        if self.list {
            return Ok(report::to_stdout(list(&tasks, &command_line).as_bytes())?);
        }
        if self.dry_run {
            return self.dry_run(&tasks, &command_line, flags);
        }
        let files: Vec<Output> =
            [&self.report, &self.junit].into_iter().flatten().map(|path| Output::new(path)).collect();
        files.iter().try_for_each(Output::check)?;
        let action = if self.check.check {
            Action::Check(Tolerances {
                lateral_m: self.check.lateral_tolerance_m,
                lap_time_share: self.check.lap_time_tolerance_percent / 100.0,
                speed_mps: self.check.speed_tolerance_mps,
            })
        } else {
            prepare_folders(&tasks)?;
            Action::Make { force: self.force }
        };
        let request = Request {
            command_line,
            action,
            detail: self.detail,
            jobs: self.jobs.map_or(rayon::current_num_threads(), usize::from),
            max_memory_bytes: self.max_memory.or_else(default_limit),
            fail_fast: self.fail_fast,
        };
        let write = |path: &Path, bytes: &[u8]| Output::File(path.to_owned()).write(bytes).map_err(StoreError::from);
        let done = {
            let explain = self.check.explain.as_deref().map(|folder| {
                move |task: &Task, kept: &RacingLine, now: &RacingLine, drift: &Drift| {
                    explain(folder, task, kept, now, drift).map_err(|error| format!("{error:#}"))
                }
            });
            let progress = BatchProgress::new(flags, tasks.len(), explain.as_ref().map(|explain| explain as _));
            batch::run(&tasks, &request, &progress, &write)
        };
        if let Some(path) = &self.report {
            Output::new(path).write((serde_json::to_string_pretty(&done)? + "\n").as_bytes())?;
        }
        if let Some(path) = &self.junit {
            Output::new(path).write(&junit::write(&done)?)?;
        }
        if !flags.quiet {
            report::to_stdout(summary(&done).as_bytes())?;
        }
        match done.tracks.iter().filter(|track| track.status.is_bad()).count() {
            0 => Ok(()),
            failed => Err(Failure::Reported { failed, total: done.tracks.len() }),
        }
    }

    fn dry_run(&self, tasks: &[Task], command_line: &Layer, flags: GlobalFlags) -> Result<(), Failure> {
        let (mut text, mut failed) = (String::new(), 0);
        for task in tasks {
            match batch::state(task, command_line, self.detail) {
                Ok(State::UpToDate { .. }) if self.force => text.push_str(&format!("make {}: forced\n", task.name)),
                Ok(State::UpToDate { .. }) => text.push_str(&format!("up to date {}\n", task.name)),
                Ok(State::Stale(reason)) => text.push_str(&format!("make {}: {reason}\n", task.name)),
                Err(error) => {
                    report::print_failure(&error.into(), flags.colour());
                    failed += 1;
                }
            }
        }
        report::to_stdout(text.as_bytes())?;
        if failed > 0 { Err(Failure::Reported { failed, total: tasks.len() }) } else { Ok(()) }
    }
}

/// The tasks, a line each, longest first.
fn list(tasks: &[Task], command_line: &Layer) -> String {
    let mut tasks: Vec<&Task> = tasks.iter().collect();
    tasks.sort_by_cached_key(|task| std::cmp::Reverse(task.size().work()));
    let line = |task: &Task| {
        let dependencies = task.dependencies(command_line);
        let files = [&task.input, &task.output].into_iter().chain(&dependencies);
        files.map(|path| path.display().to_string()).collect::<Vec<_>>().join("\t") + "\n"
    };
    tasks.into_iter().map(line).collect()
}

/// Makes the folders of the outputs, and removes what killed processes left there.
fn prepare_folders(tasks: &[Task]) -> Result<(), Failure> {
    let mut seen = BTreeSet::new();
    for task in tasks {
        let folder = task.output.parent().unwrap_or(Path::new(""));
        if !seen.insert(folder.to_owned()) {
            continue;
        }
        fs::create_dir_all(folder).with_context(|| format!("can't create the folder {}", folder.display()))?;
        remove_leftovers(folder);
    }
    Ok(())
}

/// Draws both lines where they differ, and keeps the new one.
fn explain(folder: &Path, task: &Task, kept: &RacingLine, now: &RacingLine, drift: &Drift) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("can't create the folder {}", folder.display()))?;
    let name = task.name.replace('/', "__");
    Output::File(folder.join(format!("{name}{}", batch::ENDING))).write(&json::write(now)?)?;
    for (index, view) in CloseUp::of_drift(kept, drift).iter().enumerate() {
        let picture = close_up::render(kept, now, view);
        Output::File(folder.join(format!("{name}.{}.svg", index + 1))).write(picture.as_bytes())?;
    }
    Ok(())
}

/// One line of what was done.
fn summary(done: &Report) -> String {
    let count = |status: Status| done.tracks.iter().filter(|track| track.status == status).count();
    let parts: Vec<String> = [
        (Status::Made, "made"),
        (Status::UpToDate, "up to date"),
        (Status::Matches, "match"),
        (Status::Drifted, "drifted"),
        (Status::Failed, "failed"),
        (Status::NotRun, "not run"),
    ]
    .into_iter()
    .filter(|&(status, _)| count(status) > 0)
    .map(|(status, word)| format!("{} {word}", count(status)))
    .collect();
    let tracks = if done.tracks.len() == 1 { "track" } else { "tracks" };
    format!("{} {tracks}: {}; {:.1} s\n", done.tracks.len(), parts.join(", "), done.seconds)
}
