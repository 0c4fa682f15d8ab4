//! Any bytes as a log of a track day, its laps, one of them as a table, and its road.

use raceline::laps::{RoadOptions, Session, SessionOptions, read};

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(log) = read(bytes, "fuzz") else { return };
    let Ok(session) = Session::new(&log, &SessionOptions::default()) else { return };
    assert!(session.nodes.iter().all(|node| node.time_s.is_finite()));
    let _ = session.driven(session.table.best);
    let _ = session.road(&RoadOptions { width_m: None, vehicle_width_m: 2.0, margin_m: 0.3 });
}
