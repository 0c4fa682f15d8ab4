//! Laps, damage, time beside the road and errors of one car, as JSON.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::contacts::Contact;
use crate::pit_stop::Stop;

/// A finished lap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lap {
    /// s.
    pub time_s: f64,
    /// Whether it counts: neither a wall was touched nor a corner cut.
    pub valid: bool,
    /// Damage points at its end.
    pub damage: i32,
}

/// What a car drove.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The finished laps.
    pub laps: Vec<Lap>,
    /// Whether the lap that was not finished still counts.
    pub open_lap_counts: bool,
    /// Damage points.
    pub damage: i32,
    /// Time, s.
    pub time_s: f64,
    /// Time with the centre of gravity beside the main strip, s.
    pub off_track_s: f64,
    /// Mean and greatest distance from the line after the first 10 s, m.
    pub cross_track_m: [f64; 2],
    /// Fuel at the end, l.
    pub fuel_l: f64,
    /// What did the damage.
    #[serde(default)]
    pub contacts: Vec<Contact>,
    /// Stops in the pits.
    #[serde(default)]
    pub stops: Vec<Stop>,
    /// Why the robot did not drive.
    pub refused: Option<String>,
}

impl Summary {
    /// Writes it.
    ///
    /// # Errors
    /// That of the file system.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        std::fs::write(path, serde_json::to_string_pretty(self)?)
    }

    /// Reads one.
    ///
    /// # Errors
    /// That of the file system or of the text.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
    }
}

/// The start counts for no error: the grid is beside the line, s.
const SETTLING_S: f64 = 10.0;

/// Collects a [`Summary`] from frames.
#[derive(Clone, Debug, Default)]
pub struct Collector {
    summary: Summary,
    lap: Option<i32>,
    sum: f64,
    count: f64,
}

/// A frame as far as a summary needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Since the last one, s.
    pub dt_s: f64,
    /// Number of the current lap.
    pub lap: i32,
    /// Of the last lap, s.
    pub last_lap_s: f64,
    /// Whether the current lap counts.
    pub lap_counts: bool,
    /// Damage points.
    pub damage: i32,
    /// l.
    pub fuel_l: f64,
    /// Whether the centre of gravity is beside the main strip.
    pub off_track: bool,
    /// Distance from the line, m.
    pub cross_track_m: f64,
}

impl Collector {
    /// Adds a frame; whether a lap has ended with it.
    pub fn add(&mut self, frame: &Frame) -> bool {
        let summary = &mut self.summary;
        let ended = self.lap.is_some_and(|lap| frame.lap > lap && lap >= 1);
        if ended {
            // The flag of the frame is that of the new lap.
            summary.laps.push(Lap { time_s: frame.last_lap_s, valid: summary.open_lap_counts, damage: frame.damage });
        }
        self.lap = Some(frame.lap);
        summary.open_lap_counts = frame.lap_counts;
        summary.damage = frame.damage;
        summary.fuel_l = frame.fuel_l;
        summary.time_s += frame.dt_s;
        if frame.off_track {
            summary.off_track_s += frame.dt_s;
        }
        if summary.time_s > SETTLING_S {
            let error = frame.cross_track_m.abs();
            self.sum += error * frame.dt_s;
            self.count += frame.dt_s;
            let mean = if self.count > 0.0 { self.sum / self.count } else { 0.0 };
            summary.cross_track_m = [mean, summary.cross_track_m[1].max(error)];
        }
        ended
    }

    /// So far.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// What did the damage so far.
    pub fn set_contacts(&mut self, contacts: &[Contact]) {
        contacts.clone_into(&mut self.summary.contacts);
    }

    /// Stops in the pits so far.
    pub fn set_stops(&mut self, stops: &[Stop]) {
        stops.clone_into(&mut self.summary.stops);
    }

    /// Writes why the robot does not drive.
    pub fn refuse(&mut self, reason: &str) {
        self.summary.refused = Some(reason.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::{Collector, Frame};

    #[test]
    fn laps_count_by_the_flag_of_their_last_frame() {
        let mut collector = Collector::default();
        let frame = Frame {
            dt_s: 1.0,
            lap: 1,
            last_lap_s: 0.0,
            lap_counts: true,
            damage: 0,
            fuel_l: 9.0,
            off_track: false,
            cross_track_m: 0.5,
        };
        for _ in 0..20 {
            assert!(!collector.add(&frame));
        }
        assert!(collector.add(&Frame { lap: 2, last_lap_s: 20.0, ..frame }));
        assert!(!collector.add(&Frame { lap: 2, lap_counts: false, off_track: true, ..frame }));
        assert!(collector.add(&Frame { lap: 3, last_lap_s: 2.0, damage: 7, cross_track_m: -1.5, ..frame }));
        let summary = collector.summary();
        assert_eq!(
            summary.laps.iter().map(|lap| (lap.time_s, lap.valid)).collect::<Vec<_>>(),
            [(20.0, true), (2.0, false)]
        );
        assert_eq!((summary.damage, summary.off_track_s, summary.open_lap_counts), (7, 1.0, true));
        assert!((summary.cross_track_m[0] - (12.0 * 0.5 + 1.5) / 13.0).abs() < 1e-9, "{:?}", summary.cross_track_m);
        assert_eq!(summary.cross_track_m[1], 1.5);
    }
}
