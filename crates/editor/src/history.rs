//! Changes of a sidecar that can be taken back and made again.

use thiserror::Error;

/// Changes that are kept.
const MAX_CHANGES: usize = 100;

/// Why a change is neither taken back nor made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HistoryError {
    /// There is no change before.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// No change was taken back, or another one was made since.
    #[error("there is nothing to redo")]
    NothingToRedo,
    /// The sidecar is not as the last change left it.
    #[error("another program has changed the sidecar since the last edit: undo it there")]
    ChangedElsewhere,
}

/// A step along the changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Takes the last change back.
    Undo,
    /// Makes the change again that was taken back last.
    Redo,
}

/// A change that was made.
#[derive(Clone, Debug)]
struct Change {
    /// Text of the sidecar before, `None` where there was no file.
    before: Option<String>,
    after: String,
}

/// The changes of a sidecar, up to 100, of which the last ones may have been taken back.
///
/// ```
/// use raceline_editor::{History, HistoryError, Step};
///
/// let mut history = History::default();
/// history.changed(None, "vehicle = \"kart\"\n".to_owned());
/// let now = Some("vehicle = \"kart\"\n");
/// assert_eq!(history.target(Step::Undo, now), Ok(None));
/// history.made(Step::Undo);
/// assert!(history.has(Step::Redo) && !history.has(Step::Undo));
/// assert_eq!(history.target(Step::Redo, None)?.as_deref(), now);
/// assert_eq!(history.target(Step::Undo, None), Err(HistoryError::NothingToUndo));
/// # Ok::<(), HistoryError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The last one at the end.
    done: Vec<Change>,
    /// Those that were taken back, the last one at the end.
    undone: Vec<Change>,
}

impl History {
    /// Adds a change of the text `before`, `None` where there was no file. Those that were taken back are
    /// forgotten.
    pub fn changed(&mut self, before: Option<String>, after: String) {
        self.undone.clear();
        if self.done.len() == MAX_CHANGES {
            self.done.remove(0);
        }
        self.done.push(Change { before, after });
    }

    /// Whether there is a change for a step.
    #[must_use]
    pub fn has(&self, step: Step) -> bool {
        !match step {
            Step::Undo => &self.done,
            Step::Redo => &self.undone,
        }
        .is_empty()
    }

    /// The text after a step from the text `now`; `None` where there is no file, before and after.
    ///
    /// # Errors
    /// [`HistoryError`]; after [`HistoryError::ChangedElsewhere`] the changes are forgotten.
    pub fn target(&mut self, step: Step, now: Option<&str>) -> Result<Option<String>, HistoryError> {
        let (changes, nothing) = match step {
            Step::Undo => (&self.done, HistoryError::NothingToUndo),
            Step::Redo => (&self.undone, HistoryError::NothingToRedo),
        };
        let Change { before, after } = changes.last().cloned().ok_or(nothing)?;
        let (from, to) = match step {
            Step::Undo => (Some(after), before),
            Step::Redo => (before, Some(after)),
        };
        if now != from.as_deref() {
            *self = Self::default();
            return Err(HistoryError::ChangedElsewhere);
        }
        Ok(to)
    }

    /// Notes that a step was made, whose target was given.
    pub fn made(&mut self, step: Step) {
        let (from, to) = match step {
            Step::Undo => (&mut self.done, &mut self.undone),
            Step::Redo => (&mut self.undone, &mut self.done),
        };
        to.extend(from.pop());
    }
}
