//! Lines with any numbers that the rules of the file allow end with a judgement.

use raceline_verify::JudgedLine;

use crate::{committed_lines, judged};

/// A small generator of random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

const NUMBERS: [f64; 12] = [0.0, -0.0, 1.0, -1.0, 1e-300, 1e-9, 3.0, -3.0, 50.0, 1e3, 1e8, -1e8];

fn change(line: &mut JudgedLine, random: &mut Random) {
    let value = NUMBERS[random.next(NUMBERS.len())];
    let i = random.next(line.points.len());
    let point = &mut line.points[i];
    match random.next(18) {
        0 => point.x_m = value,
        1 => point.y_m = value,
        2 => point.heading_rad = value,
        3 => point.curvature_radpm = value,
        4 => point.speed_mps = value,
        5 => point.accel_mps2 = value,
        6 => (point.left_m, point.right_m) = (value, value),
        7 => point.z_m = Some(value),
        8 => point.banking_rad = Some(value),
        9 => point.load = Some(value),
        10 => point.grip = Some(value),
        11 => line.closed = !line.closed,
        12 => line.points.truncate(2 + i % 3),
        13 => line.edges.left = vec![[value; 2]; 3],
        14 => line.edges.right.reverse(),
        15 => line.points.iter_mut().for_each(|point| point.speed_mps = value),
        16 => line.edges.left[0] = [value, -value],
        _ => line.edges.right.truncate(3),
    }
}

#[test]
fn any_numbers_end_with_a_judgement() {
    let Some((_, sound)) = committed_lines().into_iter().find(|(name, _)| name.starts_with("grid")) else { return };
    let mut random = Random(7);
    let mut counted = 0;
    for _ in 0..1500 {
        let mut line = sound.clone();
        for _ in 0..=random.next(3) {
            change(&mut line, &mut random);
        }
        if line.check().is_ok() {
            counted += 1;
            // What was changed back to the same number is sound.
            assert!(line == sound || !judged(&line).checks.is_empty());
        }
    }
    assert!(counted > 300, "only {counted} lines kept the rules of the file");
}

#[test]
fn edges_that_lie_on_one_another_cost_bounded_work() {
    let Some((_, mut line)) = committed_lines().into_iter().next() else { return };
    // Both edges run to and fro along the line many times.
    let there: Vec<[f64; 2]> = line.points.iter().map(|point| [point.x_m, point.y_m]).collect();
    let back = there.iter().rev().copied();
    let once: Vec<[f64; 2]> = there.iter().copied().chain(back).collect();
    line.edges.left = std::iter::repeat_n(once, 20).flatten().collect();
    line.edges.right = line.edges.left.clone();
    let report = judged(&line);
    assert!(!report.is_sound());
}
