//! Options of the stuck manager.

/// Stuck manager: when a vehicle counts as stuck, and the manoeuvres to free it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StuckOptions {
    /// Whether the stuck manager is active; default true. If false, the state is always driving.
    pub enabled: bool,
    /// A vehicle is stuck if it does not progress by `min_progress_m` along the path within this
    /// time, seconds, 0.1 to 600; default 4.
    pub window_s: f64,
    /// Metres, above 0, at most 1000; default 2.
    pub min_progress_m: f64,
    /// Duration of reversing at the first attempt, seconds, 0.05 to 60; default 1.5. Each further
    /// attempt is 50 % longer.
    pub reverse_s: f64,
    /// Duration of driving forwards again, seconds, 0.05 to 60; default 2.
    pub turn_out_s: f64,
    /// Throttle in both, above 0, at most 1; default 0.6.
    pub throttle: f64,
    /// Attempts before a placement is requested, 1 to 100; default 3.
    pub attempts: u32,
    /// Progress beyond the last stuck position after which the count of attempts restarts, metres,
    /// above 0, at most 1000; default 10.
    pub recovered_m: f64,
    /// Time to wait for the placement before the next attempt, seconds, 0.05 to 3600; default 5.
    pub placement_s: f64,
}

impl Default for StuckOptions {
    fn default() -> Self {
        Self {
            enabled: true,
            window_s: 4.0,
            min_progress_m: 2.0,
            reverse_s: 1.5,
            turn_out_s: 2.0,
            throttle: 0.6,
            attempts: 3,
            recovered_m: 10.0,
            placement_s: 5.0,
        }
    }
}
