//! `car`: from a car's own file to a vehicle that predicts how it is driven.
//!
//! Each round makes the lines of the vehicle at hand, drives them, drives them once more a little faster, which shows
//! where the tyres end, and fits the next vehicle to all that was driven. The vehicle of the fastest laps is kept, so
//! that more driving never leaves a slower one.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use raceline_calibrate::{Telemetry, calibrate, csv};
use raceline_torcs::configuration::Configuration;

use super::arguments::Car;
use super::car_file::{GUESSED, vehicle_of};
use super::installation::TrackPlace;
use super::season::{LineSource, Season};

/// Factors of the speeds of both sessions: the first is judged.
const SPEEDS: [f64; 2] = [1.0, 1.05];
/// The rounds end where so many of them did not make the laps shorter by this fraction.
const MIN_GAIN: f64 = 0.002;
const PATIENCE: u32 = 2;

/// What a round drove.
#[derive(Clone, Copy, Debug, Default)]
struct Laps {
    /// Tracks with a lap that counts.
    valid: usize,
    /// Sums over these tracks, s.
    driven_s: f64,
    predicted_s: f64,
}

impl Laps {
    /// Whether these are better than others: on more tracks, or faster on as many by a fraction.
    fn beat(&self, others: &Self, by: f64) -> bool {
        self.valid > others.valid || self.valid == others.valid && self.driven_s < (1.0 - by) * others.driven_s
    }
}

/// Drives and fits in rounds, and writes the vehicle.
pub fn car(arguments: &Car) -> anyhow::Result<()> {
    let Car { output, rounds, laps, common } = arguments;
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
    let mut best: Option<(Laps, String)> = None;
    let mut text = first.to_toml()?;
    let mut telemetry = Telemetry { runs: Vec::new() };
    let mut without_gain = 0;
    println!("round  tracks  predicted s  driven s");
    for round in 1..=*rounds {
        let driven = drive(&season, &tracks, *laps, &mut telemetry)?;
        println!(
            "{round:>5} {:>4}/{:<2} {:>12.2} {:>9.2}",
            driven.valid,
            tracks.len(),
            driven.predicted_s,
            driven.driven_s
        );
        let before = best.as_ref().map(|(laps, _)| *laps);
        if before.is_none_or(|before| driven.beat(&before, 0.0)) {
            best = Some((driven, text));
        }
        let is_gain = before.is_none_or(|before| before.valid < tracks.len() || driven.beat(&before, MIN_GAIN));
        without_gain = if is_gain { 0 } else { without_gain + 1 };
        if without_gain == PATIENCE {
            break;
        }
        let fitted = calibrate(&telemetry, &first)?;
        text = fitted.to_toml()?;
        season.set_vehicle(fitted.vehicle);
    }
    let (laps, text) = best.context("no round was driven")?;
    if laps.valid == 0 {
        bail!("{}: no lap counts on any track: name tracks that are easier to drive", common.car);
    }
    file.write_all(text.as_bytes()).with_context(|| output.display().to_string())?;
    file.persist(output).with_context(|| output.display().to_string())?;
    println!("{}: laps of {:.2} s on {} of {} tracks", output.display(), laps.driven_s, laps.valid, tracks.len());
    println!("guessed, as no telemetry shows them: {}", GUESSED.join(", "));
    Ok(())
}

/// Drives the lines of the season's vehicle on all tracks, and adds a run of each drive to `telemetry`.
fn drive(season: &Season<'_>, tracks: &[TrackPlace], laps: u32, telemetry: &mut Telemetry) -> anyhow::Result<Laps> {
    let file = season.folder.local().join("car.telemetry.csv");
    let mut sum = Laps::default();
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
                sum.valid += 1;
                sum.driven_s += best_s;
                sum.predicted_s += lap_s;
            }
        }
    }
    Ok(sum)
}
