//! The analysis of a line as tables.

use raceline::analysis::{Analysis, Corner, CornerBalance, Crest, Extreme, Stretch};
use raceline::units::{Decimals, KMH_PER_MPS};

use super::sheet::Sheet;

/// The tables of `raceline inspect`.
pub fn sheets(analysis: &Analysis, decimals: Decimals) -> Vec<Sheet> {
    let radius = 1.0 / analysis.corner_curvature_radpm;
    let headings = |parts: &[&[&'static str]]| {
        let mut headings = Vec::new();
        for part in parts {
            match *part {
                // A speed has a name for each unit.
                [mps, kmh] => headings.extend(decimals.speed_headings([mps, kmh])),
                names => headings.extend(names),
            }
        }
        headings
    };
    let stretches = |stretches: &[Stretch]| stretches.iter().map(|stretch| stretch_row(stretch, decimals)).collect();
    let stretch_headings = |name: &'static str| {
        let places: &[&'static str] = &[name, "from m", "to m", "length m", "time s"];
        headings(&[places, &["top m/s", "top km/h"], &["lowest m/s", "lowest km/h"]])
    };
    let crests = analysis.relief.as_ref().map(|relief| Sheet {
        name: "crests",
        title: "crests that take more than a fifth of the weight".to_owned(),
        headings: headings(&[&["crest", "at m", "x m", "y m"], &["m/s", "km/h"], &["1/m"], &["lost weight %"]]),
        rows: relief.crests.iter().enumerate().map(|(i, crest)| crest_row(i + 1, crest, decimals)).collect(),
        names: 1,
    });
    let has_names = analysis.corners.iter().any(|corner| corner.name.is_some());
    let mut sheets = vec![
        Sheet {
            name: "corners",
            title: format!("corners, tighter than a radius of {radius:.*} m", decimals.place - 1),
            headings: headings(&[
                &["corner"],
                if has_names { &["name"] } else { &[] },
                &["turn", "entry m", "apex m", "exit m", "length m", "angle deg", "radius m"],
                &["entry m/s", "entry km/h"],
                &["apex m/s", "apex km/h"],
                &["lowest m/s", "lowest km/h"],
                &["exit m/s", "exit km/h"],
                &["time s"],
            ]),
            rows: analysis.corners.iter().map(|corner| corner_row(corner, has_names, decimals)).collect(),
            names: if has_names { 3 } else { 2 },
        },
        Sheet {
            name: "sectors",
            title: "sectors".to_owned(),
            headings: stretch_headings("sector"),
            rows: stretches(&analysis.sectors),
            names: 1,
        },
        Sheet {
            name: "straights",
            title: "between corners".to_owned(),
            headings: stretch_headings("straight"),
            rows: stretches(&analysis.straights),
            names: 1,
        },
        Sheet {
            name: "extremes",
            title: "extremes".to_owned(),
            headings: vec!["what", "unit", "value", "at m", "x m", "y m"],
            rows: extreme_rows(analysis, decimals),
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
    let percent = |fraction: f64| format!("{:.0}", 100.0 * fraction);
    vec![
        balance.number.to_string(),
        balance.tendency.name().to_owned(),
        format!("{:+.0}", 100.0 * balance.slip_difference),
        percent(balance.front_use),
        percent(balance.rear_use),
    ]
}

fn crest_row(number: usize, crest: &Crest, decimals: Decimals) -> Vec<String> {
    let places = [crest.s_m, crest.position_m[0], crest.position_m[1]].map(|metres| decimals.place(metres));
    let mut cells = vec![number.to_string()];
    cells.extend(places);
    cells.extend(decimals.speeds(crest.speed_mps));
    cells.push(format!("{:.5}", crest.vertical_curvature_radpm));
    cells.push(format!("{:.0}", 100.0 * crest.lost_weight_fraction));
    cells
}

fn corner_row(corner: &Corner, has_names: bool, decimals: Decimals) -> Vec<String> {
    let places = [corner.entry_s_m, corner.apex_s_m, corner.exit_s_m, corner.length_m];
    let speeds = [corner.entry_speed_mps, corner.apex_speed_mps, corner.lowest_speed_mps, corner.exit_speed_mps];
    let mut cells = vec![corner.number.to_string()];
    if has_names {
        cells.push(corner.name.clone().unwrap_or_default());
    }
    cells.push(corner.direction.name().to_owned());
    cells.extend(places.map(|metres| decimals.place(metres)));
    cells.push(format!("{:.0}", corner.angle_rad.abs().to_degrees()));
    cells.push(decimals.radius(corner.min_radius_m));
    cells.extend(speeds.into_iter().flat_map(|mps| decimals.speeds(mps)));
    cells.push(format!("{:.3}", corner.time_s));
    cells
}

fn stretch_row(stretch: &Stretch, decimals: Decimals) -> Vec<String> {
    let mut cells = vec![stretch.number.to_string()];
    cells.extend([stretch.from_s_m, stretch.to_s_m, stretch.length_m].map(|metres| decimals.place(metres)));
    cells.push(format!("{:.3}", stretch.time_s));
    cells.extend([stretch.top_speed_mps, stretch.lowest_speed_mps].into_iter().flat_map(|mps| decimals.speeds(mps)));
    cells
}

fn extreme_rows(analysis: &Analysis, decimals: Decimals) -> Vec<Vec<String>> {
    let extremes = &analysis.extremes;
    let row = |what: &str, unit: &str, extreme: Extreme, value: String| {
        let place = [extreme.s_m, extreme.position_m[0], extreme.position_m[1]];
        let cells = [what.to_owned(), unit.to_owned(), value];
        cells.into_iter().chain(place.map(|metres| decimals.place(metres))).collect::<Vec<_>>()
    };
    let plain = |what: &str, unit: &str, extreme: Extreme| row(what, unit, extreme, format!("{:.2}", extreme.value));
    let fast = |what: &str, extreme: Extreme| {
        let kmh = row(what, "km/h", extreme, format!("{:.1}", extreme.value * KMH_PER_MPS));
        let mps = decimals.is_small.then(|| row(what, "m/s", extreme, format!("{:.2}", extreme.value)));
        mps.into_iter().chain([kmh])
    };
    let mut rows: Vec<Vec<String>> =
        fast("top speed", extremes.top_speed_mps).chain(fast("lowest speed", extremes.lowest_speed_mps)).collect();
    rows.extend([
        plain("acceleration", "m/s²", extremes.acceleration_mps2),
        plain("braking", "m/s²", extremes.braking_mps2),
        plain("lateral acceleration", "m/s²", extremes.lateral_mps2),
        plain("minimum radius", "m", extremes.radius_m),
        plain("nearest to the left edge", "m", extremes.left_m),
        plain("nearest to the right edge", "m", extremes.right_m),
    ]);
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
