//! What options there are, read from the schema of [`Options`]: one list for the command line's flags, for messages about
//! unknown keys and for documents, which therefore can't fall behind the types.

use std::sync::LazyLock;

use schemars::{JsonSchema, Schema, schema_for};
use serde_json::Value;

use super::Options;
use crate::edges::importers::ImportOptions;
use crate::edges::{RouteOptions, ScaleOptions};
use crate::picture::PictureOptions;
use crate::solve::SolveOptions;
use crate::track::TrackOptions;

/// An option.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownOption {
    /// Its key in a TOML and in a racing-line file.
    pub key: String,
    /// Its flag on the command line, without the leading dashes: the key with dashes for underscores.
    pub flag: String,
    /// What it belongs to, as a heading.
    pub group: &'static str,
    /// What it does, with its unit and default.
    pub description: String,
    /// The values that it takes.
    pub kind: ValueKind,
}

/// The values that an option takes.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    /// A finite number.
    Number,
    /// A whole number, 0 or more.
    Count,
    /// One of these names, each with what it means.
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
    /// A list of numbers.
    Numbers,
    /// Any text.
    Text,
    /// Anything else that JSON can say.
    Json,
}

impl ValueKind {
    /// What a message says was expected.
    pub fn expected(&self) -> String {
        match self {
            Self::Number => "a number".to_owned(),
            Self::Count => "a whole number, 0 or more".to_owned(),
            Self::Choice(choices) => {
                let names: Vec<&str> = choices.iter().map(|(name, _)| name.as_str()).collect();
                format!("one of {}", names.join(", "))
            }
            Self::Position => "a position [x, y]".to_owned(),
            Self::Spot => "a position [x, y] in metres or \"x,ypx\" in pixels".to_owned(),
            Self::Spots => "a list of positions, each [x, y] in metres or \"x,ypx\" in pixels".to_owned(),
            Self::Colour => "a colour as \"#rrggbb\"".to_owned(),
            Self::EndSpeed => "a speed in m/s or \"free\"".to_owned(),
            Self::Grip => "a list of stretches, each with from_m, to_m, factor and perhaps ramp_m".to_owned(),
            Self::Numbers => "a list of numbers".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Json => "a value of another kind".to_owned(),
        }
    }
}

/// Every option, group by group and by name in each group.
pub fn known_options() -> &'static [KnownOption] {
    static KNOWN: LazyLock<Vec<KnownOption>> = LazyLock::new(|| {
        let mut known = Vec::new();
        collect::<ScaleOptions>("Scale", &mut known);
        collect::<PictureOptions>("Picture", &mut known);
        collect::<RouteOptions>("Route", &mut known);
        collect::<TrackOptions>("Track", &mut known);
        collect::<ImportOptions>("Track", &mut known);
        // The whole comes after its flattened parts; what is left over is its own.
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

/// The option called `key`.
pub fn known_option(key: &str) -> Option<&'static KnownOption> {
    known_options().iter().find(|option| option.key == key)
}

/// The known key nearest to a mistyped one, where one is near enough to be meant.
pub(super) fn nearest_key(mistyped: &str) -> Option<&'static str> {
    let candidates = known_options().iter().map(|option| option.key.as_str());
    let (distance, key) = candidates.map(|key| (strsim::levenshtein(mistyped, key), key)).min()?;
    // A key without its unit is a likely slip: `spacing` for `spacing_m`.
    let prefix = known_options().iter().map(|option| option.key.as_str()).find(|key| key.starts_with(mistyped));
    if distance <= mistyped.chars().count() / 3 { Some(key) } else { prefix.filter(|_| mistyped.len() >= 4) }
}

fn collect<T: JsonSchema>(group: &'static str, known: &mut Vec<KnownOption>) {
    let schema = schema_for!(T);
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    for (key, property) in properties {
        let description = property.get("description").and_then(Value::as_str).unwrap_or_default();
        known.push(KnownOption {
            key: key.clone(),
            flag: key.replace('_', "-"),
            group,
            description: description.replace('\n', " ").replace('`', ""),
            kind: kind(property, &schema),
        });
    }
}

/// The kind of values that a property's schema allows.
fn kind(property: &Value, root: &Schema) -> ValueKind {
    // An optional choice is `anyOf` the choice and null.
    let options = property.get("anyOf").and_then(Value::as_array);
    let property = options.and_then(|options| options.first()).unwrap_or(property);
    let is_a = |schema: &Value, kind: &str| {
        let to = schema.get("$ref").and_then(Value::as_str);
        to.and_then(|to| to.rsplit('/').next()) == Some(kind)
    };
    if is_a(property, "Spot") {
        return ValueKind::Spot;
    }
    if property.get("items").is_some_and(|items| is_a(items, "Spot")) {
        return ValueKind::Spots;
    }
    if is_a(property, "EndSpeed") {
        return ValueKind::EndSpeed;
    }
    if property.get("items").is_some_and(|items| is_a(items, "GripStretch")) {
        return ValueKind::Grip;
    }
    let numbers = |items: &Value| items.get("type").and_then(Value::as_str) == Some("number");
    if property.get("items").is_some_and(numbers) && property.get("maxItems").is_none() {
        return ValueKind::Numbers;
    }
    if is_a(property, "RoadColour") {
        return ValueKind::Colour;
    }
    if let Some(reference) = property.get("$ref").and_then(Value::as_str) {
        let target = reference.strip_prefix('#').and_then(|pointer| root.as_value().pointer(pointer));
        return target.and_then(choices).map_or(ValueKind::Json, ValueKind::Choice);
    }
    // An optional value's type is a list of the type and null.
    let types = property.get("type");
    let name = types.and_then(|types| types.as_str().or_else(|| types.get(0).and_then(Value::as_str)));
    match name {
        Some("number") => ValueKind::Number,
        Some("integer") => ValueKind::Count,
        Some("string") => ValueKind::Text,
        Some("array") if property.get("maxItems").and_then(Value::as_u64) == Some(2) => ValueKind::Position,
        _ => ValueKind::Json,
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
    use super::nearest_key;

    #[test]
    fn a_slip_of_the_pen_is_recognised_and_nonsense_is_not() {
        assert_eq!(nearest_key("metres_per_pixl"), Some("metres_per_pixel"));
        assert_eq!(nearest_key("meters_per_pixel"), Some("metres_per_pixel"));
        assert_eq!(nearest_key("spacing"), Some("spacing_m"));
        assert_eq!(nearest_key("zzz"), None);
    }
}
