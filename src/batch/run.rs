//! Tasks → files, several at a time.

use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use super::error::{StoreError, TaskError};
use super::freshness::{State, prepare, state};
use super::queue::Queue;
use super::report::{Report, StageTime, Status, TaskReport};
use super::size::Size;
use super::task::Task;
use crate::analysis::drift::{self, Drift, Tolerances};
use crate::file::json;
use crate::file::{GENERATOR, RacingLine};
use crate::files::{self, LARGEST_LINE_FILE};
use crate::options::Layer;
use crate::pipeline::{self, Outcome, Progress};

/// The request for a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The layer of options that overrides all other layers.
    pub command_line: Layer,
    /// What to do with the lines.
    pub action: Action,
    /// Whether the lines include the candidates' points and the cross-sections.
    pub detail: bool,
    /// Number of tasks at a time, at least 1. Each gets an equal part of the threads of the current
    /// pool.
    pub jobs: usize,
    /// Estimated memory that the running tasks may use together, bytes. A larger task runs alone.
    /// Default: no limit.
    pub max_memory_bytes: Option<u64>,
    /// Whether each line is proven to be sound before it is written or compared.
    pub verify: bool,
    /// Whether no further task begins after a failure.
    pub fail_fast: bool,
}

/// What to do with the lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Make those that are not up to date.
    Make {
        /// Whether to make the unchanged lines too.
        force: bool,
    },
    /// Make all again, write none, and compare them with the existing files.
    Check(Tolerances),
}

/// Writes bytes to a path atomically; the error names the path.
pub type Write<'a> = dyn Fn(&Path, &[u8]) -> Result<(), StoreError> + Sync + 'a;

/// Receives the progress of a batch. All methods may be called from several threads at once.
pub trait Observer: Sync {
    /// A task begins.
    fn begins(&self, _task: &Task) {}
    /// A stage of a task begins.
    fn stage(&self, _task: &Task, _name: &str) {}
    /// A long stage has done `done` of `total` steps.
    fn step(&self, _task: &Task, _done: usize, _total: usize, _note: &str) {}
    /// A line has drifted: the kept line, the new line, and the differences.
    fn drifted(&self, _task: &Task, _kept: &RacingLine, _now: &RacingLine, _drift: &Drift) {}
    /// A task has ended or was skipped.
    fn ends(&self, _task: &Task, _report: &TaskReport) {}
    /// The text of a failure for the report. Default: the error and its sources. A program may add
    /// the remedy.
    fn failure(&self, _task: &Task, error: &TaskError) -> String {
        error.with_sources()
    }
}

/// Runs `tasks`. If one fails, the rest still run. `write` receives the path and bytes of each
/// output and must write them atomically; its error is the failure of that task. The lines depend
/// neither on the number of jobs nor on the number of threads.
pub fn run(tasks: &[Task], request: &Request, observer: &dyn Observer, write: &Write) -> Report {
    let begun = Instant::now();
    let states: Vec<Result<State, TaskError>> =
        tasks.par_iter().map(|task| state(task, &request.command_line, request.detail)).collect();
    let mut reports: Vec<Option<TaskReport>> = Vec::with_capacity(tasks.len());
    let mut reasons: Vec<Option<String>> = vec![None; tasks.len()];
    for (index, (task, state)) in tasks.iter().zip(states).enumerate() {
        reports.push(match (state, request.action) {
            (Err(error), _) => Some(TaskReport::failed(task, observer, &error)),
            (Ok(State::UpToDate { lap_time_s, length_m }), Action::Make { force: false }) => Some(TaskReport {
                lap_time_s: Some(lap_time_s),
                length_m: Some(length_m),
                ..TaskReport::of(task, Status::UpToDate)
            }),
            (Ok(State::Stale(reason)), Action::Make { .. }) => {
                reasons[index] = Some(reason);
                None
            }
            _ => None,
        });
    }
    let waiting: Vec<(usize, Size)> =
        (0..tasks.len()).filter(|&index| reports[index].is_none()).map(|index| (index, tasks[index].size())).collect();
    for (task, report) in tasks.iter().zip(&reports) {
        report.iter().for_each(|report| observer.ends(task, report));
    }
    let failed_already = reports.iter().flatten().any(|report| report.status.is_bad());
    let jobs = request.jobs.clamp(1, waiting.len().max(1));
    let threads_per_job = (rayon::current_num_threads() / jobs).max(1);
    if !(request.fail_fast && failed_already) {
        let queue = Queue::new(waiting, request.max_memory_bytes.unwrap_or(u64::MAX));
        let finished = Mutex::new(Vec::new());
        let work = || {
            // One pool per worker: a thread that waits for its own track must not begin another
            // one.
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads_per_job).build();
            while let Some((index, size)) = queue.take() {
                let task = &tasks[index];
                observer.begins(task);
                let report = match &pool {
                    Ok(pool) => pool.install(|| attempt(task, request, observer, write)),
                    Err(error) => {
                        let error = TaskError::Threads { input: task.input.clone(), message: error.to_string() };
                        TaskReport::failed(task, observer, &error)
                    }
                };
                queue.give_back(size, request.fail_fast && report.status.is_bad());
                observer.ends(task, &report);
                finished.lock().unwrap_or_else(PoisonError::into_inner).push((index, report));
            }
        };
        std::thread::scope(|scope| {
            (0..jobs).for_each(|_| {
                scope.spawn(work);
            });
        });
        for (index, report) in finished.into_inner().unwrap_or_else(PoisonError::into_inner) {
            reports[index] = Some(report);
        }
    }
    let tracks = tasks.iter().zip(reports).zip(reasons).map(|((task, report), reason)| {
        let report = report.unwrap_or_else(|| TaskReport::of(task, Status::NotRun));
        TaskReport { reason, ..report }
    });
    Report {
        generator: GENERATOR,
        tracks: tracks.collect(),
        seconds: begun.elapsed().as_secs_f64(),
        jobs,
        threads_per_job,
        max_memory_bytes: request.max_memory_bytes,
    }
}

