//! A lap that was found, with the multipliers of its program: how it changes with the vehicle.
//!
//! **Sensitivities.** At the solution of `minimise f(x, θ) subject to c(x, θ) = 0, g(x, θ) ≤ 0`
//! with the multipliers y and z, the minimum of f changes with a parameter θ by
//!
//! ```text
//! df/dθ = ∂L/∂θ,   L = f + y c + z g                                                         (1)
//! ```
//!
//! at a fixed x: the adjoint, since y and z are what a change of the equations and limits costs
//! (Fiacco, *Introduction to Sensitivity and Stability Analysis in Nonlinear Programming*, 1983,
//! chapter 3). One solution gives the derivatives by all parameters. ∂L/∂θ is a difference of L
//! with the vehicle changed and everything else fixed: L is smooth and costs microseconds, the
//! difference has an error of 1e-8, and each parameter acts through the same code as in the search,
//! tables and gear changes included. Dual numbers would have to be carried through the vehicle's
//! limit curves.
//!
//! Fixed are the parts of the program that are not the vehicle: nodes, bounds of the offset and
//! lowest speed, scales and the weight of the smoothing, and the tyres
//! ([`Tyres`](super::model::tyres::Tyres)). The derivatives are those of the lap time and the price
//! of the smoothing, some hundredths of a percent of it. Where energy is limited, the effects are
//! those on the time at the same budget, since a budget that does not change adds nothing to L.
//!
//! **Warm starts.** The fastest lap of a vehicle near this one is searched on the same nodes from
//! this solution and its multipliers.

use std::sync::Arc;

use super::model::Car;
use super::price::{Energy, Price};
use super::problem::{LIMITS, Point, Problem, Values};
use super::program::Duals;
use super::reference::Reference;
use crate::speed::{Sensitivity, SpeedError, sensitivities_of};
use raceline_car::Vehicle;

/// Effects of 1 % that are below this fraction of the lap count as zero. The last barrier gives a
/// limit that is not reached a multiplier of about this size.
const MIN_FRACTION_PER_PERCENT: f64 = 1e-7;

/// The program without a vehicle: the nodes, and the car by which it is scaled.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub reference: Reference,
    pub car: Car,
    pub energy: Energy,
}

/// The solution of a car's program.
#[derive(Clone, Debug)]
pub struct Optimum {
    pub(super) frame: Arc<Frame>,
    /// Price of energy in the program.
    pub(super) price: Price,
    pub(super) vehicle: Vehicle,
    pub(super) car: Car,
    /// Whether its program has the bounds of the body's front corners.
    pub(super) keeps_corners: bool,
    pub(super) point: Point,
    pub(super) duals: Duals,
}

impl Optimum {
    /// The effect of every number of the vehicle on the lap time, set-up included, where the
    /// vehicle has no such key for the value that the model uses; the largest per percent first.
    ///
    /// # Errors
    /// [`SpeedError::Vehicle`] for a vehicle that cannot be changed.
    pub fn sensitivities(&self) -> Result<Vec<Sensitivity>, SpeedError> {
        let filled = self.vehicle.with_defaults();
        let mut vehicle = self.vehicle.clone();
        // The fraction of the downforce needs it, and is listed.
        vehicle.front_weight_fraction = filled.front_weight_fraction;
        let parameters = filled.all_parameters()?;
        sensitivities_of(&|vehicle| self.lagrangian_s(vehicle), &vehicle, parameters, MIN_FRACTION_PER_PERCENT)
    }

    /// The program of `car` on the nodes of this solution.
    pub(super) fn problem<'c>(&'c self, car: &'c Car) -> Problem<'c> {
        let reference = &self.frame.reference;
        let (framed, _) = reference.problem(&self.frame.car, self.price);
        let framed = if self.keeps_corners { reference.with_corners(framed) } else { framed };
        framed.with_car(car)
    }

    /// The Lagrangian of the program of `vehicle` at this solution, s.
    ///
    /// # Errors
    /// [`SpeedError::Vehicle`] for an invalid vehicle.
    pub fn lagrangian_s(&self, vehicle: &Vehicle) -> Result<f64, SpeedError> {
        let mut car = Car::on_tyres(vehicle, self.car.tyres())?;
        let fraction = self.car.max_curvature_radpm / self.vehicle.max_curvature_radpm;
        car.max_curvature_radpm = fraction * vehicle.max_curvature_radpm;
        let problem = self.problem(&car);
        let mut values = Values::<LIMITS>::zeros(self.point.len());
        problem.evaluate(&self.point, &mut values);
        let equations = values.equations.as_flattened().iter().zip(self.duals.prices.as_flattened());
        let limits = values.limits.as_flattened().iter().zip(self.duals.multipliers.as_flattened());
        let prices: f64 = equations.chain(limits).map(|(value, price)| value * price).sum();
        Ok((values.objective + prices) / problem.per_second) // L of equation (1)
    }
}
