//! `raceline plan --discover --tile-m`: a race over road tiles that are seen within a radius.

use raceline_plan::{Discovery, FreeSpace, TileRace, TilesDriven};
use raceline_render::{RenderError, plan_picture};
use raceline_road::geometry::Point;
use serde::Serialize;

use super::plan_drive::{Driven, path_m};
use super::text_table::text_table;

/// A race over tiles with this side.
pub struct RaceOver {
    pub race: TileRace,
    pub tile_m: f64,
}

/// What `--json` prints, as for a planner.
#[derive(Debug, Serialize)]
pub struct RaceJson {
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

impl Driven for RaceOver {
    type Json = RaceJson;

    fn path(&self) -> &[Point] {
        &self.race.path
    }

    fn svg(&self, space: &FreeSpace, stops: &[Point]) -> Result<String, RenderError> {
        plan_picture::tile_race_svg(space, stops, &self.race)
    }

    fn json(&self, estimated_time_s: f64) -> RaceJson {
        let TileRace { path, length_m, driven, known, d_star_lite, .. } = &self.race;
        RaceJson {
            planner: TileRace::PLANNER,
            status: "found",
            length_m: *length_m,
            estimated_time_s,
            tiles: driven.tiles,
            turns: driven.turns,
            nodes_expanded: driven.nodes_expanded,
            known_tiles: known.tiles,
            known_turns: known.turns,
            known_nodes_expanded: known.nodes_expanded,
            d_star_lite_tiles: d_star_lite.map(|driven| driven.tiles),
            d_star_lite_turns: d_star_lite.map(|driven| driven.turns),
            d_star_lite_nodes_expanded: d_star_lite.map(|driven| driven.nodes_expanded),
            path_m: path_m(path),
        }
    }

    fn table(&self, estimated_time_s: f64, milliseconds: f64) -> String {
        let row = |name: &str, driven: TilesDriven| {
            let length_m = driven.tiles as f64 * self.tile_m;
            let counts = [driven.tiles, driven.turns, driven.nodes_expanded].map(|count| count.to_string());
            [vec![name.to_owned(), format!("{length_m:.2} m")], counts.to_vec()].concat()
        };
        let heads = ["planner", "length", "tiles", "turns", "expanded", "estimated time", "time"];
        let mut raced = row(TileRace::PLANNER, self.race.driven);
        raced.extend([format!("{estimated_time_s:.2} s"), format!("{milliseconds:.1} ms")]);
        let mut rows = vec![heads.map(str::to_owned).to_vec(), raced];
        rows.extend(self.race.d_star_lite.map(|driven| row(Discovery::PLANNER, driven)));
        rows.push(row("map known", self.race.known));
        text_table(&rows, 2)
    }
}
