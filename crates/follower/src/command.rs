//! What a step returns.

use crate::stuck::{Placement, StuckEvent, StuckState};

/// The command for a frame, and values for a debug view. All numbers are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command {
    /// Pedal, -1 to 1: positive is throttle in the direction of the gear, negative is brake.
    pub pedal: f64,
    /// Acceleration in the direction of the gear that the pedal asks for on a level road, m/s², less
    /// drag and rolling resistance: for vehicles that are commanded by acceleration, force or speed
    /// instead of pedals. `None` where the path has no vehicle's limits, or the driver is not
    /// [`Follower`](crate::Follower).
    pub acceleration_mps2: Option<f64>,
    /// Whether to select the reverse gear, in which throttle drives backwards.
    pub reverse: bool,
    /// Steering angle of the front wheels, radians, positive to the left, within the vehicle's
    /// limit.
    pub steering_rad: f64,
    /// Whether a boost (nitro) is useful: the road ahead is straight enough.
    pub boost: bool,
    /// State of the stuck manager.
    pub state: StuckState,
    /// The stuck manager's transition in this frame, if there was one.
    pub event: Option<StuckEvent>,
    /// Where the game should place the vehicle, while `state` is
    /// [`StuckState::AskingForPlacement`].
    pub place_back: Option<Placement>,
    /// Whether the vehicle has reached the end of an open path and is to stop.
    pub arrived: bool,
    /// Target speed, m/s, never negative.
    pub target_speed_mps: f64,
    /// Target point, metres.
    pub target_point_m: [f64; 3],
    /// The vehicle's nearest point on the path, metres.
    pub nearest_point_m: [f64; 3],
    /// Arc length of the nearest point from the path's start, metres, 0 to the path's length.
    pub s_m: f64,
    /// Distance from the path in the plane, metres, positive where the vehicle is on its left.
    pub cross_track_error_m: f64,
    /// Whether the reference point lies inside the corridor:
    /// `-right_m ≤ cross_track_error_m ≤ left_m`.
    pub inside_corridor: bool,
    /// Whether options and path ask for the control at the limit of grip, but pure pursuit drives because
    /// the state has no velocity: set [`VehicleState::velocity_mps`](crate::VehicleState::velocity_mps).
    pub lacks_velocity: bool,
}

impl Command {
    /// Brakes with straight wheels: the command for a frame that is not valid.
    pub(crate) fn brake(state: StuckState) -> Self {
        Self {
            pedal: -1.0,
            acceleration_mps2: None,
            reverse: false,
            steering_rad: 0.0,
            boost: false,
            state,
            event: None,
            place_back: None,
            arrived: false,
            target_speed_mps: 0.0,
            target_point_m: [0.0; 3],
            nearest_point_m: [0.0; 3],
            s_m: 0.0,
            cross_track_error_m: 0.0,
            inside_corridor: false,
            lacks_velocity: false,
        }
    }
}
