//! Measurements of a log, and the places and the noise of the path through them.

use raceline_numerics::math;
use serde::Serialize;

/// A measurement of the logger at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measurement {
    /// Time, s.
    pub time_s: f64,
    /// Position, m.
    pub position_m: Option<[f64; 2]>,
    /// Speed, m/s.
    pub speed_mps: Option<f64>,
    /// Direction of travel, rad counter-clockwise from +x.
    pub heading_rad: Option<f64>,
}

/// How noisy a log is: standard deviations of greatest likelihood.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Noise {
    /// Of a position in each direction, m, without the drift.
    pub position_m: f64,
    /// Of a speed, m/s.
    pub speed_mps: f64,
    /// Of a direction of travel, rad.
    pub heading_rad: f64,
    /// How fast the acceleration changes: m/s² in the square root of a second.
    pub jerk: f64,
    /// How fast positions wander from what the velocity adds up to: m in the square root of a second.
    pub wander: f64,
    /// By how much speeds and directions are late, as the receiver smooths them, s.
    pub lag_s: f64,
}

/// A place of the smoothed path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Node {
    /// Time, s.
    pub time_s: f64,
    /// Position, m.
    pub position_m: [f64; 2],
    /// Velocity, m/s.
    pub velocity_mps: [f64; 2],
    /// Acceleration, m/s².
    pub accel_mps2: [f64; 2],
    /// Standard deviation of the position, m.
    pub deviation_m: f64,
}

impl Node {
    /// Speed, m/s.
    #[must_use]
    pub fn speed_mps(&self) -> f64 {
        math::hypot(self.velocity_mps[0], self.velocity_mps[1])
    }

    /// Direction of travel, rad counter-clockwise from +x.
    #[must_use]
    pub fn heading_rad(&self) -> f64 {
        math::atan2(self.velocity_mps[1], self.velocity_mps[0])
    }

    /// Acceleration forwards and to the left, m/s²; 0 of a vehicle at rest.
    #[must_use]
    pub fn body_accel_mps2(&self) -> [f64; 2] {
        let speed = self.speed_mps();
        if speed < 1.0 {
            return [0.0; 2];
        }
        let [along_x, along_y] = self.velocity_mps.map(|v| v / speed);
        let [ax, ay] = self.accel_mps2;
        [ax * along_x + ay * along_y, ay * along_x - ax * along_y]
    }

    /// The path between this node and `next`, `fraction` of the time on.
    #[must_use]
    pub fn between(&self, next: &Self, fraction: f64) -> Self {
        let step_s = next.time_s - self.time_s;
        let mix = |a: f64, b: f64| a + fraction * (b - a);
        let pair = |a: [f64; 2], b: [f64; 2]| [mix(a[0], b[0]), mix(a[1], b[1])];
        // Hermite's cubic: positions of a bend lie beside the chord.
        let (f, f2, f3) = (fraction, fraction * fraction, fraction * fraction * fraction);
        let at = |axis: usize| {
            (2.0 * f3 - 3.0 * f2 + 1.0) * self.position_m[axis]
                + (f3 - 2.0 * f2 + f) * step_s * self.velocity_mps[axis]
                + (3.0 * f2 - 2.0 * f3) * next.position_m[axis]
                + (f3 - f2) * step_s * next.velocity_mps[axis]
        };
        Self {
            time_s: self.time_s + fraction * step_s,
            position_m: [at(0), at(1)],
            velocity_mps: pair(self.velocity_mps, next.velocity_mps),
            accel_mps2: pair(self.accel_mps2, next.accel_mps2),
            deviation_m: mix(self.deviation_m, next.deviation_m),
        }
    }
}
