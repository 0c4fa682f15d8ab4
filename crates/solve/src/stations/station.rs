//! Stations: points along a line, each with the normal along which the line may move and its
//! bounds.

use rayon::prelude::*;

use super::grip_profile::GripProfile;
use crate::narrowing::moves;
use crate::pin::beside;
use crate::speed::{GripMap, Ground, SpeedCaps, places_at_ends};
use crate::{Corridor, EdgeDistance, SolveError};
use raceline_car::Jet;
use raceline_road::geometry::{Point, SplineCurve, Vector, left_of};

/// A point of a line from which the line may move along the normal.
#[derive(Clone, Copy, Debug)]
pub struct Station {
    pub origin: Point,
    /// Unit vector to the left.
    pub normal: Vector,
    /// Smallest offset, m, positive to the left.
    pub low: f64,
    /// Largest offset, m.
    pub high: f64,
    /// Curvature of the line here, 1/m.
    pub curvature: f64,
    /// Distance to the next station along the line, m; the last station of an open line repeats the
    /// previous one.
    pub step: f64,
    /// Local factor on the tyre limits; 1 unless set.
    pub grip: f64,
    /// Index of the profile of grip across the road; `None` where it does not change with the
    /// offset.
    pub profile: Option<usize>,
    /// Maximum speed here, m/s; infinite where there is none beside the vehicle's.
    pub max_speed_mps: f64,
    /// The road on average over the step to the next station; level unless set.
    pub ground: Ground,
}

impl Station {
    /// Room between the bounds on both sides of a point, and a small reserve, on a road of mean
    /// width `width_m`.
    pub fn room(&self, point: Point, width_m: f64) -> Room {
        let offset = (point - self.origin).dot(&self.normal);
        Room::beside([self.high - offset, offset - self.low], width_m)
    }

    /// The point at an offset.
    #[inline]
    pub fn point(&self, offset: f64) -> Point {
        self.origin + self.normal * offset
    }
}

/// Largest offset to either side, regardless of the edges: there are none across the mouth of a
/// crossing.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// To the left, m.
    pub left: f64,
    /// To the right, m.
    pub right: f64,
}

impl Room {
    /// Room beyond what is free to the left and to the right, m, on a road of mean width `width_m`:
    /// a tolerance more.
    pub fn beside(free_m: [f64; 2], width_m: f64) -> Self {
        let [left, right] = free_m.map(|free_m| free_m.max(0.0) + ROOM_WIDTHS * width_m);
        Self { left, right }
    }
}

/// A line with stations.
pub struct ReferenceLine {
    pub curve: SplineCurve,
    /// The room at each of the curve's knots.
    pub rooms: Vec<Room>,
}

/// Limits from the edges.
#[derive(Clone, Copy)]
pub struct Margin<'a> {
    /// Distances to the edges.
    pub edges: &'a EdgeDistance,
    /// Margin to every edge, m.
    pub distance_m: f64,
}

/// The normals of a bend meet at its centre; an offset is at most this fraction of the distance to
/// it.
const FOCAL_FRACTION: f64 = 0.7;
/// Tolerance by which a line may leave the bounds of its stations, in mean widths of the road.
const ROOM_WIDTHS: f64 = 0.05;
/// Relative tolerance of the margin.
const TOLERANCE: f64 = 1e-4;
/// Maximum number of steps towards the margin.
const MAX_STEPS: usize = 60;
/// Smallest room of a station, m, so that an interior exists.
const MIN_ROOM: f64 = 1e-3;

/// Sets the grip of stations from a map of it, that at their origins, and returns the profiles
/// across the road by which they refer to it.
pub fn set_grip(stations: &mut [Station], grip: Option<&dyn GripMap>) -> Vec<GripProfile> {
    let Some(grip) = grip else { return Vec::new() };
    let origins: Vec<Point> = stations.iter().map(|station| station.origin).collect();
    for (station, grip) in stations.iter_mut().zip(grip.along(&origins)) {
        station.grip = grip;
    }
    let profile = |station: &Station| {
        let &Station { origin, normal, low, high, step, .. } = station;
        GripProfile::ahead_of(grip, origin, normal, [low, high], step)
    };
    let found: Vec<Option<GripProfile>> = stations.par_iter().map(profile).collect();
    let mut profiles = Vec::new();
    for (station, profile) in stations.iter_mut().zip(found) {
        if let Some(profile) = profile {
            // The patches of the interval take the place of those at the origin itself.
            let here = grip.patches_across(station.origin, station.normal, &[0.0]);
            station.grip *= profile.jet(0.0).value / here.and_then(|here| here.first().copied()).unwrap_or(1.0);
            station.profile = Some(profiles.len());
            profiles.push(profile);
        }
    }
    profiles
}

