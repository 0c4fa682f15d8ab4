//! Options, by concern. Every field has a unit, a range and a default.

mod driving;
mod follower;
mod for_vehicle;
mod former_keys;
mod limit;
mod stuck;
mod table;
mod target_speed;
mod traffic;
mod validation;

pub use driving::{
    BoostOptions, LookaheadOptions, NearestPointOptions, PickUpOptions, SpeedControlOptions, SteeringOptions,
};
pub use follower::FollowerOptions;
pub use former_keys::current_key;
pub use limit::LimitOptions;
pub(crate) use limit::WHEELBASE_M;
pub use stuck::StuckOptions;
pub use table::OptionRow;
pub(crate) use table::{Number, Row, Table, by_key, options, range, set, table, validate};
pub use target_speed::{CurveSpan, SpeedMode, TargetSpeedOptions};
pub use traffic::TrafficOptions;
pub(crate) use validation::{APART, SMALLEST, validate_rows, validate_vehicle};
