//! The track that a log was driven on, for [`raceline_laps`].

use raceline_laps::Reference;

use super::Extraction;
use crate::RacingLine;
use crate::geometry::{Point, Polyline};

impl Extraction {
    /// The track as what the laps of a log are laid on.
    #[must_use]
    pub fn log_reference(&self) -> Reference {
        Reference {
            line: self.track.centre_line(),
            half_width_m: self.track.mean_width() / 2.0,
            geographic_origin_deg: self.source.geographic_origin_deg,
        }
    }
}

/// The middle of the road of a racing line as what the laps of a log are laid on.
#[must_use]
pub fn log_reference(line: &RacingLine) -> Reference {
    let middle = line.points.iter().map(|point| {
        let offset = (point.left_m - point.right_m) / 2.0;
        let (sine, cosine) = point.heading_rad.sin_cos();
        Point::new(point.x_m - sine * offset, point.y_m + cosine * offset)
    });
    let width: f64 = line.points.iter().map(|point| point.left_m + point.right_m).sum();
    Reference {
        line: Polyline { points: middle.collect(), closed: line.closed },
        half_width_m: width / line.points.len().max(1) as f64 / 2.0,
        geographic_origin_deg: line.source.geographic_origin_deg,
    }
}
