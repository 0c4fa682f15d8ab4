//! What a sheet reports.

use raceline_tune::{Method, Options, Parameter, Tuner};

use crate::{noisy, options, run, unit_parameters};

/// Of f = 4 x + y + 0 z on a cube the total effects are 16/17, 1/17 and 0 (Jansen's equation by hand: the
/// variances of independent terms).
#[test]
fn importances_are_those_of_a_linear_function() {
    let given = Options { first_trials: Some(60), ..options(Method::Bayesian) };
    let mut tuner = Tuner::new(unit_parameters(3), given).unwrap();
    run(&mut tuner, 60, |x| 4.0 * x[0] + x[1]);
    let importances = tuner.sheet().unwrap().importances;
    // By 512 random points, and the compression of bad scores bends the plane a little.
    assert!((importances[0] - 16.0 / 17.0).abs() < 0.1, "{importances:?}");
    assert!((importances[1] - 1.0 / 17.0).abs() < 0.06 && importances[2] < 0.01, "{importances:?}");
}

#[test]
fn a_lucky_score_is_not_the_best_standing() {
    let given = Options { first_trials: Some(40), ..options(Method::Bayesian) };
    let mut tuner = Tuner::new(unit_parameters(1), given).unwrap();
    let mut noise = noisy(0.02, 4, |x| x[0]);
    for i in 0..40 {
        let trial = tuner.ask().unwrap();
        // One score is far too good.
        let luck = if i == 20 { -0.4 } else { 0.0 };
        tuner.tell(trial.id, noise(&trial.values) + luck).unwrap();
    }
    let sheet = tuner.sheet().unwrap();
    assert!(sheet.standings[0].id != 20 && sheet.standings[0].values[0] < 0.15, "{sheet}");
}

#[test]
fn repeats_are_one_standing() {
    let given = Options { repeats: 4, ..Options::default() };
    let mut tuner = Tuner::new(unit_parameters(2), given).unwrap();
    let mut scores = [1.0, 3.0, 5.0, 7.0].into_iter();
    run(&mut tuner, 4, |_| scores.next().unwrap());
    let sheet = tuner.sheet().unwrap();
    assert_eq!((sheet.standings.len(), sheet.standings[0].count, sheet.standings[0].score), (1, 4, 4.0));
}

#[test]
fn the_text_has_every_name_and_the_drawing_every_score() {
    let parameters = vec![Parameter::linear("limit.delay_s", 0.0, 0.2), Parameter::logarithmic("gain", 0.1, 10.0)];
    let mut tuner = Tuner::new(parameters, options(Method::Bayesian)).unwrap();
    run(&mut tuner, 12, |x| 60.0 + x[0]);
    let trial = tuner.ask().unwrap();
    tuner.tell_failed(trial.id).unwrap();
    tuner.ask().unwrap();
    let text = tuner.sheet().unwrap().to_string();
    for word in ["14 trials, 1 failed, 1 without a score", "limit.delay_s", "gain", "±", "importance"] {
        assert!(text.contains(word), "{text}");
    }
    let drawing = tuner.history_svg().unwrap();
    assert_eq!(drawing.matches("<circle").count(), 12);
    assert_eq!(drawing.matches("#c33").count(), 1);
    assert!(drawing.ends_with("</svg>\n"));
}
