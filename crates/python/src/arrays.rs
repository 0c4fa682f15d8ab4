//! NumPy arrays of a track's and a line's columns.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use numpy::{AllowTypeChange, PyArray1, PyArrayLike1, PyArrayMethods};
use pyo3::prelude::*;

use crate::error::InputError;

/// Columns as arrays. Each is made when it is first asked for, belongs to Python from then on, and
/// can't be written, because all readers get the same one.
#[derive(Debug, Default)]
pub struct Columns {
    made: Mutex<HashMap<&'static str, Py<PyArray1<f64>>>>,
}

impl Columns {
    /// The column `name`, whose values are `values()`.
    pub fn get<'py>(
        &self,
        py: Python<'py>,
        name: &'static str,
        values: impl FnOnce() -> Vec<f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(array) = made.get(name) {
            return Ok(array.bind(py).clone());
        }
        // The array takes the vector as it is.
        let array = PyArray1::from_vec(py, values());
        array.try_readwrite()?.make_nonwriteable();
        made.insert(name, array.clone().unbind());
        Ok(array)
    }
}

/// Numbers that a caller gives as an array of any kind of number, or as a list.
pub fn numbers(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let array: PyArrayLike1<'_, f64, AllowTypeChange> =
        given.extract().map_err(|_| InputError::new_err(format!("{name} is no one-dimensional array of numbers")))?;
    Ok(array.as_array().to_vec())
}
