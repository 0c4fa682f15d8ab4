//! `raceline vehicles`: the presets.

use raceline_car::{self as vehicle, presets};
use serde::Serialize;

use super::report::{self, Failure};

/// List the vehicle presets, or print one as TOML
///
/// To define your own vehicle, save a printed preset, edit it, and pass --vehicle my-car.toml to
/// `raceline optimize`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The preset to print
    name: Option<String>,
    /// Print JSON: the presets with their summaries, or every number of the named one
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  raceline vehicles
  raceline vehicles gt > my-car.toml";

/// A preset in the list.
#[derive(Debug, Serialize)]
struct PresetSummary {
    name: &'static str,
    summary: &'static str,
}

impl Arguments {
    /// Prints the list or the preset.
    pub fn run(self) -> Result<(), Failure> {
        let Some(name) = self.name else {
            if self.json {
                let list: Vec<PresetSummary> = presets()
                    .iter()
                    .map(|preset| PresetSummary { name: preset.name, summary: preset.summary })
                    .collect();
                return Ok(report::to_stdout(&(serde_json::to_string_pretty(&list)? + "\n"))?);
            }
            let width = presets().iter().map(|preset| preset.name.len()).max().unwrap_or(0);
            let rows = presets().iter().map(|preset| format!("{:<width$}  {}\n", preset.name, preset.summary));
            return Ok(report::to_stdout(&rows.collect::<String>())?);
        };
        match presets().iter().find(|preset| preset.name == name) {
            Some(preset) if self.json => {
                let vehicle = vehicle::preset(preset.name)?;
                Ok(report::to_stdout(&(serde_json::to_string_pretty(&vehicle)? + "\n"))?)
            }
            Some(preset) => Ok(report::to_stdout(preset.toml)?),
            None => {
                let names: Vec<&str> = presets().iter().map(|preset| preset.name).collect();
                Err(Failure::usage(format!("there is no vehicle preset {name:?}: use one of {}", names.join(", "))))
            }
        }
    }
}
