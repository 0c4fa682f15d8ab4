//! The report of the knobs as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::measuring::{Change, MUCH};
use super::table::{Class, Effect, Outcome, TABLE, Table};

/// What stands above this line of the report is written by hand and kept.
const MARK: &str = "<!-- Written by `cargo run -p xtask -- knobs` from here on. -->";

/// A smaller fraction of a figure is counted with the bytes.
const LITTLE: f64 = 1e-4;

/// Groups of the report: title, and the sizes of the changes that belong to it.
const GROUPS: [(&str, f64, f64); 3] = [
    ("Much hangs on: a job fails or its figure changes by 0.5 % or more", MUCH, f64::INFINITY),
    ("A figure changes by 0.01 % to 0.5 %", LITTLE, MUCH),
    ("Bytes change, a figure by less than 0.01 %", f64::MIN_POSITIVE, LITTLE),
];

/// The report; the part above the mark is taken from what was written before.
pub fn report(written: &str, table: &Table) -> String {
    let by_hand = written.split_once(MARK).map_or("# Knobs\n\n", |(above, _)| above);
    let effects = &table.effects;
    let mut text = format!("{by_hand}{MARK}\n\n## Counts\n\n");
    let commits: Vec<&str> = table.commits().into_iter().collect();
    let _ = writeln!(text, "Measured on these days and commits: {}.\n", commits.join(", "));
    text.push_str("| Constants | Knobs | Guards | Fixed | All |\n|---|---|---|---|---|\n");
    let mut count = |title: &str, holds: &dyn Fn(&Outcome) -> bool| {
        let held: Vec<_> = effects.iter().filter(|effect| holds(&effect.outcome)).collect();
        let of = |class| held.iter().filter(|effect| effect.class == Some(class)).count();
        let counts = Class::ALL.map(|class| of(class).to_string()).join(" | ");
        let _ = writeln!(text, "| {title} | {counts} | {} |", held.len());
    };
    for (title, from, to) in GROUPS {
        count(title, &|outcome| is_between(outcome, from, to));
    }
    count("Read, and nothing changes", &|outcome| size(outcome) == Some(0.0));
    count("No job reads them", &|outcome| matches!(outcome, Outcome::Unread));
    count("Not moved", &|outcome| matches!(outcome, Outcome::Left(_)));
    count("Not measured yet", &|outcome| matches!(outcome, Outcome::Unmeasured));
    count("All", &|_| true);

    let is_knob = |effect: &Effect| effect.class.is_none_or(|class| class == Class::Knob);
    let (much, ..) = GROUPS[0];
    let is_much = |effect: &Effect| effect.outcome.is_much();
    let _ = write!(text, "\n## {much}\n\n{}", with_tests(effects, &|effect| is_knob(effect) && is_much(effect)));
    for (title, from, to) in &GROUPS[1..] {
        let meant = |effect: &Effect| is_knob(effect) && is_between(&effect.outcome, *from, *to);
        let _ = write!(text, "\n## {title}\n\n{}", changes(effects, &meant));
    }
    text.push_str("\n## Read, and nothing changes\n\nThe last columns: moved down and up by a factor of 16.\n\n");
    text.push_str(&meanings(effects, &Effect::is_inert));
    let unread = |effect: &Effect| is_knob(effect) && matches!(effect.outcome, Outcome::Unread);
    let _ = write!(text, "\n## No job reads them\n\n{}", by_file(effects, &unread));
    let unmeasured = |effect: &Effect| is_knob(effect) && matches!(effect.outcome, Outcome::Unmeasured);
    let unmeasured = by_file(effects, &unmeasured);
    if !unmeasured.is_empty() {
        let _ = write!(text, "\n## Not measured yet\n\n{unmeasured}");
    }
    let left = |effect: &Effect| is_knob(effect) && matches!(effect.outcome, Outcome::Left(_));
    let _ = write!(text, "\n## Not moved\n\n{}", by_file(effects, &left));
    let unshown = |effect: &Effect| is_knob(effect) && effect.is_shown_by_nothing();
    let _ = write!(text, "\n## Shown by no job and no test\n\n{}", by_file(effects, &unshown));
    for (title, class) in [("Guards", Class::Guard), ("Fixed constants", Class::Fixed)] {
        let meant = |effect: &Effect| effect.class == Some(class);
        let moving = changes(effects, &|effect| meant(effect) && is_much(effect));
        let _ = write!(text, "\n## {title}\n\nThose on which much hangs:\n\n{moving}\n");
        let _ = write!(text, "All of them:\n\n{}", by_file(effects, &meant));
    }
    let _ = write!(text, "\n[{name}]({name}) has every constant.\n", name = TABLE.rsplit('/').next().unwrap_or(TABLE));
    text
}

