//! How a line is driven, in a few words.

use raceline::RacingLine;
use raceline::drive::{DriveOptions, drive};

/// How the follower drives one lap of `line`, as a sentence for a page.
#[must_use]
pub fn drive_note(line: &RacingLine) -> String {
    let planned = format!("{:.3} s on paper", line.lap_time_s);
    match drive(line, &line.vehicle, &DriveOptions { laps: 1, ..DriveOptions::default() }) {
        Ok(driven) => match driven.measures.best_lap_s() {
            Some(lap_s) => {
                let off_m = driven.measures.cross_track_worst_m;
                format!("{planned}, driven in {lap_s:.3} s at most {off_m:.2} m off the line")
            }
            None => format!("{planned}, but the follower does not finish the lap"),
        },
        Err(error) => format!("{planned}, not driven: {error}"),
    }
}
