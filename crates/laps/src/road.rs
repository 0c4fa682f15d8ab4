//! The road that the laps of a session used.

use raceline_numerics::math;
use raceline_road::geometry::{Point, Polyline, SegmentIndex, Vector, left_of};

use serde::{Deserialize, Serialize};

use super::session::Session;

/// A road about driven laps: its middle and the distances to both edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrivenRoad {
    /// The middle, from the start line on, m; the last point leads back to the first.
    pub points: Vec<[f64; 2]>,
    /// Distances to the left and to the right edge, m.
    pub widths_m: Vec<[f64; 2]>,
    /// Number of laps.
    pub laps: usize,
    /// Mean distance between the outermost laps, m.
    pub spread_m: f64,
}

/// How a road is made of laps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadOptions {
    /// Width of the road, m. Default: what the laps used, with the vehicle's width and the margin.
    pub width_m: Option<f64>,
    /// Width of the vehicle that drove, m.
    pub vehicle_width_m: f64,
    /// Beyond the outermost wheels, m.
    pub margin_m: f64,
}

impl RoadOptions {
    /// Beyond the outermost wheels a road of laps has this much, m, unless something else is known.
    pub const MARGIN_M: f64 = 0.3;
}

/// Distance between two points of the middle, m.
const STEP_M: f64 = 4.0;
/// A lap farther from the usual line than this is elsewhere, m.
const FARTHEST_M: f64 = 20.0;
/// Standard deviation of the smoothing along the road, m.
const SMOOTHING_M: f64 = 12.0;

impl Session {
    /// The road of the whole laps. `None` where no lap is whole.
    #[must_use]
    pub fn road(&self, options: &RoadOptions) -> Option<DrivenRoad> {
        let mut whole: Vec<_> = self.table.whole().collect();
        whole.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
        let usual = self.lap_line(whole.get(whole.len() / 2)?.number)?;
        let count = (usual.length() / STEP_M).ceil() as usize;
        let lengths = usual.arc_lengths();
        let station = |i: usize| usual.point_at(&lengths, usual.length() * i as f64 / count as f64);
        let stations: Vec<Point> = (0..count).map(station).collect();
        let normal = |i: usize| -> Vector {
            let along = stations[(i + 1) % count] - stations[(i + count - 1) % count];
            left_of(along) / along.norm().max(f64::MIN_POSITIVE)
        };
        let (mut low, mut high) = (vec![0.0_f64; count], vec![0.0_f64; count]);
        for lap in &whole {
            let Some(line) = self.lap_line(lap.number) else { continue };
            let index = SegmentIndex::new(&line, 5.0);
            for (i, &here) in stations.iter().enumerate() {
                let Some(nearest) = index.nearest(here).filter(|nearest| nearest.distance < FARTHEST_M) else {
                    continue;
                };
                let offset = (nearest.point - here).dot(&normal(i));
                low[i] = low[i].min(offset);
                high[i] = high[i].max(offset);
            }
        }
        let [low, high] = [smoothed(&low), smoothed(&high)];
        let spread_m = low.iter().zip(&high).map(|(low, high)| high - low).sum::<f64>() / count.max(1) as f64;
        let beside = options.vehicle_width_m / 2.0 + options.margin_m;
        let points = (0..count).map(|i| stations[i] + normal(i) * ((low[i] + high[i]) / 2.0));
        let half = |i: usize| options.width_m.map_or((high[i] - low[i]) / 2.0 + beside, |width| width / 2.0);
        Some(DrivenRoad {
            points: points.map(|point| [point.x, point.y]).collect(),
            widths_m: (0..count).map(|i| [half(i); 2]).collect(),
            laps: whole.len(),
            spread_m,
        })
    }
}

impl DrivenRoad {
    /// The road with `width_m` all along, or else wider than this one by `beside_m` on either side, m.
    #[must_use]
    pub fn widened(&self, width_m: Option<f64>, beside_m: f64) -> Self {
        let side = |side_m: f64| width_m.map_or(side_m + beside_m, |width_m| width_m / 2.0);
        Self { widths_m: self.widths_m.iter().map(|sides| sides.map(side)).collect(), ..self.clone() }
    }

    /// The middle as a closed line.
    #[must_use]
    pub fn middle(&self) -> Polyline {
        Polyline::closed(self.points.iter().copied().map(Point::from).collect())
    }
}

/// Values round a closed road under a Gaussian.
fn smoothed(values: &[f64]) -> Vec<f64> {
    let count = values.len();
    let reach = (3.0 * SMOOTHING_M / STEP_M).ceil() as isize;
    let weight = |offset: isize| math::exp(-0.5 * math::powi(offset as f64 * STEP_M / SMOOTHING_M, 2));
    let at = |i: usize| {
        let (mut sum, mut weights) = (0.0, 0.0);
        for offset in -reach..=reach {
            let place = (i as isize + offset).rem_euclid(count as isize) as usize;
            sum += weight(offset) * values[place];
            weights += weight(offset);
        }
        sum / weights
    };
    (0..count).map(at).collect()
}
