//! A coarse line while something is dragged, within the time of some frames.

use std::collections::BTreeSet;
use std::path::Path;

use raceline::Options;
use raceline::file::Method;
use raceline::options::Layer;
use raceline::pipeline::{self, Extraction, KeptExtraction, Request};
use raceline_car::Vehicle;
use raceline_file::{round_to, with_causes};
use raceline_road::geometry::Point;
use raceline_road::track::Track;
use serde::{Deserialize, Serialize};

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
    /// Lap of the coarse line without a change, s, and the text of the sidecar that it was made with.
    base: Option<(String, f64)>,
}

/// A [`Previewer`] in plain types, for another process or worker. Coarse lines of both are the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptPreviewer {
    track: KeptExtraction,
    options: Options,
    vehicle: Vehicle,
}

impl From<&Previewer> for KeptPreviewer {
    fn from(previewer: &Previewer) -> Self {
        let Previewer { track, options, vehicle, base: _ } = previewer;
        Self { track: KeptExtraction::from(track), options: options.clone(), vehicle: vehicle.clone() }
    }
}

impl From<KeptPreviewer> for Previewer {
    fn from(KeptPreviewer { track, options, vehicle }: KeptPreviewer) -> Self {
        Self { track: Extraction::from(track), options, vehicle, base: None }
    }
}

impl Previewer {
    /// A previewer of a track whose line is made with `options` for `vehicle`.
    #[must_use]
    pub fn new(track: Extraction, options: &Options, vehicle: &Vehicle) -> Self {
        let options = Options { method: Method::MinCurvature, initial_line: None, ..options.clone() };
        Self { track, options, vehicle: vehicle.clone(), base: None }
    }

    /// The coarse line after `edits`, a list in JSON, of the sidecar at `path` whose text is `text`, and what they cost
    /// beside the line of that text. Places of edges move those of the track as it was read last; other edits of the road,
    /// as of its scale, are left out.
    ///
    /// # Errors
    /// An edit that is not valid, and a line that cannot be made with it, as with an obstacle off the road.
    pub fn preview(&mut self, path: &Path, text: &str, edits: &str) -> Result<Preview, SessionError> {
        let edits: Vec<Edit> = serde_json::from_str(edits)?;
        let options = self.options_of(path, &edited(path, text, &edits)?)?;
        let base_s = match &self.base {
            Some((of, base_s)) if of == text => *base_s,
            _ => self.base_s(path, text)?,
        };
        self.base = Some((text.to_owned(), base_s));
        let (track, lap_s, points_m) = self.lap(&options)?;
        let edges_m = moved_edges(&self.track.track, &track);
        Ok(Preview { change_s: round_to(lap_s - base_s, 4), points_m, edges_m })
    }

    /// Lap of the coarse line of a sidecar, s. The edits may be what makes a line possible: without one, the lap is that of
    /// the options that the previewer was made with.
    fn base_s(&self, path: &Path, text: &str) -> Result<f64, SessionError> {
        let lap = self.options_of(path, text).and_then(|options| self.lap(&options));
        Ok(lap.or_else(|_| self.lap(&self.options))?.1)
    }

    /// The options of the previewer with what stands on the road and its edges as in a sidecar of the text `text`.
    fn options_of(&self, path: &Path, text: &str) -> Result<Options, SessionError> {
        let layer = Layer::from_toml(path, text).map_err(EditError::from)?;
        let of_text = Options::from_layers(&[layer]).map_err(EditError::from)?;
        let Options { pin, obstacle, pick_up, no_go, grip, speed_cap, edge_point, .. } = of_text;
        Ok(Options { pin, obstacle, pick_up, no_go, grip, speed_cap, edge_point, ..self.options.clone() })
    }

    /// The road, the lap of its coarse line, s, and the line's points, m.
    fn lap(&self, options: &Options) -> Result<(Track, f64, Vec<[f64; 2]>), SessionError> {
        let mut options = options.clone();
        // The others are in the track already.
        options.edge_point.retain(|point| !self.options.edge_point.contains(point));
        let mut extraction = self.track.clone();
        if !options.edge_point.is_empty() {
            extraction = pipeline::with_edge_points(extraction, &options, &self.vehicle).map_err(refused)?;
        }
        let track = extraction.track.clone();
        let request = Request::new(&options, &self.vehicle).verify(false).prices(false);
        let line = pipeline::optimize(extraction, &request).map_err(refused)?.line;
        let points = line.points.iter().map(|point| [point.x_m, point.y_m].map(|value| round_to(value, 3)));
        Ok((track, line.lap_time_s, points.collect()))
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
