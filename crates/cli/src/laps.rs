//! `raceline laps`: the laps of a log.

use std::path::PathBuf;

use anyhow::Context;
use raceline::units::KMH_PER_MPS;
use raceline_laps::{Log, LogSummary, Session, SessionOptions};

use super::GlobalFlags;
use super::file_guard;
use super::log_file::{pair, read_log, reference_in, session_of};
use super::output::Output;
use super::report::{self, Failure};
use super::sheet::{Format, Sheet};

/// List the laps of a track day's log
///
/// Reads the log of a drive: VBO of Racelogic, CSV of RaceChrono, AiM or MoTeC, MoTeC's LD, GPX with
/// times, FIT, or any CSV whose header names time and positions. Measures the noise of the positions,
/// smooths them by it, removes the receiver's drift, and times the laps at the start line. Prints the
/// laps, the best sectors and the ideal lap, and which columns were read in which units.
///
/// With -o the fastest lap is written as a table that `render --driven`, `compare` and `calibrate`
/// read, in the frame of the track where one is given.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The log
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// The track that was driven, or a racing line on it: its start line divides the laps, and the
    /// drift is fitted to it
    #[arg(long, value_name = "TRACK")]
    track: Option<PathBuf>,
    /// A place on the start line: longitude,latitude, or x,y of a log in metres [default: that of the
    /// track, then that of the log, else where the car is fast]
    #[arg(long, value_name = "A,B", value_parser = pair)]
    start: Option<[f64; 2]>,
    /// Number of sectors of equal length
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=50))]
    sectors: u8,
    /// Where to write a lap: a file, or - for stdout
    #[arg(long, short, value_name = "OUT.csv")]
    output: Option<PathBuf>,
    /// The lap that is written [default: the fastest]
    #[arg(long, value_name = "N", requires = "output", conflicts_with = "all")]
    lap: Option<usize>,
    /// Write the whole session
    #[arg(long, requires = "output")]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  raceline laps morning.vbo
  On a track, with the fastest lap as a file, and its chart beside the ideal lap:
    raceline laps morning.vbo --track club.geojson -o fastest.csv
    raceline render club.raceline.json --driven fastest.csv -o fastest.html

Exit codes: 0 done, 1 the job failed, 2 wrong usage.";

impl Arguments {
    /// Reads the log and prints its laps.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        let output = self.output.as_deref().map(Output::new);
        file_guard::check([&self.log].into_iter().chain(&self.track), &output)?;
        if let Some(output) = &output {
            output.check()?;
        }
        let log = read_log(&self.log)?;
        let reference = self.track.as_deref().map(|track| reference_in(track, flags)).transpose()?;
        let options = SessionOptions { start: self.start, reference, sectors: usize::from(self.sectors) };
        let session = session_of(&log, &options, flags)?;
        if let Some(output) = &output {
            let text = if self.all {
                session.driven_session()
            } else {
                let number = self.lap.unwrap_or(session.table.best);
                session.driven(number).map_err(|error| Failure::Usage(error.into()))?
            };
            output.write(text.as_bytes())?;
        }
        let text = if self.json { json(&log, &session)? } else { text(&log, &session) };
        if output != Some(Output::Stdout) {
            report::to_stdout(&text)?;
        } else if !flags.quiet {
            report::to_stderr(&text);
        }
        Ok(())
    }
}

fn json(log: &Log, session: &Session) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(&LogSummary::new(log, session)).context("can't write JSON")? + "\n")
}

/// A time as a lap's: minutes and seconds.
pub fn lap_text(seconds: f64) -> String {
    let minutes = (seconds / 60.0).floor();
    if minutes < 1.0 { format!("{seconds:.3}") } else { format!("{minutes:.0}:{:06.3}", seconds - 60.0 * minutes) }
}

fn text(log: &Log, session: &Session) -> String {
    let table = &session.table;
    let columns: Vec<String> = log
        .channels
        .iter()
        .map(|channel| {
            let unit = if channel.unit.is_empty() { String::new() } else { format!(" in {}", channel.unit) };
            format!("{} from {}{unit}", channel.quantity.name(), channel.name)
        })
        .collect();
    let sectors = table.best_sectors_s.len();
    let mut headings = vec!["lap", "", "time", "length m", "top km/h"];
    headings.extend(vec!["sector"; sectors]);
    let rows = table.laps.iter().map(|lap| {
        let mark = match () {
            () if lap.number == table.best => "best",
            () if !lap.is_whole => "not whole",
            () => "",
        };
        let mut row = vec![
            lap.number.to_string(),
            mark.to_owned(),
            lap_text(lap.time_s),
            format!("{:.0}", lap.length_m),
            format!("{:.1}", lap.top_speed_mps * KMH_PER_MPS),
        ];
        let sector = |k: usize| {
            let is_best = table.best_sector_laps.get(k) == Some(&lap.number);
            lap.sectors_s.get(k).map_or(String::new(), |time| format!("{time:.3}{}", if is_best { "*" } else { " " }))
        };
        row.extend((0..sectors).map(sector));
        row
    });
    let sheet = Sheet { name: "laps", title: "laps".to_owned(), headings, rows: rows.collect(), names: 2 };
    let ideal = table
        .ideal_lap_s
        .map_or(String::new(), |ideal| format!("\n  ideal lap {}, of the best sectors (*)\n", lap_text(ideal)));
    let noise = session.noise;
    format!(
        "{}: {}, {} rows, a position every {:.2} s\n  read: {}\n  noise: positions {:.2} m, speeds {:.2} m/s, late by {:.2} s\n{}{ideal}",
        log.name,
        log.kind.described(),
        log.len(),
        session.step_s,
        columns.join(", "),
        noise.position_m,
        noise.speed_mps,
        noise.lag_s,
        sheet.print(Format::Text)
    )
}
