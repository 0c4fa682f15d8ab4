//! What is known of each constant, in a table that is committed: its class and its test are written by hand, what was
//! measured by the program. A run goes on from it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use super::jobs::test_of;
use super::measuring::Change;
use super::rewriting::{Knob, Left, package};

/// The table, from the top of the repository.
pub const TABLE: &str = "docs/notes/knobs.tsv";

const COLUMNS: &str =
    "path\tname\tclass\ttest\tvalue\tdown\tdown_job\tup\tup_job\tmeasured\tfar_down\tfar_down_job\tfar_up\tfar_up_job";

/// What a constant is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A tuning constant: another value gives another result, which is better for some inputs.
    Knob,
    /// A bound of work, of sizes, of what is accepted, or of rounding, which a good input does not reach.
    Guard,
    /// A constant with one right value: of physics, of a format, of a published rule; an index or a count.
    Fixed,
}

impl Class {
    pub const ALL: [Self; 3] = [Self::Knob, Self::Guard, Self::Fixed];

    pub fn name(self) -> &'static str {
        match self {
            Self::Knob => "knob",
            Self::Guard => "guard",
            Self::Fixed => "fixed",
        }
    }
}

/// What was measured of a knob.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It could not be moved, for this reason.
    Left(String),
    /// No job reads it.
    Unread,
    /// It was not measured yet.
    Unmeasured,
    /// What changes by each of the factors.
    Changes([Change; 2]),
}

impl Outcome {
    /// Whether either move changes much.
    pub fn is_much(&self) -> bool {
        matches!(self, Self::Changes(changes) if changes.iter().any(Change::is_much))
    }

    fn written(&self) -> String {
        match self {
            Self::Unmeasured => "\t\t\t".to_owned(),
            Self::Unread => "unread\t\t\t".to_owned(),
            Self::Left(reason) => format!("left\t{reason}\t\t"),
            Self::Changes([down, up]) => format!("{}\t{}", down.written(), up.written()),
        }
    }

    fn parse([down, down_job, up, up_job]: [&str; 4]) -> Option<Self> {
        Some(match down {
            "" => Self::Unmeasured,
            "unread" => Self::Unread,
            "left" => Self::Left(down_job.to_owned()),
            _ => Self::Changes([Change::parse(down, down_job)?, Change::parse(up, up_job)?]),
        })
    }
}

/// A constant, and what is known of it.
#[derive(Debug, Clone)]
pub struct Effect {
    pub knob: Knob,
    /// None for a constant that is new.
    pub class: Option<Class>,
    /// The test that fails when the constant moves; empty if none is named.
    pub test: String,
    pub outcome: Outcome,
    /// Day and commit of the measurement, and the jobs that were run.
    pub measured: String,
    /// What changes by the far factors, of a knob that changes nothing by a fifth.
    pub far: Option<[Change; 2]>,
}

impl Effect {
    /// Whether it is a knob that changes nothing when it moves by a fifth.
    pub fn is_inert(&self) -> bool {
        let nothing = |changes: &[Change; 2]| changes.iter().all(|change| *change == Change::Nothing);
        self.class == Some(Class::Knob) && matches!(&self.outcome, Outcome::Changes(changes) if nothing(changes))
    }

    /// Whether neither a job nor a test that is named shows what it is for.
    pub fn is_shown_by_nothing(&self) -> bool {
        let is_far_shown = self.far.iter().flatten().any(|change| *change != Change::Nothing);
        let without_change = self.is_inert() || matches!(self.outcome, Outcome::Unread | Outcome::Unmeasured);
        without_change && !is_far_shown && self.test().is_none()
    }

    /// The test that fails when the constant moves: the one that is named, or that which repeats a job whose figure
    /// changes much.
    pub fn test(&self) -> Option<&str> {
        if !self.test.is_empty() {
            return Some(&self.test);
        }
        let Outcome::Changes(changes) = &self.outcome else { return None };
        changes.iter().filter(|change| change.is_much()).find_map(|change| test_of(change.job()?))
    }
}

/// The known constants, in the order of the sources.
#[derive(Debug)]
pub struct Table {
    pub effects: Vec<Effect>,
    /// Rows whose constants are gone.
    pub gone: Vec<String>,
}

/// A row as it is written.
struct Row {
    class: Option<Class>,
    test: String,
    value: String,
    outcome: Outcome,
    measured: String,
    far: Option<[Change; 2]>,
}

