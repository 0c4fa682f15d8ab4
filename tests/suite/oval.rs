//! The track `oval` with the car `gt`, for tests that search many laps.

#![allow(clippy::unwrap_used, reason = "clippy takes this file for no test, because it holds no test function")]

use std::path::{Path, PathBuf};

use raceline::Options;
use raceline::options::Layer;
use raceline::pipeline::{self, Extraction, Silent};
use raceline::vehicle::{Vehicle, preset};

/// A file of `tracks`.
pub fn track(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tracks").join(name)
}

/// The options of its sidecar.
pub fn options() -> Options {
    Options::from_layers(&[Layer::read(&track("oval.toml")).unwrap()]).unwrap()
}

/// The road of the picture.
pub fn oval(options: &Options) -> Extraction {
    pipeline::extract(&track("oval.png"), options, &Silent).unwrap()
}

/// The vehicle.
pub fn gt() -> Vehicle {
    preset("gt").unwrap()
}
