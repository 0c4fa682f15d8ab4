//! Trials and what came of them.

/// Values to be tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Number, from 0; [`crate::Tuner::tell`] takes the score with it.
    pub id: u64,
    /// Values in the order of the parameters.
    pub values: Vec<f64>,
}

/// What came of a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// No score yet.
    Open,
    /// Worse than every score.
    Failed,
    /// The score; lower is better.
    Score(f64),
}

impl Outcome {
    /// The score, if there is one.
    #[must_use]
    pub fn score(self) -> Option<f64> {
        if let Self::Score(score) = self { Some(score) } else { None }
    }
}

/// A trial as the tuner remembers it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    /// Places on the scales of the parameters. Those of CMA-ES lie anywhere, and are reflected into 0 to 1.
    pub(crate) x: Vec<f64>,
    pub(crate) outcome: Outcome,
}
