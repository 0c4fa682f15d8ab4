//! Changes of a sidecar's text that keep its comments and its order.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value as Json};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};

use raceline::Options;
use raceline::options::{Layer, OptionsError, SCALE_KEYS, ValueKind, known_option};
use raceline_car::preset;

/// One change of a sidecar.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// Sets an option. A new scale replaces any other.
    Set {
        /// Key of the option.
        key: String,
        /// Value as JSON.
        value: Json,
    },
    /// Removes an option.
    Remove {
        /// Key of the option.
        key: String,
    },
    /// Adds an entry at the end of an option that is a list.
    Add {
        /// Key of the option.
        key: String,
        /// The entry as JSON.
        value: Json,
    },
    /// Replaces an entry of an option that is a list; its place and its comments stay.
    Replace {
        /// Key of the option.
        key: String,
        /// Number of the entry, from 0.
        index: usize,
        /// The entry as JSON.
        value: Json,
    },
    /// Removes an entry of an option that is a list.
    Drop {
        /// Key of the option.
        key: String,
        /// Number of the entry, from 0.
        index: usize,
    },
}

/// A change that can't be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The sidecar is no TOML, so that nothing in it can be changed.
    #[error("{file} is no valid TOML: repair it by hand, then edit it here")]
    Toml {
        /// The sidecar.
        file: String,
        /// What is wrong.
        #[source]
        error: toml_edit::TomlError,
    },
    /// An option that only the person at the keyboard may change, because it names a file.
    #[error("`{key}` can't be changed from the page: edit the sidecar by hand")]
    NotEditable {
        /// Key.
        key: String,
    },
    /// A list without this entry: the page is older than the sidecar.
    #[error("`{key}` has no entry {number}: load the page again")]
    NoEntry {
        /// Key of the list.
        key: String,
        /// Number of the entry, from 1.
        number: usize,
    },
    /// The changed sidecar would not be valid.
    #[error(transparent)]
    Options(#[from] OptionsError),
}

/// Whether a key, or its alias, specifies the size of the track.
fn is_scale(key: &str) -> bool {
    known_option(key).is_some_and(|option| SCALE_KEYS.contains(&option.key.as_str()))
}

/// `text`, the content of the sidecar at `path`, with `edits`. The result is a valid sidecar.
///
/// # Errors
/// See [`EditError`].
pub fn edited(path: &Path, text: &str, edits: &[Edit]) -> Result<String, EditError> {
    let mut document: DocumentMut =
        text.parse().map_err(|error| EditError::Toml { file: path.display().to_string(), error })?;
    for edit in edits {
        apply(document.as_table_mut(), edit)?;
    }
    let after = document.to_string();
    if let Some(key) = new_file(&editor_values(text), &editor_values(&after)) {
        return Err(EditError::NotEditable { key });
    }
    let layer = Layer::from_toml(path, &after)?;
    Options::from_layers(&[layer])?;
    Ok(after)
}

/// The key of a file that `after` names and `before` does not. Whoever reaches the page must not have files
/// read by it, however the edits lead there.
fn new_file(before: &Map<String, Json>, after: &Map<String, Json>) -> Option<String> {
    let is_preset = |value: &Json| value.as_str().is_some_and(|name| preset(name).is_ok());
    let may_name_file = |key: &str, value: &Json| match known_option(key).map(|option| option.key.as_str()) {
        Some("vehicle") => !is_preset(value),
        Some("like") => true,
        _ => false,
    };
    let is_new = |key: &String, value: &Json| may_name_file(key, value) && before.get(key) != Some(value);
    after.iter().find(|(key, value)| is_new(key, value)).map(|(key, _)| key.clone())
}

/// The options in `text`, the content of a sidecar, as JSON; none if it is not valid.
#[must_use]
pub fn editor_values(text: &str) -> Map<String, Json> {
    let table: toml::Table = toml::from_str(text).unwrap_or_default();
    let json = |value: toml::Value| serde_json::to_value(value).unwrap_or(Json::Null);
    table.into_iter().map(|(key, value)| (key, json(value))).collect()
}

