//! Decisions of a driver: behaviour trees and state machines.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use raceline::files::{self, LARGEST_OPTIONS_FILE};
use raceline_tactics::{Runner, Tactics as Decisions};

use crate::error::{self, InputError, OptionsError};

/// Decisions of a driver: behaviour trees and state machines, stepped once a frame.
///
/// decisions: the path of a TOML file, or its text with a line break in it.
///
/// >>> import raceline
/// >>> tactics = raceline.Tactics('''
/// ... inputs = ["gap_ahead_m"]
/// ... outputs = ["attack", { name = "pace", default = 0.9 }]
/// ... root = "drive"
/// ... [trees.drive]
/// ... sequence = [{ condition = "gap_ahead_m < 20" }, { action = "attack" }, { action = "pace = 1" }]
/// ... ''')
/// >>> tactics.step({"gap_ahead_m": 12.0})
/// {'attack': 1.0, 'pace': 1.0}
/// >>> tactics.step([35.0]), tactics.status
/// ({'attack': 0.0, 'pace': 0.9}, 'failure')
#[pyclass(module = "raceline._raceline")]
pub struct Tactics {
    runner: Runner,
    inputs: Vec<f64>,
    status: Option<&'static str>,
}

/// Inputs by name, or all of them in their order.
#[derive(FromPyObject)]
enum Inputs<'py> {
    Named(Bound<'py, PyDict>),
    All(Vec<f64>),
}

#[pymethods]
impl Tactics {
    #[new]
    fn new(decisions: PathBuf) -> PyResult<Self> {
        let text = decisions.to_string_lossy();
        let built = if text.contains('\n') {
            Decisions::from_toml(&text).map_err(|error| OptionsError::new_err(error.to_string()))?
        } else {
            let read = files::read_to_string(&decisions, LARGEST_OPTIONS_FILE);
            let text = read.map_err(|error| error::file(&decisions, &error))?;
            Decisions::from_toml(&text)
                .map_err(|error| OptionsError::new_err(format!("{}: {error}", decisions.display())))?
        };
        let inputs = vec![0.0; built.inputs().len()];
        Ok(Self { runner: Runner::new(Arc::new(built)), inputs, status: None })
    }

    /// One step, dt seconds after the one before: the values of all outputs by name.
    ///
    /// inputs: a dictionary of inputs by name, of which those that it lacks keep their values, 0 at first;
    /// or a sequence of all of them in the order of `inputs`.
    #[pyo3(signature = (inputs, dt = 0.02))]
    fn step<'py>(&mut self, py: Python<'py>, inputs: Inputs<'py>, dt: f64) -> PyResult<Bound<'py, PyDict>> {
        let values = match inputs {
            Inputs::All(values) => values,
            Inputs::Named(named) => {
                let mut values = self.inputs.clone();
                for (name, value) in named {
                    let name: String = name.extract()?;
                    let place = self.runner.tactics().input(&name).ok_or_else(|| {
                        let declared = self.runner.tactics().inputs().join(", ");
                        InputError::new_err(format!("there is no input {name}: use {declared}"))
                    })?;
                    values[place] = value.extract()?;
                }
                values
            }
        };
        let status = self.runner.step(&values, dt).map_err(|error| InputError::new_err(error.to_string()))?;
        self.status = Some(status.name());
        self.inputs = values;
        self.outputs_by_name(py)
    }

    /// Result of the last step: "running", "success" or "failure"; None before the first.
    #[getter]
    fn status(&self) -> Option<&'static str> {
        self.status
    }

    /// Names of the inputs.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.runner.tactics().inputs().to_vec()
    }

    /// Names of the outputs.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.runner.tactics().outputs().to_vec()
    }

    /// Names of the active states, outer ones first, as "race.racing.pace.attack".
    #[getter]
    fn active(&self) -> Vec<String> {
        self.runner.active().map(str::to_owned).collect()
    }

    /// Turns the record of steps on or off; off at first.
    fn set_tracing(&mut self, on: bool) {
        self.runner.set_tracing(on);
    }

    /// The record of the last step: which part ran, with which result, and why; one line each.
    #[getter]
    fn trace(&self) -> Vec<String> {
        self.runner.trace().iter().map(|event| self.runner.tactics().describe(event)).collect()
    }

    /// Forgets everything, as before the first step.
    fn reset(&mut self) {
        self.runner.reset();
        self.inputs.fill(0.0);
        self.status = None;
    }

    fn __repr__(&self) -> String {
        let tactics = self.runner.tactics();
        format!(
            "Tactics({} inputs, {} outputs, {} nodes)",
            tactics.inputs().len(),
            tactics.outputs().len(),
            tactics.nodes()
        )
    }
}

impl Tactics {
    fn outputs_by_name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (name, value) in self.runner.tactics().outputs().iter().zip(self.runner.outputs()) {
            found.set_item(name, value)?;
        }
        Ok(found)
    }
}
