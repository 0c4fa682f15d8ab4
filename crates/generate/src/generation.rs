//! Attempt after attempt, until a road fits.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::error::GenerateError;
use super::options::GenerateOptions;
use super::road::Road;
use super::size::Size;
use super::style::Style;
use super::{contact, lattice, oval, rounding, stage, tour};

/// Roads that are drawn before a seed is given up. The later ones have fewer corners.
const ATTEMPTS: u64 = 120;

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
