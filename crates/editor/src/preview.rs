//! A coarse line while something is dragged, within the time of some frames.

use std::path::Path;

use raceline::Options;
use raceline::file::Method;
use raceline::options::Layer;
use raceline::pipeline::{self, Extraction, Request};
use raceline_car::Vehicle;
use raceline_file::{round_to, with_causes};
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

    /// The coarse line after `edits`, a list in JSON, of the sidecar at `path` whose text is `text`. Edits of the
    /// road, as of its scale, are left out: they need another track.
    ///
    /// # Errors
    /// An edit that is not valid, and a line that cannot be made with it, as with an obstacle off the road.
    pub fn preview(&mut self, path: &Path, text: &str, edits: &str) -> Result<Preview, SessionError> {
        let edits: Vec<Edit> = serde_json::from_str(edits)?;
        let after = edited(path, text, &edits)?;
        let layer = Layer::from_toml(path, &after).map_err(EditError::from)?;
        let after = Options::from_layers(&[layer]).map_err(EditError::from)?;
        let Options { pin, obstacle, pick_up, no_go, grip, speed_cap, .. } = after;
        let options = Options { pin, obstacle, pick_up, no_go, grip, speed_cap, ..self.options.clone() };
        let base_s = match self.base_s {
            Some(base_s) => base_s,
            None => self.lap(&self.options)?.0,
        };
        self.base_s = Some(base_s);
        let (lap_s, points_m) = self.lap(&options)?;
        Ok(Preview { change_s: round_to(lap_s - base_s, 4), points_m })
    }

    fn lap(&self, options: &Options) -> Result<(f64, Vec<[f64; 2]>), SessionError> {
        let request = Request::new(options, &self.vehicle).verify(false);
        let refused = |error: pipeline::Error| SessionError::NoPreview { reason: with_causes(&error) };
        let line = pipeline::optimize(self.track.clone(), &request).map_err(refused)?.line;
        let points = line.points.iter().map(|point| [point.x_m, point.y_m].map(|value| round_to(value, 3)));
        Ok((line.lap_time_s, points.collect()))
    }
}
