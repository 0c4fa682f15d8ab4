//! The tuner: trials out, scores in.

use std::collections::BTreeSet;

use crate::bayesian::{Bayesian, Model};
use crate::error::{MAX_PARAMETERS, TuneError};
use crate::evolution::Evolution;
use crate::history;
use crate::options::{Method, Options};
use crate::parameter::{Parameter, reflected};
use crate::record::{Outcome, Record, Trial};
use crate::sheet::{Sheet, sheet};
use crate::state;

/// Trials that the model of a sheet has of CMA-ES: the last ones, which surround the best.
const SHEET_TRIALS: usize = 120;

/// The search of a method.
#[derive(Clone, Debug)]
enum Search {
    CmaEs(Box<Evolution>),
    Bayesian(Box<Bayesian>),
}

/// Tunes parameters by scores, trial by trial; see [the crate](crate).
#[derive(Clone, Debug)]
pub struct Tuner {
    parameters: Vec<Parameter>,
    options: Options,
    trials: Vec<Record>,
    search: Search,
}

impl Tuner {
    /// A tuner of 1 to 100 parameters before the first trial.
    ///
    /// # Errors
    /// [`TuneError::ParameterCount`], [`TuneError::Parameter`] or [`TuneError::Option`] for what it cannot
    /// use.
    pub fn new(parameters: Vec<Parameter>, options: Options) -> Result<Self, TuneError> {
        if !(1..=MAX_PARAMETERS).contains(&parameters.len()) {
            return Err(TuneError::ParameterCount(parameters.len()));
        }
        let mut names = BTreeSet::new();
        for parameter in &parameters {
            parameter.validate()?;
            if !names.insert(parameter.name.as_str()) {
                let reason = "is declared twice: give another name".to_owned();
                return Err(TuneError::Parameter { name: parameter.name.clone(), reason });
            }
        }
        options.validate()?;
        let search = match options.method {
            Method::CmaEs => Search::CmaEs(Box::new(Evolution::new(&parameters, &options))),
            Method::Bayesian => Search::Bayesian(Box::new(Bayesian::new(&parameters, &options))),
        };
        Ok(Self { parameters, options, trials: Vec::new(), search })
    }

    /// The next trial.
    ///
    /// # Errors
    /// - [`TuneError::Waiting`] of CMA-ES, while every trial of its generation is out.
    /// - [`TuneError::Full`] after the method's largest number of trials.
    pub fn ask(&mut self) -> Result<Trial, TuneError> {
        let id = self.trials.len();
        if id >= self.options.method.max_trials() {
            return Err(TuneError::Full(id));
        }
        let x = match &mut self.search {
            Search::CmaEs(evolution) if id >= evolution.end() => {
                return Err(TuneError::Waiting { open: self.open().count() });
            }
            Search::CmaEs(evolution) => evolution.next(&self.trials),
            Search::Bayesian(bayesian) => bayesian.next(&self.parameters, &self.trials),
        };
        self.trials.push(Record { x, outcome: Outcome::Open });
        Ok(self.trial(id))
    }

    /// Takes the score of a trial; lower is better.
    ///
    /// # Errors
    /// - [`TuneError::UnknownTrial`] for a number that no trial has.
    /// - [`TuneError::HasScore`] for a second score.
    /// - [`TuneError::Score`] for a score that is not finite.
    pub fn tell(&mut self, id: u64, score: f64) -> Result<(), TuneError> {
        if !score.is_finite() {
            return Err(TuneError::Score { id, score });
        }
        self.close(id, Outcome::Score(score))
    }

    /// Takes a trial as failed, such as one that crashed or was lost: it counts as worse than every score.
    ///
    /// # Errors
    /// As [`Self::tell`].
    pub fn tell_failed(&mut self, id: u64) -> Result<(), TuneError> {
        self.close(id, Outcome::Failed)
    }

