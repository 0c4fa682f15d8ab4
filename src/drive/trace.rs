//! The trace of a drive: one row per frame.

use raceline_follower::StuckState;

/// Vehicle and follower at the beginning of a frame, and the command for the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TraceRow {
    /// Time since the drive began, s.
    pub time_s: f64,
    /// Lap: 0 while warming up, then from 1.
    pub lap: u32,
    /// Distance along the line from its first point, m.
    pub s_m: f64,
    /// Centre of gravity, m to the right.
    pub x_m: f64,
    /// Centre of gravity, m up.
    pub y_m: f64,
    /// Direction of the body, rad counter-clockwise from +x, in (-π, π].
    pub heading_rad: f64,
    /// Velocity along the body, m/s.
    pub forward_mps: f64,
    /// Velocity across the body, m/s, positive to the left.
    pub leftward_mps: f64,
    /// Yaw rate, rad/s.
    pub yaw_rate_radps: f64,
    /// Angle of the front wheel, rad.
    pub steering_rad: f64,
    /// Pedal commanded by the follower, -1 to 1.
    pub pedal: f64,
    /// Steering angle commanded by the follower, rad.
    pub wanted_steering_rad: f64,
    /// Target speed of the follower, m/s.
    pub target_speed_mps: f64,
    /// The file's speed here, m/s.
    pub profile_speed_mps: f64,
    /// Distance of the centre of gravity from the line, m, positive to the left of it.
    pub cross_track_error_m: f64,
    /// Distance of the body's outermost corner from the edge of the road, m; negative beyond it.
    pub room_m: f64,
    /// State of the stuck manager.
    pub state: StuckState,
}

/// The name of a state in files.
#[must_use]
pub fn state_name(state: StuckState) -> &'static str {
    match state {
        StuckState::Driving => "driving",
        StuckState::Reversing => "reversing",
        StuckState::TurningOut => "turning-out",
        StuckState::AskingForPlacement => "asking-for-placement",
    }
}