/// Runs one task; a panic is reported as its failure.
fn attempt(task: &Task, request: &Request, observer: &dyn Observer, write: &Write) -> TaskReport {
    let clock = Clock { task, observer, stages: Mutex::new(Vec::new()), begun: Instant::now() };
    let result = catch_unwind(AssertUnwindSafe(|| work(task, request, observer, write, &clock)));
    let result = result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let message = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default();
        Err(TaskError::Defect { input: task.input.clone(), message })
    });
    let report = result.unwrap_or_else(|error| TaskReport::failed(task, observer, &error));
    let (seconds, stages) = clock.stop();
    TaskReport { seconds, stages, ..report }
}

fn work(
    task: &Task,
    request: &Request,
    observer: &dyn Observer,
    write: &Write,
    clock: &Clock,
) -> Result<TaskReport, TaskError> {
    let (options, vehicle) = prepare(task, &request.command_line)?;
    let make = || {
        let asked =
            pipeline::Request::new(&options, &vehicle).detail(request.detail).verify(request.verify).progress(clock);
        pipeline::optimize(&task.input, &asked)
    };
    match request.action {
        Action::Make { .. } => {
            let outcome = make()?;
            clock.stage("writing");
            let bytes = json::write(&outcome.line)
                .map_err(|error| TaskError::Unwritable { input: task.input.clone(), error })?;
            write(&task.output, &bytes).map_err(TaskError::Store)?;
            Ok(TaskReport::of(task, Status::Made).with(&outcome))
        }
        Action::Check(tolerances) => {
            // A missing file is reported before the long run.
            let kept = kept_line(task)?;
            let outcome = make()?;
            clock.stage("comparing");
            let now = outcome.line.rounded();
            let drift = drift::compare(&kept, &now, &tolerances);
            let status = if drift.fits() { Status::Matches } else { Status::Drifted };
            if drift.fits() && request.verify {
                // A change too small for the tolerances may spoil a line.
                pipeline::prove(&kept).map_err(|error| TaskError::Unsound {
                    output: task.output.clone(),
                    line: Box::new(kept.clone()),
                    error,
                })?;
            }
            if !drift.fits() {
                observer.drifted(task, &kept, &now, &drift);
            }
            Ok(TaskReport { drift: Some(drift), ..TaskReport::of(task, status).with(&outcome) })
        }
    }
}

fn kept_line(task: &Task) -> Result<RacingLine, TaskError> {
    let output = task.output.clone();
    match files::read(&task.output, LARGEST_LINE_FILE) {
        Ok(bytes) => json::read(&bytes).map_err(|error| TaskError::Damaged { output, error }),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(TaskError::NothingKept { output }),
        Err(error) => Err(TaskError::Unreadable { output, error }),
    }
}

impl TaskReport {
    fn of(task: &Task, status: Status) -> Self {
        Self {
            name: task.name.clone(),
            input: task.input.display().to_string(),
            output: task.output.display().to_string(),
            status,
            reason: None,
            error: None,
            drift: None,
            lap_time_s: None,
            length_m: None,
            candidates: Vec::new(),
            warnings: Vec::new(),
            seconds: 0.0,
            stages: Vec::new(),
        }
    }

    fn failed(task: &Task, observer: &dyn Observer, error: &TaskError) -> Self {
        Self { error: Some(observer.failure(task, error)), ..Self::of(task, Status::Failed) }
    }

    fn with(self, outcome: &Outcome) -> Self {
        let candidates = outcome.summaries.iter().map(|summary| (summary.method.name(), summary.lap_time_s));
        Self {
            lap_time_s: Some(outcome.line.lap_time_s),
            length_m: Some(outcome.line.length_m),
            candidates: candidates.collect(),
            warnings: outcome.warnings.clone(),
            ..self
        }
    }
}

/// Measures the stages' times and forwards the progress.
struct Clock<'a> {
    task: &'a Task,
    observer: &'a dyn Observer,
    begun: Instant,
    stages: Mutex<Vec<(String, Instant)>>,
}

impl Progress for Clock<'_> {
    fn stage(&self, name: &str) {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner).push((name.to_owned(), Instant::now()));
        self.observer.stage(self.task, name);
    }

    fn step(&self, done: usize, total: usize, note: &str) {
        self.observer.step(self.task, done, total, note);
    }
}

impl Clock<'_> {
    /// Seconds of the whole task and of each stage; repeated stages are added up.
    fn stop(self) -> (f64, Vec<StageTime>) {
        let end = Instant::now();
        let marks = self.stages.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut stages: Vec<StageTime> = Vec::new();
        for (index, (stage, from)) in marks.iter().enumerate() {
            let to = marks.get(index + 1).map_or(end, |(_, next)| *next);
            let seconds = to.duration_since(*from).as_secs_f64();
            match stages.iter_mut().find(|known| known.stage == *stage) {
                Some(known) => known.seconds += seconds,
                None => stages.push(StageTime { stage: stage.clone(), seconds }),
            }
        }
        (end.duration_since(self.begun).as_secs_f64(), stages)
    }
}
