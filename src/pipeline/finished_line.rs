//! What a search has found, as a racing-line file has it.

use super::extracted_track::Extraction;
use super::places;
use super::request::Request;
use crate::file::{self, Candidate, EdgeCoordinates, RacingLine};
use crate::geometry::Point;
use crate::options::Options;
use crate::solve::Line;

/// The racing line that was found on the road of `extraction`.
pub(super) fn racing_line(extraction: &Extraction, options: &Options, request: &Request, found: &Line) -> RacingLine {
    let track = &extraction.track;
    let candidates = found.candidates().map(|candidate| {
        let summary = candidate.summary();
        Candidate {
            method: summary.method,
            lap_time_s: summary.lap_time_s,
            length_m: summary.length_m,
            line: if request.detail { candidate.positions() } else { Vec::new() },
        }
    });
    RacingLine {
        format: file::FORMAT.to_owned(),
        version: file::VERSION,
        name: extraction.name.clone(),
        closed: track.closed,
        direction: track.direction,
        method: options.method,
        lap_time_s: found.lap_time_s,
        length_m: found.length_m,
        vehicle: request.vehicle.clone(),
        source: extraction.source.clone(),
        // The file contains the vehicle, and no path of another folder.
        options: places::decided(options.in_file(), found.decisions.as_ref()),
        generator: file::GENERATOR.to_owned(),
        candidates: candidates.collect(),
        points: found.points(),
        edges: EdgeCoordinates {
            left: coordinates(&track.left_edge.points),
            right: coordinates(&track.right_edge.points),
        },
        sections: if request.detail {
            track.sections.iter().map(|s| [[s.right.x, s.right.y], [s.left.x, s.left.y]]).collect()
        } else {
            Vec::new()
        },
        constraints: found.constraints.clone(),
        streets: extraction.streets.clone().filter(|_| request.detail),
    }
}

fn coordinates(points: &[Point]) -> Vec<[f64; 2]> {
    points.iter().map(|p| [p.x, p.y]).collect()
}
