use std::f64::consts::TAU;

use super::{ChordLap, MAX_END_ADVANCE, MAX_TURN_RAD, MIN_SPACING_FRACTION, SPACING_SLOPE, running_mean};
use crate::edges::Edges;
use crate::track::bisector::EdgePair;
use crate::track::test_roads::{assert_near, ring_edges, stadium_edges, straight_edges};

fn lap(edges: &Edges, step: f64) -> (EdgePair, ChordLap) {
    let pair = EdgePair::new(edges, edges.mean_width());
    let discs = pair.trace(step).unwrap();
    let lap = ChordLap::new(&pair, &discs, step);
    (pair, lap)
}

#[test]
fn running_means_of_a_lap_go_on_over_its_seam() {
    let values: Vec<f64> = (0..9).map(|i| f64::from(i) + 0.4 * f64::from(i * i % 5)).collect();
    for reach in [0, 1, 3, 4, 20] {
        let used = reach.min(4) as isize;
        let found = running_mean(&values, Some(10.0), reach);
        for (i, found) in found.iter().enumerate() {
            let of = |k: isize| values[k.rem_euclid(9) as usize] + 10.0 * k.div_euclid(9) as f64;
            let sum: f64 = (-used..=used).map(|d| of(i as isize + d)).sum();
            assert_near(*found, sum / (2 * used + 1) as f64, 1e-12);
        }
    }
}

#[test]
fn running_means_of_an_open_road_keep_its_ends() {
    let values: Vec<f64> = (0..9).map(|i| f64::from(i) + 0.4 * f64::from(i * i % 5)).collect();
    for reach in [0, 1, 3, 4, 20] {
        let used = reach.min(4) as isize;
        let found = running_mean(&values, None, reach);
        for (i, found) in found.iter().enumerate() {
            let of = |k: isize| match k {
                k if k < 0 => 2.0 * values[0] - values[(-k) as usize],
                k if k > 8 => 2.0 * values[8] - values[(16 - k) as usize],
                k => values[k as usize],
            };
            let sum: f64 = (-used..=used).map(|d| of(i as isize + d)).sum();
            assert_near(*found, sum / (2 * used + 1) as f64, 1e-12);
        }
        assert_near(found[0], values[0], 1e-12);
        assert_near(found[8], values[8], 1e-12);
    }
}

#[test]
fn the_chords_of_a_straight_and_of_a_ring_are_even() {
    let (pair, straight) = lap(&straight_edges(200.0, 8.0), 0.7);
    assert!(!straight.closed);
    assert_eq!((straight.left_s.len(), straight.gaps()), (287, 286));
    assert_near(straight.length(), 200.0, 1e-9);
    for i in 0..287 {
        let s = 200.0 * i as f64 / 286.0;
        assert_near(straight.left_s[i], s, 1e-6);
        assert_near(straight.right_s[i], s, 1e-6);
        assert_near(straight.distance[i], s, 1e-6);
        let (right, left) = straight.ends(&pair, i);
        assert_near((left - right).norm(), 8.0, 1e-6);
    }
    // Never fewer than twelve gaps.
    assert_eq!(lap(&straight_edges(10.0, 8.0), 5.0).1.gaps(), 12);
    let (_, ring) = lap(&ring_edges(40.0, 52.0), 0.75);
    assert!(ring.closed && ring.gaps() == ring.left_s.len() && ring.distance.len() == ring.gaps() + 1);
    assert_near(ring.length(), TAU * 46.0, 0.05);
    assert_eq!(ring.gaps(), (ring.length() / 0.75).round() as usize);
    for pair in ring.distance.windows(2) {
        assert_near(pair[1] - pair[0], ring.length() / ring.gaps() as f64, 2e-3);
    }
}

