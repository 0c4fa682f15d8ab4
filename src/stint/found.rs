//! The search for a stint.

use rayon::prelude::*;
use serde::Serialize;

use super::conditions::State;
use super::course::{Course, Lap, Task};
use super::laps::{Laps, Searched};
use super::stretches::{SavingStretch, stretches};
use super::value::{AXES, ENGINE, GRIP, LapValue, MASS, Place, Value};
use super::{StintCar, StintError};
use crate::file::{Method, RacingLine};
use crate::pipeline::{self, Extraction, Request};
use crate::solve::car::Uses;
use crate::solve::{Model, Objective, SolveError};
use raceline_numerics::math;

/// Largest number of laps of a stint.
const MAX_LAPS: usize = 1000;
/// Largest number of rounds of laps that are searched.
const MAX_ROUNDS: usize = 12;
/// The laps agree with their prices where none differs by more than this fraction of its time from
/// that by the value of a lap: laps at nearly the same prices, with other limits that act, differ by so
/// much.
const AGREED: f64 = 1e-4;
/// Likewise for what a lap uses, as a fraction of it.
const AGREED_USE: f64 = 5e-3;
/// Prices of the first round are at most this, and later ones farther from the laps that were
/// searched by at most it, as a fraction of the price at which a use would cost the lap time.
const REACH: f64 = 0.15;
/// And by this factor.
const REACH_FACTOR: f64 = 2.0;
/// Largest fraction of a lap's use by which a budget may be missed.
const MISSED: f64 = 1e-3;

/// What is asked of a stint.
#[derive(Clone, Debug, PartialEq)]
pub struct StintOptions {
    /// Number of laps, 1 to 1000.
    pub laps: usize,
    /// Fuel, tyres and battery.
    pub car: StintCar,
    /// Lap whose line is wanted, 1 to `laps`. Default: the one in the middle.
    pub lap: Option<usize>,
}

/// A lap of a stint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StintRow {
    /// Number of the lap, from 1.
    pub lap: usize,
    /// Lap time, s.
    pub time_s: f64,
    /// Fuel at its start, kg.
    pub fuel_kg: f64,
    /// Wear of the tyres at its start, 0 to 1.
    pub wear: f64,
    /// Temperature of the tyres at its start, °C; `None` where it is not modelled.
    pub temperature_c: Option<f64>,
    /// Charge at its start, J.
    pub charge_j: f64,
    /// Factor on the grip.
    pub grip: f64,
    /// Work of the engine, J.
    pub engine_j: f64,
    /// Work of the motor, J.
    pub deployed_j: f64,
    /// Energy that the brakes gave the battery, J.
    pub recuperated_j: f64,
    /// Work of the tyres' sliding, J.
    pub friction_j: f64,
    /// Price of the engine's work, s/J.
    pub engine_spj: f64,
    /// Price of what the battery gives, s/J.
    pub deployed_spj: f64,
    /// Price of what it is given, s/J.
    pub recuperated_spj: f64,
    /// Price of the sliding, s/J.
    pub friction_spj: f64,
    /// Whether the lap itself was searched; the others follow from those that were.
    pub searched: bool,
}

/// How well the laps agree with their prices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Residuals {
    /// Largest difference of a searched lap's value from that by which the prices were found, s.
    pub value_s: f64,
    /// Largest difference of what it uses, as a fraction of it.
    pub use_fraction: f64,
    /// Largest change of a price by the conditions of the optimum, as a fraction of that at which the use
    /// would cost the lap time.
    pub price_fraction: f64,
    /// Largest violation of a budget, as a fraction of what a lap uses.
    pub budget_fraction: f64,
}

/// The line of a lap of the stint.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchedLap {
    /// Number of the lap, from 1.
    pub lap: usize,
    /// Line of the lap, with the vehicle as it is in this lap.
    pub line: RacingLine,
    /// Where it lifts and where it drives without the motor.
    pub stretches: Vec<SavingStretch>,
}

