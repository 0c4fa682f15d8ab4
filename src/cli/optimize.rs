//! `raceline optimize`: from a picture to the racing line.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use crate::batch;
use anyhow::{Context, anyhow};

use super::GlobalFlags;
use super::file_guard;
use super::following::{Address, Following};
use super::line_making::{make_line, write_line};
use super::option_flags::OptionFlags;
use super::output::Output;
use super::report::{self, Failure};

/// Find the racing line of a track and its speed profile
///
/// Reads a picture of a road (PNG, JPEG, BMP, TIFF, WebP, PNM), a ROS map YAML, a track file, or a
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
    /// Pictures, map YAMLs, extracted tracks or track files: CSV, GeoJSON, SVG or XML of TORCS
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Where to write: a file, - for stdout, or with several inputs a folder, in which each line is
    /// <NAME>.raceline.json [default: <NAME>.raceline.json in the current folder]
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Store the compared lines' points and the cross-sections too, for `raceline render`
    #[arg(long)]
    detail: bool,
    /// Make the line again whenever the input, its sidecar or its vehicle file changes
    #[arg(long)]
    watch: bool,
    /// As --watch, and show the line's page at this port of this machine; 0 is any that is free
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8017")]
    serve: Option<u16>,
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
  Every track of a folder:
    raceline optimize tracks/*.png -o lines/";

impl Arguments {
    /// Runs every input, also after one has failed.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let outputs = self.outputs()?;
        let read: Vec<PathBuf> = self.inputs.iter().flat_map(|input| self.options.files(input)).collect();
        file_guard::check(&read, &outputs)?;
        let jobs: Vec<(&PathBuf, Output)> = self.inputs.iter().zip(outputs).collect();
        if let [(input, output)] = jobs.as_slice() {
            let is_followed = self.watch || self.serve.is_some();
            return if is_followed { self.follow(input, output, flags) } else { self.optimize(input, output, flags) };
        }
        if self.watch || self.serve.is_some() {
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
        output.check()?;
        let made = make_line(input, &self.options, self.detail, flags)?;
        write_line(&made.outcome, input, output, flags)
    }

    /// Makes the line of one input again and again.
    fn follow(&self, input: &Path, output: &Output, flags: GlobalFlags) -> Result<(), Failure> {
        if *output == Output::Stdout {
            return Err(Failure::usage("a line that is made again and again needs a file: specify -o FILE"));
        }
        let following = Following { input, output: output.clone(), options: &self.options, detail: self.detail, flags };
        let ip = Ipv4Addr::LOCALHOST.into();
        following.run(self.serve.map(|port| Address { ip, port, edits: false }))
    }

    /// The output of each input.
    fn outputs(&self) -> Result<Vec<Output>, Failure> {
        let folder = match &self.output {
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

/// The track's name: the file's without its ending, and without the `.track` of an extracted one.
pub fn name_of(input: &Path) -> String {
    stem_of(input).to_string_lossy().into_owned()
}

/// The same as the system has it, which need not be Unicode.
fn stem_of(input: &Path) -> &OsStr {
    let stem = input.file_stem().unwrap_or(input.as_os_str());
    let inner = Path::new(stem);
    if inner.extension() == Some(OsStr::new("track")) { inner.file_stem().unwrap_or(stem) } else { stem }
}
