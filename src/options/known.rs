//! The list of all options, read from the schema of [`Options`]. The command line's flags, the
//! messages about unknown keys and the documents use this list, so they agree with the types.
//!
//! A field declares what JSON Schema cannot express: `#[schemars(extend("x-kind" = "spot"))]` is
//! one of the kinds in `declared_kind`, `#[schemars(extend("x-range" = …))]` a [`Range`]. The kinds
//! of numbers, text and enums follow from the schema.

use std::sync::LazyLock;

use schemars::{JsonSchema, Schema, schema_for};
use serde_json::Value;

use super::Options;
use crate::construction::ImportOptions;
use crate::edges::RouteOptions;
use crate::frame::ScaleOptions;
use crate::network::NetworkOptions;
use crate::picture::PictureOptions;
use crate::plan::PlanOptions;
use crate::range::Range;
use crate::solve::SolveOptions;
use crate::speed::LoadOptions;
use crate::track::{ClearanceOptions, ReliefOptions, TrackOptions};

/// An option.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct KnownOption {
    /// Key in a TOML and in a racing-line file.
    pub key: String,
    /// Flag on the command line, without the leading dashes: the key with dashes for
    /// underscores.
    pub flag: String,
    /// Group, as a heading.
    pub group: &'static str,
    /// Description, with unit and default.
    pub description: String,
    /// Allowed values.
    pub kind: ValueKind,
    /// The range of a number; `None` for any number, and for an option that is not a number.
    pub range: Option<Range>,
}

impl KnownOption {
    /// The range for messages; empty without one.
    pub(super) fn allowed(&self) -> String {
        let range = self.range.map(|range| range.to_string()).unwrap_or_default();
        if self.kind == ValueKind::EndSpeed { range + ", or \"free\"" } else { range }
    }
}

/// The allowed values of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    /// A finite number.
    Number,
    /// True or false; on the command line, the flag alone is true.
    Switch,
    /// A whole number, 0 or more.
    Count,
    /// One of these names, each with its description.
    Choice(Vec<(String, String)>),
    /// A position `[x, y]`.
    Position,
    /// A spot: a position in metres, or text with a position in pixels.
    Spot,
    /// Several spots.
    Spots,
    /// A colour, `#rrggbb`.
    Colour,
    /// A speed, m/s, or `free`.
    EndSpeed,
    /// A list of stretches of grip.
    Grip,
    /// A list of stretches with a maximum speed.
    SpeedCap,
    /// A list of pins.
    Pin,
    /// A list of regions to keep out of.
    NoGo,
    /// A list of stretches with a kind of edge.
    Edge,
    /// A list of places that an edge passes through.
    EdgePoint,
    /// A profile of room to the edges.
    EdgeMargin,
    /// A profile of heights.
    Elevation,
    /// A profile of banking.
    Banking,
    /// A list of obstacles.
    Obstacle,
    /// A list of pick-ups.
    PickUp,
    /// A list of names of corners.
    Corner,
    /// A list of numbers.
    Numbers,
    /// A list of one-way streets.
    OneWay,
    /// Any text.
    Text,
}

impl ValueKind {
    /// A description for messages.
    #[must_use]
    pub fn expected(&self) -> String {
        match self {
            Self::Number => "a number".to_owned(),
            Self::Switch => "true or false".to_owned(),
            Self::Count => "a whole number, 0 or more".to_owned(),
            Self::Choice(choices) => {
                let names: Vec<&str> = choices.iter().map(|(name, _)| name.as_str()).collect();
                format!("one of {}", names.join(", "))
            }
            Self::Position => "a position [x, y]".to_owned(),
            Self::Spot => "a position [x, y] in metres, \"x,ypx\" in pixels or \"longitude,latitudedeg\"".to_owned(),
            Self::Spots => {
                "a list of positions, each [x, y] in metres, \"x,ypx\" in pixels or \"longitude,latitudedeg\""
                    .to_owned()
            }
            Self::Colour => "a colour as \"#rrggbb\"".to_owned(),
            Self::EndSpeed => "a speed in m/s or \"free\"".to_owned(),
            Self::Grip => {
                "a list of stretches, each with from_m, to_m, factor and optionally ramp_m, side (left, right or \
                           both) and width_m, or with polygon = [[x, y], …] and factor"
                    .to_owned()
            }
            Self::SpeedCap => "a list of stretches, each with from_m, to_m and max_speed_mps".to_owned(),
            Self::Pin => "a list of pins, each with at = [x, y] and optionally tolerance_m".to_owned(),
            Self::NoGo => "a list of regions, each with from_m, to_m, side (left, right or both) and width_m, or with \
                            polygon = [[x, y], …] and optionally side (left or right)"
                .to_owned(),
            Self::Edge => "a list of stretches, each with from_m, to_m, kind (line, kerb or wall) and optionally side \
                           (left, right or both)"
                .to_owned(),
            Self::EdgePoint => {
                "a list of places, each with at = [x, y] and optionally side (left or right) and length_m, \
                                0.01 m or more"
                    .to_owned()
            }
            Self::EdgeMargin => "a list of points, each with s_m, left_m and right_m".to_owned(),
            Self::Elevation => "a list of points, each with s_m and z_m".to_owned(),
            Self::Banking => "a list of points, each with s_m and banking_rad".to_owned(),
            Self::Obstacle => "a list of obstacles, each with at = [x, y] and radius_m, or points = [[x, y], …], and \
                               optionally side (left or right)"
                .to_owned(),
            Self::PickUp => {
                "a list of pick-ups, each with at = [x, y], radius_m, worth_s and optionally take (true or \
                             false)"
                    .to_owned()
            }
            Self::Corner => "a list of corners, each with at = [x, y] and a name of 1 to 60 characters".to_owned(),
            Self::Numbers => "a list of numbers".to_owned(),
            Self::OneWay => "a list of streets, each with from and to, two positions [x, y] along it".to_owned(),
            Self::Text => "text".to_owned(),
        }
    }
}

