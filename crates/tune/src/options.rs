//! How a tuner searches.

use serde::{Deserialize, Serialize};

use crate::error::TuneError;
use raceline_numerics::math;

/// A method of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Covariance matrix adaptation (Hansen, *The CMA evolution strategy: a tutorial*, arXiv:1604.00772). It
    /// counts on the order of the scores alone. At most 100 000 trials.
    #[default]
    CmaEs,
    /// Bayesian optimization: a Gaussian process is fitted to the scores, and the next trial is where it
    /// expects the largest improvement. At most 500 trials.
    Bayesian,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 2] = [Self::CmaEs, Self::Bayesian];

    /// Name: `cma-es` or `bayesian`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CmaEs => "cma-es",
            Self::Bayesian => "bayesian",
        }
    }

    /// The method called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Largest number of trials.
    pub(crate) fn max_trials(self) -> usize {
        match self {
            Self::CmaEs => 100_000,
            Self::Bayesian => 500,
        }
    }
}

/// How a tuner searches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The method. Default: CMA-ES.
    pub method: Method,
    /// Seed of the random numbers. Default: 0.
    pub seed: u64,
    /// CMA-ES: points of a generation, 4 to 1000. Default: 4 + ⌊3 ln n⌋ for n parameters. Larger is slower
    /// and safer with noise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<u32>,
    /// CMA-ES: standard deviation of the first trials as a fraction of each scale, 0.001 to 1. Default: 0.2.
    pub first_deviation: f64,
    /// CMA-ES: trials of each point, which has the mean of their scores, 1 to 100. Default: 1. Against noise
    /// a larger population is usually better.
    pub repeats: u32,
    /// Bayesian: trials that are spread over the whole space before the model is used, 2 to 200. Default: 2
    /// (n + 1) for n parameters, 20 at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_trials: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { method: Method::CmaEs, seed: 0, population: None, first_deviation: 0.2, repeats: 1, first_trials: None }
    }
}

/// Largest default of [`Options::first_trials`].
const MAX_FIRST_TRIALS: usize = 20;

impl Options {
    /// Checks every range.
    ///
    /// # Errors
    /// [`TuneError::Option`] names the first option that is out of its range.
    pub fn validate(&self) -> Result<(), TuneError> {
        let check = |name, value: f64, low: f64, high: f64, range| {
            if (low..=high).contains(&value) { Ok(()) } else { Err(TuneError::Option { name, value, range }) }
        };
        check("population", self.population.unwrap_or(4).into(), 4.0, 1000.0, "4 to 1000")?;
        check("first_deviation", self.first_deviation, 0.001, 1.0, "0.001 to 1")?;
        check("repeats", self.repeats.into(), 1.0, 100.0, "1 to 100")?;
        check("first_trials", self.first_trials.unwrap_or(2).into(), 2.0, 200.0, "2 to 200")
    }

    /// Points of a generation for `n` parameters: equation 48 of the tutorial.
    pub(crate) fn population_of(&self, n: usize) -> usize {
        self.population.map_or(4 + (3.0 * math::ln(n as f64)).floor() as usize, |population| population as usize)
    }

    /// Trials before the model is used, for `n` parameters.
    pub(crate) fn first_trials_of(&self, n: usize) -> usize {
        self.first_trials.map_or((2 * (n + 1)).min(MAX_FIRST_TRIALS), |count| count as usize)
    }
}
