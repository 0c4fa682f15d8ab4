//! A finished line, driven once more under what its file says.

use crate::edges::Edges;
use crate::file::RacingLine;
use crate::frame::Spot;
use crate::geometry::{Point, Polyline};
use crate::solve::SolveError;
use crate::speed::{DrivenLine, GripMap, Lap};
use crate::track::{Track, TrackError, TrackGrip, TrackOptions, cut};

/// Why a finished line can't be driven once more.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RedriveError {
    /// Its grip stretches need the road, and its edges make none.
    #[error("its edges make no road, which its grip stretches are measured along")]
    Road(#[from] TrackError),
    /// The line can't be driven.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Drives the line's points with its vehicle, its grip stretches and its speeds at open ends.
///
/// # Errors
/// See [`RedriveError`].
pub fn redrive(line: &RacingLine) -> Result<DrivenLine, RedriveError> {
    let options = &line.options;
    // Stretches are measured along the centre line, which a file doesn't hold.
    let road = if options.grip.is_empty() { None } else { Some(road_of(line, &options.track)?) };
    let grip = match &road {
        Some(road) => TrackGrip::new(road, &options.grip).map_err(SolveError::from)?,
        None => None,
    };
    let points: Vec<Point> = line.points.iter().map(|point| Point::new(point.x_m, point.y_m)).collect();
    let lap =
        Lap { vehicle: &line.vehicle, speeds: options.speed, grip: grip.as_ref().map(|grip| grip as &dyn GripMap) };
    Ok(DrivenLine::through(&points, line.closed, lap).map_err(SolveError::from)?)
}

/// The road between the line's edges, cut from where the line begins.
fn road_of(line: &RacingLine, options: &TrackOptions) -> Result<Track, TrackError> {
    let polyline = |points: &[[f64; 2]]| Polyline {
        points: points.iter().copied().map(Point::from).collect(),
        closed: line.closed,
    };
    let edges = Edges::between(polyline(&line.edges.left), polyline(&line.edges.right));
    let start = line.points.first().map(|point| Spot::Metres([point.x_m, point.y_m]));
    cut(&edges, &TrackOptions { start, direction: Some(line.direction), ..options.clone() })
}
