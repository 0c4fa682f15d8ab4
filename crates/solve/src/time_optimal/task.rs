//! What the search is given.

use crate::speed::{FixedLine, Ground, Lap, SpeedProfile};
use crate::stations::Station;
use crate::{Corridor, EdgeDistance, SolveError};

/// Input of the search.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_car::preset;
/// use raceline_solve::time_optimal::{Status, Task, time_optimal};
/// use raceline_solve::{Corridor, EdgeDistance};
///
/// let (vehicle, edges) = (preset("kart")?, EdgeDistance::new(&track));
/// let margin_m = vehicle.margin_m();
/// let corridor = Corridor::new(&track, &edges, margin_m)?;
/// let spacing_m = track.spacing_m;
/// let task = Task { corridor: &corridor, edges: &edges, margin_m, spacing_m, lap: (&vehicle).into() };
/// let line = time_optimal(task, &corridor.middle())?;
/// assert_eq!(line.status, Status::Converged);
/// // The fastest circle is the inner one: its time is proportional to the root of its radius.
/// assert!(line.points.iter().all(|point| point.coords.norm() < 55.0 + margin_m + 0.1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The road's cross-sections, which define the start line.
    pub corridor: &'a Corridor,
    /// Distances to the edges of the road.
    pub edges: &'a EdgeDistance,
    /// Margin to the edges, m.
    pub margin_m: f64,
    /// Distance between cross-sections on straights, m; it scales the density of stations.
    pub spacing_m: f64,
    /// The vehicle, the speeds at the ends of an open road, and the grip.
    pub lap: Lap<'a>,
}

impl Task<'_> {
    /// The point mass's speed profile on the line through the stations' origins, with the road at
    /// each station; level without `grounds`.
    ///
    /// # Errors
    /// [`SolveError::Speed`] for a vehicle that cannot drive the line.
    pub(crate) fn profile(&self, stations: &[Station], grounds: Option<&[Ground]>) -> Result<SpeedProfile, SolveError> {
        let curvature: Vec<f64> = stations.iter().map(|station| station.curvature).collect();
        let caps: Vec<f64> = stations.iter().map(|station| station.max_speed_mps).collect();
        let grip: Vec<f64> = stations.iter().map(|station| station.grip).collect();
        let intervals = if self.corridor.closed { stations.len() } else { stations.len() - 1 };
        let steps: Vec<f64> = stations[..intervals].iter().map(|station| station.step).collect();
        let speeds = self.lap.speeds;
        let line = FixedLine {
            curvature: &curvature,
            step_lengths: &steps,
            course: speeds.course(self.corridor.closed),
            grip: Some(&grip),
            turning: speeds.turning,
            grounds,
            caps: self.lap.caps.map(|_| &*caps),
        };
        Ok(line.profile(self.lap.vehicle)?)
    }
}
