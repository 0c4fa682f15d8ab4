//! One flag for each of the library's options, generated from their list so that names, values and
//! help agree.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::anyhow;
use clap::builder::PossibleValue;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use raceline::Options;
use raceline::options::{KnownOption, Layer, OptionsError, ValueKind, known_options, sidecar_of};
use raceline::pipeline;
use raceline_car::{Vehicle, VehicleError};
use raceline_file::files::Reach;
use raceline_plan::PlanError;
use raceline_read::input;
use raceline_read::picture::RoadColour;
use raceline_road::frame::Spot;
use raceline_solve::speed::EndSpeed;
use serde::Serialize;
use serde_json::{Map, Value};

use super::GlobalFlags;
use super::report::Failure;

/// The options on the command line, and the choice of the sidecar.
#[derive(Clone, Debug)]
pub struct OptionFlags {
    values: Map<String, Value>,
    sidecar: Sidecar,
    format_hint: Option<String>,
    reach: Reach,
}

#[derive(Clone, Debug)]
enum Sidecar {
    Beside,
    File(PathBuf),
    None,
}

impl OptionFlags {
    /// The options for `input`: defaults, then its sidecar, then the command line.
    pub fn layered(&self, input: &Path) -> Result<Layered, Failure> {
        let mut layers = Vec::new();
        let sidecar = self.sidecar(input);
        if let Some(path) = &sidecar {
            layers.push(Layer::read_within(path, self.reach)?);
        }
        let flags = Layer::from_command_line(&self.values).map_err(|error| Failure::options(error, true))?;
        let flags = flags.reaching(self.reach);
        // Checked alone first: an error here is wrong usage.
        Options::from_layers(std::slice::from_ref(&flags)).map_err(|error| Failure::options(error, true))?;
        let vehicle_on_command_line =
            ["vehicle", "safety_distance_m", "grip_fraction"].iter().any(|key| flags.contains(key));
        let planned_path_on_command_line = ["from", "to", "via"].iter().any(|key| flags.contains(key));
        layers.push(flags);
        let mut options = Options::from_layers(&layers)?.resolved()?.into_owned();
        options.format_hint.clone_from(&self.format_hint);
        Ok(Layered { options, vehicle_on_command_line, planned_path_on_command_line, sidecar })
    }
}

impl OptionFlags {
    fn sidecar(&self, input: &Path) -> Option<PathBuf> {
        match &self.sidecar {
            Sidecar::Beside => sidecar_of(input),
            Sidecar::File(path) => Some(path.clone()),
            Sidecar::None => None,
        }
    }

    /// The sidecar of `input`, which need not exist; `None` if none is read.
    pub fn sidecar_or_new(&self, input: &Path) -> Option<PathBuf> {
        match &self.sidecar {
            Sidecar::Beside => Some(input.with_extension("toml")).filter(|sidecar| sidecar != input),
            Sidecar::File(path) => Some(path.clone()),
            Sidecar::None => None,
        }
    }

    /// Which files the files of a run may name.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Every file that is read for `input`, as far as the options can be read.
    pub fn files(&self, input: &Path) -> Vec<PathBuf> {
        let mut files = input::files_of(input);
        files.extend(self.sidecar(input));
        if let Ok(layered) = self.layered(input) {
            files.extend(vehicle_files(layered.options.vehicle.as_deref()));
            files.extend(layered.options.import.right.map(PathBuf::from));
            files.extend(layered.options.initial_line.map(PathBuf::from));
        }
        files
    }
}

/// The files of a vehicle: none for a preset, else its TOML and the tables that it names.
pub fn vehicle_files(vehicle: Option<&str>) -> Vec<PathBuf> {
    let Some(file) = vehicle.filter(|vehicle| vehicle.ends_with(".toml")).map(PathBuf::from) else { return Vec::new() };
    let tables = Vehicle::table_files(&file);
    std::iter::once(file).chain(tables).collect()
}

/// Options, and the layer that specifies the vehicle.
pub struct Layered {
    pub options: Options,
    vehicle_on_command_line: bool,
    planned_path_on_command_line: bool,
    sidecar: Option<PathBuf>,
}

impl Layered {
    /// An end that a path on the command line lacks is wrong usage; other errors of the pipeline
    /// are failed jobs.
    pub fn failure(&self, error: pipeline::Error) -> Failure {
        match error {
            pipeline::Error::Plan { error: PlanError::NoEnd { .. }, .. } if self.planned_path_on_command_line => {
                Failure::Usage(error.into())
            }
            error => error.into(),
        }
    }

