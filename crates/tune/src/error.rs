//! What a tuner refuses.

use std::error::Error;
use std::fmt;

use crate::short::short;

/// Largest number of parameters.
pub(crate) const MAX_PARAMETERS: usize = 100;

/// What a tuner refuses, and why.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TuneError {
    /// No parameters, or more than are possible: their number.
    ParameterCount(usize),
    /// A parameter that cannot be tuned.
    Parameter {
        /// Name of the parameter.
        name: String,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// An option out of its range.
    Option {
        /// Name of the option.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What it must be.
        range: &'static str,
    },
    /// Every trial of the generation is out.
    Waiting {
        /// Number of trials without a score.
        open: usize,
    },
    /// As many trials as the method takes: their number.
    Full(usize),
    /// A score for a trial that nobody asked for.
    UnknownTrial {
        /// Number of the trial.
        id: u64,
        /// Number of trials so far.
        asked: usize,
    },
    /// A second score for a trial: its number.
    HasScore(u64),
    /// A score that is no finite number.
    Score {
        /// Number of the trial.
        id: u64,
        /// The score.
        score: f64,
    },
    /// No trial has a score.
    NoScore,
    /// A text that is no state of a tuner: what is wrong, and where.
    State(String),
}

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ParameterCount(count) => {
                write!(f, "there are {count} parameters, but a tuner takes 1 to {}", MAX_PARAMETERS)
            }
            Self::Parameter { name, reason } => write!(f, "the parameter {name:?} {reason}"),
            Self::Option { name, value, range } => write!(f, "{name} is {}, but must be {range}", short(*value)),
            Self::Waiting { open } => write!(
                f,
                "all trials of the generation are out, {open} of them without a score: give their scores first, or \
                 make population at least the number of trials that are out at the same time"
            ),
            Self::Full(count) => {
                write!(
                    f,
                    "the method takes at most {count} trials: end here, or begin another tuner at the best values"
                )
            }
            Self::UnknownTrial { id, asked } => {
                write!(f, "there is no trial {id}, only {asked} so far, numbered from 0: give the id that ask returned")
            }
            Self::HasScore(id) => write!(f, "the trial {id} has a score already: ask for another trial"),
            Self::Score { id, score } => {
                write!(f, "the score of the trial {id} is {score}, but must be a finite number: report it as failed")
            }
            Self::NoScore => write!(f, "no trial has a score yet: there is nothing to report"),
            Self::State(reason) => write!(f, "this is no state of a tuner: {reason}"),
        }
    }
}

impl Error for TuneError {}
