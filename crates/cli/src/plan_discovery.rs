//! `raceline plan --discover`: a drive through a map that is seen during the drive.

use raceline_plan::{Discovery, FreeSpace};
use raceline_render::{RenderError, plan_picture};
use raceline_road::geometry::Point;
use serde::Serialize;

use super::plan_drive::{Driven, path_m};
use super::text_table::text_table;

/// What `--json` prints, as for a planner.
#[derive(Debug, Serialize)]
pub struct DiscoveryJson {
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

impl Driven for Discovery {
    type Json = DiscoveryJson;

    fn path(&self) -> &[Point] {
        &self.path
    }

    fn svg(&self, space: &FreeSpace, stops: &[Point]) -> Result<String, RenderError> {
        plan_picture::discovery_svg(space, stops, self)
    }

    fn json(&self, estimated_time_s: f64) -> DiscoveryJson {
        DiscoveryJson {
            planner: Self::PLANNER,
            status: "found",
            length_m: self.length_m,
            known_length_m: self.known_length_m,
            estimated_time_s,
            replans: self.replans,
            nodes_expanded: self.nodes_expanded,
            a_star_expanded: self.a_star.map(|a_star| a_star.expanded),
            a_star_if_blocked_expanded: self.a_star.map(|a_star| a_star.if_blocked_expanded),
            path_m: path_m(&self.path),
        }
    }

    fn table(&self, estimated_time_s: f64, milliseconds: f64) -> String {
        let mut columns = vec![
            ("planner", Self::PLANNER.to_owned()),
            ("status", "found".to_owned()),
            ("length", format!("{:.2} m", self.length_m)),
            ("map known", format!("{:.2} m", self.known_length_m)),
            ("estimated time", format!("{estimated_time_s:.2} s")),
            ("replans", self.replans.to_string()),
            ("expanded", self.nodes_expanded.to_string()),
        ];
        if let Some(a_star) = self.a_star {
            columns.push(("A*", a_star.expanded.to_string()));
            columns.push(("A* if blocked", a_star.if_blocked_expanded.to_string()));
        }
        columns.push(("time", format!("{milliseconds:.1} ms")));
        let (heads, values): (Vec<&str>, Vec<String>) = columns.into_iter().unzip();
        text_table(&[heads.into_iter().map(str::to_owned).collect(), values], 2)
    }
}
