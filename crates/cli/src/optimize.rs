//! `raceline optimize`: from a picture to the racing line.

use std::collections::BTreeMap;
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use raceline::batch;
use raceline_file::files;

use super::GlobalFlags;
use super::file_guard;
use super::following::{Address, follow};
use super::line_making::LineTask;
use super::option_flags::OptionFlags;
use super::output::Output;
use super::report::{self, Failure};
use super::survival::SurvivalFlags;
use super::track_name::stem_of;

/// Find the racing line of a track and its speed profile
///
/// Reads a picture of a road (PNG, JPEG, GIF, BMP, TIFF, WebP, PNM), a ROS map YAML, a track file, or a
/// track from `raceline extract`. Finds the shortest path, the minimum-curvature line, the blend of
/// the two with the lowest lap time, and from there the time-optimal line. Writes the line as JSON
/// and prints the gain of each line.
///
/// A picture requires a scale: --metres-per-pixel, --track-length-m, --track-width-m, a map YAML,
/// or a sidecar. A sidecar is a TOML file beside the input with the same name. Its keys are the
/// flags below with underscores; a flag overrides the sidecar.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Pictures, map YAMLs, extracted tracks or track files: CSV, GeoJSON, SVG or XML of TORCS; - for
    /// stdin
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Where to write: a file, - for stdout, or with several inputs a folder, in which each line is
    /// <NAME>.raceline.json [default: <NAME>.raceline.json in the current folder,
    /// stdout for stdin]
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Name of the track [default: that of the input file, stdin for stdin]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Print the summary as JSON, one line per input
    #[arg(long)]
    json: bool,
    /// Store the compared lines' points and the cross-sections too, for `raceline render`
    #[arg(long)]
    detail: bool,
    /// Draw what was found in a picture as a PNG, also if no road was: the road tinted, its edges, and
    /// doubtful stretches
    #[arg(long, value_name = "PNG")]
    explain: Option<PathBuf>,
    /// Make the line again whenever the input, its sidecar or its vehicle file changes
    #[arg(long)]
    watch: bool,
    /// As --watch, and show the line's page at this port of this machine; 0 is any that is free
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8017")]
    serve: Option<u16>,
    #[command(flatten)]
    survival: SurvivalFlags,
    #[command(flatten)]
    options: OptionFlags,
}

const AFTER_HELP: &str = "\
Examples:
  A picture that shows half a metre per pixel:
    raceline optimize monza.png --metres-per-pixel 0.5
  One with a known lap length, driven by a kart, counter-clockwise:
    raceline optimize club.jpg --track-length-m 1210 --vehicle kart --direction counterclockwise
  The same options in a sidecar club.toml:
    track_length_m = 1210
    vehicle = \"kart\"
    direction = \"counterclockwise\"
  In a pipe:
    curl https://example.org/club.png | raceline optimize - --metres-per-pixel 0.5 > club.raceline.json
  Every track of a folder:
    raceline optimize tracks/*.png -o lines/
  A line on which a robot with the errors of robot.toml stays on the road in 999 of 1000 laps:
    raceline optimize monza.png --metres-per-pixel 0.5 --noise robot.toml --confidence 0.999";

impl Arguments {
    /// Runs every input, also after one has failed.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        if self.name.is_some() && self.inputs.len() > 1 {
            return Err(Failure::usage("--name is the name of one track: pass one input, or leave it out"));
        }
        if self.explain.is_some() && self.inputs.len() > 1 {
            return Err(Failure::usage("--explain draws one picture: pass one input, or leave it out"));
        }
        let outputs = self.outputs()?;
        let read: Vec<PathBuf> =
            self.inputs.iter().flat_map(|input| self.options.files(input)).chain(self.survival.files()).collect();
        let explained = self.explain.iter().map(|path| Output::File(path.clone()));
        file_guard::check(&read, &outputs.iter().cloned().chain(explained).collect::<Vec<_>>())?;
        let jobs: Vec<(&PathBuf, Output)> = self.inputs.iter().zip(outputs).collect();
        let is_followed = self.watch || self.serve.is_some();
        if let [(input, output)] = jobs.as_slice() {
            return if is_followed { self.follow(input, output, flags) } else { self.optimize(input, output, flags) };
        }
        if is_followed {
            return Err(Failure::usage(format!("--watch and --serve follow one input, not {}", jobs.len())));
        }
        let mut failed = 0;
        for (input, output) in &jobs {
            match self.optimize(input, output, flags) {
                // Wrong usage would be the same for every input.
                Err(failure @ (Failure::Usage(_) | Failure::BrokenPipe)) => return Err(failure),
                Err(failure) => {
                    report::print_failure(&failure, flags.colour());
                    failed += 1;
                }
                Ok(()) => {}
            }
        }
        if failed > 0 { Err(Failure::Reported { failed, total: jobs.len() }) } else { Ok(()) }
    }

    fn optimize(&self, input: &Path, output: &Output, flags: GlobalFlags) -> Result<(), Failure> {
        let task = self.task(input, output, flags);
        let made = task.make()?;
        task.write(&made)
    }

    /// Makes the line of one input again and again.
    fn follow(&self, input: &Path, output: &Output, flags: GlobalFlags) -> Result<(), Failure> {
        let ip = Ipv4Addr::LOCALHOST.into();
        follow(&self.task(input, output, flags), self.serve.map(|port| Address { ip, port, edits: false }))
    }

    fn task<'a>(&'a self, input: &'a Path, output: &'a Output, flags: GlobalFlags) -> LineTask<'a> {
        let (name, options) = (self.name.as_deref(), &self.options);
        LineTask {
            input,
            output,
            name,
            options,
            detail: self.detail,
            json: self.json,
            explain: self.explain.as_deref(),
            survival: Some(&self.survival),
            flags,
        }
    }

    /// The output of each input.
    fn outputs(&self) -> Result<Vec<Output>, Failure> {
        let folder = match &self.output {
            // What is read from a pipe goes into one.
            None if matches!(self.inputs.as_slice(), [input] if files::is_standard_input(input)) => {
                return Ok(vec![Output::Stdout]);
            }
            None => PathBuf::new(),
            Some(path) if path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/') => {
                if Path::new(path.to_string_lossy().trim_end_matches('/')).is_file() {
                    let path = path.display();
                    return Err(
                        anyhow!("can't write to {path}: it is a file: specify a folder, or remove the slash").into()
                    );
                }
                fs::create_dir_all(path).with_context(|| format!("can't create the folder {}", path.display()))?;
                path.clone()
            }
            Some(path) if self.inputs.len() == 1 => return Ok(vec![Output::new(path)]),
            Some(path) => {
                let path = path.display();
                return Err(Failure::usage(format!(
                    "{} inputs require an output folder, but {path} is not one: pass -o {path}/",
                    self.inputs.len()
                )));
            }
        };
        let mut writers = BTreeMap::new();
        let mut outputs = Vec::new();
        for input in &self.inputs {
            let mut name = stem_of(input).to_owned();
            name.push(batch::ENDING);
            let path = folder.join(name);
            if let Some(other) = writers.insert(path.clone(), input) {
                return Err(Failure::usage(format!(
                    "{} and {} would both be written to {}: run them separately",
                    other.display(),
                    input.display(),
                    path.display()
                )));
            }
            outputs.push(Output::File(path));
        }
        Ok(outputs)
    }
}
