//! The search for the lines of vehicles on one road.

use std::sync::Arc;

use rayon::prelude::*;

use raceline_car::Vehicle;
use raceline_file::Method;
use raceline_road::track::Track;

use super::constraint_prices;
use super::line::Line;
use super::methods::accept_near;
use super::options::LineOptions;
use super::pick_up_prices;
use super::prepared_road::PreparedRoad;
use super::progress::{Progress, Silent};
use super::registry::steps;
use super::road_use::RoadUse;
use super::run::Run;
use super::work;
use crate::car::{CarLap, Optimum, car_lap_from};
use crate::{LocalRoad, Parent, SolveError};

/// Finds the line of `vehicle` on `track`.
///
/// # Errors
/// Options out of their range, a vehicle that does not fit the road, and a road on which no line is
/// found.
pub fn optimize(track: &Track, vehicle: &Vehicle, options: &LineOptions) -> Result<Line, SolveError> {
    optimize_with_progress(track, vehicle, options, &Silent)
}

/// Like [`optimize`], with reports of the stages to `progress`.
///
/// # Errors
/// See [`optimize`].
pub fn optimize_with_progress(
    track: &Track,
    vehicle: &Vehicle,
    options: &LineOptions,
    progress: &dyn Progress,
) -> Result<Line, SolveError> {
    RoadSearch::new(Arc::new(LocalRoad::new(track)), options, vehicle, progress)?.line_with_progress(vehicle, progress)
}

/// The search on one road, prepared for the vehicles that use it alike: see [`RoadUse`]. The
/// corridor and the lines that follow from it alone do not depend on the rest of the vehicle, and
/// are computed once.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use std::sync::Arc;
///
/// use raceline_car::preset;
/// use raceline_solve::{LineOptions, LocalRoad, RoadSearch, Silent};
///
/// let (vehicle, options) = (preset("kart")?, LineOptions::default());
/// let search = RoadSearch::new(Arc::new(LocalRoad::new(&track)), &options, &vehicle, &Silent)?;
/// // On worse tyres the vehicle uses the road alike; only its line is searched again.
/// let worse = search.line(&vehicle.with_parameters(&[("grip", 0.7)])?)?;
/// assert!(search.line(&vehicle)?.lap_time_s < worse.lap_time_s);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RoadSearch {
    options: LineOptions,
    road_use: RoadUse,
    road: PreparedRoad,
    of_road: Vec<(Method, Parent)>,
}

impl RoadSearch {
    /// Prepares the search for vehicles that use the road as `vehicle` does.
    ///
    /// # Errors
    /// Options out of their range, a vehicle that does not fit the road, and quadratic programs
    /// without a solution.
    pub fn new(
        road: Arc<LocalRoad>,
        options: &LineOptions,
        vehicle: &Vehicle,
        progress: &dyn Progress,
    ) -> Result<Self, SolveError> {
        let options = options.for_vehicle(vehicle);
        options.validate()?;
        let (options, lowered) = work::bounded(&options, &road.track)?;
        let road_use = RoadUse::new(&road.track, &options, vehicle);
        let mut road = PreparedRoad::new(road, &options, &road_use, progress)?;
        road.warnings.splice(0..0, lowered);
        progress.stage("solving shortest path and minimum curvature");
        let of_road = lines_of(&road, &options)?;
        Ok(Self { options, road_use, road, of_road })
    }

    /// Finds the line of `vehicle`, as [`optimize`] does. For a vehicle that uses the road in
    /// another way, the road is prepared again.
    ///
    /// # Errors
    /// See [`optimize`].
    pub fn line(&self, vehicle: &Vehicle) -> Result<Line, SolveError> {
        self.variation(vehicle, vehicle)
    }

    /// Finds the line of a variation of the vehicle `base`, on whose tyres a car is: see
    /// `car::car_lap_on`.
    ///
    /// # Errors
    /// See [`optimize`].
    pub fn variation(&self, base: &Vehicle, vehicle: &Vehicle) -> Result<Line, SolveError> {
        if !self.is_for(vehicle) {
            let again = Self::new(Arc::clone(&self.road.source), &self.options, vehicle, &Silent)?;
            return again.search((vehicle, base), &Silent);
        }
        self.search((vehicle, base), &Silent)
    }

    /// Finds the car's lap of `vehicle` from that of a vehicle near it, on the same tyres; `None`
    /// where the search does not converge from there, and for a vehicle that uses the road in
    /// another way.
    ///
    /// # Errors
    /// A vehicle that cannot be simulated.
    pub fn near(&self, vehicle: &Vehicle, near: &Optimum) -> Result<Option<Line>, SolveError> {
        if !self.is_for(vehicle) {
            return Ok(None);
        }
        self.of_lap(vehicle, car_lap_from(near, vehicle, &|_| {})?)
    }