/// Every option, group by group and by name in each group.
#[must_use]
pub fn known_options() -> &'static [KnownOption] {
    static KNOWN: LazyLock<Vec<KnownOption>> = LazyLock::new(|| {
        let mut known = Vec::new();
        collect::<ScaleOptions>("Scale", &mut known);
        collect::<PictureOptions>("Picture", &mut known);
        collect::<RouteOptions>("Route", &mut known);
        collect::<PlanOptions>("Path through free space", &mut known);
        collect::<NetworkOptions>("Route through streets", &mut known);
        collect::<TrackOptions>("Track", &mut known);
        collect::<ImportOptions>("Track", &mut known);
        collect::<ClearanceOptions>("Track", &mut known);
        collect::<ReliefOptions>("Track", &mut known);
        collect::<LoadOptions>("Track", &mut known);
        // After the flattened parts, only the struct's own fields are left.
        let mut own = Vec::new();
        collect::<SolveOptions>("Search", &mut own);
        collect::<Options>("Line and vehicle", &mut own);
        for option in own {
            if !known.iter().any(|other: &KnownOption| other.key == option.key) {
                known.push(option);
            }
        }
        known
    });
    &KNOWN
}

/// Other names of keys that are accepted: `resolution` is that of a ROS map.
const KEY_ALIASES: [(&str, &str); 1] = [("resolution", "metres_per_pixel")];

/// Other names of values that are accepted, with their key and the value.
const VALUE_ALIASES: [(&str, &str, &[&str]); 2] = [
    ("direction", "clockwise", &["cw"]),
    ("direction", "counterclockwise", &["ccw", "anticlockwise", "counter-clockwise", "anti-clockwise"]),
];

/// Tables of a TOML with the options in them. The options may be written without their table too.
const TABLES: [(&str, &[&str]); 2] = [
    ("edges", &["wall_clearance_m", "kerb_overhang_m"]),
    ("route_weights", &["time_weight", "turn_weight_s", "straight_weight_s", "pick_up_weight"]),
];

/// The options in the table of a TOML that is called `table`.
pub(super) fn options_of_table(table: &str) -> Option<&'static [&'static str]> {
    TABLES.iter().find(|(name, _)| *name == table).map(|&(_, keys)| keys)
}

/// The option called `key`, or with this alias.
#[must_use]
pub fn known_option(key: &str) -> Option<&'static KnownOption> {
    let name = KEY_ALIASES.iter().find(|(alias, _)| *alias == key).map_or(key, |&(_, name)| name);
    known_options().iter().find(|option| option.key == name)
}

impl KnownOption {
    /// Other names of the key.
    pub fn aliases(&self) -> impl Iterator<Item = &'static str> + '_ {
        KEY_ALIASES.iter().filter(|(_, key)| *key == self.key).map(|&(alias, _)| alias)
    }

    /// Other names of a value of a [`ValueKind::Choice`].
    #[must_use]
    pub fn value_aliases(&self, value: &str) -> &'static [&'static str] {
        let known = VALUE_ALIASES.iter().find(|(key, name, _)| *key == self.key && *name == value);
        known.map_or(&[], |&(_, _, aliases)| aliases)
    }
}

/// The known key that was probably meant by a mistyped one, if any.
pub(super) fn nearest_key(mistyped: &str) -> Option<&'static str> {
    let candidates = known_options().iter().map(|option| option.key.as_str());
    let (distance, key) = candidates.map(|key| (strsim::levenshtein(mistyped, key), key)).min()?;
    // A likely mistake is a key without its unit: `spacing` for `spacing_m`.
    let prefix = known_options().iter().map(|option| option.key.as_str()).find(|key| key.starts_with(mistyped));
    if distance <= mistyped.chars().count() / 3 { Some(key) } else { prefix.filter(|_| mistyped.len() >= 4) }
}

