//! Options of nearest point, lookahead, steering, speed control, pick-ups and boost.

use super::table::options;

options! {
    /// The vehicle's nearest point on the path.
    NearestPointOptions, "nearest_point." {
        /// Distance of the vehicle from its position on the path above which the whole path is
        /// searched.
        rejoin_distance_m: f64 = 20.0, [above 0], "m";
    }
}

options! {
    /// The lookahead distance:
    /// `(base_m + time_s · |v|) / (1 + curvature_gain_m · κ + cross_track_gain · |e|)`, clamped.
    LookaheadOptions, "lookahead." {
        /// Lookahead distance at standstill.
        base_m: f64 = 3.0, [from 0 to 1000], "m";
        /// Increase of the lookahead distance by speed.
        time_s: f64 = 0.5, [from 0 to 10], "s";
        /// At this radius of curvature ahead the lookahead distance is halved.
        curvature_gain_m: f64 = 3.0, [from 0 to 1000], "m";
        /// Decrease of the lookahead distance by the cross-track error.
        cross_track_gain: f64 = 0.1, [from 0 to 100], "1/m";
        /// Longest lookahead distance.
        max_m: f64 = 20.0, [above 0 to 1000], "m";
        /// Shortest lookahead distance, at most `max_m`.
        min_m: f64 = 2.5, [above 0 to max_m], "m";
    }
}

impl LookaheadOptions {
    pub(crate) fn for_racing() -> Self {
        Self { base_m: 5.0, time_s: 0.25, curvature_gain_m: 0.0, cross_track_gain: 0.0, min_m: 4.0, max_m: 60.0 }
    }
}

options! {
    /// Steering.
    SteeringOptions, "steering." {
        /// Fraction of the path's own curvature that is fed forward. At 0 pure pursuit alone steers;
        /// at 1 it only corrects the deviation from the path.
        curvature_feedforward: f64 = 0.0, [from 0 to 1];
        /// Preview time of the fed-forward curvature.
        preview_s: f64 = 0.1, [from 0 to 2], "s";
        /// Steering added per lateral acceleration: the vehicle's understeer gradient.
        understeer_radpmps2: f64 = 0.0, [from -0.1 to 0.1], "rad/(m/s²)";
        /// Steering angle per shortfall of the yaw rate from curvature × speed. It quickens and damps
        /// a sliding vehicle's yaw. A vehicle that responds immediately would oscillate, so it is
        /// inactive if neither yaw rate nor velocity is known.
        yaw_damping_s: f64 = 0.0, [from 0 to 2], "s";
        /// Largest slip angle of the front wheels; at 1.57 any. Beyond the slip angle of full sliding,
        /// the wheels gain no force and take longer to return. Requires `velocity_mps`.
        max_slip_rad: f64 = 1.57, [from 0.01 to 1.57], "rad";
        /// Learning rate of the understeer gradient from the shortfall of the yaw rate; at 0 nothing
        /// is learned.
        slip_learning: f64 = 0.0, [from 0 to 20], "1/s";
        /// Early turning into bends that are sharper than the vehicle can turn; at 0 none, as in the
        /// paper. The turn begins where the circle to some point of the path has the vehicle's largest
        /// curvature divided by this. At 1 a corner is cut by the arc of the smallest radius that
        /// touches both its legs. Above 0 the target speed treats no bend as sharper than that arc.
        early_turn: f64 = 0.0, [from 0 to 2];
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

options! {
    /// Pedal: PI control of the speed with anti-windup, and feed-forward.
    SpeedControlOptions, "speed_control." {
        /// Pedal per speed error.
        proportional: f64 = 0.4, [from 0 to 100], "1/(m/s)";
        /// Pedal per second and speed error.
        integral: f64 = 0.2, [from 0 to 100], "1/m";
        /// Rate at which the integral decreases while the pedal is saturated.
        back_calculation: f64 = 2.0, [from 0 to 100], "1/s";
        /// Limit of the integral's part of the pedal to either side.
        integral_limit: f64 = 0.8, [from 0 to 1];
        /// Fraction of the target speed's own rate of change that is fed forward.
        acceleration_feedforward: f64 = 1.0, [from 0 to 1];
        /// Acceleration at full throttle, which scales the feed-forward.
        full_throttle_mps2: f64 = 5.0, [above 0 to 1000], "m/s²";
        /// Deceleration at full brake, which scales the feed-forward.
        full_brake_mps2: f64 = 8.0, [above 0 to 1000], "m/s²";
        /// A vehicle that is to stop is held by the brake below this speed.
        standstill_mps: f64 = 0.3, [from 0 to 10], "m/s";
    }
}

impl SpeedControlOptions {
    pub(crate) fn for_racing() -> Self {
        Self { full_brake_mps2: 12.0, ..Self::default() }
    }
}

options! {
    /// Selection of pick-ups.
    PickUpOptions, "pick_ups." {
        /// Range ahead along the path for pick-ups. At 0 none is collected.
        range_m: f64 = 30.0, [from 0 to 1000], "m";
        /// Largest distance of a pick-up from the path. It must also be inside the corridor minus half
        /// the vehicle's width.
        max_offset_m: f64 = 4.0, [from 0 to 1000], "m";
        /// Largest curvature that the detour may add to the path's.
        max_curvature_radpm: f64 = 0.03, [from 0 to 10], "1/m";
    }
}

options! {
    /// When to boost: the circle through each three successive sampled points has a radius of at least
    /// `min_radius_m`.
    BoostOptions, "boost." {
        /// Whether the flag is computed.
        enabled: bool = true, [switch];
        /// Smallest radius of a stretch on which a boost is advised.
        min_radius_m: f64 = 120.0, [above 0], "m";
        /// Number of points sampled ahead.
        points: usize = 6, [from 3 to 64];
        /// Distance between them.
        spacing_m: f64 = 10.0, [from 0.01 to 1000], "m";
    }
}
