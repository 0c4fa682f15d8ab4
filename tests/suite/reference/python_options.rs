//! The options of a run as types of Python: `crates/python/python/raceline/_options.py`.

use std::collections::BTreeSet;
use std::fs;

use raceline::Options;
use raceline::drive::Noise;
use raceline::file::Method;
use raceline::options::known_options;
use schemars::schema_for;
use serde_json::{Map, Value};

use super::root;

const FILE: &str = "crates/python/python/raceline/_options.py";

/// The columns of a description.
const COLUMNS: usize = 96;

const HEAD: &str = "\
\"\"\"The options of a run as keyword arguments with types.

Generated from the code, as docs/reference/options.md is: `RACELINE_BLESS=1 cargo test --test suite
reference::` writes it anew.
\"\"\"

from os import PathLike
from typing import Literal, Optional, Sequence, TypedDict, Union

# A position (x, y) in metres.
Position = Sequence[float]
# A position in metres, or text: \"120,80px\" in pixels or \"11.71,44.34deg\" in degrees.
Spot = Union[Sequence[float], str]
# The path of a file.
File = Union[str, \"PathLike[str]\"]
";

/// Options that name a file.
const FILES: [&str; 3] = ["initial_line", "like", "right"];
/// Options that are arguments of their own: `optimize(track, vehicle=…, method=…)`.
const OWN_ARGUMENTS: [&str; 2] = ["method", "vehicle"];

/// The whole file.
fn text() -> String {
    let schema = schema_for!(Options);
    let root = schema.as_value();
    let properties = root.pointer("/properties").and_then(Value::as_object).unwrap();
    let mut classes = String::new();
    let mut seen = BTreeSet::new();
    let (mut fields, mut own) = (String::new(), [String::new(), String::new()]);
    for option in known_options() {
        let key = option.key.as_str();
        if OWN_ARGUMENTS.contains(&key) {
            continue;
        }
        let kind = if FILES.contains(&key) {
            "File".to_owned()
        } else {
            type_of(&properties[key], root, &mut classes, &mut seen)
        };
        // A word of Python has an underscore.
        let name = if key == "from" { "from_" } else { key };
        let field = format!("    {name}: Optional[{kind}]\n{}", docstring(&option.description));
        match ARGUMENTS.iter().position(|&(argument, _)| argument == key) {
            Some(index) => own[index] = field,
            None => fields.push_str(&field),
        }
    }
    let noise = schema_for!(Noise);
    defined("Noise", noise.as_value(), noise.as_value(), &mut classes, &mut seen);
    let methods: Vec<&str> = METHODS.iter().map(|method| method.name()).collect();
    format!(
        "{HEAD}\n# The methods that search a line.\nMethod = Literal[{}]\n{classes}{}{fields}    allow_outside: \
         bool\n{}{}{}{}{}",
        names(&methods),
        class("RoadOptions", "TypedDict", "The options of `generate`, which has a seed of its own."),
        docstring("Whether files of the run may name files outside their folders. Default: false."),
        class("ArrayOptions", "RoadOptions", ARGUMENTS[0].1),
        own[0],
        class("Options", "ArrayOptions", ARGUMENTS[1].1),
        own[1],
    )
}

/// Options that are arguments of another meaning in some functions, and the classes that have them.
const ARGUMENTS: [(&str, &str); 2] = [
    ("seed", "The options of a track of arrays, whose edges are arguments."),
    ("right", "Every key of a sidecar, except `vehicle` and `method`; None is one that is not given."),
];

/// The beginning of a class of options.
fn class(name: &str, base: &str, described: &str) -> String {
    format!("\n\nclass {name}({base}, total=False):\n    \"\"\"{described}\"\"\"\n\n")
}

const METHODS: [Method; 7] = [
    Method::ShortestPath,
    Method::MinCurvature,
    Method::IteratedMinCurvature,
    Method::Blend,
    Method::TimeOptimal,
    Method::Relaxation,
    Method::Sampled,
];

/// The type of a property; the classes that it needs are added to `classes`.
fn type_of(property: &Value, root: &Value, classes: &mut String, seen: &mut BTreeSet<String>) -> String {
    match property.get("x-kind").and_then(Value::as_str) {
        Some("spot") => return "Spot".to_owned(),
        Some("spots") => return "Sequence[Spot]".to_owned(),
        Some("position") => return "Position".to_owned(),
        Some("end-speed") => return "Union[float, Literal[\"free\"]]".to_owned(),
        _ => {}
    }
    // An optional value is `anyOf` it and null.
    if let Some(alternatives) = property.get("anyOf").and_then(Value::as_array) {
        let alternatives = alternatives.iter().filter(|one| one.get("type").is_none_or(|kind| kind != "null"));
        let types: Vec<String> = alternatives.map(|one| type_of(one, root, classes, seen)).collect();
        return if types.len() == 1 { types.concat() } else { format!("Union[{}]", types.join(", ")) };
    }
    if let Some(reference) = property.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(reference.strip_prefix('#').unwrap()).unwrap();
        let name = reference.rsplit('/').next().unwrap();
        return defined(name, target, root, classes, seen);
    }
    let types = property.get("type").unwrap_or_else(|| panic!("{property} has no type"));
    match types.as_str().or_else(|| types[0].as_str()).unwrap() {
        "number" => "float".to_owned(),
        "integer" => "int".to_owned(),
        "boolean" => "bool".to_owned(),
        "string" => "str".to_owned(),
        "array" => {
            let items = property.get("items").filter(|items| items.is_object());
            let inner = items.map_or_else(|| "float".to_owned(), |items| type_of(items, root, classes, seen));
            format!("Sequence[{inner}]")
        }
        other => panic!("{other}: {property}"),
    }
}

