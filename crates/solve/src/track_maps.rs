//! Grip, maximum speeds and heights of a track as the speed profile asks for them.

use crate::speed::{GripMap, Ground, LoadOptions, Relief, SpeedCaps};
use raceline_road::geometry::{CurvePoint, Point, SplineCurve, Vector};
use raceline_road::track::{TrackGrip, TrackRelief, TrackSpeedCaps};

// Here, because `speed` does not depend on tracks and `track` does not depend on speeds.
impl GripMap for TrackGrip {
    fn along(&self, line: &[Point]) -> Vec<f64> {
        Self::along(self, line)
    }

    fn patches_across(&self, origin: Point, across: Vector, offsets: &[f64]) -> Option<Vec<f64>> {
        Self::patches_across(self, origin, across, offsets)
    }
}

impl SpeedCaps for TrackSpeedCaps {
    fn along(&self, line: &[Point]) -> Vec<f64> {
        Self::along(self, line)
    }

    fn ends_on(&self, curve: &SplineCurve, count: usize) -> Vec<f64> {
        Self::ends_on(self, curve, count)
    }
}

/// The heights of a track, with the choice of what they change.
#[derive(Clone, Debug)]
pub struct LoadedRelief {
    /// The heights.
    pub relief: TrackRelief,
    /// How vertical curvature changes the load of the tyres.
    pub load: LoadOptions,
}

impl Relief for LoadedRelief {
    fn along(&self, line: &[CurvePoint]) -> Vec<Ground> {
        let heights = self.relief.along(line.iter().map(|point| point.position));
        line.iter()
            .zip(heights)
            .map(|(point, slope)| {
                let along = point.first.try_normalize(1e-12).unwrap_or_else(Vector::x);
                Ground::under(&slope, along, point.curvature(), &self.load)
            })
            .collect()
    }
}
