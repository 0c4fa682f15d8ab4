//! The properties of a vehicle that determine which part of a road it uses.

use raceline_car::Vehicle;
use raceline_road::track::Track;

use super::options::LineOptions;

/// All that the preparation of a road takes from a vehicle. One preparation serves all vehicles
/// with equal uses of the road.
///
/// The preparation gets this in place of the vehicle, so that it cannot depend on anything else.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_car::{Vehicle, preset};
/// use raceline_solve::{LineOptions, RoadUse};
///
/// let (kart, options) = (preset("kart")?, LineOptions::default());
/// let of = |vehicle: &Vehicle| RoadUse::new(&track, &options, vehicle);
/// assert_eq!(of(&kart), of(&Vehicle { mass_kg: 300.0, ..kart.clone() }));
/// assert_ne!(of(&kart), of(&Vehicle { width_m: 2.0, ..kart.clone() }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RoadUse {
    /// Margin of the vehicle's centre to the edges, metres.
    pub(super) margin_m: f64,
    /// Properties that the clearances of walls and kerbs and further margins depend on; `None`
    /// where all edges are lines without these.
    pub(super) clearance: Option<Clearance>,
    /// The vehicle whose laps decide about obstacles and pick-ups; `None` where there are none.
    pub(super) decider: Option<Box<Vehicle>>,
}

/// Properties that the road between walls and kerbs depends on, beside their clearances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clearance {
    /// Distance that the vehicle keeps from lines, metres.
    pub safety_distance_m: f64,
    /// Length of the vehicle, metres: it affects the default spacing of the cross-sections.
    pub length_m: f64,
}

impl RoadUse {
    /// How `vehicle` uses `track` with `options`.
    #[must_use]
    pub fn new(track: &Track, options: &LineOptions, vehicle: &Vehicle) -> Self {
        let &Vehicle { safety_distance_m, length_m, .. } = vehicle;
        Self {
            margin_m: vehicle.margin_m(),
            clearance: (!track.has_only_lines() || !options.edge_margin.is_empty())
                .then_some(Clearance { safety_distance_m, length_m }),
            decider: options.has_decisions().then(|| Box::new(vehicle.clone())),
        }
    }

    /// A key that is equal for equal uses, in the order of the margins; `None` for a use with
    /// decisions about obstacles and pick-ups, which depends on all of the vehicle.
    #[must_use]
    pub fn key(&self) -> Option<[u64; 3]> {
        let clearance = self.clearance.map_or([0; 2], |at| [at.safety_distance_m.to_bits(), at.length_m.to_bits()]);
        self.decider.is_none().then_some([self.margin_m.to_bits(), clearance[0], clearance[1]])
    }
}
