//! The colours of a line: one value per point, the range of the scale, its colours and units.

use super::error::RenderError;
use super::palette::{LEVELS, diverging_colours, speed_colours};
use raceline::RacingLine;
use raceline::analysis::{grades, lay_beside};
use raceline::units::KMH_PER_MPS;
use raceline_car::STANDARD_GRAVITY;
use raceline_numerics::math;

/// Fraction of the points whose curvature or ratio the scale covers. Sharper hairpins have the colour of
/// its end; otherwise everything else would look straight.
const INNER_FRACTION: f64 = 0.95;
/// Below this speed a ratio has no meaning, m/s.
const MIN_MPS: f64 = 1.0;

/// The quantity that a line's colour shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourBy {
    /// Speed, on a scale from dark to light.
    #[default]
    Speed,
    /// Acceleration along the line, on a diverging scale: braking is orange, driving is blue.
    Acceleration,
    /// Curvature, on a diverging scale: right is orange, left is blue. The sharpest twentieth of
    /// the points has the colours of the ends.
    Curvature,
    /// Grade of the road along the line, on a diverging scale: downhill is orange, uphill is blue.
    Grade,
    /// Speed of the first line by that of the second beside it, on a diverging scale: slower is orange,
    /// faster is blue. The twentieth of the points with the largest differences has the colours of the
    /// ends.
    SpeedRatio,
    /// Lateral offset of the first line from the second, on a diverging scale: to the right is
    /// orange, to the left is blue.
    Deviation,
}

impl ColourBy {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Speed, Self::Acceleration, Self::Curvature, Self::Grade, Self::SpeedRatio, Self::Deviation];

    /// The name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Acceleration => "acceleration",
            Self::Curvature => "curvature",
            Self::Grade => "grade",
            Self::SpeedRatio => "speed-ratio",
            Self::Deviation => "deviation",
        }
    }
}

/// The labels along one side of the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ruler {
    /// Round values, multiplied by this factor, in this unit.
    Values(f64, &'static str),
    /// The meanings of the two ends.
    Ends(&'static str, &'static str),
}

/// The colours of one line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ColourScale {
    /// The quantity.
    pub(super) by: ColourBy,
    /// The value at each point.
    pub(super) values: Vec<f64>,
    /// Value of the first colour.
    pub(super) low: f64,
    /// The value of the last colour, above `low`.
    pub(super) high: f64,
    /// The colours, [`LEVELS`] of them.
    pub(super) colours: Vec<String>,
    /// The labels above and below the scale.
    pub(super) rulers: [Ruler; 2],
}

impl ColourScale {
    /// The colours of `line`; deviations are measured from `second`.
    pub(super) fn new(line: &RacingLine, second: Option<&RacingLine>, by: ColourBy) -> Result<Self, RenderError> {
        let points = || line.points.iter();
        let sides = Ruler::Ends("right", "left");
        let (values, min, rulers): (Vec<f64>, f64, _) = match by {
            ColourBy::Speed => (
                points().map(|point| point.speed_mps).collect(),
                0.5,
                [Ruler::Values(1.0, "m/s"), Ruler::Values(KMH_PER_MPS, "km/h")],
            ),
            ColourBy::Acceleration => (
                points().map(|point| point.accel_mps2).collect(),
                0.5,
                [Ruler::Values(1.0, "m/s²"), Ruler::Values(1.0 / STANDARD_GRAVITY, "g")],
            ),
            ColourBy::Curvature => {
                (points().map(|point| point.curvature_radpm).collect(), 1e-3, [Ruler::Values(1.0, "1/m"), sides])
            }
            ColourBy::Grade => {
                if line.points.iter().any(|point| point.z_m.is_none()) {
                    return Err(RenderError::NoHeights { name: line.name.clone() });
                }
                let ends = Ruler::Ends("downhill", "uphill");
                (
                    grades(line).iter().map(|grade| 100.0 * math::tan(*grade)).collect(),
                    0.5,
                    [Ruler::Values(1.0, "%"), ends],
                )
            }
            ColourBy::SpeedRatio => {
                let second = second.ok_or(RenderError::NoSecondLine)?;
                let along = lay_beside(line, second).map_err(|error| RenderError::analysis(second, error))?;
                let excess = along.iter().zip(&line.points).map(|(along, point)| {
                    let other = point.speed_mps + along.speed_difference_mps;
                    if other > MIN_MPS { 100.0 * (point.speed_mps / other - 1.0) } else { 0.0 }
                });
                (excess.collect(), 1.0, [Ruler::Values(1.0, "%"), Ruler::Ends("slower", "faster")])
            }
            ColourBy::Deviation => {
                let second = second.ok_or(RenderError::NoSecondLine)?;
                let along = lay_beside(line, second).map_err(|error| RenderError::analysis(second, error))?;
                // The entry at the end of a closed lap has no point.
                let offsets = along.iter().take(line.points.len()).map(|along| -along.offset_m);
                (offsets.collect(), 0.05, [Ruler::Values(1.0, "m"), sides])
            }
        };
        let (low, high, colours) = if by == ColourBy::Speed {
            let (low, high) = values
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
            // Widened if it is too narrow for a scale.
            let (low, high) = if high - low >= min { (low, high) } else { ((low - min).max(0.0), high + min) };
            (low, high, speed_colours())
        } else {
            let mut sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
            sizes.sort_by(f64::total_cmp);
            let has_ends = matches!(by, ColourBy::Curvature | ColourBy::SpeedRatio);
            let fraction = if has_ends { INNER_FRACTION } else { 1.0 };
            let last = ((sizes.len() as f64 * fraction).ceil() as usize).clamp(1, sizes.len().max(1)) - 1;
            let max = sizes.get(last).copied().unwrap_or(0.0).max(min);
            (-max, max, diverging_colours())
        };
        Ok(Self { by, values, low, high, colours, rulers })
    }

    /// The colour's index between two points.
    pub(super) fn level(&self, from: usize, to: usize) -> usize {
        let value = |index: usize| self.values.get(index).copied().unwrap_or(0.0);
        let fraction = ((value(from) + value(to)) / 2.0 - self.low) / (self.high - self.low);
        ((fraction.clamp(0.0, 1.0) * LEVELS as f64) as usize).min(LEVELS - 1)
    }
}