/// The knobs whose path or name contains a text, with their changes.
pub fn table(table: &Table, only: &str) -> String {
    let meant = |effect: &Effect| effect.knob.path.contains(only) || effect.knob.constant.name.contains(only);
    changes(&table.effects, &|effect| meant(effect) && size(&effect.outcome).is_some())
}

/// The larger of both changes.
fn size(outcome: &Outcome) -> Option<f64> {
    match outcome {
        Outcome::Changes([down, up]) => Some(down.size().max(up.size())),
        _ => None,
    }
}

fn is_between(outcome: &Outcome, from: f64, to: f64) -> bool {
    size(outcome).is_some_and(|size| size >= from && (size < to || size == to && to == f64::INFINITY))
}

/// Path without what all have in common.
fn short(path: &str) -> String {
    path.trim_start_matches("crates/").replace("/src/", "/")
}

/// Those that `holds` selects and that were moved, the largest change first.
fn largest_first<'a>(effects: &'a [Effect], holds: &dyn Fn(&Effect) -> bool) -> Vec<(&'a Effect, &'a [Change; 2])> {
    let moved = |effect: &'a Effect| match &effect.outcome {
        Outcome::Changes(changes) => Some((effect, changes)),
        _ => None,
    };
    let mut rows: Vec<_> = effects.iter().filter(|effect| holds(effect)).filter_map(moved).collect();
    // Stable: equal changes stay in the order of the files.
    rows.sort_by(|(a, _), (b, _)| size(&b.outcome).unwrap_or(0.0).total_cmp(&size(&a.outcome).unwrap_or(0.0)));
    rows
}

/// Name, file, value and both changes, as the first cells of a row.
fn cells(Effect { knob, .. }: &Effect, [down, up]: &[Change; 2]) -> String {
    let (name, path, value) = (&knob.constant.name, short(&knob.path), knob.constant.value.replace('|', "\\|"));
    format!("| `{name}` | {path} | {value} | {} | {} |", cell(down), cell(up))
}

/// The table of those that `holds` selects, the largest change first.
fn changes(effects: &[Effect], holds: &dyn Fn(&Effect) -> bool) -> String {
    let mut text = String::from("| Constant | File | Value | −20 % | +20 % |\n|---|---|---|---|---|\n");
    for (effect, changes) in largest_first(effects, holds) {
        let _ = writeln!(text, "{}", cells(effect, changes));
    }
    text
}

/// The same table with the tests that fail when the constant moves.
fn with_tests(effects: &[Effect], holds: &dyn Fn(&Effect) -> bool) -> String {
    let mut text = String::from("| Knob | File | Value | −20 % | +20 % | Test |\n|---|---|---|---|---|---|\n");
    for (effect, changes) in largest_first(effects, holds) {
        let test = effect.test().map_or("none".to_owned(), |test| format!("`{test}`"));
        let _ = writeln!(text, "{} {test} |", cells(effect, changes));
    }
    text
}

fn cell(change: &Change) -> String {
    match change {
        Change::Nothing => "same".to_owned(),
        Change::Bytes(job) => format!("bytes ({job})"),
        Change::Figure(fraction, job) => format!("{:+.3} % ({job})", 100.0 * fraction),
        Change::Status(job) => format!("**status** ({job})"),
    }
}

