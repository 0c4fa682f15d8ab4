//! Why a folder or a task fails.

use std::error::Error as _;
use std::path::PathBuf;

use crate::file::{ReadError, WriteError};
use crate::options::OptionsError;
use crate::pipeline;

/// Why the caller of a batch couldn't write a file.
pub type StoreError = Box<dyn std::error::Error + Send + Sync>;

/// Why a folder's tasks can't be found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// The folder or one below it can't be listed.
    #[error("{}: can't be listed", folder.display())]
    Unlistable {
        /// The folder.
        folder: PathBuf,
        /// What the operating system said.
        #[source]
        error: std::io::Error,
    },
}

/// Why a task fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// Two inputs have one output.
    #[error("{} and {} would both be written to {}", input.display(), other.display(), output.display())]
    OneOutput {
        /// The input.
        input: PathBuf,
        /// The input with the same name.
        other: PathBuf,
        /// The output of both.
        output: PathBuf,
    },
    /// The options or the vehicle can't be used.
    #[error("{}: its options can't be used", input.display())]
    Options {
        /// The input.
        input: PathBuf,
        /// What is wrong.
        #[source]
        error: Box<OptionsError>,
    },
    /// No line was found.
    #[error(transparent)]
    Pipeline(Box<pipeline::Error>),
    /// The line can't be written as a file.
    #[error("the line of {} can't be written", input.display())]
    Unwritable {
        /// The input.
        input: PathBuf,
        /// What is wrong.
        #[source]
        error: WriteError,
    },
    /// The caller couldn't write the file.
    #[error(transparent)]
    Store(StoreError),
    /// There is no file to compare with.
    #[error("{}: there is no such file to compare with", output.display())]
    NothingKept {
        /// The file.
        output: PathBuf,
    },
    /// The file to compare with is damaged.
    #[error("{}: the file to compare with is damaged", output.display())]
    Damaged {
        /// The file.
        output: PathBuf,
        /// What is wrong with it.
        #[source]
        error: ReadError,
    },
    /// The file to compare with can't be read.
    #[error("{}: can't be read", output.display())]
    Unreadable {
        /// The file.
        output: PathBuf,
        /// What the operating system said.
        #[source]
        error: std::io::Error,
    },
    /// No thread could be started.
    #[error("no threads for {}: {message}", input.display())]
    Threads {
        /// The input.
        input: PathBuf,
        /// What the system said.
        message: String,
    },
    /// A defect of this program.
    #[error("{}: the program has a defect that this track shows: {message}; please report it with the file", input.display())]
    Defect {
        /// The input.
        input: PathBuf,
        /// What was noticed.
        message: String,
    },
}

impl From<pipeline::Error> for TaskError {
    fn from(error: pipeline::Error) -> Self {
        Self::Pipeline(Box::new(error))
    }
}

impl TaskError {
    /// The message and those of its sources, with colons between them.
    pub fn with_sources(&self) -> String {
        let mut text = self.to_string();
        let mut source = self.source();
        while let Some(error) = source {
            text.push_str(&format!(": {error}"));
            source = error.source();
        }
        text
    }
}
