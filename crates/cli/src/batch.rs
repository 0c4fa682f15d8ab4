//! `raceline batch`: every track of a folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use raceline::RacingLine;
use raceline::analysis::drift::{Drift, Tolerances};
use raceline::batch::{self, Action, Report, Request, State, Status, StoreError, Task, TaskError};
use raceline::file::json;
use raceline::options::Layer;
use raceline_render::close_up::{self, CloseUp};

use super::batch_progress::BatchProgress;
use super::batch_selection::Selection;
use super::file_guard;
use super::folder_page;
use super::memory::{default_limit, parse_bytes};
use super::option_flags::LayerFlags;
use super::output::{Output, remove_leftovers};
use super::refusal;
use super::report::{self, Failure};
use super::{GlobalFlags, junit};

/// Find the racing line of every track in a folder that is not up to date
///
/// Searches DIR and the folders in it for pictures, map YAMLs, track files (CSV, GeoJSON, XML of
/// TORCS, SVG with a sidecar) and extracted tracks (.track.json), and writes <NAME>.raceline.json
/// beside each. A sidecar <NAME>.toml contains the options of one track, raceline.toml in DIR those
/// of all tracks. A sidecar overrides raceline.toml, and a flag overrides both.
///
/// A file is up to date if the digest of its input, every option, the vehicle and the program's
/// version are those that the file states. If a track fails, the rest still run. If a run is
/// killed, the next run continues where it stopped.
///
/// With --check nothing is written: every line is made again and compared with the existing file.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write the lines to this folder, in subfolders as in DIR [default: beside their tracks]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Process only tracks whose path in DIR matches, with or without its ending; may be given
    /// several times
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Skip tracks whose path in DIR matches; may be given several times
    #[arg(long, value_name = "GLOB")]
    skip: Vec<String>,
    /// Make lines that are up to date too
    #[arg(long, conflicts_with = "check")]
    force: bool,
    /// Print which lines would be made and why, and stop
    #[arg(long, conflicts_with_all = ["check", "list"])]
    dry_run: bool,
    /// Print the tasks for another scheduler and stop: one line per task with input, output and the
    /// other files that it depends on, separated by tabs, longest task first.
    /// `raceline batch DIR --only INPUT` runs one task
    #[arg(long, conflicts_with = "check")]
    list: bool,
    /// Start no further track after a failure
    #[arg(long)]
    fail_fast: bool,
    /// Number of tracks processed at a time [default: one per thread]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Estimated memory that all running tracks may use, as 4G; a larger track runs alone [default:
    /// three quarters of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    max_memory: Option<u64>,
    /// Store the compared lines' points and the cross-sections too, for `raceline render`
    #[arg(long)]
    detail: bool,
    /// Write a report as JSON: times of each stage, lap times, warnings, errors, drift
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write a report as JUnit XML, one test case per track
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a start page of the folder: each track with thumbnail, lap time, warnings and what differs
    /// from git, linked to its own page, which is written as <NAME>.html beside its line
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print the report as JSON in place of the summary
    #[arg(long)]
    json: bool,
    #[command(flatten, next_help_heading = "Check")]
    check: CheckFlags,
    #[command(flatten)]
    options: LayerFlags,
}

#[derive(Clone, Debug, clap::Args)]
struct CheckFlags {
    /// Write no lines: make all again, compare them with the existing files, fail if they differ
    #[arg(long)]
    check: bool,
    /// With --check: write pictures of the places where a line differs, and the new line, to this
    /// folder
    #[arg(long, value_name = "DIR", requires = "check")]
    explain: Option<PathBuf>,
    /// With --check: largest allowed shift of a line across the road, metres
    #[arg(long, value_name = "M", requires = "check", default_value_t = 0.05, value_parser = tolerance)]
    lateral_tolerance_m: f64,
    /// With --check: largest allowed change of a lap time, percent
    #[arg(long, value_name = "PERCENT", requires = "check", default_value_t = 0.1, value_parser = tolerance)]
    lap_time_tolerance_percent: f64,
    /// With --check: largest allowed change of the speed at a place, m/s
    #[arg(long, value_name = "MPS", requires = "check", default_value_t = 0.2, value_parser = tolerance)]
    speed_tolerance_mps: f64,
}

