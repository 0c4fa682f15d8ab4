//! Positive definite bands and rings.

use nalgebra::{DMatrix, DVector};
use raceline_numerics::{ArrayBand, CyclicBand};

use crate::{Noise, backward_error, condition};

/// Largest backward error: a row of a band has few entries, so a few roundings.
const BACKWARD: f64 = 2e-15;

/// A matrix as a band and dense.
struct Both<const REACH: usize> {
    band: CyclicBand<REACH>,
    dense: DMatrix<f64>,
}

impl<const REACH: usize> Both<REACH> {
    fn zeros(n: usize, closed: bool) -> Self {
        Self { band: CyclicBand::new(n, closed), dense: DMatrix::zeros(n, n) }
    }

    fn add(&mut self, i: usize, j: usize, value: f64) {
        self.band.add(i, j, value);
        self.dense[(i, j)] += value;
        if i != j {
            self.dense[(j, i)] += value;
        }
    }

    /// Adds `weight` times the square of a random form of `REACH + 1` successive unknowns.
    fn add_square(&mut self, first: usize, weight: f64, noise: &mut Noise) {
        let n = self.dense.nrows();
        let form: [f64; 8] = std::array::from_fn(|k| if k == 0 { 1.0 } else { noise.next() });
        let places: Vec<usize> = (0..=REACH).map(|k| first + k).collect();
        for a in 0..=REACH {
            for b in a..=REACH {
                self.add(places[a] % n, places[b] % n, weight * form[a] * form[b]);
            }
        }
    }
}

/// A sum of weighted squares, whose weights spread over `decades`.
fn squares<const REACH: usize>(n: usize, closed: bool, decades: f64, noise: &mut Noise) -> Both<REACH> {
    let mut both = Both::zeros(n, closed);
    let forms = if closed { n } else { n - REACH };
    for first in 0..forms {
        both.add_square(first, noise.decades(-decades, 0.0), noise);
    }
    for i in 0..n {
        both.add(i, i, 0.5 * 10f64.powf(-decades));
    }
    both
}

/// The objective of a smooth line: squares of second differences, and a little of its own, so that
/// the condition is 16 / `own`.
fn smooth(n: usize, closed: bool, own: f64) -> Both<2> {
    let mut both = Both::zeros(n, closed);
    for i in 0..if closed { n } else { n - 2 } {
        for (a, x) in [1.0, -2.0, 1.0].into_iter().enumerate() {
            for (b, y) in [1.0, -2.0, 1.0].into_iter().enumerate().skip(a) {
                both.add((i + a) % n, (i + b) % n, x * y);
            }
        }
        both.add(i, i, own);
    }
    for i in if closed { n } else { n - 2 }..n {
        both.add(i, i, own);
    }
    both
}

/// Factorises, solves for a known solution and checks both errors; returns the condition.
fn check<const REACH: usize>(both: &Both<REACH>, noise: &mut Noise, name: &str) -> f64 {
    let n = both.dense.nrows();
    let known = noise.vector(n);
    let mut side = vec![0.0; n];
    both.band.times(known.as_slice(), &mut side);
    let b = DVector::from_vec(side.clone());
    // The product: each entry to a few roundings of its terms.
    let terms = both.dense.abs() * known.abs();
    let difference = (&b - &both.dense * &known).abs();
    assert!(difference.iter().zip(&terms).all(|(error, terms)| *error <= 1e-15 * terms), "{name}: product");
    for i in 0..n {
        for j in 0..n {
            assert_eq!(both.band.get(i, j), both.dense[(i, j)], "{name}: entry {i} {j}");
        }
    }
    let mut factors = both.band.clone();
    factors.factorise().unwrap();
    factors.solve(&mut side);
    let found = DVector::from_vec(side);
    let backward = backward_error(&both.dense, &found, &b);
    assert!(backward <= BACKWARD, "{name}: backward error {backward:e}");
    let condition = condition(&both.dense);
    let forward = (&found - &known).amax() / known.amax();
    assert!(forward <= 4.0 * condition * BACKWARD, "{name}: {forward:e} at a condition of {condition:e}");
    // Not worse than the dense factorisation.
    if let Some(cholesky) = both.dense.clone().cholesky() {
        let dense = backward_error(&both.dense, &cholesky.solve(&b), &b);
        assert!(backward <= 10.0 * dense + 4.0 * f64::EPSILON, "{name}: {backward:e}, dense {dense:e}");
    }
    condition
}

