//! Obstacles and pick-ups: on which side the line passes what stands on the road, and which detours
//! are worth their time.
//!
//! Both become barriers, which count as parts of an edge
//! ([`with_barriers`](super::EdgeDistance::with_barriers)): an obstacle that the line passes on its
//! left is a part of the right edge; a pick-up that it takes is a gate, a wall from either edge
//! that ends the margin and the pick-up's radius before it. So every method passes them as it
//! passes the edges, with the same margin.
//!
//! Two searches decide, [`PickUpSearch`]:
//!
//! - `lap_search` compares laps of the time-optimal line, started from the line of minimum
//!   curvature between the barriers, with [`branch_and_bound`]. It minimises the lap time less what
//!   the pick-ups on the line are worth. Each lap is a local optimum, so the answer is the best
//!   combination of such laps. It needs at least one lap for each pick-up.
//! - `weighted_search` is for hundreds of pick-ups: they pull at a chain of springs and hinges,
//!   which takes milliseconds.

mod branch_and_bound;
mod decision;
mod lap_search;
mod limits;
mod objects;
mod places;
mod site;
mod task;
mod weighted_search;

pub use super::choices::PickUpSearch;
pub use branch_and_bound::{Best, Choice, Failure, Limits, Made, Relaxed, branch_and_bound};
pub use decision::decide;
pub use limits::{MAX_LAP_SECTIONS, MAX_SEARCHED_OBSTACLES, MAX_SEARCHED_PICK_UPS};
pub(crate) use limits::{allowed_laps, is_too_much};
pub use objects::{CircleObstacle, Obstacle, PickUp, PolygonObstacle};
pub use site::decided_barriers;
pub use task::{Decisions, PassingTask, PickedUp};
