//! One layer of options: a TOML file or the command line.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toml::de::DeTable;

use super::OptionsError;
use super::known::{KnownOption, known_option, nearest_key, options_of_table};
use crate::files::{self, LARGEST_OPTIONS_FILE, Reach};

/// The options of one source.
///
/// ```
/// use std::path::Path;
///
/// use raceline::Options;
/// use raceline::options::Layer;
///
/// // A sidecar, and what the command line sets over it.
/// let sidecar = Layer::from_toml(Path::new("oval.toml"), "metres_per_pixel = 0.5\nseed = 3")?;
/// let flags = Layer::from_command_line(&serde_json::json!({"seed": 4}))?;
/// let options = Options::from_layers(&[sidecar, flags])?;
/// assert_eq!((options.scale.metres_per_pixel, options.solve.seed), (Some(0.5), 4));
/// # Ok::<(), raceline::options::OptionsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    origin: Origin,
    /// Which files the layer's file may name, and the files that it leads to.
    reach: Reach,
    pub(super) entries: Vec<Entry>,
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) value: Value,
    line: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Origin {
    File(String),
    CommandLine,
    Keywords,
}

impl Layer {
    /// The options in the TOML file at `path`, which may name files in its folder.
    ///
    /// # Errors
    /// A file that cannot be read, and those of [`Self::from_toml`].
    pub fn read(path: &Path) -> Result<Self, OptionsError> {
        Self::read_within(path, Reach::default())
    }

    /// Like [`Self::read`]; the files that it names lie within `reach`.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    pub fn read_within(path: &Path, reach: Reach) -> Result<Self, OptionsError> {
        let text = files::read_to_string(path, LARGEST_OPTIONS_FILE).map_err(|error| OptionsError::Unreadable {
            file: path.display().to_string(),
            message: error.to_string(),
        })?;
        Self::of_toml(path, &text, reach)
    }

    /// The layer, which permits the files of a run to name files within `reach`.
    #[must_use]
    pub fn reaching(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }

    /// Which files the files of a run may name.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The options in `text`, the contents of the TOML file at `path`. `like`, `right`, `initial_line`
    /// and a `vehicle` that ends in `.toml` are paths relative to the file's folder, and lie in it.
    ///
    /// # Errors
    /// Text that is not TOML, an unknown key, and a value of the wrong kind; each with its line.
    pub fn from_toml(path: &Path, text: &str) -> Result<Self, OptionsError> {
        Self::of_toml(path, text, Reach::default())
    }

    fn of_toml(path: &Path, text: &str, reach: Reach) -> Result<Self, OptionsError> {
        let file = path.display().to_string();
        let line_of =
            |offset: usize| text.as_bytes()[..offset.min(text.len())].iter().filter(|&&b| b == b'\n').count() + 1;
        let syntax = |error: &toml::de::Error| OptionsError::Syntax {
            place: match error.span() {
                Some(span) => format!("{file}, line {}", line_of(span.start)),
                None => file.clone(),
            },
            message: error.message().to_owned(),
        };
        // The first reading gives the places of the keys, the second their values.
        let places = DeTable::parse(text).map_err(|error| syntax(&error))?;
        let values: toml::Table = toml::from_str(text).map_err(|error| syntax(&error))?;
        let mut layer = Self { origin: Origin::File(file), reach, entries: Vec::new() };
        for (offset, key) in keys_of(places.get_ref()) {
            let Some(value) = values.get(key) else { continue };
            let line = Some(line_of(offset));
            let Some(options) = options_of_table(key) else {
                layer.push(path, key, value, line)?;
                continue;
            };
            let (Some(table), Some(inner)) =
                (places.get_ref().get(key).and_then(|t| t.get_ref().as_table()), value.as_table())
            else {
                return Err(OptionsError::Value {
                    place: layer.place(key, line),
                    found: value.to_string(),
                    expected: format!("a table [{key}] with {}", options.join(", ")),
                });
            };
            for (offset, option) in keys_of(table) {
                let Some(value) = inner.get(option) else { continue };
                let line = Some(line_of(offset));
                if known_option(option).is_some() && !options.contains(&option) {
                    return Err(OptionsError::ForeignTable { place: layer.place(option, line), table: key.to_owned() });
                }
                layer.push(path, option, value, line)?;
            }
        }
        Ok(layer)
    }

    /// Adds an option of a TOML.
    fn push(&mut self, file: &Path, key: &str, value: &toml::Value, line: Option<usize>) -> Result<(), OptionsError> {
        let known = self.known(key, line)?;
        // Infinities and NaN become null here, which no option accepts.
        let mut json = serde_json::to_value(value).unwrap_or(Value::Null);
        self.check(known, &json, &value.to_string(), line)?;
        if let Some(name) = json.as_str()
            && (["like", "right", "initial_line"].contains(&key) || key == "vehicle" && is_vehicle_file(name))
        {
            let path = self.reach.path(file, Path::new(name)).map_err(|error| OptionsError::OutOfReach {
                place: self.place(key, line),
                path: name.to_owned(),
                message: error.to_string(),
            })?;
            json = path.to_string_lossy().into_owned().into();
        }
        if let Some(other) = self.entries.iter().find(|entry| entry.key == known.key) {
            return Err(OptionsError::Twice { first: self.place_of(other), second: self.place(key, line) });
        }
        self.entries.push(Entry { key: known.key.clone(), value: json, line });
        Ok(())
    }

    /// The options of a command line: a map or a struct with the names of the options as keys.
    ///
    /// # Errors
    /// An unknown key, a value of the wrong kind, and values that are no map.
    pub fn from_command_line(values: &impl Serialize) -> Result<Self, OptionsError> {
        Self::of_values(Origin::CommandLine, values)
    }

    /// The options of a caller who gives them by name, as in another language, likewise: messages name the
    /// keys.
    ///
    /// # Errors
    /// Those of [`Self::from_command_line`].
    pub fn from_keywords(values: &impl Serialize) -> Result<Self, OptionsError> {
        Self::of_values(Origin::Keywords, values)
    }

    fn of_values(origin: Origin, values: &impl Serialize) -> Result<Self, OptionsError> {
        let wrong = |found: String| OptionsError::Value {
            place: "options".to_owned(),
            found,
            expected: "a map from options to values".to_owned(),
        };
        let values = match serde_json::to_value(values) {
            Ok(Value::Object(values)) => values,
            Ok(other) => return Err(wrong(other.to_string())),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let mut layer = Self { origin, reach: Reach::default(), entries: Vec::new() };
        for (key, value) in values {
            let known = layer.known(&key, None)?;
            layer.check(known, &value, &value.to_string(), None)?;
            layer.entries.push(Entry { key: known.key.clone(), value, line: None });
        }
        Ok(layer)
    }

    /// Whether the layer is the command line.
    #[must_use]
    pub fn is_command_line(&self) -> bool {
        self.origin == Origin::CommandLine
    }

    /// Whether the layer specifies `key`.
    #[must_use]
    pub fn contains(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    /// The layer without the scale of pictures, which does not apply to a file of coordinates.
    #[must_use]
    pub fn without_scale(mut self) -> Self {
        self.entries.retain(|entry| !super::SCALE_KEYS.contains(&entry.key.as_str()));
        self
    }

    /// The layer for a file with coordinates: without a scale, but with the width that a centre line without
    /// one takes.
    #[must_use]
    pub fn with_width_only(mut self) -> Self {
        self.entries.retain(|entry| entry.key == "track_width_m" || !super::SCALE_KEYS.contains(&entry.key.as_str()));
        self
    }

    /// The place of an entry for messages: file, line and key, or the flag.
    pub(super) fn place_of(&self, entry: &Entry) -> String {
        self.place(&entry.key, entry.line)
    }

    fn place(&self, key: &str, line: Option<usize>) -> String {
        match (&self.origin, line) {
            (Origin::File(file), Some(line)) => format!("{file}, line {line}: {key}"),
            (Origin::File(file), None) => format!("{file}: {key}"),
            (Origin::Keywords, _) => key.to_owned(),
            (Origin::CommandLine, _) => format!("--{}", key.replace('_', "-")),
        }
    }

    fn known(&self, key: &str, line: Option<usize>) -> Result<&'static KnownOption, OptionsError> {
        known_option(key)
            .ok_or_else(|| OptionsError::UnknownKey { place: self.place(key, line), near: nearest_key(key) })
    }

    /// Checks `value` alone, so that an error names its place.
    fn check(&self, known: &KnownOption, value: &Value, shown: &str, line: Option<usize>) -> Result<(), OptionsError> {
        let alone = Value::Object(Map::from_iter([(known.key.clone(), value.clone())]));
        if value.is_null() || serde_json::from_value::<super::Options>(alone).is_err() {
            return Err(OptionsError::Value {
                place: self.place(&known.key, line),
                found: shown.to_owned(),
                expected: known.kind.expected(),
            });
        }
        Ok(())
    }
}