const AFTER_HELP: &str = "\
Examples:
  Every track of a folder; a second run processes only what changed:
    raceline batch tracks
  With a start page that shows all of them:
    raceline batch tracks --html tracks/index.html
  Only karts, to another folder, for another vehicle:
    raceline batch tracks --only 'kart*' --out lines --vehicle gt
  In CI, with the tracks and lines in git:
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
                0 => anyhow!("{folder}: it contains no picture or track: `raceline batch --help` lists the kinds"),
                _ => anyhow!("{folder}: --only and --skip exclude all its tracks ({found})"),
            }
            .into());
        }
        if self.list {
            return self.list(&tasks, &command_line, flags);
        }
        if self.dry_run {
            return self.dry_run(&tasks, &command_line, flags);
        }
        let files: Vec<Output> =
            [&self.report, &self.junit, &self.html].into_iter().flatten().map(|path| Output::new(path)).collect();
        self.check_files(&tasks, &command_line, &files)?;
        files.iter().try_for_each(Output::check)?;
        let action = if self.check.check {
            Action::Check(Tolerances {
                lateral_m: self.check.lateral_tolerance_m,
                lap_time_fraction: self.check.lap_time_tolerance_percent / 100.0,
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
            verify: !flags.no_verify,
            fail_fast: self.fail_fast,
        };
        let write = |path: &Path, bytes: &[u8]| Output::File(path.to_owned()).write(bytes).map_err(StoreError::from);
        self.check.explain.iter().for_each(|folder| remove_leftovers(folder));
        let done = {
            let explain = self.check.explain.as_deref().map(|folder| {
                move |task: &Task, kept: &RacingLine, now: &RacingLine, drift: &Drift| {
                    explain(folder, task, kept, now, drift).map_err(|error| format!("{error:#}"))
                }
            });
            // A check draws nothing beside the lines.
            let drawing = |task: &Task| match (self.check.check, &self.check.explain) {
                (true, None) => None,
                (true, Some(folder)) => explained(folder, task).next().map(|line| line.with_extension("refused.svg")),
                (false, _) => {
                    let read: Vec<PathBuf> = tasks.iter().map(|task| task.input.clone()).collect();
                    refusal::place_beside(&Output::File(task.output.clone()), &read)
                }
            };
            let explain = explain.as_ref().map(|explain| explain as _);
            let progress = BatchProgress::new(flags, tasks.len(), explain, &drawing);
            batch::run(&tasks, &request, &progress, &write)
        };
        if let Some(path) = &self.report {
            Output::new(path).write((serde_json::to_string_pretty(&done)? + "\n").as_bytes())?;
        }
        if let Some(path) = &self.junit {
            Output::new(path).write(&junit::write(&done)?)?;
        }
        if let Some(path) = &self.html {
            let title = fs::canonicalize(&self.folder).ok().and_then(|folder| Some(folder.file_name()?.to_owned()));
            let title = title.map_or("tracks".into(), |name| name.to_string_lossy().into_owned());
            folder_page::write(path, &title, &done)?;
        }
        let reported = match self.json {
            true => report::to_stdout(&(serde_json::to_string_pretty(&done)? + "\n")),
            false if flags.quiet => Ok(()),
            false => report::to_stdout(&summary(&done)),
        };
        let reported = reported.map_err(Failure::from);
        // A reader that has closed stdout, as `head` does, changes nothing about the tracks.
        match done.tracks.iter().filter(|track| track.status.is_bad()).count() {
            0 => reported,
            failed => Err(Failure::Reported { failed, total: done.tracks.len() }),
        }
    }

    /// Checks that no report and no drawing takes the place of a track, of its options or of a line.
    fn check_files(&self, tasks: &[Task], command_line: &Layer, reports: &[Output]) -> Result<(), Failure> {
        // The other values fail by themselves.
        let tasks = || tasks.iter().filter(|task| task.has_plain_name());
        let lines: BTreeSet<&PathBuf> = tasks().map(|task| &task.output).collect();
        let drawings = self.check.explain.iter().flat_map(|folder| tasks().flat_map(|task| explained(folder, task)));
        let drawings: BTreeSet<PathBuf> = drawings.collect();
        let mut read: Vec<PathBuf> = Vec::new();
        for task in tasks() {
            read.push(task.input.clone());
            read.extend(task.dependencies(command_line));
        }
        let mut written: Vec<Output> = reports.to_vec();
        if self.html.is_some() {
            written.extend(folder_page::pages(lines.iter().map(|&line| line.clone())).map(Output::File));
        }
        written.extend(drawings.into_iter().map(Output::File));
        if self.check.check {
            read.extend(lines.into_iter().cloned());
        } else {
            written.extend(lines.into_iter().cloned().map(Output::File));
        }
        file_guard::check(&read, &written)
    }

    /// Prints the tasks that another scheduler can run.
    fn list(&self, tasks: &[Task], command_line: &Layer, flags: GlobalFlags) -> Result<(), Failure> {
        let (plain, others): (Vec<&Task>, Vec<&Task>) = tasks.iter().partition(|task| task.has_plain_name());
        for task in &others {
            let error = TaskError::ControlCharacter { name: task.relative.clone() };
            report::print_failure(&error.into(), flags.colour());
        }
        let reported = report::bytes_to_stdout(list(plain, command_line).as_bytes());
        match others.len() {
            0 => Ok(reported?),
            failed => Err(Failure::Reported { failed, total: tasks.len() }),
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
        let reported = report::to_stdout(&text);
        if failed > 0 { Err(Failure::Reported { failed, total: tasks.len() }) } else { Ok(reported?) }
    }
}

/// The tasks, one per line, longest first.
fn list(mut tasks: Vec<&Task>, command_line: &Layer) -> String {
    tasks.sort_by_cached_key(|task| std::cmp::Reverse(task.size().work()));
    let line = |task: &Task| {
        let dependencies = task.dependencies(command_line);
        let files = [&task.input, &task.output].into_iter().chain(&dependencies);
        files.map(|path| path.display().to_string()).collect::<Vec<_>>().join("\t") + "\n"
    };
    tasks.into_iter().map(line).collect()
}

/// Creates the folders of the outputs and removes temporary files of killed processes there.
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

/// Draws both lines where they differ, and writes the new one.
fn explain(folder: &Path, task: &Task, kept: &RacingLine, now: &RacingLine, drift: &Drift) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("can't create the folder {}", folder.display()))?;
    let mut files = explained(folder, task);
    if let Some(file) = files.next() {
        Output::File(file).write(&json::write(now)?)?;
    }
    for (file, view) in files.zip(&CloseUp::of_drift(kept, drift)) {
        Output::File(file).write(close_up::render(kept, now, view).as_bytes())?;
    }
    Ok(())
}

/// The files of a drift: the new line, and then its drawings.
fn explained(folder: &Path, task: &Task) -> impl Iterator<Item = PathBuf> {
    let base = folder.join(task.name.replace('/', "__"));
    let file = move |ending: &str| {
        let mut name = base.clone().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    };
    let line = file(batch::ENDING);
    std::iter::once(line).chain((1..=close_up::MOST_OF_DRIFT).map(move |number| file(&format!(".{number}.svg"))))
}

/// The report in one line.
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
