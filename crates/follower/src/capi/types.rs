//! The structs of the C interface, as `include/raceline_follower.h` declares them.

use crate::command::Command;
use crate::path::Waypoint;
use crate::stuck::{StuckCause, StuckEvent, StuckState};
use crate::traffic::Neighbour;
use crate::vehicle::{VehicleGeometry, VehicleKind, VehicleState};

/// The result of a call.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RlfStatus {
    /// Done.
    Ok = 0,
    /// A pointer is null or misaligned.
    Pointer = 1,
    /// A number, an option or a text is not valid.
    Value = 2,
    /// The waypoints do not form a path.
    Path = 3,
    /// The bytes are not a racing-line file.
    Json = 4,
    /// A defect of this library; the effect of the call is undefined.
    Internal = 5,
}

/// [`Waypoint`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RlfWaypoint {
    /// Metres.
    pub position_m: [f64; 3],
    /// Metres, infinite without a limit.
    pub left_m: f64,
    /// Metres, infinite without a limit.
    pub right_m: f64,
    /// m/s, NaN without a profile.
    pub speed_mps: f64,
    /// 1/m, NaN if unknown.
    pub curvature_radpm: f64,
}

/// [`VehicleState`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RlfVehicleState {
    /// Metres.
    pub position_m: [f64; 3],
    /// Radians.
    pub heading_rad: f64,
    /// m/s.
    pub speed_mps: f64,
    /// m/s, NaN if unknown.
    pub velocity_mps: [f64; 3],
    /// rad/s, NaN if unknown.
    pub yaw_rate_radps: f64,
}

/// [`VehicleGeometry`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RlfVehicleGeometry {
    /// Metres.
    pub wheelbase_m: f64,
    /// Radians.
    pub max_steering_rad: f64,
    /// Metres.
    pub length_m: f64,
    /// Metres.
    pub width_m: f64,
    /// Metres.
    pub rear_axle_m: f64,
    /// In units of g.
    pub grip_g: f64,
    /// rad/s.
    pub max_yaw_rate_radps: f64,
}

/// [`Command`], with the fields of its event and its placement inline.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RlfCommand {
    /// -1 to 1.
    pub pedal: f64,
    /// Radians.
    pub steering_rad: f64,
    /// m/s.
    pub target_speed_mps: f64,
    /// Metres.
    pub target_point_m: [f64; 3],
    /// Metres.
    pub nearest_point_m: [f64; 3],
    /// Metres.
    pub s_m: f64,
    /// Metres.
    pub cross_track_error_m: f64,
    /// Position at which to place the vehicle back, metres; 0 unless `place_back`.
    pub place_position_m: [f64; 3],
    /// Its heading there, radians.
    pub place_heading_rad: f64,
    /// `enum rlf_state`.
    pub state: i32,
    /// `enum rlf_state` before this frame's transition; `state` without a transition.
    pub event_from: i32,
    /// `enum rlf_cause` of this frame's transition, 0 without a transition.
    pub event_cause: i32,
    /// Attempt of this frame's transition, 0 without a transition.
    pub event_attempt: u32,
    /// 1 or 0.
    pub reverse: u8,
    /// 1 or 0.
    pub boost: u8,
    /// 1 or 0.
    pub arrived: u8,
    /// 1 or 0.
    pub inside_corridor: u8,
    /// 1 or 0.
    pub place_back: u8,
    /// Always 0.
    pub reserved: [u8; 3],
}

/// [`Neighbour`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RlfNeighbour {
    /// Metres.
    pub position_m: [f64; 3],
    /// m/s.
    pub velocity_mps: [f64; 3],
    /// Radians.
    pub heading_rad: f64,
    /// Metres.
    pub length_m: f64,
    /// Metres.
    pub width_m: f64,
}

impl From<RlfNeighbour> for Neighbour {
    fn from(RlfNeighbour { position_m, velocity_mps, heading_rad, length_m, width_m }: RlfNeighbour) -> Self {
        Self { position_m, velocity_mps, heading_rad, length_m, width_m }
    }
}

/// The contents of a racing-line file besides the line.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RlfLineInfo {
    /// Lap time by the file's speed profile, seconds.
    pub lap_time_s: f64,
    /// The file's vehicle; the default one if `has_vehicle` is 0.
    pub vehicle: RlfVehicleGeometry,
    /// 1 or 0.
    pub has_vehicle: u8,
    /// Always 0.
    pub reserved: [u8; 7],
}

