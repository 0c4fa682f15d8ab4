//! A picture of a sweep: two varied numbers as a map of lap times, one as a line.

mod axis_values;
mod canvas;
mod chart;
mod heat_map;
mod line_chart;

pub use chart::{check, svg};
