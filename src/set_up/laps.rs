//! Laps of set-ups with their derivatives.

use std::sync::Arc;

use super::descent::Sample;
use super::range::Ranges;
use crate::pipeline::{Extraction, Progress, Request, in_metres};
use crate::solve::car::{Optimum, on_tyres_of};
use crate::solve::{Line, LocalRoad, Model, RoadSearch, Silent, SolveError};
use crate::speed::{DrivenLine, SpeedError};
use crate::vehicle::{Vehicle, VehicleError};

/// Step of a place for a derivative, of a range of 1.
const STEP: f64 = 1e-4;

/// What gives the derivatives of a lap.
enum Slopes {
    /// The solution of a car's program.
    Car(Box<Optimum>),
    /// The line of a point mass, which is the fastest one: see
    /// [`sensitivities`](crate::speed::sensitivities).
    Line(Box<DrivenLine>),
}

/// Finds laps on one road.
pub(super) struct Laps<'a> {
    ranges: &'a Ranges<'a>,
    search: RoadSearch,
    is_of_car: bool,
    progress: &'a dyn Progress,
    max_laps: usize,
    /// The car's lap from which the next is searched.
    near: Option<Optimum>,
    /// Number of laps that were found or failed.
    pub count: usize,
}

impl<'a> Laps<'a> {
    /// All laps are of the model of the options.
    ///
    /// # Errors
    /// Options out of their range, and a vehicle that does not fit the road.
    pub fn new(
        extraction: &Extraction,
        request: &'a Request,
        ranges: &'a Ranges<'a>,
        max_laps: usize,
    ) -> Result<Self, SolveError> {
        let options = in_metres(request.options, extraction.frame, extraction.source.geographic_origin_deg);
        let options = options.line_options().for_vehicle(ranges.vehicle);
        let road = Arc::new(LocalRoad::new(&extraction.track));
        let search = RoadSearch::new(road, &options, ranges.vehicle, &Silent)?;
        request.progress.stage("searching the set-up");
        let is_of_car = options.solve.model == Some(Model::Car);
        Ok(Self { ranges, search, is_of_car, progress: request.progress, max_laps, near: None, count: 0 })
    }

    /// The lap at `place` with its derivatives.
    ///
    /// # Errors
    /// A place that cannot be a vehicle, and a vehicle without a lap.
    pub fn sample(&mut self, place: &[f64]) -> Result<Sample, SolveError> {
        self.count += 1;
        let found = self.found(place);
        let note = match &found {
            Ok((sample, _)) => format!("lap {:.3} s", sample.value),
            Err(_) => "failed".to_owned(),
        };
        self.progress.step(self.count, self.max_laps, &note);
        let (sample, slopes) = found?;
        if let Slopes::Car(optimum) = slopes {
            self.near = Some(*optimum);
        }
        Ok(sample)
    }

    fn found(&self, place: &[f64]) -> Result<(Sample, Slopes), SolveError> {
        let vehicle_error = |error: VehicleError| SolveError::Speed(SpeedError::Vehicle(error));
        let base = self.ranges.vehicle;
        let vehicle = self.ranges.vehicle_at(place).map_err(vehicle_error)?;
        let written = on_tyres_of(base, &vehicle).map_err(vehicle_error)?;
        let near = match &self.near {
            Some(near) => self.search.near(&vehicle, near)?,
            None => None,
        };
        let mut line = match near {
            Some(line) => line,
            None => self.searched(&vehicle, &written)?,
        };
        let slopes = match line.optimum.take() {
            Some(optimum) => Slopes::Car(Box::new(optimum)),
            None => Slopes::Line(Box::new(line.driven())),
        };
        let lap_time_s = |place: &[f64]| -> Result<f64, SolveError> {
            let vehicle = self.ranges.vehicle_near(place).map_err(vehicle_error)?;
            match &slopes {
                Slopes::Car(optimum) => Ok(optimum.lagrangian_s(&vehicle)?),
                Slopes::Line(line) => {
                    let written = on_tyres_of(base, &vehicle).map_err(vehicle_error)?;
                    Ok(line.fixed().profile(&written)?.lap_time_s)
                }
            }
        };
        let slope = |i: usize| -> Result<f64, SolveError> {
            // Both places within the range, which is all that is known to be a vehicle.
            let middle = place[i].clamp(STEP, 1.0 - STEP);
            let at = |coordinate: f64| {
                let mut moved = place.to_vec();
                moved[i] = coordinate;
                lap_time_s(&moved)
            };
            Ok((at(middle + STEP)? - at(middle - STEP)?) / (2.0 * STEP))
        };
        let slopes_s = (0..place.len()).map(slope).collect::<Result<_, _>>()?;
        Ok((Sample { value: line.lap_time_s, slopes: slopes_s }, slopes))
    }

    /// The line of `vehicle` without one to begin from; `written` is the vehicle with its limits on the
    /// tyres of the vehicle as given, which are those of a point mass.
    fn searched(&self, vehicle: &Vehicle, written: &Vehicle) -> Result<Line, SolveError> {
        if !self.is_of_car {
            return self.search.line(written);
        }
        let line = self.search.variation(self.ranges.vehicle, vehicle)?;
        if line.optimum.is_some() { Ok(line) } else { Err(SolveError::NoCarLap) }
    }
}
