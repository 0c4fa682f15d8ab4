//! Options of the stuck manager.

/// When a vehicle counts as stuck, and what then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StuckOptions {
    /// Whether anything is done about it; default true. When false the state stays at driving.
    pub enabled: bool,
    /// A vehicle that hasn't progressed by `min_progress_m` along the path within this time is stuck, seconds, 0.1 to 600; default 4.
    pub window_s: f64,
    /// Metres, above 0, at most 1000; default 2.
    pub min_progress_m: f64,
    /// How long to reverse at the first attempt, seconds, 0.05 to 60; default 1.5. Each further attempt takes half as long again.
    pub reverse_s: f64,
    /// How long to turn out forwards, seconds, 0.05 to 60; default 2.
    pub turn_out_s: f64,
    /// Throttle in both, above 0, at most 1; default 0.6.
    pub throttle: f64,
    /// Attempts before asking to be placed back, 1 to 100; default 3.
    pub attempts: u32,
    /// Progress beyond the place where it was last stuck that makes the attempts start over, metres, above 0, at most 1000; default 10.
    pub recovered_m: f64,
    /// How long to wait for being placed back before trying again, seconds, 0.05 to 3600; default 5.
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
