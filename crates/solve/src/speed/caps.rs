//! Maximum speeds on stretches of a road.

use std::fmt::Debug;

use raceline_numerics::math;
use raceline_road::geometry::{Point, SplineCurve};

/// Maximum speeds along a road.
pub trait SpeedCaps: Debug + Sync {
    /// The maximum speed at each point of a line along the road, in the order of the points, m/s;
    /// infinite where there is none.
    fn along(&self, line: &[Point]) -> Vec<f64>;

    /// Parameters at which `curve`, a line along the road, passes the ends of the stretches,
    /// ascending. `count` is the number of places at which it is looked at.
    fn ends_on(&self, curve: &SplineCurve, count: usize) -> Vec<f64>;
}

/// Places to either side of an end that move with the one that meets it. Curvature through three
/// places is exact to the second order only where their distances change slowly: one place alone
/// that moved left a kink in the line that cost 0.5 % of a lap.
const MOVED_ALONG: usize = 12;
/// An end nearer to a neighbour of its place than this fraction of their distance is not met.
const MIN_GAP_FRACTION: f64 = 0.05;

/// `places`, increasing parameters on `curve`, with the nearest one of them moved to each end of a
/// stretch with a maximum speed, and its neighbours less and less with it: so a profile at them
/// begins and ends the stretch where it is. The first and the last place of an open curve, and the
/// first of a closed one, stay.
#[must_use]
pub fn places_at_ends(mut places: Vec<f64>, curve: &SplineCurve, caps: Option<&dyn SpeedCaps>) -> Vec<f64> {
    let Some(caps) = caps else { return places };
    let n = places.len();
    let last = if curve.is_closed() { n } else { n - 1 };
    // Places that stay, as those that met an end.
    let mut fixed = vec![0, last];
    for end in caps.ends_on(curve, n) {
        let nearest = (1..last).min_by(|&a, &b| (places[a] - end).abs().total_cmp(&(places[b] - end).abs()));
        let Some(k) = nearest.filter(|k| !fixed.contains(k)) else { continue };
        let after = places.get(k + 1).copied().unwrap_or(curve.length());
        let gap = MIN_GAP_FRACTION * (after - places[k - 1]);
        if end <= places[k - 1] + gap || end >= after - gap {
            continue;
        }
        let room = fixed.iter().map(|&at| at.abs_diff(k)).min().unwrap_or(1).min(MOVED_ALONG);
        let shift = end - places[k];
        for (i, place) in places.iter_mut().enumerate().take(k + room).skip(k + 1 - room) {
            let angle = std::f64::consts::PI * i.abs_diff(k) as f64 / room as f64;
            *place += 0.5 * shift * (1.0 + math::cos(angle));
        }
        places[k] = end;
        fixed.push(k);
    }
    places
}
