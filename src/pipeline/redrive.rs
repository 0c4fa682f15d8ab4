//! The speed profile of a finished line, computed again with the parameters in its file.

use crate::edges::{EdgeKind, Edges};
use crate::file::{LinePoint, RacingLine};
use crate::frame::Spot;
use crate::geometry::{Point, Polyline, Vector};
use crate::solve::car::{CarLap, Status, car_lap_near};
use crate::solve::passing::decided_barriers;
use crate::solve::time_optimal::Task;
use crate::solve::{Corridor, LocalRoad, RoadConditions, SolveError, no_go_on_road, pins_on_road};
use crate::speed::{DrivenLine, Sensitivity, SpeedError, sensitivities};
use crate::track::{
    CrossSection, Grip, ReliefOptions, SectionSurface, SurfaceEnd, Track, TrackError, TrackGrip, TrackOptions,
    TrackRelief, TrackSpeedCaps, cut_for, usable,
};
use crate::vehicle::Vehicle;
use raceline_numerics::math;

/// Why the speed profile of a finished line cannot be computed again.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RedriveError {
    /// The line's grip stretches or its car require the road, which cannot be made from its edges.
    #[error("no road can be made from its edges, which grip stretches and a car's lap require")]
    Road(#[from] TrackError),
    /// No lap of the car was found between its edges.
    #[error("the car's lap between its edges did not converge in {steps} steps: make the line again")]
    NotConverged {
        /// Number of steps.
        steps: usize,
    },
    /// No speed profile can be computed.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// The lap of a finished line, found again.
#[derive(Clone, Debug)]
pub enum Redriven {
    /// The lap of a point mass through the line's points.
    PointMass(Box<DrivenLine>),
    /// The fastest lap of a car near the line's points.
    Car(Box<CarLap>),
}

impl Redriven {
    /// Lap time, s.
    #[must_use]
    pub fn lap_time_s(&self) -> f64 {
        match self {
            Self::PointMass(driven) => driven.lap_time_s(),
            Self::Car(lap) => lap.lap_time_s,
        }
    }

    /// What each number of the line's vehicle changes of the lap time.
    ///
    /// # Errors
    /// A vehicle that cannot be simulated.
    pub fn sensitivities(&self, vehicle: &Vehicle) -> Result<Vec<Sensitivity>, SpeedError> {
        match self {
            Self::PointMass(driven) => sensitivities(driven.fixed(), vehicle),
            Self::Car(lap) => lap.optimum.sensitivities(),
        }
    }
}

/// Finds the lap of a finished line again, with the vehicle, the heights, the grip and the speeds at open ends
/// in its file: for the line of a car the fastest lap of its car between its edges and near its points,
/// else the speed profile through its points.
///
/// # Errors
/// See [`RedriveError`].
pub fn redrive(line: &RacingLine) -> Result<Redriven, RedriveError> {
    if line.is_of_car() {
        return Ok(Redriven::Car(Box::new(fastest_of_car(line)?)));
    }
    let options = &line.options;
    let grip = grip_of_options(line)?;
    let points: Vec<Point> = line.points.iter().map(|point| Point::new(point.x_m, point.y_m)).collect();
    let conditions = conditions_along(line, &points, grip)?.with_caps(caps_of(line)?);
    let lap = conditions.lap(&line.vehicle, options.speed);
    let driven = DrivenLine::through(&points, line.closed, lap).map_err(SolveError::from)?;
    Ok(Redriven::PointMass(Box::new(driven)))
}

/// The grip at each point of a line: that of its points, or that of the stretches in its options.
/// `None` where it is 1 everywhere.
///
/// # Errors
/// [`RedriveError::Road`].
pub fn grip_along(line: &RacingLine) -> Result<Option<Vec<f64>>, RedriveError> {
    // The points have the stretches in theirs.
    if line.points.iter().any(|point| point.grip.is_some()) {
        return Ok(Some(line.points.iter().map(|point| point.grip.unwrap_or(1.0)).collect()));
    }
    let points: Vec<Point> = line.points.iter().map(|point| Point::new(point.x_m, point.y_m)).collect();
    Ok(grip_of_options(line)?.map(|grip| grip.along(&points)))
}

/// The stretches and patches of grip in a line's options; `None` without any.
///
/// # Errors
/// [`RedriveError::Road`].
pub(crate) fn grip_of_options(line: &RacingLine) -> Result<Option<TrackGrip>, RedriveError> {
    let options = &line.options;
    if options.grip.is_empty() {
        return Ok(None);
    }
    // Stretches are measured along the centre line, which is not in the file.
    let road = road_of(line, &options.track)?;
    Ok(TrackGrip::new(&road, &options.grip).map_err(SolveError::from)?)
}

/// The maximum speeds of a line's options.
fn caps_of(line: &RacingLine) -> Result<Option<TrackSpeedCaps>, RedriveError> {
    if line.options.speed_cap.is_empty() {
        return Ok(None);
    }
    let road = road_of(line, &line.options.track)?;
    Ok(TrackSpeedCaps::new(&road, &line.options.speed_cap).map_err(SolveError::from)?)
}

/// The fastest lap of the line's car, between the edges in its file and near its points.
///
/// The margin is the vehicle's, or the smallest distance of the line to an edge where that is larger, as
/// on a road whose edges are uncertain.
fn fastest_of_car(line: &RacingLine) -> Result<CarLap, RedriveError> {
    let (options, vehicle) = (&line.options, &line.vehicle);
    let whole = road_of(line, &options.track)?;
    // The file's edges have no kinds: clearances are in the distances of its points.
    let room = (&options.clearance, &options.edge_margin[..]);
    let used = usable(&whole, room, &options.track, vehicle.safety_distance_m, vehicle.length_m)?;
    let mut road = LocalRoad::new(used.as_ref().unwrap_or(&whole));
    let width_m = road.track.mean_width();
    let of_point = |point: &LinePoint| match used {
        Some(_) => road.edges.to_edges(Point::new(point.x_m, point.y_m) - road.origin).into(),
        None => [point.left_m, point.right_m],
    };
    let rooms_m: Vec<[f64; 2]> = line.points.iter().map(of_point).collect();
    let min = rooms_m.iter().map(|[left_m, right_m]| left_m.min(*right_m)).fold(f64::INFINITY, f64::min);
    let margin_m = min.min(0.5 * width_m).max(vehicle.margin_m());
    let no_go = no_go_on_road(&road.track, &road, &options.no_go, margin_m)?;
    let barriers = decided_barriers(&road, margin_m, &options.obstacle, &options.pick_up)?;
    road.edges = road.edges.with_barriers(barriers).with_no_go(no_go.areas);
    road.edges = road.edges.with_pins(pins_on_road(&options.pin, road.origin)?);
    let mut corridor = Corridor::new(&road.track, &road.edges, margin_m)?;
    corridor.pin_ends(&options.solve);
    let points: Vec<Point> = line.points.iter().map(|point| Point::new(point.x_m, point.y_m) - road.origin).collect();
    let parts: Vec<Grip> = options.grip.iter().map(|part| part.clone().moved_by(-road.origin)).collect();
    let grip = TrackGrip::new(&road.track, &parts).map_err(SolveError::from)?;
    let caps = TrackSpeedCaps::new(&road.track, &options.speed_cap).map_err(SolveError::from)?;
    let conditions = conditions_along(line, &points, grip)?.with_caps(caps);
    let lap = conditions.lap(vehicle, options.speed);
    let free_m: Vec<[f64; 2]> = rooms_m.iter().map(|room_m| room_m.map(|room_m| room_m - margin_m)).collect();
    let spacing_m = road.track.spacing_m;
    let task = Task { corridor: &corridor, edges: &road.edges, margin_m, spacing_m, lap };
    let solve = options.solve.for_vehicle(vehicle, options.speed.turning);
    let found = car_lap_near(task, &points, &free_m, solve.car(), &|_| {})?;
    match found.status {
        Status::Converged => Ok(found),
        _ => Err(RedriveError::NotConverged { steps: found.iterations }),
    }
}

/// The grip and the heights along the line's `points`: the grip of the options, or else that of the
/// file's surface.
fn conditions_along(
    line: &RacingLine,
    points: &[Point],
    of_options: Option<TrackGrip>,
) -> Result<RoadConditions, SolveError> {
    let load = line.options.load.for_vehicle(&line.vehicle);
    let Some(surface) = surface_of(line) else { return Ok(RoadConditions::new(of_options, None, load)) };
    let strip = strip_of(line, points, surface);
    let grip = match of_options {
        Some(grip) => Some(grip),
        None => TrackGrip::new::<Grip>(&strip, &[])?,
    };
    // The file's heights are smooth already.
    let relief = TrackRelief::new(&strip, &ReliefOptions { height_smoothing_m: 0.0 });
    Ok(RoadConditions::new(grip, relief, load))
}

/// The road at either side of each point of a line, if its file has any of it.
fn surface_of(line: &RacingLine) -> Option<Vec<SectionSurface>> {
    let is_specified = line.points.iter().any(|point| point.z_m.is_some() || point.grip.is_some());
    is_specified.then(|| {
        let section = |point: &LinePoint| {
            let (height, grip) = (point.z_m.unwrap_or_default(), point.grip.unwrap_or(1.0));
            // Of a metre to either side. Banking is an angle of the road's surface, the grade along the line does
            // not matter at this width.
            let rise = math::tan(point.banking_rad.unwrap_or_default());
            let end = |height_m| SurfaceEnd { height_m, grip, kind: EdgeKind::Line };
            SectionSurface { right: end(height - rise), left: end(height + rise) }
        };
        line.points.iter().map(section).collect()
    })
}

/// The road of a metre to either side of a line.
fn strip_of(line: &RacingLine, points: &[Point], surface: Vec<SectionSurface>) -> Track {
    let sections: Vec<CrossSection> = line
        .points
        .iter()
        .zip(points)
        .map(|(point, &middle)| {
            let left = Vector::new(-math::sin(point.heading_rad), math::cos(point.heading_rad));
            CrossSection { right: middle - left, left: middle + left }
        })
        .collect();
    let spacing_m = line.length_m / points.len() as f64;
    Track { surface: Some(surface), ..Track::from_sections(sections, line.closed, line.direction, spacing_m) }
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
