//! `raceline render`: racing-line files to a picture.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use clap::builder::{OsStringValueParser, TypedValueParser};
use hmac_sha256::Hash as Sha256;
use raceline::RacingLine;
use raceline::analysis::driven_lap;
use raceline_file::files::{self, LARGEST_OPTIONS_FILE, LARGEST_PICTURE, LARGEST_TELEMETRY};
use raceline_render::html::{self, HtmlOptions, PageTheme};
use raceline_render::palette::Background;
use raceline_render::svg::RenderOptions;
use raceline_render::{Backdrop, ColourBy, RenderError, png, svg, tactics_picture};
use raceline_tactics::{Definition, Tactics, TacticsError};

use super::file_guard;
use super::line_file::read_with_doubts;
use super::output::Output;
use super::report::{self, Failure};
use super::{GlobalFlags, PictureFormat, picture_format};

/// Draw racing lines as a picture or as an interactive page, or decisions as a picture
///
/// A picture (.svg, .png) shows the road and the first line, coloured by speed, acceleration,
/// curvature, grade or distance to the second line. It also shows the corners and braking zones, further
/// lines (dashed, one colour each), and the compared lines if the file was made with
/// `raceline optimize --detail`. A page (.html) contains a map and charts with a common cursor, a
/// corner table and an animation of the lap. It requires no network. It compares further lines with
/// the first.
///
/// A TOML file of decisions, with `outputs` and `trees` or `machines`, is drawn as its machines and trees.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Racing-line files, as `raceline optimize` writes them
    #[arg(required = true, value_name = "LINE")]
    lines: Vec<PathBuf>,
    /// A driven lap over the line: the fastest in this trace, a CSV with time_s, x_m, y_m, speed_mps
    /// and lap, as `raceline drive -o` writes it. In a picture it is the first line, coloured by
    /// speed-ratio; a page compares it with the line
    #[arg(long, visible_alias = "drive", value_name = "TRACE")]
    driven: Option<PathBuf>,
    /// The file to write; its ending selects the format: .svg, .png or .html
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Quantity that the first line's colour shows; on a page, the one shown at first, not
    /// deviation [default: speed; on a page of several lines one colour each]
    #[arg(long, visible_alias = "color-by", value_name = "QUANTITY")]
    colour_by: Option<ColourFlag>,
    /// Width of a picture, pixels, 240 to 16384
    #[arg(long, value_name = "PIXELS", default_value_t = 1600)]
    width_px: u32,
    /// Height of a picture, pixels, 240 to 16384 [default: that of the road]
    #[arg(long, value_name = "PIXELS")]
    height_px: Option<u32>,
    /// Draw the cross-sections too; on a page, show them from the start. Requires a file from
    /// `raceline optimize --detail`
    #[arg(long)]
    sections: bool,
    /// Do not draw the compared lines
    #[arg(long)]
    no_candidates: bool,
    /// Do not draw the corners' numbers and apexes; a page can show them later
    #[arg(long)]
    no_corners: bool,
    /// Do not draw the braking zones, which only a picture has
    #[arg(long)]
    no_braking: bool,
    /// Draw steering, pedal, sideslip and yaw rate below the map of a line that has them; a page always
    /// has their charts
    #[arg(long)]
    inputs: bool,
    /// Background: light, dark, transparent, or the picture from which the track was extracted
    /// [default: light; a page follows the reader's system]
    #[arg(long, value_name = "CHOICE|PICTURE", value_parser = OsStringValueParser::new().map(BackgroundFlag::from))]
    background: Option<BackgroundFlag>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColourFlag {
    /// Slow is dark, fast is light
    Speed,
    /// Braking is orange, driving is blue
    Acceleration,
    /// Right is orange, left is blue
    Curvature,
    /// Downhill is orange, uphill is blue; requires a line with heights
    Grade,
    /// Speed by the second line's: slower is orange, faster is blue; with a chart
    SpeedRatio,
    /// Distance to the second line: to its right is orange, to its left is blue
    Deviation,
}

