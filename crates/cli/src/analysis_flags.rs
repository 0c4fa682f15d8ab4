//! The flags of `inspect` and `compare` that define corners and sectors.

use raceline::RacingLine;
use raceline::analysis::{AnalysisOptions, CornerOptions};

/// The flags.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Analysis")]
pub struct AnalysisFlags {
    /// Minimum curvature of a corner, 1/m [default: the curvature that uses the vehicle's grip at
    /// the lap's top speed]
    #[arg(long, value_name = "NUMBER")]
    corner_curvature_radpm: Option<f64>,
    /// Bends to one side are one corner if less than this time passes between them, s
    #[arg(long, value_name = "NUMBER", default_value_t = CornerOptions::default().merge_s)]
    corner_merge_s: f64,
    /// Minimum change of the road's heading in a corner, rad
    #[arg(long, value_name = "NUMBER", default_value_t = CornerOptions::default().min_angle_rad)]
    corner_least_angle_rad: f64,
    /// Where sectors end, m from the start line [default: sectors_m of the line's options, or
    /// thirds]
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    sectors_m: Vec<f64>,
}

impl AnalysisFlags {
    /// The options for a line: those of the flags, otherwise those that the line was made with.
    pub fn options(&self, line: &RacingLine) -> AnalysisOptions {
        let corners = CornerOptions {
            curvature_radpm: self.corner_curvature_radpm,
            merge_s: self.corner_merge_s,
            min_angle_rad: self.corner_least_angle_rad,
        };
        let own = AnalysisOptions::of(line);
        let sectors_m = if self.sectors_m.is_empty() { own.sectors_m } else { self.sectors_m.clone() };
        AnalysisOptions { corners, sectors_m }
    }
}