impl Table {
    /// The rows of these knobs. A constant that moved to another file of its package takes its row along; one whose
    /// value has changed is to be measured again.
    pub fn open(root: &Path, knobs: &[Knob]) -> anyhow::Result<Self> {
        let text = match fs::read_to_string(root.join(TABLE)) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).context(TABLE),
        };
        Self::parse(&text, knobs)
    }

    pub fn parse(text: &str, knobs: &[Knob]) -> anyhow::Result<Self> {
        let mut rows = BTreeMap::new();
        for (number, line) in text.lines().enumerate().skip(1) {
            let (key, row) = parse_row(line)
                .with_context(|| format!("{TABLE}, line {}: not a row of the columns {COLUMNS:?}", number + 1))?;
            if rows.insert(key, row).is_some() {
                bail!("{TABLE}, line {}: a second row of the same constant", number + 1);
            }
        }
        let mut found: Vec<Option<Row>> = knobs.iter().map(|knob| rows.remove(&knob.key())).collect();
        for (knob, row) in knobs.iter().zip(&mut found).filter(|(_, row)| row.is_none()) {
            let moved =
                |(path, name): &(String, String)| *name == knob.constant.name && package(path) == package(&knob.path);
            let keys: Vec<_> = rows.keys().filter(|key| moved(key)).cloned().collect();
            if let [key] = &keys[..] {
                *row = rows.remove(key);
            }
        }
        let effect = |(knob, row): (&Knob, Option<Row>)| {
            let knob = knob.clone();
            let Some(row) = row else {
                return Effect {
                    knob,
                    class: None,
                    test: String::new(),
                    outcome: Outcome::Unmeasured,
                    measured: String::new(),
                    far: None,
                };
            };
            let is_same = row.value == knob.constant.value;
            let outcome = if is_same { row.outcome } else { Outcome::Unmeasured };
            let measured = if is_same { row.measured } else { String::new() };
            let far = if is_same { row.far } else { None };
            Effect { knob, class: row.class, test: row.test, outcome, measured, far }
        };
        let effects = knobs.iter().zip(found).map(effect).collect();
        Ok(Self { effects, gone: rows.into_keys().map(|(path, name)| format!("{path}: {name}")).collect() })
    }

    pub fn write(&self, root: &Path) -> anyhow::Result<()> {
        fs::write(root.join(TABLE), self.written()).context(TABLE)
    }

    fn written(&self) -> String {
        let mut text = format!("{COLUMNS}\n");
        for Effect { knob, class, test, outcome, measured, far } in &self.effects {
            let far = far.clone().map_or(Outcome::Unmeasured, Outcome::Changes);
            let _ = writeln!(
                text,
                "{}\t{}\t{}\t{test}\t{}\t{}\t{measured}\t{}",
                knob.path,
                knob.constant.name,
                class.map_or("?", Class::name),
                knob.constant.value,
                outcome.written(),
                far.written(),
            );
        }
        text
    }

    /// Constants that could not be moved, with the reasons.
    pub fn left(&self) -> Left {
        let left = |effect: &Effect| match &effect.outcome {
            Outcome::Left(reason) => Some((effect.knob.key(), reason.clone())),
            _ => None,
        };
        self.effects.iter().filter_map(left).collect()
    }

    /// Constants without a class, as `path: NAME`.
    pub fn unclassified(&self) -> Vec<String> {
        let without = self.effects.iter().filter(|effect| effect.class.is_none());
        without.map(|effect| format!("{}: {}", effect.knob.path, effect.knob.constant.name)).collect()
    }

    /// Days, commits and jobs of the measurements, without repetitions.
    pub fn commits(&self) -> BTreeSet<&str> {
        let measured = self.effects.iter().map(|effect| effect.measured.split(',').next().unwrap_or_default());
        measured.filter(|text| !text.is_empty()).collect()
    }
}

