//! Any bytes as the file of a line, of the kind that its content shows and of every kind that text may have, and the
//! road about it.

use std::path::Path;

use super::super::checked;

use raceline::construction::ImportOptions;
use raceline::lines::{LineKind, read, road};

const KINDS: [LineKind; 7] = [
    LineKind::Csv,
    LineKind::Json,
    LineKind::RacingLine,
    LineKind::Dxf,
    LineKind::Godot,
    LineKind::Poses,
    LineKind::FastLane,
];

/// One input.
pub fn run(bytes: &[u8]) {
    let found = LineKind::of(Path::new("line"), bytes);
    for kind in KINDS.into_iter().chain(found) {
        if let Ok(line) = read(kind, bytes, None) {
            let _ = line.stated_lap_time_s(&line.positions.about([11.5, 48.1]), true);
        }
    }
    if let Some(kind) = found {
        checked::road(road(kind, bytes, None, &ImportOptions { width_m: Some(8.0), ..ImportOptions::default() }));
    }
}
