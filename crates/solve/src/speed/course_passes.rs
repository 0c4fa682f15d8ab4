//! What the solver repeats until a profile has converged.

/// The passes over one line.
pub(super) trait CoursePasses {
    /// Sets each point to the limit by cornering and `ceiling`.
    fn limit_by_cornering(&self, ceiling: f64, speed_squared: &mut Vec<f64>);

    /// Forward pass from `begin`: lowers speeds that the vehicle cannot reach by driving. A pass may
    /// end at the first point that it leaves alone.
    fn limit_by_driving(&mut self, begin: usize, stop_where_settled: bool, speed_squared: &mut [f64]);

    /// Backward pass from `begin` (on an open course from its end): lowers speeds from which the
    /// vehicle cannot brake.
    fn limit_by_braking(&mut self, begin: usize, stop_where_settled: bool, speed_squared: &mut [f64]);
}