/// A stint.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Stint {
    /// The laps.
    pub laps: Vec<StintRow>,
    /// Time of all laps, s.
    pub time_s: f64,
    /// Length of the stint, by the line of [`Self::line`], m.
    pub length_m: f64,
    /// Fuel at the end, kg.
    pub end_fuel_kg: f64,
    /// Wear at the end, 0 to 1.
    pub end_wear: f64,
    /// Charge at the end, J.
    pub end_charge_j: f64,
    /// Seconds that one more kilogram of fuel saves; 0 where it is not limited.
    pub fuel_spkg: f64,
    /// The line of the lap that was asked for.
    pub line: SearchedLap,
    /// How well the laps agree with their prices.
    pub residuals: Residuals,
    /// Number of laps that were searched.
    pub searched: usize,
}

/// Finds the fastest stint of the vehicle of `request` on a circuit, with the fuel, the tyres and
/// the battery of `options`. The vehicle's mass is that without fuel. The result does not depend on
/// the number of threads.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (options, vehicle) = (raceline::Options::default(), raceline::vehicle::preset("gt")?);
/// # let extraction = raceline::pipeline::extract(std::path::Path::new("a.csv"), &options, &raceline::pipeline::Silent)?;
/// use raceline::pipeline::Request;
/// use raceline::stint::{StintCar, StintOptions, stint};
///
/// let car = StintCar::from_toml("[fuel]\nwork_jpkg = 1.3e7\nstart_kg = 20.0\n", "race.toml")?;
/// let found = stint(&extraction, &Request::new(&options, &vehicle), &StintOptions { laps: 20, car, lap: None })?;
/// assert!(found.laps[19].fuel_kg < 20.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Options that a stint cannot have, a vehicle without a lap, and budgets that no stint keeps.
pub fn stint(extraction: &Extraction, request: &Request, asked: &StintOptions) -> Result<Stint, StintError> {
    check(extraction, request, asked)?;
    let (car, n) = (&asked.car, asked.laps);
    let shown = asked.lap.unwrap_or(n.div_ceil(2)) - 1;
    let powertrain = car.powertrain();
    let failed = |lap: usize| {
        move |error: SolveError| match error {
            error @ (SolveError::NoCarLap | SolveError::EnergyNotConverged { .. }) => {
                StintError::NoLapFound { file: extraction.file.display().to_string(), lap: lap + 1, error }
            }
            error => StintError::Line(pipeline::Error::Solve { file: extraction.file.clone(), error }),
        }
    };
    request.progress.stage("searching the first lap");
    let first = first_place(request.vehicle.mass_kg, car);
    let laps = Laps::new(extraction, request, powertrain, &first).map_err(failed(0))?;
    let mut found = vec![(laps.lap(&first, None).map_err(failed(0))?, 0)];
    let mut chosen = vec![0, shown, n - 1];
    chosen.sort_unstable();
    chosen.dedup();

    request.progress.stage("searching laps of the stint");
    let mut course: Option<Course> = None;
    for round in 1..=MAX_ROUNDS {
        let samples: Vec<(Place, Value, usize)> =
            found.iter().map(|(lap, of)| (lap.place, lap.value, round - 1 - of)).collect();
        let value = LapValue::through(&samples);
        let max_prices = max_prices(&value, &samples);
        // A fit through laps that hardly differ may have no slopes.
        if !max_prices[ENGINE..].iter().all(|price| price.is_finite() && *price >= 0.0) {
            return Err(StintError::NotSettled { laps: found.len(), error_s: f64::INFINITY });
        }
        let task = Task { car, mass_kg: request.vehicle.mass_kg, laps: n, value: &value, max_prices };
        let next = Course::solve(&task, course.as_ref());
        let searched: Vec<Searched> = chosen
            .par_iter()
            .map(|&lap| {
                let place = &next.laps[lap].place;
                laps.lap(place, nearest(&found, place, &value)).map_err(failed(lap))
            })
            .collect::<Result<_, _>>()?;
        let residuals = residuals(&next, &chosen, &searched);
        request.progress.step(round, MAX_ROUNDS, &format!("laps differ by {:.4} s", residuals.value_s));
        let time_s = next.laps[shown].time_s;
        let is_agreed = residuals.value_s <= AGREED * time_s && residuals.use_fraction <= AGREED_USE;
        if is_agreed && next.excess <= MISSED {
            let kept = chosen.iter().position(|&lap| lap == shown).unwrap_or(0);
            let shown = &searched[kept];
            let line = line_of(extraction, request, &laps, (shown, chosen[kept]), car)?;
            let count = found.len() + searched.len();
            return Ok(finished(asked, next, (&chosen, &searched), line, residuals, count));
        }
        if round == MAX_ROUNDS {
            if next.excess > MISSED {
                return Err(budget_error(car, &next));
            }
            let searched = found.len() + searched.len();
            return Err(StintError::NotSettled { laps: searched, error_s: residuals.value_s });
        }
        found.extend(searched.into_iter().map(|lap| (lap, round)));
        course = Some(next);
    }
    Err(StintError::NotSettled { laps: found.len(), error_s: f64::INFINITY })
}

