//! Lines of racing games: `fast_lane.ai` of Assetto Corsa and `.aiw` of rFactor. Both have points along the
//! game's own line with the distances to the edges of the road.
//!
//! The layouts are those that public readers of these files agree on; neither game documents them.

mod assetto_corsa;
mod line_point;
mod rfactor;
mod road;

pub use road::game_line;
pub(crate) use road::is_game_line;

#[cfg(test)]
mod tests;
