//! Errors: decisions that cannot be built, and inputs that a step does not take.

use std::error::Error;
use std::fmt;

/// Decisions that cannot be built: what is wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct TacticsError {
    /// Place, as keys of the TOML: `machines.race.transitions[2].when`.
    pub place: String,
    /// Line of the TOML, from 1; none for decisions that were built in code.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: Problem,
}

impl TacticsError {
    pub(crate) fn new(place: impl Into<String>, problem: Problem) -> Self {
        Self { place: place.into(), line: None, problem }
    }
}

/// What is wrong with decisions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// Text that is not TOML: the reader's message.
    Syntax(String),
    /// A key that means nothing here.
    UnknownKey {
        /// The key.
        key: String,
        /// Keys that are possible.
        expected: String,
    },
    /// A key without which the place means nothing.
    MissingKey(String),
    /// A value of another type or outside its range: what it must be.
    Value(String),
    /// A node with no kind or with several.
    NodeKind(String),
    /// A name that is no letter or underscore followed by letters, digits and underscores, or is `and`, `or`
    /// or `not`.
    Name(String),
    /// A name that stands twice.
    Duplicate(String),
    /// A name that is not declared.
    Unknown {
        /// What it would name: `input`, `output`, `state`, `tree` or `machine`.
        what: &'static str,
        /// The name.
        name: String,
        /// Declared names.
        declared: String,
    },
    /// A machine whose `initial` names none of its states.
    NoInitialState(String),
    /// Trees and machines that contain themselves: the names from the first to its return.
    Cycle(Vec<String>),
    /// Nodes and machines in one another, or parentheses of a condition: the permitted depth.
    TooDeep(usize),
    /// The number of nodes, states and transitions after each reference is replaced by what it names: the
    /// permitted number.
    TooLarge(usize),
    /// A condition that cannot be read.
    Condition {
        /// Column of the text, from 1.
        column: usize,
        /// What is expected there.
        expected: &'static str,
    },
    /// A transition that leaves a final state.
    LeavesFinal(String),
}

impl fmt::Display for TacticsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        write!(f, "{}: ", if self.place.is_empty() { "tactics" } else { &self.place })?;
        match &self.problem {
            Problem::Syntax(message) => write!(f, "this is not TOML: {message}"),
            Problem::UnknownKey { key, expected } => write!(f, "unknown key {key}: use one of {expected}"),
            Problem::MissingKey(key) => write!(f, "{key} is missing: add it"),
            Problem::Value(must) => write!(f, "the value must be {must}"),
            Problem::NodeKind(kinds) => write!(f, "a node has exactly one of {kinds}"),
            Problem::Name(name) => write!(
                f,
                "{name:?} is no name: use letters, digits and underscores, a letter first, and none of and, or, not"
            ),
            Problem::Duplicate(name) => write!(f, "{name} stands twice: use another name"),
            Problem::Unknown { what, name, declared } if declared.is_empty() => {
                write!(f, "unknown {what} {name}: none is declared")
            }
            Problem::Unknown { what, name, declared } => {
                write!(f, "unknown {what} {name}: use one of {declared}, or declare it")
            }
            Problem::NoInitialState(name) if name.is_empty() => {
                write!(f, "the machine has no initial state: name one of its states with initial")
            }
            Problem::NoInitialState(name) => {
                write!(f, "the initial state {name} is no state of the machine: declare it, or name another")
            }
            Problem::Cycle(names) => write!(f, "{} contains itself: remove one of these references", names.join(" > ")),
            Problem::TooDeep(limit) => write!(f, "more than {limit} levels in one another: use fewer"),
            Problem::TooLarge(limit) => write!(f, "more than {limit} nodes, states and transitions: use fewer"),
            Problem::Condition { column, expected } => {
                write!(f, "column {column} of the condition: expected {expected}")
            }
            Problem::LeavesFinal(state) => {
                write!(f, "the state {state} has a result, so no transition may leave it: remove one of both")
            }
        }
    }
}

impl Error for TacticsError {}

/// A step that was not taken.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// Another number of inputs than is declared.
    Inputs {
        /// Number of inputs that were given.
        given: usize,
        /// Number of inputs that are declared.
        declared: usize,
    },
    /// A step's time that is negative or not a number, s.
    Time(f64),
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inputs { given, declared } => write!(
                f,
                "{given} inputs were given, but {declared} are declared: give one value for each, in their order"
            ),
            Self::Time(step_s) => write!(f, "the step takes {step_s} s: a step's time is 0 s or more"),
        }
    }
}

impl Error for StepError {}