fn check(extraction: &Extraction, request: &Request, asked: &StintOptions) -> Result<(), StintError> {
    let laps = asked.laps;
    if !(1..=MAX_LAPS).contains(&laps) {
        return Err(StintError::Laps { laps, max: MAX_LAPS });
    }
    if let Some(lap) = asked.lap.filter(|lap| !(1..=laps).contains(lap)) {
        return Err(StintError::NoLap { lap, laps });
    }
    if !extraction.track.closed {
        return Err(StintError::OpenRoad);
    }
    let options = request.options;
    if options.method != Method::TimeOptimal {
        let given = options.method.name();
        return Err(StintError::Options { needed: "the method time-optimal", given, flag: "--method" });
    }
    if options.solve.model == Some(Model::PointMass) {
        let (needed, given) = ("the model of a car", "a point mass");
        return Err(StintError::Options { needed, given, flag: "--model" });
    }
    if options.solve.objective != Objective::Time {
        let (needed, given) = ("the objective time", "another one");
        return Err(StintError::Options { needed, given, flag: "--objective" });
    }
    asked.car.validate()?;
    let failed = |error: SolveError| pipeline::Error::Solve { file: extraction.file.clone(), error };
    Ok(options.solve.validate().map_err(failed)?)
}

/// The car without prices at the start.
fn first_place(mass_kg: f64, car: &StintCar) -> Place {
    let fuel_kg = car.fuel.map_or(0.0, |fuel| fuel.start_kg.unwrap_or(fuel.end_kg));
    let mut place = [0.0; AXES];
    place[MASS] = mass_kg + fuel_kg;
    place[GRIP] = car.grip(&car.start(fuel_kg)).value;
    place
}

/// The largest prices that the value is trusted for.
fn max_prices(value: &LapValue, samples: &[(Place, Value, usize)]) -> [f64; AXES] {
    std::array::from_fn(|axis| {
        if axis < ENGINE {
            return f64::INFINITY;
        }
        let largest = samples.iter().map(|(place, ..)| place[axis]).fold(0.0, f64::max);
        REACH * value.price_scale(axis) + REACH_FACTOR * largest
    })
}

/// The lap of the last rounds that is nearest to a place.
fn nearest<'a>(found: &'a [(Searched, usize)], place: &Place, value: &LapValue) -> Option<&'a Searched> {
    let distance = |lap: &Searched| -> f64 {
        (0..AXES).map(|axis| math::powi((lap.place[axis] - place[axis]) / value.price_scale(axis), 2)).sum()
    };
    found.iter().map(|(lap, _)| lap).min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

fn residuals(course: &Course, chosen: &[usize], searched: &[Searched]) -> Residuals {
    let (mut value_s, mut use_fraction): (f64, f64) = (0.0, 0.0);
    for (&lap, searched) in chosen.iter().zip(searched) {
        let planned = &course.laps[lap];
        value_s = value_s.max((planned.value.value_s - searched.value.value_s).abs());
        let (planned, found) = (&planned.uses, &searched.lap.uses);
        let whole = found.engine + found.deployed;
        for (planned, found, of) in [
            (planned.engine, found.engine, whole),
            (planned.deployed, found.deployed, whole),
            (planned.recuperated, found.recuperated, whole),
            (planned.friction, found.friction, found.friction),
        ] {
            use_fraction = use_fraction.max((planned - found).abs() / of.max(f64::MIN_POSITIVE));
        }
    }
    Residuals { value_s, use_fraction, price_fraction: course.stationarity, budget_fraction: course.excess }
}

