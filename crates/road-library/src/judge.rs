//! The line of a road, and what must hold for it.

use std::path::Path;

use raceline::Options;
use raceline::construction::ImportNote;
use raceline::drive::{DriveOptions, drive};
use raceline::file::RacingLine;
use raceline::frame::Spot;
use raceline::input::Input;
use raceline::pipeline::{Error, Extraction, Request, Silent, Warning, extract_input, optimize};
use raceline::solve::{Model, SolveError};
use raceline::vehicle::{DriveLimit, Vehicle};
use raceline::with_causes;

use crate::recipe::Recipe;
use crate::road::Road;
use crate::transform::{Transform, Transformed};

/// A line may be slower by this fraction where it must not be slower.
const ROUNDING: f64 = 1e-5;
/// By which fraction a car's lap may differ on a road twice as large: its pedal takes the same time there.
const SCALED_CAR: f64 = 5e-4;
/// By how much a vehicle gets better, as a fraction.
const BETTER: f64 = 0.05;
/// Laps of the drive.
const LAPS: u32 = 1;

/// What came of a road.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A line that the verifier accepts.
    Line {
        /// Lap time, s.
        lap_time_s: f64,
        /// What does not hold, one text per rule.
        violations: Vec<String>,
        /// Differences of the lap in other descriptions of the road, one text each.
        remarks: Vec<String>,
    },
    /// A refusal that is right: why.
    Refused(&'static str),
    /// A refusal that is not known to be right.
    Failed(String),
}

/// Judges the road of a recipe by every rule.
pub fn judge(recipe: &Recipe) -> Outcome {
    let Recipe { road, vehicle, .. } = recipe;
    let (line, extraction) = match line_of(road, vehicle, &Options::default()) {
        Ok(found) => found,
        Err(error) => {
            return match right_refusal(&error, road, vehicle) {
                Some(reason) => Outcome::Refused(reason),
                None => Outcome::Failed(chain(&error)),
            };
        }
    };
    let mut violations = Vec::new();
    let mut remarks = Vec::new();
    // By its size, another vehicle would have another model: a kart of twice the size would be a car.
    let is_of_car = line.is_of_car();
    let model = if is_of_car { Model::Car } else { Model::PointMass };
    // A car's lap is not one of the point masses that it begins from.
    if !is_of_car {
        parents(&line, &mut violations);
    }
    better_vehicles(&extraction, &line, (vehicle, model), &mut violations);
    for transform in Transform::ALL {
        let Some(other) = transform.apply(road, vehicle) else { continue };
        match difference(&other, road, &extraction, (line.lap_time_s, model)) {
            Ok(difference) => {
                let text = format!("{}: {:+.4} %", transform.name(), 100.0 * difference);
                let is_scaled_car = is_of_car && transform == Transform::Scaled;
                let tolerance = if is_scaled_car { SCALED_CAR } else { other.tolerance };
                if difference.abs() > tolerance {
                    violations.push(text.clone());
                }
                remarks.push(text);
            }
            Err(error) => violations.push(format!("{}: {}", transform.name(), chain(&error))),
        }
    }
    driven(&line, vehicle, &mut violations);
    Outcome::Line { lap_time_s: line.lap_time_s, violations, remarks }
}

/// The line of a road, which the pipeline has verified, and the road that was read.
fn line_of(road: &Road, vehicle: &Vehicle, options: &Options) -> Result<(RacingLine, Extraction), Error> {
    let input = Input::Csv(road.csv());
    // The spacing follows from the vehicle, which may be no preset.
    let mut options = options.clone();
    if options.track.spacing_m.is_none() {
        options.vehicle = Some(vehicle.name.clone());
    }
    let extraction = extract_input(Path::new("road.csv"), &input, &options, &Silent)?;
    let line = optimize(extraction.clone(), &Request::new(&options, vehicle))?.line;
    Ok((line, extraction))
}

/// The reason of a refusal that follows from the road and the vehicle.
fn right_refusal(error: &Error, road: &Road, vehicle: &Vehicle) -> Option<&'static str> {
    let narrow = road.min_width_m() < 2.0 * vehicle.margin_m() + 0.1 * road.min_width_m();
    match error {
        Error::Solve { error: SolveError::RoadTooNarrow { .. }, .. } if narrow => Some("too narrow"),
        _ => None,
    }
}

