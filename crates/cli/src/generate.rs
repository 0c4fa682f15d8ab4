//! `raceline generate`: random circuits and stages.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use raceline_generate::{GenerateError, GenerateOptions, Road, Style, generate, picture};
use raceline_road::track_file;
use rayon::prelude::*;

use super::GlobalFlags;
use super::file_guard;
use super::output::{Output, remove_leftovers};
use super::progress;
use super::report::{self, Failure};

/// Draw random circuits and stages
///
/// The road has the specified length and width, does not fold and does not touch itself. The same
/// seed gives the same road. The ending of the output selects the format: a centre line (.csv), a
/// picture with its sidecar (.png and .toml), an occupancy grid of ROS (.yaml and .pgm) or an
/// extracted track (.json); `--format cones` writes a .csv of cones. `raceline optimize` reads each of
/// them.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// What the road looks like
    #[arg(long, value_enum, default_value = "circuit")]
    style: StyleName,
    /// Seed of the random numbers; of several roads that of the first, the next ones count up
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Number of roads; the output is a folder [default: 1, or 1000 for a folder]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// Length of the centre line, metres [default: that of the style]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    length_m: Option<f64>,
    /// Width of the road, metres [default: that of the style]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    width_m: Option<f64>,
    /// Let the road cross itself; for circuit and kart
    #[arg(long)]
    crossings: bool,
    /// Side of a pixel of pictures and maps, metres [default: a twelfth of the width]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    metres_per_pixel: Option<f64>,
    /// The format of the roads in a folder and of stdout, and which of two a .csv is
    #[arg(long, short, value_enum, value_name = "NAME")]
    format: Option<RoadFormat>,
    /// A file that ends in .csv, .png, .yaml or .json, a folder (it ends in / or exists), or - for
    /// stdout
    #[arg(long, short, value_name = "OUT", default_value = "-")]
    output: PathBuf,
}

const AFTER_HELP: &str = "\
Examples:
  raceline generate --style circuit --seed 7 -o circuit.csv
  A thousand kart tracks, as pictures:
    raceline generate --style kart --count 1000 --format png -o karts/
  A maze as a map for ROS:
    raceline generate --style maze --length-m 150 --width-m 1.2 -o maze.yaml
  A track of Formula Student, as cones:
    raceline generate --style kart --length-m 300 --width-m 4 --format cones -o cones.csv";

/// The styles' names.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum StyleName {
    /// Straights, sweeping bends and hairpins: 4000 m, 12 m wide
    Circuit,
    /// Right angles and a few diagonals: 3000 m, 10 m wide
    Street,
    /// Many tight corners: 1100 m, 8 m wide
    Kart,
    /// Two to five wide bends: 2400 m, 15 m wide
    Oval,
    /// A start and an end, as in a rally: 8000 m, 5 m wide
    Stage,
    /// A circuit that fills a rectangle: 1200 m, 4 m wide
    Maze,
}

impl StyleName {
    fn style(self) -> Style {
        match self {
            Self::Circuit => Style::Circuit,
            Self::Street => Style::Street,
            Self::Kart => Style::Kart,
            Self::Oval => Style::Oval,
            Self::Stage => Style::Stage,
            Self::Maze => Style::Maze,
        }
    }
}

/// The formats of a road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RoadFormat {
    /// Centre line with widths
    Csv,
    /// Cones of Formula Student, as the simulator EUFS writes them (.csv)
    Cones,
    /// Picture, with a sidecar
    Png,
    /// Occupancy grid of ROS, with its .pgm
    Yaml,
    /// Extracted track
    Json,
}

impl RoadFormat {
    fn of_ending(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "png" => Some(Self::Png),
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// Endings and bytes of a road's files; `name` is their name without the ending.
    pub fn files(self, road: &Road, name: &str, metres_per_pixel: Option<f64>) -> Result<picture::Files, Failure> {
        Ok(match self {
            Self::Csv => vec![("csv", road.csv())],
            Self::Cones => vec![("csv", road.cones())],
            Self::Json => vec![("json", track_file::write(&road.track()?)?)],
            Self::Png => picture::picture(road, metres_per_pixel).map_err(failure)?,
            Self::Yaml => picture::map(road, name, metres_per_pixel).map_err(failure)?,
        })
    }

    /// The endings of a road's files.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Csv | Self::Cones => &["csv"],
            Self::Json => &["json"],
            Self::Png => &["png", "toml"],
            Self::Yaml => &["pgm", "yaml"],
        }
    }
}

