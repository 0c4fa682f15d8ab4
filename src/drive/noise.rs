//! What a driver or a robot does not know: errors of its localisation, another grip, a delay, wind.

use raceline_follower::VehicleState;
use raceline_numerics::{math, normal_variate};
use raceline_vehicle_simulation::check_ranges;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::Deserialize;

use super::error::DriveError;
use crate::geometry::wrap_angle;

/// Errors of a driver's or a robot's knowledge, of which each drive draws its own.
///
/// ```
/// use raceline::drive::Noise;
///
/// let robot = Noise::from_toml("position_m = 0.05\nheading_rad = 0.009\ngrip_fraction = 0.05")?;
/// assert_eq!(robot, Noise { position_m: 0.05, heading_rad: 0.009, grip_fraction: 0.05, ..Noise::default() });
/// assert!(Noise::from_toml("grip_fraction = 2").is_err());
/// # Ok::<(), raceline::drive::DriveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Noise {
    /// Standard deviation of the error of the measured position, along each axis, m, 0 to 10. Default: 0.
    pub position_m: f64,
    /// Standard deviation of the error of the measured heading, rad, 0 to 0.5. Default: 0. The
    /// measured direction of motion has the same error.
    pub heading_rad: f64,
    /// Time over which the errors of position and heading fade, s, 0 to 1000: after it, the correlation of one
    /// with its later value is 1/e. Default: 0, each frame has an error of its own.
    pub correlation_s: f64,
    /// Largest change of the tyres' grip, as a fraction, 0 to 0.5: each drive has a factor from 1 less
    /// this to 1 more this, all alike probable. Default: 0.
    pub grip_fraction: f64,
    /// Largest delay from a command to its effect beside the known one, s, 0 to 0.5: each drive has one
    /// from 0 to this, all alike probable. Default: 0.
    pub delay_s: f64,
    /// Standard deviation of an acceleration of the body to its side, as by gusts of wind or a wavy
    /// road, m/s², 0 to 10. Default: 0. A wind of v m/s that blows on A m² of the side of a body of m
    /// kg gives about 0.6 A v² / m.
    pub side_mps2: f64,
    /// Time over which that acceleration fades, s, 0 to 1000, as `correlation_s`. Default: 1.
    pub side_correlation_s: f64,
}

impl Default for Noise {
    fn default() -> Self {
        Self {
            position_m: 0.0,
            heading_rad: 0.0,
            correlation_s: 0.0,
            grip_fraction: 0.0,
            delay_s: 0.0,
            side_mps2: 0.0,
            side_correlation_s: 1.0,
        }
    }
}

impl Noise {
    /// The noise that a TOML text specifies; a key that it omits has its default.
    ///
    /// # Errors
    /// [`DriveError::Noise`] for a text that is no TOML, an unknown key and a value that is no number;
    /// [`DriveError::Option`] for a number that is out of its range.
    pub fn from_toml(text: &str) -> Result<Self, DriveError> {
        let noise: Self = toml::from_str(text)?;
        noise.validate()?;
        Ok(noise)
    }

    /// Checks every range.
    ///
    /// # Errors
    /// [`DriveError::Option`] names the first number that is out of its range.
    pub fn validate(&self) -> Result<(), DriveError> {
        let &Self { position_m, heading_rad, correlation_s, grip_fraction, delay_s, side_mps2, side_correlation_s } =
            self;
        check_ranges! {
            position_m = position_m, 0 to 10, "m";
            heading_rad = heading_rad, 0 to 0.5, "rad";
            correlation_s = correlation_s, 0 to 1000, "s";
            grip_fraction = grip_fraction, 0 to 0.5;
            delay_s = delay_s, 0 to 0.5, "s";
            side_mps2 = side_mps2, 0 to 10, "m/s²";
            side_correlation_s = side_correlation_s, 0 to 1000, "s";
        }
        Ok(())
    }
}

/// The errors of one drive: what was drawn for all of it, and the generator of the rest.
#[derive(Clone, Debug)]
pub(super) struct DrawnNoise {
    noise: Noise,
    random: ChaCha8Rng,
    /// Factor of the tyres' grip.
    pub(super) grip: f64,
    /// Delay beside the known one, s.
    pub(super) delay_s: f64,
    /// Errors of the measured x and y, m, and of the heading, rad, as multiples of their deviations.
    localisation: [f64; 3],
    side: f64,
}

impl DrawnNoise {
    /// The errors of the drive `number` of those with this seed.
    pub(super) fn new(noise: Noise, seed: u64, number: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(number);
        let grip = 1.0 + noise.grip_fraction * (2.0 * random.random::<f64>() - 1.0);
        let delay_s = noise.delay_s * random.random::<f64>();
        let localisation = std::array::from_fn(|_| gaussian(&mut random));
        let side = gaussian(&mut random);
        Self { noise, random, grip, delay_s, localisation, side }
    }

    /// Replaces the grip of the drive, and its delay beside the known one.
    pub(super) fn with_grip_and_delay(self, grip: f64, delay_s: f64) -> Self {
        Self { grip, delay_s, ..self }
    }