/// Path and name, and the rest of a row.
fn parse_row(line: &str) -> Option<((String, String), Row)> {
    let [path, name, class, test, value, near @ .., measured, far_down, far_down_job, far_up, far_up_job] =
        &line.split('\t').collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let class = match *class {
        "?" => None,
        written => Some(Class::ALL.into_iter().find(|class| class.name() == written)?),
    };
    let outcome = Outcome::parse(near.try_into().ok()?)?;
    let far = match Outcome::parse([far_down, far_down_job, far_up, far_up_job])? {
        Outcome::Changes(changes) => Some(changes),
        _ => None,
    };
    let [test, value, measured] = [test, value, measured].map(|&text| text.to_owned());
    let row = Row { class, test, value, outcome, measured, far };
    Some((((*path).to_owned(), (*name).to_owned()), row))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::measuring::Change;
    use super::super::rewriting::{Source, knobs};
    use super::super::{building, root};
    use super::{Class, Outcome, TABLE, Table};

    fn of(path: &str, text: &str) -> Vec<super::Knob> {
        knobs(&[Source { path: path.to_owned(), text: text.to_owned(), owns_knobs: true }])
    }

    const SOURCE: &str = "const REACH: f64 = 2.0;\nconst LOOKS: usize = 8;\n";

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let knobs = of("a/src/lib.rs", SOURCE);
        let mut table = Table::parse("", &knobs).unwrap();
        assert_eq!(table.unclassified(), ["a/src/lib.rs: REACH", "a/src/lib.rs: LOOKS"]);
        table.effects[0].class = Some(Class::Knob);
        table.effects[0].test = "far_enough".to_owned();
        table.effects[0].outcome =
            Outcome::Changes([Change::Figure(-0.25, "job".to_owned()), Change::Status("other".to_owned())]);
        table.effects[0].measured = "2026-01-02 abc, 2 of 3 jobs".to_owned();
        table.effects[1].class = Some(Class::Guard);
        table.effects[1].outcome = Outcome::Left("an array's length".to_owned());
        table.effects[1].far = Some([Change::Nothing, Change::Bytes("job".to_owned())]);
        let written = table.written();
        let read = Table::parse(&written, &knobs).unwrap();
        assert_eq!(read.written(), written);
        assert_eq!(read.left().len(), 1);
        assert_eq!(read.commits().into_iter().collect::<Vec<_>>(), ["2026-01-02 abc"]);
        assert!(Table::parse(&written.replace("guard", "unclear"), &knobs).is_err());
    }

    #[test]
    fn a_constant_takes_its_row_along_and_another_value_is_measured_again() {
        let row =
            "a/src/lib.rs\tREACH\tknob\tfar_enough\t2.0\tnothing\t\tnothing\t\t2026-01-02 abc, 1 of 1 jobs\t\t\t\t";
        let text = format!("{}\n{row}\n", super::COLUMNS);
        let moved = Table::parse(&text, &of("a/src/other.rs", SOURCE)).unwrap();
        assert_eq!((moved.effects[0].class, moved.gone.len()), (Some(Class::Knob), 0));
        assert_ne!(moved.effects[0].outcome, Outcome::Unmeasured);
        let elsewhere = Table::parse(&text, &of("b/src/lib.rs", SOURCE)).unwrap();
        assert_eq!((elsewhere.effects[0].class, elsewhere.gone.len()), (None, 1));
        let changed = Table::parse(&text, &of("a/src/lib.rs", "const REACH: f64 = 2.5;\n")).unwrap();
        assert_eq!(changed.effects[0].outcome, Outcome::Unmeasured);
        assert_eq!((changed.effects[0].test.as_str(), changed.effects[0].class), ("far_enough", Some(Class::Knob)));
    }

    fn committed() -> (std::path::PathBuf, Vec<String>, Table) {
        let root = root().canonicalize().unwrap();
        let tracked = building::tracked(&root).unwrap();
        let knobs = knobs(&building::sources(&root, &tracked).unwrap());
        let table = Table::open(&root, &knobs).unwrap();
        (root, tracked, table)
    }

    #[test]
    fn every_constant_has_a_class() {
        let (_, _, table) = committed();
        let (new, gone) = (table.unclassified(), table.gone);
        assert!(
            new.is_empty() && gone.is_empty(),
            "constants without a class: {new:?}\nrows without a constant: {gone:?}\n\
             `cargo run -p xtask -- knobs --report` brings {TABLE} up to date; then write knob, guard or fixed for `?`"
        );
    }

    /// A knob on which much hangs names a test, and the test exists.
    #[test]
    fn what_much_hangs_on_is_tested() {
        let (root, tracked, table) = committed();
        let text = |path: &String| std::fs::read_to_string(Path::new(&root).join(path)).unwrap_or_default();
        let sources: String = tracked.iter().filter(|path| path.ends_with(".rs")).map(text).collect();
        for effect in &table.effects {
            let (path, name, test) = (&effect.knob.path, &effect.knob.constant.name, effect.test());
            if effect.class == Some(Class::Knob) && effect.outcome.is_much() {
                assert!(test.is_some(), "{path}: {name} changes results much: write the test that fails into {TABLE}");
            }
            let Some(test) = test else { continue };
            let exists = match test.strip_suffix("::") {
                Some(module) => tracked.iter().any(|path| path.ends_with(&format!("/{module}.rs"))),
                None => sources.contains(&format!("fn {}(", test.rsplit("::").next().unwrap_or_default())),
            };
            assert!(exists, "{path}: {name}: there is no test {test}");
        }
    }
}
