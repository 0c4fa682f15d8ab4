//! `raceline render`: racing-line files to a picture.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::{OsStringValueParser, TypedValueParser};
use raceline::RacingLine;
use raceline::export::html::{self, BackgroundPicture, HtmlOptions, PageTheme};
use raceline::export::palette::Background;
use raceline::export::svg::RenderOptions;
use raceline::export::{RenderError, png, svg};
use raceline::picture::{self, PictureOptions};

use super::inspect::read_line;
use super::output::Output;
use super::report::Failure;
use super::{GlobalFlags, PictureFormat, picture_format};

/// Draw racing lines: a picture, or a page to look into them
///
/// A picture (.svg, .png) shows the road, the first line coloured by its speed, further ones dashed, one colour each, and the
/// compared lines if the file was made with `raceline optimize --detail`. A page (.html) holds map and charts that share a cursor, a corner
/// table and a car that drives the lap; it needs no network. On it further lines are compared with the first.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Files that `raceline optimize` made
    #[arg(required = true, value_name = "LINE")]
    lines: Vec<PathBuf>,
    /// The file to write; its ending says the format: .svg, .png, or .html
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Width of a picture, pixels, 240 to 16384
    #[arg(long, value_name = "PIXELS", default_value_t = 1600)]
    width_px: u32,
    /// Height of a picture, pixels, 240 to 16384 [default: what the road needs]
    #[arg(long, value_name = "PIXELS")]
    height_px: Option<u32>,
    /// Draw the cross-sections too, or show them from the start on a page; the file must come from `raceline optimize --detail`
    #[arg(long)]
    sections: bool,
    /// Leave out the compared lines
    #[arg(long)]
    no_candidates: bool,
    /// What lies behind the road: light, dark, transparent, or on a page a picture that the track was drawn in [default: light; a page
    /// is as the reader's system is]
    #[arg(long, value_name = "CHOICE|PICTURE", value_parser = OsStringValueParser::new().map(BackgroundFlag::from))]
    background: Option<BackgroundFlag>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum BackgroundFlag {
    /// Near white
    Light,
    /// Near black
    Dark,
    /// Nothing
    Transparent,
    /// A picture.
    Picture(PathBuf),
}

impl From<OsString> for BackgroundFlag {
    fn from(value: OsString) -> Self {
        match value.to_str() {
            Some("light") => Self::Light,
            Some("dark") => Self::Dark,
            Some("transparent") => Self::Transparent,
            _ => Self::Picture(value.into()),
        }
    }
}

const AFTER_HELP: &str = "\
Examples:
  raceline render monza.raceline.json -o monza.svg
  A page of it, with the picture behind the road:
    raceline render monza.raceline.json -o monza.html --background monza.png
  Two vehicles' lines on one track, 2400 pixels wide:
    raceline render monza-gt.json monza-kart.json -o monza.png --width-px 2400";

impl Arguments {
    /// Reads the lines and writes the picture.
    pub fn run(self, _flags: GlobalFlags) -> Result<(), Failure> {
        let output = Output::new(&self.output);
        if is_page(&self.output) {
            output.check()?;
            return Ok(output.write(self.page()?.as_bytes())?);
        }
        let format = picture_format(&self.output, ".html, .svg or .png")?;
        let background = match &self.background {
            None | Some(BackgroundFlag::Light) => Background::Light,
            Some(BackgroundFlag::Dark) => Background::Dark,
            Some(BackgroundFlag::Transparent) => Background::Transparent,
            Some(BackgroundFlag::Picture(path)) => {
                return Err(Failure::usage(format!(
                    "--background {}: only a page has a picture behind the road: give light, dark or transparent, or \
                     an output that ends in .html",
                    path.display()
                )));
            }
        };
        output.check()?;
        let lines = self.lines()?;
        let options = RenderOptions {
            width_px: self.width_px,
            height_px: self.height_px,
            sections: self.sections,
            candidates: !self.no_candidates,
            background,
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

    fn lines(&self) -> anyhow::Result<Vec<RacingLine>> {
        self.lines.iter().map(|path| read_line(path)).collect()
    }

    fn page(&self) -> anyhow::Result<String> {
        let background = match &self.background {
            Some(BackgroundFlag::Picture(path)) => {
                let picture = picture::read(path, &PictureOptions::default()).context("no picture behind the road")?;
                Some(BackgroundPicture::new(&picture))
            }
            _ => None,
        };
        let theme = match self.background {
            Some(BackgroundFlag::Light) => PageTheme::Light,
            Some(BackgroundFlag::Dark) => PageTheme::Dark,
            _ => PageTheme::Auto,
        };
        let options = HtmlOptions { theme, sections: self.sections, no_candidates: self.no_candidates, background };
        Ok(html::render(&self.lines()?, &options)?)
    }
}

/// Whether `path` ends in `.html` or `.htm`.
fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm"))
}
