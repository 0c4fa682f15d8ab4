//! Random circuits and stages from a seed, for training, tests and games.
//!
//! Each style draws a polygon: `tour` (circuits, kart tracks), `lattice` (streets, mazes), `oval` and
//! `stage`. `rounding` turns its corners into arcs and scales it to its length, `contact` refuses a
//! road that folds or touches itself. A refused road is drawn again with the next random stream and
//! fewer corners, so that the result depends on nothing but the options.
//!
//! [`Road::csv`] is the centre line as the importers read it, [`Road::track`] the extracted track;
//! `picture` draws pictures and maps.
//!
//! ```
//! use raceline_generate::{GenerateOptions, Style, generate};
//!
//! # fn main() -> Result<(), raceline_generate::GenerateError> {
//! let kart = generate(&GenerateOptions { style: Style::Kart, seed: 3, ..GenerateOptions::default() })?;
//! assert!(kart.csv().starts_with(b"# x_m,y_m,"));
//! # Ok(())
//! # }
//! ```

mod contact;
mod corners;
mod error;
mod lattice;
mod oval;
pub mod picture;
mod road;
mod rounding;
mod stage;
mod tour;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

pub use error::GenerateError;
pub use road::Road;

use raceline_road::range::Range;

/// Range of `length_m`.
const LENGTH: Range = Range::between(1.0, 200_000.0).in_metres();
/// Range of `width_m`.
const WIDTH: Range = Range::between(0.1, 200.0).in_metres();
/// Longest road, in widths: about 40 points of the centre line per ten widths.
const LONGEST_WIDTHS: f64 = 20_000.0;
/// Roads that are drawn before a seed is given up. The later ones have fewer corners.
const ATTEMPTS: u64 = 120;

/// What a road looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// A circuit of straights, sweeping bends and hairpins: 4000 m, 12 m wide.
    #[default]
    Circuit,
    /// A circuit along the streets of a town: right angles and a few diagonals; 3000 m, 10 m wide.
    Street,
    /// A kart track, with many tight corners: 1100 m, 8 m wide.
    Kart,
    /// An oval with two to five wide bends: 2400 m, 15 m wide.
    Oval,
    /// A stage with a start and an end, as in a rally: 8000 m, 5 m wide.
    Stage,
    /// A circuit that fills a rectangle like the path along the walls of a maze: 1200 m, 4 m wide.
    Maze,
}

impl Style {
    /// All styles.
    pub const ALL: [Self; 6] = [Self::Circuit, Self::Street, Self::Kart, Self::Oval, Self::Stage, Self::Maze];

    /// The name on the command line and in names of files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Circuit => "circuit",
            Self::Street => "street",
            Self::Kart => "kart",
            Self::Oval => "oval",
            Self::Stage => "stage",
            Self::Maze => "maze",
        }
    }

    /// Length of the centre line and width where none are specified, m.
    #[must_use]
    pub fn default_size_m(self) -> (f64, f64) {
        match self {
            Self::Circuit => (4000.0, 12.0),
            Self::Street => (3000.0, 10.0),
            Self::Kart => (1100.0, 8.0),
            Self::Oval => (2400.0, 15.0),
            Self::Stage => (8000.0, 5.0),
            Self::Maze => (1200.0, 4.0),
        }
    }

    /// The shortest road, in widths: a shorter one folds or touches itself.
    #[must_use]
    pub fn min_widths(self) -> f64 {
        match self {
            Self::Circuit | Self::Street | Self::Kart | Self::Oval => 25.0,
            Self::Stage => 15.0,
            Self::Maze => 40.0,
        }
    }
}

/// Options of a random road.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GenerateOptions {
    /// What the road looks like. Default: `circuit`.
    pub style: Style,
    /// Seed of the random numbers. Default: 0.
    pub seed: u64,
    /// Length of the centre line, metres, from 1 to 200 000. Default: the style's.
    pub length_m: Option<f64>,
    /// Width of the road, metres, from 0.1 to 200. Default: the style's.
    pub width_m: Option<f64>,
    /// Whether the road crosses itself, at angles of at least 45°; only circuits and kart tracks.
    /// Default: false.
    pub crossings: bool,
}

