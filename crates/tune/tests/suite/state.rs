//! States: continued with the very same trials, and texts that are none.

use proptest::prelude::*;
use raceline_tune::{Method, Options, Parameter, TuneError, Tuner};

use crate::{bowl, options, run, unit_parameters};

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::linear("a", -1.0, 1.0).starting_at(0.1),
        Parameter::logarithmic("b", 0.01, 10.0),
        Parameter::integer("c", 0, 7),
    ]
}

/// A tuner saved and loaded at every step gives the trials of one that runs through.
#[test]
fn a_loaded_tuner_continues_with_the_same_trials() {
    for repeats in [1, 2] {
        for method in Method::ALL {
            let mut through = Tuner::new(parameters(), Options { repeats, ..options(method) }).unwrap();
            let mut interrupted = through.clone();
            for i in 0..40 {
                let text = interrupted.save();
                interrupted = Tuner::load(&text).unwrap();
                assert_eq!(interrupted.save(), text);
                let (one, other) = (through.ask().unwrap(), interrupted.ask().unwrap());
                assert_eq!(one, other, "{method:?} {repeats} {i}");
                for tuner in [&mut through, &mut interrupted] {
                    if i % 7 == 3 {
                        tuner.tell_failed(one.id).unwrap();
                    } else {
                        tuner.tell(one.id, bowl(&one.values)).unwrap();
                    }
                }
            }
            assert_eq!(through.sheet(), interrupted.sheet());
        }
    }
}

#[test]
fn trials_that_were_out_are_still_out() {
    for method in Method::ALL {
        let mut tuner = Tuner::new(parameters(), options(method)).unwrap();
        let asked = [tuner.ask().unwrap(), tuner.ask().unwrap(), tuner.ask().unwrap()];
        tuner.tell(1, 4.0).unwrap();
        let loaded = Tuner::load(&tuner.save()).unwrap();
        assert_eq!(loaded.open().collect::<Vec<_>>(), [asked[0].clone(), asked[2].clone()]);
    }
}

#[test]
fn texts_that_are_no_state_are_refused_with_their_place() {
    let mut tuner = Tuner::new(unit_parameters(2), Options::default()).unwrap();
    run(&mut tuner, 3, bowl);
    let text = tuner.save();
    for (from, to, words) in [
        ("{", "[", "line 1"),
        ("raceline-tuner", "other", "format"),
        ("\"version\":1", "\"version\":2", "version 2"),
        ("\"score\"", "\"scores\"", "scores"),
        ("\"cma-es\"", "\"simplex\"", "simplex"),
        ("\"trials\":[{\"x\":[", "\"trials\":[{\"x\":[0.5,", "trials[0].x has 3 numbers"),
        ("\"trials\":[{\"x\":[", "\"trials\":[{\"x\":[1e300,0.5]},{\"x\":[", "trials[0].x has 1.00000e300"),
        ("\"score\":", "\"failed\":true,\"score\":", "trials[0] has a score and failed"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = Tuner::load(&text.replacen(from, to, 1)).unwrap_err();
        assert!(matches!(error, TuneError::State(_)) && error.to_string().contains(words), "{error}");
    }
    let error = Tuner::load(&text.replace("\"max\":1.0", "\"max\":-1.0")).unwrap_err();
    assert!(matches!(error, TuneError::Parameter { .. }), "{error}");
    // Trials of a second generation while the first is not complete.
    let more = "{\"x\":[0.5,0.5]},".repeat(9);
    let error = Tuner::load(&text.replacen("\"trials\":[", &format!("\"trials\":[{more}"), 1)).unwrap_err();
    assert!(error.to_string().contains("trials[6]"), "{error}");
}

proptest! {
    /// A state with bytes changed is refused or loaded, and never panics.
    #[test]
    fn damaged_states_do_not_panic(place in 0_usize..1000, byte in 32_u8..127, cma in any::<bool>()) {
        let method = if cma { Method::CmaEs } else { Method::Bayesian };
        let mut tuner = Tuner::new(parameters(), options(method)).unwrap();
        run(&mut tuner, 8, bowl);
        let mut bytes = tuner.save().into_bytes();
        let place = place % bytes.len();
        bytes[place] = byte;
        if let Ok(mut loaded) = Tuner::load(&String::from_utf8(bytes).unwrap()) {
            let _ = loaded.ask();
            let _ = loaded.sheet();
        }
    }
}
