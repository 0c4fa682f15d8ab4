//! What a reader of logs hands over to an editor.

use raceline::analysis::{AnalysisOptions, Losses, driven_lap, losses};
use raceline::laps::DrivenRoad;
use raceline::{Options, RacingLine};
use raceline_car::Vehicle;
use raceline_file::with_causes;
use serde::{Deserialize, Serialize};

use super::comparison::ComparisonError;
use super::session_error::SessionError;

/// What the log of a drive shows of its track and its vehicle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoggedDrive {
    /// The road of the laps, as wide as the path of the vehicle's middle.
    pub road: DrivenRoad,
    /// Longitude and latitude of the origin of its frame, degrees, if they are known.
    pub geographic_origin_deg: Option<[f64; 2]>,
    /// The vehicle that was fitted to the log, as the text of a vehicle file; `None` where none fits.
    pub vehicle: Option<String>,
    /// What to know of the log and of the fit, as sentences.
    pub notes: Vec<String>,
}

/// A lap of a log in the frame of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrivenLap {
    /// Name on the page.
    pub name: String,
    /// The lap as a table of text, as [`Session::driven`](raceline::laps::Session::driven) has it.
    pub table: String,
}

/// What the log of a drive on the track shows beside its road.
#[derive(Clone, Debug)]
pub(super) struct Logged {
    /// The vehicle that was fitted to it.
    pub(super) vehicle: Option<Vehicle>,
    pub(super) notes: Vec<String>,
    /// Whether its laps are compared with the line, until the comparison is taken away.
    pub(super) is_compared: bool,
    /// Names of laps that were taken out of the comparison.
    pub(super) left_out: Vec<String>,
}

impl Logged {
    /// The vehicle that was fitted, unless the options name one.
    pub(super) fn fitted(&self, options: &Options) -> Option<&Vehicle> {
        self.vehicle.as_ref().filter(|_| options.vehicle.is_none())
    }

    /// Leaves out the laps `before` that are no longer among those that are `left`.
    pub(super) fn leave_out(&mut self, before: &[RacingLine], left: &[RacingLine]) {
        let is_left = |name: &str| left.iter().any(|lap| lap.name == name);
        self.left_out.extend(before.iter().map(|lap| lap.name.clone()).filter(|name| !is_left(name)));
        self.is_compared = !left.is_empty();
    }
}

/// Laps beside a line, the fastest first, and where this one loses time.
pub(super) fn laps_beside(
    line: &RacingLine,
    laps: &[DrivenLap],
) -> Result<(Vec<RacingLine>, Option<Losses>), SessionError> {
    let wrong = |lap: &DrivenLap, error: &dyn std::error::Error| {
        SessionError::Comparison(ComparisonError::NotComparable { name: lap.name.clone(), reason: with_causes(error) })
    };
    let mut driven = Vec::new();
    for lap in laps {
        let laid = driven_lap(line, lap.table.as_bytes()).map_err(|error| wrong(lap, &error))?;
        driven.push(RacingLine { name: lap.name.clone(), ..laid });
    }
    let lost = laps.iter().zip(&driven).next();
    let lost =
        lost.map(|(lap, driven)| losses(line, driven, &AnalysisOptions::of(line)).map_err(|error| wrong(lap, &error)));
    Ok((driven, lost.transpose()?))
}
