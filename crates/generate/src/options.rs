//! The options of a random road.

use raceline_road::range::Range;
use serde::{Deserialize, Serialize};

use super::error::GenerateError;
use super::style::Style;

/// Range of `length_m`.
const LENGTH: Range = Range::between(1.0, 200_000.0).in_metres();
/// Range of `width_m`.
const WIDTH: Range = Range::between(0.1, 200.0).in_metres();
/// Longest road, in widths: about 40 points of the centre line per ten widths.
const LONGEST_WIDTHS: f64 = 20_000.0;

/// Options of a random road.
///
/// ```
/// use raceline_generate::{GenerateOptions, Style, generate};
///
/// let options = GenerateOptions { style: Style::Kart, seed: 7, ..GenerateOptions::default() };
/// let road = generate(&options)?;
/// assert!(road.closed);
/// # Ok::<(), raceline_generate::GenerateError>(())
/// ```
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
