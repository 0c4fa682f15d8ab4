//! Programs and settings that no search can begin with.

use std::fmt;

/// Why a search cannot begin.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ProgramError {
    /// The start has another number of stages than the program, or none.
    Stages {
        /// Stages of the start.
        start: usize,
        /// Stages of the program.
        program: usize,
    },
    /// The given multipliers have another number of stages than the program.
    Duals {
        /// Stages of the prices.
        prices: usize,
        /// Stages of the multipliers.
        multipliers: usize,
        /// Stages of the program.
        program: usize,
    },
    /// The program states more equations than its stages can have.
    Equations {
        /// Number of equations that the program states.
        equations: usize,
        /// N E.
        maximum: usize,
    },
    /// A setting is out of its range.
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Value of the setting.
        value: f64,
    },
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Stages { start, program } => {
                write!(f, "the start has {start} stages, the program {program}: they must be equal and at least 1")
            }
            Self::Duals { prices, multipliers, program } => {
                write!(f, "prices of {prices} and multipliers of {multipliers} stages do not fit {program} stages")
            }
            Self::Equations { equations, maximum } => {
                write!(f, "the program states {equations} equations, its stages have at most {maximum}")
            }
            Self::Setting { name, value } => write!(f, "the setting {name} = {value} is out of its range"),
        }
    }
}

impl std::error::Error for ProgramError {}
