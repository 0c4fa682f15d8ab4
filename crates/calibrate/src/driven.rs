//! Driving as it was recorded: telemetry with the places and what the driver did.

use super::telemetry::Run;

/// One recorded drive. All columns have the length of `run.time_s`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Driven {
    /// What the car did, with throttle and brake from 0 to 1.
    pub run: Run,
    /// Line of the file at which each sample stands, from 1.
    pub lines: Vec<usize>,
    /// Centre of gravity, m to the right in the frame of the line that was driven.
    pub x_m: Vec<f64>,
    /// Centre of gravity, m up in that frame.
    pub y_m: Vec<f64>,
    /// Direction of the body, rad counter-clockwise from +x.
    pub heading_rad: Vec<f64>,
    /// Steering angle that the driver demanded, rad, positive to the left.
    pub steering_rad: Vec<f64>,
}