impl From<RlfWaypoint> for Waypoint {
    fn from(RlfWaypoint { position_m, left_m, right_m, speed_mps, curvature_radpm }: RlfWaypoint) -> Self {
        Self { position_m, left_m, right_m, speed_mps, curvature_radpm }
    }
}

impl From<RlfVehicleState> for VehicleState {
    fn from(state: RlfVehicleState) -> Self {
        let RlfVehicleState { position_m, heading_rad, speed_mps, velocity_mps, yaw_rate_radps } = state;
        Self { position_m, heading_rad, speed_mps, velocity_mps, yaw_rate_radps }
    }
}

impl From<RlfVehicleGeometry> for VehicleGeometry {
    fn from(vehicle: RlfVehicleGeometry) -> Self {
        let RlfVehicleGeometry {
            wheelbase_m,
            max_steering_rad,
            length_m,
            width_m,
            rear_axle_m,
            grip_g,
            max_yaw_rate_radps,
        } = vehicle;
        Self {
            kind: VehicleKind::Wheels,
            wheelbase_m,
            max_steering_rad,
            length_m,
            width_m,
            rear_axle_m,
            grip_g,
            max_yaw_rate_radps,
        }
    }
}

impl From<VehicleGeometry> for RlfVehicleGeometry {
    fn from(vehicle: VehicleGeometry) -> Self {
        let VehicleGeometry {
            kind: _,
            wheelbase_m,
            max_steering_rad,
            length_m,
            width_m,
            rear_axle_m,
            grip_g,
            max_yaw_rate_radps,
        } = vehicle;
        Self { wheelbase_m, max_steering_rad, length_m, width_m, rear_axle_m, grip_g, max_yaw_rate_radps }
    }
}

impl From<&Command> for RlfCommand {
    fn from(command: &Command) -> Self {
        let (place_position_m, place_heading_rad) =
            command.place_back.map_or(([0.0; 3], 0.0), |placement| (placement.position_m, placement.heading_rad));
        let state = number_of(command.state);
        let (event_from, event_cause, event_attempt) = command
            .event
            .map_or((state, 0, 0), |event| (number_of(event.from), number_of_cause(event.cause), event.attempt));
        Self {
            pedal: command.pedal,
            steering_rad: command.steering_rad,
            target_speed_mps: command.target_speed_mps,
            target_point_m: command.target_point_m,
            nearest_point_m: command.nearest_point_m,
            s_m: command.s_m,
            cross_track_error_m: command.cross_track_error_m,
            place_position_m,
            place_heading_rad,
            state,
            event_from,
            event_cause,
            event_attempt,
            reverse: u8::from(command.reverse),
            boost: u8::from(command.boost),
            arrived: u8::from(command.arrived),
            inside_corridor: u8::from(command.inside_corridor),
            place_back: u8::from(command.place_back.is_some()),
            reserved: [0; 3],
        }
    }
}

impl RlfCommand {
    /// As much of the command as learning looks at.
    pub(super) fn observed(&self) -> Command {
        let state = match self.state {
            0 => StuckState::Driving,
            1 => StuckState::Reversing,
            2 => StuckState::TurningOut,
            _ => StuckState::AskingForPlacement,
        };
        // Which event it was does not matter.
        let event = (self.event_cause != 0).then_some(StuckEvent {
            from: state,
            to: state,
            cause: StuckCause::NoProgress,
            attempt: self.event_attempt,
            s_m: self.s_m,
        });
        Command {
            pedal: self.pedal,
            steering_rad: self.steering_rad,
            target_speed_mps: self.target_speed_mps,
            s_m: self.s_m,
            cross_track_error_m: self.cross_track_error_m,
            arrived: self.arrived != 0,
            inside_corridor: self.inside_corridor != 0,
            event,
            ..Command::brake(state)
        }
    }
}

fn number_of(state: StuckState) -> i32 {
    match state {
        StuckState::Driving => 0,
        StuckState::Reversing => 1,
        StuckState::TurningOut => 2,
        StuckState::AskingForPlacement => 3,
    }
}

fn number_of_cause(cause: StuckCause) -> i32 {
    match cause {
        StuckCause::NoProgress => 1,
        StuckCause::AttemptsUsedUp => 2,
        StuckCause::Reversed => 3,
        StuckCause::BlockedBehind => 4,
        StuckCause::TurnedOut => 5,
        StuckCause::UnderWay => 6,
        StuckCause::PlacedBack => 7,
        StuckCause::NotPlaced => 8,
        StuckCause::PathChanged => 9,
    }
}
