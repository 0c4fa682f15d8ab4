//! The number of a road to the road, its vehicle and its surface.

use std::f64::consts::TAU;

use raceline::vehicle::{Vehicle, VehicleError, preset};
use raceline_generate::{GenerateError, GenerateOptions, Style, generate};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::bridges;
use crate::road::{Road, Station};

/// The stream of a road's random numbers that the generator does not use.
const STREAM: u64 = 1 << 40;
/// Lengths, m.
const LENGTHS_M: [f64; 2] = [100.0, 30_000.0];
/// Widths, m.
const WIDTHS_M: [f64; 2] = [1.0, 30.0];
/// A road has at most this length, in widths.
const LONGEST_WIDTHS: f64 = 2500.0;
/// Largest slope of a hilly road.
const SLOPE: f64 = 0.08;
/// Largest vertical curvature of a hilly road, 1/m.
const VERTICAL_CURVATURE: f64 = 0.001;
/// Largest angle of a banked road, rad.
const BANKING_RAD: f64 = 0.12;
/// Standard deviation of a noisy road's points, in widths.
const NOISE_WIDTHS: f64 = 0.01;
/// Waves of a profile of heights or banking.
const WAVES: usize = 4;

/// A road of the library with the vehicle that drives it.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The road.
    pub road: Road,
    /// The vehicle, which fits the width.
    pub vehicle: Vehicle,
    /// Style and features, such as `kart crossing hilly`.
    pub kind: String,
}

/// Why a number has no road.
#[derive(Debug)]
pub enum NoRecipe {
    /// The generator has no road of this size.
    Road(GenerateError),
    /// The vehicle cannot be read.
    Vehicle(VehicleError),
}

impl Recipe {
    /// The road with this number. The same number is the same road.
    ///
    /// # Errors
    /// Sizes for which the generator has no road.
    pub fn new(number: u64) -> Result<Self, NoRecipe> {
        let mut random = ChaCha8Rng::seed_from_u64(number);
        random.set_stream(STREAM);
        let style = Style::ALL[(number % Style::ALL.len() as u64) as usize];
        let mut features = vec![style.name()];
        let mut is = |name: &'static str, fraction: f64, allowed: bool| {
            let yes = random.random::<f64>() < fraction && allowed;
            if yes {
                features.push(name);
            }
            yes
        };
        let crossings = is("crossing", 0.3, matches!(style, Style::Circuit | Style::Kart));
        let bridges = is("bridges", 0.5, crossings);
        let hilly = is("hilly", 0.25, !crossings);
        let banked = is("banked", 0.25, !crossings);
        let noisy = is("noisy", 0.25, true);
        let kind = features.join(" ");

        let width_m = log_uniform(&mut random, WIDTHS_M);
        let shortest_m = LENGTHS_M[0].max(1.3 * style.min_widths() * width_m);
        let length_m = log_uniform(&mut random, [shortest_m, LENGTHS_M[1].min(LONGEST_WIDTHS * width_m)]);
        let options =
            GenerateOptions { style, seed: number, length_m: Some(length_m), width_m: Some(width_m), crossings };
        let drawn = generate(&options).map_err(NoRecipe::Road)?;

        let heights = hilly.then(|| Waves::of_heights(&mut random, drawn.length_m));
        let banking = banked.then(|| Waves::of_banking(&mut random, drawn.length_m));
        let count = drawn.points.len() as f64 - if drawn.closed { 0.0 } else { 1.0 };
        let stations = drawn.points.iter().enumerate().map(|(i, p)| {
            let s_m = drawn.length_m * i as f64 / count;
            let noise_m = if noisy { NOISE_WIDTHS * width_m } else { 0.0 };
            let [dx, dy] = normal_pair(&mut random).map(|value| noise_m * value);
            Station {
                at: [p.x + dx, p.y + dy],
                left_m: width_m / 2.0,
                right_m: width_m / 2.0,
                z_m: heights.as_ref().map(|waves| waves.at(s_m)),
                banking_rad: banking.as_ref().map(|waves| waves.at(s_m)),
            }
        });
        let mut road = Road { stations: stations.collect(), closed: drawn.closed };
        if bridges {
            bridges::raise(&mut road, width_m);
        }
        let vehicle = preset(vehicle_for(number, width_m)).map_err(NoRecipe::Vehicle)?;
        Ok(Self { road, vehicle, kind })
    }
}

/// A preset that has room on a road of this width.
fn vehicle_for(number: u64, width_m: f64) -> &'static str {
    match width_m {
        ..2.5 => "robot-car",
        2.5..6.0 => "kart",
        _ => ["gt", "formula", "tum-racecar", "kart"][(number / 6 % 4) as usize],
    }
}

/// A sum of waves that fit a whole number of times into the road.
struct Waves {
    waves: Vec<[f64; 3]>,
}

impl Waves {
    fn of_heights(random: &mut ChaCha8Rng, length_m: f64) -> Self {
        Self::new(random, length_m, |frequency| {
            (SLOPE / frequency).min(VERTICAL_CURVATURE / (frequency * frequency)) / WAVES as f64
        })
    }

    fn of_banking(random: &mut ChaCha8Rng, length_m: f64) -> Self {
        Self::new(random, length_m, |_| BANKING_RAD / WAVES as f64)
    }

    fn new(random: &mut ChaCha8Rng, length_m: f64, amplitude: impl Fn(f64) -> f64) -> Self {
        let waves = (1..=WAVES).map(|k| {
            let frequency = TAU * k as f64 / length_m;
            [amplitude(frequency) * random.random::<f64>(), frequency, TAU * random.random::<f64>()]
        });
        Self { waves: waves.collect() }
    }

    fn at(&self, s_m: f64) -> f64 {
        self.waves.iter().map(|[amplitude, frequency, phase]| amplitude * (frequency * s_m + phase).sin()).sum()
    }
}

fn log_uniform(random: &mut ChaCha8Rng, [low, high]: [f64; 2]) -> f64 {
    low * (high / low).powf(random.random::<f64>())
}

/// Two numbers with the normal distribution, by Box and Muller.
fn normal_pair(random: &mut ChaCha8Rng) -> [f64; 2] {
    let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt();
    let (sin, cos) = (TAU * random.random::<f64>()).sin_cos();
    [radius * cos, radius * sin]
}