/// The grip at an offset: `grip` at the origin, where the profile is `profile`.
pub fn grip_at(grip: f64, profile: Option<&GripProfile>, offset: f64) -> Jet {
    let Some(profile) = profile else { return Jet { value: grip, slope: 0.0, bend: 0.0 } };
    let (here, factor) = (profile.jet(offset), grip / profile.jet(0.0).value);
    Jet { value: factor * here.value, slope: factor * here.slope, bend: factor * here.bend }
}

/// Stations at these places of a line, moved so that there is one where maximum speeds begin and
/// end.
pub fn stations(line: &ReferenceLine, places: Vec<f64>, margin: Margin, caps: Option<&dyn SpeedCaps>) -> Vec<Station> {
    let curve = &line.curve;
    let places = places_at_ends(places, curve, caps);
    let mut stations: Vec<Station> = (0..places.len())
        .into_par_iter()
        .map(|i| {
            let place = curve.at(places[i]);
            let normal = left_of(place.first).try_normalize(1e-12).unwrap_or_else(Vector::y);
            let curvature = place.curvature();
            let room = line.room_at(places[i]);
            let focal = FOCAL_FRACTION / curvature.abs().max(1e-12);
            let reach = |room: f64, inside: bool| if inside { room.min(focal) } else { room };
            let high = margin.free_offset(place.position, normal, reach(room.left, curvature > 0.0), true);
            let low = -margin.free_offset(place.position, -normal, reach(room.right, curvature < 0.0), false);
            let step = match places.get(i + 1) {
                Some(next) => next - places[i],
                None if curve.is_closed() => curve.length() - places[i],
                None => places[i] - places[i - 1],
            };
            Station {
                origin: place.position,
                normal,
                low,
                high,
                curvature,
                step,
                grip: 1.0,
                profile: None,
                max_speed_mps: f64::INFINITY,
                ground: Ground::LEVEL,
            }
        })
        .collect();
    margin.keep_between(&mut stations, curve.is_closed());
    for pin in margin.edges.pins() {
        let Some((beside, offset)) = beside(curve, &places, pin.place) else { continue };
        for i in beside {
            let station = &mut stations[i];
            station.low = station.low.max(offset - pin.reach_m());
            station.high = station.high.min(offset + pin.reach_m());
        }
    }
    if let Some(caps) = caps {
        let origins: Vec<Point> = stations.iter().map(|station| station.origin).collect();
        for (station, cap) in stations.iter_mut().zip(caps.along(&origins)) {
            station.max_speed_mps = cap;
        }
    }
    for station in &mut stations {
        if station.high - station.low < MIN_ROOM {
            let middle = f64::midpoint(station.low, station.high);
            (station.low, station.high) = (middle - 0.5 * MIN_ROOM, middle + 0.5 * MIN_ROOM);
        }
    }
    stations
}

/// Fixes the first and the last station, where `pinned`, at the line.
pub fn pin_ends(stations: &mut [Station], pinned: [bool; 2]) {
    let last = stations.len().saturating_sub(1);
    for (station, is_pinned) in [0, last].into_iter().zip(pinned) {
        if is_pinned {
            (stations[station].low, stations[station].high) = (0.0, 0.0);
        }
    }
}

impl ReferenceLine {
    /// The line that crosses the corridor's sections at `alpha`; its room ends where the sections
    /// end.
    ///
    /// # Errors
    /// [`SolveError::Degenerate`] when two of its points coincide.
    pub fn through(corridor: &Corridor, alpha: &[f64], margin_m: f64) -> Result<Self, SolveError> {
        let curve = SplineCurve::through(&corridor.points(alpha), corridor.closed).ok_or(SolveError::Degenerate)?;
        let rooms = corridor.sections.iter().zip(alpha).map(|(section, &alpha)| {
            let room = |fraction: f64| (fraction * section.width() - margin_m).max(0.0);
            Room { left: room(1.0 - alpha), right: room(alpha) }
        });
        Ok(Self { rooms: rooms.collect(), curve })
    }

    /// The room at a parameter, linear between the knots.
    fn room_at(&self, s: f64) -> Room {
        let positions = self.curve.positions();
        let n = self.rooms.len();
        let i = positions.partition_point(|&p| p <= s).clamp(1, positions.len() - 1) - 1;
        let t = (s - positions[i]) / (positions[i + 1] - positions[i]);
        let (a, b) = (self.rooms[i % n], self.rooms[(i + 1) % n]);
        Room { left: a.left + t * (b.left - a.left), right: a.right + t * (b.right - a.right) }
    }
}

