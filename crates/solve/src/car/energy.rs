//! The energy of a lap: what it counts beside the time, and the price at which a lap keeps to a
//! budget.
//!
//! Energy is the work of the drive at the tyres, less the part η of the brakes' work that returns
//! to where it came from:
//!
//! ```text
//! E = m ∫ (p₊ + η p₋) u dt,   p± = (p ± √(p² + ε²)) / 2        minimise T + λ E              (1)
//! ```
//!
//! The lap with the smallest T + λ E is the fastest of all laps that take no more energy than it
//! does. From two prices λ < λ' and their laps follows (λ' - λ) (E' - E) ≤ 0 (2): energy falls as
//! its price rises, so the price of a budget is the root of a falling function. The search walks to
//! the price by secants in ln λ and ln E within what encloses the root ([`Root`]), each lap from
//! that before, with a large ε first; on every fourth node first of all (`coarse_budget`), so that
//! few laps are searched on all nodes. At the root, λ = -dT/dE: the seconds that one more joule
//! saves.
//!
//! The budget as a limit of the program itself would need no search, but its gradient has entries
//! at all nodes, and Newton's matrix would be a band no longer.
//!
//! Sources: Lovato and Massaro, *A three-dimensional free-trajectory quasi-steady-state
//! optimal-control method for minimum-lap-time of race vehicles*, Vehicle System Dynamics 60
//! (2022); Herrmann et al., *Minimum race-time planning-strategy for an autonomous electric
//! racecar*, IEEE ITSC (2020), where energy is limited over a race. Deviation: the power at the
//! tyres is what counts; efficiencies of motor and battery scale the budget.

use std::sync::Arc;

use super::coarse_budget::{CoarseLaps, Root, USUAL_ELASTICITY};
use super::lap::CarLap;
use super::lap_search::{Start, search_at};
use super::model::Car;
use super::optimum::{Frame, Optimum};
use super::price::{EARLIER_MPS2, EnergyLimit, MAX_PRICE, Price, ROUNDING_MPS2};
use super::program::{Progress, Status};
use crate::SolveError;
use crate::speed::SpeedError;
use raceline_car::Vehicle;
use raceline_numerics::math;

/// A budget is kept to the first fraction of it; by the laps with a larger ε to the second, since
/// such an ε changes the energy by about as much.
const TOLERANCES: (f64, f64) = (1e-4, 3e-3);
/// First price of the walk, by that at which the fastest lap's energy costs as much as its time.
const FIRST_PRICE: f64 = 0.03;
/// Fraction of the lap time that a lap below the budget may lose at most against the fastest one
/// within it.
const MAX_LOST: f64 = 2e-5;
/// Factor by which the price grows on the walk to a given one.
const GROWTH: f64 = 3.0;
/// Maximum number of halvings of such a step where no lap is found from the one before.
const HALVINGS: usize = 4;
/// Maximum number of laps that close in on a budget.
const MAX_LAPS: usize = 30;
/// Maximum number of factorisations times the nodes of the program in a search: a node takes about
/// 10 µs in each. A price of 1e-5 s/J on a circuit of 7 km takes 1.3 million.
const MAX_NODE_FACTORISATIONS: usize = 1_500_000;

/// Searches the fastest lap of `car`, that of `vehicle`, within the frame's limit of energy.
///
/// # Errors
/// [`SolveError::EnergyBudget`] for a budget that no lap keeps to.
pub(super) fn search(
    frame: Arc<Frame>,
    vehicle: &Vehicle,
    car: &Car,
    near: Option<&Optimum>,
    watch: &dyn Fn(Progress),
) -> Result<CarLap, SolveError> {
    let limit = frame.energy.limit;
    let near = near.cloned();
    let mut walk = Walk { frame, vehicle, car, near, watch, iterations: 0, factorisations: 0 };
    let found = walk.search(limit)?;
    let found = CarLap { iterations: walk.iterations, factorisations: walk.factorisations, ..found };
    Ok(found.with_ends(walk.frame.reference.ends()))
}

/// Finds the fastest lap of `vehicle` from that of a vehicle near it, with the same margin, on the
/// same road; on the same tyres: the longitudinal friction follows
/// from the longitudinal limit and the brake balance of the first vehicle.
///
/// # Errors
/// [`SolveError::Speed`] for a vehicle that cannot be simulated, [`SolveError::EnergyBudget`] for a
/// budget of energy that no lap keeps to.
pub fn car_lap_from(near: &Optimum, vehicle: &Vehicle, watch: &dyn Fn(Progress)) -> Result<CarLap, SolveError> {
    let car = Car::on_tyres(vehicle, near.car.tyres()).map_err(SpeedError::from)?;
    search(Arc::clone(&near.frame), vehicle, &car, Some(near), watch)
}

