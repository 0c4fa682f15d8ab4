//! The fastest lap of a car with axles, tyres and inertia, from a point mass's line on.
//!
//! The car is a single track of seven unknowns per place, with load transfer, aerodynamics, a tyre
//! with a peak at each axle, and bounded rates of steering and pedal (`model`). Its lap is a
//! nonlinear program on nodes along the start line (`problem`), solved by an interior-point method
//! with exact second derivatives ([`nonlinear_program`](raceline_numerics::nonlinear_program)), on
//! every fourth node first (`mesh`).
//! Derivatives of the equations' parts are those of numbers that carry them (`number`), so the
//! equations are written once; the chain rule joins them (`model::derivatives`). Newton's matrix is
//! eliminated stage by stage ([`StageCycle`](raceline_numerics::StageCycle)), in segments on which
//! several threads work (`newton`).
//!
//! The smoothing of steering and pedal costs some hundredths of a percent of the lap and saves half
//! of the steps: without it, a car may meander on straights at no cost, and the program is not
//! convex there.
//!
//! Sources: Perantoni and Limebeer, *Optimal control for a Formula One car with variable
//! parameters*, Vehicle System Dynamics 52 (2014), sections 2 and 3; Lot and Biral, *A curvilinear
//! abscissa approach for the lap time optimization of racing vehicles* (2014); Christ et al.,
//! *Time-optimal trajectory planning for a race car considering variable tyre-road friction
//! coefficients*, Vehicle System Dynamics 59 (2021), section 2. Deviations: rates are differences,
//! not unknowns; the reference is the point mass's line, not the road's centre, so that offsets and
//! changes of heading are small; load moves along the car only, since the vehicle's limits contain
//! what moves across.

mod axle_use;
mod body_corners;
mod coarse_budget;
mod energy;
mod entrances;
mod lap;
mod lap_search;
mod linearised;
mod mesh;
mod model;
mod newton;
mod number;
mod optimum;
mod options;
mod price;
mod problem;
mod program;
mod reference;
mod set_up;
mod standing_end;
mod state;
mod stint_lap;
mod tariff;

pub use super::reserve::Reserve;
pub use axle_use::{AxleUse, Axles};
pub use energy::car_lap_from;
pub use entrances::{car_lap, car_lap_near};
pub(crate) use entrances::{car_lap_on, car_lap_through};
pub use lap::CarLap;
pub use optimum::Optimum;
pub use options::CarOptions;
pub use price::{Energy, EnergyLimit};
pub use program::{Progress, Status};
pub use set_up::on_tyres_of;
pub use state::CarState;
pub use stint_lap::{StintLap, stint_lap};
pub use tariff::{Powertrain, Uses};
