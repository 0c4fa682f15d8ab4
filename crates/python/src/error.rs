//! The exceptions, with the library's messages.

use pyo3::exceptions::PyException;
use pyo3::{PyErr, create_exception};
use raceline::pipeline;

pub use raceline::with_causes;

create_exception!(raceline, RacelineError, PyException, "What raceline can't do, and why.");
create_exception!(raceline, InputError, RacelineError, "A file that can't be read, or whose track can't be used.");
create_exception!(raceline, OptionsError, RacelineError, "An option or a vehicle that can't be used.");
create_exception!(raceline, SolveError, RacelineError, "No line was found.");

/// The exception for an option.
pub fn options(error: &raceline::options::OptionsError) -> PyErr {
    OptionsError::new_err(with_causes(error))
}

/// The exception for a run that failed.
pub fn pipeline(error: &pipeline::Error) -> PyErr {
    match error {
        pipeline::Error::Solve { .. } => SolveError::new_err(with_causes(error)),
        pipeline::Error::Options(_) => OptionsError::new_err(with_causes(error)),
        _ => InputError::new_err(with_causes(error)),
    }
}

/// The exception for a file that can't be written or read.
pub fn file(path: &std::path::Path, error: &dyn std::error::Error) -> PyErr {
    InputError::new_err(format!("{}: {}", path.display(), with_causes(error)))
}