impl GenerateOptions {
    /// Length and width, m.
    ///
    /// # Errors
    /// A number out of its range, and a length that is too short or too long for the width.
    pub fn size_m(&self) -> Result<(f64, f64), GenerateError> {
        let (length_m, width_m) = self.style.default_size_m();
        let width_m = self.width_m.unwrap_or(width_m);
        WIDTH.check("width_m", width_m)?;
        let min_m = self.style.min_widths() * width_m;
        let length_m = self.length_m.unwrap_or_else(|| length_m.max(2.0 * min_m));
        LENGTH.check("length_m", length_m)?;
        let style = self.style.name();
        if length_m < min_m {
            return Err(GenerateError::TooShort { style, length_m, width_m, min_m });
        }
        let max_m = LONGEST_WIDTHS * width_m;
        if length_m > max_m {
            return Err(GenerateError::TooLong { length_m, width_m, max_m });
        }
        Ok((length_m, width_m))
    }
}

/// How large a road is, and how far the drawing has been tamed by refused attempts.
#[derive(Clone, Copy, Debug)]
struct Size {
    length_m: f64,
    width_m: f64,
    /// 0 for the first attempt; 1 for the last, which has the smallest number of corners.
    tameness: f64,
}

impl Size {
    fn widths(&self) -> f64 {
        self.length_m / self.width_m
    }

    /// A number of corners from `low` to `high`, fewer after refused attempts, at least `min`.
    fn count(&self, random: &mut ChaCha8Rng, (low, high): (f64, f64), min: usize) -> usize {
        let count = (low + (high - low) * random.random::<f64>()) * (1.0 - self.tameness);
        (count.round() as usize).max(min)
    }
}

/// A number from `low` to `high` whose logarithm is uniform.
fn log_uniform(random: &mut ChaCha8Rng, low: f64, high: f64) -> f64 {
    low * (high.max(low) / low).powf(random.random::<f64>())
}

/// Draws the road of a seed. The same options give the same road.
///
/// The curvature of the centre line times half the width is at most 0.85, and between two legs there
/// is a gap of at least a fifth of the width, unless crossings are asked for.
///
/// # Errors
/// Those of [`GenerateOptions::size_m`]; crossings in a style that has none; and
/// [`GenerateError::NoRoad`] where no attempt gave a road, which a longer or narrower one avoids.
pub fn generate(options: &GenerateOptions) -> Result<Road, GenerateError> {
    let (length_m, width_m) = options.size_m()?;
    let &GenerateOptions { style, seed, crossings, .. } = options;
    if crossings && !matches!(style, Style::Circuit | Style::Kart) {
        return Err(GenerateError::NoCrossings { style: style.name() });
    }
    for attempt in 0..ATTEMPTS {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(attempt);
        let tameness = attempt as f64 / (ATTEMPTS - 1) as f64;
        let size = Size { length_m, width_m, tameness };
        let corners = match style {
            Style::Circuit => tour::circuit(&mut random, size, crossings),
            Style::Kart => tour::kart(&mut random, size, crossings),
            Style::Street => lattice::street(&mut random, size),
            Style::Maze => lattice::maze(&mut random, size),
            Style::Oval => oval::oval(&mut random, size),
            Style::Stage => stage::stage(&mut random, size),
        };
        let Some(line) = corners.and_then(|corners| rounding::rounded(corners.reversed_at_random(&mut random), size))
        else {
            continue;
        };
        if contact::is_sound(&line, width_m, crossings) {
            return Ok(Road::new(format!("{}-{seed}", style.name()), line, width_m));
        }
    }
    Err(GenerateError::NoRoad { style: style.name(), seed, attempts: ATTEMPTS, length_m, width_m })
}
