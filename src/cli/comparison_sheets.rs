//! The comparison of two lines as tables.

use crate::analysis::{Comparison, Difference};

use super::analysis_sheets::KMH_PER_MPS;
use super::sheet::Sheet;

/// The tables of `raceline compare` for one line.
pub fn sheets(comparison: &Comparison) -> Vec<Sheet> {
    // Only corners have a direction.
    let sheet = |name: &'static str, kind: &'static str, parts: &[Difference]| {
        let corners = parts.iter().any(|part| part.direction.is_some());
        let headings = ["from m", "to m", "reference s", "difference s", "lowest km/h", "more km/h", "to the left m"];
        let names = if corners { vec![kind, "turn"] } else { vec![kind] };
        Sheet {
            name,
            title: name.to_owned(),
            names: names.len(),
            headings: names.into_iter().chain(headings).collect(),
            rows: parts.iter().map(row).collect(),
        }
    };
    let along = comparison.along.iter().map(|here| {
        vec![
            format!("{:.1}", here.s_m),
            format!("{:+.4}", here.time_difference_s),
            format!("{:+.3}", here.speed_difference_mps * KMH_PER_MPS),
            format!("{:+.3}", here.offset_m),
        ]
    });
    vec![
        sheet("sectors", "sector", &comparison.sectors),
        sheet("corners", "corner", &comparison.corners),
        sheet("straights", "straight", &comparison.straights),
        Sheet {
            name: "along",
            title: "along the lap".to_owned(),
            headings: vec!["s m", "time difference s", "more km/h", "to the left m"],
            rows: along.collect(),
            names: 0,
        },
    ]
}

fn row(part: &Difference) -> Vec<String> {
    let numbers = [
        format!("{:.1}", part.from_s_m),
        format!("{:.1}", part.to_s_m),
        format!("{:.3}", part.reference_s),
        format!("{:+.3}", part.difference_s),
        format!("{:.1}", part.reference_lowest_mps * KMH_PER_MPS),
        format!("{:+.1}", (part.other_lowest_mps - part.reference_lowest_mps) * KMH_PER_MPS),
        format!("{:+.2}", part.offset_m),
    ];
    let turn = part.direction.map(|turn| turn.name().to_owned());
    std::iter::once(part.number.to_string()).chain(turn).chain(numbers).collect()
}
