//! The structs of the C interface, as `include/raceline_follower.h` declares them.

use std::ffi::c_char;
use std::ptr::null;

use super::calls::{Fault, RacelineStatus};
use super::sized::sized;
use crate::command::Command;
use crate::follower::Follower;
use crate::minimum_curvature::CorridorOptions;
use crate::path::{Path, PathSample, Waypoint};
use crate::stuck::{StuckCause, StuckEvent, StuckState};
use crate::vehicle::{VehicleGeometry, VehicleKind, VehicleState};

sized! {
    /// [`Waypoint`].
    RacelineWaypoint {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        position_m: [f64; 3] = [0.0; 3],
        /// Metres, infinite without a limit.
        left_m: f64 = f64::INFINITY,
        /// Metres, infinite without a limit.
        right_m: f64 = f64::INFINITY,
        /// m/s, NaN without a profile.
        speed_mps: f64 = f64::NAN,
        /// 1/m, NaN if unknown.
        curvature_radpm: f64 = f64::NAN,
    }
}

impl From<RacelineWaypoint> for Waypoint {
    fn from(waypoint: RacelineWaypoint) -> Self {
        let RacelineWaypoint { position_m, left_m, right_m, speed_mps, curvature_radpm, .. } = waypoint;
        Self { position_m, left_m, right_m, speed_mps, curvature_radpm }
    }
}

sized! {
    /// [`PathSample`].
    RacelinePathSample {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        s_m: f64 = 0.0,
        /// Metres.
        position_m: [f64; 3] = [0.0; 3],
        /// Metres.
        height_m: f64 = 0.0,
        /// Radians.
        heading_rad: f64 = 0.0,
        /// 1/m.
        curvature_radpm: f64 = 0.0,
        /// Metres.
        left_m: f64 = 0.0,
        /// Metres.
        right_m: f64 = 0.0,
        /// m/s, infinite without a profile.
        speed_mps: f64 = 0.0,
        /// m/s².
        acceleration_mps2: f64 = 0.0,
    }
}

impl From<PathSample> for RacelinePathSample {
    fn from(sample: PathSample) -> Self {
        let PathSample {
            s_m,
            position_m,
            height_m,
            heading_rad,
            curvature_radpm,
            left_m,
            right_m,
            speed_mps,
            acceleration_mps2,
        } = sample;
        Self {
            s_m,
            position_m,
            height_m,
            heading_rad,
            curvature_radpm,
            left_m,
            right_m,
            speed_mps,
            acceleration_mps2,
            ..Self::default()
        }
    }
}

sized! {
    /// [`CorridorOptions`].
    RacelineCorridorOptions {
        /// Always 0.
        reserved: u32 = 0,
        /// 0 to 1.
        fraction: f64 = CorridorOptions::default().fraction,
        /// Metres.
        clearance_m: f64 = CorridorOptions::default().clearance_m,
        /// Metres.
        spacing_m: f64 = CorridorOptions::default().spacing_m,
    }
}

sized! {
    /// [`VehicleGeometry`].
    RacelineVehicle {
        /// `enum raceline_kind`.
        kind: i32 = 0,
        /// Metres.
        wheelbase_m: f64 = VehicleGeometry::default().wheelbase_m,
        /// Radians.
        max_steering_rad: f64 = VehicleGeometry::default().max_steering_rad,
        /// Metres.
        length_m: f64 = VehicleGeometry::default().length_m,
        /// Metres.
        width_m: f64 = VehicleGeometry::default().width_m,
        /// Metres.
        rear_axle_m: f64 = VehicleGeometry::default().rear_axle_m,
        /// In units of g.
        grip_g: f64 = VehicleGeometry::default().grip_g,
        /// rad/s.
        max_yaw_rate_radps: f64 = VehicleGeometry::default().max_yaw_rate_radps,
    }
}

impl RacelineVehicle {
    /// The vehicle; a fault for an unknown kind.
    pub(super) fn geometry(self) -> Result<VehicleGeometry, Fault> {
        let Self {
            struct_size: _,
            kind,
            wheelbase_m,
            max_steering_rad,
            length_m,
            width_m,
            rear_axle_m,
            grip_g,
            max_yaw_rate_radps,
        } = self;
        let kind = match kind {
            0 => VehicleKind::Wheels,
            1 => VehicleKind::SkidSteer,
            2 => VehicleKind::Hover,
            _ => return Err(Fault(RacelineStatus::Value, format!("kind is {kind}, but must be 0, 1 or 2"))),
        };
        Ok(VehicleGeometry {
            kind,
            wheelbase_m,
            max_steering_rad,
            length_m,
            width_m,
            rear_axle_m,
            grip_g,
            max_yaw_rate_radps,
        })
    }
}

impl From<VehicleGeometry> for RacelineVehicle {
    fn from(vehicle: VehicleGeometry) -> Self {
        let VehicleGeometry {
            kind,
            wheelbase_m,
            max_steering_rad,
            length_m,
            width_m,
            rear_axle_m,
            grip_g,
            max_yaw_rate_radps,
        } = vehicle;
        let kind = match kind {
            VehicleKind::Wheels => 0,
            VehicleKind::SkidSteer => 1,
            VehicleKind::Hover => 2,
        };
        Self {
            kind,
            wheelbase_m,
            max_steering_rad,
            length_m,
            width_m,
            rear_axle_m,
            grip_g,
            max_yaw_rate_radps,
            ..Self::default()
        }
    }
}

