//! Tuning without a person: numbers such as a follower's options, by a score from your own simulator, game or
//! robot.
//!
//! [`Tuner`] never calls your program. [`Tuner::ask`] gives a trial, values of all parameters; you drive with
//! them and give the score to [`Tuner::tell`], lower being better, or [`Tuner::tell_failed`]. Trials may be
//! out at the same time and come back in any order. The same seed and scores give the same trials.
//!
//! | Method | Prefer it |
//! |---|---|
//! | [`Method::CmaEs`] | for hundreds to thousands of trials, many parameters, scores of any scale |
//! | [`Method::Bayesian`] | for tens to some hundreds of trials with up to about ten parameters |
//!
//! [`Tuner::save`] gives the state as JSON, with which [`Tuner::load`] continues with the very same trials.
//! [`Tuner::sheet`] is what was found: the best values, their score with its uncertainty, and how much each
//! parameter matters.
//!
//! ```
//! use raceline_tune::{Method, Options, Parameter, Tuner};
//!
//! let parameters = vec![
//!     Parameter::linear("preview_s", 0.0, 0.8).starting_at(0.4),
//!     Parameter::logarithmic("gain", 0.1, 10.0).starting_at(1.0),
//! ];
//! let mut tuner = Tuner::new(parameters, Options { method: Method::Bayesian, ..Options::default() })?;
//! for _ in 0..24 {
//!     let trial = tuner.ask()?;
//!     let [preview_s, gain] = trial.values[..] else { unreachable!() };
//!     // Here the vehicle would drive a lap.
//!     let lap_time_s = 60.0 + 5.0 * (preview_s - 0.3).powi(2) + gain.ln().abs();
//!     tuner.tell(trial.id, lap_time_s)?;
//! }
//! let best = &tuner.sheet()?.standings[0];
//! assert!(best.score < 60.1, "{best:?}");
//! # Ok::<(), raceline_tune::TuneError>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod bayesian;
mod cma_es;
mod error;
mod evolution;
mod gaussian_process;
mod history;
mod improvement;
mod matrix;
mod normal;
mod options;
mod parameter;
mod record;
mod sheet;
mod short;
mod state;
mod tuner;
mod warp;

pub use error::TuneError;
pub use options::{Method, Options};
pub use parameter::{Parameter, Scale};
pub use record::{Outcome, Trial};
pub use sheet::{Sheet, Standing};
pub use tuner::Tuner;
