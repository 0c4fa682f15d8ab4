//! Laps of a stint on one road, with the derivatives of their values.

use std::sync::Arc;

use super::course::prices_of;
use super::value::{AXES, DEPLOYED, ENGINE, FRICTION, GRIP, MASS, Place, RECUPERATED, Value};
use crate::pipeline::{Extraction, Request, in_metres};
use crate::solve::car::{Optimum, Powertrain, StintLap, stint_lap};
use crate::solve::{Line, LocalRoad, Model, RoadSearch, Silent, SolveError};
use crate::vehicle::Vehicle;

/// Relative step of mass and grip for a derivative.
const STEP: f64 = 1e-4;

/// A lap that was searched.
#[derive(Clone, Debug)]
pub(super) struct Searched {
    pub place: Place,
    pub value: Value,
    pub lap: StintLap,
    /// Price of the smoothing of its inputs, s.
    pub smoothing_s: f64,
}

/// Finds laps on one road.
pub(super) struct Laps<'a> {
    search: RoadSearch,
    vehicle: &'a Vehicle,
    powertrain: Powertrain,
    base: Optimum,
}

impl<'a> Laps<'a> {
    /// Begins with the lap of `first`, a variation of the vehicle of the request.
    ///
    /// # Errors
    /// Options out of their range, and a vehicle without a lap.
    pub fn new(
        extraction: &Extraction,
        request: &'a Request,
        powertrain: Powertrain,
        first: &Place,
    ) -> Result<Self, SolveError> {
        let options = in_metres(request.options, extraction.frame, extraction.source.geographic_origin_deg);
        let mut options = options.line_options();
        options.solve.model = Some(Model::Car);
        let vehicle = request.vehicle;
        let options = options.for_vehicle(vehicle);
        let road = Arc::new(LocalRoad::new(&extraction.track));
        let search = RoadSearch::new(road, &options, vehicle, &Silent)?;
        let line = search.variation(vehicle, &varied(vehicle, first[MASS], first[GRIP]))?;
        let base = line.optimum.ok_or(SolveError::NoCarLap)?;
        Ok(Self { search, vehicle, powertrain, base })
    }

    /// The lap at `place`, searched from `near` or from the first lap.
    ///
    /// # Errors
    /// A place that cannot be a vehicle, and a search that does not converge.
    pub fn lap(&self, place: &Place, near: Option<&Searched>) -> Result<Searched, SolveError> {
        let vehicle = self.vehicle_at(place);
        let prices = prices_of(place);
        let near = near.map_or(&self.base, |near| &near.lap.lap.optimum);
        let lap = match stint_lap(near, &vehicle, self.powertrain, prices, &|_| {}) {
            Err(SolveError::NoCarLap) => stint_lap(&self.base, &vehicle, self.powertrain, prices, &|_| {})?,
            lap => lap?,
        };
        let slope = |axis: usize| -> Result<f64, SolveError> {
            let at = |factor: f64| {
                let mut moved = *place;
                moved[axis] *= factor;
                lap.lap.optimum.lagrangian_s(&self.vehicle_at(&moved))
            };
            Ok((at(1.0 + STEP)? - at(1.0 - STEP)?) / (2.0 * STEP * place[axis]))
        };
        let mut slopes = [0.0; AXES];
        slopes[MASS] = slope(MASS)?;
        slopes[GRIP] = slope(GRIP)?;
        slopes[ENGINE] = lap.uses.engine;
        slopes[DEPLOYED] = lap.uses.deployed;
        slopes[RECUPERATED] = -lap.uses.recuperated;
        slopes[FRICTION] = lap.uses.friction;
        let smoothing_s = lap.value_s - lap.lap.lap_time_s - lap.uses.cost_s(&prices);
        Ok(Searched { place: *place, value: Value { value_s: lap.value_s, slopes }, lap, smoothing_s })
    }

    /// The line of a lap; `None` where it is not sound.
    ///
    /// # Errors
    /// A vehicle that cannot be simulated.
    pub fn line(&self, searched: &Searched) -> Result<Option<Line>, SolveError> {
        self.search.of_lap(&self.vehicle_at(&searched.place), searched.lap.lap.clone())
    }

    /// The vehicle at a place.
    pub fn vehicle_at(&self, place: &Place) -> Vehicle {
        varied(self.vehicle, place[MASS], place[GRIP])
    }
}

fn varied(vehicle: &Vehicle, mass_kg: f64, grip: f64) -> Vehicle {
    let vehicle = Vehicle { mass_kg, ..vehicle.clone() };
    if grip == 1.0 { vehicle } else { vehicle.with_grip(grip) }
}
