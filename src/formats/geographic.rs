//! A line's positions as longitudes and latitudes.

use super::{FormatError, FormatOptions};
use crate::RacingLine;
use crate::geometry::{Point, Projection};
use raceline_numerics::math;

/// Largest distance of a point from the origin, m: there the relative error of lengths is 4e-5.
const FARTHEST_M: f64 = 1e5;

/// Converts metres to degrees.
pub(super) struct Degrees {
    projection: Projection,
}

impl Degrees {
    /// Relative to the origin in the options or, without one, to that of the line's source.
    pub(super) fn new(line: &RacingLine, options: &FormatOptions, format: &'static str) -> Result<Self, FormatError> {
        let origin = options.geographic_origin_deg.or(line.source.geographic_origin_deg);
        let [longitude, latitude] = origin.ok_or(FormatError::NoGeographicOrigin { format })?;
        if !(longitude.abs() <= 180.0 && latitude.abs() <= 90.0) {
            return Err(FormatError::GeographicOrigin { longitude, latitude });
        }
        Ok(Self { projection: Projection::at([longitude, latitude]) })
    }

    /// Longitude and latitude of a position; `place` names the position in the error if it is too
    /// far away.
    pub(super) fn of(&self, position: [f64; 2], place: impl FnOnce() -> String) -> Result<[f64; 2], FormatError> {
        let distance = math::hypot(position[0], position[1]);
        let near = Some(Point::from(position)).filter(|_| distance <= FARTHEST_M);
        near.and_then(|point| self.projection.unproject(point)).ok_or_else(|| FormatError::FarFromOrigin {
            place: place(),
            distance_km: distance / 1e3,
            limit_km: FARTHEST_M / 1e3,
        })
    }
}
