//! The table of results: one row a road, added as soon as it is judged.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::judge::Outcome;

/// State of a road with a line.
const LINE: &str = "line";
/// State of a road with a line that violates a rule.
const VIOLATION: &str = "violation";
/// State of a road that is refused for a good reason.
const REFUSED: &str = "refused";
/// State of a road that is refused without one.
const FAILED: &str = "failed";
/// State of a number for which the generator has no road.
const NO_ROAD: &str = "no road";

/// The result of one road.
#[derive(Clone, Debug)]
pub struct Row {
    number: u64,
    pub state: String,
    kind: String,
    vehicle: String,
    lap_time_s: String,
    detail: String,
    remarks: String,
}

impl Row {
    /// The row of a judged road.
    pub fn new(number: u64, kind: &str, vehicle: &str, outcome: &Outcome) -> Self {
        let (state, lap_time_s, detail, remarks) = match outcome {
            Outcome::Line { lap_time_s, violations, remarks } => {
                let state = if violations.is_empty() { LINE } else { VIOLATION };
                (state, format!("{lap_time_s:.4}"), violations.join("; "), remarks.join("; "))
            }
            Outcome::Refused(reason) => (REFUSED, String::new(), (*reason).to_owned(), String::new()),
            Outcome::Failed(message) => (FAILED, String::new(), message.clone(), String::new()),
        };
        Self {
            number,
            state: state.to_owned(),
            kind: kind.to_owned(),
            vehicle: vehicle.to_owned(),
            lap_time_s,
            detail,
            remarks,
        }
    }

    /// The row of a number without a road.
    pub fn without_road(number: u64, reason: &str) -> Self {
        Self {
            number,
            state: NO_ROAD.to_owned(),
            kind: String::new(),
            vehicle: String::new(),
            lap_time_s: String::new(),
            detail: reason.to_owned(),
            remarks: String::new(),
        }
    }

    fn text(&self) -> String {
        let Self { number, state, kind, vehicle, lap_time_s, detail, remarks } = self;
        format!("{number}\t{state}\t{kind}\t{vehicle}\t{lap_time_s}\t{detail}\t{remarks}\n")
    }

    fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[number, state, kind, vehicle, lap_time_s, detail, remarks] = fields.as_slice() else { return None };
        let [state, kind, vehicle, lap_time_s, detail, remarks] =
            [state, kind, vehicle, lap_time_s, detail, remarks].map(str::to_owned);
        Some(Self { number: number.parse().ok()?, state, kind, vehicle, lap_time_s, detail, remarks })
    }
}

/// The table, in memory and in its file.
pub struct Results {
    rows: Mutex<BTreeMap<u64, Row>>,
    file: Mutex<File>,
}

impl Results {
    /// Opens the table of an earlier run, or begins one.
    ///
    /// # Errors
    /// A file that cannot be read or written.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let text = if path.exists() { std::fs::read_to_string(path)? } else { String::new() };
        let rows = text.lines().filter_map(Row::read).map(|row| (row.number, row)).collect();
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { rows: Mutex::new(rows), file: Mutex::new(file) })
    }

    /// Whether a road is judged.
    pub fn has(&self, number: u64) -> bool {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&number)
    }

    /// Adds a row to the file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn add(&self, row: &Row) -> anyhow::Result<()> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(row.text().as_bytes())?;
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).insert(row.number, row.clone());
        Ok(())
    }

    /// Whether every line keeps the rules, and every refusal is right.
    pub fn is_clean(&self) -> bool {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.values().all(|row| row.state != VIOLATION && row.state != FAILED)
    }

    /// Prints how many roads are in each state, how often each rule is violated, and the roads that
    /// are not in order.
    pub fn print(&self) {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let mut states: BTreeMap<&str, usize> = BTreeMap::new();
        let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
        for row in rows.values() {
            *states.entry(&row.state).or_default() += 1;
            if row.state == VIOLATION {
                for violation in row.detail.split("; ") {
                    *rules.entry(violation.split(':').next().unwrap_or_default()).or_default() += 1;
                }
            }
        }
        for (state, count) in states {
            println!("{count:6} {state}");
        }
        for (rule, count) in rules {
            println!("{count:6} violate the rule: {rule}");
        }
        for row in rows.values().filter(|row| row.state == VIOLATION || row.state == FAILED) {
            println!("{:6} {} ({}): {}", row.number, row.kind, row.vehicle, row.detail);
        }
    }
}