sized! {
    /// The contents of a racing-line file besides the line.
    RacelineLineInfo {
        /// Always 0.
        reserved: u32 = 0,
        /// Lap time by the file's speed profile, seconds.
        lap_time_s: f64 = 0.0,
    }
}

sized! {
    /// [`VehicleState`].
    RacelineState {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        position_m: [f64; 3] = [0.0; 3],
        /// Radians.
        heading_rad: f64 = 0.0,
        /// m/s.
        speed_mps: f64 = 0.0,
        /// m/s, NaN if unknown.
        velocity_mps: [f64; 3] = [f64::NAN; 3],
        /// rad/s, NaN if unknown.
        yaw_rate_radps: f64 = f64::NAN,
    }
}

impl From<RacelineState> for VehicleState {
    fn from(state: RacelineState) -> Self {
        let RacelineState { position_m, heading_rad, speed_mps, velocity_mps, yaw_rate_radps, .. } = state;
        Self { position_m, heading_rad, speed_mps, velocity_mps, yaw_rate_radps }
    }
}

/// An option of the follower by its name.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RacelineOption {
    /// Zero-terminated.
    pub key: *const c_char,
    /// Value of the option.
    pub value: f64,
}

sized! {
    /// Everything that a follower is made of.
    RacelineFollowerOptions {
        /// `enum raceline_preset`.
        preset: i32 = 0,
        /// The path whose vehicle the preset `RACELINE_PRESET_LIMIT` takes; null without.
        path: *const Path = null(),
        /// Null for the default.
        vehicle: *const RacelineVehicle = null(),
        /// Options that differ from the preset.
        options: *const RacelineOption = null(),
        /// Number of options.
        option_count: usize = 0,
    }
}

sized! {
    /// [`crate::LocalPlannerOptions`]; NaN for the usual value.
    RacelinePlannerOptions {
        /// Always 0.
        reserved: u32 = 0,
        /// Metres.
        gap_m: f64 = f64::NAN,
        /// Metres.
        edge_m: f64 = f64::NAN,
        /// Metres.
        following_m: f64 = f64::NAN,
        /// Seconds.
        following_s: f64 = f64::NAN,
        /// m/s².
        braking_mps2: f64 = f64::NAN,
        /// m/s².
        driving_mps2: f64 = f64::NAN,
        /// m/s².
        lateral_mps2: f64 = f64::NAN,
        /// Metres.
        horizon_m: f64 = f64::NAN,
        /// Seconds.
        clearance_s: f64 = f64::NAN,
        /// Seconds.
        smoothness_s: f64 = f64::NAN,
        /// Seconds per metre.
        off_path_s: f64 = f64::NAN,
        /// Seconds per metre.
        change_s: f64 = f64::NAN,
    }
}

sized! {
    /// [`Command`], with the fields of its event and its placement inline.
    RacelineCommand {
        /// `enum raceline_stuck_state`.
        state: i32 = 0,
        /// -1 to 1.
        pedal: f64 = 0.0,
        /// Radians.
        steering_rad: f64 = 0.0,
        /// m/s.
        target_speed_mps: f64 = 0.0,
        /// Metres.
        target_point_m: [f64; 3] = [0.0; 3],
        /// Metres.
        nearest_point_m: [f64; 3] = [0.0; 3],
        /// Metres.
        s_m: f64 = 0.0,
        /// Metres.
        cross_track_error_m: f64 = 0.0,
        /// Position at which to place the vehicle back, metres; 0 unless `place_back`.
        place_position_m: [f64; 3] = [0.0; 3],
        /// Heading at that position, radians.
        place_heading_rad: f64 = 0.0,
        /// Distance to the left of the path that is driven, metres.
        shift_m: f64 = 0.0,
        /// `enum raceline_stuck_state` before this frame's transition; `state` without a transition.
        event_from: i32 = 0,
        /// `enum raceline_cause` of this frame's transition, 0 without a transition.
        event_cause: i32 = 0,
        /// Attempt of this frame's transition, 0 without a transition.
        event_attempt: u32 = 0,
        /// 1 or 0.
        reverse: u8 = 0,
        /// 1 or 0.
        boost: u8 = 0,
        /// 1 or 0.
        arrived: u8 = 0,
        /// 1 or 0.
        inside_corridor: u8 = 0,
        /// 1 or 0.
        place_back: u8 = 0,
        /// 1 or 0.
        avoiding: u8 = 0,
        /// 1 or 0.
        lacks_velocity: u8 = 0,
        /// Always 0.
        reserved: [u8; 5] = [0; 5],
        /// m/s²; NaN where it is not known.
        acceleration_mps2: f64 = 0.0,
    }
}

impl From<&Command> for RacelineCommand {
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
            lacks_velocity: u8::from(command.lacks_velocity),
            acceleration_mps2: command.acceleration_mps2.unwrap_or(f64::NAN),
            ..Self::default()
        }
    }
}

impl RacelineCommand {
    /// The command with what the follower knows besides.
    pub(super) fn of(command: &Command, follower: &Follower) -> Self {
        let avoiding = u8::from(follower.is_avoiding());
        Self { shift_m: follower.shift_m(), avoiding, ..Self::from(command) }
    }

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
            lacks_velocity: self.lacks_velocity != 0,
            acceleration_mps2: Some(self.acceleration_mps2).filter(|value| value.is_finite()),
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
        StuckCause::MovingAgain => 6,
        StuckCause::PlacedBack => 7,
        StuckCause::NotPlaced => 8,
        StuckCause::PathChanged => 9,
    }
}

#[cfg(test)]
mod tests;
