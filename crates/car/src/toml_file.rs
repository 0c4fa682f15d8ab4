//! Vehicles as TOML files, and the table files that they may name.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::table_csv::inline_array;
use super::{Vehicle, VehicleError};
use raceline_file::files::{self, LARGEST_OPTIONS_FILE, Reach};

/// Where a vehicle's TOML may name a CSV: the TOML table, the key, the key of the inline table, and
/// the columns.
const TABLE_FILES: [(Option<&str>, &str, &str, &[&str]); 2] = [
    (None, "ggv_csv", "ggv_table", &["v_mps", "ax_max_mps2", "ay_max_mps2"]),
    (Some("drive"), "table_csv", "table_mps2", &["vx_mps", "ax_max_machines_mps2"]),
];

impl Vehicle {
    /// Reads and validates the vehicle file at `path`, as [`Self::from_toml`] does. In addition,
    /// `ggv_csv` may name a file of g-g-v points (columns v_mps, ax_max_mps2, ay_max_mps2) in place
    /// of `ggv_table`, and `table_csv` in `[drive]` one of driving accelerations (columns vx_mps,
    /// ax_max_machines_mps2) in place of `table_mps2`. Both are relative to the vehicle file's
    /// folder, and lie in it.
    ///
    /// # Errors
    /// A file that cannot be read, an invalid table file (with the line), and those of
    /// [`Self::from_toml`].
    pub fn read(path: &Path) -> Result<Self, VehicleError> {
        Self::read_within(path, Reach::default())
    }

    /// Like [`Self::read`]; the table files that it names lie within `reach`.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    pub fn read_within(path: &Path, reach: Reach) -> Result<Self, VehicleError> {
        let file_name = path.to_string_lossy();
        let text = files::read_to_string(path, LARGEST_OPTIONS_FILE)
            .map_err(|error| VehicleError::Unreadable { file: file_name.to_string(), message: read_failure(&error) })?;
        let open = |name: &str| {
            let csv = reach.path(path, Path::new(name));
            csv.and_then(|csv| files::read_to_string(&csv, LARGEST_OPTIONS_FILE))
                .map_err(|error| format!("can't be read: {}", read_failure(&error)))
        };
        Self::parse(&with_tables(&text, &file_name, open)?, &file_name)
    }

    /// The table files that the vehicle file at `path` names; none if it cannot be read.
    #[must_use]
    pub fn table_files(path: &Path) -> Vec<PathBuf> {
        let text = files::read_to_string(path, LARGEST_OPTIONS_FILE).unwrap_or_default();
        let Ok(document) = DeTable::parse(&text) else { return Vec::new() };
        let named =
            |&(parent, key, ..): &(Option<&str>, &str, _, _)| match entry(document.get_ref(), parent, key)?.1.get_ref()
            {
                DeValue::String(csv) => Some(path.parent()?.join(&**csv)),
                _ => None,
            };
        TABLE_FILES.iter().filter_map(named).collect()
    }

    /// Reads and validates a vehicle. All keys are required except those with a default and `name`,
    /// which defaults to `file_name` without its extension; unknown keys are an error. `file_name`
    /// is used for the default name and for messages only: no file is opened.
    ///
    /// # Errors
    /// Text that is not TOML, a missing or unknown key, a table that is specified by a file name,
    /// and a number outside its range.
    pub fn from_toml(text: &str, file_name: &str) -> Result<Self, VehicleError> {
        let open = |_: &str| Err("can't be opened here: put its numbers into the TOML".to_owned());
        Self::parse(&with_tables(text, file_name, open)?, file_name)
    }

    fn parse(text: &str, file_name: &str) -> Result<Self, VehicleError> {
        let mut vehicle: Self = toml::from_str(text).map_err(|error| VehicleError::Toml {
            file: file_name.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })?;
        if vehicle.name.is_empty() {
            let stem = Path::new(file_name).file_stem().unwrap_or_default();
            vehicle.name = stem.to_string_lossy().into_owned();
        }
        for (key, value) in [
            ("lateral_limit_mps2", vehicle.lateral_limit_mps2),
            ("longitudinal_limit_mps2", vehicle.longitudinal_limit_mps2),
        ] {
            // Without a table, both keys are required.
            let is_there = || DeTable::parse(text).is_ok_and(|document| document.get_ref().contains_key(key));
            if value == 0.0 && vehicle.ggv_table.is_empty() && !is_there() {
                let message = format!("missing field `{key}` (or ggv_table or ggv_csv in place of both tyre limits)");
                return Err(VehicleError::Toml { file: file_name.to_owned(), message });
            }
        }
        vehicle.validate()?;
        Ok(vehicle)
    }

    /// The vehicle as TOML that [`Self::from_toml`] reads back to an equal one.
    ///
    /// # Errors
    /// A number that TOML cannot represent.
    pub fn to_toml(&self) -> Result<String, VehicleError> {
        toml::to_string(self)
            .map_err(|error| VehicleError::Unwritable { vehicle: self.name.clone(), message: error.to_string() })
    }
}

/// The key and the value of `key` in the table `parent`, or at the top.
fn entry<'a, 'i>(
    document: &'a DeTable<'i>,
    parent: Option<&str>,
    key: &str,
) -> Option<(&'a Spanned<DeString<'i>>, &'a Spanned<DeValue<'i>>)> {
    let table = match parent.map(|parent| document.get(parent)) {
        None => document,
        Some(parent) => match parent?.get_ref() {
            DeValue::Table(table) => table,
            _ => return None,
        },
    };
    table.get_key_value(key)
}

/// The text with each table file's name replaced by its table, on the same line, so that line
/// numbers in later messages remain correct.
fn with_tables(
    text: &str,
    file_name: &str,
    open: impl Fn(&str) -> Result<String, String>,
) -> Result<String, VehicleError> {
    // Invalid TOML is reported when the whole text is parsed.
    let Ok(document) = DeTable::parse(text) else { return Ok(text.to_owned()) };
    let mut replacements: Vec<(Range<usize>, String)> = Vec::new();
    for (parent, key, table_key, columns) in TABLE_FILES {
        let Some((place, value)) = entry(document.get_ref(), parent, key) else { continue };
        let shown = match parent {
            Some(parent) => format!("{parent}.{key}"),
            None => key.to_owned(),
        };
        let fault = |csv: &str, message: String| VehicleError::TableFile {
            file: file_name.to_owned(),
            place: format!("{shown} = {csv}"),
            message,
        };
        let DeValue::String(csv) = value.get_ref() else {
            return Err(fault("…", "must be the name of a CSV, in double quotes".to_owned()));
        };
        let contents = open(csv).map_err(|message| fault(&format!("{csv:?}"), message))?;
        let array = inline_array(&contents, columns).map_err(|message| fault(&format!("{csv:?}"), message))?;
        replacements.push((place.span(), table_key.to_owned()));
        replacements.push((value.span(), array));
    }
    // From the end, so that the earlier ranges remain valid.
    replacements.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut replaced = text.to_owned();
    for (range, with) in replacements {
        replaced.replace_range(range, &with);
    }
    Ok(replaced)
}

fn read_failure(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file: check the name and the folder".to_owned(),
        _ => error.to_string(),
    }
}
