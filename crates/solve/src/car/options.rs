//! The options of the search for a car's lap.

use super::Reserve;
use super::price::{Energy, EnergyLimit};
use crate::{Objective, SolveOptions};

/// Options of the search for a car's lap.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// # use raceline_car::preset;
/// # use raceline_solve::time_optimal::{Task, time_optimal};
/// # use raceline_solve::{Corridor, EdgeDistance};
/// # let (vehicle, edges) = (preset("kart")?, EdgeDistance::new(&track));
/// # let margin_m = vehicle.margin_m();
/// # let corridor = Corridor::new(&track, &edges, margin_m)?;
/// # let spacing_m = track.spacing_m;
/// # let task = Task { corridor: &corridor, edges: &edges, margin_m, spacing_m, lap: (&vehicle).into() };
/// use raceline_solve::car::{CarOptions, Energy, EnergyLimit, car_lap};
///
/// let start = time_optimal(task, &corridor.middle())?;
/// let free = car_lap(task, &start, CarOptions::default(), &|_| {})?;
/// let limit = EnergyLimit::Price(1e-4); // s/J
/// let priced = CarOptions { energy: Energy { limit, recuperation: 0.0 }, ..CarOptions::default() };
/// let saving = car_lap(task, &start, priced, &|_| {})?;
/// assert!(saving.energy_j < free.energy_j && saving.lap_time_s > free.lap_time_s);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CarOptions {
    /// Reserve of the tyres that the lap leaves to the driver.
    pub reserve: Reserve,
    /// The energy that it may take.
    pub energy: Energy,
}

impl SolveOptions {
    /// The options of the lap of `model = "car"`.
    #[must_use]
    pub fn car(&self) -> CarOptions {
        let limit = match (self.objective, self.energy_j, self.energy_price_spj) {
            (Objective::Energy, Some(budget_j), _) => EnergyLimit::Budget(budget_j),
            (Objective::Energy, None, Some(price)) => EnergyLimit::Price(price),
            _ => EnergyLimit::None,
        };
        let reserve = Reserve::default();
        CarOptions {
            reserve: Reserve {
                longitudinal: self.longitudinal_reserve.unwrap_or(reserve.longitudinal),
                rear: self.rear_reserve.unwrap_or(reserve.rear),
            },
            energy: Energy { limit, recuperation: self.recuperation.unwrap_or_default() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EnergyLimit, Objective, SolveOptions};

    #[test]
    fn a_budget_comes_before_a_price_and_both_belong_to_the_objective_of_energy() {
        let limit = |objective, energy_j, energy_price_spj| {
            let options = SolveOptions { objective, energy_j, energy_price_spj, ..SolveOptions::default() };
            options.car().energy.limit
        };
        let (budget, price) = (Some(2e6), Some(1e-5));
        assert_eq!(limit(Objective::Energy, budget, None), EnergyLimit::Budget(2e6));
        assert_eq!(limit(Objective::Energy, budget, price), EnergyLimit::Budget(2e6));
        assert_eq!(limit(Objective::Energy, None, price), EnergyLimit::Price(1e-5));
        assert_eq!(limit(Objective::Energy, None, None), EnergyLimit::None);
        assert_eq!(limit(Objective::Time, budget, price), EnergyLimit::None);
    }
}
