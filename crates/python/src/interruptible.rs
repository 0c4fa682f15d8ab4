//! A run in a thread of its own: Python goes on, progress is reported, and Ctrl-C ends it.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use raceline::pipeline::{self, Progress};

use crate::error;

/// Signals of Python are looked for this often.
const SIGNALS: Duration = Duration::from_millis(50);

/// Where progress is reported.
#[derive(Default)]
pub struct Reports<'py> {
    /// Called with stage, steps done, their total and a note.
    callback: Option<Bound<'py, PyAny>>,
}

impl<'py> Reports<'py> {
    /// `True` prints the stages, a function is called with each step.
    pub fn new(given: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let Some(given) = given.filter(|given| !given.is_none()) else { return Ok(Self::default()) };
        let callback = match given.extract::<bool>() {
            Ok(false) => None,
            Ok(true) => Some(given.py().import("raceline._progress")?.getattr("show")?),
            Err(_) => Some(given.clone()),
        };
        Ok(Self { callback })
    }
}

/// A step of a run.
struct Step {
    stage: String,
    done: usize,
    total: usize,
    note: String,
}

/// Sends the steps of a run, and ends it when that is requested.
struct Sending<'a> {
    steps: Mutex<(Sender<Step>, String)>,
    reports_steps: bool,
    ends: &'a AtomicBool,
}

/// What a run that is ended unwinds with.
struct Ended;

impl Sending<'_> {
    fn send(&self, stage: Option<&str>, done: usize, total: usize, note: &str) {
        if self.ends.load(Ordering::Relaxed) {
            // The search holds nothing but memory, which unwinding frees.
            resume_unwind(Box::new(Ended));
        }
        if !self.reports_steps {
            return;
        }
        let mut held = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stage) = stage {
            stage.clone_into(&mut held.1);
        }
        let stage = held.1.clone();
        // The reader may have ended.
        let _ = held.0.send(Step { stage, done, total, note: note.to_owned() });
    }
}

impl Progress for Sending<'_> {
    fn stage(&self, name: &str) {
        self.send(Some(name), 0, 0, "");
    }

    fn step(&self, done: usize, total: usize, note: &str) {
        self.send(None, done, total, note);
    }
}

/// Runs `work` without the interpreter's lock. A signal, such as Ctrl-C, ends it at its next step.
pub fn run<T: Send>(
    py: Python<'_>,
    reports: &Reports<'_>,
    work: impl FnOnce(&dyn Progress) -> Result<T, pipeline::Error> + Send,
) -> PyResult<T> {
    let (sender, steps) = channel();
    let steps = Mutex::new(steps);
    let ends = AtomicBool::new(false);
    let sending =
        Sending { steps: Mutex::new((sender, String::new())), reports_steps: reports.callback.is_some(), ends: &ends };
    std::thread::scope(|scope| {
        // The sender lives as long as the thread, so that the channel closes with it.
        let thread = scope.spawn(move || work(&sending));
        let reported = loop {
            // Steps wait in the channel; the lock is free meanwhile.
            let step = py.detach(|| {
                let step = steps.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNALS);
                (step, thread.is_finished())
            });
            let called = match (step.0, &reports.callback) {
                (Ok(step), Some(callback)) => callback.call1((step.stage, step.done, step.total, step.note)).map(drop),
                (Ok(_), None) => Ok(()),
                (Err(RecvTimeoutError::Timeout), _) if !step.1 => Ok(()),
                (Err(_), _) => break Ok(()),
            };
            if let Err(error) = called.and_then(|()| py.check_signals()) {
                ends.store(true, Ordering::Relaxed);
                break Err(error);
            }
        };
        let result = py.detach(|| thread.join());
        reported?;
        match result {
            Ok(done) => done.map_err(|failed| error::pipeline(&failed)),
            Err(_) => Err(PyRuntimeError::new_err("raceline has failed as it never should: please report it")),
        }
    })
}
