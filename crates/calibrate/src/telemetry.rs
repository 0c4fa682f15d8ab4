//! Driven data: what a car did and what its driver asked for, sample by sample.

use raceline_numerics::math;

/// Telemetry of one vehicle: one or more runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Telemetry {
    /// The runs, each with a time of its own.
    pub runs: Vec<Run>,
}

/// One run. All columns have the length of `time_s`. Accelerations are those of the motion of the
/// centre of gravity in the horizontal plane, not the readings of a sensor on a slope; positive is
/// forwards and to the left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Name for messages: that of the file.
    pub name: String,
    /// Time, s, increasing.
    pub time_s: Vec<f64>,
    /// Speed, m/s: along the body if `leftward_mps` is specified, else along the path.
    pub speed_mps: Vec<f64>,
    /// Velocity across the body, m/s, positive to the left.
    pub leftward_mps: Option<Vec<f64>>,
    /// Acceleration along the path, m/s². Default: derived from the speed.
    pub accel_mps2: Option<Vec<f64>>,
    /// Acceleration across the path, m/s², positive to the left. Default: speed times yaw rate, with
    /// the change of the slip angle where `leftward_mps` is specified.
    pub lateral_accel_mps2: Option<Vec<f64>>,
    /// Yaw rate, rad/s, positive to the left.
    pub yaw_rate_radps: Option<Vec<f64>>,
    /// Throttle, 0 to 1.
    pub throttle: Option<Vec<f64>>,
    /// Brake, 0 to 1.
    pub brake: Option<Vec<f64>>,
    /// Gear; a change of gear is left out of the fit of the drive.
    pub gear: Option<Vec<f64>>,
    /// Factor of the road's grip. Default: 1.
    pub grip: Option<Vec<f64>>,
    /// Acceleration that presses the car on the road, m/s², without downforce: g on the flat.
    /// Default: by grade, banking and vertical curvature.
    pub normal_accel_mps2: Option<Vec<f64>>,
    /// Grade, rad, positive uphill. Default: 0.
    pub grade_rad: Option<Vec<f64>>,
    /// Banking, rad, positive where the left edge is higher. Default: 0.
    pub banking_rad: Option<Vec<f64>>,
    /// Vertical curvature, 1/m, positive in a dip. Default: 0.
    pub vertical_curvature_radpm: Option<Vec<f64>>,
    /// Load of both front wheels, N.
    pub load_front_n: Option<Vec<f64>>,
    /// Load of both rear wheels, N.
    pub load_rear_n: Option<Vec<f64>>,
}

impl Run {
    /// Number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.time_s.len()
    }

    /// Whether there is no sample.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.time_s.is_empty()
    }

    /// The usual time between two samples, s: the median.
    #[must_use]
    pub fn step_s(&self) -> f64 {
        let mut steps: Vec<f64> = self.time_s.windows(2).map(|pair| pair[1] - pair[0]).collect();
        super::statistics::median(&mut steps)
    }

    /// The speed along the path, m/s.
    #[must_use]
    pub fn path_speed_mps(&self) -> Vec<f64> {
        match &self.leftward_mps {
            Some(leftward) => self.speed_mps.iter().zip(leftward).map(|(u, v)| math::hypot(*u, *v)).collect(),
            None => self.speed_mps.clone(),
        }
    }
}
