//! The fastest lap of a car with two axles, from the point mass's line.

use raceline_file::Method;

use super::time_optimal::{FastestLine, STARTS};
use crate::car::{self, CarLap, EnergyLimit, car_lap_on};
use crate::search::detail::Detail;
use crate::search::method::LineMethod;
use crate::search::run::Run;
use crate::search::summary::LineStatus;
use crate::search::warning::LineWarning;
use crate::speed::{Course, DrivenLine, places_at_ends};
use crate::{Fault, Objective, SolveError};
use raceline_road::geometry::SplineCurve;

/// The time-optimal line of `model = "car"`.
pub struct Car;

const METHOD: Method = Method::TimeOptimal;

/// How the search for the car's lap ended.
enum CarSearch {
    /// The lap is a candidate.
    Found,
    /// The search has not converged.
    NotConverged { steps: usize },
    /// The lap has a line that is not sound.
    Unsound(Fault),
}

impl LineMethod for Car {
    fn starts_from(&self) -> &'static [Method] {
        STARTS
    }

    fn find(&self, run: &mut Run) -> Result<(), SolveError> {
        let fastest = FastestLine::find_start(run)?;
        run.progress.stage("searching the car's fastest lap");
        let options = run.options.solve.car();
        let lap = car_lap_on(run.task(), &fastest.line, run.tyres, options, &|_| {})?;
        if let EnergyLimit::Price(specified_spj) = options.energy.limit
            && lap.energy_price_spj < specified_spj
            && lap.status == car::Status::Converged
        {
            run.warnings.push(LineWarning::EnergyPriceLowered { specified_spj, used_spj: lap.energy_price_spj });
        }
        match (accept_lap(run, lap)?, run.options.solve.objective) {
            (CarSearch::Found, _) => {}
            (failed, Objective::Time) => {
                let steps = if let CarSearch::NotConverged { steps } = failed { Some(steps) } else { None };
                run.warnings.push(LineWarning::PointMassInstead { steps });
                fastest.finished(run)?.accept(run);
            }
            // No other line knows of energy.
            (CarSearch::NotConverged { steps }, _) => return Err(SolveError::EnergyNotConverged { steps }),
            (CarSearch::Unsound(fault), _) => {
                return Err(SolveError::NoSoundLine { method: METHOD.name(), fault });
            }
        }
        Ok(())
    }
}

/// Gives a lap that was searched from another car's to the run. Returns whether it converged and is
/// sound.
pub fn accept_near(run: &mut Run, lap: CarLap) -> Result<bool, SolveError> {
    Ok(matches!(accept_lap(run, lap)?, CarSearch::Found))
}

/// Gives the car's lap, whose time is not that of a point mass and so is not compared, to the run
/// if it converged and its line is sound.
fn accept_lap(run: &mut Run, found: CarLap) -> Result<CarSearch, SolveError> {
    let CarLap { iterations: steps, factorisations, lap_time_s, error, violation, .. } = found;
    run.details.push(Detail::Car { steps, factorisations, lap_time_s, error, violation });
    if found.status != car::Status::Converged {
        return Ok(CarSearch::NotConverged { steps });
    }
    let closed = run.lap.speeds.course(run.road.road.track.closed) == Course::Closed;
    let curve = SplineCurve::through(&found.points, closed).ok_or(SolveError::Degenerate)?;
    let places = places_at_ends(run.spacing.places(&curve), &curve, run.lap.caps);
    let states = found.along(&curve, &places);
    let speeds = states.iter().map(|state| state.speed_mps).collect();
    let driven = DrivenLine::along(curve, places, run.lap)?.with_speeds(speeds, run.lap.vehicle);
    if let Err(fault) = run.accept(METHOD, LineStatus::Solved, driven) {
        return Ok(CarSearch::Unsound(fault));
    }
    run.set_car(found, states);
    Ok(CarSearch::Found)
}
