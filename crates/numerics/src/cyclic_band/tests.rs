//! Factorisations and products against dense matrices.

use super::{CyclicBand, NotPositiveDefinite};

const REACH: usize = 6;

/// A diagonally dominant matrix with entries throughout the band.
fn filled(unknowns: usize, closed: bool) -> (CyclicBand<REACH>, Vec<Vec<f64>>) {
    let mut band = CyclicBand::new(unknowns, closed);
    let mut dense = vec![vec![0.0; unknowns]; unknowns];
    let pairs = (0..unknowns).flat_map(|i| (0..=REACH).map(move |k| (i, k)));
    for (i, k) in pairs.filter(|(i, k)| closed || i + k < unknowns) {
        let j = (i + k) % unknowns;
        let value = if k == 0 { 8.0 + (i % 3) as f64 } else { ((i * 7 + k * 3) % 11) as f64 / 10.0 - 0.5 };
        band.add(i, j, value);
        dense[i][j] += value;
        if k > 0 {
            dense[j][i] += value;
        }
    }
    (band, dense)
}

#[test]
fn a_band_and_a_ring_are_solved() {
    for closed in [false, true] {
        for unknowns in [18, 24, 50] {
            let (mut band, dense) = filled(unknowns, closed);
            let expected: Vec<f64> = (0..unknowns).map(|i| (i as f64 * 0.7).sin() + 0.1).collect();
            let mut x: Vec<f64> = dense.iter().map(|row| row.iter().zip(&expected).map(|(a, b)| a * b).sum()).collect();
            let mut product = vec![0.0; unknowns];
            band.times(&expected, &mut product);
            assert!(product.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-12));
            assert_eq!(band.factorise(), Ok(()));
            band.solve(&mut x);
            for (got, want) in x.iter().zip(&expected) {
                assert!((got - want).abs() < 1e-12, "{closed} {unknowns}: {got} {want}");
            }
        }
    }
}

#[test]
fn an_indefinite_matrix_is_reported() {
    let (mut band, _) = filled(30, true);
    band.add(11, 11, -40.0);
    assert_eq!(band.factorise(), Err(NotPositiveDefinite(11)));
    let (mut band, _) = filled(30, true);
    band.add(28, 28, -40.0);
    assert_eq!(band.factorise(), Err(NotPositiveDefinite(28)));
}

/// Second differences, `2 x_i - x_{i-1} - x_{i+1} = 1` with zeros beyond both ends: a parabola.
#[test]
fn second_differences_give_a_parabola() {
    for unknowns in [1, 2, 3, 40] {
        let mut band = CyclicBand::<2>::new(unknowns, false);
        for i in 0..unknowns {
            band.add(i, i, 2.0);
            if i > 0 {
                band.add(i, i - 1, -1.0);
            }
        }
        assert_eq!((band.unknowns(), band.largest_diagonal()), (unknowns, 2.0));
        let mut x = vec![1.0; unknowns];
        assert_eq!(band.factorise(), Ok(()));
        band.solve(&mut x);
        for (i, value) in x.iter().enumerate() {
            let known = (i + 1) as f64 * (unknowns - i) as f64 / 2.0;
            assert!((value - known).abs() < 1e-12 * known, "{unknowns}: {value} {known}");
        }
    }
}

#[test]
fn a_number_that_is_none_is_no_pivot() {
    let (mut band, _) = filled(20, false);
    band.add(3, 3, f64::NAN);
    assert_eq!(band.factorise(), Err(NotPositiveDefinite(3)));
}

#[test]
fn a_copy_into_another_matrix_is_the_same_matrix() {
    let (band, _) = filled(30, true);
    let (mut copy, _) = filled(24, true);
    copy.clone_from(&band);
    assert_eq!(format!("{copy:?}"), format!("{band:?}"));
    copy.clear();
    assert_eq!((copy.unknowns(), copy.largest_diagonal()), (30, 0.0));
}

#[test]
#[should_panic(expected = "too short")]
fn a_ring_shorter_than_its_reach_allows_is_refused() {
    let _ = CyclicBand::<REACH>::new(3 * REACH - 1, true);
}