fn apply(table: &mut Table, edit: &Edit) -> Result<(), EditError> {
    let (Edit::Set { key, .. }
    | Edit::Remove { key }
    | Edit::Add { key, .. }
    | Edit::Replace { key, .. }
    | Edit::Drop { key, .. }) = edit;
    if known_option(key).is_none() {
        return Err(EditError::NotEditable { key: key.clone() });
    }
    match edit {
        Edit::Set { value, .. } => {
            if is_scale(key) {
                table.retain(|other, _| other == key || !is_scale(other));
            }
            set(table, key, value);
        }
        Edit::Remove { .. } => drop(table.remove(key)),
        Edit::Add { value, .. } => add(table, key, value),
        Edit::Replace { index, value, .. } => {
            if !replaced(table, key, *index, value) {
                return Err(EditError::NoEntry { key: key.clone(), number: index + 1 });
            }
        }
        Edit::Drop { index, .. } => {
            if !removed(table, key, *index) {
                return Err(EditError::NoEntry { key: key.clone(), number: index + 1 });
            }
        }
    }
    Ok(())
}

/// Sets `key`; a value that is there keeps the comment behind it.
fn set(table: &mut Table, key: &str, value: &Json) {
    let mut new = of_json(value);
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *new.decor_mut() = old.decor().clone();
    }
    match table.get_mut(key) {
        Some(item) => *item = Item::Value(new),
        None => drop(table.insert(key, Item::Value(new))),
    }
}

/// Adds an entry: a table `[[key]]`, or a value where the list is one of values.
fn add(table: &mut Table, key: &str, value: &Json) {
    let is_of_tables =
        !matches!(known_option(key).map(|option| &option.kind), Some(ValueKind::Spots | ValueKind::Numbers));
    let new_list = || {
        if is_of_tables { Item::ArrayOfTables(ArrayOfTables::new()) } else { Item::Value(Array::new().into()) }
    };
    let entries = value.as_object().into_iter().flatten().map(|(key, value)| (key, of_json(value)));
    match table.entry(key).or_insert_with(new_list) {
        Item::ArrayOfTables(tables) => {
            let mut new = Table::new();
            entries.for_each(|(key, value)| drop(new.insert(key, Item::Value(value))));
            tables.push(new);
        }
        item => match item.as_array_mut() {
            Some(list) => list.push(of_json(value)),
            // What is no list is not valid: the check of the whole file reports it.
            None => *item = Item::Value(of_json(value)),
        },
    }
}

/// Replaces an entry of a list; whether the entry was there. Keys that stay keep their comments.
fn replaced(table: &mut Table, key: &str, index: usize, value: &Json) -> bool {
    match table.get_mut(key) {
        Some(Item::ArrayOfTables(tables)) => {
            let (Some(entry), Some(values)) = (tables.get_mut(index), value.as_object()) else { return false };
            entry.retain(|key, _| values.contains_key(key));
            values.iter().for_each(|(key, value)| set(entry, key, value));
            true
        }
        Some(Item::Value(Value::Array(list))) => {
            let Some(entry) = list.get_mut(index) else { return false };
            let mut new = of_json(value);
            *new.decor_mut() = entry.decor().clone();
            *entry = new;
            true
        }
        _ => false,
    }
}

/// Removes an entry of a list, and an empty list; whether the entry was there.
fn removed(table: &mut Table, key: &str, index: usize) -> bool {
    let left = match table.get_mut(key) {
        Some(Item::ArrayOfTables(tables)) if index < tables.len() => {
            tables.remove(index);
            tables.len()
        }
        Some(Item::Value(Value::Array(list))) if index < list.len() => {
            list.remove(index);
            list.len()
        }
        _ => return false,
    };
    if left == 0 {
        table.remove(key);
    }
    true
}

