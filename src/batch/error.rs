//! Errors of folders and tasks.

use std::path::PathBuf;

use crate::file::{RacingLine, ReadError, WriteError};
use crate::options::OptionsError;
use crate::pipeline;
use crate::verify::VerifyError;
use crate::with_causes;

/// Why the caller of a batch could not write a file.
pub type StoreError = Box<dyn std::error::Error + Send + Sync>;

/// Why a folder's tasks cannot be found.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// The folder or one below it cannot be listed.
    #[error("{}: can't be listed", folder.display())]
    Unlistable {
        /// The folder.
        folder: PathBuf,
        /// The operating system's error.
        #[source]
        error: std::io::Error,
    },
}

/// Why a task fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// Two inputs have the same output.
    #[error("{} and {} would both be written to {}", input.display(), other.display(), output.display())]
    OneOutput {
        /// The input.
        input: PathBuf,
        /// The input with the same name.
        other: PathBuf,
        /// The output of both.
        output: PathBuf,
    },
    /// A name with control characters, such as line breaks and escape sequences.
    #[error("{}: its name contains a control character: rename the file", name.escape_debug())]
    ControlCharacter {
        /// The input's path below the folder.
        name: String,
    },
    /// The options or the vehicle cannot be used.
    #[error("{}: its options can't be used", input.display())]
    Options {
        /// The input.
        input: PathBuf,
        /// The problem.
        #[source]
        error: Box<OptionsError>,
    },
    /// No line was found.
    #[error(transparent)]
    Pipeline(Box<pipeline::Error>),
    /// The line cannot be written as a file.
    #[error("the line of {} can't be written", input.display())]
    Unwritable {
        /// The input.
        input: PathBuf,
        /// The problem.
        #[source]
        error: WriteError,
    },
    /// The caller could not write the file.
    #[error(transparent)]
    Store(StoreError),
    /// The file to compare with does not exist.
    #[error("{}: the file to compare with does not exist", output.display())]
    NothingKept {
        /// The file.
        output: PathBuf,
    },
    /// The file to compare with is damaged.
    #[error("{}: the file to compare with is damaged", output.display())]
    Damaged {
        /// The file.
        output: PathBuf,
        /// The problem.
        #[source]
        error: ReadError,
    },
    /// The file to compare with is not sound.
    #[error("{}: the line to compare with is not sound", output.display())]
    Unsound {
        /// The file.
        output: PathBuf,
        /// The line in it.
        line: Box<RacingLine>,
        /// The violated rule and its place.
        #[source]
        error: VerifyError,
    },
    /// The file to compare with cannot be read.
    #[error("{}: can't be read", output.display())]
    Unreadable {
        /// The file.
        output: PathBuf,
        /// The operating system's error.
        #[source]
        error: std::io::Error,
    },
    /// No thread could be started.
    #[error("can't start threads for {}: {message}", input.display())]
    Threads {
        /// The input.
        input: PathBuf,
        /// The system's message.
        message: String,
    },
    /// A defect of this program.
    #[error("{}: a defect of the program appeared: {message}; please report it with this file", input.display())]
    Defect {
        /// The input.
        input: PathBuf,
        /// The panic's message.
        message: String,
    },
}

impl From<pipeline::Error> for TaskError {
    fn from(error: pipeline::Error) -> Self {
        Self::Pipeline(Box::new(error))
    }
}

impl TaskError {
    /// The message and those of its sources, separated by colons.
    #[must_use]
    pub fn with_sources(&self) -> String {
        with_causes(self)
    }
}
