//! What `raceline calibrate` prints: tables or JSON.

use raceline_calibrate::{Calibration, Curve, CurvePoint, Estimate, Refined};
use serde::Serialize;

use super::text_table::text_table;

/// A calibration, alone or with its rounds, as JSON.
pub fn json(found: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(found)? + "\n")
}

/// The calibration, its rounds and what to do with the vehicle in `file`.
pub fn rounds_table(refined: &Refined, file: &str) -> String {
    let heading = ["round", "predicted s", "driven s", "%", ""].map(str::to_owned).to_vec();
    let rounds = refined.rounds.all().iter().enumerate().map(|(index, round)| {
        let best = if index == refined.rounds.best_index() { "best" } else { "" };
        let [predicted, driven, percent] = if round.lines == 0 {
            ["-", "-", "no lap"].map(str::to_owned)
        } else {
            let percent = format!("{:+.1}", 100.0 * (round.ratio() - 1.0));
            [format!("{:.3}", round.predicted_s), format!("{:.3}", round.driven_s), percent]
        };
        vec![(index + 1).to_string(), predicted, driven, percent, best.to_owned()]
    });
    let rows: Vec<Vec<String>> = std::iter::once(heading).chain(rounds).collect();
    format!("{}\n{}{}\n", table(&refined.calibration), text_table(&rows, 0), refined.next_step(file))
}

/// The calibration as tables.
pub fn table(calibration: &Calibration) -> String {
    let Calibration { samples, seconds, fastest_mps, noise_mps2: [along, across], .. } = calibration;
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let mut rows = vec![
        row("telemetry", format!("{samples} samples in {seconds:.0} s, up to {fastest_mps:.1} m/s")),
        row("noise", format!("{along:.2} m/s² along, {across:.2} m/s² across")),
    ];
    rows.extend(calibration.pedal_lag_s.map(|lag| row("pedals' delay", format!("{:.0} ms", 1000.0 * lag))));
    let source = calibration.resistance.name();
    rows.push(row("drag_kgpm", format!("{} ({source})", reported(&calibration.drag_kgpm))));
    rows.push(row("rolling_resistance", format!("{} ({source})", reported(&calibration.rolling_resistance))));
    rows.push(row("downforce", format!("{} kg/m (in the table)", reported(&calibration.downforce_kgpm))));
    let by_loads = |name: &str, unit: &str, estimate: &Option<Estimate>| {
        estimate.as_ref().map(|estimate| row(name, format!("{} {unit}", reported(estimate))))
    };
    rows.extend(by_loads("  by the loads", "kg/m", &calibration.downforce_by_loads_kgpm));
    rows.extend(by_loads("mass by the loads", "kg", &calibration.mass_by_loads_kg));
    rows.push(row("ellipse_exponent", reported(&calibration.ellipse_exponent)));
    for (name, curve) in curves(calibration) {
        let reached = curve.reached_mps.map_or_else(
            || "never reached".to_owned(),
            |[low, high]| format!("reached from {low:.0} to {high:.0} m/s"),
        );
        rows.push(row(name, reached));
    }
    let mut text = format!("{}\n{}", calibration.vehicle.name, text_table(&rows, 2));
    for (name, curve) in curves(calibration) {
        let heading = ["speed m/s", "m/s²", "±", "samples", ""].map(str::to_owned).to_vec();
        let points = curve.points.iter().map(point_row);
        let rows: Vec<Vec<String>> = std::iter::once(heading).chain(points).collect();
        text.push_str(&format!("\n{name}\n{}", text_table(&rows, 0)));
    }
    text
}

fn curves(calibration: &Calibration) -> Vec<(&'static str, &Curve)> {
    let Calibration { braking, lateral, drive, driving, .. } = calibration;
    let mut curves = vec![("braking", braking), ("lateral", lateral), ("drive", drive)];
    curves.extend(driving.as_ref().map(|driving| ("driving (tyres)", driving)));
    curves
}

fn point_row(point: &CurvePoint) -> Vec<String> {
    let error = point.standard_error_mps2.map_or_else(|| "-".to_owned(), |error| format!("{error:.2}"));
    vec![
        format!("{}", point.speed_mps),
        format!("{:.2}", point.limit_mps2),
        error,
        point.samples.to_string(),
        point.origin.name().to_owned(),
    ]
}

/// A number with its standard error and samples.
fn reported(estimate: &Estimate) -> String {
    match estimate.standard_error {
        Some(error) => format!("{:.4} ± {:.4}, {} samples", estimate.value, error, estimate.samples),
        None => format!("{:.4}, of the base", estimate.value),
    }
}
