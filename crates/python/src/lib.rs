//! The extension module `raceline._raceline`: tracks, lines, the search and the follower for Python.
//!
//! `docs/guides/python.md` describes the package; its types are in `python/raceline/__init__.pyi`.

mod analysis;
mod arrays;
mod behaviours;
mod calibrate;
mod coach;
mod command;
mod cones;
mod drawing;
mod drive;
mod error;
mod extract;
mod fleet;
mod follower;
mod generate;
mod grid;
mod interruptible;
mod keywords;
mod laps;
mod line;
mod loading;
mod many;
mod noise;
mod output;
mod pickling;
mod plan;
mod profile;
mod render;
mod scene;
mod search;
mod sections;
mod setup;
mod source;
mod stint;
mod sweep;
mod tactics;
mod track;
mod tuner;
mod values;
mod vehicle;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line with `arguments`, the first of which is the program's name; the exit code.
#[pyfunction]
fn command_line(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| raceline_cli::main(&arguments))
}

/// The formats of other programs: names, each with its description.
#[pyfunction]
fn formats() -> Vec<(&'static str, &'static str)> {
    raceline::formats::FORMATS.iter().map(|format| (format.name, format.description)).collect()
}

/// The JSON Schema of a racing-line file, as text.
#[pyfunction]
fn schema() -> String {
    raceline::file::schema::racing_line_schema()
}

/// The vehicle presets: names, each with its summary.
#[pyfunction]
fn vehicles() -> Vec<(&'static str, &'static str)> {
    raceline::vehicle::presets().iter().map(|preset| (preset.name, preset.summary)).collect()
}

#[pymodule]
fn _raceline(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("RacelineError", module.py().get_type::<error::RacelineError>())?;
    module.add("InputError", module.py().get_type::<error::InputError>())?;
    module.add("OptionsError", module.py().get_type::<error::OptionsError>())?;
    module.add("SolveError", module.py().get_type::<error::SolveError>())?;
    module.add_class::<track::Track>()?;
    module.add_class::<line::Line>()?;
    module.add_class::<vehicle::Vehicle>()?;
    module.add_class::<fleet::PyFleet>()?;
    module.add_class::<follower::Follower>()?;
    module.add_class::<command::Command>()?;
    module.add_class::<follower::NeuralDriver>()?;
    module.add_class::<cones::PathAhead>()?;
    module.add_class::<scene::Neighbour>()?;
    module.add_class::<scene::Body>()?;
    module.add_class::<scene::PickUp>()?;
    module.add_class::<grid::GridPlanner>()?;
    module.add_class::<grid::AnytimeSearch>()?;
    module.add_class::<tactics::Tactics>()?;
    module.add_class::<tuner::Tuner>()?;
    behaviours::add_to(module)?;
    module.add_function(wrap_pyfunction!(extract::extract, module)?)?;
    module.add_function(wrap_pyfunction!(search::optimize, module)?)?;
    module.add_function(wrap_pyfunction!(profile::profile, module)?)?;
    module.add_function(wrap_pyfunction!(loading::load, module)?)?;
    module.add_function(wrap_pyfunction!(loading::verify, module)?)?;
    module.add_function(wrap_pyfunction!(sections::solve_sections, module)?)?;
    module.add_function(wrap_pyfunction!(cones::path_ahead, module)?)?;
    module.add_function(wrap_pyfunction!(laps::laps, module)?)?;
    module.add_function(wrap_pyfunction!(coach::coach, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::compare, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::inspect, module)?)?;
    module.add_function(wrap_pyfunction!(calibrate::calibrate, module)?)?;
    module.add_function(wrap_pyfunction!(render::render, module)?)?;
    module.add_function(wrap_pyfunction!(drive::drive, module)?)?;
    module.add_function(wrap_pyfunction!(generate::generate, module)?)?;
    module.add_function(wrap_pyfunction!(many::optimize_many, module)?)?;
    module.add_function(wrap_pyfunction!(plan::plan, module)?)?;
    module.add_function(wrap_pyfunction!(plan::route, module)?)?;
    module.add_function(wrap_pyfunction!(plan::discover, module)?)?;
    module.add_function(wrap_pyfunction!(plan::tile_race, module)?)?;
    module.add_function(wrap_pyfunction!(setup::setup, module)?)?;
    module.add_function(wrap_pyfunction!(stint::stint, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep, module)?)?;
    module.add_function(wrap_pyfunction!(vehicles, module)?)?;
    module.add_function(wrap_pyfunction!(formats, module)?)?;
    module.add_function(wrap_pyfunction!(schema, module)?)?;
    module.add_function(wrap_pyfunction!(vehicle::_vehicle, module)?)?;
    module.add_function(wrap_pyfunction!(tuner::_tuner, module)?)?;
    module.add_function(wrap_pyfunction!(command::_command, module)?)?;
    module.add_function(wrap_pyfunction!(cones::_path_ahead, module)?)?;
    module.add_function(wrap_pyfunction!(loading::_line, module)?)?;
    module.add_function(wrap_pyfunction!(track::_track, module)?)?;
    module.add_function(wrap_pyfunction!(command_line, module)?)?;
    Ok(())
}
