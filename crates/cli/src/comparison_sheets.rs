//! The comparison of two lines as tables.

use raceline::analysis::{Comparison, Difference, LossCause, Losses};
use raceline::units::{Decimals, KMH_PER_MPS};

use super::sheet::Sheet;

/// The tables of `raceline compare` for one line, with the decimals of the reference's track.
pub fn sheets(comparison: &Comparison, decimals: Decimals) -> Vec<Sheet> {
    // Only corners have a direction.
    let sheet = |name: &'static str, kind: &'static str, parts: &[Difference]| {
        let corners = parts.iter().any(|part| part.direction.is_some());
        let mut headings = vec!["from m", "to m", "reference s", "difference s"];
        headings.extend(decimals.speed_headings(["lowest m/s", "lowest km/h"]));
        headings.extend(decimals.speed_headings(["more m/s", "more km/h"]));
        headings.push("to the left m");
        let names = if corners { vec![kind, "turn"] } else { vec![kind] };
        Sheet {
            name,
            title: name.to_owned(),
            names: names.len(),
            headings: names.into_iter().chain(headings).collect(),
            rows: parts.iter().map(|part| row(part, decimals)).collect(),
        }
    };
    let along = comparison.along.iter().map(|here| {
        vec![
            decimals.place(here.s_m),
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

/// The table of the time that a driven lap loses, by corner and cause.
pub fn losses_sheet(losses: &Losses, decimals: Decimals) -> Sheet {
    let mut headings = vec!["corner", "turn", "mainly by", "apex m", "lost s"];
    headings.extend(LossCause::ALL.map(LossCause::name));
    headings.push("brakes earlier m");
    headings.extend(decimals.speed_headings(["more m/s", "more km/h"]));
    let rows = losses.corners.iter().map(|corner| {
        let number = corner.name.clone().map_or(corner.number.to_string(), |name| format!("{} {name}", corner.number));
        let cause = corner.cause.map_or("", LossCause::name);
        let mut row = vec![number, corner.direction.name().to_owned(), cause.to_owned()];
        row.push(decimals.place(corner.apex_s_m));
        row.push(format!("{:+.3}", corner.loss_s));
        row.extend(LossCause::ALL.map(|cause| format!("{:+.3}", corner.by(cause))));
        row.push(corner.brakes_earlier_m.map_or(String::new(), |metres| format!("{metres:+.0}")));
        row.extend(decimals.speed_changes(corner.driven_lowest_mps - corner.reference_lowest_mps));
        row
    });
    Sheet { name: "losses", title: "time lost, s".to_owned(), headings, rows: rows.collect(), names: 3 }
}

fn row(part: &Difference, decimals: Decimals) -> Vec<String> {
    let turn = part.direction.map(|turn| turn.name().to_owned());
    let number = part.last_number.map_or(part.number.to_string(), |last| format!("{}-{last}", part.number));
    let mut cells: Vec<String> = std::iter::once(number).chain(turn).collect();
    cells.extend([part.from_s_m, part.to_s_m].map(|metres| decimals.place(metres)));
    cells.extend([format!("{:.3}", part.reference_s), format!("{:+.3}", part.difference_s)]);
    cells.extend(decimals.speeds(part.reference_lowest_mps));
    cells.extend(decimals.speed_changes(part.other_lowest_mps - part.reference_lowest_mps));
    cells.push(format!("{:+.*}", decimals.place + 1, part.offset_m));
    cells
}