/// The keys of a table with their places in the text, in the text's order.
fn keys_of<'a>(table: &'a DeTable<'_>) -> Vec<(usize, &'a str)> {
    let mut keys: Vec<(usize, &str)> = table.keys().map(|key| (key.span().start, key.get_ref().as_ref())).collect();
    keys.sort_unstable();
    keys
}

/// The sidecar of `input`: the file beside it with the same name and the ending `.toml`, if there
/// is one and it is no vehicle. It may be a pipe or a device, which cannot be read. Standard input has none.
#[must_use]
pub fn sidecar_of(input: &Path) -> Option<PathBuf> {
    toml_beside(input).filter(|file| !is_vehicle(file))
}

/// A vehicle file in the place of the sidecar of `input`, if there is one.
#[must_use]
pub(crate) fn vehicle_beside(input: &Path) -> Option<PathBuf> {
    toml_beside(input).filter(|file| is_vehicle(file))
}

fn toml_beside(input: &Path) -> Option<PathBuf> {
    if files::is_standard_input(input) {
        return None;
    }
    let beside = input.with_extension("toml");
    let is_there = || std::fs::metadata(&beside).is_ok_and(|metadata| !metadata.is_dir());
    (beside != input && is_there()).then_some(beside)
}

/// Keys that every vehicle has and no sidecar.
const VEHICLE_KEYS: [&str; 2] = ["mass_kg", "wheelbase_m"];

/// Whether the file has the keys of a vehicle.
fn is_vehicle(file: &Path) -> bool {
    let text = files::read_to_string(file, LARGEST_OPTIONS_FILE).unwrap_or_default();
    DeTable::parse(&text).is_ok_and(|table| VEHICLE_KEYS.iter().all(|key| table.get_ref().contains_key(*key)))
}

/// Whether a `vehicle` is a file and not a preset.
pub(super) fn is_vehicle_file(name: &str) -> bool {
    name.ends_with(".toml")
}
