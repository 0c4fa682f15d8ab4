//! Options of nearest point, lookahead, steering, speed control, pick-ups and boost.

/// The vehicle's nearest point on the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPointOptions {
    /// Distance of the vehicle from its position on the path above which the whole path is
    /// searched, metres, above 0; default 20.
    pub rejoin_distance_m: f64,
}

impl Default for NearestPointOptions {
    fn default() -> Self {
        Self { rejoin_distance_m: 20.0 }
    }
}

/// The lookahead distance:
/// `(base_m + time_s · |v|) / (1 + curvature_gain_m · κ + cross_track_gain · |e|)`, clamped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookaheadOptions {
    /// Metres, 0 to 1000; default 3.
    pub base_m: f64,
    /// Seconds, 0 to 10; default 0.5.
    pub time_s: f64,
    /// Metres, 0 to 1000: at this radius of curvature ahead the lookahead is halved; default 3.
    pub curvature_gain_m: f64,
    /// Per metre of cross-track error, 0 to 100; default 0.1.
    pub cross_track_gain: f64,
    /// Metres, above 0; default 2.5.
    pub min_m: f64,
    /// Metres, at least `min_m`, at most 1000; default 20.
    pub max_m: f64,
}

impl Default for LookaheadOptions {
    fn default() -> Self {
        Self { base_m: 3.0, time_s: 0.5, curvature_gain_m: 3.0, cross_track_gain: 0.1, min_m: 2.5, max_m: 20.0 }
    }
}

impl LookaheadOptions {
    pub(crate) fn for_racing() -> Self {
        Self { base_m: 5.0, time_s: 0.25, curvature_gain_m: 0.0, cross_track_gain: 0.0, min_m: 4.0, max_m: 60.0 }
    }
}

/// Steering.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteeringOptions {
    /// Fraction of the path's own curvature that is fed forward, 0 to 1; default 0: pure pursuit
    /// alone. At 1 pure pursuit only corrects the deviation from the path.
    pub curvature_feedforward: f64,
    /// Preview time of the fed-forward curvature, seconds, 0 to 2; default 0.1.
    pub preview_s: f64,
    /// Steering added per lateral acceleration, rad/(m/s²), -0.1 to 0.1; default 0. The vehicle's
    /// understeer gradient.
    pub understeer_radpmps2: f64,
    /// Steering angle per shortfall of the yaw rate from curvature × speed, seconds, 0 to 2;
    /// default 0. It quickens and damps a sliding vehicle's yaw. A vehicle that responds
    /// immediately would oscillate, so it is inactive if neither yaw rate nor velocity is known.
    pub yaw_damping_s: f64,
    /// Largest slip angle of the front wheels, radians, 0.01 to 1.57; default 1.57: any. Beyond the
    /// slip angle of full sliding, the wheels gain no force and take longer to return. Requires
    /// `velocity_mps`.
    pub max_slip_rad: f64,
    /// Learning rate of the understeer gradient from that shortfall, 1/s, 0 to 20; default 0: no
    /// learning.
    pub slip_learning: f64,
    /// Early turning into bends that are sharper than the vehicle can turn, 0 to 2; default 0:
    /// none, as in the paper. The turn begins where the circle to some point of the path has the
    /// vehicle's largest curvature divided by this. At 1 a corner is cut by the arc of the smallest
    /// radius that touches both its legs. Above 0 the target speed treats no bend as sharper than
    /// that arc.
    pub early_turn: f64,
}

impl Default for SteeringOptions {
    fn default() -> Self {
        Self {
            curvature_feedforward: 0.0,
            preview_s: 0.1,
            understeer_radpmps2: 0.0,
            yaw_damping_s: 0.0,
            max_slip_rad: 1.57,
            slip_learning: 0.0,
            early_turn: 0.0,
        }
    }
}

impl SteeringOptions {
    pub(crate) fn for_racing() -> Self {
        Self {
            curvature_feedforward: 1.0,
            preview_s: 0.1,
            yaw_damping_s: 0.5,
            max_slip_rad: 0.12,
            slip_learning: 3.0,
            ..Self::default()
        }
    }
}

/// Pedal: PI control of the speed with anti-windup, and feed-forward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedControlOptions {
    /// Pedal per speed error in m/s, 0 to 100; default 0.4.
    pub proportional: f64,
    /// Pedal per second and speed error in m/s, 0 to 100; default 0.2.
    pub integral: f64,
    /// Rate at which the integral decreases while the pedal is saturated, 1/s, 0 to 100; default 2.
    pub back_calculation: f64,
    /// Limit of the integral's part of the pedal to either side, 0 to 1; default 0.8.
    pub integral_limit: f64,
    /// Fraction of the target speed's own rate of change that is fed forward, 0 to 1; default 1.
    pub acceleration_feedforward: f64,
    /// Acceleration at full throttle, m/s², above 0, at most 1000; default 5. Scales the
    /// feed-forward.
    pub full_throttle_mps2: f64,
    /// Deceleration at full brake, m/s², above 0, at most 1000; default 8. Scales the feed-forward.
    pub full_brake_mps2: f64,
    /// A vehicle that is to stop is held by the brake below this speed, m/s, 0 to 10; default 0.3.
    pub standstill_mps: f64,
}

impl Default for SpeedControlOptions {
    fn default() -> Self {
        Self {
            proportional: 0.4,
            integral: 0.2,
            back_calculation: 2.0,
            integral_limit: 0.8,
            acceleration_feedforward: 1.0,
            full_throttle_mps2: 5.0,
            full_brake_mps2: 8.0,
            standstill_mps: 0.3,
        }
    }
}

impl SpeedControlOptions {
    pub(crate) fn for_racing() -> Self {
        Self { full_brake_mps2: 12.0, ..Self::default() }
    }
}

/// Selection of pick-ups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickUpOptions {
    /// Range ahead along the path for pick-ups, metres, 0 to 1000; default 30. At 0 none is
    /// collected.
    pub range_m: f64,
    /// Largest distance of a pick-up from the path, metres, 0 to 1000; default 4. It must also be
    /// inside the corridor minus half the vehicle's width.
    pub max_offset_m: f64,
    /// Largest curvature that the detour may add to the path's, 1/m, 0 to 10; default 0.03.
    pub max_curvature_radpm: f64,
}

impl Default for PickUpOptions {
    fn default() -> Self {
        Self { range_m: 30.0, max_offset_m: 4.0, max_curvature_radpm: 0.03 }
    }
}

/// When to boost: the circle through each three successive sampled points has a radius of at least
/// `min_radius_m`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoostOptions {
    /// Whether the flag is computed; default true.
    pub enabled: bool,
    /// Metres, above 0; default 120.
    pub min_radius_m: f64,
    /// Number of points sampled ahead, 3 to 64; default 6.
    pub points: usize,
    /// Distance between them, metres, 0.01 to 1000; default 10.
    pub spacing_m: f64,
}

impl Default for BoostOptions {
    fn default() -> Self {
        Self { enabled: true, min_radius_m: 120.0, points: 6, spacing_m: 10.0 }
    }
}
