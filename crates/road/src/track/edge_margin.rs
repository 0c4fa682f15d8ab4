//! Room that lines keep to the edges of a road beside their margin, place by place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::places::Places;
use super::surface::{Profile, SurfaceError, check};

/// Largest additional margin, metres, and the range in words.
const LARGEST_M: f64 = 1000.0;
const RANGE: &str = "from 0 to 1000 m";

/// Room that lines keep to both edges at a place of the road, beside their margin: for a driver or a
/// robot that strays from the line. Between two places it is a cubic spline, never below 0; a closed road's
/// last place leads to the first.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// use raceline_road::track::{ClearanceOptions, EdgeMargin, usable};
///
/// let edge = |y: f64| (0..=20).map(|i| [10.0 * f64::from(i), y]).collect::<Vec<_>>();
/// let track = Track::from_points(&edge(8.0), &edge(0.0), RoadShape::Open, &TrackOptions::default())?;
/// let margins = [EdgeMargin { s_m: 100.0, left_m: 1.0, right_m: 0.5 }];
/// let clearance = ClearanceOptions::default();
/// let used = usable(&track, (&clearance, &margins), &TrackOptions::default(), 0.3, 4.0)?.unwrap();
/// assert!((used.sections[3].width() - 6.5).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EdgeMargin {
    /// Distance along the centre line from the start line, metres.
    pub s_m: f64,
    /// Room to the left edge, metres, 0 to 1000.
    #[serde(default)]
    pub left_m: f64,
    /// Room to the right edge, metres, 0 to 1000.
    #[serde(default)]
    pub right_m: f64,
}

/// The room to the left and to the right edge at each cross-section, metres.
///
/// # Errors
/// [`SurfaceError`] for places that do not fit the road, and for room out of its range.
pub(super) fn margins_at(margins: &[EdgeMargin], places: &Places) -> Result<Vec<[f64; 2]>, SurfaceError> {
    let length_m = places.length_m();
    let side = |key: &'static str, of: fn(&EdgeMargin) -> f64| {
        let points: Vec<[f64; 2]> = margins.iter().map(|margin| [margin.s_m, of(margin)]).collect();
        let list = "edge_margin";
        if let Some((i, &[_, value])) = points.iter().enumerate().find(|(_, point)| point[1] < 0.0) {
            return Err(SurfaceError::OutOfRange { profile: list, number: i + 1, key, value, range: RANGE });
        }
        check(list, key, &points, LARGEST_M, RANGE, length_m)?;
        Ok(Profile::new(&points, length_m, places.closed))
    };
    let (left, right) = (side("left_m", |margin| margin.left_m)?, side("right_m", |margin| margin.right_m)?);
    let room = |profile: &Option<Profile>, s: f64| profile.as_ref().map_or(0.0, |profile| profile.at(s).max(0.0));
    Ok(places.distances[..places.sections.len()].iter().map(|&s| [room(&left, s), room(&right, s)]).collect())
}
