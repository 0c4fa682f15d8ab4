//! The line of minimum lap time: offsets and speeds are optimised together, starting from a given
//! line.
//!
//! Stations lie along the current line (`solve/stations`). Each has a normal on which the line may
//! move between two bounds, the margins to the edges. The unknowns at each station i are the offset
//! n_i along the normal and the squared speed w_i:
//!
//! ```text
//! minimise    Σ 2 d_i / (√w_i + √w_{i+1})  +  λ Σ (κ_{i+1} - κ_i)² / h_i                     (1)
//! subject to  |y_j / μA_y(w)|^p + |(a + r(w)) / μA_x(w)|^p ≤ 1        tyres of each axle     (2)
//!             a + r(w) + k (κ w)² / μA_y(w) ≤ drive(w)               drive         (3)
//!             (τ c)² w ≤ 1                                           steering rate (4)
//!             |κ_i| ≤ κ_max,   low_i ≤ n_i ≤ high_i,   w_i ≤ v_max²                          (5)
//! ```
//!
//! where (3) and (4) hold in the middle of each interval, and (2) where it agrees with the speed
//! profile at the stations (`interval`).
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | d_i | m | length from station i to the next, a function of two offsets (`solve/stations`) |
//! | κ_i | 1/m | curvature at station i, a function of three offsets (`solve/stations`) |
//! | a | m/s² | (w_{i+1} - w_i) / 2 d_i (`interval`) |
//! | c | 1/m² | (κ_{i+1} - κ_i) / d_i (`interval`) |
//! | y_j | m/s² | lateral acceleration that axle j must give: κ w and what turns the body (`interval`) |
//! | k, τ | | drag of cornering and time of the steering, see [`Turning`](raceline_car::Turning) |
//! | A_x, A_y, r, drive, μ | | tyre limits, resistance and drive limit over w, and the local grip, see [`GgDiagram`](raceline_car::GgDiagram) |
//! | h_i | m | d_i on the line that the stations lie on |
//! | λ | s m³ | weight of smoothness |
//!
//! For a vehicle with the keys that [`Turning`](raceline_car::Turning) needs, turning the body
//! takes force from the axles and time from the steering. Without them it is a point mass, which
//! has no yaw inertia: only λ then prevents jumps of curvature. No vehicle can drive a jump of
//! curvature, and no spline through the points can represent one. λ is chosen so that the
//! smoothness term of the round's start is a thousandth of its lap time.
//!
//! The problem is solved by an interior-point method with exact second derivatives
//! ([`nonlinear_program`](raceline_numerics::nonlinear_program)): `lap_problem` and `linearised`
//! are its equations. Newton's matrix is a cyclic band
//! ([`CyclicBand`](raceline_numerics::CyclicBand)): a step costs about a microsecond per station,
//! and about 25 steps are needed. Then new stations are placed on the resulting line, at their
//! final density, and the problem is solved once more.
//!
//! Minimum-time lines by direct methods: Perantoni and Limebeer, *Optimal control for a Formula One
//! car with variable parameters*, Vehicle System Dynamics 52 (2014), section 3; Christ et al.,
//! *Time-optimal trajectory planning for a race car considering variable tyre-road friction
//! coefficients*, Vehicle System Dynamics 59 (2021), section 2. Deviations: no coordinates along a
//! reference line, so nothing becomes singular where the road is wider than its bend; three-point
//! curvature; a point mass with the cost of turning in place of a car; the smoothness term.
//! `docs/notes/time-optimal.md` compares the other methods that were tried.

mod derivatives;
mod interval;
mod lap_problem;
mod linearised;
mod power;
mod search;
mod task;

pub use raceline_numerics::nonlinear_program::Status;
pub(crate) use search::{GIVEN_SPEED_FRACTION, lap_near, time_optimal_from, time_optimal_near, time_optimal_roughly};
pub use search::{TimeOptimal, time_optimal};
pub use task::Task;
