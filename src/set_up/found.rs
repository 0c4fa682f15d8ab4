//! The search for a set-up.

use serde::Serialize;

use super::descent::minimise;
use super::laps::Laps;
use super::range::Ranges;
use super::{Free, SetUpError};
use crate::file::Method;
use crate::pipeline::{self, Extraction, Outcome, Request};
use crate::solve::car::on_tyres_of;
use crate::solve::{Model, SolveError};
use crate::vehicle::Vehicle;

/// Largest number of laps of a search.
const MAX_LAPS: usize = 100;

/// A number of the vehicle that was free.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundKey {
    /// Key.
    pub key: String,
    /// Unit; empty for a number without one.
    pub unit: &'static str,
    /// The vehicle's own value, or the default that the model uses; `None` without either.
    pub own: Option<f64>,
    /// The fastest value.
    pub best: f64,
    /// Both ends of the range.
    pub range: [f64; 2],
    /// Whether the fastest value is an end of the range, beyond which the lap may be faster still.
    pub at_end: bool,
}

/// The set-up that was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SetUp {
    /// The numbers that were free, in their order.
    pub keys: Vec<FoundKey>,
    /// The vehicle with the fastest set-up, on the tyres of the vehicle as given; that vehicle itself
    /// if nothing faster was found.
    pub vehicle: Vehicle,
    /// The line of the vehicle as given.
    pub base: Outcome,
    /// The line of `vehicle`.
    pub best: Outcome,
    /// Number of laps of the search, without the two lines.
    pub laps: usize,
    /// Whether the search ended because no better set-up is near, and not because it had found as
    /// many laps as it may.
    pub settled: bool,
}

impl SetUp {
    /// By how much the lap is faster than that of the vehicle as given, s; 0 if nothing faster was found.
    #[must_use]
    pub fn gain_s(&self) -> f64 {
        self.base.line.lap_time_s - self.best.line.lap_time_s
    }
}

/// Finds the set-up of the vehicle of `request` with the fastest lap on a track, where the numbers
/// `free` may change within their ranges. The search begins at the vehicle's own numbers and follows
/// the derivatives of the fastest lap; where the lap has several minima within the ranges, it finds
/// the one that it comes to first. The result does not depend on the number of threads.
///
/// # Errors
/// Free numbers and options that cannot be searched, and a vehicle without a lap.
pub fn set_up(extraction: &Extraction, request: &Request, free: &[Free]) -> Result<SetUp, SetUpError> {
    let (options, base) = (request.options, request.vehicle);
    if options.method != Method::TimeOptimal {
        return Err(SetUpError::Method { method: options.method.name() });
    }
    let failed = |error: SolveError| pipeline::Error::Solve { file: extraction.file.clone(), error };
    options.solve.validate().map_err(failed)?;
    let ranges = Ranges::new(base, free)?;
    let start = ranges.start();
    // Set-ups that cannot be vehicles are refused here, where the end of the range is known.
    for i in 0..start.len() {
        for end in [0.0, 1.0] {
            let mut place = start.clone();
            place[i] = end;
            on_tyres_of(base, &ranges.vehicle_at(&place)?)?;
        }
    }
    let mut laps = Laps::new(extraction, request, &ranges, MAX_LAPS).map_err(failed)?;
    let first = match laps.sample(&start) {
        // As the line of the vehicle as given would be a point mass's, so are all.
        Err(SolveError::NoCarLap) => {
            let mut options = options.clone();
            options.solve.model = Some(Model::PointMass);
            return set_up(extraction, &Request { options: &options, ..*request }, free);
        }
        first => first.map_err(failed)?,
    };
    // A set-up in the middle whose lap is not found is no reason to stop.
    let minimum = minimise(start, first, MAX_LAPS - 1, |place| laps.sample(place).ok());
    let count = laps.count;

    let mut vehicle = on_tyres_of(base, &ranges.vehicle_at(&minimum.place)?)?;
    vehicle.name = format!("{} for {}", base.name, extraction.name);
    let of_base = pipeline::optimize(extraction.clone(), request)?;
    let with_set_up = Request { vehicle: &vehicle, ..*request };
    let mut best = pipeline::optimize(extraction.clone(), &with_set_up)?;
    let is_of_one_model = best.line.is_of_car() == of_base.line.is_of_car();
    let is_faster = is_of_one_model && best.line.lap_time_s < of_base.line.lap_time_s;
    if !is_faster {
        best = of_base.clone();
        vehicle = base.clone();
    }
    let keys = ranges.free.iter().zip(&minimum.place).flat_map(|(keys, &place)| {
        keys.iter().map(move |range| FoundKey {
            key: range.key.clone(),
            unit: range.unit,
            own: range.own,
            best: if is_faster { range.at(place) } else { range.own.unwrap_or_else(|| range.at(place)) },
            range: [range.from, range.to],
            at_end: is_faster && (place == 0.0 || place == 1.0),
        })
    });
    let keys = keys.collect();
    Ok(SetUp { keys, vehicle, base: of_base, best, laps: count, settled: minimum.settled })
}
