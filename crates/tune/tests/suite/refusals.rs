//! What a tuner refuses, with the words that help.

use raceline_tune::{Method, Options, Parameter, Scale, TuneError, Tuner};

use crate::{options, run, unit_parameters};

fn refused(parameter: Parameter, words: &str) {
    let error = Tuner::new(vec![parameter], Options::default()).unwrap_err();
    assert!(matches!(error, TuneError::Parameter { .. }) && error.to_string().contains(words), "{error}");
}

#[test]
fn parameters_without_a_range_are_refused() {
    refused(Parameter::linear("a", 1.0, 1.0), "from 1 to 1");
    refused(Parameter::linear("a", f64::NAN, 1.0), "from NaN");
    refused(Parameter::linear("a", 0.0, f64::INFINITY), "to inf");
    refused(Parameter::logarithmic("a", 0.0, 1.0), "logarithmic scale: begin above 0");
    refused(Parameter { integer: true, ..Parameter::linear("a", 0.5, 3.0) }, "integers as bounds");
    refused(Parameter::linear("a", 0.0, 1.0).starting_at(2.0), "starts at 2");
    refused(Parameter::integer("a", 0, 5).starting_at(1.5), "starts at 1.5");
    refused(Parameter::linear("", 0.0, 1.0), "name of 0 characters");
    let twice = vec![Parameter::linear("a", 0.0, 1.0); 2];
    assert!(Tuner::new(twice, Options::default()).unwrap_err().to_string().contains("twice"));
    for count in [0, 101] {
        let error = Tuner::new(unit_parameters(count), Options::default()).unwrap_err();
        assert_eq!(error, TuneError::ParameterCount(count));
    }
    // The smallest integer above 0 may be 1 on a logarithmic scale.
    let scale = Scale::Logarithmic;
    assert!(Parameter { scale, ..Parameter::integer("a", 1, 100) }.validate().is_ok());
}

#[test]
fn options_out_of_their_range_are_refused() {
    for (name, given) in [
        ("population", Options { population: Some(3), ..Options::default() }),
        ("first_deviation", Options { first_deviation: 0.0, ..Options::default() }),
        ("first_deviation", Options { first_deviation: f64::NAN, ..Options::default() }),
        ("repeats", Options { repeats: 0, ..Options::default() }),
        ("first_trials", Options { first_trials: Some(201), ..Options::default() }),
    ] {
        let error = Tuner::new(unit_parameters(1), given).unwrap_err();
        assert!(matches!(error, TuneError::Option { name: found, .. } if found == name), "{error}");
    }
}

#[test]
fn scores_that_fit_no_trial_are_refused() {
    for method in Method::ALL {
        let mut tuner = Tuner::new(unit_parameters(2), options(method)).unwrap();
        assert_eq!(tuner.sheet(), Err(TuneError::NoScore));
        assert_eq!(tuner.history_svg(), Err(TuneError::NoScore));
        assert_eq!(tuner.tell(0, 1.0), Err(TuneError::UnknownTrial { id: 0, asked: 0 }));
        let trial = tuner.ask().unwrap();
        assert!(matches!(tuner.tell(trial.id, f64::NAN), Err(TuneError::Score { id: 0, .. })));
        tuner.tell(trial.id, 1.0).unwrap();
        assert_eq!(tuner.tell_failed(trial.id), Err(TuneError::HasScore(0)));
        assert!(matches!(tuner.tell(u64::MAX, 1.0), Err(TuneError::UnknownTrial { .. })));
    }
}

#[test]
fn a_generation_that_is_out_is_waited_for() {
    let mut tuner = Tuner::new(unit_parameters(2), Options { population: Some(5), ..Options::default() }).unwrap();
    let asked: Vec<_> = (0..5).map(|_| tuner.ask().unwrap()).collect();
    assert_eq!(tuner.ask(), Err(TuneError::Waiting { open: 5 }));
    for trial in &asked {
        tuner.tell(trial.id, trial.values[0]).unwrap();
    }
    assert!(tuner.ask().is_ok());
}

#[test]
fn the_model_has_at_most_500_trials() {
    let options = Options { first_trials: Some(200), ..options(Method::Bayesian) };
    let mut tuner = Tuner::new(unit_parameters(1), options).unwrap();
    // Without scores no model is fitted.
    for _ in 0..500 {
        tuner.ask().unwrap();
    }
    assert_eq!(tuner.ask(), Err(TuneError::Full(500)));
    let mut tuner = Tuner::new(unit_parameters(1), options).unwrap();
    run(&mut tuner, 201, |x| x[0]);
    assert!(tuner.sheet().unwrap().standings[0].score < 0.01);
}
