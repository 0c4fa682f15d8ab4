//! The options of the follower.

use super::{
    BoostOptions, LimitOptions, LookaheadOptions, NearestPointOptions, OptionRow, PickUpOptions, SpeedControlOptions,
    SteeringOptions, StuckOptions, TargetSpeedOptions, TrafficOptions, current_key, table,
};
use crate::error::OptionsError;

/// Declares the options of the follower: a table for each concern.
macro_rules! concerns {
    ($(#[$about:meta])* FollowerOptions { $($(#[$about_concern:meta])* $concern:ident: $type:ty,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Default)]
        pub struct FollowerOptions {
            $(
                $(#[$about_concern])*
                pub $concern: $type,
            )*
        }

        impl FollowerOptions {
            fn set_current(&mut self, key: &str, value: f64) -> Option<Result<(), String>> {
                None$(.or_else(|| table::set(&mut self.$concern, key, value)))*
            }

            /// The value of the option `key` of [`Self::table`], in which a switch is 0 or 1. `None` for
            /// an unknown key; a former key is taken as well.
            pub fn get(&self, key: &str) -> Option<f64> {
                let key = current_key(key);
                None$(.or_else(|| table::get(&self.$concern, key)))*
            }

            /// All options with their values here: keys, units, ranges and descriptions.
            ///
            /// ```
            /// let options = raceline_follower::FollowerOptions::default();
            /// let row = options.table().into_iter().find(|row| row.key == "limit.delay_s").ok_or("no row")?;
            /// assert_eq!((row.unit, row.range, row.value), ("s", "0 to 0.25 s", 0.0));
            /// # Ok::<(), &str>(())
            /// ```
            pub fn table(&self) -> Vec<OptionRow> {
                [$(table::table(&self.$concern)),*].concat()
            }

            /// Checks every field.
            ///
            /// # Errors
            /// The first field that is out of its documented range.
            pub fn validate(&self) -> Result<(), OptionsError> {
                $(table::validate(&self.$concern)?;)*
                Ok(())
            }
        }
    };
}

concerns! {
    /// How [`crate::Follower`] drives. The default is for a game's vehicles of any kind, up to
    /// 11.6 m/s: it plans speeds with the figures that suit six of them best
    /// (`docs/notes/proving-ground.md`). It counts on [`crate::VehicleGeometry::grip_g`] and
    /// [`crate::VehicleGeometry::kind`] where the game knows them.
    ///
    /// ```
    /// use raceline_follower::FollowerOptions;
    ///
    /// let mut options = FollowerOptions::for_racing();
    /// options.stuck.attempts = 5;
    /// options.set("limit.delay_s", 0.05)?;
    /// assert!(options.validate().is_ok());
    /// # Ok::<(), String>(())
    /// ```
    FollowerOptions {
        /// Target speed.
        target_speed: TargetSpeedOptions,
        /// The vehicle's nearest point on the path.
        nearest_point: NearestPointOptions,
        /// Lookahead distance.
        lookahead: LookaheadOptions,
        /// Steering.
        steering: SteeringOptions,
        /// Pedal.
        speed_control: SpeedControlOptions,
        /// Steering and pedal at the limit of grip.
        limit: LimitOptions,
        /// Stuck manager.
        stuck: StuckOptions,
        /// Selection of pick-ups.
        pick_ups: PickUpOptions,
        /// When to boost.
        boost: BoostOptions,
        /// Driving among other vehicles.
        traffic: TrafficOptions,
    }
}

impl FollowerOptions {
    /// The fixed figures of the paper, for comparison: up to 10 m/s, curves through three points
    /// (de Schaetzen and Sestini, *Efficient Ground Vehicle Path Following in Game AI*, 2023).
    /// Vehicles that slide or turn slowly get stuck with them.
    ///
    /// ```
    /// use raceline_follower::FollowerOptions;
    ///
    /// assert_eq!(FollowerOptions::paper().target_speed.lateral_acceleration_g, 0.4);
    /// ```
    pub fn paper() -> Self {
        Self { target_speed: TargetSpeedOptions::paper(), ..Self::default() }
    }

    /// For fast cars on a racing line with a speed profile: the lower of profile and curves,
    /// feed-forward of the profile's acceleration to the pedal and of the line's curvature to the
    /// wheels, and a lookahead by time.
    pub fn for_racing() -> Self {
        Self {
            target_speed: TargetSpeedOptions::for_racing(),
            lookahead: LookaheadOptions::for_racing(),
            steering: SteeringOptions::for_racing(),
            speed_control: SpeedControlOptions::for_racing(),
            limit: LimitOptions::for_racing(),
            ..Self::default()
        }
    }

    /// Sets the option `key`, which has the field's name (`limit.preview_s`), to `value`, for a game
    /// whose settings are text; [`Self::table`] lists the keys, and a former key is taken as well. A
    /// switch is off at 0 and on at 1; `target_speed.mode` is 0 for curves, 1 for the profile, 2 for the
    /// lower of both; `target_speed.span` is 0 for points, 1 for middles, 2 for headings. Ranges are
    /// checked when a follower is made.
    ///
    /// # Errors
    /// A message for an unknown key and for a value that is not valid for a switch or a count.
    pub fn set(&mut self, key: &str, value: f64) -> Result<(), String> {
        self.set_current(current_key(key), value)
            .unwrap_or_else(|| Err(format!("there is no option {key}: docs/reference/options.md lists the options")))
    }
}
