//! Learning over laps: factors of the profile's speed by place, faster where grip was left over and
//! slower where the vehicle slid, ran wide or missed the planned speed.
//!
//! **What a factor means.** The square of a factor is a factor of the grip at its place. The profile
//! of a path is made of places that limit the speed, of braking and of acceleration; a factor f
//! multiplies what limits there: the square of the speed where the profile is slowest or steady, the
//! deceleration where it brakes, the acceleration where it accelerates, each by f². The profile is
//! then computed anew, backwards and forwards ([`profile`]), so that braking for a bend that is
//! driven faster begins later, and for one that is driven slower sooner. The control at the limit is
//! given f² as the grip of the place.
//!
//! **What is observed.** Each step of a follower is filed under its place on the path: the distance
//! from the path towards the outside, whether the body is in the corridor, the slip of the axles by
//! that of their peak, and the speed by the target speed ([`evidence`]).
//!
//! **How it is learned.** Once a lap every factor takes a step up where grip was left over, down
//! within the last second before a fault, and none elsewhere. The size of the step is that of Rprop
//! (Riedmiller and Braun 1993): 1.2 times as large after a step to the same side, half after one to
//! the other. A step that made the seconds about its place slower is taken back, so that a gain in
//! one bend does not depend on the luck in another; but for one down before the body left the
//! corridor, whatever that costs.
//!
//! **What is kept.** The factors of the fastest of the laps with the smallest number of faults that the
//! game reported ([`LearnedSpeeds::fault`]), and no longer beyond the corridor than the first: to them
//! [`LearnedSpeeds::settle`] returns, and they are what a file remembers. The first timed lap is
//! driven as the path is, so that nothing slower than the path itself is ever kept.

mod evidence;
mod learned_speeds;
mod options;
mod places;
mod profile;

pub use learned_speeds::{LearnedLap, LearnedSpeeds};
pub use options::{LearningError, LearningOptions, RememberedSpeeds};
