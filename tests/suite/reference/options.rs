//! The options of a run and those of the follower.

use raceline::options::{KnownOption, ValueKind, known_options};
use raceline_follower::{FollowerOptions, LocalPlannerOptions, OptionRow};

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

/// A table for each concern of the follower's options.
pub fn of_the_follower() -> String {
    let mut text = String::new();
    for rows in FollowerOptions::default().table().chunk_by(|a, b| concern(a) == concern(b)) {
        text.push_str(&format!("### `{}`\n\n{}\n", concern(&rows[0]), table(rows)));
    }
    text
}

/// The options of the local planner.
pub fn of_the_local_planner() -> String {
    table(&LocalPlannerOptions::default().table())
}

fn concern(row: &OptionRow) -> &str {
    row.key.split('.').next().unwrap()
}

fn table(rows: &[OptionRow]) -> String {
    let mut table = Table::new(&["Key", "Range", "Default", "Meaning"]);
    for row in rows {
        let mut meaning = escaped(&row.description);
        if let Some(former) = row.former_key {
            meaning.push_str(&format!(" Former key: `{former}`."));
        }
        table.row(&[format!("`{}`", row.key), row.range.to_owned(), default(row), meaning]);
    }
    table.finish()
}

fn default(row: &OptionRow) -> String {
    if row.value.is_infinite() { "infinite".to_owned() } else { format!("{}", row.value) }
}
