use super::{Profile, quantile};
use crate::chassis::testing::straight_of;
use crate::closeness::assert_close;
use crate::path::{Path, Waypoint};

/// A straight path with the squares of the speeds every 10 m.
fn with(square: impl Fn(f64) -> f64) -> Path {
    straight_of(|along| Waypoint { speed_mps: square(along).sqrt(), ..Waypoint::default() })
}

/// The squares of the speeds with factors.
fn written(path: &Path, factor: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut profile = Profile::new(path).unwrap();
    let mut path = path.clone();
    profile.write(&mut path, factor);
    path.nodes().iter().map(|node| node.speed_squared).collect()
}

/// Braking at 4 m/s² to 100 m²/s² at 200 m, and 2 m/s² behind it.
fn valley(along: f64) -> f64 {
    100.0 + if along < 200.0 { 8.0 * (200.0 - along) } else { 4.0 * (along - 200.0) }
}

#[test]
fn a_quantile_is_the_value_that_nineteen_of_twenty_do_not_exceed() {
    assert_eq!(quantile((0..100).rev().map(f64::from).collect()), 95.0);
    assert_eq!(quantile(vec![3.0, 1.0]), 3.0);
    assert_eq!(quantile(vec![]), 0.0);
}

#[test]
fn the_reference_accelerations_are_those_of_the_profile() {
    let profile = Profile::new(&with(valley)).unwrap();
    assert_close(profile.braking, 4.0);
    assert_close(profile.driving, 2.0);
    assert_eq!(profile.len(), 41);
    // A profile that is steady has the smallest.
    let steady = Profile::new(&with(|_| 400.0)).unwrap();
    assert_eq!((steady.braking, steady.driving), (0.5, 0.5));
    // The slack of the limit: twice what a leg is steeper than a tenth of the braking; none at the valley's bottom.
    for (k, node) in profile.nodes.iter().enumerate() {
        let steep = match k {
            0 | 20 => 0.0,
            k if k < 20 => 4.0,
            _ => 2.0,
        };
        assert_close(node.slack, 1.0 + 2.0 * (steep / 4.0 - 0.1_f64).max(0.0));
        assert_close(node.left, 1.0);
        assert_close(node.s, 10.0 * k as f64);
        assert_close(node.square, valley(node.s));
    }
    // At the top the steeper side decides.
    let top =
        Profile::new(&with(|along| 2000.0 - if along < 200.0 { 2.0 * (200.0 - along) } else { 8.0 * (along - 200.0) }));
    assert_close(top.unwrap().nodes[20].slack, 1.0 + 2.0 * 0.9);
    let top =
        Profile::new(&with(|along| 2000.0 - if along < 200.0 { 8.0 * (200.0 - along) } else { 2.0 * (along - 200.0) }));
    assert_close(top.unwrap().nodes[20].slack, 1.0 + 2.0 * (4.0 - 0.1));
}

#[test]
fn a_factor_at_the_bottom_moves_the_whole_valley() {
    let path = with(valley);
    // One place is slower by a tenth: the rest keeps its braking and its acceleration.
    let slower = written(&path, |s| if s == 200.0 { 0.9 } else { 1.0 });
    for (k, square) in slower.iter().enumerate() {
        let along = 10.0 * k as f64;
        // The leg that begins at the slower place has its grip.
        let lost = if along > 200.0 { 19.0 + 0.19 * 40.0 } else { 19.0 };
        assert_close(*square, valley(along) - lost);
    }
    // Faster everywhere: the bottom, and what the grip gives more along.
    let faster = written(&path, |_| 1.1);
    for (k, square) in faster.iter().enumerate() {
        assert_close(*square, 1.21 * valley(10.0 * k as f64));
    }
    // Factors of one leave it as it is.
    assert!(
        written(&path, |_| 1.0).iter().enumerate().all(|(k, square)| (square - valley(10.0 * k as f64)).abs() < 1e-9)
    );
}

/// A steady profile has a place that is slower: it is braked for and left with the references.
#[test]
fn what_a_steady_profile_lacks_has_the_accelerations_beside_it() {
    // At 20 m/s to 200 m, then braking at 4 m/s² to 20 m²/s².
    let square = |along: f64| if along < 200.0 { 1000.0 } else { (1000.0 - 8.0 * (along - 200.0)).max(200.0) };
    let path = with(square);
    let slower = written(&path, |s| if s == 150.0 { 0.5 } else { 1.0 });
    for (k, found) in slower.iter().enumerate().take(20) {
        let along = 10.0 * k as f64;
        let braked = 250.0 + 8.0 * (150.0 - along).max(0.0);
        // It drives with the smallest reference, for it never does; the first leg has a quarter of that grip.
        let driven = 250.0 + if along > 150.0 { 10.0 * 0.25 + (along - 160.0) } else { 0.0 };
        assert_close(*found, if along < 150.0 { braked.min(1000.0) } else { driven.min(1000.0) });
    }
}

#[test]
fn beside_cornering_less_is_left_along() {
    // A bend of 0.05 in the middle: its lateral acceleration is the limit, and the tenth is left.
    let path = straight_of(|along| Waypoint {
        speed_mps: 20.0,
        curvature_radpm: if (100.0..300.0).contains(&along) { 0.02 } else { 0.012 },
        ..Waypoint::default()
    });
    let profile = Profile::new(&path).unwrap();
    for node in &profile.nodes {
        let expected = if (100.0..300.0).contains(&node.s) { 0.1 } else { 0.8 };
        assert_close(node.left, expected);
    }
}

#[test]
fn a_closed_line_is_braked_for_over_its_start() {
    let path = crate::chassis::testing::ring(100.0, [5.0; 2], 20.0);
    let mut profile = Profile::new(&path).unwrap();
    let (length, mut slower) = (path.length_m(), path.clone());
    let second = path.nodes()[1].s;
    profile.write(&mut slower, |s| if (second..second + 1e-6).contains(&s) { 0.9 } else { 1.0 });
    let nodes = slower.nodes();
    assert_close(nodes[1].speed_squared, 324.0);
    // A tenth of half a metre per square second is left beside the bend: over the start line as well.
    for back in [1, 5, 50] {
        let k = 1001 - back;
        let s = length - nodes[k].s + second;
        assert_close(nodes[k].speed_squared, 324.0 + 2.0 * 0.1 * 0.5 * s);
    }
    let ahead = nodes[11].s - second;
    let leg = nodes[2].s - second;
    assert_close(nodes[11].speed_squared, 324.0 + 0.1 * (ahead - leg * 0.19));
}
