//! `raceline extract`: from a picture to the track alone.

use std::path::PathBuf;

use raceline::export::track_json::{self, TrackFile};
use raceline::pipeline;

use super::option_flags::OptionFlags;
use super::output::Output;
use super::report::{self, Failure};
use super::{GlobalFlags, progress};

/// Find the road in a picture and stop there
///
/// Writes the road's edges and cross-sections as JSON, which `raceline optimize` takes in place of the picture: to see
/// what was found, to mend it by hand, or to try vehicles on it without reading the picture again.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// A picture, a map YAML or a track file: CSV, GeoJSON or SVG
    #[arg(value_name = "PICTURE")]
    input: PathBuf,
    /// Where to write: a file, or - for stdout
    #[arg(long, short, value_name = "TRACK", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    options: OptionFlags,
}

const AFTER_HELP: &str = "\
Examples:
  raceline extract club.png --metres-per-pixel 0.25 -o club.track.json
  raceline optimize club.track.json --vehicle kart";

impl Arguments {
    /// Extracts the track and writes it.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let layered = self.options.layered(&self.input)?;
        let output = Output::new(&self.output);
        output.check()?;
        let extraction = {
            let progress = progress::watch(flags, &self.input.display().to_string());
            pipeline::extract(&self.input, &layered.options, &*progress)?
        };
        let file = TrackFile::new(&extraction.name, &extraction.track, &extraction.source);
        output.write(&track_json::write(&file)?)?;
        if !flags.quiet {
            for warning in &extraction.warnings {
                report::print_warning(warning, flags.colour());
            }
        }
        Ok(())
    }
}
