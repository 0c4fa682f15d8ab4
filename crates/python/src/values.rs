//! Values of Python as JSON and back.

use std::path::PathBuf;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use serde::Serialize;
use serde_json::Value;

use crate::error::{RacelineError, with_causes};

/// Whether a value is a list or a tuple.
pub fn is_list(value: &Bound<'_, PyAny>) -> bool {
    value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok()
}

/// A Python value as JSON: None, numbers, text, paths, lists, tuples, arrays and dictionaries.
pub fn json(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = value.extract::<bool>() {
        return Ok(Value::Bool(flag));
    }
    if let Ok(whole) = value.extract::<i64>() {
        return Ok(whole.into());
    }
    if let Ok(number) = value.extract::<f64>() {
        // Infinities and NaN become null, which no option accepts.
        return Ok(number.into());
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(text.into());
    }
    if let Ok(values) = value.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((key.extract()?, json(&value)?));
        return Ok(Value::Object(values.iter().map(entry).collect::<PyResult<_>>()?));
    }
    if is_list(value) {
        return Ok(Value::Array(value.try_iter()?.map(|entry| json(&entry?)).collect::<PyResult<_>>()?));
    }
    if let Ok(list) = value.call_method0("tolist") {
        return json(&list);
    }
    let path: PathBuf = value.extract()?;
    Ok(path.to_string_lossy().into_owned().into())
}

/// What serde writes, as dictionaries, lists, numbers and text of Python.
pub fn python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(value).map_err(|error| RacelineError::new_err(with_causes(&error)))?;
    of_json(py, &value)
}

/// A JSON value as one of Python.
pub fn of_json<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(flag) => flag.into_bound_py_any(py),
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(whole), _, _) => whole.into_bound_py_any(py),
            (_, Some(whole), _) => whole.into_bound_py_any(py),
            (_, _, number) => number.into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(values) => {
            let list = PyList::empty(py);
            for value in values {
                list.append(of_json(py, value)?)?;
            }
            Ok(list.into_any())
        }
        Value::Object(values) => {
            let dictionary = PyDict::new(py);
            for (key, value) in values {
                dictionary.set_item(key, of_json(py, value)?)?;
            }
            Ok(dictionary.into_any())
        }
    }
}