fn collect<T: JsonSchema>(group: &'static str, known: &mut Vec<KnownOption>) {
    let schema = schema_for!(T);
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    for (key, property) in properties {
        let description = property.get("description").and_then(Value::as_str).unwrap_or_default();
        // Every property has a kind, which a test checks.
        let Some(kind) = kind(property, &schema) else { continue };
        known.push(KnownOption {
            key: key.clone(),
            flag: key.replace('_', "-"),
            group,
            description: description.replace('\n', " ").replace('`', ""),
            kind,
            range: property.get("x-range").and_then(|range| serde_json::from_value(range.clone()).ok()),
        });
    }
}

/// The kind of a property's values: declared by its field, or derived from its JSON type.
fn kind(property: &Value, root: &Schema) -> Option<ValueKind> {
    if let Some(declared) = property.get("x-kind") {
        return declared_kind(declared.as_str()?);
    }
    // An optional choice is `anyOf` the choice and null.
    let alternatives = property.get("anyOf").and_then(Value::as_array);
    let property = alternatives.and_then(|alternatives| alternatives.first()).unwrap_or(property);
    if let Some(reference) = property.get("$ref").and_then(Value::as_str) {
        let target = root.as_value().pointer(reference.strip_prefix('#')?)?;
        return choices(target).map(ValueKind::Choice);
    }
    // An optional value's type is a list of the type and null.
    let types = property.get("type")?;
    match types.as_str().or_else(|| types.get(0).and_then(Value::as_str))? {
        "number" => Some(ValueKind::Number),
        "integer" => Some(ValueKind::Count),
        "boolean" => Some(ValueKind::Switch),
        "string" => Some(ValueKind::Text),
        _ => None,
    }
}

/// The kind for the value of `x-kind`.
fn declared_kind(name: &str) -> Option<ValueKind> {
    match name {
        "position" => Some(ValueKind::Position),
        "spot" => Some(ValueKind::Spot),
        "spots" => Some(ValueKind::Spots),
        "colour" => Some(ValueKind::Colour),
        "end-speed" => Some(ValueKind::EndSpeed),
        "grip" => Some(ValueKind::Grip),
        "speed-cap" => Some(ValueKind::SpeedCap),
        "pin" => Some(ValueKind::Pin),
        "no-go" => Some(ValueKind::NoGo),
        "edge" => Some(ValueKind::Edge),
        "edge-point" => Some(ValueKind::EdgePoint),
        "edge-margin" => Some(ValueKind::EdgeMargin),
        "elevation" => Some(ValueKind::Elevation),
        "banking" => Some(ValueKind::Banking),
        "obstacle" => Some(ValueKind::Obstacle),
        "pick-up" => Some(ValueKind::PickUp),
        "corner" => Some(ValueKind::Corner),
        "numbers" => Some(ValueKind::Numbers),
        "one-way" => Some(ValueKind::OneWay),
        _ => None,
    }
}

/// The names of an enum's schema with their descriptions.
fn choices(schema: &Value) -> Option<Vec<(String, String)>> {
    if let Some(names) = schema.get("enum").and_then(Value::as_array) {
        return names.iter().map(|name| Some((name.as_str()?.to_owned(), String::new()))).collect();
    }
    let variants = schema.get("oneOf").and_then(Value::as_array)?;
    variants
        .iter()
        .map(|variant| {
            let description = variant.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
            Some((variant.get("const")?.as_str()?.to_owned(), description))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use schemars::schema_for;
    use serde_json::Value;

    use super::{Options, TABLES, known_option, nearest_key};

    #[test]
    fn every_field_has_a_kind_and_a_readable_range() {
        let schema = schema_for!(Options);
        let properties = schema.get("properties").and_then(Value::as_object).unwrap();
        for (key, property) in properties {
            let option = known_option(key).unwrap_or_else(|| panic!("{key} has no kind"));
            assert_eq!(option.range.is_some(), property.get("x-range").is_some(), "{key}");
        }
        assert_eq!(properties.values().filter(|property| property.get("x-range").is_some()).count(), 41);
        assert_eq!(known_option("spacing_m").unwrap().allowed(), "above 0 m");
        assert_eq!(known_option("end_speed_mps").unwrap().allowed(), "from 0 to 1000 m/s, or \"free\"");
    }

    #[test]
    fn tables_hold_options_and_are_none_themselves() {
        for (table, keys) in TABLES {
            assert!(known_option(table).is_none(), "{table}");
            assert!(keys.iter().all(|key| known_option(key).is_some()), "{keys:?}");
        }
    }

    #[test]
    fn a_typing_error_is_recognised_and_nonsense_is_not() {
        assert_eq!(nearest_key("metres_per_pixl"), Some("metres_per_pixel"));
        assert_eq!(nearest_key("meters_per_pixel"), Some("metres_per_pixel"));
        assert_eq!(nearest_key("spacing"), Some("spacing_m"));
        assert_eq!(nearest_key("zzz"), None);
    }
}