impl From<ColourFlag> for ColourBy {
    fn from(flag: ColourFlag) -> Self {
        match flag {
            ColourFlag::Speed => Self::Speed,
            ColourFlag::Acceleration => Self::Acceleration,
            ColourFlag::Curvature => Self::Curvature,
            ColourFlag::Grade => Self::Grade,
            ColourFlag::SpeedRatio => Self::SpeedRatio,
            ColourFlag::Deviation => Self::Deviation,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum BackgroundFlag {
    Light,
    Dark,
    Transparent,
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
  The same as a page, with the picture behind the road:
    raceline render monza.raceline.json -o monza.html --background monza.png
  Two vehicles' lines on one track, 2400 pixels wide:
    raceline render monza-gt.json monza-kart.json -o monza.png --width-px 2400
  The distance of one line from another:
    raceline render new.json old.json --colour-by deviation -o drift.svg
  The fastest lap that a follower, a game or a driver has driven along it:
    raceline render monza.raceline.json --driven trace.csv -o driven.png
  On the picture from which the track was extracted:
    raceline render monza.raceline.json --background monza.png -o monza.svg
  The decisions of a driver:
    raceline render race.toml -o race.svg";

impl Arguments {
    /// Reads the lines and writes the picture or the page.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let output = Output::new(&self.output);
        let format =
            if is_page(&self.output) { None } else { Some(picture_format(&self.output, ".html, .svg or .png")?) };
        let background = match &self.background {
            Some(BackgroundFlag::Picture(path)) => Some(path),
            _ => None,
        };
        file_guard::check(self.lines.iter().chain(background).chain(&self.driven), [&output])?;
        output.check()?;
        if let [path] = &*self.lines
            && let Some(decisions) = decisions(path)
        {
            return self.draw_decisions(&decisions?, &output);
        }
        let mut lines = self.lines.iter().map(|path| read_with_doubts(path, flags)).collect::<Result<Vec<_>, _>>()?;
        if let (Some(path), Some(line)) = (&self.driven, lines.first()) {
            let name = path.display();
            let bytes = files::read(path, LARGEST_TELEMETRY).with_context(|| format!("{name}: can't be read"))?;
            let driven = driven_lap(line, &bytes).with_context(|| name.to_string())?;
            // A picture has the driven lap on top; a page compares it with the line.
            lines.insert(usize::from(format.is_none()), driven);
        }
        let backdrop = self.backdrop(&lines, flags)?;
        let drawn = match format {
            None => html::render(&lines, &self.page_options(backdrop)).map(String::into_bytes),
            Some(PictureFormat::Svg) => svg::render(&lines, &self.picture_options(backdrop)).map(String::into_bytes),
            Some(PictureFormat::Png) => png::render(&lines, &self.picture_options(backdrop)),
        };
        let drawn = drawn.map_err(|error| match error {
            RenderError::Size { .. } | RenderError::NoSecondLine | RenderError::NotOnPage { .. } => {
                Failure::Usage(error.into())
            }
            _ => Failure::Job(error.into()),
        })?;
        Ok(output.write(&drawn)?)
    }

    /// Draws decisions instead of a line.
    fn draw_decisions(&self, definition: &Definition, output: &Output) -> Result<(), Failure> {
        let place = || self.lines.iter().map(|path| path.display().to_string()).collect::<String>();
        let format = picture_format(&self.output, ".svg or .png: decisions have no page")?;
        let drawing = tactics_picture::svg(definition).with_context(place)?;
        Ok(output.write(&format.bytes_of(drawing)?)?)
    }

    fn picture_options(&self, backdrop: Option<Backdrop>) -> RenderOptions {
        RenderOptions {
            colour_by: match (self.colour_by, &self.driven) {
                (Some(flag), _) => flag.into(),
                (None, Some(_)) => ColourBy::SpeedRatio,
                (None, None) => ColourBy::default(),
            },
            width_px: self.width_px,
            height_px: self.height_px,
            sections: self.sections,
            candidates: !self.no_candidates,
            corners: !self.no_corners,
            braking: !self.no_braking,
            inputs: self.inputs,
            driven: self.driven.is_some(),
            background: match self.background {
                Some(BackgroundFlag::Dark) => Background::Dark,
                Some(BackgroundFlag::Transparent) => Background::Transparent,
                None | Some(BackgroundFlag::Light | BackgroundFlag::Picture(_)) => Background::Light,
            },
            backdrop,
            ..RenderOptions::default()
        }
    }

    fn page_options(&self, backdrop: Option<Backdrop>) -> HtmlOptions {
        HtmlOptions {
            theme: match self.background {
                Some(BackgroundFlag::Light) => PageTheme::Light,
                Some(BackgroundFlag::Dark) => PageTheme::Dark,
                None | Some(BackgroundFlag::Transparent | BackgroundFlag::Picture(_)) => PageTheme::Auto,
            },
            colour_by: self.colour_by.map(ColourBy::from),
            sections: self.sections,
            candidates: !self.no_candidates,
            corners: !self.no_corners,
            backdrop,
            losses: None,
            live: None,
        }
    }

    /// The picture behind the road, if the background is one.
    fn backdrop(&self, lines: &[RacingLine], flags: GlobalFlags) -> Result<Option<Backdrop>, Failure> {
        match (&self.background, lines.first()) {
            (Some(BackgroundFlag::Picture(path)), Some(first)) => Ok(Some(placed(path, first, flags)?)),
            _ => Ok(None),
        }
    }
}

/// The decisions in the file at `path`; none if it is another kind of file.
fn decisions(path: &Path) -> Option<anyhow::Result<Definition>> {
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        return None;
    }
    let text = files::read_to_string(path, LARGEST_OPTIONS_FILE).ok()?;
    let checked = || -> Result<Definition, TacticsError> {
        // Errors of names have their line only here.
        Tactics::from_toml(&text)?;
        Definition::from_toml(&text)
    };
    Definition::is_in(&text).then(|| checked().with_context(|| path.display().to_string()))
}

/// Whether `path` ends in `.html` or `.htm`.
fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm"))
}

/// The picture at `path`, placed like the source of `line`.
fn placed(path: &Path, line: &RacingLine, flags: GlobalFlags) -> Result<Backdrop, Failure> {
    let bytes = files::read(path, LARGEST_PICTURE).with_context(|| {
        format!("can't read the background {}: specify light, dark, transparent or a picture", path.display())
    })?;
    let digest: String = Sha256::hash(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    // The digest of a map is that of its YAML and its picture together.
    let of_a_map = line.source.file.ends_with(".yaml") || line.source.file.ends_with(".yml");
    if digest != line.source.sha256 && !of_a_map && !flags.quiet {
        let message = format!(
            "{} is not the picture from which {} was extracted, {}: it is drawn at the scale and place of that picture",
            path.display(),
            line.name,
            line.source.file
        );
        report::print_warning(&message, flags.colour());
    }
    Ok(Backdrop::new(&path.display().to_string(), &bytes, line)?)
}