/// Name, value, meaning and far moves of those that `holds` selects, by file.
fn meanings(effects: &[Effect], holds: &dyn Fn(&Effect) -> bool) -> String {
    let mut text = String::from("| Knob | File | Value | Meaning | /16 | ×16 |\n|---|---|---|---|---|---|\n");
    for effect in effects.iter().filter(|effect| holds(effect)) {
        let constant = &effect.knob.constant;
        let (value, meaning) = (constant.value.replace('|', "\\|"), constant.meaning.replace('|', "\\|"));
        let [down, up] = effect.far.as_ref().map_or([String::new(), String::new()], |far| far.each_ref().map(cell));
        let (name, path) = (&constant.name, short(&effect.knob.path));
        let _ = writeln!(text, "| `{name}` | {path} | {value} | {meaning} | {down} | {up} |");
    }
    text
}

/// The names of those that `holds` selects, by file.
fn by_file(effects: &[Effect], holds: &dyn Fn(&Effect) -> bool) -> String {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for effect in effects.iter().filter(|effect| holds(effect)) {
        files.entry(short(&effect.knob.path)).or_default().push(format!("`{}`", effect.knob.constant.name));
    }
    files.into_iter().fold(String::new(), |text, (file, names)| format!("{text}- {file}: {}\n", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::super::rewriting::{Source, knobs};
    use super::super::table::{Effect, Table};
    use super::{MARK, report};

    fn effect(row: &str) -> Effect {
        let text = "const REACH: f64 = 2.0;\n".to_owned();
        let knobs = knobs(&[Source { path: "a/src/lib.rs".to_owned(), text, owns_knobs: true }]);
        Table::parse(&format!("columns\na/src/lib.rs\tREACH\t{row}\n"), &knobs).unwrap().effects.remove(0)
    }

    fn reported(row: &str) -> String {
        report(&format!("by hand\n{MARK}\nold"), &Table { effects: vec![effect(row)], gone: Vec::new() })
    }

    #[test]
    fn a_knob_on_which_much_hangs_stands_with_its_test() {
        let text = reported("knob\tfar_enough\t2.0\t-2.5e-1\tjob\tstatus\tother\t2026-01-02 abc, 2 of 3 jobs\t\t\t\t");
        assert!(text.starts_with("by hand\n") && !text.contains("old"), "{text}");
        assert!(text.contains("Measured on these days and commits: 2026-01-02 abc.\n"), "{text}");
        assert!(text.contains("| `REACH` | a/lib.rs | 2.0 | -25.000 % (job) | **status** (other) | `far_enough` |"));
        // A job that a test repeats names it.
        let text = reported("knob\t\t2.0\t-2.5e-1\tgolden oval\tnothing\t\t2026-01-02 abc\t\t\t\t");
        assert!(text.contains("| -25.000 % (golden oval) | same | `goldens::` |"), "{text}");
    }

    #[test]
    fn a_knob_that_neither_a_job_nor_a_test_shows_is_named() {
        let section = |row: &str| {
            let text = reported(row);
            let (_, after) = text.split_once("## Shown by no job and no test\n").unwrap();
            after.split_once("## Guards").unwrap().0.contains("`REACH`")
        };
        assert!(section("knob\t\t2.0\tunread\t\t\t\t\t\t\t\t"));
        assert!(section("knob\t\t2.0\tnothing\t\tnothing\t\t2026-01-02 abc\tnothing\t\tnothing\t"));
        assert!(!section("knob\ta_test\t2.0\tunread\t\t\t\t\t\t\t\t"));
        assert!(!section("knob\t\t2.0\tnothing\t\tnothing\t\t2026-01-02 abc\tbytes\tjob\tnothing\t"));
        assert!(!section("knob\t\t2.0\tbytes\tjob\tnothing\t\t2026-01-02 abc\t\t\t\t"));
    }

    #[test]
    fn guards_stand_apart() {
        let text = reported("guard\t\t2.0\tnothing\t\tnothing\t\t2026-01-02 abc\t\t\t\t");
        let (before, guards) = text.split_once("## Guards").unwrap();
        assert!(guards.contains("- a/lib.rs: `REACH`") && !before.contains("`REACH`"), "{text}");
        assert!(before.contains("| Read, and nothing changes | 0 | 1 | 0 | 1 |"), "{text}");
    }
}
