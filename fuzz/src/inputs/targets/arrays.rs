//! Any numbers as the arrays that Python gives: a centre line with its widths, a line that exists, and
//! its lap.

use std::path::PathBuf;

use arbitrary::{Arbitrary, Unstructured};
use raceline::pipeline::{GivenLine, Request, Silent, extract_centre_line, profile};
use raceline::vehicle::preset;
use raceline::{LineOptions, Options, edges::RoadShape, optimize};
use raceline::track::{Track, TrackOptions};
use raceline::file::Method;

/// Longer arrays show nothing new.
const MAX_POINTS: usize = 60;

/// One input.
pub fn run(bytes: &[u8]) {
    type Arrays = (u8, Vec<[f32; 4]>);
    let Ok((kind, mut rows)) = Arrays::arbitrary_take_rest(Unstructured::new(bytes)) else { return };
    rows.truncate(MAX_POINTS);
    // Half of the inputs are roads of ordinary size.
    if kind & 1 == 1 {
        for row in &mut rows {
            for number in row.iter_mut() {
                *number %= 500.0;
            }
        }
    }
    let firsts: Vec<[f64; 2]> = rows.iter().map(|row| [row[0], row[1]].map(f64::from)).collect();
    let seconds: Vec<[f64; 2]> = rows.iter().map(|row| [row[2], row[3]].map(f64::from)).collect();
    let Ok(kart) = preset("kart") else { return };
    let options = Options { method: Method::ShortestPath, ..Options::default() };
    match kind / 2 % 3 {
        0 => {
            if let Ok(found) = extract_centre_line("fuzz", &firsts, &seconds, &options, &Silent) {
                assert!(found.track.validate().is_ok());
            }
        }
        1 => {
            let shape = if kind & 64 == 0 { RoadShape::Closed } else { RoadShape::Open };
            let Ok(track) = Track::from_points(&firsts, &seconds, shape, &TrackOptions::default()) else { return };
            let options = LineOptions { method: Method::ShortestPath, ..LineOptions::default() };
            if let Ok(line) = optimize(&track, &kart, &options) {
                assert!(line.lap_time_s.is_finite());
            }
        }
        _ => {
            let line = GivenLine::from_points(&PathBuf::from("fuzz").to_string_lossy(), &firsts);
            if let Ok(made) = profile(&line, None, &Request::new(&options, &kart)) {
                assert!(made.line.lap_time_s.is_finite());
            }
        }
    }
}
