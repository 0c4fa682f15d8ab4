//! The report of the knobs as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::jobs::Job;
use super::measuring::{Change, Effect, Outcome, Unmoved};

/// What stands above this line of the report is written by hand and kept.
const MARK: &str = "<!-- Written by `cargo run -p xtask -- knobs` from here on. -->";

/// A knob whose move changes a figure by more than this fraction has much hanging on it.
const MUCH: f64 = 5e-3;
/// A smaller fraction of a figure is counted with the bytes.
const LITTLE: f64 = 1e-4;

/// Groups of the report: title, and the sizes of the changes that belong to it.
const GROUPS: [(&str, f64, f64); 3] = [
    ("Much hangs on: a job fails or its figure changes by 0.5 % or more", MUCH, f64::INFINITY),
    ("A figure changes by 0.01 % to 0.5 %", LITTLE, MUCH),
    ("Bytes change, a figure by less than 0.01 %", f64::MIN_POSITIVE, LITTLE),
];

/// The report; the part above the mark is taken from what was written before.
pub fn report(written: &str, effects: &[Effect], jobs: &[Job], unmoved: &Unmoved) -> String {
    let by_hand = written.split_once(MARK).map_or("# Knobs\n\n", |(above, _)| above);
    let mut text = format!("{by_hand}{MARK}\n\n## Counts\n\n");
    let (same, goldens) = unmoved.goldens;
    let count = |holds: &dyn Fn(&Outcome) -> bool| effects.iter().filter(|effect| holds(&effect.outcome)).count();
    let _ = writeln!(
        text,
        "{} jobs. With no knob moved, {same} of {goldens} goldens have the committed bytes.\n",
        jobs.len()
    );
    text.push_str("| Knobs | Count |\n|---|---|\n");
    for (title, from, to) in GROUPS {
        let _ = writeln!(text, "| {title} | {} |", count(&|outcome| is_between(outcome, from, to)));
    }
    let _ = writeln!(text, "| Read, and nothing changes | {} |", count(&|outcome| size(outcome) == Some(0.0)));
    let _ = writeln!(text, "| No job reads them | {} |", count(&|outcome| matches!(outcome, Outcome::Unread)));
    let _ = writeln!(text, "| Not moved | {} |", count(&|outcome| matches!(outcome, Outcome::Left(_))));
    let unmeasured = count(&|outcome| matches!(outcome, Outcome::Unmeasured));
    if unmeasured > 0 {
        let _ = writeln!(text, "| Not measured yet | {unmeasured} |");
    }
    let _ = writeln!(text, "| All | {} |", effects.len());
    for (title, from, to) in GROUPS {
        let _ = write!(text, "\n## {title}\n\n{}", changes(effects, &|effect| is_between(&effect.outcome, from, to)));
    }
    let nothing = |effect: &Effect| size(&effect.outcome) == Some(0.0);
    let _ = write!(text, "\n## Read, and nothing changes\n\n{}", meanings(effects, &nothing));
    let unread = |effect: &Effect| matches!(effect.outcome, Outcome::Unread);
    let _ = write!(text, "\n## No job reads them\n\n{}", by_file(effects, &unread));
    text.push_str("\n## Not moved\n\n");
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for effect in effects {
        if let Outcome::Left(reason) = &effect.outcome {
            reasons.entry(reason).or_default().push(format!(
                "`{}` ({})",
                effect.knob.constant.name,
                short(&effect.knob.path)
            ));
        }
    }
    for (reason, names) in reasons {
        let _ = writeln!(text, "- {reason}: {}", names.join(", "));
    }
    text
}

/// The knobs whose path or name contains a text, with their changes.
pub fn table(effects: &[Effect], only: &str) -> String {
    let meant = |effect: &Effect| effect.knob.path.contains(only) || effect.knob.constant.name.contains(only);
    changes(effects, &|effect| meant(effect) && size(&effect.outcome).is_some())
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

/// The table of those that `holds` selects, the largest change first.
fn changes(effects: &[Effect], holds: &dyn Fn(&Effect) -> bool) -> String {
    let mut rows: Vec<&Effect> = effects.iter().filter(|effect| holds(effect)).collect();
    // Stable: equal changes stay in the order of the files.
    rows.sort_by(|a, b| size(&b.outcome).unwrap_or(0.0).total_cmp(&size(&a.outcome).unwrap_or(0.0)));
    let mut text = String::from("| Knob | File | Value | −20 % | +20 % |\n|---|---|---|---|---|\n");
    for Effect { knob, outcome } in rows {
        let Outcome::Changes([down, up]) = outcome else { continue };
        let (name, path, value) = (&knob.constant.name, short(&knob.path), &knob.constant.value);
        let _ = writeln!(text, "| `{name}` | {path} | {} | {} | {} |", value.replace('|', "\\|"), cell(down), cell(up));
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

/// Name, value and meaning of those that `holds` selects, by file.
fn meanings(effects: &[Effect], holds: &dyn Fn(&Effect) -> bool) -> String {
    let mut text = String::from("| Knob | File | Value | Meaning |\n|---|---|---|---|\n");
    for effect in effects.iter().filter(|effect| holds(effect)) {
        let constant = &effect.knob.constant;
        let (value, meaning) = (constant.value.replace('|', "\\|"), constant.meaning.replace('|', "\\|"));
        let _ = writeln!(text, "| `{}` | {} | {value} | {meaning} |", constant.name, short(&effect.knob.path));
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