/// The name of a definition's type: of a position, of a choice, or of a class.
fn defined(name: &str, target: &Value, root: &Value, classes: &mut String, seen: &mut BTreeSet<String>) -> String {
    if name == "Spot" {
        return "Spot".to_owned();
    }
    if let Some(choices) = choices(target) {
        return format!("Literal[{}]", names(&choices));
    }
    let Some(properties) = target.get("properties").and_then(Value::as_object) else {
        return type_of(target, root, classes, seen);
    };
    if !seen.insert(name.to_owned()) {
        return name.to_owned();
    }
    let required: BTreeSet<&str> =
        target.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let mut of = |is_required: bool| -> Vec<String> {
        let wanted: Map<String, Value> = properties.clone();
        let wanted = wanted.iter().filter(|(key, _)| required.contains(key.as_str()) == is_required);
        wanted
            .map(|(key, property)| {
                let kind = type_of(property, root, classes, seen);
                let described = property.get("description").and_then(Value::as_str).unwrap_or_default();
                let kind = if is_required { kind } else { format!("Optional[{kind}]") };
                format!("    {key}: {kind}\n{}", docstring(described))
            })
            .collect()
    };
    let (needed, optional) = (of(true), of(false));
    if properties.contains_key("from") {
        // A class cannot have a word of Python as the name of a field.
        let fields: Vec<String> = properties
            .iter()
            .map(|(key, property)| format!("\"{key}\": {}", type_of(property, root, classes, seen)))
            .collect();
        assert!(optional.is_empty(), "{name} has keys that may be missing");
        classes.push_str(&format!("\n{name} = TypedDict(\"{name}\", {{{}}})\n", fields.join(", ")));
        return name.to_owned();
    }
    let described = docstring(target.get("description").and_then(Value::as_str).unwrap_or_default());
    if optional.is_empty() {
        classes.push_str(&format!("\n\nclass {name}(TypedDict):\n{described}\n{}", needed.concat()));
    } else if needed.is_empty() {
        classes.push_str(&format!("\n\nclass {name}(TypedDict, total=False):\n{described}\n{}", optional.concat()));
    } else {
        classes.push_str(&format!("\n\nclass _{name}(TypedDict):\n{}", needed.concat()));
        classes.push_str(&format!("\n\nclass {name}(_{name}, total=False):\n{described}\n{}", optional.concat()));
    }
    name.to_owned()
}

/// The names of a choice's values.
fn choices(target: &Value) -> Option<Vec<&str>> {
    if let Some(values) = target.get("enum").and_then(Value::as_array) {
        return values.iter().map(Value::as_str).collect();
    }
    let variants = target.get("oneOf").and_then(Value::as_array)?;
    variants.iter().map(|variant| variant.get("const")?.as_str()).collect()
}

fn names(values: &[&str]) -> String {
    values.iter().map(|value| format!("\"{value}\"")).collect::<Vec<_>>().join(", ")
}

/// A description below its field.
fn docstring(described: &str) -> String {
    // Examples are those of Rust.
    let described = described.split("```").next().unwrap();
    if described.trim().is_empty() {
        return String::new();
    }
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in described.split_whitespace() {
        if !line.is_empty() && line.chars().count() + word.chars().count() + 1 > COLUMNS {
            lines.push(std::mem::take(&mut line));
        }
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
    }
    lines.push(line);
    // A backslash or quotes would end it.
    let text = lines.join("\n    ").replace('\\', "\\\\").replace("\"\"\"", "'''");
    let text = if text.ends_with('"') { text + " " } else { text };
    format!("    \"\"\"{text}\"\"\"\n")
}

#[test]
fn the_types_of_python_are_those_of_the_code() {
    let (path, text) = (root().join(FILE), text());
    let old = fs::read_to_string(&path).unwrap_or_default();
    if super::is_blessed() {
        fs::write(&path, text).unwrap();
        return;
    }
    let line = text.lines().zip(old.lines()).find(|(new, old)| new != old);
    assert!(old == text, "{FILE} is not what the code states (RACELINE_BLESS=1 writes it anew): {line:?}");
}
