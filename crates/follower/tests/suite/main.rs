//! The tests of the follower, as one program;
//! `cargo test -p raceline-follower --test suite steering::` runs one of them. `no_allocation`
//! stands by itself: it counts what the whole program allocates.

mod baselines;
mod behaviours;
mod bezier;
mod capi;
mod capi_drivers;
mod capi_fuzz_targets;
mod capi_header;
mod capi_refusals;
mod capi_rlf;
mod common;
mod early_turn;
mod json;
mod kinds;
mod learning;
mod limit;
mod local_planner;
mod minimum_curvature;
mod nearest_point;
mod neural;
mod options;
mod path;
mod pick_ups_and_boost;
mod racing;
mod robustness;
mod scene;
mod scenes;
mod speed_control;
mod stability;
mod steering;
mod stuck;
mod target_speed;
mod traffic;
mod traffic_rivals;
mod traffic_steps;
