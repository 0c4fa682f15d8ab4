//! Speed, acceleration and time along a line.

use std::ops::Range;

/// How the computation of a profile ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A further round of passes would change w by at most a fraction of 1e-9.
    Converged,
    /// The maximum number of rounds was reached; the profile is slightly too fast.
    PassLimit,
}

/// Speed, acceleration and time at every point of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedProfile {
    /// Speed at each point, m/s; at least [`SPEED_FLOOR_MPS`](crate::speed::SPEED_FLOOR_MPS).
    pub speed_mps: Vec<f64>,
    /// Acceleration along the line over the step that begins at each point, m/s²: (v'² - v²) / 2Δ.
    /// The last point of an open course repeats the previous value.
    pub accel_mps2: Vec<f64>,
    /// Time from the first point to each, s.
    pub time_s: Vec<f64>,
    /// Time from the first point to the last, s, or of the whole lap on a closed course.
    pub lap_time_s: f64,
    /// How the computation ended.
    pub status: Status,
    /// Number of rounds of passes.
    pub passes: usize,
}

impl SpeedProfile {
    /// The part with the points of `range`, with times from the first of them; the whole profile
    /// for all points.
    pub(crate) fn within(&self, range: Range<usize>) -> Self {
        if range == (0..self.speed_mps.len()) {
            return self.clone();
        }
        let start_s = self.time_s[range.start];
        Self {
            speed_mps: self.speed_mps[range.clone()].to_vec(),
            accel_mps2: self.accel_mps2[range.clone()].to_vec(),
            time_s: self.time_s[range.clone()].iter().map(|time_s| time_s - start_s).collect(),
            lap_time_s: self.time_s[range.end - 1] - start_s,
            ..self.clone()
        }
    }
}
