//! `raceline export`: a racing-line file to another program's format.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::builder::{PossibleValue, PossibleValuesParser};
use raceline::formats::{FORMATS, Format, FormatError, FormatOptions};
use raceline_file::files;

use super::GlobalFlags;
use super::file_guard;
use super::line_file::read_with_doubts;
use super::output::Output;
use super::report::Failure;

/// Write a racing line in the format of another program
///
/// Coordinates are metres, x to the right and y up, unless the format specifies otherwise;
/// docs/reference/export-formats.md describes the columns, units and frame of each format.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// A racing-line file, as `raceline optimize` writes it; - for stdin
    #[arg(value_name = "LINE")]
    line: PathBuf,
    /// The format
    #[arg(long, short, value_name = "NAME", value_parser = known_formats())]
    format: String,
    /// The file to write, - for stdout [default: <LINE>.<FORMAT>.<ENDING> in the current folder,
    /// stdout for stdin]
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Longitude of the line's point (0 m, 0 m), degrees, for geojson and gpx [default: that of the
    /// file, if the track is from GeoJSON]
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true, requires = "origin_latitude")]
    origin_longitude: Option<f64>,
    /// Latitude of that point, degrees
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true, requires = "origin_longitude")]
    origin_latitude: Option<f64>,
    /// Size of the cells of a flow field, metres [default: at most 512 cells along the longer side,
    /// but at least 1 m]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    cell: Option<f64>,
    /// Width of the flow field's border about the road, metres [default: 20]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    margin: Option<f64>,
    /// Distance between the points, metres, changed slightly so that they divide the line evenly
    /// [default: the points of the line]
    #[arg(long, alias = "spacing", value_name = "METRES", allow_negative_numbers = true)]
    spacing_m: Option<f64>,
    /// Drive so many times as fast as the line, 0.01 to 2: 0.8 for first laps of a real vehicle
    /// [default: 1]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    speed_factor: Option<f64>,
    /// Whether the first point of a closed line is repeated at the end; alone it means true [default:
    /// as the format's readers expect]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    closed_repeat: Option<bool>,
}

const AFTER_HELP: &str = "\
Examples:
  raceline export monza.raceline.json --format tum -o traj_race_cl.csv
  Points every 10 cm at 80 % of the speed, for a first lap of a small car:
    raceline export map.raceline.json --format forzaeth --spacing-m 0.1 --speed-factor 0.8 -o global_waypoints.json
  On a map:
    raceline export monza.raceline.json --format geojson --origin-longitude 9.2811 --origin-latitude 45.6189 -o monza.geojson
  For a game's agents, in cells of 2 m:
    raceline export monza.raceline.json --format flow-field --cell 2 -o monza.flow-field.json";

/// The formats' names with their descriptions.
fn known_formats() -> PossibleValuesParser {
    FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.description)).collect::<Vec<_>>().into()
}

impl Arguments {
    /// Reads the line and writes the file.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let format =
            Format::named(&self.format).ok_or_else(|| Failure::usage(format!("there is no format {}", self.format)))?;
        let output = self.output(format);
        file_guard::check([&self.line], [&output])?;
        output.check()?;
        let line = read_with_doubts(&self.line, flags)?;
        let options = FormatOptions {
            geographic_origin_deg: self.origin_longitude.zip(self.origin_latitude).map(<[f64; 2]>::from),
            flow_field_cell_m: self.cell,
            flow_field_margin_m: self.margin,
            spacing_m: self.spacing_m,
            speed_factor: self.speed_factor,
            closed_repeat: self.closed_repeat,
        };
        let bytes = format.write(&line, &options).map_err(|error| match error {
            // The fault is in the flags and not in the file.
            FormatError::NoGeographicOrigin { .. } => Failure::Usage(anyhow!(
                "{error}: pass --origin-longitude and --origin-latitude, the position of its point (0 m, 0 m) in degrees"
            )),
            FormatError::Grid { field: "flow_field_cell_m", value, must } => {
                Failure::Usage(anyhow!("--cell is {value}, but must be {must}"))
            }
            FormatError::Grid { value, must, .. } => Failure::Usage(anyhow!("--margin is {value}, but must be {must}")),
            FormatError::Option(error) => {
                Failure::Usage(anyhow!("--{}: must be {}, but is {}", error.option.replace('_', "-"), error.range, error.value))
            }
            FormatError::TooManyPoints { .. } => Failure::Usage(anyhow!("--spacing-m: {error}")),
            FormatError::NoRepeat { .. } => Failure::Usage(anyhow!("--closed-repeat: {error}: remove the flag")),
            FormatError::TooManyCells { .. } => Failure::Usage(anyhow!("{error} (--cell, --margin)")),
            FormatError::GeographicOrigin { .. } if self.origin_longitude.is_some() => Failure::Usage(error.into()),
            FormatError::GeographicOrigin { .. } => Failure::Job(anyhow!(
                "{}: {error}: pass --origin-longitude and --origin-latitude to override those of the line",
                self.line.display()
            )),
            _ => Failure::Job(anyhow::Error::from(error).context(self.line.display().to_string())),
        });
        Ok(output.write(&bytes?)?)
    }

    fn output(&self, format: &Format) -> Output {
        if let Some(path) = &self.output {
            return Output::new(path);
        }
        if files::is_standard_input(&self.line) {
            return Output::Stdout;
        }
        // The name as the system has it need not be Unicode.
        let stem = self.line.file_stem().unwrap_or(self.line.as_os_str());
        let inner = Path::new(stem);
        let is_line = inner.extension() == Some(OsStr::new("raceline"));
        let mut name = inner.file_stem().filter(|_| is_line).unwrap_or(stem).to_owned();
        name.push(format!(".{}.{}", format.name, format.extension));
        Output::File(PathBuf::from(name))
    }
}
