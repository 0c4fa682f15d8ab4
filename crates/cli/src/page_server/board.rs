//! What the server shows: a page and the state of the work on the next one.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use raceline::RacingLine;
use raceline_editor::{Comparison, ComparisonError, Preview, Previewer, SessionError, State};

/// The result of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The new page; `None` keeps the page before.
    pub page: Option<String>,
    /// As [`State::problem`].
    pub problem: Option<String>,
    /// As [`State::missing`].
    pub missing: Option<&'static str>,
    /// As [`State::warnings`].
    pub warnings: Vec<String>,
    /// As [`State::made_in_ms`].
    pub made_in_ms: u64,
}

/// A page and its state, shared by the server's threads and the one that makes lines.
#[derive(Debug, Default)]
pub struct Board {
    held: Mutex<(State, String)>,
    /// Makes coarse lines of the track; `None` before the first line.
    previewer: Mutex<Option<Previewer>>,
    compared: Mutex<Compared>,
}

/// The line of the page, and what it is compared with.
#[derive(Debug, Default)]
struct Compared {
    line: Option<RacingLine>,
    comparison: Comparison,
    has_changed: bool,
}

impl Board {
    /// A run begins.
    pub fn begin(&self) {
        self.held().0.busy = true;
    }

    /// A run has ended.
    pub fn show(&self, shown: Shown) {
        let mut held = self.held();
        let (state, page) = &mut *held;
        if let Some(new) = shown.page {
            *page = new;
            state.page += 1;
        }
        state.busy = false;
        (state.problem, state.missing) = (shown.problem, shown.missing);
        state.note = None;
        state.warnings = shown.warnings;
        state.made_in_ms = shown.made_in_ms;
    }

    /// Adds details about the last line.
    pub fn note(&self, note: String) {
        self.held().0.note = Some(note);
    }

    /// Sets what makes coarse lines of the track.
    pub fn set_previewer(&self, previewer: Previewer) {
        *self.previewer.lock().unwrap_or_else(PoisonError::into_inner) = Some(previewer);
    }

    /// The coarse line after `edits` of the sidecar at `path`, whose text is `text`.
    ///
    /// # Errors
    /// See [`Previewer::preview`]; also that there is no line yet.
    pub fn preview(&self, path: &Path, text: &str, edits: &str) -> Result<Preview, SessionError> {
        let mut previewer = self.previewer.lock().unwrap_or_else(PoisonError::into_inner);
        previewer.as_mut().ok_or(SessionError::NoLine)?.preview(path, text, edits)
    }

    /// Replaces the page by another one of the same line.
    pub fn turn_to(&self, new: String) {
        let mut held = self.held();
        let (state, page) = &mut *held;
        *page = new;
        state.page += 1;
    }

    /// Sets the line that a comparison is with.
    pub fn set_line(&self, line: RacingLine) {
        self.compared().line = Some(line);
    }

    /// Changes the comparison.
    ///
    /// # Errors
    /// Those of `change`.
    pub fn change_comparison(
        &self,
        change: impl FnOnce(&mut Comparison, Option<&RacingLine>) -> Result<(), ComparisonError>,
    ) -> Result<(), ComparisonError> {
        let mut compared = self.compared();
        let Compared { line, comparison, has_changed } = &mut *compared;
        change(comparison, line.as_ref())?;
        *has_changed = true;
        Ok(())
    }

    /// The comparison, for the next page.
    #[must_use]
    pub fn take_comparison(&self) -> Comparison {
        let mut compared = self.compared();
        compared.has_changed = false;
        compared.comparison.clone()
    }

    /// Whether the comparison is another one than when it was taken last.
    #[must_use]
    pub fn has_other_comparison(&self) -> bool {
        self.compared().has_changed
    }

    /// A change is made whole or not at all.
    fn compared(&self) -> MutexGuard<'_, Compared> {
        self.compared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> State {
        self.held().0.clone()
    }

    /// The page; empty before the first run has ended.
    #[must_use]
    pub fn page(&self) -> String {
        self.held().1.clone()
    }

    /// What is held is replaced whole, so that it is valid after a panic elsewhere too.
    fn held(&self) -> MutexGuard<'_, (State, String)> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Board, Shown};

    #[test]
    fn a_failed_run_keeps_the_page_before() {
        let board = Board::default();
        let run = |page: Option<&str>, problem: Option<&str>| Shown {
            page: page.map(str::to_owned),
            problem: problem.map(str::to_owned),
            missing: problem.map(|_| "metres_per_pixel"),
            warnings: Vec::new(),
            made_in_ms: 3,
        };
        board.begin();
        assert!(board.state().busy);
        board.show(run(Some("first"), None));
        board.show(run(None, Some("no scale")));
        let state = board.state();
        assert_eq!((state.page, state.busy, state.problem.as_deref()), (1, false, Some("no scale")));
        assert_eq!(state.missing, Some("metres_per_pixel"));
        assert_eq!(board.page(), "first");
        board.show(run(Some("second"), None));
        assert_eq!((board.state().page, board.state().problem, board.page()), (2, None, "second".to_owned()));
    }
}
