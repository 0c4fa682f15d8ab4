//! Computes the fastest speed profile of a vehicle along a line, and its time, from the line's
//! curvature.
//!
//! The vehicle is a point mass that follows the line exactly. At each of n points the line has a
//! curvature κ_i, and step i of length Δ_i leads from point i to the next. The profile is the
//! greatest w_i = v_i² with
//!
//! ```text
//! w_i     ≤  c(κ_i)                        cornering and maximum speed                       (1)
//! w_{i+1} ≤  w_i     + ∫ 2 a₊(w, κ) ds     driving:  tyres, drive limit, drag                (2)
//! w_i     ≤  w_{i+1} + ∫ 2 a₋(w, κ) ds     braking:  tyres, drag                             (3)
//! ```
//!
//! with c, a₊ and a₋ from [`GgDiagram`](raceline_car::GgDiagram). On an open course, one forward
//! and one backward pass compute it. On a closed course the same relations hold all round, so no
//! point is a natural beginning. The passes begin where cornering allows the lowest speed, and are
//! repeated until that point has converged (see [`SpeedSolver`]).
//!
//! Each integral is one step of the trapezoidal rule in w over s; the braking step goes from the
//! later point to the earlier. The acceleration over a step is the mean of the vehicle's limits at
//! its two ends, at the speeds of the result. The profile is of second order in the step where
//! curvature is smooth. The rule must be implicit: where cornering uses all of the grip, the
//! friction ellipse is infinitely steep, and an explicit step there allows decelerations beyond the
//! tyres' limit. The implicit rule costs no iteration for an ellipse and the drive's pieces: it is
//! an equation of low degree, which `tyres` and `drive_step` solve in closed form.
//!
//! Grip may vary along the line: a factor at each point multiplies both tyre limits.
//!
//! A stretch with a maximum speed ([`SpeedCaps`]) lowers the bound of (1) at its points.
//!
//! On a road in three dimensions ([`Ground`]) the tyres' limits follow their load, gravity acts
//! along and across the line, and lengths are those in space (`spatial_passes`).
//!
//! A [`DrivenLine`] and a [`FixedLine`] also contain what turning the body costs, as far as the
//! vehicle has the keys (`turning`). [`profile`] and [`SpeedSolver`] are for the point mass.
//!
//! The passes are the usual quasi-steady-state lap simulation; see Brayshaw and Harrison, *A quasi
//! steady state approach to race car lap simulation*, Proc. IMechE D 219 (2005), and Heilmeier et
//! al. (2020), section 3. Deviation: they integrate with the acceleration at one end of the step,
//! this module uses the trapezoidal rule.

mod caps;
mod course;
mod drive_step;
mod driven_line;
mod error;
mod fixed_line;
mod ground;
mod lap;
mod leaning;
mod passes;
mod sensitivity;
mod solver;
mod spatial_passes;
mod speed_profile;
mod turning;
mod tyres;

pub use caps::SpeedCaps;
pub(crate) use caps::places_at_ends;
pub use course::Course;
pub use driven_line::DrivenLine;
pub use error::{ParseEndSpeedError, SpeedError};
pub use fixed_line::FixedLine;
pub use ground::{Ground, LoadOptions, Relief};
pub use lap::{EndSpeed, GripMap, Lap, SpeedOptions, TurningCost};
pub use passes::SPEED_FLOOR_MPS;
pub use sensitivity::{
    Effect, RELATIVE_STEP, Sensitivity, changes_the_road, derivative, sensitivities, sensitivities_of,
};
pub use solver::{SpeedSolver, profile};
pub use speed_profile::{SpeedProfile, Status};

#[cfg(test)]
mod tests;
