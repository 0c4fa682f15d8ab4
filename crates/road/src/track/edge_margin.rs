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

#[cfg(test)]
mod tests {
    use super::EdgeMargin;
    use crate::edges::RoadShape;
    use crate::track::{ClearanceOptions, Track, TrackError, TrackOptions, usable};

    fn ring() -> Track {
        let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 72.0;
        let middle: Vec<[f64; 2]> = (0..72).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
        Track::from_centre_line(&middle, &[[5.0, 5.0]; 72], RoadShape::Closed, &TrackOptions::default()).unwrap()
    }

    fn used(margins: &[EdgeMargin]) -> Result<Option<Track>, TrackError> {
        let clearance = ClearanceOptions::default();
        usable(&ring(), (&clearance, margins), &TrackOptions::default(), 0.3, 4.0)
    }

    #[test]
    fn room_at_one_place_is_kept_along_the_whole_road() {
        let track = used(&[EdgeMargin { s_m: 10.0, left_m: 2.0, right_m: 1.0 }]).unwrap().unwrap();
        for section in &track.sections {
            // Driven counter-clockwise: the left edge is the inner one, of radius 55 m.
            assert!((section.left.coords.norm() - 57.0).abs() < 0.02, "{:?}", section.left);
            assert!((section.right.coords.norm() - 64.0).abs() < 0.02, "{:?}", section.right);
        }
    }

    #[test]
    fn room_changes_between_places_and_is_never_below_zero() {
        let margin = |s_m: f64, left_m: f64| EdgeMargin { s_m, left_m, right_m: 0.0 };
        let track = used(&[margin(0.0, 0.0), margin(100.0, 3.0), margin(200.0, 0.0)]).unwrap().unwrap();
        let inner: Vec<f64> = track.sections.iter().map(|section| section.left.coords.norm()).collect();
        let widest = inner.iter().copied().fold(0.0, f64::max);
        assert!((widest - 58.0).abs() < 0.2, "{widest}");
        assert!(inner.iter().all(|&radius| radius > 54.98), "{inner:?}");
    }

    #[test]
    fn without_margins_the_road_of_lines_stays() {
        assert!(used(&[]).unwrap().is_none());
    }

    #[test]
    fn wrong_margins_are_refused_with_their_number() {
        let margin = |s_m: f64, left_m: f64| EdgeMargin { s_m, left_m, right_m: 0.0 };
        let message = |margins: &[EdgeMargin]| used(margins).unwrap_err().to_string();
        assert!(message(&[margin(0.0, 0.1), margin(5.0, -0.1)]).contains("edge_margin point 2: left_m = -0.1"));
        assert!(message(&[margin(5.0, 0.1), margin(5.0, 0.1)]).contains("edge_margin point 2: s_m = 5"));
        assert!(message(&[margin(5000.0, 0.1)]).contains("beyond the end of the road"));
        assert!(used(&[margin(0.0, 9.9)]).is_err());
    }
}