fn budget_error(car: &StintCar, course: &Course) -> StintError {
    let end = &course.end;
    if let Some(fuel) = &car.fuel
        && fuel.start_kg.is_some()
        && end.fuel_kg < fuel.end_kg
    {
        let short_kg = fuel.end_kg - end.fuel_kg;
        return StintError::Budget { budget: "fuel.start_kg", found: format!("uses {short_kg:.2} kg more") };
    }
    if let Some(tyres) = &car.tyres
        && end.wear > tyres.max_wear
    {
        return StintError::Budget { budget: "tyres.max_wear", found: format!("wears the tyres to {:.3}", end.wear) };
    }
    let found = format!("ends with a charge of {:.0} J, or leaves 0 to capacity_j before", end.charge_j);
    StintError::Budget { budget: "battery.end_j", found }
}

fn line_of(
    extraction: &Extraction,
    request: &Request,
    laps: &Laps,
    (searched, lap): (&Searched, usize),
    car: &StintCar,
) -> Result<SearchedLap, StintError> {
    let failed = |error: SolveError| pipeline::Error::Solve { file: extraction.file.clone(), error };
    let vehicle = laps.vehicle_at(&searched.place);
    let line = laps.line(searched).map_err(failed)?.ok_or(SolveError::NoCarLap).map_err(failed)?;
    let line = pipeline::line_in_file(extraction, &Request { vehicle: &vehicle, ..*request }, &line)?;
    let stretches = stretches(&line, car);
    Ok(SearchedLap { lap: lap + 1, line, stretches })
}

fn finished(
    asked: &StintOptions,
    course: Course,
    (chosen, searched): (&[usize], &[Searched]),
    line: SearchedLap,
    residuals: Residuals,
    count: usize,
) -> Stint {
    let has_temperature = asked.car.tyres.is_some_and(|tyres| tyres.temperature.is_some());
    let smoothing_s = searched.iter().map(|lap| lap.smoothing_s).sum::<f64>() / searched.len() as f64;
    // The time of a line in its file, whose points are others than the nodes of the search, differs by some
    // hundredths of a percent, on every lap alike.
    let of_line_s = |own: &Searched| line.line.lap_time_s - own.lap.lap.lap_time_s;
    let shown = chosen.iter().position(|&index| index + 1 == line.lap);
    let to_line_s = shown.map_or(0.0, |index| of_line_s(&searched[index]));
    let row = |(index, lap): (usize, &Lap)| {
        let &Lap { state: State { fuel_kg, wear, temperature_c, charge_j }, place, time_s, uses, .. } = lap;
        let own = chosen.iter().position(|&of| of == index).map(|of| &searched[of]);
        let Uses { engine, deployed, recuperated, friction } = own.map_or(uses, |own| own.lap.uses);
        let prices = super::course::prices_of(&place);
        StintRow {
            lap: index + 1,
            time_s: own.map_or(time_s - smoothing_s, |own| own.lap.lap.lap_time_s) + to_line_s,
            fuel_kg,
            wear,
            temperature_c: has_temperature.then_some(temperature_c),
            charge_j,
            grip: place[GRIP],
            engine_j: engine,
            deployed_j: deployed,
            recuperated_j: recuperated,
            friction_j: friction,
            engine_spj: prices.engine,
            deployed_spj: prices.deployed,
            recuperated_spj: prices.recuperated,
            friction_spj: prices.friction,
            searched: own.is_some(),
        }
    };
    let laps: Vec<StintRow> = course.laps.iter().enumerate().map(row).collect();
    Stint {
        time_s: laps.iter().map(|lap| lap.time_s).sum(),
        length_m: asked.laps as f64 * line.line.length_m,
        laps,
        end_fuel_kg: course.end.fuel_kg,
        end_wear: course.end.wear,
        end_charge_j: course.end.charge_j,
        fuel_spkg: course.budgets.fuel_spkg,
        line,
        residuals,
        searched: count,
    }
}