#[test]
fn bands_and_rings_of_every_condition_are_solved_to_a_few_roundings() {
    let mut noise = Noise(11);
    let mut worst = 0.0f64;
    for closed in [false, true] {
        for decades in [0.0, 4.0, 8.0, 12.0] {
            for n in [9, 18, 31, 60] {
                let name = format!("{closed} {decades} {n}");
                worst = worst.max(check(&squares::<1>(n, closed, decades, &mut noise), &mut noise, &name));
                worst = worst.max(check(&squares::<2>(n, closed, decades, &mut noise), &mut noise, &name));
                worst = worst.max(check(&squares::<3>(n, closed, decades, &mut noise), &mut noise, &name));
                if n >= 18 {
                    worst = worst.max(check(&squares::<6>(n, closed, decades, &mut noise), &mut noise, &name));
                }
            }
        }
    }
    println!("condition {worst:e}");
    assert!(worst > 1e11, "the worst condition is only {worst:e}");
}

#[test]
fn the_objective_of_a_smooth_line_is_solved_up_to_a_condition_of_1e12() {
    let mut noise = Noise(12);
    for closed in [false, true] {
        for own in [1e-2, 1e-6, 1.6e-11] {
            let condition = check(&smooth(80, closed, own), &mut noise, &format!("{closed} {own:e}"));
            assert!((condition * own / 16.0 - 1.0).abs() < 1e-2, "{closed} {own:e}: {condition:e}");
        }
    }
}

#[test]
fn a_matrix_is_refused_exactly_where_it_is_not_positive_definite() {
    let mut noise = Noise(13);
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..60 {
        let closed = number % 2 == 0;
        let mut both = squares::<2>(12, closed, 1.0, &mut noise);
        // Moved so that the smallest eigenvalue has either sign.
        let smallest = both.dense.clone().symmetric_eigen().eigenvalues.min();
        let moved = smallest + if number % 3 == 0 { 1e-10 } else { -1e-10 };
        (0..12).for_each(|i| both.add(i, i, -moved));
        let is_positive = number % 3 != 0;
        assert_eq!(both.band.factorise().is_ok(), is_positive, "{number}");
        *(if is_positive { &mut accepted } else { &mut refused }) += 1;
    }
    assert!(accepted > 0 && refused > 0);
}

#[test]
fn scaled_and_largest_are_those_of_the_dense_matrix() {
    let mut noise = Noise(14);
    for closed in [false, true] {
        let Both { mut band, dense } = squares::<3>(15, closed, 2.0, &mut noise);
        assert_eq!((band.is_ring(), band.unknowns()), (closed, 15));
        assert_eq!(band.largest_diagonal(), dense.diagonal().max());
        band.scale(3.0);
        assert!((0..15).all(|i| (0..15).all(|j| band.get(i, j) == 3.0 * dense[(i, j)])));
        let mut other = CyclicBand::new(9, false);
        other.clone_from(&band);
        assert!((0..15).all(|i| other.get(i, (i + 1) % 15) == 3.0 * dense[(i, (i + 1) % 15)]));
    }
}

#[test]
fn a_band_in_an_array_is_as_exact() {
    let mut noise = Noise(15);
    for decades in [0.0, 6.0, 12.0] {
        let Both { band, dense } = squares::<4>(24, false, decades, &mut noise);
        let mut array = ArrayBand::<24, 4>::new();
        for i in 0..24 {
            (i..24.min(i + 5)).for_each(|j| array.add(j, i, band.get(i, j)));
        }
        let b = noise.vector(24);
        let mut x: [f64; 24] = std::array::from_fn(|i| b[i]);
        array.factorise().unwrap();
        array.solve(&mut x);
        assert!(backward_error(&dense, &DVector::from_row_slice(&x), &b) <= BACKWARD, "{decades}");
    }
}
