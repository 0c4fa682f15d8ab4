//! A vehicle in the plane: a dynamic bicycle with tyres inside a friction ellipse.
//!
//! | Part | Type |
//! |---|---|
//! | Limits of tyres and drive over speed | [`AccelerationLimits`], [`ConstantLimits`] |
//! | Constant parameters of the vehicle | [`BicycleParameters`], [`HandlingParameters`] |
//! | Position and motion | [`BicycleState`] |
//! | The road under it | [`Surface`] |
//! | The driver's demands | [`Controls`], delayed by [`Actuators`] |
//! | Equations of motion and one step in time | [`Bicycle`] |
//! | Tyre force over slip angle | [`Tyre`] of a [`TyreSlip`], [`inside_ellipse`] |
//!
//! The crate has no third-party dependency but `libm`. `raceline drive` uses it with the limits of a g-g diagram; the
//! tests of `raceline-follower` use it with constant ones. Both therefore drive the same car.
//!
//! # Units and frame
//! SI units. The world frame is right-handed with x to the right and y up; angles are in radians,
//! counter-clockwise from +x. In the body's frame, u points forward and v to the left.
//!
//! # Example
//! ```
//! use raceline_vehicle_simulation::{
//!     Bicycle, BicycleParameters, BicycleState, ConstantLimits, Controls, HandlingParameters,
//! };
//!
//! let limits = ConstantLimits {
//!     longitudinal_mps2: 12.0,
//!     lateral_mps2: 12.0,
//!     drive_mps2: 4.0,
//!     resistance_mps2: 0.0,
//!     ellipse_exponent: 2.0,
//! };
//! let parameters = BicycleParameters {
//!     mass_kg: 1200.0,
//!     wheelbase_m: 3.0,
//!     max_steering_rad: 0.4,
//!     max_speed_mps: 70.0,
//!     handling: HandlingParameters::default(),
//! };
//! let car = Bicycle::new(limits, &parameters)?;
//! let mut state = BicycleState::default();
//! for _ in 0..5000 {
//!     car.advance(&mut state, &Controls { pedal: 1.0, ..Controls::default() }, 1e-3);
//! }
//! assert!((state.forward_mps - 20.0).abs() < 1e-9);
//! # Ok::<(), raceline_vehicle_simulation::OutOfRange>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod actuators;
mod axle;
mod bicycle;
mod controls;
mod limits;
mod parameters;
mod range;
mod state;
mod surface;
mod tyre;

pub use actuators::Actuators;
pub use bicycle::{Bicycle, TyreForces};
pub use controls::Controls;
pub use limits::{AccelerationLimits, ConstantLimits};
pub use parameters::{BicycleParameters, HandlingParameters};
pub use raceline_car::TyreSlip;
pub use range::{OutOfRange, check_range};
pub use state::BicycleState;
pub use surface::Surface;
pub use tyre::{Tyre, inside_ellipse};