    /// The line of a car's lap that was found on this road; `None` where its search did not
    /// converge or the line is not sound.
    ///
    /// # Errors
    /// A vehicle that cannot be simulated.
    pub fn of_lap(&self, vehicle: &Vehicle, lap: CarLap) -> Result<Option<Line>, SolveError> {
        let mut run = self.run((vehicle, vehicle), &Silent)?;
        if !accept_near(&mut run, lap)? {
            return Ok(None);
        }
        run.line().map(Some)
    }

    fn line_with_progress(&self, vehicle: &Vehicle, progress: &dyn Progress) -> Result<Line, SolveError> {
        let mut line = self.search((vehicle, vehicle), progress)?;
        if self.options.prices && !line.constraints.is_empty() {
            progress.stage("measuring what pins, speed caps and regions cost");
            let vehicles = (vehicle, vehicle);
            constraint_prices::measure(&mut line, &self.options, &self.road, vehicles, |options| {
                self.lap_s(options, vehicles)
            })?;
        }
        Ok(line)
    }

    fn is_for(&self, vehicle: &Vehicle) -> bool {
        RoadUse::new(&self.road.source.track, &self.options, vehicle) == self.road_use
    }

    fn run<'a>(
        &'a self,
        vehicles: (&'a Vehicle, &'a Vehicle),
        progress: &'a dyn Progress,
    ) -> Result<Run<'a>, SolveError> {
        Run::new(&self.road, &self.of_road, &self.options, vehicles, progress)
    }

    fn search(&self, vehicles: (&Vehicle, &Vehicle), progress: &dyn Progress) -> Result<Line, SolveError> {
        let mut line = self.found(vehicles, progress)?;
        if !self.options.prices {
            return Ok(line);
        }
        pick_up_prices::measure(&mut line, &self.options, |obstacles, pick_ups| {
            let road = self.road.decided_as(obstacles, pick_ups, &self.options)?;
            let of_road = lines_of(&road, &self.options)?;
            let (options, road_use) = (self.options.clone(), self.road_use.clone());
            Ok(Self { options, road_use, road, of_road }.found(vehicles, &Silent)?.lap_time_s)
        })?;
        Ok(line)
    }

    /// The lap time of a search on the same road with other options, in which the decisions are
    /// made, s.
    ///
    /// # Errors
    /// See [`optimize`].
    fn lap_s(&self, options: LineOptions, vehicles: (&Vehicle, &Vehicle)) -> Result<f64, SolveError> {
        let road_use = self.road_use.clone();
        let road = PreparedRoad::new(Arc::clone(&self.road.source), &options, &road_use, &Silent)?;
        let of_road = lines_of(&road, &options)?;
        Ok(Self { options, road_use, road, of_road }.found(vehicles, &Silent)?.lap_time_s)
    }

    fn found(&self, vehicles: (&Vehicle, &Vehicle), progress: &dyn Progress) -> Result<Line, SolveError> {
        let mut run = self.run(vehicles, progress)?;
        for step in steps(&self.options) {
            step.find(&mut run)?;
        }
        run.line()
    }
}

/// The lines that depend on the road alone.
fn lines_of(road: &PreparedRoad, options: &LineOptions) -> Result<Vec<(Method, Parent)>, SolveError> {
    let found: Vec<_> = steps(options).par_iter().map(|step| step.on_road(&road.corridor, &options.solve)).collect();
    // The first error in the order of the steps, whichever thread ended first.
    found.into_iter().filter_map(Result::transpose).collect()
}

#[cfg(test)]
mod tests {
    use raceline_car::preset;
    use raceline_file::Method;

    use super::optimize;
    use crate::test_roads::straight;
    use crate::{Detail, LineOptions, LineStatus, Model, SolveOptions};

    #[test]
    fn the_model_of_a_car_gives_a_cars_lap() {
        let track = straight(9, 5.0);
        let solve = SolveOptions { model: Some(Model::Car), ..SolveOptions::default() };
        let line = optimize(&track, &preset("gt").unwrap(), &LineOptions { solve, ..LineOptions::default() }).unwrap();
        let chosen = &line.candidates[line.chosen];
        assert_eq!((chosen.method, chosen.status), (Method::TimeOptimal, LineStatus::Solved));
        assert!(chosen.car.is_some());
        assert!(line.details.iter().any(|detail| matches!(detail, Detail::Car { .. })));
    }
}
