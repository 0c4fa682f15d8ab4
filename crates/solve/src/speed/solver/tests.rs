use super::{slowest, total_time};

#[test]
fn the_slowest_point_is_the_entry_of_a_corner() {
    for (w, at) in [
        (&[4.0, 1.0, 1.0, 2.0][..], 1),
        (&[1.0, 1.0, 2.0, 1.0, 1.0], 3),
        (&[1.0, 1.0, 1.0], 0),
        (&[1.0, 1.0, 2.0], 0),
        (&[3.0, 2.0, 2.5, 2.0], 1),
    ] {
        assert_eq!(slowest(w), at, "{w:?}");
    }
}

#[test]
fn the_time_is_the_sum_of_the_steps_for_any_number_of_them() {
    for count in 2..12_usize {
        let speed: Vec<f64> = (0..count).map(|i| 3.0 + (i * i % 7) as f64).collect();
        let steps: Vec<f64> = (0..count).map(|i| 1.0 + 0.5 * (i % 5) as f64).collect();
        let time = |i: usize| 2.0 * steps[i] / (speed[i] + speed[(i + 1) % count]);
        for used in [count - 1, count] {
            let expected: f64 = (0..used).map(time).sum();
            assert!((total_time(&speed, &steps[..used]) - expected).abs() < 1e-12, "{count} {used}");
        }
    }
}