    /// The vehicle that the options specify.
    pub fn load_vehicle(&self) -> Result<raceline_car::Vehicle, Failure> {
        self.options.load_vehicle().map_err(|error| match (&self.sidecar, &error) {
            // The message for an unknown preset names the sidecar that specifies it.
            (Some(sidecar), OptionsError::Vehicle(VehicleError::UnknownPreset { .. }))
                if !self.vehicle_on_command_line =>
            {
                Failure::Job(anyhow!("{}: {error}", sidecar.display()))
            }
            _ => Failure::options(error, self.vehicle_on_command_line),
        })
    }
}

impl Args for OptionFlags {
    fn augment_args(command: Command) -> Command {
        let command = command
            .next_help_heading("Input and sidecar")
            .arg(
                Arg::new("sidecar")
                    .long("sidecar")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("Read options from this TOML [default: <INPUT>.toml beside the input, if there is one]"),
            )
            .arg(
                Arg::new("no_sidecar")
                    .long("no-sidecar")
                    .action(ArgAction::SetTrue)
                    .conflicts_with("sidecar")
                    .help("Do not read a TOML beside the input"),
            )
            .arg(
                Arg::new("format_hint")
                    .long("format-hint")
                    .value_name("ENDING")
                    .value_parser(["png", "jpg", "csv", "geojson", "kml", "kmz", "gpx", "osm", "pbf", "xodr", "ai", "aiw", "obj", "glb", "svg", "xml", "json", "yaml"])
                    .help("The kind of an input whose content does not determine it, as that of - may [default: the ending of its name]"),
            );
        augment_options(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OptionFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags =
            Self { values: Map::new(), sidecar: Sidecar::Beside, format_hint: None, reach: Reach::default() };
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.format_hint = matches.get_one::<String>("format_hint").cloned();
        self.reach = GlobalFlags::from_arg_matches(matches)?.reach();
        if let Some(path) = matches.get_one::<PathBuf>("sidecar") {
            self.sidecar = Sidecar::File(path.clone());
        } else if matches.get_flag("no_sidecar") {
            self.sidecar = Sidecar::None;
        }
        collect_values(matches, &mut self.values);
        Ok(())
    }
}

/// Adds the library's options to `command`.
fn augment_options(command: Command) -> Command {
    let shorthand = |id: &'static str, help: &'static str| {
        let arg = Arg::new(id).long(id).action(ArgAction::SetTrue).conflicts_with("shape");
        arg.help(help).help_heading("Route")
    };
    known_options()
        .iter()
        .fold(command, |command, option| command.arg(flag(option)))
        .arg(shorthand("closed", "Short for --shape closed").visible_alias("loop").conflicts_with("open"))
        .arg(shorthand("open", "Short for --shape open"))
        .next_help_heading(None::<&str>)
}

/// The library's options in `matches`.
fn collect_values(matches: &ArgMatches, values: &mut Map<String, Value>) {
    for (id, shape) in [("open", "open"), ("closed", "closed")] {
        if matches.get_flag(id) {
            values.insert("shape".to_owned(), shape.into());
        }
    }
    for option in known_options() {
        let value = match option.kind {
            ValueKind::Choice(_) | ValueKind::Text => {
                matches.get_one::<String>(&option.key).map(|text| Value::from(text.as_str()))
            }
            ValueKind::Switch => matches.get_flag(&option.key).then_some(Value::Bool(true)),
            ValueKind::Spots | ValueKind::Numbers => {
                matches.get_many::<Value>(&option.key).map(|spots| Value::Array(spots.cloned().collect()))
            }
            _ => matches.get_one::<Value>(&option.key).cloned(),
        };
        if let Some(value) = value {
            values.insert(option.key.clone(), value);
        }
    }
}

/// The option flags without those for the sidecar, because each track has its own.
#[derive(Clone, Debug)]
pub struct LayerFlags {
    values: Map<String, Value>,
    reach: Reach,
}

impl LayerFlags {
    /// The layer of the command line.
    pub fn layer(&self) -> Result<Layer, Failure> {
        let wrong = |error| Failure::options(error, true);
        let layer = Layer::from_command_line(&self.values).map_err(wrong)?.reaching(self.reach);
        // Checked alone first: an error here is wrong usage.
        let options = Options::from_layers(std::slice::from_ref(&layer)).map_err(wrong)?;
        if layer.contains("vehicle") {
            options.load_vehicle().map_err(wrong)?;
        }
        Ok(layer)
    }
}

impl Args for LayerFlags {
    fn augment_args(command: Command) -> Command {
        augment_options(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        augment_options(command)
    }
}

impl FromArgMatches for LayerFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Self { values: Map::new(), reach: Reach::default() };
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.reach = GlobalFlags::from_arg_matches(matches)?.reach();
        collect_values(matches, &mut self.values);
        Ok(())
    }
}

