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
        let made = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(array) = made().get(name) {
            return Ok(array.bind(py).clone());
        }
        // Python may run another thread while it makes an array, so nothing is locked meanwhile. The
        // array takes the vector as it is.
        let array = PyArray1::from_vec(py, values());
        array.try_readwrite()?.make_nonwriteable();
        Ok(made().entry(name).or_insert_with(|| array.unbind()).bind(py).clone())
    }
}

/// A number as Python writes it.
pub fn shown(value: f64) -> String {
    if value.is_nan() { "nan".to_owned() } else { value.to_string() }
}

/// Finite numbers that a caller gives as an array of any kind of number, or as a list.
pub fn numbers(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let array: PyArrayLike1<'_, f64, AllowTypeChange> =
        given.extract().map_err(|_| InputError::new_err(format!("{name} is no one-dimensional array of numbers")))?;
    let values = array.as_array().to_vec();
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => {
            Err(InputError::new_err(format!("{name}[{index}] is {}: give finite numbers", shown(values[index]))))
        }
        None => Ok(values),
    }
}

/// Points that a caller gives as an array of two columns, or as a list of pairs.
pub fn points(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<[f64; 2]>> {
    let listed = match given.call_method0("tolist") {
        Ok(listed) => listed,
        Err(_) => given.clone(),
    };
    let points: Vec<[f64; 2]> = listed.extract().map_err(|_| {
        InputError::new_err(format!("{name} has no points of x and y: give an array of shape (points, 2)"))
    })?;
    match points.iter().flatten().position(|value| !value.is_finite()) {
        Some(index) => {
            let found = shown(points.as_flattened()[index]);
            Err(InputError::new_err(format!("{name}[{}, {}] is {found}: give finite numbers", index / 2, index % 2)))
        }
        None => Ok(points),
    }
}
