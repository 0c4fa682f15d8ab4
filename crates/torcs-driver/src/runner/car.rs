//! `car`: from a car's own file to a vehicle that predicts how it is driven.
//!
//! Each round makes the lines of the vehicle at hand, drives them, drives them once more a little faster, which shows
//! where the tyres end, and fits the next vehicle to all that was driven, with limits that the laps bear. The vehicle
//! of the best laps is kept, so that more driving never leaves a worse one.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use raceline_calibrate::{Round, Rounds, Telemetry, calibrate, csv};
use raceline_torcs::configuration::Configuration;

use super::arguments::Car;
use super::car_file::{GUESSED, vehicle_of};
use super::installation::TrackPlace;
use super::season::{LineSource, Season};

/// Factors of the speeds of both sessions: the first is judged.
const SPEEDS: [f64; 2] = [1.0, 1.05];

/// Drives and fits in rounds, and writes the vehicle.
pub fn car(arguments: &Car) -> anyhow::Result<()> {
    let Car { output, rounds: max_rounds, laps, common } = arguments;
    ensure!(
        common.lines.is_none(),
        "--lines keeps lines of one vehicle, and `car` makes those of several: leave it out"
    );
    ensure!(common.vehicle.is_none(), "--vehicle is what `car` finds: leave it out");
    let (mut season, tracks) = Season::with_vehicle(common, &[], |file, setup| vehicle_of(&common.car, file, setup))?;
    // Beside the file to come, so that a folder that takes none is found before the drives.
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let readable = fs::Permissions::from_mode(0o666); // less what the user's mask takes
    let file = tempfile::Builder::new().permissions(readable).tempfile_in(folder);
    let mut file = file.with_context(|| output.display().to_string())?;
    let first = season.vehicle().clone();
    let mut rounds = Rounds::default();
    let mut texts = vec![first.to_toml()?];
    let mut telemetry = Telemetry { runs: Vec::new() };
    println!("round  tracks  predicted s  driven s");
    for number in 1..=*max_rounds {
        let driven = drive(&season, &tracks, *laps, &mut telemetry)?;
        println!(
            "{number:>5} {:>4}/{:<2} {:>12.2} {:>9.2}",
            driven.lines,
            tracks.len(),
            driven.predicted_s,
            driven.driven_s
        );
        rounds.add(driven);
        if number == *max_rounds || rounds.is_settled() && rounds.best().is_some_and(|best| best.lines == tracks.len())
        {
            break;
        }
        let fitted = match calibrate(&telemetry, &first) {
            Ok(fitted) => rounds.hold(fitted)?,
            // More driving never makes a vehicle worse.
            Err(error) if rounds.best().is_some_and(|best| best.lines > 0) => {
                eprintln!("no further round: {error}");
                break;
            }
            Err(error) => return Err(error.into()),
        };
        texts.push(fitted.to_toml()?);
        season.set_vehicle(fitted.vehicle);
    }
    let best = rounds.best().context("no round was driven")?;
    if best.lines == 0 {
        bail!("{}: no lap counts on any track: name tracks that are easier to drive", common.car);
    }
    let text = &texts[rounds.best_index()];
    file.write_all(text.as_bytes()).with_context(|| output.display().to_string())?;
    file.persist(output).with_context(|| output.display().to_string())?;
    println!(
        "{}: laps of {:.2} s on {} of {} tracks, {:+.1} % of the prediction",
        output.display(),
        best.driven_s,
        best.lines,
        tracks.len(),
        100.0 * (best.ratio() - 1.0)
    );
    println!("guessed, as no telemetry shows them: {}", GUESSED.join(", "));
    Ok(())
}

/// Drives the lines of the season's vehicle on all tracks, and adds a run of each drive to `telemetry`.
fn drive(season: &Season<'_>, tracks: &[TrackPlace], laps: u32, telemetry: &mut Telemetry) -> anyhow::Result<Round> {
    let file = season.folder.local().join("car.telemetry.csv");
    let mut sum = Round { vehicle: season.vehicle().clone(), lines: 0, predicted_s: 0.0, driven_s: 0.0 };
    for track in tracks {
        let (line, lap_s, length_m) = season.line(track, LineSource::default()).with_context(|| track.name.clone())?;
        for speeds in SPEEDS {
            Season::forget(&file)?;
            let configuration = season.configuration(track, line.clone(), [lap_s, length_m], laps, 1.0)?;
            let speed_share = speeds * configuration.speed_share;
            season.configure(&Configuration { telemetry: Some(file.clone()), speed_share, ..configuration })?;
            let driven = season.session(track, laps, &[("raceline".to_owned(), 1)]).drive()?;
            let bytes = fs::read(&file).with_context(|| format!("{}: {}", track.name, driven.messages.trim()))?;
            telemetry.runs.push(csv::read(&bytes, &track.name)?);
            if speeds == SPEEDS[0]
                && let Some(best_s) = driven.results.and_then(|results| results.best_s)
            {
                sum.lines += 1;
                sum.driven_s += best_s;
                sum.predicted_s += lap_s;
            }
        }
    }
    Ok(sum)
}
