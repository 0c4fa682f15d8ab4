//! A road for the tests of several modules.

use super::{Ahead, Gaps, Station};
use crate::planned_route::STATIONS;

/// A straight road with stations every 3 m at 15 m/s, 5 m to either side, with the largest speed `top`, m/s.
pub(in crate::local_planner) fn road(top: f64) -> Ahead {
    let at = |k: usize| {
        let s = 3.0 * k as f64;
        Station { s, time: s / 15.0, speed: 15.0, curvature: 0.0, top, grip: 8.0 }
    };
    let corridor = Gaps { low: [-5.0; STATIONS], high: [5.0; STATIONS] };
    Ahead { stations: std::array::from_fn(at), step: 3.0, corridor }
}
