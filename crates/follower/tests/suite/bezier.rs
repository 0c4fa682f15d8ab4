//! The closed form against dense sampling, known curves and degenerate triangles.

use raceline_follower::bezier::{QuadraticBezier, cornering_speed};

/// The greatest of many sampled curvatures.
fn sampled(curve: &QuadraticBezier, samples: usize) -> f64 {
    (0..=samples).map(|i| curve.curvature(i as f64 / samples as f64)).fold(0.0, f64::max)
}

/// Numbers in -1..1 from a linear congruential generator (Knuth's constants).
fn numbers() -> impl FnMut() -> f64 {
    let mut state = 1u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

#[test]
fn the_closed_form_is_the_supremum_of_the_samples() {
    let mut next = numbers();
    let (mut inside, mut at_an_end) = (0, 0);
    for case in 0..600 {
        // Every other curve lies in the plane.
        let mut point = || [50.0 * next(), 50.0 * next(), if case % 2 == 0 { 0.0 } else { 50.0 * next() }];
        let curve = QuadraticBezier { start: point(), control: point(), end: point() };
        let (exact, dense) = (curve.max_curvature(), sampled(&curve, 4000));
        assert!(exact >= dense * (1.0 - 1e-12), "{curve:?}: {exact} below a sample of {dense}");
        // The peak may fall between two samples; far sharper ones than 4000 samples resolve are
        // left to the line above.
        if dense * 50.0 < 200.0 {
            assert!(exact <= dense * (1.0 + 1e-3), "{curve:?}: {exact} above every sample, {dense}");
        }
        if exact > curve.curvature(0.0).max(curve.curvature(1.0)) * (1.0 + 1e-9) { inside += 1 } else { at_an_end += 1 }
    }
    assert!(inside > 50 && at_an_end > 50, "both cases must occur: {inside} inside, {at_an_end} at an end");
}

#[test]
fn the_curvature_formula_agrees_with_the_circle_through_three_near_points() {
    let curve = QuadraticBezier { start: [0.0, 0.0, 0.0], control: [10.0, 2.0, 5.0], end: [12.0, 20.0, -3.0] };
    for t in [0.1, 0.35, 0.6, 0.9] {
        let [a, b, c] = [t - 1e-4, t, t + 1e-4].map(|t| curve.point(t));
        let side = |p: [f64; 3], q: [f64; 3]| (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>().sqrt();
        let (x, y, z) = (side(a, b), side(b, c), side(a, c));
        let dot: f64 = (0..3).map(|i| (b[i] - a[i]) * (c[i] - b[i])).sum();
        let sine = (1.0 - (dot / (x * y)).powi(2)).sqrt();
        // The circumcircle's radius is z / (2 sin of the angle at b).
        assert!((2.0 * sine / z / curve.curvature(t) - 1.0).abs() < 1e-3, "at {t}");
    }
}

#[test]
fn a_parabola_bends_hardest_at_its_vertex() {
    // y = x²/(2 r) from -l to l has curvature 1/r at the vertex.
    let (r, l) = (25.0, 40.0);
    let curve = QuadraticBezier::plane([-l, l * l / (2.0 * r)], [0.0, -l * l / (2.0 * r)], [l, l * l / (2.0 * r)]);
    assert!((curve.max_curvature() * r - 1.0).abs() < 1e-12);
    // The same parabola from x = 10 to 40 bends hardest at its beginning: 1/(r (1 + (10/r)²)^1.5).
    let y = |x: f64| x * x / (2.0 * r);
    let half = QuadraticBezier::plane([10.0, y(10.0)], [25.0, 10.0 * 40.0 / (2.0 * r)], [40.0, y(40.0)]);
    let expected = 1.0 / (r * (1.0 + (10.0 / r).powi(2)).powf(1.5));
    assert!((half.max_curvature() / expected - 1.0).abs() < 1e-12);
    let reversed = QuadraticBezier { start: half.end, control: half.control, end: half.start };
    assert!((reversed.max_curvature() / expected - 1.0).abs() < 1e-12);
}

#[test]
fn curvature_scales_with_the_inverse_of_size_from_tiny_to_huge() {
    let curve = |scale: f64| {
        QuadraticBezier::plane([0.0, 0.0], [3.0 * scale, 1.0 * scale], [4.0 * scale, 4.0 * scale]).max_curvature()
            * scale
    };
    for scale in [1e-60, 1e-9, 1e6, 1e60] {
        assert!((curve(scale) / curve(1.0) - 1.0).abs() < 1e-9, "{scale}");
    }
}

#[test]
fn degenerate_triangles_give_zero_or_infinity_and_never_nan() {
    let p = |x: f64| [x, 2.0 * x, -x];
    for (name, [a, b, c], expected) in [
        ("one point", [1.0, 1.0, 1.0], 0.0),
        ("control at the start", [0.0, 0.0, 5.0], 0.0),
        ("control at the end", [0.0, 5.0, 5.0], 0.0),
        ("straight", [0.0, 2.0, 5.0], 0.0),
        ("straight, control in the middle", [0.0, 2.5, 5.0], 0.0),
        ("control beyond the end", [0.0, 7.0, 5.0], f64::INFINITY),
        ("control before the start", [0.0, -1.0, 5.0], f64::INFINITY),
        ("there and back", [0.0, 3.0, 0.0], f64::INFINITY),
    ] {
        let curve = QuadraticBezier { start: p(a), control: p(b), end: p(c) };
        assert_eq!(curve.max_curvature(), expected, "{name}");
        for i in 0..=100 {
            assert!(!curve.curvature(f64::from(i) / 100.0).is_nan(), "{name}");
        }
    }
    // Straight but for rounding.
    let curve = QuadraticBezier::plane([0.1, 0.3], [0.1 + 0.7, 0.3 + 0.7 * 3.0], [0.1 + 1.4, 0.3 + 1.4 * 3.0]);
    assert_eq!(curve.max_curvature(), 0.0);
}

#[test]
fn cornering_speed_keeps_the_lateral_acceleration_and_the_maximum() {
    assert!((cornering_speed(9.0, 0.04, 60.0) - 15.0).abs() < 1e-12);
    assert_eq!(cornering_speed(9.0, -0.04, 60.0), cornering_speed(9.0, 0.04, 60.0));
    assert_eq!(cornering_speed(9.0, 0.0, 60.0), 60.0);
    assert_eq!(cornering_speed(9.0, 1e-300, 60.0), 60.0);
    assert_eq!(cornering_speed(9.0, f64::INFINITY, 60.0), 0.0);
    assert_eq!(cornering_speed(9.0, f64::NAN, 60.0), 0.0);
    for acceleration in [0.0, -3.0, f64::NAN] {
        assert_eq!(cornering_speed(acceleration, 0.1, 60.0), 0.0);
    }
}

#[test]
fn a_million_random_triangles_agree_with_sampling_from_above() {
    // Between samples h apart curvature rises above both by at most h²/8 times its second
    // derivative; at its peak, in units of the width w of the peak (|b'| grows from its smallest value d by
    // |v - u| t, so w = d / |v - u|), κ = κ_max (1 + (t/w)²)^(-3/2) exactly, so that half a step
    // away it is still κ_max (1 + (h/2w)²)^(-3/2).
    const SAMPLES: usize = 64;
    let mut next = numbers();
    let (mut plane, mut space, mut inside) = (0, 0, 0);
    for case in 0..1_000_000 {
        let flat = case % 2 == 0;
        let size = 10f64.powf(4.0 * next());
        let mut point = || [size * next(), size * next(), if flat { 0.0 } else { size * next() }];
        let curve = QuadraticBezier { start: point(), control: point(), end: point() };
        let (exact, dense) = (curve.max_curvature(), sampled(&curve, SAMPLES));
        assert!(exact >= dense * (1.0 - 1e-9), "{curve:?}: {exact} below a sample of {dense}");
        let (u, v): ([f64; 3], [f64; 3]) = (
            std::array::from_fn(|i| curve.control[i] - curve.start[i]),
            std::array::from_fn(|i| curve.end[i] - curve.control[i]),
        );
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let w: [f64; 3] = std::array::from_fn(|i| u[i] - v[i]);
        let t = (dot(u, w) / dot(w, w)).clamp(0.0, 1.0);
        let smallest: [f64; 3] = std::array::from_fn(|i| u[i] - t * w[i]);
        let ratio = 0.5 / SAMPLES as f64 * (dot(w, w) / dot(smallest, smallest)).sqrt();
        let bound = if (1e-9..1.0 - 1e-9).contains(&t) {
            inside += 1;
            (1.0 + ratio * ratio).powf(1.5)
        } else {
            // At an end there is a sample.
            1.0
        };
        assert!(exact <= dense * bound * (1.0 + 1e-6), "{curve:?}: {exact} above {dense} by more than {bound}");
        if flat { plane += 1 } else { space += 1 }
    }
    assert!(plane == 500_000 && space == 500_000 && (100_000..990_000).contains(&inside), "{inside}");
}

#[test]
fn degenerate_triangles_of_any_size_are_finite_or_infinite() {
    let mut next = numbers();
    let sizes = [0.0, 1e-320, f64::MIN_POSITIVE, 1e-200, 1e-80, 1e-9, 1.0, 1e9, 1e80, 1e200, 1e300, f64::MAX];
    for case in 0..200_000 {
        let mut pick = || sizes[((next() + 1.0) * 5.999) as usize];
        let kind = case % 4;
        let (a, b) = (pick(), pick());
        let mut number = || match kind {
            // On a line, on a small grid, with huge and tiny coordinates mixed, anything.
            0 => (next() * 3.0).round(),
            1 => a * (next() * 2.0).round(),
            2 => {
                if next() > 0.0 {
                    a
                } else {
                    -b
                }
            }
            _ => a * next(),
        };
        let mut point = || [number(), number(), number()];
        let curve = QuadraticBezier { start: point(), control: point(), end: point() };
        let finite = [curve.start, curve.control, curve.end].iter().flatten().all(|x| x.is_finite());
        let curvature = curve.max_curvature();
        assert!(curvature >= 0.0 || !finite, "{curve:?}: {curvature}");
    }
}

#[test]
fn points_that_are_none_come_back() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for place in 0..9 {
            let mut c = [1.0, 2.0, 3.0, 5.0, 1.0, 0.0, 9.0, 9.0, 9.0];
            for both in [false, true] {
                c[place] = bad;
                c[(place + 4) % 9] = if both { bad } else { c[(place + 4) % 9] };
                let curve =
                    QuadraticBezier { start: [c[0], c[1], c[2]], control: [c[3], c[4], c[5]], end: [c[6], c[7], c[8]] };
                // It returns at all, and the speed made of it is one to drive at.
                assert!((0.0..=10.0).contains(&cornering_speed(4.0, curve.max_curvature(), 10.0)));
            }
        }
    }
    assert!(QuadraticBezier::plane([f64::NAN; 2], [f64::NAN; 2], [f64::NAN; 2]).max_curvature().is_nan());
}
