//! Fits: known answers, the framework beside the follower, scales.

use raceline_follower::neural::{INPUTS, Layer, Network, OUTPUTS};
use raceline_neural_driver::{FitOptions, Sample, Samples, Scales, first_network, fit, framework_outputs, loss};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Samples with random inputs of several sizes and the outputs of `answer`.
fn samples(count: usize, seed: u64, answer: impl Fn(&[f64; INPUTS]) -> [f64; OUTPUTS]) -> Samples {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut sample = || {
        let inputs = std::array::from_fn(|k| 0.2 * k as f64 + (1.0 + k as f64) * (random.random::<f64>() - 0.5));
        Sample { inputs, outputs: answer(&inputs), weight: 1.0 }
    };
    (0..count).map(|_| sample()).collect()
}

fn options(epochs: u32) -> FitOptions {
    FitOptions { epochs, learning_rate: 0.01, seed: 3 }
}

#[test]
fn the_follower_computes_what_the_framework_computes() {
    for hidden in [&[40][..], &[], &[17, 128], &[8, 9, 10]] {
        let network = first_network(hidden, 5).unwrap();
        for sample in samples(50, 7, |_| [0.0; OUTPUTS]) {
            let inputs = sample.inputs.map(|value| value.clamp(-4.0, 4.0));
            let (own, framework) = (network.evaluate(&inputs), framework_outputs(&network, &inputs).unwrap());
            for (a, b) in own.into_iter().zip(framework) {
                assert!((a - b).abs() < 1e-5, "{hidden:?}: {a} and {b}");
            }
        }
    }
}

#[test]
fn a_linear_network_finds_the_weights_of_a_linear_answer() {
    let line = |x: &[f64; INPUTS]| [0.7 * x[0] - 0.2 * x[9] + 0.3, -0.5 * x[4] + 0.1];
    let samples = samples(4000, 1, line);
    let scales = Scales::of(&samples);
    let first = scales.folded(first_network(&[], 2).unwrap().layers().to_vec()).unwrap();
    let (fitted, losses) = fit(&first, &samples, &scales, &options(40)).unwrap();
    assert!(*losses.last().unwrap() < 1e-5, "{losses:?}");
    let Layer { weights, biases } = &fitted.layers()[0];
    let expected = [(0, 0.7), (9, -0.2), (INPUTS + 4, -0.5), (1, 0.0), (INPUTS, 0.0)];
    for (k, weight) in expected {
        assert!((weights[k] - weight).abs() < 5e-3, "weight {k}: {}", weights[k]);
    }
    assert!((biases[0] - 0.3).abs() < 0.05 && (biases[1] - 0.1).abs() < 0.05, "{biases:?}");
}

#[test]
fn a_hidden_layer_fits_what_is_not_linear() {
    let bent = |x: &[f64; INPUTS]| [(x[0] * 2.0).tanh(), (x[1] - 0.2).clamp(-0.5, 0.5)];
    let samples = samples(4000, 4, bent);
    let scales = Scales::of(&samples);
    let after = |hidden: &[usize]| {
        let first = scales.folded(first_network(hidden, 2).unwrap().layers().to_vec()).unwrap();
        let (fitted, losses) = fit(&first, &samples, &scales, &options(25)).unwrap();
        let last = *losses.last().unwrap();
        assert!(last < losses[0], "{losses:?}");
        // The framework's loss and the follower's are the same but for the steps of the last pass.
        assert!((loss(&fitted, &samples, &scales) - last).abs() < 0.1 * last + 1e-4);
        last
    };
    let (linear, hidden) = (after(&[]), after(&[20]));
    assert!(hidden < 0.5 * linear, "linear {linear}, with a hidden layer {hidden}");
}

#[test]
fn scales_become_part_of_the_weights_and_come_out_again() {
    let samples = samples(500, 8, |x| [3.0 * x[0] + 7.0, 0.01 * x[1]]);
    let scales = Scales::of(&samples);
    let plain: Network = first_network(&[6], 1).unwrap();
    let folded = scales.folded(plain.layers().to_vec()).unwrap();
    let sample = &samples[17];
    let shown: [f64; INPUTS] = std::array::from_fn(|k| (sample.inputs[k] - scales.inputs[k].0) / scales.inputs[k].1);
    let outputs = plain.evaluate(&shown);
    for (k, output) in folded.evaluate(&sample.inputs).into_iter().enumerate() {
        let (mean, deviation) = scales.outputs[k];
        assert!((output - (outputs[k] * deviation + mean)).abs() < 1e-9);
    }
    for (a, b) in scales.unfolded(&folded).iter().zip(plain.layers()) {
        let pairs = a.weights.iter().chain(&a.biases).zip(b.weights.iter().chain(&b.biases));
        pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{a} and {b}"));
    }
}

#[test]
fn the_same_seed_fits_the_same_network() {
    let samples = samples(700, 9, |x| [x[0], x[1]]);
    let scales = Scales::of(&samples);
    let once = || fit(&first_network(&[5], 1).unwrap(), &samples, &scales, &options(2)).unwrap();
    assert_eq!(once(), once());
}
