//! `raceline plan --discover`: a drive through a map that is seen during the drive, printed and drawn.

use std::path::Path;
use std::time::Instant;

use raceline::Options;
use raceline::pipeline::{self, Error};
use raceline_car::Vehicle;
use raceline_plan::{self as plan, FreeSpace, PlanError};
use raceline_render::RenderError;
use raceline_road::geometry::Point;
use serde::Serialize;

use super::PictureFormat;
use super::output::Output;
use super::report::{self, Failure};

/// A drive that was made, of one kind.
pub trait Driven {
    /// What `--json` prints, as for a planner.
    type Json: Serialize;

    /// The path that was driven.
    fn path(&self) -> &[Point];

    /// The picture.
    ///
    /// # Errors
    /// A map that cannot be encoded.
    fn svg(&self, space: &FreeSpace, stops: &[Point]) -> Result<String, RenderError>;

    fn json(&self, estimated_time_s: f64) -> Self::Json;

    /// The table, with the time that the drive took to compute.
    fn table(&self, estimated_time_s: f64, milliseconds: f64) -> String;
}

/// Drives between the stops of the options, prints and draws.
pub fn run<T: Driven>(
    input: &Path,
    space: &FreeSpace,
    (options, vehicle): (&Options, &Vehicle),
    is_json: bool,
    output: Option<&(PictureFormat, Output)>,
    failure: impl Fn(Error) -> Failure,
    drive: impl FnOnce(&[Point], bool) -> Result<T, PlanError>,
) -> Result<(), Failure> {
    let wrong = |error: PlanError| Error::Plan { file: input.to_owned(), error };
    let (stops, closed) = pipeline::stops(options, &space.frame).map_err(|error| failure(wrong(error)))?;
    let begun = Instant::now();
    let found = drive(&stops, closed).map_err(wrong)?;
    let milliseconds = begun.elapsed().as_secs_f64() * 1e3;
    let estimated_time_s = plan::estimated_time_s(found.path(), space.needed_m, vehicle);
    if let Some((format, output)) = output {
        output.write(&format.bytes_of(found.svg(space, &stops)?)?)?;
    }
    let text = if is_json {
        serde_json::to_string_pretty(&[found.json(estimated_time_s)])? + "\n"
    } else {
        found.table(estimated_time_s, milliseconds)
    };
    Ok(report::beside(&text, output.is_some_and(|(_, output)| output.is_stdout()))?)
}

/// Positions of a path, m, for [`Driven::json`].
pub fn path_m(path: &[Point]) -> Vec<[f64; 2]> {
    path.iter().map(|point| [point.x, point.y]).collect()
}