/// No line is slower than one that its search starts from.
fn parents(line: &RacingLine, violations: &mut Vec<String>) {
    for candidate in &line.candidates {
        if line.lap_time_s > candidate.lap_time_s * (1.0 + ROUNDING) {
            violations.push(format!(
                "slower than {}: {:.4} for {:.4} s",
                candidate.method.name(),
                line.lap_time_s,
                candidate.lap_time_s
            ));
        }
    }
}

/// More grip, more power and less width make no lap slower.
fn better_vehicles(
    extraction: &Extraction,
    line: &RacingLine,
    (vehicle, model): (&Vehicle, Model),
    violations: &mut Vec<String>,
) {
    let mut options = Options::default();
    options.solve.model = Some(model);
    let factor = 1.0 + BETTER;
    let mut grip = vehicle.clone();
    grip.lateral_limit_mps2 *= factor;
    grip.longitudinal_limit_mps2 *= factor;
    grip.ggv_table.iter_mut().for_each(|row| row[1..].iter_mut().for_each(|limit| *limit *= factor));
    grip.driving_limit_table.iter_mut().for_each(|row| row[1] *= factor);
    let mut power = vehicle.clone();
    match &mut power.drive {
        DriveLimit::TableMps2(rows) | DriveLimit::TableN(rows) => rows.iter_mut().for_each(|row| row[1] *= factor),
        DriveLimit::PowerAndForce { power_w, force_n } => {
            *power_w *= factor;
            *force_n *= factor;
        }
    }
    let mut narrow = vehicle.clone();
    narrow.width_m /= factor;
    for (name, better) in [("more grip", grip), ("more power", power), ("less width", narrow)] {
        match optimize(extraction.clone(), &Request::new(&options, &better)) {
            Ok(outcome) if outcome.line.lap_time_s > line.lap_time_s * (1.0 + ROUNDING) => {
                violations.push(format!("{name}: {:.4} for {:.4} s", outcome.line.lap_time_s, line.lap_time_s));
            }
            Ok(_) => {}
            Err(error) => violations.push(format!("{name}: {}", chain(&error))),
        }
    }
}

/// By which fraction the lap of another description is longer than its road's.
///
/// The reader smooths a road by the noise that it finds in its rows; the other description is
/// smoothed by the amount that was found in the road itself. Otherwise it would be another road:
/// rows between the rows have no noise of their own, and a bend of a large road may have the
/// curvature of a small road's noise.
fn difference(
    other: &Transformed,
    road: &Road,
    extraction: &Extraction,
    (lap_time_s, model): (f64, Model),
) -> Result<f64, Error> {
    let mut options = Options::default();
    options.solve.model = Some(model);
    options.track.spacing_m = Some(other.spacing_factor * extraction.track.spacing_m);
    options.import.smoothing_m = Some(other.length_factor * smoothing_m(extraction));
    options.relief.height_smoothing_m *= other.length_factor;
    if other.backwards && road.closed {
        options.track.direction = Some(extraction.track.direction);
    } else if other.backwards {
        options.track.start = road.stations.first().map(|first| Spot::Metres(first.at));
    }
    let (line, _) = line_of(&other.road, &other.vehicle, &options)?;
    Ok(line.lap_time_s / (other.time_factor * lap_time_s) - 1.0)
}

/// By how much the reader smoothed the road, m.
fn smoothing_m(extraction: &Extraction) -> f64 {
    let smoothed = extraction.report.warnings.iter().find_map(|warning| match warning {
        Warning::Import(ImportNote::Smoothed { smoothing_m, .. }) => Some(*smoothing_m),
        _ => None,
    });
    smoothed.unwrap_or(0.0)
}

/// The vehicle completes the lap in the simulation.
fn driven(line: &RacingLine, vehicle: &Vehicle, violations: &mut Vec<String>) {
    let options = DriveOptions { laps: LAPS, ..DriveOptions::default() };
    match drive(line, vehicle, &options) {
        Ok(drive) if !drive.measures.is_complete() => violations.push("driven: not to the end".to_owned()),
        Ok(drive) if !drive.measures.stayed_on_road() => {
            violations.push(format!("driven: off the road by {:.3} m", -drive.measures.min_room_m));
        }
        Ok(_) => {}
        Err(error) => violations.push(format!("driven: {error}")),
    }
}