    /// What the driver measures of the motion `seen`.
    pub(super) fn measured(&self, seen: VehicleState) -> VehicleState {
        let [x, y, heading] = self.localisation;
        let turned = heading * self.noise.heading_rad;
        let (sin, cos) = math::sin_cos(turned);
        let ([x_m, y_m, z_m], [x_mps, y_mps, z_mps]) = (seen.position_m, seen.velocity_mps);
        VehicleState {
            position_m: [x_m + x * self.noise.position_m, y_m + y * self.noise.position_m, z_m],
            heading_rad: wrap_angle(seen.heading_rad + turned),
            velocity_mps: [cos * x_mps - sin * y_mps, sin * x_mps + cos * y_mps, z_mps],
            ..seen
        }
    }

    /// The acceleration of the body to its left, m/s².
    pub(super) fn side_mps2(&self) -> f64 {
        self.noise.side_mps2 * self.side
    }

    /// Goes on by a frame of `frame_s`.
    pub(super) fn advance(&mut self, frame_s: f64) {
        let Self { noise, random, localisation, side, .. } = self;
        for error in localisation {
            *error = after(*error, frame_s, noise.correlation_s, random);
        }
        *side = after(*side, frame_s, noise.side_correlation_s, random);
    }
}

/// A normal variate after `frame_s`, where it fades in `correlation_s`: a first-order Gauss-Markov
/// process, whose deviation stays 1.
fn after(value: f64, frame_s: f64, correlation_s: f64, random: &mut ChaCha8Rng) -> f64 {
    let kept = math::exp(-frame_s / correlation_s); // 0 for a correlation of 0
    kept * value + (1.0 - kept * kept).sqrt() * gaussian(random)
}

/// A standard normal variate.
fn gaussian(random: &mut ChaCha8Rng) -> f64 {
    normal_variate([random.random(), random.random()])
}

#[cfg(test)]
mod tests {
    use super::{DrawnNoise, Noise};

    const FRAME_S: f64 = 0.02;

    /// Mean square of what is drawn, and its mean product with that of `lag` frames before.
    fn moments(correlation_s: f64, lag: usize) -> [f64; 2] {
        let noise = Noise { side_mps2: 2.0, side_correlation_s: correlation_s, ..Noise::default() };
        let mut drawn = DrawnNoise::new(noise, 1, 0);
        let values: Vec<f64> = (0..200_000)
            .map(|_| {
                drawn.advance(FRAME_S);
                drawn.side_mps2()
            })
            .collect();
        let product = |lag: usize| {
            let pairs = values.iter().zip(&values[lag..]);
            pairs.map(|(a, b)| a * b).sum::<f64>() / (values.len() - lag) as f64
        };
        [product(0), product(lag)]
    }

    #[test]
    fn errors_have_their_deviation_and_fade_in_their_time() {
        let [square, later] = moments(0.2, 10);
        assert!((square - 4.0).abs() < 0.2, "{square}");
        assert!((later / square - (-1.0_f64).exp()).abs() < 0.03, "{later}");
    }

    #[test]
    fn without_a_time_each_frame_has_its_own_error() {
        let [square, later] = moments(0.0, 1);
        assert!((square - 4.0).abs() < 0.1, "{square}");
        assert!((later / square).abs() < 0.01, "{later}");
    }

    #[test]
    fn a_seed_and_a_number_draw_the_same_and_each_number_another() {
        let noise = Noise { grip_fraction: 0.1, delay_s: 0.1, ..Noise::default() };
        let drawn = |seed, number| {
            let drawn = DrawnNoise::new(noise, seed, number);
            [drawn.grip, drawn.delay_s]
        };
        assert_eq!(drawn(3, 5), drawn(3, 5));
        assert_ne!(drawn(3, 5), drawn(3, 6));
        assert_ne!(drawn(3, 5), drawn(4, 5));
        let all: Vec<[f64; 2]> = (0..1000).map(|number| drawn(0, number)).collect();
        assert!(all.iter().all(|[grip, delay_s]| (0.9..=1.1).contains(grip) && (0.0..=0.1).contains(delay_s)));
        let mean = |i: usize| all.iter().map(|drawn| drawn[i]).sum::<f64>() / 1000.0;
        assert!((mean(0) - 1.0).abs() < 0.006 && (mean(1) - 0.05).abs() < 0.003);
    }

    #[test]
    fn an_error_of_heading_turns_the_measured_motion_alike() {
        use raceline_follower::VehicleState;
        let noise = Noise { heading_rad: 0.1, ..Noise::default() };
        let drawn = DrawnNoise::new(noise, 7, 1);
        let seen = VehicleState { velocity_mps: [20.0, 1.0, 0.0], ..VehicleState::new([0.0; 3], 0.3, 20.0) };
        let measured = drawn.measured(seen);
        let course = |state: &VehicleState| state.velocity_mps[1].atan2(state.velocity_mps[0]) - state.heading_rad;
        assert!((course(&measured) - course(&seen)).abs() < 1e-12);
        assert!((measured.heading_rad - 0.3).abs() > 1e-3);
        assert_eq!(measured.position_m, seen.position_m);
    }
}
