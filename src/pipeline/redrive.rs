//! The speed profile of a finished line, computed again with the parameters in its file.

use crate::edges::Edges;
use crate::file::RacingLine;
use crate::frame::Spot;
use crate::geometry::{Point, Polyline};
use crate::solve::SolveError;
use crate::speed::{DrivenLine, GripMap, Lap};
use crate::track::{Track, TrackError, TrackGrip, TrackOptions, cut_for};

/// Why the speed profile of a finished line cannot be computed again.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RedriveError {
    /// Its grip stretches require the road, which cannot be made from its edges.
    #[error("no road can be made from its edges, which its grip stretches require")]
    Road(#[from] TrackError),
    /// No speed profile can be computed.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Computes the speed profile through the line's points with its vehicle, its grip stretches and
/// its speeds at open ends.
///
/// # Errors
/// See [`RedriveError`].
pub fn redrive(line: &RacingLine) -> Result<DrivenLine, RedriveError> {
    let options = &line.options;
    // Stretches are measured along the centre line, which is not in the file.
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
    let options = TrackOptions { start, direction: Some(line.direction), ..options.clone() };
    cut_for(&edges, &options, line.vehicle.length_m)
}
