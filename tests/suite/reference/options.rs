//! The options of a run and those of the follower.

use raceline::options::{KnownOption, ValueKind, known_options};
use raceline_follower::{FollowerOptions, LocalPlannerOptions};

use super::source_text::{Field, fields};
use super::table::{Table, escaped};

/// A table for each group of options.
pub fn of_a_run() -> String {
    let mut text = String::new();
    let mut groups: Vec<&str> = known_options().iter().map(|option| option.group).collect();
    groups.dedup();
    for group in groups {
        text.push_str(&format!("## {group}\n\n"));
        let mut table = Table::new(&["Key", "Value", "Meaning", "Default"]);
        for option in known_options().iter().filter(|option| option.group == group) {
            table.row(&row(option));
        }
        text.push_str(&table.finish());
        text.push('\n');
    }
    text
}

fn row(option: &KnownOption) -> [String; 4] {
    let (meaning, default) = option.description.rsplit_once(" Default: ").unwrap_or((&option.description, ""));
    let mut meaning = escaped(meaning);
    let value = match (&option.kind, option.range) {
        (ValueKind::Choice(choices), _) => {
            for (name, choice) in choices.iter().filter(|(_, choice)| !choice.is_empty()) {
                meaning.push_str(&format!("<br>`{name}`: {}", escaped(choice.trim_end_matches('.'))));
            }
            choices.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        }
        (ValueKind::EndSpeed, Some(range)) => format!("{range}, or `free`"),
        (ValueKind::Count, Some(range)) => format!("whole number {range}"),
        (_, Some(range)) => range.to_string(),
        (kind, None) => escaped(&kind.expected()),
    };
    [format!("`{}`", option.key), value, meaning, escaped(default.trim_end_matches('.'))]
}

/// A table for each part of the follower's options, from the documentation of their fields.
pub fn of_the_follower() -> String {
    let mut text = String::new();
    for part in fields("crates/follower/src", "FollowerOptions") {
        text.push_str(&format!("### `{}`\n\n{}\n\n", part.name, part.doc));
        let parts = fields("crates/follower/src", &part.kind);
        for field in &parts {
            let key = format!("{}.{}", part.name, field.name);
            assert!(is_key(|value| FollowerOptions::default().set(&key, value)), "{key} can't be set");
        }
        text.push_str(&table(&parts, &format!("{}.", part.name)));
        text.push('\n');
    }
    text
}

/// The options of the local planner.
pub fn of_the_local_planner() -> String {
    let parts = fields("crates/follower/src", "LocalPlannerOptions");
    for field in &parts {
        assert!(is_key(|value| LocalPlannerOptions::default().set(&field.name, value)), "{} can't be set", field.name);
    }
    table(&parts, "")
}

fn is_key(mut set: impl FnMut(f64) -> Result<(), String>) -> bool {
    set(1.0).is_ok()
}

fn table(fields: &[Field], prefix: &str) -> String {
    let mut table = Table::new(&["Key", "Meaning, range, default"]);
    for field in fields {
        table.row(&[format!("`{prefix}{}`", field.name), escaped(&field.doc)]);
    }
    table.finish()
}
