//! The figures of a drive.

use super::contacts::Encounters;
use super::trace::TraceRow;

/// The figures of a drive. Those about line and road cover the frames of the timed laps unless
/// stated otherwise; frames are of equal length, so a fraction of frames is a fraction of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measures {
    /// Times of the completed timed laps, s, in order.
    pub lap_times_s: Vec<f64>,
    /// Specified number of timed laps.
    pub laps_asked: u32,
    /// Lap time of the file's profile, s.
    pub profile_lap_time_s: f64,
    /// Mean distance of the centre of gravity from the line, m.
    pub cross_track_mean_m: f64,
    /// 95th percentile of that distance over time, m.
    pub cross_track_95_m: f64,
    /// Largest of these distances, m.
    pub cross_track_worst_m: f64,
    /// Position of the largest distance along the line, m.
    pub cross_track_worst_at_m: f64,
    /// Fraction of the time in which all four corners of the body were on the road, 0 to 1.
    pub inside_fraction: f64,
    /// Smallest distance of the body's outermost corner from the road's edge, m, in the whole drive
    /// including the warm-up lap; negative when it left the road.
    pub min_room_m: f64,
    /// Position of that place along the line, m.
    pub min_room_at_m: f64,
    /// Number of times that the vehicle got stuck in the whole drive.
    pub stuck_events: u32,
    /// Number of times that it was placed back on the line in the whole drive.
    pub placements: u32,
    /// What it met on a road that was not empty, in the whole drive.
    pub encounters: Option<Encounters>,
}

impl Measures {
    /// Whether every specified lap was completed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.lap_times_s.len() == self.laps_asked as usize
    }

    /// The fastest lap, s.
    pub fn best_lap_s(&self) -> Option<f64> {
        self.lap_times_s.iter().copied().reduce(f64::min)
    }

    /// The mean of the laps, s.
    #[must_use]
    pub fn mean_lap_s(&self) -> Option<f64> {
        let count = self.lap_times_s.len();
        (count > 0).then(|| self.lap_times_s.iter().sum::<f64>() / count as f64)
    }

    /// The mean lap as a multiple of the profile's: 1.02 is 2 % slower.
    #[must_use]
    pub fn of_profile(&self) -> Option<f64> {
        self.mean_lap_s().map(|mean| mean / self.profile_lap_time_s)
    }

    /// Whether the body was on the road all the time, in the warm-up lap too.
    #[must_use]
    pub fn stayed_on_road(&self) -> bool {
        self.min_room_m >= 0.0
    }

    /// Whether it touched no obstacle and no other vehicle.
    #[must_use]
    pub fn touched_nothing(&self) -> bool {
        let touched = |met: &Encounters| met.obstacle_contacts + met.vehicle_contacts > 0;
        !self.encounters.as_ref().is_some_and(touched)
    }

    /// Whether every lap was completed, the body stayed on the road, the vehicle never got stuck and
    /// touched nothing.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.is_complete() && self.stayed_on_road() && self.stuck_events == 0 && self.touched_nothing()
    }

    /// Sets the figures about line and road. `timed_from` is the first row of the timed laps.
    pub(super) fn of_trace(&mut self, rows: &[TraceRow], timed_from: usize) {
        if let Some(min) = rows.iter().min_by(|a, b| a.room_m.total_cmp(&b.room_m)) {
            (self.min_room_m, self.min_room_at_m) = (min.room_m, min.s_m);
        }
        let timed = rows.get(timed_from..).filter(|timed| !timed.is_empty()).unwrap_or(rows);
        let mut errors: Vec<f64> = timed.iter().map(|row| row.cross_track_error_m.abs()).collect();
        let count = errors.len();
        if count == 0 {
            return;
        }
        self.cross_track_mean_m = errors.iter().sum::<f64>() / count as f64;
        self.inside_fraction = timed.iter().filter(|row| row.room_m >= 0.0).count() as f64 / count as f64;
        for row in timed {
            if row.cross_track_error_m.abs() > self.cross_track_worst_m {
                self.cross_track_worst_m = row.cross_track_error_m.abs();
                self.cross_track_worst_at_m = row.s_m;
            }
        }
        errors.sort_unstable_by(f64::total_cmp);
        // The smallest that at least 95 % do not exceed.
        self.cross_track_95_m = errors[(count * 95).div_ceil(100).max(1) - 1];
    }
}