impl Arguments {
    /// Draws the roads and writes them.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let options = GenerateOptions {
            style: self.style.style(),
            seed: self.seed,
            length_m: self.length_m,
            width_m: self.width_m,
            crossings: self.crossings,
        };
        if let Some(metres_per_pixel) = self.metres_per_pixel.filter(|&m| !(m.is_finite() && m > 0.0)) {
            return Err(Failure::usage(format!("--metres-per-pixel {metres_per_pixel}: must be above 0")));
        }
        options.size_m().map_err(failure)?;
        if self.is_folder() { self.run_folder(&options, flags) } else { self.run_file(&options) }
    }

    fn is_folder(&self) -> bool {
        self.output.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]) || self.output.is_dir()
    }

    fn run_file(&self, options: &GenerateOptions) -> Result<(), Failure> {
        let shown = self.output.display();
        if self.count.is_some_and(|count| count > 1) {
            return Err(Failure::usage(format!("--count needs a folder as output: -o {shown}/")));
        }
        let is_stdout = self.output == Path::new("-");
        let format = match (RoadFormat::of_ending(&self.output), self.format) {
            (None, format) if is_stdout => format.unwrap_or(RoadFormat::Csv),
            (Some(ending), None) => ending,
            (Some(ending), Some(format)) if ending.endings() == format.endings() => format,
            (Some(_), Some(_)) => {
                return Err(Failure::usage(format!("{shown}: the ending is not that of --format: omit --format")));
            }
            (None, _) => {
                return Err(Failure::usage(format!(
                    "{shown}: unknown format: use a name that ends in .csv, .png, .yaml or .json, or a folder that ends in /"
                )));
            }
        };
        if is_stdout && format.endings().len() > 1 {
            return Err(Failure::usage("pictures and maps are two files: specify a file with -o"));
        }
        let outputs: Vec<Output> = match format.endings() {
            [_] => vec![Output::new(&self.output)],
            // The ending of the file that was named stays as it is.
            endings => endings
                .iter()
                .map(|&ending| match RoadFormat::of_ending(Path::new(&format!("x.{ending}"))) {
                    Some(_) => Output::File(self.output.clone()),
                    None => Output::File(self.output.with_extension(ending)),
                })
                .collect(),
        };
        file_guard::check([], &outputs)?;
        outputs.iter().try_for_each(Output::check)?;
        let stem = self.output.file_stem().unwrap_or_default();
        let stem = stem.to_str().ok_or_else(|| Failure::usage(format!("{shown}: the name is not Unicode")))?;
        let road = generate(options).map_err(failure)?;
        let files = format.files(&road, stem, self.metres_per_pixel)?;
        for ((_, bytes), output) in files.iter().zip(&outputs) {
            output.write(bytes)?;
        }
        Ok(())
    }

    fn run_folder(&self, options: &GenerateOptions, flags: GlobalFlags) -> Result<(), Failure> {
        const FOLDER_COUNT: u32 = 1000;
        let folder = &self.output;
        let count = u64::from(self.count.unwrap_or(FOLDER_COUNT));
        let last = options.seed.checked_add(count - 1);
        let last =
            last.ok_or_else(|| Failure::usage("--seed is too large for this many roads: specify a smaller seed"))?;
        let format = self.format.unwrap_or(RoadFormat::Csv);
        // What no road can be is refused before the folder is made.
        format.files(&generate(options).map_err(failure)?, "", self.metres_per_pixel)?;
        fs::create_dir_all(folder).with_context(|| format!("can't create the folder {}", folder.display()))?;
        remove_leftovers(folder);
        let progress = progress::watch(flags, &folder.display().to_string());
        progress.stage("roads");
        let done = AtomicUsize::new(0);
        (options.seed..=last).into_par_iter().try_for_each(|seed| {
            let road = generate(&GenerateOptions { seed, ..options.clone() }).map_err(failure)?;
            for (ending, bytes) in format.files(&road, &road.name, self.metres_per_pixel)? {
                Output::File(folder.join(format!("{}.{ending}", road.name))).write(&bytes)?;
            }
            progress.step(done.fetch_add(1, Ordering::Relaxed) + 1, count as usize, "");
            Ok::<_, Failure>(())
        })?;
        drop(progress);
        if !flags.quiet {
            report::to_stderr(&format!("{}: {count} roads\n", folder.display()));
        }
        Ok(())
    }
}

/// An error about what the flags ask for is wrong usage.
pub fn failure(error: GenerateError) -> Failure {
    match error {
        GenerateError::OutOfRange(_)
        | GenerateError::TooShort { .. }
        | GenerateError::TooLong { .. }
        | GenerateError::NoCrossings { .. }
        | GenerateError::PictureTooLarge { .. }
        | GenerateError::PictureTooCoarse { .. } => Failure::Usage(anyhow!(error)),
        _ => Failure::Job(anyhow!(error)),
    }
}
