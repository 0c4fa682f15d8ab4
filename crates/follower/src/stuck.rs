//! The stuck manager: detects a vehicle without progress, and frees it.
//!
//! ```text
//!             no progress in the window                  time up, or blocked behind
//!   Driving ───────────────────────────► Reversing ──────────────────────────────────► TurningOut
//!    ▲  ▲ │                                  ▲                                            │
//!    │  │ │ no progress, attempts used up    │ not placed in time                         │ on the way, or time up
//!    │  │ └──────────► AskingForPlacement ───┘                                            │
//!    │  └─ placed back ──────┘                                                            │
//!    └────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! Between two visits of the same state there are at least two others or a whole window of driving,
//! so it never alternates quickly. Each attempt reverses for longer than the previous one and
//! steers to the other side. The count of attempts restarts only when the vehicle has left its last
//! stuck position well behind. All followers of this crate use it, so that their stuck events are
//! comparable.

use crate::options::StuckOptions;
use raceline_numerics::math;

/// State of the stuck manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum StuckState {
    /// The follower drives.
    #[default]
    Driving,
    /// Reversing away from the obstacle.
    Reversing,
    /// Forward again, towards the path, at a fixed throttle.
    TurningOut,
    /// All attempts failed: the vehicle is at rest, and the game is requested to place it back on
    /// the path.
    AskingForPlacement,
}

/// Cause of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StuckCause {
    /// Not enough progress along the path within the window.
    NoProgress,
    /// No progress, and no attempt left.
    AttemptsUsedUp,
    /// Reversed for as long as this attempt allows.
    Reversed,
    /// Reversing did not move the vehicle.
    BlockedBehind,
    /// Turned out for the longest permitted time.
    TurnedOut,
    /// Moving along the path again.
    MovingAgain,
    /// The vehicle was moved by the game.
    PlacedBack,
    /// The game did not place the vehicle in time.
    NotPlaced,
    /// The game changed the path.
    PathChanged,
}

/// A transition of the stuck manager.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StuckEvent {
    /// Previous state.
    pub from: StuckState,
    /// New state.
    pub to: StuckState,
    /// Cause.
    pub cause: StuckCause,
    /// Number of the attempt since the vehicle last drove freely, from 1.
    pub attempt: u32,
    /// Arc length on the path, metres.
    pub s_m: f64,
}

impl StuckEvent {
    /// Whether the vehicle counts as stuck from this transition on. Count these transitions to
    /// count stuck events.
    pub fn is_stuck(&self) -> bool {
        self.from == StuckState::Driving && self.to != StuckState::Driving
    }
}

/// Where the game should place a vehicle back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Position on the path, metres.
    pub position_m: [f64; 3],
    /// Heading in the direction of travel, radians.
    pub heading_rad: f64,
    /// Arc length, metres.
    pub s_m: f64,
}

/// Input of the manager in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StuckObservation {
    /// Arc length of the vehicle's position on the path, metres.
    pub s_m: f64,
    /// Movement of that position along the path since the last frame, metres.
    pub advance_m: f64,
    /// Distance from the path, metres. Approaching the path counts as progress.
    pub off_path_m: f64,
    /// Speed along the heading, m/s.
    pub speed_mps: f64,
    /// Whether the vehicle is meant to move.
    pub wants_to_move: bool,
    /// Whether the vehicle was moved other than by driving.
    pub teleported: bool,
    /// Whether the path changed since the last frame.
    pub path_changed: bool,
    /// Time since the last frame, seconds.
    pub dt_s: f64,
}

/// The state machine; see the module's documentation.
///
/// ```
/// use raceline_follower::{StuckManager, StuckObservation, StuckOptions, StuckState};
///
/// let mut manager = StuckManager::new(StuckOptions { window_s: 1.0, ..StuckOptions::default() });
/// let standing = StuckObservation {
///     s_m: 12.0,
///     advance_m: 0.0,
///     off_path_m: 0.0,
///     speed_mps: 0.0,
///     wants_to_move: true,
///     teleported: false,
///     path_changed: false,
///     dt_s: 0.6,
/// };
/// let events = [manager.update(&standing), manager.update(&standing)];
/// assert!(events[1].is_some_and(|event| event.is_stuck()) && manager.state() == StuckState::Reversing);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StuckManager {
    options: StuckOptions,
    state: StuckState,
    in_state_s: f64,
    /// Progress since the start of the window, metres, and the time since then.
    progress_m: f64,
    window_s: f64,
    off_path_m: f64,
    attempt: u32,
    /// Progress made since the vehicle last counted as stuck, metres.
    since_stuck_m: f64,
    reversed_m: f64,
}

/// The vehicle counts as moving backwards from this speed, m/s.
const MOVING_MPS: f64 = 0.2;
/// Ratio of an attempt's reversing time to the previous one's.
const ESCALATION: f64 = 1.5;
/// Ratio of the longest reversing time to the usual one where another vehicle is too near.
const LONGER: f64 = 3.0;

