//! The price of an energy budget on every few of the nodes, where a lap costs a quarter.
//!
//! Nearly all laps of a search for a price are away from the budget or have the change from driving
//! to braking rounded more. None of them has to be exact, so all are searched on the coarse program
//! of [`mesh`](super::mesh), and only to a larger last barrier. The whole program begins at the
//! price that was found, from the coarse lap with its multipliers.
//!
//! By equation (2) of `energy`, E falls as the price λ rises, and nearly as a power of it. So the
//! next price is that of the secant through the last two laps in ln λ and ln E, and within what is
//! known to enclose the root.

use super::lap_search::{BARRIERS, COARSE_BARRIER, Start, WARM_BAND};
use super::mesh::{COARSE_TOLERANCE, Coarse};
use super::model::Car;
use super::optimum::Frame;
use super::price::{EARLIER_MPS2, EnergyLimit, MAX_PRICE, Price, ROUNDING_MPS2};
use super::problem::{Point, Problem};
use super::program::{Duals, Progress, Settings, Solution, Status, solve};
use crate::SolveError;
use raceline_numerics::math;

/// Tolerance of a coarse lap, whose own error is larger.
const TOLERANCE: f64 = 30.0;
/// A search: the rounding of the change from driving to braking, m/s², the last barrier, and the
/// fraction of the budget to which it is kept.
const STAGES: [(f64, f64, f64); 3] =
    [(EARLIER_MPS2[0], 1e-3, 0.02), (EARLIER_MPS2[1], COARSE_BARRIER, 0.01), (ROUNDING_MPS2, COARSE_BARRIER, 3e-3)];
/// A coarse lap without a price that takes more than the budget by this fraction shows that the
/// budget limits the lap on all nodes.
const ABOVE_BUDGET: f64 = 0.03;
/// First price before a given one, by that at which the fastest lap's energy costs as much as its
/// time.
const FIRST_COARSE_PRICE: f64 = 0.1;
/// First price of a budget, by the same and by the fraction that the budget is below the fastest
/// lap's energy: 1.3 to 1.8 on circuits.
const PRICE_PER_FRACTION: f64 = 1.5;
/// Smallest such fraction.
const MIN_FRACTION: f64 = 1e-3;
/// Maximum number of laps for each rounding.
const MAX_LAPS: usize = 12;
/// Bounds of d ln E / d ln λ, for laps whose energies hardly differ.
const ELASTICITIES: [f64; 2] = [-2.0, -0.001];
/// First d ln E / d ln λ, a usual one.
pub(super) const USUAL_ELASTICITY: f64 = -0.15;
/// Largest factor of a step of the price.
const MAX_FACTOR: f64 = 4.0;
/// Largest price that is searched here, by the largest of all.
const PRICE_FRACTION: f64 = 0.5;

/// Where the whole program begins.
pub(super) struct Begin {
    pub price: Price,
    /// d ln E / d ln λ.
    pub elasticity: f64,
    pub start: Start<'static>,
}

/// Coarse laps, each from the one before.
pub(super) struct CoarseLaps<'a> {
    /// The program on all nodes.
    problem: Problem<'a>,
    coarse: Coarse<'a>,
    recuperation: f64,
    point: Point,
    duals: Option<Duals>,
    /// The lap without a price: its time, s, and its energy, J.
    free: [f64; 2],
    watch: &'a dyn Fn(Progress),
}

impl<'a> CoarseLaps<'a> {
    /// Begins with the lap without a price; `None` where the course is short, or that search does
    /// not converge.
    ///
    /// # Errors
    /// [`SolveError::Program`] for a start that does not fit.
    pub fn new(frame: &'a Frame, car: &'a Car, watch: &'a dyn Fn(Progress)) -> Result<Option<Self>, SolveError> {
        let recuperation = frame.energy.recuperation;
        // Any price: a lap with one may be slower.
        let any = Price { seconds_per_joule: 1.0, recuperation, rounding_mps2: ROUNDING_MPS2, tariff: None };
        let (framed, start) = frame.reference.problem(&frame.car, any);
        let problem = framed.with_car(car);
        let Some(coarse) = Coarse::new(&problem) else { return Ok(None) };
        let point = coarse.start(&start);
        let mut laps = Self { problem, coarse, recuperation, point, duals: None, free: [0.0; 2], watch };
        let first = laps.lap(0.0, EARLIER_MPS2[0], (BARRIERS.0, COARSE_TOLERANCE))?;
        let Some(free) = first else { return Ok(None) };
        laps.free = [free.time_s, free.energy_j];
        Ok(Some(laps))
    }

    /// Whether the lap without a price surely takes more than `budget_j`.
    pub fn exceeds(&self, budget_j: f64) -> bool {
        self.free[1] > (1.0 + ABOVE_BUDGET) * budget_j
    }

