//! The analysis of a line as tables.

use crate::analysis::{Analysis, Corner, CornerBalance, Crest, Extreme, Stretch};

use super::sheet::Sheet;

/// Kilometres per hour in a metre per second.
pub const KMH_PER_MPS: f64 = 3.6;

/// The tables of `raceline inspect`.
pub fn sheets(analysis: &Analysis) -> Vec<Sheet> {
    let radius = 1.0 / analysis.corner_curvature_radpm;
    let stretches = |stretches: &[Stretch]| stretches.iter().map(stretch_row).collect();
    let crests = analysis.relief.as_ref().map(|relief| Sheet {
        name: "crests",
        title: "crests that take more than a fifth of the weight".to_owned(),
        headings: vec!["crest", "at m", "x m", "y m", "km/h", "1/m", "lost weight %"],
        rows: relief.crests.iter().enumerate().map(|(i, crest)| crest_row(i + 1, crest)).collect(),
        names: 1,
    });
    let mut sheets = vec![
        Sheet {
            name: "corners",
            title: format!("corners, tighter than a radius of {radius:.0} m"),
            headings: vec![
                "corner",
                "turn",
                "entry m",
                "apex m",
                "exit m",
                "length m",
                "angle deg",
                "radius m",
                "entry km/h",
                "apex km/h",
                "lowest km/h",
                "exit km/h",
                "time s",
            ],
            rows: analysis.corners.iter().map(corner_row).collect(),
            names: 2,
        },
        Sheet {
            name: "sectors",
            title: "sectors".to_owned(),
            headings: vec!["sector", "from m", "to m", "length m", "time s", "top km/h", "lowest km/h"],
            rows: stretches(&analysis.sectors),
            names: 1,
        },
        Sheet {
            name: "straights",
            title: "between corners".to_owned(),
            headings: vec!["straight", "from m", "to m", "length m", "time s", "top km/h", "lowest km/h"],
            rows: stretches(&analysis.straights),
            names: 1,
        },
        Sheet {
            name: "extremes",
            title: "extremes".to_owned(),
            headings: vec!["what", "unit", "value", "at m", "x m", "y m"],
            rows: extreme_rows(analysis),
            names: 2,
        },
    ];
    sheets.extend(crests);
    sheets.extend(analysis.balance.as_ref().map(|balance| Sheet {
        name: "balance",
        title: "balance and tyre use by corner, in % of the tyres' limits".to_owned(),
        headings: vec!["corner", "balance", "front - rear slip %", "front use %", "rear use %"],
        rows: balance.corners.iter().map(balance_row).collect(),
        names: 2,
    }));
    sheets
}

fn balance_row(balance: &CornerBalance) -> Vec<String> {
    let percent = |share: f64| format!("{:.0}", 100.0 * share);
    vec![
        balance.corner.to_string(),
        balance.tendency.name().to_owned(),
        format!("{:+.0}", 100.0 * balance.slip_difference),
        percent(balance.front_use),
        percent(balance.rear_use),
    ]
}

fn crest_row(number: usize, crest: &Crest) -> Vec<String> {
    vec![
        number.to_string(),
        format!("{:.1}", crest.s_m),
        format!("{:.1}", crest.position_m[0]),
        format!("{:.1}", crest.position_m[1]),
        speed(crest.speed_mps),
        format!("{:.5}", crest.vertical_curvature_radpm),
        format!("{:.0}", 100.0 * crest.lost_weight_share),
    ]
}

fn speed(mps: f64) -> String {
    format!("{:.1}", mps * KMH_PER_MPS)
}

fn corner_row(corner: &Corner) -> Vec<String> {
    vec![
        corner.number.to_string(),
        corner.direction.name().to_owned(),
        format!("{:.1}", corner.entry_s_m),
        format!("{:.1}", corner.apex_s_m),
        format!("{:.1}", corner.exit_s_m),
        format!("{:.1}", corner.length_m),
        format!("{:.0}", corner.angle_rad.abs().to_degrees()),
        format!("{:.1}", corner.min_radius_m),
        speed(corner.entry_speed_mps),
        speed(corner.apex_speed_mps),
        speed(corner.lowest_speed_mps),
        speed(corner.exit_speed_mps),
        format!("{:.3}", corner.time_s),
    ]
}

fn stretch_row(stretch: &Stretch) -> Vec<String> {
    vec![
        stretch.number.to_string(),
        format!("{:.1}", stretch.from_s_m),
        format!("{:.1}", stretch.to_s_m),
        format!("{:.1}", stretch.length_m),
        format!("{:.3}", stretch.time_s),
        speed(stretch.top_speed_mps),
        speed(stretch.lowest_speed_mps),
    ]
}

fn extreme_rows(analysis: &Analysis) -> Vec<Vec<String>> {
    let extremes = &analysis.extremes;
    let row = |what: &str, unit: &str, extreme: Extreme, value: String| {
        let place = [extreme.s_m, extreme.position_m[0], extreme.position_m[1]];
        let cells = [what.to_owned(), unit.to_owned(), value];
        cells.into_iter().chain(place.map(|metres| format!("{metres:.1}"))).collect::<Vec<_>>()
    };
    let plain = |what: &str, unit: &str, extreme: Extreme| row(what, unit, extreme, format!("{:.2}", extreme.value));
    let fast = |what: &str, extreme: Extreme| row(what, "km/h", extreme, speed(extreme.value));
    let mut rows = vec![
        fast("top speed", extremes.top_speed_mps),
        fast("lowest speed", extremes.lowest_speed_mps),
        plain("acceleration", "m/s²", extremes.acceleration_mps2),
        plain("braking", "m/s²", extremes.braking_mps2),
        plain("lateral acceleration", "m/s²", extremes.lateral_mps2),
        plain("least radius", "m", extremes.radius_m),
        plain("nearest to the left edge", "m", extremes.left_m),
        plain("nearest to the right edge", "m", extremes.right_m),
    ];
    if let Some(relief) = &analysis.relief {
        let percent =
            |what: &str, extreme: Extreme| row(what, "%", extreme, format!("{:.1}", 100.0 * extreme.value.tan()));
        rows.extend([
            plain("lowest point", "m", relief.lowest_m),
            plain("highest point", "m", relief.highest_m),
            percent("steepest rise", relief.steepest_up_rad),
            percent("steepest fall", relief.steepest_down_rad),
            row("greatest banking", "deg", relief.banking_rad, format!("{:.1}", relief.banking_rad.value.to_degrees())),
        ]);
    }
    rows
}