/// A sequence of laps, each from the one before.
struct Walk<'a> {
    frame: Arc<Frame>,
    vehicle: &'a Vehicle,
    car: &'a Car,
    near: Option<Optimum>,
    watch: &'a dyn Fn(Progress),
    iterations: usize,
    factorisations: usize,
}

impl Walk<'_> {
    fn search(&mut self, limit: EnergyLimit) -> Result<CarLap, SolveError> {
        let known = self.near.as_ref().map(|near| near.price.seconds_per_joule).filter(|price| *price > 0.0);
        let (frame, car, watch) = (Arc::clone(&self.frame), self.car, self.watch);
        let mut coarse = None;
        if self.near.is_none() && limit != EnergyLimit::None {
            coarse = CoarseLaps::new(&frame, car, watch)?;
            let is_limited =
                |laps: &CoarseLaps| !matches!(limit, EnergyLimit::Budget(budget_j) if !laps.exceeds(budget_j));
            if let Some(laps) = coarse.take_if(|laps| is_limited(laps))
                && let Some(lap) = self.lap_from_coarse(laps, limit, None)?
            {
                return Ok(lap);
            }
        }
        let free = match (limit, known) {
            (EnergyLimit::Price(price), Some(_)) => return self.lap(price, ROUNDING_MPS2),
            (EnergyLimit::Budget(_), Some(price)) => self.lap(price, ROUNDING_MPS2)?,
            _ => self.lap(0.0, ROUNDING_MPS2)?,
        };
        if free.status != Status::Converged {
            return Ok(free);
        }
        let equal_price = free.lap_time_s / free.energy_j;
        let first = FIRST_PRICE * equal_price;
        match limit {
            EnergyLimit::None => Ok(free),
            EnergyLimit::Price(price) => {
                let price = price.min(MAX_PRICE * equal_price);
                let walk = std::iter::successors(Some(first), |price| Some(GROWTH * price));
                let walk = walk.take_while(|&walked| walked < price).map(|walked| (walked, EARLIER_MPS2[0]));
                let end = EARLIER_MPS2.into_iter().chain([ROUNDING_MPS2]).map(|rounding| (price, rounding));
                let mut last = free;
                for (price, rounding_mps2) in walk.chain(end) {
                    if self.is_spent(&last) {
                        return Ok(CarLap { status: Status::Stopped, ..last });
                    }
                    last = self.lap_by_halves(price, rounding_mps2)?;
                    if last.status != Status::Converged {
                        break;
                    }
                }
                Ok(last)
            }
            EnergyLimit::Budget(budget_j) => {
                let is_free = known.is_none() || free.energy_price_spj == 0.0;
                if is_free && free.energy_j <= budget_j * (1.0 + TOLERANCES.0) {
                    return Ok(free);
                }
                if let Some(laps) = coarse
                    && let Some(lap) = self.lap_from_coarse(laps, limit, Some(free.energy_j))?
                {
                    return Ok(lap);
                }
                let max_price = MAX_PRICE * equal_price;
                let mut root = Root::new(math::ln(known.unwrap_or(first)), USUAL_ELASTICITY);
                for rounding_mps2 in EARLIER_MPS2 {
                    if known.is_some() {
                        break;
                    }
                    let lap = self.budget(budget_j, &mut root, (rounding_mps2, TOLERANCES.1), max_price, None)?;
                    if lap.status != Status::Converged {
                        return Ok(lap);
                    }
                }
                self.budget(budget_j, &mut root, (ROUNDING_MPS2, TOLERANCES.0), max_price, None)
            }
        }
    }

    /// The lap within a limit from the coarse nodes; `None` where it is not found from there, and
    /// the walk is then where it was.
    fn lap_from_coarse(
        &mut self,
        laps: CoarseLaps,
        limit: EnergyLimit,
        free_j: Option<f64>,
    ) -> Result<Option<CarLap>, SolveError> {
        let Some(begun) = laps.begin(limit, free_j)? else { return Ok(None) };
        let before = self.near.take();
        let mut lap = self.lap_from(begun.start, begun.price)?;
        if let (Status::Converged, EnergyLimit::Budget(budget_j)) = (lap.status, limit) {
            let mut root = Root::new(math::ln(begun.price.seconds_per_joule), begun.elasticity);
            lap = self.budget(budget_j, &mut root, (ROUNDING_MPS2, TOLERANCES.0), f64::INFINITY, Some(lap))?;
        }
        if lap.status == Status::Converged {
            return Ok(Some(lap));
        }
        self.near = before;
        Ok(None)
    }

    /// Whether the laps so far took as much work as a search may.
    fn is_spent(&self, lap: &CarLap) -> bool {
        self.factorisations.saturating_mul(lap.states.len()) > MAX_NODE_FACTORISATIONS
    }

    /// The lap at a price, equation (1), from the one before; the next begins from it if it
    /// converged.
    fn lap(&mut self, seconds_per_joule: f64, rounding_mps2: f64) -> Result<CarLap, SolveError> {
        let recuperation = self.frame.energy.recuperation;
        let price = Price { seconds_per_joule, recuperation, rounding_mps2, tariff: None };
        let near = self.near.take();
        let begin = near.as_ref().map_or(Start::Cold, Start::Near);
        let lap = self.lap_from(begin, price)?;
        self.near = self.near.take().or(near);
        Ok(lap)
    }

    /// The lap at a price from where the search begins; the next begins from it if it converged.
    fn lap_from(&mut self, begin: Start, price: Price) -> Result<CarLap, SolveError> {
        let frame = Arc::clone(&self.frame);
        let lap = search_at(frame, self.vehicle, self.car.clone(), price, begin, self.watch)?;
        self.iterations += lap.iterations;
        self.factorisations += lap.factorisations;
        if lap.status == Status::Converged {
            self.near = Some(lap.optimum.clone());
        }
        Ok(lap)
    }

    /// The lap at a price, by steps of the price and of the rounding that are halved where no lap
    /// is found.
    fn lap_by_halves(&mut self, price: f64, rounding_mps2: f64) -> Result<CarLap, SolveError> {
        let target = (price, rounding_mps2);
        let mut next = target;
        let mut halvings = 0;
        loop {
            let before = self
                .near
                .as_ref()
                .map_or((0.0, rounding_mps2), |near| (near.price.seconds_per_joule, near.price.rounding_mps2));
            let lap = self.lap(next.0, next.1)?;
            match lap.status {
                Status::Converged if next == target => return Ok(lap),
                Status::Converged => next = target,
                _ if halvings < HALVINGS => {
                    halvings += 1;
                    let price = if before.0 > 0.0 { (before.0 * next.0).sqrt() } else { 0.25 * next.0 };
                    next = (price, (before.1 * next.1).sqrt());
                }
                _ => return Ok(lap),
            }
        }
    }

    /// The lap that takes `budget_j`, its price sought from that of `root` on; `lap` is the one
    /// there, if it is known.
    fn budget(
        &mut self,
        budget_j: f64,
        root: &mut Root,
        (rounding_mps2, tolerance): (f64, f64),
        max_price: f64,
        mut lap: Option<CarLap>,
    ) -> Result<CarLap, SolveError> {
        root.forget_bracket();
        let mut last = None;
        for _ in 0..MAX_LAPS {
            let asked = root.next;
            let lap = match lap.take() {
                Some(lap) => lap,
                None => self.lap_by_halves(math::exp(asked), rounding_mps2)?,
            };
            let excess = lap.energy_j / budget_j - 1.0;
            // A lap below the budget is slower than the fastest one within it by λ (budget - E) at
            // most, by (1).
            let lost_s = lap.energy_price_spj * (budget_j - lap.energy_j);
            let is_near = excess.abs() <= tolerance || (excess < 0.0 && lost_s <= MAX_LOST * lap.lap_time_s);
            if lap.status != Status::Converged || is_near {
                return Ok(lap);
            }
            if self.is_spent(&lap) {
                return Ok(CarLap { status: Status::Stopped, ..lap });
            }
            if excess > 0.0 && asked >= math::ln(max_price) {
                let ends_j = self.frame.reference.energy_at_ends_j();
                return Err(SolveError::EnergyBudget { budget_j: budget_j + ends_j, min_j: lap.energy_j + ends_j });
            }
            root.add(asked, math::ln(lap.energy_j.max(f64::MIN_POSITIVE)) - math::ln(budget_j));
            root.next = root.next.min(math::ln(max_price));
            last = Some(lap);
        }
        let stopped = last.map(|lap| CarLap { status: Status::Stopped, ..lap });
        stopped.ok_or(SolveError::EnergyNotConverged { steps: self.iterations })
    }
}
