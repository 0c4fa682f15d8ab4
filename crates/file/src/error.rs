//! Why bytes are not the file that was expected.

/// A rule of a format that a value breaks.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct Inconsistency {
    /// The key, as `points[3].s_m`.
    pub place: String,
    /// The problem and the rule.
    pub problem: String,
}

impl Inconsistency {
    /// A violation of a rule at `place`.
    pub fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }
}

/// Why bytes are not the file that was expected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Not JSON, or a key is missing or of the wrong type.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// Line of text, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The problem.
        message: String,
    },
    /// JSON of another kind.
    #[error("\"format\" is {found}, expected \"{expected}\": {hint}")]
    Format {
        /// The value that was found, as JSON, or `missing`.
        found: String,
        /// The value of this format.
        expected: &'static str,
        /// Which command makes such files.
        hint: &'static str,
    },
    /// An unsupported version.
    #[error("\"version\" is {found}, but this program reads version {supported}: {hint}")]
    Version {
        /// The value that was found, as JSON, or `missing`.
        found: String,
        /// The supported version.
        supported: u32,
        /// Which command makes such files.
        hint: &'static str,
    },
    /// The values contradict each other.
    #[error(transparent)]
    Inconsistent(#[from] Inconsistency),
}

impl From<serde_json::Error> for ReadError {
    /// serde_json's error without the position in its message, so that the position is printed
    /// once.
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        let position = format!(" at line {} column {}", error.line(), error.column());
        let mut message = text.strip_suffix(&position).unwrap_or(&text).to_owned();
        if error.is_eof() {
            message.push_str(": the file is empty or truncated: copy or make it again");
        }
        Self::Json { line: error.line(), column: error.column(), message }
    }
}