    /// Where the whole program begins for this limit, if the lap without one takes `free_j` on all
    /// nodes; `None` where a coarse search does not converge, and for a price that is nearly the
    /// largest.
    ///
    /// # Errors
    /// [`SolveError::Program`] for a start that does not fit.
    pub fn begin(mut self, limit: EnergyLimit, free_j: Option<f64>) -> Result<Option<Begin>, SolveError> {
        let equal_price = self.free[0] / self.free[1];
        let mut root = Root::new(math::ln(FIRST_COARSE_PRICE * equal_price), USUAL_ELASTICITY);
        let mut limit = limit;
        match &mut limit {
            EnergyLimit::None => return Ok(None),
            &mut EnergyLimit::Price(price) if price > PRICE_FRACTION * MAX_PRICE * equal_price => return Ok(None),
            &mut EnergyLimit::Price(price) => {
                let (rounding_mps2, barrier, _) = STAGES[0];
                while root.next < math::ln(price) {
                    if self.lap(math::exp(root.next), rounding_mps2, (barrier, TOLERANCE))?.is_none() {
                        return Ok(None);
                    }
                    root.next += math::ln(MAX_FACTOR);
                }
                root.next = math::ln(price);
            }
            EnergyLimit::Budget(budget_j) => {
                // The budget by what the coarse nodes give for the same lap.
                *budget_j *= free_j.map_or(1.0, |free_j| self.free[1] / free_j);
                let fraction = (1.0 - *budget_j / self.free[1]).clamp(MIN_FRACTION, 1.0 - MIN_FRACTION);
                // E = E₀ (1 - λ / λ₁) at first.
                root = Root::new(math::ln(PRICE_PER_FRACTION * fraction * equal_price), -fraction / (1.0 - fraction));
            }
        }
        'stages: for (stage, (rounding_mps2, barrier, tolerance)) in STAGES.into_iter().enumerate() {
            root.forget_bracket();
            let mut count = 0;
            loop {
                let asked = root.next;
                let Some(lap) = self.lap(math::exp(asked), rounding_mps2, (barrier, TOLERANCE))? else {
                    // The lap before is a beginning as well, but for that with the first rounding.
                    if stage + 1 == STAGES.len() {
                        break 'stages;
                    }
                    return Ok(None);
                };
                let EnergyLimit::Budget(budget_j) = limit else { break };
                let excess = math::ln(lap.energy_j.max(f64::MIN_POSITIVE)) - math::ln(budget_j);
                if excess.abs() <= tolerance {
                    break;
                }
                count += 1;
                if count == MAX_LAPS {
                    return Ok(None);
                }
                root.add(asked, excess);
            }
        }
        let seconds_per_joule = if let EnergyLimit::Price(price) = limit { price } else { math::exp(root.next) };
        let recuperation = self.recuperation;
        let price = Price { seconds_per_joule, recuperation, rounding_mps2: ROUNDING_MPS2, tariff: None };
        let Some(duals) = &self.duals else { return Ok(None) };
        let (point, duals) = self.coarse.refined(&self.problem, &self.point, duals);
        Ok(Some(Begin { price, elasticity: root.elasticity, start: Start::Coarse(point, duals) }))
    }

    /// The lap at a price to the last barrier `barrier`; `None` where the search does not converge.
    fn lap(
        &mut self,
        seconds_per_joule: f64,
        rounding_mps2: f64,
        (barrier, tolerance): (f64, f64),
    ) -> Result<Option<Solution>, SolveError> {
        let settings = Settings {
            first_barrier: BARRIERS.0,
            last_barrier: barrier,
            resumed_barrier: barrier,
            resumed_band: WARM_BAND,
            tolerance,
            ..Settings::default()
        };
        let recuperation = self.recuperation;
        self.coarse.problem.price = Price { seconds_per_joule, recuperation, rounding_mps2, tariff: None };
        let found = solve(&self.coarse.problem, self.point.clone(), self.duals.as_ref(), &settings, self.watch)?;
        if found.status != Status::Converged {
            return Ok(None);
        }
        (self.point, self.duals) = (found.point.clone(), Some(found.duals.clone()));
        Ok(Some(found))
    }
}

/// The root of a falling function, here ln E less that of the budget over ln λ.
pub(super) struct Root {
    /// Where to look next.
    pub next: f64,
    /// The slope of the last secant, within [`ELASTICITIES`].
    pub elasticity: f64,
    last: Option<(f64, f64)>,
    /// Where the function is known to be positive, and negative.
    bracket: [f64; 2],
}

impl Root {
    /// From `first` on, with a slope for the first step.
    pub fn new(first: f64, elasticity: f64) -> Self {
        let elasticity = elasticity.clamp(ELASTICITIES[0], ELASTICITIES[1]);
        Self { next: first, elasticity, last: None, bracket: [f64::NEG_INFINITY, f64::INFINITY] }
    }

    /// Goes on with another function that is near the one before.
    pub fn forget_bracket(&mut self) {
        *self = Self::new(self.next, self.elasticity);
    }

    /// Takes note of the value `excess` at `place`.
    pub fn add(&mut self, place: f64, excess: f64) {
        self.bracket[usize::from(excess < 0.0)] = place;
        if let Some((before, of_before)) = self.last
            && place != before
        {
            self.elasticity = ((excess - of_before) / (place - before)).clamp(ELASTICITIES[0], ELASTICITIES[1]);
        }
        self.last = Some((place, excess));
        let largest = math::ln(MAX_FACTOR);
        let secant = place - (excess / self.elasticity).clamp(-largest, largest);
        let [low, high] = self.bracket;
        self.next = if secant > low && secant < high { secant } else { f64::midpoint(low, high) };
    }
}

#[cfg(test)]
mod tests {
    use super::Root;

    /// Number of values until the root of `function` is known to 1e-4.
    fn steps(first: f64, function: impl Fn(f64) -> f64) -> usize {
        let mut root = Root::new(first, super::USUAL_ELASTICITY);
        for count in 1..100 {
            let value = function(root.next);
            if value.abs() < 1e-4 {
                return count;
            }
            root.add(root.next, value);
        }
        panic!("no root");
    }

    #[test]
    fn a_power_of_the_price_is_solved_by_its_secant() {
        assert_eq!(steps(0.0, |x| -0.3 * (x - 2.0)), 3);
    }

    #[test]
    fn a_bend_of_the_function_is_enclosed() {
        assert!(steps(-4.0, |x| 0.2 - (0.5 * x).exp()) < 12);
        assert!(steps(6.0, |x| -(x - 1.0).powi(3)) < 40);
    }
}
