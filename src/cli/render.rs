//! `raceline render`: racing-line files to a picture.

use std::path::PathBuf;

use clap::ValueEnum;
use raceline::export::palette::Background;
use raceline::export::svg::RenderOptions;
use raceline::export::{RenderError, png, svg};

use super::inspect::read_line;
use super::output::Output;
use super::report::Failure;
use super::{GlobalFlags, PictureFormat, picture_format};

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
        let format = picture_format(&self.output)?;
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
        let picture = match format {
            PictureFormat::Svg => svg::render(&lines, &options).map(String::into_bytes),
            PictureFormat::Png => png::render(&lines, &options),
        };
        let picture = picture.map_err(|error| match error {
            RenderError::Size { .. } => Failure::Usage(error.into()),
            _ => Failure::Job(error.into()),
        })?;
        Ok(output.write(&picture)?)
    }
}
