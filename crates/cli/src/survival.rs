//! The flags of `raceline optimize` for a line that survives, and what is printed of it.

use std::path::PathBuf;

use raceline::confidence::{ConfidenceOptions, Confident};
use raceline::drive::DriveOptions;
use serde::Serialize;

use super::drive_noise::read_noise;
use super::report::Failure;

/// What the line must survive.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Confidence")]
pub struct SurvivalFlags {
    /// Probability of staying on the road in a lap, 0.5 to 0.99999, with the errors of --noise: the line has as much
    /// room to the edges and as much less of the grip as that needs
    #[arg(long, value_name = "PROBABILITY", requires = "noise", conflicts_with_all = ["watch", "serve"])]
    confidence: Option<f64>,
    /// What the driver or the robot does not know: a TOML with position_m, heading_rad, grip_fraction, delay_s and
    /// others
    #[arg(long, value_name = "NOISE.toml", requires = "confidence")]
    noise: Option<PathBuf>,
}

impl SurvivalFlags {
    /// The files that are read.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.noise.iter().cloned()
    }

    /// The options of the search, where they are asked for.
    pub fn options(&self) -> Result<Option<ConfidenceOptions>, Failure> {
        let (Some(confidence), Some(noise)) = (self.confidence, &self.noise) else { return Ok(None) };
        let options = ConfidenceOptions { confidence, noise: read_noise(noise)?, drive: DriveOptions::default() };
        options.validate().map_err(|error| Failure::usage(error.to_string()))?;
        Ok(Some(options))
    }
}

/// A line that survives, in numbers.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Survival {
    /// Probability that was asked for.
    confidence: f64,
    /// Predicted probability of staying on the road in a lap.
    predicted: f64,
    /// Fraction of the tyres' grip that the line uses.
    grip_fraction: f64,
    /// Largest room to an edge beside the vehicle's margin, m.
    max_edge_margin_m: f64,
    /// Lap time of the line without noise, s.
    free_lap_time_s: f64,
    /// Predicted probability of staying on the road in a lap of that line.
    free_predicted: f64,
}

impl Survival {
    /// The numbers of a line that was found.
    pub fn of(found: &Confident, options: &ConfidenceOptions) -> Self {
        Self {
            confidence: options.confidence,
            predicted: found.predicted,
            grip_fraction: found.grip_fraction,
            max_edge_margin_m: found.max_margin_m,
            free_lap_time_s: found.free_lap_s,
            free_predicted: found.free_predicted,
        }
    }

    /// Below the table of lines.
    pub fn line(&self, lap_time_s: f64) -> String {
        format!(
            "  on the road in {:.3} % of laps (asked {}): {:.2} of the grip, up to {:.2} m more room, {:+.3} s; without: \
             {:.3} %\n",
            100.0 * self.predicted,
            self.confidence,
            self.grip_fraction,
            self.max_edge_margin_m,
            lap_time_s - self.free_lap_time_s,
            100.0 * self.free_predicted,
        )
    }
}
