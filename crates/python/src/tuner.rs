//! Tuning by scores: trials out, scores in.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline_tune::{Method, Options, Outcome, Parameter, Scale, Sheet, Trial, TuneError, Tuner as Tuning};
use serde_json::Value;

use crate::error::{InputError, OptionsError};
use crate::pickling::{Reduced, reduced};
use crate::values;

/// The exception for what a tuner refuses.
fn wrong(error: &TuneError) -> PyErr {
    match error {
        TuneError::ParameterCount(_) | TuneError::Parameter { .. } | TuneError::Option { .. } => {
            OptionsError::new_err(error.to_string())
        }
        _ => InputError::new_err(error.to_string()),
    }
}

/// The parameter that a caller declares: (min, max), (min, max, scale), or a dictionary.
fn parameter(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Parameter> {
    let wrong = |reason: &dyn std::fmt::Display| {
        OptionsError::new_err(format!(
            "the parameter {name:?}: {reason}; give (min, max), (min, max, \"logarithmic\") or a dictionary of min, \
             max, scale, integer and start"
        ))
    };
    if let Ok((min, max)) = given.extract::<(f64, f64)>() {
        return Ok(Parameter::linear(name, min, max));
    }
    if let Ok((min, max, scale)) = given.extract::<(f64, f64, String)>() {
        let scale: Scale = serde_json::from_value(scale.into()).map_err(|error| wrong(&error))?;
        return Ok(Parameter { scale, ..Parameter::linear(name, min, max) });
    }
    let mut value = values::json(given).map_err(|error| wrong(&error))?;
    if let Value::Object(entries) = &mut value {
        entries.insert("name".to_owned(), name.into());
    }
    serde_json::from_value(value).map_err(|error| wrong(&error))
}

/// Tunes numbers, such as the options of a follower in your own simulator, by a score that may be noisy;
/// lower is better.
///
/// parameters: ranges by name: (min, max), (min, max, "logarithmic"), or a dictionary of min, max, scale,
/// integer and start. If any has a start, the first trial is at it. method: "cma-es" for hundreds of trials,
/// or "bayesian" for at most 500. seed: of the random numbers. population: trials of a generation of
/// "cma-es", 4 to 1000; at least the number that are out at the same time. first_deviation: of "cma-es", as a
/// fraction of each range, 0.001 to 1. repeats: trials of each point of "cma-es", 1 to 100, for noisy scores.
/// first_trials: of "bayesian" before its model is used, 2 to 200.
///
/// >>> import raceline
/// >>> tuner = raceline.Tuner({"preview_s": (0.0, 0.8), "gain": (0.1, 10.0, "logarithmic")}, "bayesian")
/// >>> for _ in range(25):
/// ...     trial, values = tuner.ask()
/// ...     lap_time = 60.0 + 5.0 * (values["preview_s"] - 0.3) ** 2 + abs(values["gain"] - 1.0)
/// ...     tuner.tell(trial, lap_time)
/// >>> tuner.best["score"] < 60.2
/// True
/// >>> again = raceline.Tuner.load(tuner.save())
/// >>> again.ask() == tuner.ask()
/// True
#[pyclass(module = "raceline._raceline")]
pub struct Tuner {
    tuner: Tuning,
}

#[pymethods]
impl Tuner {
    #[new]
    #[pyo3(signature = (parameters, method = "cma-es", *, seed = 0, population = None, first_deviation = 0.2,
        repeats = 1, first_trials = None))]
    fn new(
        parameters: &Bound<'_, PyDict>,
        method: &str,
        seed: u64,
        population: Option<u32>,
        first_deviation: f64,
        repeats: u32,
        first_trials: Option<u32>,
    ) -> PyResult<Self> {
        let parameters = parameters
            .iter()
            .map(|(name, given)| parameter(&name.extract::<String>()?, &given))
            .collect::<PyResult<_>>()?;
        let method = Method::named(method).ok_or_else(|| {
            let names = Method::ALL.map(Method::name).join(", ");
            OptionsError::new_err(format!("method is {method:?}, but must be one of {names}"))
        })?;
        let options = Options { method, seed, population, first_deviation, repeats, first_trials };
        Ok(Self { tuner: Tuning::new(parameters, options).map_err(|error| wrong(&error))? })
    }

    /// The next trial: its number and its values by name.
    fn ask<'py>(&mut self, py: Python<'py>) -> PyResult<(u64, Bound<'py, PyDict>)> {
        let tuner = &mut self.tuner;
        let trial = py.detach(|| tuner.ask()).map_err(|error| wrong(&error))?;
        Ok((trial.id, self.by_name(py, &trial.values)?))
    }

    /// Takes the score of a trial, lower being better; None for one that failed.
    #[pyo3(signature = (trial, score))]
    fn tell(&mut self, trial: u64, score: Option<f64>) -> PyResult<()> {
        match score {
            Some(score) => self.tuner.tell(trial, score),
            None => self.tuner.tell_failed(trial),
        }
        .map_err(|error| wrong(&error))
    }

    /// All trials in the order in which they were asked for: dictionaries of "trial", "values", "score" and
    /// "failed".
    #[getter]
    fn trials<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let entry = |(trial, outcome): (Trial, Outcome)| {
            let entry = PyDict::new(py);
            entry.set_item("trial", trial.id)?;
            entry.set_item("values", self.by_name(py, &trial.values)?)?;
            entry.set_item("score", outcome.score())?;
            entry.set_item("failed", outcome == Outcome::Failed)?;
            Ok(entry)
        };
        self.tuner.trials().map(entry).collect()
    }

    /// Trials without a score, such as those that were out when a state was saved: numbers and values by
    /// name.
    #[getter]
    fn open<'py>(&self, py: Python<'py>) -> PyResult<Vec<(u64, Bound<'py, PyDict>)>> {
        self.tuner.open().map(|trial| Ok((trial.id, self.by_name(py, &trial.values)?))).collect()
    }

    /// The best point: a dictionary of "trial", "values", "score", "count", and "estimate" with its
    /// "deviation", the score that a model of all trials expects.
    #[getter]
    fn best<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.sheet(py)?.as_any().get_item("standings")?.get_item(0)
    }

    /// What was found: a dictionary of "trials", "failed", "open", "standings" as `best`, the best first,
    /// "noise", the standard deviation of a score, and "importances" of the parameters by name.
    fn sheet<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Sheet { names, trials, failed, open, standings, noise, importances } = self.found(py)?;
        let found = PyDict::new(py);
        found.set_item("trials", trials)?;
        found.set_item("failed", failed)?;
        found.set_item("open", open)?;
        let mut entries = Vec::new();
        for standing in standings {
            let entry = PyDict::new(py);
            entry.set_item("trial", standing.id)?;
            entry.set_item("values", self.by_name(py, &standing.values)?)?;
            entry.set_item("score", standing.score)?;
            entry.set_item("count", standing.count)?;
            entry.set_item("estimate", standing.estimate.map(|[mean, _]| mean))?;
            entry.set_item("deviation", standing.estimate.map(|[_, deviation]| deviation))?;
            entries.push(entry);
        }
        found.set_item("standings", entries)?;
        found.set_item("noise", noise)?;
        let by_name = PyDict::new(py);
        for (name, importance) in names.iter().zip(importances) {
            by_name.set_item(name, importance)?;
        }
        found.set_item("importances", by_name)?;
        Ok(found)
    }

    /// The sheet as text.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.found(py)?.to_string())
    }

    /// The scores over the trials as SVG.
    fn history_svg(&self) -> PyResult<String> {
        self.tuner.history_svg().map_err(|error| wrong(&error))
    }

    /// The state as JSON, with which `Tuner.load` continues with the very same trials.
    fn save(&self) -> String {
        self.tuner.save()
    }

    /// The tuner of a state that `save` returned.
    #[staticmethod]
    fn load(state: &str) -> PyResult<Self> {
        Ok(Self { tuner: Tuning::load(state).map_err(|error| wrong(&error))? })
    }

    fn __len__(&self) -> usize {
        self.tuner.trials().count()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (String,)> {
        reduced(py, "_tuner", (self.save(),))
    }

    fn __repr__(&self) -> String {
        let (method, parameters) = (self.tuner.options().method.name(), self.tuner.parameters().len());
        format!("Tuner({method}, {parameters} parameters, {} trials)", self.__len__())
    }
}

impl Tuner {
    fn found(&self, py: Python<'_>) -> PyResult<Sheet> {
        py.detach(|| self.tuner.sheet()).map_err(|error| wrong(&error))
    }

    /// Values by the names of their parameters, integers as such.
    fn by_name<'py>(&self, py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (parameter, value) in self.tuner.parameters().iter().zip(values) {
            if parameter.integer {
                found.set_item(&parameter.name, *value as i64)?;
            } else {
                found.set_item(&parameter.name, value)?;
            }
        }
        Ok(found)
    }
}

/// The tuner of a state, for pickles.
#[pyfunction]
pub fn _tuner(state: &str) -> PyResult<Tuner> {
    Tuner::load(state)
}
