//! The state of an editor, for its page.

use serde::Serialize;

use super::history::{History, Step};

/// The state of the work, which the page asks for again and again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct State {
    /// Number of the page; a higher one is to be loaded.
    pub page: u64,
    /// Whether a line is being made.
    pub busy: bool,
    /// Why the last line could not be made. The page is then that of the line before.
    pub problem: Option<String>,
    /// The option that the track needs before a line can be made, as
    /// [`missing_option`](raceline::pipeline::Error::missing_option) states it, or `vehicle` where the default one finds
    /// no line: what the page asks for.
    pub missing: Option<&'static str>,
    /// What the last line is, in a few words.
    pub note: Option<String>,
    /// What is doubtful about the line on the page.
    pub warnings: Vec<String>,
    /// Whether there is a change to take back.
    pub can_undo: bool,
    /// Whether there is one to make again.
    pub can_redo: bool,
    /// Time that the last line took, from reading the files to the page, milliseconds.
    pub made_in_ms: u64,
}

impl State {
    /// Sets what can be taken back and made again to what `history` has.
    pub fn offer(&mut self, history: &History) {
        (self.can_undo, self.can_redo) = (history.has(Step::Undo), history.has(Step::Redo));
    }
}
