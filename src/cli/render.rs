//! `raceline render`: racing-line files to a picture.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use raceline::RacingLine;
use raceline::export::palette::Background;
use raceline::export::svg::RenderOptions;
use raceline::export::{Backdrop, ColourBy, RenderError, png, svg};
use sha2::{Digest, Sha256};

use super::inspect::read_line;
use super::output::Output;
use super::report::{self, Failure};
use super::{GlobalFlags, PictureFormat, picture_format};

/// Draw racing lines: the road, the coloured line with its corners and braking zones, and what it was compared with
///
/// The first line is coloured by its speed, acceleration, curvature or distance to the second line; further ones are dashed, one colour each. The compared lines appear if the file
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
    /// What the first line's colour shows
    #[arg(long, visible_alias = "color-by", value_name = "QUANTITY", default_value = "speed")]
    colour_by: ColourFlag,
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
    /// Leave out the corners' numbers and apexes
    #[arg(long)]
    no_corners: bool,
    /// Leave out the braking zones
    #[arg(long)]
    no_braking: bool,
    /// What lies behind the road: light, dark, transparent, or a picture, the one that the track came from
    #[arg(long, value_name = "CHOICE|PICTURE", default_value = "light")]
    background: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColourFlag {
    /// Slow is dark, fast is light
    Speed,
    /// Braking is orange, driving is blue
    Acceleration,
    /// Right is orange, left is blue
    Curvature,
    /// Distance to the second line: to its right is orange, to its left is blue
    Deviation,
}

const AFTER_HELP: &str = "\
Examples:
  raceline render monza.raceline.json -o monza.svg
  Two vehicles' lines on one track, 2400 pixels wide:
    raceline render monza-gt.json monza-kart.json -o monza.png --width-px 2400
  How far one line lies from another:
    raceline render new.json old.json --colour-by deviation -o drift.svg
  Over the picture that it was found in:
    raceline render monza.raceline.json --background monza.png -o monza.svg";

impl Arguments {
    /// Reads the lines and writes the picture.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let format = picture_format(&self.output)?;
        let output = Output::new(&self.output);
        output.check()?;
        let lines = self.lines.iter().map(|path| read_line(path)).collect::<Result<Vec<_>, _>>()?;
        let (background, backdrop) = self.behind(&lines, flags)?;
        let options = RenderOptions {
            colour_by: match self.colour_by {
                ColourFlag::Speed => ColourBy::Speed,
                ColourFlag::Acceleration => ColourBy::Acceleration,
                ColourFlag::Curvature => ColourBy::Curvature,
                ColourFlag::Deviation => ColourBy::Deviation,
            },
            width_px: self.width_px,
            height_px: self.height_px,
            sections: self.sections,
            candidates: !self.no_candidates,
            corners: !self.no_corners,
            braking: !self.no_braking,
            background,
            backdrop,
        };
        let picture = match format {
            PictureFormat::Svg => svg::render(&lines, &options).map(String::into_bytes),
            PictureFormat::Png => png::render(&lines, &options),
        };
        let picture = picture.map_err(|error| match error {
            RenderError::Size { .. } | RenderError::NoSecondLine => Failure::Usage(error.into()),
            _ => Failure::Job(error.into()),
        })?;
        Ok(output.write(&picture)?)
    }

    /// The background's colours, and the picture if it is one.
    fn behind(&self, lines: &[RacingLine], flags: GlobalFlags) -> Result<(Background, Option<Backdrop>), Failure> {
        let background = match self.background.to_str() {
            Some("light") => Background::Light,
            Some("dark") => Background::Dark,
            Some("transparent") => Background::Transparent,
            _ => {
                let Some(first) = lines.first() else { return Ok((Background::Light, None)) };
                return Ok((Background::Light, Some(backdrop(&self.background, first, flags)?)));
            }
        };
        Ok((background, None))
    }
}

/// The picture at `path` with the place that `line`'s source has.
fn backdrop(path: &Path, line: &RacingLine, flags: GlobalFlags) -> Result<Backdrop, Failure> {
    let bytes = std::fs::read(path).with_context(|| {
        format!("can't read the background {}: give light, dark, transparent or a picture", path.display())
    })?;
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    // The digest of a map is that of its YAML and its picture together.
    let of_a_map = line.source.file.ends_with(".yaml") || line.source.file.ends_with(".yml");
    if digest != line.source.sha256 && !of_a_map && !flags.quiet {
        let message = format!(
            "{} isn't the picture that {} was found in, {}: it is drawn at that one's scale and place",
            path.display(),
            line.name,
            line.source.file
        );
        report::print_warning(&message, flags.colour());
    }
    Ok(Backdrop::new(&path.display().to_string(), &bytes, line)?)
}
