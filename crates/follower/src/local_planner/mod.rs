//! A local planner: around fixed obstacles and other vehicles by curves beside the path.
//!
//! In every frame a lattice of curves e(s), distances to the left of the path over at most the
//! next 100 m, is laid from the vehicle's place on its present route: fifth-degree polynomials to several
//! distances ([`OffsetCurve`](crate::offset_curve::OffsetCurve)), reached sooner or later, and then parallel to the path. Others are predicted
//! along and across the path for the times at which the vehicle would be at each of the stations ahead
//! ([`prediction`]). Each curve costs, in seconds ([`lattice`]),
//!
//! ```text
//! time to the end of the horizon + clearance + smoothness + distance from the path + change of mind
//! ```
//!
//! where a curve that runs into another has the time of one that follows it from there. The cheapest
//! curve decides: where there is room it leads past, where there is not the vehicle follows. What is
//! driven is the smoothest route through the same gaps, drawn to the path by springs ([`relaxation`]).
//!
//! The lattice is that of M. Werling, J. Ziegler, S. Kammel, S. Thrun, *Optimal Trajectory Generation
//! for Dynamic Street Scenarios in a Frenét Frame*, IEEE ICRA 2010, section IV, low speeds: quintic
//! polynomials over the arc length. Deviations: the speeds are not part of the lattice but those of the
//! path and of following; jerk is not integrated, the greatest curvature and lateral acceleration count.
//!
//! A follower without a planner is the choice for racing: it knows that others drive the same
//! line and brake for the same bends. This planner is for fixed obstacles, crossings and towns.

mod blocking;
mod lattice;
mod options;
mod planner;
mod prediction;
mod relaxation;

pub use options::LocalPlannerOptions;
pub use planner::LocalPlanner;
pub(crate) use prediction::Gaps;
pub(crate) use relaxation::relaxed;