#[test]
fn chords_between_two_chords_lie_between_their_ends_lap_after_lap() {
    let (pair, ring) = lap(&ring_edges(40.0, 52.0), 0.75);
    let (length, n) = (ring.length(), ring.left_s.len());
    for i in [0, 7, n - 1] {
        let next = |values: &[f64], lap: f64| if i + 1 == n { values[0] + lap } else { values[i + 1] };
        for (t, laps) in [(0.0, 0.0), (0.3, 0.0), (0.3, 1.0)] {
            let station = ring.distance[i] + t * (ring.distance[i + 1] - ring.distance[i]) + laps * length;
            let found = ring.resampled(&pair, &[station]);
            let wanted = |values: &[f64], lap: f64| values[i] + t * (next(values, lap) - values[i]) + laps * lap;
            assert_near(found.left_s[0], wanted(&ring.left_s, pair.left_index.length()), 1e-6);
            assert_near(found.right_s[0], wanted(&ring.right_s, pair.right_index.length()), 1e-6);
        }
    }
    let (pair, straight) = lap(&straight_edges(200.0, 8.0), 0.7);
    let found = straight.resampled(&pair, &[0.0, 33.3, 200.0]);
    for (found, wanted) in found.left_s.iter().zip([0.0, 33.3, 200.0]) {
        assert_near(*found, wanted, 1e-6);
    }
    assert_eq!(found.distance.len(), 3);
}

#[test]
fn smoothing_is_five_running_means_with_the_variance_of_its_length() {
    let (pair, straight) = lap(&straight_edges(200.0, 8.0), 0.5);
    // A bend of the chords in the middle.
    let step = 200.0 / straight.gaps() as f64;
    let bent =
        |values: &[f64]| -> Vec<f64> { values.iter().map(|s| s + 0.01 * (s - 100.0).max(0.0) * (200.0 - s)).collect() };
    let bend = straight.with_ends(bent(&straight.left_s), straight.right_s.clone()).measured(&pair);
    let step = bend.length() / (200.0 / step);
    // At the last one the length is just enough for one more value.
    for sigma in [0.0, 2.0, 6.0, step * (5.0_f64 * 2.9333).sqrt()] {
        let variance = sigma * sigma / (step * step) / 5.0;
        // The number of values whose mean has the nearest variance, (r² + r) / 3, on the scale of r.
        let reach = (0..100).find(|r| f64::from(*r) + 0.5 > (3.0 * variance + 0.25).sqrt() - 0.5).unwrap() as usize;
        let mut wanted = (bend.left_s.clone(), bend.right_s.clone());
        for _ in 0..5 {
            wanted = (running_mean(&wanted.0, None, reach), running_mean(&wanted.1, None, reach));
        }
        let found = bend.smoothed(&pair, sigma);
        assert!(found.left_s.iter().zip(&wanted.0).all(|(a, b)| (a - b).abs() < 1e-9), "{sigma}");
        assert!(found.right_s.iter().zip(&wanted.1).all(|(a, b)| (a - b).abs() < 1e-9), "{sigma}");
    }
    // A ring stays as it is.
    let (pair, ring) = lap(&ring_edges(40.0, 52.0), 0.75);
    let smooth = ring.smoothed(&pair, 6.0);
    assert!(smooth.left_s.iter().zip(&ring.left_s).all(|(a, b)| (a - b).abs() < 0.02));
}

#[test]
fn the_ends_of_a_rings_chords_advance_by_their_radii() {
    let (pair, ring) = lap(&ring_edges(40.0, 52.0), 0.75);
    let rates = ring.rates(&pair);
    assert_eq!(rates.len(), ring.gaps());
    for (ends, turn) in rates {
        assert_near(ends, 52.0 / 46.0, 0.02);
        assert_near(turn, 1.0 / 46.0, 1.5e-3);
    }
    let (pair, straight) = lap(&straight_edges(200.0, 8.0), 0.7);
    let rates = straight.rates(&pair);
    assert_eq!(rates.len(), straight.gaps());
    assert!(rates.iter().all(|(ends, turn)| (ends - 1.0).abs() < 1e-5 && *turn < 1e-5));
}

