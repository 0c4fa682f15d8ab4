//! Why a folder or a task fails.

use std::path::PathBuf;

use crate::file::{ReadError, WriteError};
use crate::options::OptionsError;
use crate::pipeline;

/// Why a folder's tasks can't be found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// The folder or one below it can't be listed.
    #[error("{}: can't be listed: {}", folder.display(), way_out(error))]
    Unlistable {
        /// The folder.
        folder: PathBuf,
        /// What the operating system said.
        error: std::io::Error,
    },
}

fn way_out(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such folder: check the name".to_owned(),
        std::io::ErrorKind::NotADirectory => "it is a file: name its folder, or use `raceline optimize`".to_owned(),
        _ => error.to_string(),
    }
}

/// Why a task fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// Two inputs have one output.
    #[error(
        "{} and {} would both be written to {}: rename one of them, or leave one out with --skip",
        input.display(), other.display(), output.display()
    )]
    OneOutput {
        /// The input.
        input: PathBuf,
        /// The input with the same name.
        other: PathBuf,
        /// The output of both.
        output: PathBuf,
    },
    /// The options or the vehicle can't be used.
    #[error("{}: {error}", input.display())]
    Options {
        /// The input.
        input: PathBuf,
        /// What is wrong.
        error: Box<OptionsError>,
    },
    /// No line was found.
    #[error(transparent)]
    Pipeline(Box<pipeline::Error>),
    /// The line can't be written as a file.
    #[error("the line of {}: {error}", input.display())]
    Unwritable {
        /// The input.
        input: PathBuf,
        /// What is wrong.
        error: WriteError,
    },
    /// The caller couldn't write the file.
    #[error("{0}")]
    Store(String),
    /// There is no file to compare with.
    #[error("{}: there is no such file to compare with: run `raceline batch` without --check and keep what it writes", output.display())]
    NothingKept {
        /// The file.
        output: PathBuf,
    },
    /// The file to compare with is damaged.
    #[error("{}: {error}: run `raceline batch` without --check to make it anew", output.display())]
    Damaged {
        /// The file.
        output: PathBuf,
        /// What is wrong with it.
        error: ReadError,
    },
    /// The file to compare with can't be read.
    #[error("{}: can't be read: {error}", output.display())]
    Unreadable {
        /// The file.
        output: PathBuf,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// No thread could be started.
    #[error("no threads for {}: {message}: pass a smaller --jobs", input.display())]
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
