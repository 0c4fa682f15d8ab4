//! The integration tests of `raceline`, as one program: it links once, and helpers are compiled
//! once.
//!
//! One file per stage or theme; `cargo test --test suite speed::` runs one of them. The folders are
//! helpers.

mod aerial;
mod analysis;
mod architecture;
mod bad_input;
mod batch;
mod cli;
mod cli_batch;
mod cli_compare;
mod cli_drive;
mod cli_extract;
mod cli_files;
mod cli_inspect;
mod cli_optimize;
#[path = "../../examples/draw_tracks/mod.rs"]
mod draw_tracks;
mod drawing;
mod drive;
mod drive_bicycle;
mod edges;
mod export;
mod fixed_line;
mod formats;
mod geometry;
mod goldens;
mod grip;
mod html;
mod importers;
mod input;
mod map_yaml;
mod messages;
mod odd;
mod odd_pictures;
mod palette;
mod picture;
mod picture_noise;
mod pipeline;
mod random_masks;
mod render;
mod roads;
mod routes;
mod sample_lines;
mod sensitivities;
mod skeleton_reference;
mod solve;
mod speed;
mod speed_curve;
mod svg_budget;
mod sweep;
mod time_optimal;
mod track;
mod tracks;
mod vehicle;
