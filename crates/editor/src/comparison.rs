//! The lines and driven laps that a page compares with its own line.

use raceline::RacingLine;
use raceline::analysis::{AnalysisOptions, compare, driven_lap};
use raceline::file::json;
use raceline_file::with_causes;
use raceline_render::html::ComparedEntry;
use serde::Deserialize;

/// Lines on one page: that of the track, and those that it is compared with.
const MAX_LINES: usize = 5;

/// A change of a comparison, as a page sends it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum ComparisonChange {
    /// Keeps the line as it is now, so that the next ones are compared with it.
    Keep,
    /// Adds the line or the driven lap of a file.
    Add {
        /// Name of the file.
        name: String,
    },
    /// Takes one out.
    Drop {
        /// Its place in the list, from 0.
        index: usize,
    },
    /// Takes all out.
    Clear,
}

/// Why a comparison stays as it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// There is no line to compare with.
    #[error("there is no line yet: make one first")]
    NoLine,
    /// What a page sent is no change.
    #[error("this is no change of the comparison")]
    Change(#[source] serde_json::Error),
    /// A file that cannot be read.
    #[error("{name} can't be read: {reason}")]
    NotRead {
        /// Name of the file.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A file that is neither a line nor a lap.
    #[error("{name} is neither a racing-line file nor a driven lap of this track: {reason}")]
    NotComparable {
        /// Name of the file.
        name: String,
        /// The reason.
        reason: String,
    },
    /// More lines than a page compares.
    #[error("a page compares {MAX_LINES} lines: take one out of the comparison first")]
    TooManyLines,
    /// An entry that does not exist.
    #[error("there is no line {number} in the comparison")]
    NoEntry {
        /// Its number, from 1.
        number: usize,
    },
}

/// A line, or a lap that is one beside the line of the page alone: that gives the edges and the vehicle.
#[derive(Clone, Debug)]
enum Compared {
    Line(Box<RacingLine>),
    Lap { name: String, csv: Vec<u8> },
}

impl Compared {
    fn name(&self) -> &str {
        match self {
            Self::Line(line) => &line.name,
            Self::Lap { name, .. } => name,
        }
    }

    /// The line beside `line`, or why there is none.
    fn beside(&self, line: &RacingLine) -> Result<RacingLine, String> {
        let other = match self {
            Self::Line(other) => (**other).clone(),
            Self::Lap { name, csv } => {
                let lap = driven_lap(line, csv).map_err(|error| with_causes(&error))?;
                RacingLine { name: name.clone(), ..lap }
            }
        };
        compare(line, &other, &AnalysisOptions::of(line)).map_err(|error| with_causes(&error))?;
        Ok(other)
    }

    /// What a file of this name has: a racing-line file, or a CSV with `time_s`, `x_m`, `y_m`, `speed_mps` and `lap`, as
    /// `raceline drive` writes it.
    fn of_file(name: String, bytes: &[u8]) -> Result<Self, String> {
        if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
            return Ok(Self::Lap { name, csv: bytes.to_vec() });
        }
        let line = json::read(bytes).map_err(|error| with_causes(&error))?;
        Ok(Self::Line(Box::new(RacingLine { name, ..line })))
    }
}

/// The lines and driven laps that a page compares with its own line, up to four. One that is not of the track as it is
/// now, as after another scale, stays in the list and is not shown until it is of the track again.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Laps of a log that were laid beside the line, the fastest first: the first ones in the list.
    laps: Vec<RacingLine>,
    all: Vec<Compared>,
}

impl Comparison {
    /// The change that a page sent, a JSON object.
    ///
    /// # Errors
    /// [`ComparisonError::Change`].
    pub fn read_change(json: &[u8]) -> Result<ComparisonChange, ComparisonError> {
        serde_json::from_slice(json).map_err(ComparisonError::Change)
    }