#[test]
fn stations_on_a_straight_are_even_and_end_with_it() {
    let (pair, straight) = lap(&straight_edges(200.0, 8.0), 0.5);
    for (spacing, start) in [(2.0, 0.0), (3.3, 17.0)] {
        let stations = straight.stations(&pair, spacing, start);
        let count = (200.0_f64 / spacing).ceil() as usize;
        assert_eq!(stations.len(), count + 1);
        for (i, station) in stations.iter().enumerate() {
            assert_near(*station, 200.0 * i as f64 / count as f64, 1e-4);
        }
    }
    assert_eq!(straight.stations(&pair, 150.0, 0.0).len(), 13);
}

/// The stations' distances by brute force: between two neighbours lies the same integral of 1 / spacing, where the
/// spacing is the largest one that nowhere changes by more than its slope.
fn check_stations(edges: &Edges, spacing: f64, start: f64) -> Vec<f64> {
    let (pair, lap) = lap(edges, 0.25 * spacing);
    let (gaps, length) = (lap.gaps(), lap.length());
    let wanted: Vec<f64> = lap
        .rates(&pair)
        .iter()
        .map(|&(ends, turn)| {
            let by_turn = if turn > 0.0 { MAX_TURN_RAD / turn } else { f64::INFINITY };
            by_turn.min(MAX_END_ADVANCE * spacing / ends).min(spacing).max(MIN_SPACING_FRACTION * spacing)
        })
        .collect();
    let local = |i: usize| {
        let apart = |k: usize| {
            let plain = (lap.distance[i] - lap.distance[k]).abs();
            if lap.closed { plain.min(length - plain) } else { plain }
        };
        (0..gaps).map(|k| wanted[k] + SPACING_SLOPE * apart(k)).fold(f64::INFINITY, f64::min)
    };
    let local: Vec<f64> = (0..gaps).map(local).collect();
    let mut sums = vec![0.0];
    for i in 0..gaps {
        sums.push(sums[i] + (lap.distance[i + 1] - lap.distance[i]) / local[i]);
    }
    let total = sums[gaps];
    let passed = |s: f64| {
        let (laps, s) = ((s / length).floor(), s - length * (s / length).floor());
        let (laps, s) = if lap.closed { (laps, s) } else { (0.0, s + length * laps) };
        let i = lap.distance.partition_point(|&d| d <= s).clamp(1, gaps) - 1;
        laps * total + sums[i] + (s - lap.distance[i]) / local[i]
    };
    let stations = lap.stations(&pair, spacing, start);
    let count = if lap.closed { stations.len() } else { stations.len() - 1 };
    assert_eq!(count, (total.ceil() as usize).max(12));
    for pair in stations.windows(2) {
        assert_near(passed(pair[1]) - passed(pair[0]), total / count as f64, 1e-6);
    }
    if lap.closed {
        assert_near(passed(stations[0] + length) - passed(stations[count - 1]), total / count as f64, 1e-6);
        assert_eq!(stations[0], start);
    }
    stations
}

#[test]
fn stations_are_closer_in_bends_and_change_by_the_slope() {
    let tight = stadium_edges(60.0, 4.0, 12.0);
    for start in [0.0, 0.1, 33.0, 170.0] {
        let stations = check_stations(&tight, 2.0, start);
        let gaps: Vec<f64> = stations.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.iter().copied().fold(0.0, f64::max) > 1.9);
        assert!(gaps.iter().copied().fold(9.0, f64::min) < 0.9);
    }
    check_stations(&ring_edges(40.0, 52.0), 2.0, 100.0);
    check_stations(&ring_edges(5.0, 15.0), 1.6, 3.0);
    // The outer end is nearly twice as fast as the middle.
    check_stations(&ring_edges(1.0, 19.0), 1.3, 3.0);
    // The lap begins just behind a bend.
    let mut behind = tight.clone();
    behind.left.points.rotate_left(180);
    behind.right.points.rotate_left(180);
    check_stations(&behind, 2.0, 0.0);
    // An open road with bends: a part of the stadium.
    let mut open = tight.clone();
    for edge in [&mut open.left, &mut open.right] {
        *edge = crate::geometry::Polyline::open(edge.points[90..330].to_vec());
    }
    check_stations(&open, 2.0, 0.0);
}