/// An error with its causes, on one line.
fn chain(error: &dyn std::error::Error) -> String {
    with_causes(error).replace(['\n', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use raceline::track::EdgeMargin;

    use super::*;

    #[test]
    fn a_mirrored_road_that_crosses_itself_has_the_same_lap() {
        // Its cross-sections were at other places: laps differed by 0.014, 0.033 and 0.024 %.
        for number in [558, 1178, 1998] {
            let Recipe { road, vehicle, .. } = Recipe::new(number).unwrap();
            let (line, extraction) = line_of(&road, &vehicle, &Options::default()).unwrap();
            let mirrored = Transform::Mirrored.apply(&road, &vehicle).unwrap();
            let model = if line.is_of_car() { Model::Car } else { Model::PointMass };
            let found = difference(&mirrored, &road, &extraction, (line.lap_time_s, model)).unwrap();
            assert!(found.abs() < mirrored.tolerance, "{number}: {:.4} %", 100.0 * found);
        }
    }

    /// By which fraction the lap of road `number` is longer in another description.
    fn difference_of(number: u64, transform: Transform) -> f64 {
        let Recipe { road, vehicle, .. } = Recipe::new(number).unwrap();
        let (line, extraction) = line_of(&road, &vehicle, &Options::default()).unwrap();
        let other = transform.apply(&road, &vehicle).unwrap();
        let model = if line.is_of_car() { Model::Car } else { Model::PointMass };
        difference(&other, &road, &extraction, (line.lap_time_s, model)).unwrap()
    }

    #[test]
    fn a_point_mass_takes_the_same_steps_on_a_road_twice_as_large() {
        // Edges were divided by metres, and the search had seconds: laps differed by 0.012 and 0.017 %.
        for number in [1220, 1998] {
            let found = difference_of(number, Transform::Scaled);
            assert!(found.abs() < 1e-6, "{number}: {:.5} %", 100.0 * found);
        }
    }

    #[test]
    fn a_noisy_road_of_a_robot_car_has_the_same_lap_with_its_rows_reversed() {
        // Its edges, 1.9 m apart, were up to 5 mm from a curve, elsewhere with other rows: the lap was 0.0104 % shorter.
        let found = difference_of(1478, Transform::Reversed);
        assert!(found.abs() < 1e-4, "{:.4} %", 100.0 * found);
    }

    #[test]
    fn a_car_leaves_a_standing_start_alike_with_half_the_spacing() {
        // It followed the start line for two intervals, 1.5 m or 1.1 m long: the lap was 0.13 % shorter.
        let found = difference_of(1900, Transform::SpacingHalved);
        assert!(found.abs() < 3e-4, "{:.4} %", 100.0 * found);
    }

    #[test]
    fn a_wide_oval_is_searched_until_its_weight_of_smoothness_has_settled() {
        // Its lap took 27.010 s with two rounds, 27.015 s with more power and 27.017 s by the road twice as large.
        let Recipe { road, vehicle, .. } = Recipe::new(1149).unwrap();
        let (line, extraction) = line_of(&road, &vehicle, &Options::default()).unwrap();
        assert!((line.lap_time_s - 26.981).abs() < 1e-3, "{}", line.lap_time_s);
        let scaled = Transform::Scaled.apply(&road, &vehicle).unwrap();
        let found = difference(&scaled, &road, &extraction, (line.lap_time_s, Model::PointMass)).unwrap();
        assert!(found.abs() < scaled.tolerance, "{:.4} %", 100.0 * found);
    }

    #[test]
    fn the_corners_of_a_body_stay_on_the_road_in_hairpins() {
        // They left it by 0.10 and 0.05 m on the line itself, where the car turns as sharply as it can.
        for number in [74, 1493] {
            let Recipe { road, vehicle, .. } = Recipe::new(number).unwrap();
            let (line, _) = line_of(&road, &vehicle, &Options::default()).unwrap();
            let mut violations = Vec::new();
            driven(&line, &vehicle, &mut violations);
            assert!(violations.is_empty(), "{number}: {violations:?}");
        }
    }

    #[test]
    fn a_hairpin_in_which_no_line_turns_as_sharply_as_it_must_ends_the_search() {
        // A search for a line within the steering's limit placed more and more stations here, until the memory was full.
        let Recipe { road, vehicle, .. } = Recipe::new(74).unwrap();
        let right_m = |k: u32| if (40..44).contains(&k) { 0.238 } else { 0.0 };
        let margin = |k: u32| EdgeMargin { s_m: 4.568 * f64::from(k), left_m: 0.0, right_m: right_m(k) };
        let edge_margin = (0..49).map(margin).collect();
        let options = Options { edge_margin, ..Options::default() };
        let found = line_of(&road, &vehicle, &options);
        let is_refused = matches!(&found, Err(Error::Solve { error: SolveError::NoSoundLine { .. }, .. }));
        assert!(found.is_ok() || is_refused, "{:?}", found.err());
    }
}
