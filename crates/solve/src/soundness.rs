//! Whether a line is a racing line at all.
//!
//! A search that failed may end with a line of points within the corridor that no vehicle can
//! follow. Its lap time does not show that, so a line is judged by its shape.

use super::EdgeDistance;
use super::fault::Fault;
use super::pin::PinnedPlace;
use crate::speed::DrivenLine;
use raceline_road::geometry::Point;
use raceline_road::track::{CrossSection, Track};

/// Relative rounding error of a curvature.
const CURVATURE_TOLERANCE: f64 = 1e-9;
/// Largest violation of the margin, as a fraction of it.
pub(crate) const MAX_MISSING_FRACTION: f64 = 0.1;
/// A line may miss the tolerance of a pin by this, m.
const PIN_SLACK_M: f64 = 0.001;
/// A line may be longer than the longer side of the road by this factor.
const LENGTH_FACTOR: f64 = 1.1;

/// Requirements on a sound line.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_car::preset;
/// use raceline_solve::speed::DrivenLine;
/// use raceline_solve::{EdgeDistance, Fault, Soundness};
///
/// let vehicle = preset("kart")?;
/// let line = DrivenLine::through(&track.centre_line().points, true, &vehicle)?;
/// let edges = EdgeDistance::new(&track);
/// let sound = Soundness::new(&track, vehicle.margin_m(), vehicle.max_curvature_radpm);
/// assert_eq!(sound.fault(&line, &edges), None);
/// // A margin of more than half the road.
/// let strict = Soundness { margin_m: 6.0, ..sound };
/// assert!(matches!(strict.fault(&line, &edges), Some(Fault::Margin { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Soundness {
    /// Margin to the edges, metres.
    pub margin_m: f64,
    /// Largest curvature that the vehicle's steering allows, 1/m.
    pub max_curvature_radpm: f64,
    /// Length of the longest line along the road, metres.
    pub longest_m: f64,
}

impl Soundness {
    /// The requirements on lines along `track` with the given margin.
    #[must_use]
    pub fn new(track: &Track, margin_m: f64, max_curvature_radpm: f64) -> Self {
        // The longest line that goes straight from section to section is always on the side whose
        // ends are farther apart.
        let advance = |a: &CrossSection, b: &CrossSection| (b.left - a.left).norm().max((b.right - a.right).norm());
        let between: f64 = track.sections.windows(2).map(|pair| advance(&pair[0], &pair[1])).sum();
        let closing = match (track.sections.first(), track.sections.last()) {
            (Some(first), Some(last)) if track.closed => advance(last, first),
            _ => 0.0,
        };
        Self { margin_m, max_curvature_radpm, longest_m: between + closing }
    }

    /// The first requirement that `line` does not satisfy.
    #[must_use]
    pub fn fault(&self, line: &DrivenLine, edges: &EdgeDistance) -> Option<Fault> {
        if line.length_m > LENGTH_FACTOR * self.longest_m {
            return Some(Fault::Length { length_m: line.length_m, longest_m: self.longest_m });
        }
        let limit_radpm = self.max_curvature_radpm;
        let sharpest = line.points.iter().max_by(|a, b| a.curvature().abs().total_cmp(&b.curvature().abs()));
        let max_radpm = limit_radpm * (1.0 + CURVATURE_TOLERANCE);
        if let Some(place) = sharpest.filter(|place| place.curvature().abs() > max_radpm) {
            let Point { coords } = place.position;
            let curvature_radpm = place.curvature().abs();
            return Some(Fault::Steering { x_m: coords.x, y_m: coords.y, curvature_radpm, limit_radpm });
        }
        let (missing_m, at) = line
            .between()
            .map(|p| (edges.missing_m(p, self.margin_m), p))
            .fold((0.0, Point::origin()), |worst: (f64, Point), here| if here.0 > worst.0 { here } else { worst });
        if missing_m > MAX_MISSING_FRACTION * self.margin_m {
            return Some(Fault::Margin { x_m: at.x, y_m: at.y, missing_m, margin_m: self.margin_m });
        }
        missed_pin(line, edges.pins())
    }
}

/// The first of the pins that `line` does not pass.
fn missed_pin(line: &DrivenLine, pins: &[PinnedPlace]) -> Option<Fault> {
    let closing = line.between().next().filter(|_| line.is_closed());
    pins.iter().find_map(|pin| {
        let missed_m = pin.missed_by_m(line.between().chain(closing));
        (missed_m > PIN_SLACK_M).then_some(Fault::Pin {
            number: pin.number,
            x_m: pin.place.x,
            y_m: pin.place.y,
            distance_m: pin.tolerance_m + missed_m,
            tolerance_m: pin.tolerance_m,
        })
    })
}
