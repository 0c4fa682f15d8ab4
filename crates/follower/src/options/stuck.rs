//! Options of the stuck manager.

use super::table::options;

options! {
    /// Stuck manager: when a vehicle counts as stuck, and the manoeuvres to free it.
    StuckOptions, "stuck." {
        /// Whether the stuck manager is active. If not, the state is always driving.
        enabled: bool = true, [switch];
        /// A vehicle is stuck if it does not progress by `min_progress_m` along the path within this
        /// time.
        window_s: f64 = 4.0, [from 0.1 to 600], "s";
        /// Progress along the path within `window_s` below which a vehicle is stuck.
        min_progress_m: f64 = 2.0, [above 0 to 1000], "m";
        /// Duration of reversing at the first attempt. Each further attempt is 50 % longer.
        reverse_s: f64 = 1.5, [from 0.05 to 60], "s";
        /// Duration of driving forwards again.
        turn_out_s: f64 = 2.0, [from 0.05 to 60], "s";
        /// Throttle in both directions.
        throttle: f64 = 0.6, [above 0 to 1];
        /// Attempts before a placement is requested.
        attempts: u32 = 3, [from 1 to 100];
        /// Progress beyond the last stuck position after which the count of attempts restarts.
        recovered_m: f64 = 10.0, [above 0 to 1000], "m";
        /// Time to wait for the placement before the next attempt.
        placement_s: f64 = 5.0, [from 0.05 to 3600], "s";
    }
}
