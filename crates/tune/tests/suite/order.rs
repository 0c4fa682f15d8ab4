//! Which trials follow: from seed and scores alone.

use proptest::prelude::*;
use raceline_tune::{Method, Options, Trial, Tuner};

use crate::{bowl, options, run, unit_parameters};

fn trials(tuner: &Tuner) -> Vec<Trial> {
    tuner.trials().map(|(trial, _)| trial).collect()
}

fn any_method() -> impl Strategy<Value = Method> {
    prop_oneof![Just(Method::CmaEs), Just(Method::Bayesian)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn the_same_seed_and_scores_give_the_same_trials(method in any_method(), seed: u64, n in 1_usize..5) {
        let run = |seed| {
            let mut tuner = Tuner::new(unit_parameters(n), Options { seed, ..options(method) }).unwrap();
            run(&mut tuner, 30, bowl);
            trials(&tuner)
        };
        prop_assert_eq!(run(seed), run(seed));
        prop_assert_ne!(run(seed), run(seed ^ 1));
    }

    /// The order of scores is all that CMA-ES sees of them.
    #[test]
    fn monotone_scores_give_the_same_trials_of_cma_es(seed: u64, power in 0.2_f64..4.0, offset in -5.0_f64..5.0) {
        let run = |score: &dyn Fn(f64) -> f64| {
            let mut tuner = Tuner::new(unit_parameters(4), Options { seed, ..Options::default() }).unwrap();
            run(&mut tuner, 120, |x| score(bowl(x)));
            trials(&tuner)
        };
        prop_assert_eq!(run(&|score| score), run(&|score| offset + (1.0 + score).powf(power).ln()));
    }

    #[test]
    fn the_order_in_which_a_batch_comes_back_does_not_count(method in any_method(), seed: u64, order in any::<u64>()) {
        let size = 8;
        let run = |order: u64| {
            let given = Options { seed, population: Some(size), ..options(method) };
            let mut tuner = Tuner::new(unit_parameters(3), given).unwrap();
            for batch in 0..5 {
                let mut asked: Vec<Trial> = (0..size).map(|_| tuner.ask().unwrap()).collect();
                let mut random = raceline_numerics::SplitMix64::stream(order, batch);
                if order > 0 {
                    asked.sort_by_key(|_| random.bits());
                }
                asked.iter().for_each(|trial| tuner.tell(trial.id, bowl(&trial.values)).unwrap());
            }
            trials(&tuner)
        };
        prop_assert_eq!(run(0), run(order));
    }
}

#[test]
fn trials_of_a_batch_differ() {
    for method in Method::ALL {
        let mut tuner = Tuner::new(unit_parameters(2), Options { population: Some(8), ..options(method) }).unwrap();
        run(&mut tuner, 8, bowl);
        let batch: Vec<Trial> = (0..8).map(|_| tuner.ask().unwrap()).collect();
        for (i, one) in batch.iter().enumerate() {
            for other in &batch[..i] {
                let distance = one.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(distance > 1e-4, "{method:?}: {one:?} {other:?}");
            }
        }
    }
}
