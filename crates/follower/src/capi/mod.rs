//! The C interface. `include/raceline_follower.h` is its documentation; a test compiles a C program
//! against it.
//!
//! Every pointer is checked for null and alignment, every struct for its size, every number by its
//! target type; no panic leaves a call. The caller is responsible for the rest: a pointer must refer to
//! as much memory as the call states, a handle must come from this library and must not have been freed,
//! and a follower must not be used by two threads at once.
//!
//! Structs state their own size ([`RacelineState::struct_size`]), so that a later version can have more
//! fields. The functions that begin with `rlf_` are those of an earlier interface that a program uses
//! which cannot be changed.

#![allow(unsafe_code, reason = "raw pointers of a caller in another language")]

mod anytime_search;
mod behaviour_structs;
mod behaviours;
mod calls;
mod compat;
mod crowds;
mod follower;
mod grid_planner;
mod last_error;
mod learning;
mod limits;
mod neural;
mod path;
mod scene;
mod sized;
mod tactics;
mod tile_driver;
mod tuner;
mod types;
mod verify;
mod version;

pub use anytime_search::*;
pub use behaviour_structs::*;
pub use behaviours::*;
pub use calls::RacelineStatus;
pub use compat::*;
pub use crowds::*;
pub use follower::{
    raceline_follower_free, raceline_follower_new, raceline_follower_reset, raceline_follower_set_planner,
    raceline_follower_step,
};
pub use grid_planner::*;
pub use last_error::raceline_last_error;
pub use learning::*;
pub use neural::*;
pub use path::{
    raceline_path_free, raceline_path_from_json, raceline_path_length_m, raceline_path_minimum_curvature,
    raceline_path_new, raceline_path_sample_at,
};
pub use scene::{RacelineBody, RacelineNeighbour, RacelinePickUp, RacelineScene};
pub use tactics::*;
pub use tile_driver::*;
pub use tuner::*;
pub use types::*;
pub use verify::raceline_verify;
pub use version::{FOLLOWER_VERSION, raceline_follower_version};