impl Margin<'_> {
    /// Distance from `from` along `direction` at which the margin to the edge on that side is
    /// reached; negative where the margin is violated already. A step by the free distance cannot
    /// skip the margin, since distance changes by at most a metre per metre.
    pub(crate) fn free_offset(&self, from: Point, direction: Vector, reach: f64, to_left: bool) -> f64 {
        let mut offset = 0.0;
        for _ in 0..MAX_STEPS {
            let free = self.free(from + direction * offset, to_left);
            if free.abs() <= TOLERANCE * self.distance_m {
                break;
            }
            offset += free;
            if offset >= reach {
                return reach;
            }
        }
        offset
    }

    /// Distance to the edge on one side, less the margin, m.
    fn free(&self, point: Point, to_left: bool) -> f64 {
        self.edges.to_edge(point, to_left) - self.distance_m
    }

    /// What lacks to the margin on one side, m; 0 where nothing does.
    fn missing(&self, point: Point, to_left: bool) -> f64 {
        self.edges.missing_to_edge_m(point, self.distance_m, to_left)
    }

    /// Moves bounds inwards where the curve between two neighbouring ones would violate the margin.
    /// The curve lies outside its chord by κ d²/8.
    fn keep_between(&self, stations: &mut [Station], closed: bool) {
        let n = stations.len();
        let intervals = if closed { n } else { n - 1 };
        let missing: Vec<[[f64; 2]; 2]> = (0..intervals)
            .into_par_iter()
            .map(|i| {
                let (a, b) = (&stations[i], &stations[(i + 1) % n]);
                let bulge = (a.normal + b.normal) * (0.5 * (a.curvature + b.curvature) * a.step * a.step / 16.0);
                let between = |x: f64, y: f64| nalgebra::center(&a.point(x), &b.point(y)) - bulge;
                let low = self.missing(between(a.low, b.low), false);
                let high = self.missing(between(a.high, b.high), true);
                if self.edges.no_go().is_empty() {
                    return [[low; 2], [high; 2]];
                }
                [moves(low, 0.5, b.low - a.low), moves(high, 0.5, a.high - b.high)]
            })
            .collect();
        for i in 0..n {
            let before = if closed || i > 0 { missing[(i + intervals - 1) % intervals] } else { [[0.0; 2]; 2] };
            let after = missing.get(i).copied().unwrap_or([[0.0; 2]; 2]);
            stations[i].low += before[0][1].max(after[0][0]);
            stations[i].high -= before[1][1].max(after[1][0]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GripMap, Point, Station, Vector, set_grip};
    use crate::speed::Ground;

    /// A road along x with 0.8 of the grip, and half of that from 10 to 14 m on all of its width.
    #[derive(Debug)]
    struct Band;

    impl GripMap for Band {
        fn along(&self, line: &[Point]) -> Vec<f64> {
            line.iter().map(|place| if (10.0..14.0).contains(&place.x) { 0.4 } else { 0.8 }).collect()
        }

        fn patches_across(&self, origin: Point, _across: Vector, offsets: &[f64]) -> Option<Vec<f64>> {
            (10.0..14.0).contains(&origin.x).then(|| vec![0.5; offsets.len()])
        }
    }

    #[test]
    fn a_patch_counts_once_from_the_station_before_it_on() {
        let station = |x: f64| Station {
            origin: Point::new(x, 0.0),
            normal: Vector::y(),
            low: -3.0,
            high: 3.0,
            curvature: 0.0,
            step: 3.0,
            grip: 1.0,
            profile: None,
            max_speed_mps: f64::INFINITY,
            ground: Ground::LEVEL,
        };
        let mut stations = [2.0, 5.0, 8.0, 11.0, 14.0].map(station);
        let profiles = set_grip(&mut stations, Some(&Band));
        // The patch is ahead of the station at 8 m, and around that at 11 m.
        for (station, grip) in stations.iter().zip([0.8, 0.8, 0.4, 0.4, 0.8]) {
            assert!((station.grip - grip).abs() < 1e-12, "{}: {}", station.origin.x, station.grip);
        }
        assert_eq!(stations.map(|station| station.profile), [None, None, Some(0), Some(1), None]);
        assert_eq!(profiles.len(), 2);
        let mut alone = stations;
        alone.iter_mut().for_each(|station| station.grip = 1.0);
        assert!(set_grip(&mut alone, None).is_empty() && alone.iter().all(|station| station.grip == 1.0));
    }
}
