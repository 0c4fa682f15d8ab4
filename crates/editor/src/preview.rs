//! A coarse line while something is dragged, within the time of some frames.

use std::collections::BTreeSet;
use std::path::Path;

use raceline::Options;
use raceline::file::Method;
use raceline::options::Layer;
use raceline::pipeline::{self, Extraction, Request};
use raceline_car::Vehicle;
use raceline_file::{round_to, with_causes};
use raceline_road::geometry::Point;
use raceline_road::track::Track;
use serde::Serialize;

use super::session_error::SessionError;
use super::sidecar_edit::{Edit, EditError, edited};

/// A coarse line with changed options.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preview {
    /// By how much the lap is longer than before the change, s; both laps are coarse.
    pub change_s: f64,
    /// Points of the line, m.
    pub points_m: Vec<[f64; 2]>,
    /// The pieces of the road's edges that are moved, m.
    pub edges_m: Vec<Vec<[f64; 2]>>,
}

/// Makes coarse lines of one track: lines of minimum curvature, which take a tenth of the time of the
/// time-optimal one. What an edit costs then is measured between two such lines.
#[derive(Clone, Debug)]
pub struct Previewer {
    track: Extraction,
    options: Options,
    vehicle: Vehicle,
    /// Lap of the coarse line without a change, s; made when it is asked for.
    base_s: Option<f64>,
}

impl Previewer {
    /// A previewer of a track whose line is made with `options` for `vehicle`.
    #[must_use]
    pub fn new(track: Extraction, options: &Options, vehicle: &Vehicle) -> Self {
        let options = Options { method: Method::MinCurvature, initial_line: None, ..options.clone() };
        Self { track, options, vehicle: vehicle.clone(), base_s: None }
    }

    /// The coarse line after `edits`, a list in JSON, of the sidecar at `path` whose text is `text`. Places of
    /// edges move those of the track as it was read last; other edits of the road, as of its scale, are left out.
    ///
    /// # Errors
    /// An edit that is not valid, and a line that cannot be made with it, as with an obstacle off the road.
    pub fn preview(&mut self, path: &Path, text: &str, edits: &str) -> Result<Preview, SessionError> {
        let edits: Vec<Edit> = serde_json::from_str(edits)?;
        let after = edited(path, text, &edits)?;
        let layer = Layer::from_toml(path, &after).map_err(EditError::from)?;
        let after = Options::from_layers(&[layer]).map_err(EditError::from)?;
        let Options { pin, obstacle, pick_up, no_go, grip, speed_cap, mut edge_point, .. } = after;
        // The others are in the track already.
        edge_point.retain(|point| !self.options.edge_point.contains(point));
        let options = Options { pin, obstacle, pick_up, no_go, grip, speed_cap, edge_point, ..self.options.clone() };
        let base_s = match self.base_s {
            Some(base_s) => base_s,
            None => self.lap(self.track.clone(), &self.options)?.0,
        };
        self.base_s = Some(base_s);
        let track = self.track.clone();
        let track = if options.edge_point.is_empty() {
            track
        } else {
            pipeline::with_edge_points(track, &options, &self.vehicle).map_err(refused)?
        };
        let edges_m = moved_edges(&self.track.track, &track.track);
        let (lap_s, points_m) = self.lap(track, &options)?;
        Ok(Preview { change_s: round_to(lap_s - base_s, 4), points_m, edges_m })
    }

    fn lap(&self, track: Extraction, options: &Options) -> Result<(f64, Vec<[f64; 2]>), SessionError> {
        let request = Request::new(options, &self.vehicle).verify(false);
        let line = pipeline::optimize(track, &request).map_err(refused)?.line;
        let points = line.points.iter().map(|point| [point.x_m, point.y_m].map(|value| round_to(value, 3)));
        Ok((line.lap_time_s, points.collect()))
    }
}

fn refused(error: pipeline::Error) -> SessionError {
    SessionError::NoPreview { reason: with_causes(&error) }
}

/// The pieces of the edges of `after` with a vertex that those of `before` do not have.
fn moved_edges(before: &Track, after: &Track) -> Vec<Vec<[f64; 2]>> {
    let key = |point: &Point| [point.x.to_bits(), point.y.to_bits()];
    let mut pieces = Vec::new();
    for (old, new) in [(&before.left_edge, &after.left_edge), (&before.right_edge, &after.right_edge)] {
        if old == new {
            continue;
        }
        let old: BTreeSet<[u64; 2]> = old.points.iter().map(key).collect();
        let mut goes_on = false;
        for (from, to) in new.pieces() {
            let is_moved = !(old.contains(&key(&from)) && old.contains(&key(&to)));
            let place = |point: Point| [point.x, point.y].map(|value| round_to(value, 3));
            match pieces.last_mut() {
                Some(piece) if is_moved && goes_on => Vec::push(piece, place(to)),
                _ if is_moved => pieces.push(vec![place(from), place(to)]),
                _ => {}
            }
            goes_on = is_moved;
        }
    }
    pieces
}
