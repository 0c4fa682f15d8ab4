//! Racing among others: where to overtake.
//!
//! A vehicle that makes room for whatever others may do follows them for a whole race, since the path crosses
//! the road before and behind each bend and some of them could always come back to it. Here the others
//! are expected to do what they were seen to do at the same place before ([`field`]): their place
//! beside the path and their speed, from the second lap on ([`rivals`]). Through that, a search over stages
//! ahead and offsets beside the path finds the route that is soonest at the last stage ([`search`]).
//! Whoever would be run into is followed from there, which takes time; whoever is passed costs what the
//! route around takes. The smoothest route through the same gaps is driven
//! ([`relaxed`](crate::local_planner::relaxed)), at the speed that those who remain ahead in it allow
//! ([`planner`]).
//!
//! The search is that of a state lattice in the path's own coordinates, as in M. McNaughton, C. Urmson,
//! J. M. Dolan, J.-W. Lee, *Motion Planning for Autonomous Driving with a Conformal Spatiotemporal
//! Lattice*, IEEE ICRA 2011, section III. Deviations: time and speed are not dimensions of the lattice
//! but carried by the cheapest route to each state, so that one who is followed delays a route and does not
//! forbid it.

mod field;
mod planner;
mod rivals;
mod search;
mod stages;

pub(super) use planner::Overtaking;
