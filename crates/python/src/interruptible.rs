//! A run in threads of its own: Python goes on, progress is reported, Ctrl-C ends it, and a process
//! that is forked afterwards has nothing of it.
//!
//! Threads do not survive a fork, so the pool that searches is made for one run and ends with it: a
//! process-wide pool, once made, would keep a child waiting for threads that it does not have.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use raceline::pipeline::Progress;

use crate::error::RacelineError;

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

/// What a run sends.
enum Message<T> {
    Step { stage: String, done: usize, total: usize, note: String },
    Finished(thread::Result<PyResult<T>>),
}

/// Sends the steps of a run, and ends it when that is requested.
struct Sending<T> {
    messages: Mutex<(Sender<Message<T>>, String)>,
    reports_steps: bool,
    ends: Arc<AtomicBool>,
}

/// What a run that is ended unwinds with.
struct Ended;

impl<T> Sending<T> {
    fn send(&self, stage: Option<&str>, done: usize, total: usize, note: &str) {
        if self.ends.load(Ordering::Relaxed) {
            // The search holds nothing but memory, which unwinding frees.
            resume_unwind(Box::new(Ended));
        }
        if !self.reports_steps {
            return;
        }
        let mut held = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stage) = stage {
            stage.clone_into(&mut held.1);
        }
        let stage = held.1.clone();
        // The reader may have ended.
        let _ = held.0.send(Message::Step { stage, done, total, note: note.to_owned() });
    }
}

impl<T: Send> Progress for Sending<T> {
    fn stage(&self, name: &str) {
        self.send(Some(name), 0, 0, "");
    }

    fn step(&self, done: usize, total: usize, note: &str) {
        self.send(None, done, total, note);
    }
}

/// The progress of a part of a run: reports nothing, but ends with the run.
pub struct Quiet {
    ends: Arc<AtomicBool>,
}

impl Quiet {
    fn check(&self) {
        if self.ends.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Ended));
        }
    }
}

impl Progress for Quiet {
    fn stage(&self, _name: &str) {
        self.check();
    }

    fn step(&self, _done: usize, _total: usize, _note: &str) {
        self.check();
    }
}

/// [`run_with`] one thread per core.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    reports: &Reports<'_>,
    work: impl FnOnce(&dyn Progress) -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    run_with(py, reports, None, move |progress, _| work(progress))
}

/// Runs `work` without the interpreter's lock, in `threads` threads or one per core. A signal, such as
/// Ctrl-C, ends the call at once; the threads end at the run's next step.
pub fn run_with<T: Send + 'static>(
    py: Python<'_>,
    reports: &Reports<'_>,
    threads: Option<usize>,
    work: impl FnOnce(&dyn Progress, &Quiet) -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    let (sender, messages) = channel();
    let messages = Mutex::new(messages);
    let ends = Arc::new(AtomicBool::new(false));
    let sending = Sending {
        messages: Mutex::new((sender.clone(), String::new())),
        reports_steps: reports.callback.is_some(),
        ends: Arc::clone(&ends),
    };
    let quiet = Quiet { ends: Arc::clone(&ends) };
    let no_threads = |error: &dyn std::error::Error| RacelineError::new_err(format!("can't start a thread: {error}"));
    let pool = py.detach(|| rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build());
    let pool = pool.map_err(|error| no_threads(&error))?;
    thread::Builder::new()
        .spawn(move || {
            let run = move || pool.install(move || work(&sending, &quiet));
            let result = catch_unwind(AssertUnwindSafe(run));
            // The caller may have gone.
            let _ = sender.send(Message::Finished(result));
        })
        .map_err(|error| no_threads(&error))?;
    loop {
        // Steps wait in the channel; the interpreter's lock is free meanwhile.
        let message = py.detach(|| messages.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNALS));
        let called = match message {
            Ok(Message::Finished(Ok(result))) => return result,
            Ok(Message::Finished(Err(_))) | Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("raceline has failed as it never should: please report it"));
            }
            Ok(Message::Step { stage, done, total, note }) => match &reports.callback {
                Some(callback) => callback.call1((stage, done, total, note)).map(drop),
                None => Ok(()),
            },
            Err(RecvTimeoutError::Timeout) => Ok(()),
        };
        if let Err(error) = called.and_then(|()| py.check_signals()) {
            ends.store(true, Ordering::Relaxed);
            return Err(error);
        }
    }
}
