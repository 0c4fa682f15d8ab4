//! Driving among other vehicles: where to shift the path within the corridor, and how fast to follow.
//!
//! The ideas are Reynolds' (*Steering Behaviors for Autonomous Characters*, 1999): unaligned
//! collision avoidance predicts where two vehicles come nearest and steers one of them past the
//! other; separation keeps neighbours apart. His vehicles are points in an open plane. Here the
//! prediction is along the path, whose bends both follow ([`neighbours`]), a route past is a distance
//! from the path within the corridor ([`lane`]), and where there is none the vehicle follows.
//!
//! **The shift** x of the path moves towards its goal at bounded speed and acceleration,
//!
//! ```text
//! x'* = ± min(lateral, 0.15 v, √(2 a |goal - x|))        |x''| ≤ a        (less when slow)
//! ```
//!
//! and follower and pedal drive the path beside the path, whose curvature is κ / (1 - κ x). Towards
//! the inside of a bend that costs speed: v² (1 - κ x) takes the same grip. So does the acceleration
//! across while x moves. Where it is urgent the shift moves faster, with the grip that a bend leaves.
//!
//! **Following** ([`following`]) takes the speed from which the brakes still suffice, for whatever
//! time within the next 2.4 s the other may be ahead in the lane: it brakes sooner for bends, and
//! comes back to the line from beside it.
//!
//! **Alongside** ([`tube`]) neither may cross to the other's side. The path crosses the road before and
//! behind bends, so what is kept free for the next 3 s is where the other's place on the road will be
//! beside the path. One that is faster and leads this vehicle off its line is let go; one that crosses
//! behind is not evaded.
//!
//! **Racing** ([`overtaking`]), where it is asked for, takes the place of all but the view of the others.

mod following;
mod lane;
mod neighbours;
mod overtaking;
mod shifting;
mod tube;

pub(crate) use shifting::Traffic;
