//! A centre line that goes round more than once, as a receiver records a session or as a line is drawn that
//! ends beyond its start → one lap: the mean of all rounds.
//!
//! 1. Gates across the line at equal distances; at each, the pieces of the line from one passage to the next
//!    in the same direction. The gate whose pieces of one length are together the longest wins: a gate at
//!    which two legs of the road lie beside one another has shorter ones.
//! 2. Of the pieces of that length the one of median length is the reference, with the gap between its ends
//!    spread over the lap.
//! 3. Every other piece, and what lies before the first passage and behind the last, is compared with the
//!    reference at stations along it, at the same fraction of the lap, so that legs which cross or lie beside
//!    one another do not count. Pieces that lie beside it, as through a pit lane, are left out.
//! 4. The road's middle lies at the mean of the offsets from the reference.

mod gate;
mod laps;
mod mean_lap;
mod places;
mod stations;

pub(super) use mean_lap::{MeanLap, mean_lap};