    fn close(&mut self, id: u64, outcome: Outcome) -> Result<(), TuneError> {
        let asked = self.trials.len();
        let record = usize::try_from(id).ok().and_then(|place| self.trials.get_mut(place));
        let record = record.ok_or(TuneError::UnknownTrial { id, asked })?;
        if record.outcome != Outcome::Open {
            return Err(TuneError::HasScore(id));
        }
        record.outcome = outcome;
        if let Search::CmaEs(evolution) = &mut self.search {
            evolution.proceed(&self.trials);
        }
        Ok(())
    }

    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// All trials in the order in which they were asked for, with what came of them.
    pub fn trials(&self) -> impl Iterator<Item = (Trial, Outcome)> + '_ {
        (0..self.trials.len()).map(|id| (self.trial(id), self.trials[id].outcome))
    }

    /// Trials without a score, such as those that were out when a state was saved.
    pub fn open(&self) -> impl Iterator<Item = Trial> + '_ {
        let open = self.trials.iter().enumerate().filter(|(_, record)| record.outcome == Outcome::Open);
        open.map(|(id, _)| self.trial(id))
    }

    fn trial(&self, id: usize) -> Trial {
        let places = self.trials[id].x.iter().zip(&self.parameters);
        let values = places.map(|(&x, parameter)| parameter.value_at(reflected(x))).collect();
        Trial { id: id as u64, values }
    }

    /// What was found.
    ///
    /// # Errors
    /// [`TuneError::NoScore`] before the first score.
    pub fn sheet(&self) -> Result<Sheet, TuneError> {
        let seen: Vec<Record> = self
            .trials
            .iter()
            .map(|record| {
                let places = record.x.iter().zip(&self.parameters);
                let x = places.map(|(&x, parameter)| parameter.rounded(reflected(x))).collect();
                Record { x, outcome: record.outcome }
            })
            .collect();
        let closed: Vec<usize> = (0..seen.len()).filter(|&id| seen[id].outcome != Outcome::Open).collect();
        let scored = closed.iter().filter_map(|&id| Some((seen[id].outcome.score()?, id)));
        let best = scored.min_by(|a, b| a.0.total_cmp(&b.0)).ok_or(TuneError::NoScore)?.1;
        let from = match self.options.method {
            Method::CmaEs => closed.len().saturating_sub(SHEET_TRIALS),
            Method::Bayesian => 0,
        };
        let mut modelled = closed[from..].to_vec();
        if !modelled.contains(&best) {
            modelled.insert(0, best);
        }
        let scores: Vec<Option<f64>> = modelled.iter().map(|&id| seen[id].outcome.score()).collect();
        let points = modelled.iter().map(|&id| seen[id].x.clone()).collect();
        Ok(sheet(&self.parameters, &seen, &modelled, Model::fitted(points, &scores)))
    }

    /// The scores over the trials as SVG: a dot each, and the best so far as a line.
    ///
    /// # Errors
    /// [`TuneError::NoScore`] before the first score.
    pub fn history_svg(&self) -> Result<String, TuneError> {
        let outcomes: Vec<Outcome> = self.trials.iter().map(|record| record.outcome).collect();
        history::svg(&outcomes).ok_or(TuneError::NoScore)
    }

    /// The state as JSON, with which [`Self::load`] continues with the very same trials.
    #[must_use]
    pub fn save(&self) -> String {
        state::written(&self.parameters, &self.options, &self.trials)
    }

    /// The tuner that [`Self::save`] wrote. Trials that were out are still out ([`Self::open`]).
    ///
    /// # Errors
    /// [`TuneError::State`] for a text that is no state, with its place; errors of [`Self::new`] for what is
    /// declared in it.
    pub fn load(text: &str) -> Result<Self, TuneError> {
        let (parameters, options, trials) = state::read(text)?;
        let mut tuner = Self::new(parameters, options)?;
        state::check(&trials, tuner.parameters.len(), options.method)?;
        tuner.trials = trials;
        if let Search::CmaEs(evolution) = &mut tuner.search {
            while evolution.proceed(&tuner.trials) {}
            let end = evolution.end();
            if tuner.trials.len() > end {
                let reason = "its generation follows one in which a trial has no score";
                return Err(TuneError::State(format!("trials[{end}]: {reason}")));
            }
        }
        Ok(tuner)
    }
}