/// A JSON value as TOML has it. Null, which TOML does not have, becomes an empty text, which no
/// option accepts.
fn of_json(value: &Json) -> Value {
    match value {
        Json::Null => "".into(),
        Json::Bool(flag) => (*flag).into(),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(list) => list.iter().map(of_json).collect::<Array>().into(),
        Json::Object(map) => {
            map.iter().map(|(key, value)| (key.as_str(), of_json(value))).collect::<InlineTable>().into()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::{Edit, edited};

    fn with(text: &str, edits: serde_json::Value) -> Result<String, String> {
        let edits: Vec<Edit> = serde_json::from_value(edits).unwrap();
        edited(Path::new("club.toml"), text, &edits).map_err(|error| error.to_string())
    }

    const CLUB: &str = "# A club circuit.\ntrack_length_m = 2000 # by hand\nstart = [410.5, 80.0]\n\n# A cone.\n[[obstacle]]\nat = [1.0, 2.0]\nradius_m = 0.3\n";

    #[test]
    fn comments_and_order_stay() {
        let text = with(CLUB, json!([{ "do": "set", "key": "start", "value": "640,200px" }])).unwrap();
        assert_eq!(text, CLUB.replace("[410.5, 80.0]", "\"640,200px\""));
    }

    #[test]
    fn a_new_scale_replaces_any_other_and_stands_before_the_tables() {
        let text = with(CLUB, json!([{ "do": "set", "key": "metres_per_pixel", "value": 0.8 }])).unwrap();
        assert!(!text.contains("track_length_m"), "{text}");
        assert!(text.find("metres_per_pixel = 0.8").unwrap() < text.find("[[obstacle]]").unwrap(), "{text}");
    }

    #[test]
    fn entries_are_added_and_dropped() {
        let cone = json!({ "at": "10,20px", "radius_m": 0.5 });
        let more = with(CLUB, json!([{ "do": "add", "key": "obstacle", "value": cone }])).unwrap();
        assert!(more.ends_with("[[obstacle]]\nat = \"10,20px\"\nradius_m = 0.5\n"), "{more}");
        let fewer = with(&more, json!([{ "do": "drop", "key": "obstacle", "index": 0 }])).unwrap();
        assert!(fewer.contains("10,20px") && !fewer.contains("radius_m = 0.3"), "{fewer}");
        let none = with(&fewer, json!([{ "do": "drop", "key": "obstacle", "index": 0 }])).unwrap();
        assert!(!none.contains("obstacle"), "{none}");
        let via =
            json!([{ "do": "add", "key": "via", "value": "1,2px" }, { "do": "add", "key": "via", "value": "3,4px" }]);
        assert_eq!(with("", via).unwrap(), "via = [\"1,2px\", \"3,4px\"]\n");
    }

    #[test]
    fn an_entry_is_replaced_in_its_place() {
        let replace =
            |key: &str, index: usize, value| json!([{ "do": "replace", "key": key, "index": index, "value": value }]);
        let moved = with(CLUB, replace("obstacle", 0, json!({ "at": "10,20px", "radius_m": 0.3 }))).unwrap();
        assert_eq!(moved, CLUB.replace("[1.0, 2.0]", "\"10,20px\""));
        let other = with(CLUB, replace("obstacle", 0, json!({ "points": [[0, 0], [1, 0], [0, 1]] }))).unwrap();
        assert!(other.contains("# A cone.\n[[obstacle]]\npoints = ") && !other.contains("radius_m"), "{other}");
        let via = with("via = [[1.0, 2.0], [3.0, 4.0]] # two\n", replace("via", 1, json!([5, 6]))).unwrap();
        assert_eq!(via, "via = [[1.0, 2.0], [5, 6]] # two\n");
        assert!(with(CLUB, replace("obstacle", 1, json!({}))).unwrap_err().contains("no entry 2"));
        assert!(with(CLUB, replace("pin", 0, json!({}))).unwrap_err().contains("no entry 1"));
    }

    #[test]
    fn no_edits_lead_to_a_file() {
        let set = |key, value| json!({ "do": "set", "key": key, "value": value });
        let add = |key, value| json!({ "do": "add", "key": key, "value": value });
        let refused = |edits: serde_json::Value| with(CLUB, edits).unwrap_err();
        assert!(refused(json!([set("like", "line.csv")])).contains("by hand"));
        assert!(refused(json!([set("vehicle", "/tmp/x.toml")])).contains("by hand"));
        // A value that is no list is replaced by an entry that is added.
        let added = refused(json!([set("vehicle", "gt"), add("vehicle", "/tmp/x.toml")]));
        assert!(added.contains("by hand"), "{added}");
        assert!(with(CLUB, json!([set("vehicle", "gt")])).is_ok());
        let mine = format!("vehicle = \"car.toml\"\n{CLUB}");
        assert!(with(&mine, json!([set("start", "1,2px")])).is_ok(), "the keyboard's own file stays");
    }

    #[test]
    fn what_would_not_be_valid_is_refused_with_its_reason() {
        let wrong = |edit: serde_json::Value| with(CLUB, json!([edit])).unwrap_err();
        let range = wrong(json!({ "do": "set", "key": "metres_per_pixel", "value": -1 }));
        assert!(range.contains("metres_per_pixel"), "{range}");
        assert!(wrong(json!({ "do": "set", "key": "nonsense", "value": 1 })).contains("by hand"));
        assert!(wrong(json!({ "do": "drop", "key": "obstacle", "index": 1 })).contains("no entry 2"));
        assert!(wrong(json!({ "do": "set", "key": "start", "value": null })).contains("start"));
        assert!(with("= 1", json!([])).unwrap_err().contains("club.toml is no valid TOML"));
    }
}
