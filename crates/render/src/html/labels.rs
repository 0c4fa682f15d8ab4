//! The labels of the lines on a page.

use raceline::RacingLine;

/// One label per line from the facts that distinguish the lines: track, method, vehicle. Lines that
/// these do not distinguish are numbered.
pub(super) fn labels(lines: &[RacingLine]) -> Vec<String> {
    let facts: Vec<[&str; 3]> =
        lines.iter().map(|line| [line.name.as_str(), line.method.name(), line.vehicle.name.as_str()]).collect();
    let distinguishes = |k: usize| facts.iter().any(|fact| fact[k] != facts[0][k]);
    let mut kept: Vec<usize> = (0..3).filter(|&k| distinguishes(k)).collect();
    if kept.is_empty() {
        kept.push(1);
    }
    let name = |fact: &[&str; 3]| kept.iter().map(|&k| fact[k]).collect::<Vec<_>>().join(", ");
    let plain: Vec<String> = facts.iter().map(name).collect();
    let twice = |label: &String| plain.iter().filter(|other| *other == label).count() > 1;
    plain
        .iter()
        .enumerate()
        .map(|(i, label)| if twice(label) { format!("{label} ({})", i + 1) } else { label.clone() })
        .collect()
}
