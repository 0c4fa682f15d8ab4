//! `race`: track to line, drive, compare.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use raceline_torcs::configuration::Configuration;
use raceline_torcs::summary::Summary;

use super::arguments::Race;
use super::installation::TrackPlace;
use super::season::{LineSource, Season};
use super::session::{Driven, Session};
use super::table::{Row, Table};

/// Races on every track and prints the table.
pub fn race(arguments: &Race) -> anyhow::Result<()> {
    let (season, tracks) = Season::new(&arguments.common, &arguments.against)?;
    if arguments.line.is_some() && tracks.len() != 1 {
        bail!("--line is for one track, but there are {}: use --lines", tracks.len());
    }
    let judged = Judged { season: &season, arguments };
    let mut table = Table::default();
    for track in &tracks {
        table.tracks.push(judged.track(track).with_context(|| track.name.clone())?);
    }
    print!("{}", table.text());
    if let Some(path) = &arguments.common.json {
        fs::write(path, table.json()?).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Sessions alone.
struct Judged<'a> {
    season: &'a Season<'a>,
    arguments: &'a Race,
}

impl Judged<'_> {
    fn track(&self, track: &TrackPlace) -> anyhow::Result<Row> {
        let Self { season, arguments } = *self;
        let source = LineSource { given: arguments.line.as_deref(), from_picture: arguments.from_picture };
        let (path, predicted_lap_s, length_m) = season.line(track, source)?;
        let fraction = arguments.common.fraction;
        let learned = season.folder.local().join("learned.json");
        Season::forget(&learned)?;
        if arguments.learn > 0 {
            // One lap from standstill, and the robot does not see the end of the last.
            let d = self.drive_line(
                track,
                path.clone(),
                [predicted_lap_s, length_m],
                arguments.learn + 2,
                arguments.learn + 1,
            )?;
            eprintln!("{}", d.messages.lines().filter(|l| l.starts_with("raceline")).collect::<Vec<_>>().join("\n"));
            if let Some(kept) = season.kept(&format!("{}.learned.json", track.name))? {
                fs::copy(&learned, kept)?;
            }
        }
        let own = self.drive_line(track, path, [predicted_lap_s, length_m], arguments.laps, 0)?;
        let summary = Summary::read(&season.summary()).unwrap_or_default();
        for message in own.messages.lines().filter(|line| line.starts_with("raceline")) {
            eprintln!("{}: {message}", track.name);
        }
        let results = own.results.clone().unwrap_or_default();
        let mut opponents = Vec::new();
        for opponent in &season.opponents {
            let driver = [(opponent.module.clone(), opponent.index)];
            let driven = season.session(track, arguments.laps, &driver).drive()?;
            opponents.push((opponent.module.clone(), driven.results.and_then(|results| results.best_s)));
        }
        let best_opponent_s = opponents.iter().filter_map(|(_, best)| *best).reduce(f64::min);
        // The last lap ends the session before the robot sees that it did.
        let mut valid: Vec<bool> = summary.laps.iter().map(|lap| lap.valid).collect();
        if valid.len() < results.laps_s.len() {
            valid.push(summary.open_lap_counts);
        }
        let total_s: f64 = results.laps_s.iter().sum();
        Ok(Row {
            track: track.name.clone(),
            predicted_lap_s: predicted_lap_s / fraction,
            driven_lap_s: results.best_s,
            best_opponent_s,
            damage: results.damage.max(f64::from(summary.damage)),
            valid_laps: if results.best_s.is_some() { valid.iter().filter(|valid| **valid).count() } else { 0 },
            opponents,
            off_track_s: summary.off_track_s,
            cross_track_m: summary.cross_track_m,
            laps_s: results.laps_s,
            cpu_fraction: if total_s > 0.0 { own.wall_s / total_s } else { 0.0 },
        })
    }

    fn drive_line(
        &self,
        track: &TrackPlace,
        line: PathBuf,
        lap: [f64; 2],
        laps: u32,
        learn_laps: u32,
    ) -> anyhow::Result<Driven> {
        let season = self.season;
        Season::forget(&season.summary())?;
        let configuration = Configuration {
            learn_laps,
            learned: (self.arguments.learn > 0).then(|| season.folder.local().join("learned.json")),
            ..season.configuration(track, line, lap, self.arguments.laps, 1.0)?
        };
        season.configure(&configuration)?;
        // Learning laps have the weight of those that are judged.
        let fuel_factor = if learn_laps > 0 { 0.0 } else { 1.0 };
        Session { fuel_factor, ..season.session(track, laps, &[("raceline".to_owned(), 1)]) }.drive()
    }
}
