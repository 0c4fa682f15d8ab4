//! Minima that are found.

use raceline_tune::{Method, Options, Parameter, Tuner};

use crate::{bowl, noisy, options, run, unit_parameters};

#[test]
fn cma_es_finds_the_minimum_of_a_bowl() {
    let mut tuner = Tuner::new(unit_parameters(5), options(Method::CmaEs)).unwrap();
    run(&mut tuner, 800, bowl);
    let best = &tuner.sheet().unwrap().standings[0];
    assert!(best.score < 1e-9, "{best:?}");
}

#[test]
fn bayesian_finds_the_minimum_of_branin_in_forty_trials() {
    // Three minima of 0.397887 (Dixon and Szegő 1978).
    let branin = |x: &[f64]| {
        let (x, y) = (x[0], x[1]);
        let tau = std::f64::consts::TAU;
        let valley = y - 5.1 / (tau * tau) * x * x + 10.0 / tau * x - 6.0;
        valley * valley + 10.0 * (1.0 - 1.0 / (4.0 * tau)) * x.cos() + 10.0
    };
    let parameters = vec![Parameter::linear("x", -5.0, 10.0), Parameter::linear("y", 0.0, 15.0)];
    let mut tuner = Tuner::new(parameters, options(Method::Bayesian)).unwrap();
    run(&mut tuner, 40, branin);
    let best = &tuner.sheet().unwrap().standings[0];
    assert!(best.score < 0.6, "{best:?}");
}

/// The estimate is nearer to the truth than a score.
#[test]
fn both_methods_find_the_minimum_under_noise() {
    for method in Method::ALL {
        let count = if method == Method::Bayesian { 60 } else { 400 };
        let mut tuner = Tuner::new(unit_parameters(3), options(method)).unwrap();
        run(&mut tuner, count, noisy(0.02, 3, bowl));
        let sheet = tuner.sheet().unwrap();
        let best = &sheet.standings[0];
        assert!(bowl(&best.values) < 0.02, "{method:?}: {best:?}");
        let [estimate, deviation] = best.estimate.unwrap();
        assert!((estimate - bowl(&best.values)).abs() < 0.02 && deviation < 0.02, "{method:?}: {best:?}");
        assert!((sheet.noise.unwrap() / 0.02 - 1.0).abs() < 0.35, "{method:?}: {:?}", sheet.noise);
    }
}

#[test]
fn repeats_ask_for_the_same_values_again() {
    let options = Options { repeats: 3, ..Options::default() };
    let mut tuner = Tuner::new(unit_parameters(2), options).unwrap();
    let trials: Vec<_> = (0..6).map(|_| tuner.ask().unwrap().values).collect();
    assert_eq!(trials[0], trials[2]);
    assert_eq!(trials[3], trials[5]);
    assert_ne!(trials[0], trials[3]);
}

#[test]
fn integers_and_logarithms_are_found() {
    for method in Method::ALL {
        let parameters =
            vec![Parameter::integer("count", 1, 12).starting_at(2.0), Parameter::logarithmic("gain", 1e-3, 1e3)];
        let mut tuner = Tuner::new(parameters, options(method)).unwrap();
        let cost = |x: &[f64]| {
            assert_eq!(x[0], x[0].round());
            assert!((1.0..=12.0).contains(&x[0]) && (1e-3..=1e3).contains(&x[1]));
            (x[0] - 9.0).abs() + (x[1] / 0.05).ln().abs()
        };
        run(&mut tuner, if method == Method::Bayesian { 50 } else { 400 }, cost);
        let best = &tuner.sheet().unwrap().standings[0];
        assert!(best.values[0] == 9.0 && best.score < 0.4, "{method:?}: {best:?}");
    }
}

#[test]
fn the_minimum_in_a_corner_is_reached() {
    for method in Method::ALL {
        let mut tuner = Tuner::new(unit_parameters(3), options(method)).unwrap();
        run(&mut tuner, if method == Method::Bayesian { 40 } else { 500 }, |x| x.iter().sum());
        let best = tuner.sheet().unwrap().standings.remove(0);
        assert!(best.score < 1e-2, "{method:?}: {best:?}");
    }
}

#[test]
fn the_start_is_the_first_trial() {
    for method in Method::ALL {
        let parameters = vec![
            Parameter::linear("a", -1.0, 3.0).starting_at(2.5),
            Parameter::logarithmic("b", 0.1, 10.0),
            Parameter::integer("c", 0, 9).starting_at(7.0),
        ];
        let values = Tuner::new(parameters, options(method)).unwrap().ask().unwrap().values;
        assert!((values[0] - 2.5).abs() < 1e-12 && (values[1] - 1.0).abs() < 1e-12 && values[2] == 7.0, "{values:?}");
    }
}

#[test]
fn failures_are_avoided() {
    // Half of the space fails; the best lies at the border of the other half.
    for method in Method::ALL {
        let mut tuner = Tuner::new(unit_parameters(2), options(method)).unwrap();
        let mut late_failures = 0;
        for i in 0..60 {
            let trial = tuner.ask().unwrap();
            if trial.values[0] > 0.5 {
                tuner.tell_failed(trial.id).unwrap();
                late_failures += u32::from(i >= 30);
            } else {
                tuner.tell(trial.id, bowl(&trial.values)).unwrap();
            }
        }
        assert!(late_failures < 8, "{method:?}: {late_failures}");
        assert!(tuner.sheet().unwrap().standings[0].score < 0.01, "{method:?}");
    }
}

#[test]
fn scores_that_are_all_equal_or_failed_end_nothing() {
    for method in Method::ALL {
        let mut tuner = Tuner::new(unit_parameters(2), options(method)).unwrap();
        for i in 0..40 {
            let trial = tuner.ask().unwrap();
            if i < 20 { tuner.tell_failed(trial.id).unwrap() } else { tuner.tell(trial.id, 1.0).unwrap() }
        }
        let different: std::collections::BTreeSet<_> =
            tuner.trials().map(|(trial, _)| format!("{:?}", trial.values)).collect();
        assert!(different.len() > 30, "{method:?}");
    }
}