    /// Makes `change` beside `line`, that of the page. `bytes_of` gives the content of a file by its name.
    ///
    /// # Errors
    /// All variants of [`ComparisonError`] but [`ComparisonError::Change`]; the comparison then stays as it is.
    pub fn change(
        &mut self,
        line: Option<&RacingLine>,
        change: ComparisonChange,
        bytes_of: impl FnOnce(&str) -> Result<Vec<u8>, ComparisonError>,
    ) -> Result<(), ComparisonError> {
        match change {
            ComparisonChange::Keep => self.keep(line.ok_or(ComparisonError::NoLine)?)?,
            ComparisonChange::Add { name } => {
                let line = line.ok_or(ComparisonError::NoLine)?;
                self.add(line, &name, &bytes_of(&name)?)?;
            }
            ComparisonChange::Drop { index } if index < self.laps.len() => {
                self.laps.remove(index);
            }
            ComparisonChange::Drop { index } if index < self.laps.len() + self.all.len() => {
                self.all.remove(index - self.laps.len());
            }
            ComparisonChange::Drop { index } => {
                return Err(ComparisonError::NoEntry { number: index.saturating_add(1) });
            }
            ComparisonChange::Clear => *self = Self::default(),
        }
        Ok(())
    }

    /// Adds `line` itself, named by its lap time.
    fn keep(&mut self, line: &RacingLine) -> Result<(), ComparisonError> {
        let mut kept = line.clone();
        kept.name = format!("{:.3} s", line.lap_time_s);
        // The page has the layers of one line.
        kept.candidates.clear();
        kept.sections.clear();
        kept.streets = None;
        self.push(Compared::Line(Box::new(kept)))
    }

    /// Adds the line or the driven lap in a file.
    fn add(&mut self, line: &RacingLine, name: &str, bytes: &[u8]) -> Result<(), ComparisonError> {
        // Of a path, the file, without its endings.
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let short = file.split('.').next().unwrap_or(file).to_owned();
        let added = Compared::of_file(short, bytes).and_then(|added| added.beside(line).map(|_| added));
        let wrong = |reason| ComparisonError::NotComparable { name: name.to_owned(), reason };
        self.push(added.map_err(wrong)?)
    }

    fn push(&mut self, other: Compared) -> Result<(), ComparisonError> {
        if self.laps.len() + self.all.len() + 1 >= MAX_LINES {
            return Err(ComparisonError::TooManyLines);
        }
        self.all.push(other);
        Ok(())
    }

    /// The laps of a log.
    pub(crate) fn laps(&self) -> &[RacingLine] {
        &self.laps
    }

    /// Sets the laps of a log that are laid beside the line, as many as the page has room for.
    pub(crate) fn set_laps(&mut self, mut laps: Vec<RacingLine>) {
        laps.truncate((MAX_LINES - 1).saturating_sub(self.all.len()));
        self.laps = laps;
    }

    /// The lines that are of the track of `line`, and what a page lists.
    pub(crate) fn beside(&self, line: &RacingLine) -> (Vec<RacingLine>, Vec<ComparedEntry>) {
        let mut shown = self.laps.clone();
        let mut entries: Vec<ComparedEntry> =
            self.laps.iter().map(|lap| ComparedEntry { name: lap.name.clone(), is_shown: true }).collect();
        for one in &self.all {
            let other = one.beside(line).ok();
            entries.push(ComparedEntry { name: one.name().to_owned(), is_shown: other.is_some() });
            shown.extend(other);
        }
        (shown, entries)
    }

    /// The names and the contents of files, for `restored`; without the laps of a log, which are laid beside each line
    /// anew.
    pub(crate) fn files(&self) -> Result<Vec<(String, Vec<u8>)>, ComparisonError> {
        let mut files = Vec::new();
        for one in &self.all {
            let name = one.name().to_owned();
            let bytes = match one {
                Compared::Line(line) => json::write(line)
                    .map_err(|error| ComparisonError::NotRead { name: name.clone(), reason: with_causes(&error) })?,
                Compared::Lap { csv, .. } => csv.clone(),
            };
            files.push((name, bytes));
        }
        Ok(files)
    }

    /// The comparison whose `files` these are.
    pub(crate) fn restored(files: Vec<(String, Vec<u8>)>) -> Result<Self, ComparisonError> {
        let mut comparison = Self::default();
        for (name, bytes) in files {
            let wrong = |reason| ComparisonError::NotRead { name: name.clone(), reason };
            let one = Compared::of_file(name.clone(), &bytes).map_err(wrong)?;
            comparison.push(one)?;
        }
        Ok(comparison)
    }
}
