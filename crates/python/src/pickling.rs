//! How objects are pickled and copied: by a function of the extension module and its arguments.

use pyo3::prelude::*;

/// What `__reduce__` returns.
pub type Reduced<'py, T> = PyResult<(Bound<'py, PyAny>, T)>;

/// An object that the function `name` of the extension module makes anew of `parts`.
pub fn reduced<'py, T>(py: Python<'py>, name: &str, parts: T) -> Reduced<'py, T> {
    Ok((py.import("raceline._raceline")?.getattr(name)?, parts))
}
