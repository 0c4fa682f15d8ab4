//! A racing line, a vehicle and a follower → how the line is driven: lap times, distance from the
//! line, a trace.
//!
//! The vehicle of a line is a point mass that is exactly on the line. Here it becomes a dynamic
//! bicycle with slip angles, yaw inertia and a steering rate ([`raceline_vehicle_simulation`]). A
//! follower drives it: it reads the vehicle's state once a frame, and its command is held until the
//! next one ([`driver`]). The result shows how much of the profile's lap time can be reached.
//!
//! **Laps.** On a closed line the vehicle starts from standstill on the first point. The lap from
//! there is the warm-up; each further one is timed from crossing the first point to crossing it
//! again, linear between frames. An open line is driven from end to end, from the profile's first
//! speed, once per specified lap, without a warm-up.
//!
//! **Stretches and patches of grip** in the line's options act at the places of the axles, wherever the
//! vehicle drives. The follower knows the speeds of the profile and the grip in the line's points alone.
//!
//! A drive is aborted after ten times the profile's time plus half a minute per lap. Its result
//! then contains the completed laps.

mod best_fraction;
mod bicycle;
mod contacts;
mod course;
pub mod driver;
mod drives;
mod error;
mod fleet;
mod follower_kind;
mod gaps;
mod measures;
mod noise;
mod noisy_drives;
mod options;
mod patches;
mod reference_line;
mod run;
mod sensitivity;
mod simulated_vehicle;
mod simulation;
mod surroundings;
mod trace;
pub mod trace_csv;
mod traffic;

pub use best_fraction::{BestFraction, best_fraction};
pub use bicycle::{bicycle_of, handling_of};
pub use contacts::Encounters;
pub use drives::{Drive, drive, drive_in};
pub use error::DriveError;
pub use fleet::{Action, Fleet, FleetOptions, Placement, Standing};
pub use follower_kind::FollowerKind;
pub use measures::Measures;
pub use noise::Noise;
pub use noisy_drives::{NoisyDrives, NoisyLap, drive_once_with_noise, drive_with_noise};
pub(crate) use noisy_drives::{drive_with_grip_and_delay, risk_of_lap};
pub use options::DriveOptions;
pub use raceline_vehicle_simulation::OutOfRange;
pub use reference_line::{LinePlace, ReferenceLine};
pub use sensitivity::{Disturbance, Quantity, sensitivity};
pub use simulation::{SimulatedGrip, Simulation};
pub use surroundings::{Obstacle, Surroundings, read_obstacles};
pub use trace::{TraceRow, state_name};
