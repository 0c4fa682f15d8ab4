//! What a step returns.

use crate::stuck::{Placement, StuckEvent, StuckState};

/// What the vehicle is to do in this frame, and what a debug view wants to show. All numbers are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command {
    /// Pedal, -1 to 1: positive is throttle in the direction of the gear, negative is brake.
    pub pedal: f64,
    /// Whether the reverse gear is to be in: then throttle drives backwards.
    pub reverse: bool,
    /// Steering angle of the front wheels, radians, positive to the left, within the vehicle's limit.
    pub steering_rad: f64,
    /// Whether a boost (nitro) is worth lighting: the road ahead is straight enough.
    pub boost: bool,
    /// What the stuck manager is doing.
    pub state: StuckState,
    /// The stuck manager's transition in this frame, if there was one.
    pub event: Option<StuckEvent>,
    /// Where the game may place the vehicle, as long as `state` is [`StuckState::AskingForPlacement`].
    pub place_back: Option<Placement>,
    /// Whether the vehicle has come to the end of an open path and is to stand.
    pub arrived: bool,
    /// The speed aimed at, m/s, never negative.
    pub target_speed_mps: f64,
    /// The point steered to, metres.
    pub target_point_m: [f64; 3],
    /// The point of the path that belongs to the vehicle, metres.
    pub nearest_point_m: [f64; 3],
    /// That point's arc length from the path's start, metres, 0 to the path's length.
    pub s_m: f64,
    /// Distance from the path in the plane, metres, positive where the vehicle is on its left.
    pub cross_track_error_m: f64,
    /// Whether the reference point lies inside the corridor: `-right_m ≤ cross_track_error_m ≤ left_m`.
    pub inside_corridor: bool,
}

impl Command {
    /// Brakes with the wheels straight: what is returned for a frame that can't be understood.
    pub(crate) fn brake(state: StuckState) -> Self {
        Self {
            pedal: -1.0,
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
        }
    }
}
