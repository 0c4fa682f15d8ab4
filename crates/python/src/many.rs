//! Lines of many tracks at once.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyList};
use raceline::pipeline::{self, Request};
use rayon::prelude::*;

use crate::error::{self, OptionsError};
use crate::interruptible::{Reports, run_with};
use crate::keywords;
use crate::line::Line;
use crate::source::Given;

/// Finds the lines of many tracks, one in each thread.
///
/// tracks: an iterable of tracks, each as for `optimize`. vehicle, method, options: as for `optimize`, for all.
/// threads: number of threads. Default: one per core.
/// errors: "raise" the first one, or "return" exceptions in place of lines.
/// progress: a function is called with ("searching", done, total, name) after each track; True prints.
///
/// Returns a list with a `Line` for each track, in their order; the lines do not depend on `threads`.
/// `raceline.save_lines` writes them to one file.
///
/// >>> import raceline
/// >>> ovals = [raceline.generate("oval", seed=seed, length=900.0) for seed in range(3)]
/// >>> lines = raceline.optimize_many(ovals, vehicle="gt", method="min-curvature")
/// >>> [line.name for line in lines], lines[1] == raceline.optimize(ovals[1], vehicle="gt", method="min-curvature")
/// (['oval-0', 'oval-1', 'oval-2'], True)
#[pyfunction]
#[pyo3(signature = (tracks, *, vehicle = None, method = None, threads = None, errors = "raise", progress = None,
    **options))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn optimize_many<'py>(
    py: Python<'py>,
    tracks: &Bound<'py, PyAny>,
    vehicle: Option<&Bound<'py, PyAny>>,
    method: Option<&str>,
    threads: Option<usize>,
    errors: &str,
    progress: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    if threads.is_some_and(|threads| !(1..=MAX_THREADS).contains(&threads)) {
        return Err(OptionsError::new_err(format!("threads must be from 1 to {MAX_THREADS}")));
    }
    let raises = match errors {
        "raise" => true,
        "return" => false,
        other => {
            return Err(OptionsError::new_err(format!("errors is {other:?}, but must be \"raise\" or \"return\"")));
        }
    };
    let layer = keywords::layer_with(options, &[("method", method)].into_py_dict(py)?)?;
    let reports = Reports::new(progress)?;
    let mut tasks = Vec::new();
    for track in tracks.try_iter()? {
        let track = Given::new(&track?, None, None)?;
        let (merged, vehicle) = track.options(layer.clone(), vehicle)?;
        tasks.push((track, merged, vehicle));
    }
    let found = run_with(py, &reports, threads, move |progress, quiet| {
        let (total, done) = (tasks.len(), AtomicUsize::new(0));
        progress.stage("searching");
        let of = |(track, options, vehicle): &(Given, _, _)| {
            let outcome = pipeline::optimize(track.source(), &Request::new(options, vehicle).progress(quiet));
            let done = 1 + done.fetch_add(1, Ordering::Relaxed);
            progress.step(done, total, &track.file().to_string_lossy());
            outcome
                .map(|outcome| Line::found(&outcome.line, &outcome.warnings))
                .map_err(|failed| error::pipeline(&failed))
        };
        if raises {
            // The first in the order of the tracks, whatever the threads did.
            let all: Vec<PyResult<Line>> = tasks.par_iter().map(of).collect();
            return all.into_iter().map(|line| line.map(Ok)).collect();
        }
        Ok(tasks.par_iter().map(of).collect::<Vec<_>>())
    })?;
    let list = PyList::empty(py);
    for line in found {
        match line {
            Ok(line) => list.append(Bound::new(py, line)?)?,
            Err(error) => list.append(error.into_value(py))?,
        }
    }
    Ok(list)
}

/// More threads than any machine has cores.
const MAX_THREADS: usize = 1024;
