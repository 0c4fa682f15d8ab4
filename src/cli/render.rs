//! `raceline render`: racing-line files to a picture.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use raceline::RacingLine;
use raceline::export::palette::Background;
use raceline::export::svg::RenderOptions;
use raceline::export::{RenderError, json, png, svg};

use super::GlobalFlags;
use super::output::Output;
use super::report::Failure;

/// Draw racing lines: the road, the line coloured by its speed, and what it was compared with
///
/// The first line is coloured by its speed; further ones are dashed, one colour each. The compared lines appear if the file
/// was made with `raceline optimize --detail`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Files that `raceline optimize` made
    #[arg(required = true, value_name = "LINE")]
    lines: Vec<PathBuf>,
    /// The picture to write; its ending says the format, .svg or .png
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Width, pixels, 240 to 16384
    #[arg(long, value_name = "PIXELS", default_value_t = 1600)]
    width_px: u32,
    /// Height, pixels, 240 to 16384 [default: what the road needs]
    #[arg(long, value_name = "PIXELS")]
    height_px: Option<u32>,
    /// Draw the cross-sections too; the file must come from `raceline optimize --detail`
    #[arg(long)]
    sections: bool,
    /// Leave out the compared lines
    #[arg(long)]
    no_candidates: bool,
    /// What lies behind the road
    #[arg(long, value_name = "CHOICE", default_value = "light")]
    background: BackgroundFlag,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BackgroundFlag {
    /// Near white
    Light,
    /// Near black
    Dark,
    /// Nothing
    Transparent,
}

const AFTER_HELP: &str = "\
Examples:
  raceline render monza.raceline.json -o monza.svg
  Two vehicles' lines on one track, 2400 pixels wide:
    raceline render monza-gt.json monza-kart.json -o monza.png --width-px 2400";

impl Arguments {
    /// Reads the lines and writes the picture.
    pub fn run(self, _flags: GlobalFlags) -> Result<(), Failure> {
        let ending = self.output.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let as_png = match ending.as_deref() {
            Some("svg") => false,
            Some("png") => true,
            _ => {
                return Err(Failure::usage(format!(
                    "{}: the format isn't known: give a name that ends in .svg or .png",
                    self.output.display()
                )));
            }
        };
        let output = Output::new(&self.output);
        output.check()?;
        let lines = self.lines.iter().map(|path| read_line(path)).collect::<Result<Vec<_>, _>>()?;
        let options = RenderOptions {
            width_px: self.width_px,
            height_px: self.height_px,
            sections: self.sections,
            candidates: !self.no_candidates,
            background: match self.background {
                BackgroundFlag::Light => Background::Light,
                BackgroundFlag::Dark => Background::Dark,
                BackgroundFlag::Transparent => Background::Transparent,
            },
        };
        let picture =
            if as_png { png::render(&lines, &options) } else { svg::render(&lines, &options).map(String::into_bytes) };
        let picture = picture.map_err(|error| match error {
            RenderError::Size { .. } => Failure::Usage(error.into()),
            _ => Failure::Job(error.into()),
        })?;
        Ok(output.write(&picture)?)
    }
}

fn read_line(path: &Path) -> anyhow::Result<RacingLine> {
    let bytes = std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    json::read(&bytes).with_context(|| path.display().to_string())
}
