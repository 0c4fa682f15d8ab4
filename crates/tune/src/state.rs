//! The state of a tuner as JSON: what was declared, and every trial with its score. The search follows from
//! these.

use serde::{Deserialize, Serialize};

use crate::error::TuneError;
use crate::options::{Method, Options};
use crate::parameter::Parameter;
use crate::record::{Outcome, Record};
use crate::short::short;

/// Value of `format`, and of `version`.
const FORMAT: &str = "raceline-tuner";
const VERSION: u32 = 1;
/// Largest magnitude of a place on a scale: CMA-ES comes nowhere near.
const LARGEST_PLACE: f64 = 1e9;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StateText {
    format: String,
    version: u32,
    parameters: Vec<Parameter>,
    #[serde(default)]
    options: Options,
    #[serde(default)]
    trials: Vec<TrialText>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrialText {
    /// Places on the scales.
    x: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    failed: bool,
}

/// The text of a state.
pub(crate) fn written(parameters: &[Parameter], options: &Options, trials: &[Record]) -> String {
    let trials = trials
        .iter()
        .map(|Record { x, outcome }| TrialText {
            x: x.clone(),
            score: outcome.score(),
            failed: *outcome == Outcome::Failed,
        })
        .collect();
    let text = StateText {
        format: FORMAT.to_owned(),
        version: VERSION,
        parameters: parameters.to_vec(),
        options: *options,
        trials,
    };
    // Numbers, texts and lists always have a JSON text.
    serde_json::to_string(&text).unwrap_or_default()
}

/// What a text of a state declares, with its trials.
pub(crate) fn read(text: &str) -> Result<(Vec<Parameter>, Options, Vec<Record>), TuneError> {
    let state: StateText = serde_json::from_str(text).map_err(|error| TuneError::State(error.to_string()))?;
    if (state.format.as_str(), state.version) != (FORMAT, VERSION) {
        let StateText { format, version, .. } = state;
        let format: String = format.chars().take(40).collect();
        let reason = format!("its format is {format:?}, version {version}, but must be {FORMAT:?}, version {VERSION}");
        return Err(TuneError::State(reason));
    }
    let trial = |(id, trial): (usize, TrialText)| {
        let outcome = match (trial.score, trial.failed) {
            (None, false) => Outcome::Open,
            (None, true) => Outcome::Failed,
            (Some(score), false) => Outcome::Score(score),
            (Some(_), true) => {
                return Err(TuneError::State(format!("trials[{id}] has a score and failed: remove one of both")));
            }
        };
        Ok(Record { x: trial.x, outcome })
    };
    let trials = state.trials.into_iter().enumerate().map(trial).collect::<Result<_, _>>()?;
    Ok((state.parameters, state.options, trials))
}

/// Checks the trials of a state.
pub(crate) fn check(trials: &[Record], parameters: usize, method: Method) -> Result<(), TuneError> {
    let max = method.max_trials();
    if trials.len() > max {
        return Err(TuneError::State(format!("it has {} trials, but the method takes at most {max}", trials.len())));
    }
    let range = match method {
        Method::CmaEs => -LARGEST_PLACE..=LARGEST_PLACE,
        Method::Bayesian => 0.0..=1.0,
    };
    for (id, Record { x, .. }) in trials.iter().enumerate() {
        if x.len() != parameters {
            let reason = format!("trials[{id}].x has {} numbers, but there are {parameters} parameters", x.len());
            return Err(TuneError::State(reason));
        }
        if let Some(place) = x.iter().find(|place| !range.contains(*place)) {
            let [place, low, high] = [place, range.start(), range.end()].map(|number| short(*number));
            return Err(TuneError::State(format!("trials[{id}].x has {place}, but must be within {low} to {high}")));
        }
    }
    Ok(())
}