/// The flag of one option.
fn flag(option: &'static KnownOption) -> Arg {
    let arg = Arg::new(option.key.as_str()).help(help(&option.description)).help_heading(option.group);
    let arg = match &option.kind {
        ValueKind::Number => arg.value_name("NUMBER").value_parser(number).allow_negative_numbers(true),
        ValueKind::Switch => arg.action(ArgAction::SetTrue),
        ValueKind::Count => arg.value_name("COUNT").value_parser(count),
        ValueKind::Position => arg.value_name("X,Y").value_parser(position).allow_negative_numbers(true),
        ValueKind::Spot => arg.value_name("X,Y[px|deg]").value_parser(parsed::<Spot>).allow_negative_numbers(true),
        ValueKind::Spots => arg
            .value_name("X,Y[px|deg]")
            .value_parser(parsed::<Spot>)
            .allow_negative_numbers(true)
            .num_args(1..)
            .action(ArgAction::Append),
        ValueKind::Colour => arg.value_name("#RRGGBB").value_parser(parsed::<RoadColour>),
        ValueKind::EndSpeed => arg.value_name("M/S|free").value_parser(parsed::<EndSpeed>).allow_negative_numbers(true),
        ValueKind::Grip
        | ValueKind::SpeedCap
        | ValueKind::Pin
        | ValueKind::NoGo
        | ValueKind::Edge
        | ValueKind::EdgePoint
        | ValueKind::EdgeMargin
        | ValueKind::Elevation
        | ValueKind::Banking
        | ValueKind::Obstacle
        | ValueKind::PickUp
        | ValueKind::Corner
        | ValueKind::OneWay => arg.value_name("JSON").value_parser(json),
        ValueKind::Numbers => arg.value_name("A,B,…").value_parser(number).value_delimiter(','),
        ValueKind::Text => arg.value_name("NAME"),
        ValueKind::Choice(choices) => {
            let values = choices.iter().map(|(name, meaning)| {
                let value = PossibleValue::new(name.as_str()).aliases(option.value_aliases(name));
                if meaning.is_empty() { value } else { value.help(meaning.trim_end_matches('.')) }
            });
            arg.value_name("CHOICE").value_parser(PossibleValuesParser::new(values))
        }
    };
    // The unit is optional, for short common flags: --track-length for --track-length-m.
    let arg = match option.flag.strip_suffix("-m") {
        Some(short) => arg.alias(short),
        None => arg,
    };
    arg.aliases(option.aliases()).long(option.flag.as_str())
}

/// A description in the style of clap's help texts: `Default: 2.` at its end becomes
/// `[default: 2]`.
fn help(description: &str) -> String {
    let text = description.trim_end_matches('.');
    match text.rsplit_once(" Default: ") {
        Some((text, default)) => format!("{} [default: {default}]", text.trim_end_matches('.')),
        None => text.to_owned(),
    }
}

fn number(text: &str) -> Result<Value, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    serde_json::Number::from_f64(number).map(Value::Number).ok_or_else(|| "expected a finite number".to_owned())
}

fn count(text: &str) -> Result<Value, String> {
    text.parse::<u64>().map(Value::from).map_err(|_| "expected a whole number, 0 or more".to_owned())
}

fn position(text: &str) -> Result<Value, String> {
    let (x, y) = text.split_once(',').ok_or("expected two numbers separated by a comma, as 12.5,-3")?;
    Ok(Value::Array(vec![number(x.trim())?, number(y.trim())?]))
}

/// The value of an option whose type implements `FromStr`.
fn parsed<T>(text: &str) -> Result<Value, String>
where
    T: FromStr<Err: ToString> + Serialize,
{
    let value: T = text.parse().map_err(|error: T::Err| error.to_string())?;
    serde_json::to_value(value).map_err(|error| error.to_string())
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("expected JSON: {error}"))
}
