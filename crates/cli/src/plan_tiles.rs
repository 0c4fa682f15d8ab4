//! `raceline plan --discover --tile-m`: a race over road tiles that are seen within a radius.

use std::path::Path;
use std::time::Instant;

use raceline::Options;
use raceline::pipeline::{self, Error};
use raceline_car::Vehicle;
use raceline_plan::{self as plan, Discovery, FreeSpace, PlanError, TileRace, TileRaceOptions, TilesDriven};
use raceline_render::plan_picture;
use serde::Serialize;

use super::PictureFormat;
use super::output::Output;
use super::report::{self, Failure};
use super::text_table::text_table;

/// What `--json` prints, as for a planner.
#[derive(Debug, Serialize)]
struct Raced {
    planner: &'static str,
    status: &'static str,
    /// Length of the driven path.
    length_m: f64,
    estimated_time_s: f64,
    /// Tiles after the first, turns and expanded nodes of the drive.
    tiles: usize,
    turns: usize,
    nodes_expanded: usize,
    /// Tiles, turns and nodes of the shortest routes with the map known.
    known_tiles: usize,
    known_turns: usize,
    known_nodes_expanded: usize,
    /// Tiles, turns and nodes of D* Lite with the same radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    d_star_lite_tiles: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    d_star_lite_turns: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    d_star_lite_nodes_expanded: Option<usize>,
    /// Positions of the driven path, m.
    path_m: Vec<[f64; 2]>,
}

/// Drives, prints and draws.
pub fn run(
    input: &Path,
    space: &FreeSpace,
    (options, vehicle): (&Options, &Vehicle),
    race: &TileRaceOptions,
    is_json: bool,
    output: Option<&(PictureFormat, Output)>,
    failure: impl Fn(Error) -> Failure,
) -> Result<(), Failure> {
    let wrong = |error: PlanError| Error::Plan { file: input.to_owned(), error };
    let (stops, closed) = pipeline::stops(options, &space.frame).map_err(|error| failure(wrong(error)))?;
    let begun = Instant::now();
    let found = plan::tile_race(space, &stops, closed, race).map_err(wrong)?;
    let milliseconds = begun.elapsed().as_secs_f64() * 1e3;
    let estimated_time_s = plan::estimated_time_s(&found.path, space.needed_m, vehicle);
    if let Some((format, output)) = output {
        output.write(&format.bytes_of(plan_picture::tile_race_svg(space, &stops, &found)?)?)?;
    }
    let text = if is_json {
        serde_json::to_string_pretty(&[Raced::of(&found, estimated_time_s)])? + "\n"
    } else {
        table(&found, race.tile_m, estimated_time_s, milliseconds)
    };
    Ok(report::beside(&text, output.is_some_and(|(_, output)| output.is_stdout()))?)
}

impl Raced {
    fn of(found: &TileRace, estimated_time_s: f64) -> Self {
        Self {
            planner: TileRace::PLANNER,
            status: "found",
            length_m: found.length_m,
            estimated_time_s,
            tiles: found.driven.tiles,
            turns: found.driven.turns,
            nodes_expanded: found.driven.nodes_expanded,
            known_tiles: found.known.tiles,
            known_turns: found.known.turns,
            known_nodes_expanded: found.known.nodes_expanded,
            d_star_lite_tiles: found.d_star_lite.map(|driven| driven.tiles),
            d_star_lite_turns: found.d_star_lite.map(|driven| driven.turns),
            d_star_lite_nodes_expanded: found.d_star_lite.map(|driven| driven.nodes_expanded),
            path_m: found.path.iter().map(|point| [point.x, point.y]).collect(),
        }
    }
}

fn table(found: &TileRace, tile_m: f64, estimated_time_s: f64, milliseconds: f64) -> String {
    let row = |name: &str, driven: TilesDriven| {
        let length_m = driven.tiles as f64 * tile_m;
        let counts = [driven.tiles, driven.turns, driven.nodes_expanded].map(|count| count.to_string());
        [vec![name.to_owned(), format!("{length_m:.2} m")], counts.to_vec()].concat()
    };
    let heads = ["planner", "length", "tiles", "turns", "expanded", "estimated time", "time"];
    let mut raced = row(TileRace::PLANNER, found.driven);
    raced.extend([format!("{estimated_time_s:.2} s"), format!("{milliseconds:.1} ms")]);
    let mut rows = vec![heads.map(str::to_owned).to_vec(), raced];
    rows.extend(found.d_star_lite.map(|driven| row(Discovery::PLANNER, driven)));
    rows.push(row("map known", found.known));
    text_table(&rows, 2)
}
