//! The track that a log was driven on, for [`raceline_laps`].

use raceline_file::RacingLine;
use raceline_laps::Reference;

use super::Extraction;
use crate::geometry::{Point, Polyline};

/// The middle of a car is at least this far from the edge of the road, m: half the width of a narrow one.
const BESIDE_EDGE_M: f64 = 0.7;

impl Extraction {
    /// The track as what the laps of a log are laid on.
    #[must_use]
    pub fn log_reference(&self) -> Reference {
        let half_width_m = self.track.mean_width() / 2.0;
        Reference {
            line: self.track.centre_line(),
            half_width_m,
            free_m: (half_width_m - BESIDE_EDGE_M).max(0.0),
            geographic_origin_deg: self.source.geographic_origin_deg,
        }
    }
}

/// A racing line as what the laps of a log are laid on.
#[must_use]
pub fn log_reference<V, O>(line: &RacingLine<V, O>) -> Reference {
    let points = line.points.iter().map(|point| Point::new(point.x_m, point.y_m));
    let width: f64 = line.points.iter().map(|point| point.left_m + point.right_m).sum();
    Reference {
        line: Polyline { points: points.collect(), closed: line.closed },
        half_width_m: width / line.points.len().max(1) as f64 / 2.0,
        free_m: 0.0,
        geographic_origin_deg: line.source.geographic_origin_deg,
    }
}
