//! `raceline plan --discover`: a drive through a map that is seen during the drive.

use std::path::Path;
use std::time::Instant;

use raceline::Options;
use raceline::pipeline::{self, Error};
use raceline_car::Vehicle;
use raceline_plan::{self as plan, Discovery, FreeSpace, PlanError};
use raceline_render::plan_picture;
use serde::Serialize;

use super::PictureFormat;
use super::output::Output;
use super::report::{self, Failure};
use super::text_table::text_table;

/// What `--json` prints, as for a planner.
#[derive(Debug, Serialize)]
struct Driven {
    planner: &'static str,
    status: &'static str,
    /// Length of the driven path.
    length_m: f64,
    /// Length of the shortest path on the cells with the map known.
    known_length_m: f64,
    estimated_time_s: f64,
    replans: usize,
    nodes_expanded: usize,
    /// Nodes that A* from scratch expands at each of the replans.
    #[serde(skip_serializing_if = "Option::is_none")]
    a_star_expanded: Option<usize>,
    /// Nodes that A* from scratch expands where the path became blocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    a_star_if_blocked_expanded: Option<usize>,
    /// Positions of the driven path, m.
    path_m: Vec<[f64; 2]>,
}

/// Drives, prints and draws.
pub fn run(
    input: &Path,
    space: &FreeSpace,
    (options, vehicle): (&Options, &Vehicle),
    (radius_m, compares): (f64, bool),
    is_json: bool,
    output: Option<&(PictureFormat, Output)>,
    failure: impl Fn(Error) -> Failure,
) -> Result<(), Failure> {
    let wrong = |error: PlanError| Error::Plan { file: input.to_owned(), error };
    let (stops, closed) = pipeline::stops(options, &space.frame).map_err(|error| failure(wrong(error)))?;
    let begun = Instant::now();
    let found = plan::discover(space, &stops, closed, radius_m, compares).map_err(wrong)?;
    let milliseconds = begun.elapsed().as_secs_f64() * 1e3;
    let estimated_time_s = plan::estimated_time_s(&found.path, space.needed_m, vehicle);
    if let Some((format, output)) = output {
        output.write(&format.bytes_of(plan_picture::discovery_svg(space, &stops, &found)?)?)?;
    }
    let text = if is_json {
        serde_json::to_string_pretty(&[Driven::of(&found, estimated_time_s)])? + "\n"
    } else {
        table(&found, estimated_time_s, milliseconds)
    };
    Ok(report::beside(&text, output.is_some_and(|(_, output)| output.is_stdout()))?)
}

impl Driven {
    fn of(found: &Discovery, estimated_time_s: f64) -> Self {
        Self {
            planner: Discovery::PLANNER,
            status: "found",
            length_m: found.length_m,
            known_length_m: found.known_length_m,
            estimated_time_s,
            replans: found.replans,
            nodes_expanded: found.nodes_expanded,
            a_star_expanded: found.a_star.map(|a_star| a_star.expanded),
            a_star_if_blocked_expanded: found.a_star.map(|a_star| a_star.if_blocked_expanded),
            path_m: found.path.iter().map(|point| [point.x, point.y]).collect(),
        }
    }
}

fn table(found: &Discovery, estimated_time_s: f64, milliseconds: f64) -> String {
    let mut columns = vec![
        ("planner", Discovery::PLANNER.to_owned()),
        ("status", "found".to_owned()),
        ("length", format!("{:.2} m", found.length_m)),
        ("map known", format!("{:.2} m", found.known_length_m)),
        ("estimated time", format!("{estimated_time_s:.2} s")),
        ("replans", found.replans.to_string()),
        ("expanded", found.nodes_expanded.to_string()),
    ];
    if let Some(a_star) = found.a_star {
        columns.push(("A*", a_star.expanded.to_string()));
        columns.push(("A* if blocked", a_star.if_blocked_expanded.to_string()));
    }
    columns.push(("time", format!("{milliseconds:.1} ms")));
    let (heads, values): (Vec<&str>, Vec<String>) = columns.into_iter().unzip();
    text_table(&[heads.into_iter().map(str::to_owned).collect(), values], 2)
}