impl StuckManager {
    /// A manager in the driving state. The options must be valid.
    pub fn new(options: StuckOptions) -> Self {
        Self {
            options,
            state: StuckState::Driving,
            in_state_s: 0.0,
            progress_m: 0.0,
            window_s: 0.0,
            off_path_m: f64::INFINITY,
            attempt: 0,
            since_stuck_m: 0.0,
            reversed_m: 0.0,
        }
    }

    /// Resets everything except the options.
    pub fn reset(&mut self) {
        *self = Self::new(self.options);
    }

    /// Throttle while reversing and turning out.
    pub fn throttle(&self) -> f64 {
        self.options.throttle
    }

    /// The current state.
    pub fn state(&self) -> StuckState {
        self.state
    }

    /// Attempts since the vehicle last drove freely.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Evaluates a frame and returns the transition that it causes.
    pub fn update(&mut self, seen: &StuckObservation) -> Option<StuckEvent> {
        self.update_before(seen, None)
    }

    /// As [`Self::update`]; where it reverses from another vehicle, `far_enough` is whether that can be driven
    /// around now.
    pub(crate) fn update_before(&mut self, seen: &StuckObservation, far_enough: Option<bool>) -> Option<StuckEvent> {
        if !self.options.enabled {
            return None;
        }
        self.in_state_s += seen.dt_s;
        self.since_stuck_m += seen.advance_m;
        if self.since_stuck_m >= self.options.recovered_m {
            self.attempt = 0;
        }
        if seen.teleported || seen.path_changed {
            self.restart_window(seen);
            self.attempt = 0;
            if self.state != StuckState::Driving {
                let cause = if seen.teleported { StuckCause::PlacedBack } else { StuckCause::PathChanged };
                return Some(self.enter(StuckState::Driving, cause, seen));
            }
            return None;
        }
        match self.state {
            StuckState::Driving => self.drive(seen),
            StuckState::Reversing => {
                self.reversed_m -= seen.speed_mps.min(0.0) * seen.dt_s;
                let time =
                    self.options.reverse_s * math::powi(ESCALATION, self.attempt.saturating_sub(1).min(8) as i32);
                let blocked = self.in_state_s >= 0.5 * time && seen.speed_mps > -MOVING_MPS;
                let longest = match far_enough {
                    None => time,
                    Some(false) => LONGER * time,
                    Some(true) => 0.0,
                };
                if self.in_state_s >= longest {
                    Some(self.enter(StuckState::TurningOut, StuckCause::Reversed, seen))
                } else if blocked {
                    Some(self.enter(StuckState::TurningOut, StuckCause::BlockedBehind, seen))
                } else {
                    None
                }
            }
            StuckState::TurningOut => {
                self.advance_window(seen);
                // As far as it had reversed, so that the obstacle is behind it.
                if self.progress_m >= self.reversed_m + self.options.min_progress_m {
                    Some(self.enter(StuckState::Driving, StuckCause::MovingAgain, seen))
                } else if self.in_state_s >= self.options.turn_out_s {
                    Some(self.enter(StuckState::Driving, StuckCause::TurnedOut, seen))
                } else {
                    None
                }
            }
            StuckState::AskingForPlacement => (self.in_state_s >= self.options.placement_s).then(|| {
                self.attempt = 1;
                self.enter(StuckState::Reversing, StuckCause::NotPlaced, seen)
            }),
        }
    }

    fn drive(&mut self, seen: &StuckObservation) -> Option<StuckEvent> {
        if !seen.wants_to_move {
            self.restart_window(seen);
            return None;
        }
        self.advance_window(seen);
        if self.progress_m >= self.options.min_progress_m {
            self.restart_window(seen);
        }
        if self.window_s < self.options.window_s {
            return None;
        }
        self.since_stuck_m = 0.0;
        self.attempt += 1;
        if self.attempt > self.options.attempts {
            return Some(self.enter(StuckState::AskingForPlacement, StuckCause::AttemptsUsedUp, seen));
        }
        Some(self.enter(StuckState::Reversing, StuckCause::NoProgress, seen))
    }

    fn advance_window(&mut self, seen: &StuckObservation) {
        let nearer = if self.off_path_m.is_finite() { self.off_path_m - seen.off_path_m } else { 0.0 };
        self.off_path_m = seen.off_path_m;
        self.progress_m += seen.advance_m + nearer;
        self.window_s += seen.dt_s;
    }

    fn restart_window(&mut self, seen: &StuckObservation) {
        self.progress_m = 0.0;
        self.window_s = 0.0;
        self.off_path_m = seen.off_path_m;
    }

    fn enter(&mut self, to: StuckState, cause: StuckCause, seen: &StuckObservation) -> StuckEvent {
        let event = StuckEvent { from: self.state, to, cause, attempt: self.attempt.max(1), s_m: seen.s_m };
        if to == StuckState::Reversing {
            self.reversed_m = 0.0;
        }
        self.state = to;
        self.in_state_s = 0.0;
        self.restart_window(seen);
        event
    }
}
