//! Curvature along a line → the fastest speed profile that the vehicle can drive, and its time.
//!
//! The vehicle is a point mass that follows the line exactly. At each of n points the line has a curvature κ_i, and
//! step i of length Δ_i leads from point i to the next. The profile is the greatest w_i = v_i² with
//!
//! ```text
//! w_i     ≤  c(κ_i)                        cornering and maximum speed
//! w_{i+1} ≤  w_i     + ∫ 2 a₊(w, κ) ds     driving:  tyres, drive limit, drag
//! w_i     ≤  w_{i+1} + ∫ 2 a₋(w, κ) ds     braking:  tyres, drag
//! ```
//!
//! with c, a₊ and a₋ from [`GgDiagram`](crate::vehicle::GgDiagram). One pass forwards and one backwards find it on an
//! open course. On a closed course the same relations hold all round, so no point is a natural beginning; the passes
//! begin where cornering allows least and go round until that point stands (see [`SpeedSolver`]).
//!
//! Each integral is one step of the trapezoidal rule in w over s, the braking one from the later point to the earlier:
//! the acceleration over a step is the mean of what the vehicle can do at its two ends, at the speeds of the result. The
//! profile is of second order in the step where curvature is smooth. The rule is implicit because it must be: where
//! cornering takes all of the grip the friction ellipse is infinitely steep, and an explicit step there allows
//! decelerations that the tyres don't have. Being implicit costs nothing: with the ellipse and with the drive's pieces the
//! rule is an equation of low degree, which `tyres` and `drive_step` solve in closed form.
//!
//! Grip may differ along the line: a factor at each point multiplies both tyre limits.
//!
//! The scheme of passes is the usual quasi-steady-state lap simulation; see Brayshaw and Harrison, *A quasi steady state
//! approach to race car lap simulation*, Proc. IMechE D 219 (2005), and Heilmeier et al. (2020), section 3. They
//! integrate with the acceleration of one end of the step; the trapezoidal rule is this project's deviation.

mod drive_step;
mod driven_line;
mod error;
mod fixed_line;
mod lap;
mod passes;
mod sensitivity;
mod solver;
mod tyres;

pub use driven_line::DrivenLine;
pub use error::{ParseEndSpeedError, SpeedError};
pub use fixed_line::FixedLine;
pub use lap::{EndSpeed, GripMap, Lap, SpeedOptions};
pub use passes::SPEED_FLOOR_MPS;
pub use sensitivity::{Effect, RELATIVE_STEP, Sensitivity, derivative, sensitivities};
pub use solver::{Course, SpeedSolver, Status};

use crate::vehicle::Vehicle;

/// Speed, acceleration and time at every point of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedProfile {
    /// Speed at each point, m/s; at least [`SPEED_FLOOR_MPS`].
    pub speed_mps: Vec<f64>,
    /// Acceleration along the line over the step that begins at each point, m/s²: (v'² - v²) / 2Δ. The last point of an
    /// open course repeats the one before.
    pub accel_mps2: Vec<f64>,
    /// Time from the first point to each, s.
    pub time_s: Vec<f64>,
    /// Time from the first point to the last, s, or all round a closed course.
    pub lap_time_s: f64,
    /// How the search for the profile ended.
    pub status: Status,
    /// Rounds of passes that it took.
    pub passes: usize,
}

/// The speed profile of a line: `curvature` at each of n points, 1/m, of either sign, and `step_lengths` from each to
/// the next, m, of which a closed line has n and an open one n - 1. An open course is driven from standstill to a free end; for
/// others, use [`SpeedSolver`] with [`Course::Open`].
///
/// # Errors
/// [`SpeedError`] when the lengths of the two don't fit, a number isn't finite, a step isn't positive, or the vehicle is
/// not valid.
pub fn profile(
    curvature: &[f64],
    step_lengths: &[f64],
    closed: bool,
    vehicle: &Vehicle,
) -> Result<SpeedProfile, SpeedError> {
    let course = if closed { Course::Closed } else { Course::FROM_STANDSTILL };
    SpeedSolver::new(vehicle, course)?.profile(curvature, step_lengths, None)
}
