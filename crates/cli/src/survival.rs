//! The flags of `raceline optimize` for a line that survives, and what is printed of it.

use std::path::PathBuf;

use raceline::confidence::{ConfidenceOptions, Survival};
use raceline::drive::DriveOptions;

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

/// What is printed below the table of lines.
pub fn line(survival: &Survival, lap_time_s: f64) -> String {
    format!(
        "  on the road in {:.3} % of laps (asked {}): {:.2} of the grip, up to {:.2} m more room, {:+.3} s; without: \
         {:.3} %\n",
        100.0 * survival.predicted,
        survival.confidence,
        survival.grip_fraction,
        survival.max_edge_margin_m,
        lap_time_s - survival.free_lap_time_s,
        100.0 * survival.free_predicted,
    )
}
