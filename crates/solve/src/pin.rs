//! Places that the line passes within a tolerance.
//!
//! A pin narrows the bounds of the line where it passes the place: of a cross-section through the
//! place ([`Corridor`](crate::Corridor)), and of the stations beside it, on the normals of the line
//! itself. So every method keeps it as it keeps the edges.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SolveError;
use super::constraint_error::ConstraintError;
use raceline_numerics::bisected;
use raceline_road::frame::Spot;
use raceline_road::geometry::{Point, Segment, SplineCurve, Vector};
use raceline_road::track::{CrossSection, Track};

/// Maximum number of pins, and of speed caps: each takes up to three more searches for its price.
pub const MAX_CONSTRAINTS: usize = 50;
/// Smallest and largest tolerance, m, and the range in words.
const TOLERANCE_M: (f64, f64) = (0.01, 1000.0);
const TOLERANCE_RANGE: &str = "a tolerance_m from 0.01 to 1000 m";
/// The searches keep a pin with this much less tolerance, m: between stations a line is a curve.
const RESERVE_M: f64 = 0.002;

/// A place that the line passes within a tolerance.
///
/// ```
/// use raceline_road::frame::Spot;
/// use raceline_solve::Pin;
///
/// let pin = Pin { at: Spot::Metres([60.0, 2.0]), tolerance_m: 0.1 };
/// assert!(pin.validate().is_ok());
/// assert!(Pin { tolerance_m: 0.0, ..pin }.validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The place, metres or pixels as `start`.
    pub at: Spot,
    /// Largest distance of the line from it, metres, 0.01 to 1000. Default: 0.1.
    #[serde(default = "default_tolerance_m")]
    pub tolerance_m: f64,
}

fn default_tolerance_m() -> f64 {
    0.1
}

impl Pin {
    /// Checks the tolerance.
    ///
    /// # Errors
    /// The number that is outside its range, and the range.
    pub fn validate(&self) -> Result<(), (f64, &'static str)> {
        let (low, high) = TOLERANCE_M;
        if (low..=high).contains(&self.tolerance_m) { Ok(()) } else { Err((self.tolerance_m, TOLERANCE_RANGE)) }
    }

    /// The pin on a road about `origin`; `number` counts from 1.
    ///
    /// # Errors
    /// A tolerance out of its range, and a place that is not in metres.
    fn on_road(&self, number: usize, origin: Vector) -> Result<PinnedPlace, ConstraintError> {
        // Smaller ones than the options may have measure what a pin costs.
        if !(self.tolerance_m > RESERVE_M && self.tolerance_m < f64::INFINITY) {
            let value = self.tolerance_m;
            return Err(ConstraintError::Tolerance { number, value, range: TOLERANCE_RANGE });
        }
        let list = "pin";
        let [x, y] = match self.at {
            Spot::Metres(place) if place.iter().all(|value| value.is_finite()) => place,
            Spot::Metres(_) => return Err(ConstraintError::NotFinite { list, number }),
            Spot::Pixels(_) => return Err(ConstraintError::NoPicture { list, number }),
            Spot::Degrees(_) => return Err(ConstraintError::NoGlobe { list, number }),
        };
        Ok(PinnedPlace { number, place: Point::new(x, y) - origin, tolerance_m: self.tolerance_m })
    }
}

/// A pin on a road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PinnedPlace {
    /// Number in the options, from 1.
    pub number: usize,
    /// The place about the road's origin.
    pub place: Point,
    /// Largest distance of the line, m.
    pub tolerance_m: f64,
}

impl PinnedPlace {
    /// Half the width of the range that searches leave the line, m.
    pub(crate) fn reach_m(&self) -> f64 {
        self.tolerance_m - RESERVE_M
    }

    /// By how much `line` misses the tolerance, m; 0 or less where it passes the place.
    pub(crate) fn missed_by_m(&self, line: impl Iterator<Item = Point>) -> f64 {
        let (mut before, mut nearest) = (None, f64::INFINITY);
        for point in line {
            let piece = Segment::new(before.unwrap_or(point), point);
            nearest = nearest.min(piece.distance(self.place));
            before = Some(point);
        }
        nearest - self.tolerance_m
    }
}

/// The pins on a road about `origin`.
///
/// # Errors
/// [`SolveError::Constraint`] for a tolerance out of its range, and for a place that is not in
/// metres.
pub fn pins_on_road(pins: &[Pin], origin: Vector) -> Result<Vec<PinnedPlace>, SolveError> {
    pins.iter().enumerate().map(|(i, pin)| Ok(pin.on_road(i + 1, origin)?)).collect()
}

/// The road with a cross-section through each pin, as far as no two of them are at the same
/// section.
///
/// # Errors
/// [`ConstraintError::OffRoad`] for a place beside the road.
pub(crate) fn sections_through(track: &Track, pins: &[PinnedPlace]) -> Result<Track, ConstraintError> {
    let mut track = track.clone();
    let mut kept = Vec::with_capacity(pins.len());
    for &PinnedPlace { number, place, .. } in pins {
        let off_road = || ConstraintError::OffRoad { number, x_m: place.x, y_m: place.y };
        let (moved, index) = track.with_section_through(place, &kept).ok_or_else(off_road)?;
        track = moved;
        kept.push(index);
    }
    Ok(track)
}

/// Narrows the bounds `low` and `high` of the sections beside the pins.
///
/// # Errors
/// A pin that the bounds do not reach, or that another one contradicts.
pub(crate) fn narrow_sections(
    sections: &[CrossSection],
    (low, high): (&mut [f64], &mut [f64]),
    pins: &[PinnedPlace],
) -> Result<(), ConstraintError> {
    let mut owners: Vec<(usize, usize)> = Vec::new();
    for pin in pins {
        let far = |i: &usize| Segment::new(sections[*i].right, sections[*i].left).distance(pin.place);
        let Some(index) = (0..sections.len()).min_by(|a, b| far(a).total_cmp(&far(b))) else { continue };
        let section = &sections[index];
        let width = section.width();
        let alpha = (pin.place - section.right).dot(&section.span()) / (width * width);
        let reach = pin.reach_m() / width;
        let (from, to) = (low[index].max(alpha - reach), high[index].min(alpha + reach));
        if from > to {
            let PinnedPlace { number, place, .. } = *pin;
            let (x_m, y_m) = (place.x, place.y);
            return Err(match owners.iter().find(|(at, _)| *at == index) {
                Some(&(_, other)) => ConstraintError::Contradiction { number, other, x_m, y_m },
                None => ConstraintError::OutOfReach { number, x_m, y_m, missing_m: (from - to) * width },
            });
        }
        (low[index], high[index]) = (from, to);
        owners.push((index, pin.number));
    }
    Ok(())
}

/// Halvings of an interval between two stations in which the foot of a place is sought.
const HALVINGS: usize = 50;

/// The two stations between which `curve` passes `place`, and the place's distance from it there,
/// m, positive to the left. `places` are the parameters of the stations.
pub(crate) fn beside(curve: &SplineCurve, places: &[f64], place: Point) -> Option<([usize; 2], f64)> {
    let n = places.len();
    let ahead = |s: f64| {
        let at = curve.at(s);
        (place - at.position).dot(&at.first)
    };
    let intervals = if curve.is_closed() { n } else { n.saturating_sub(1) };
    let end = |i: usize| if i + 1 < n { places[i + 1] } else { curve.length() };
    let is_between = |i: &usize| ahead(places[*i]) >= 0.0 && ahead(end(*i)) < 0.0;
    let far = |i: &usize| (curve.at(places[*i]).position - place).norm();
    let interval = (0..intervals).filter(is_between).min_by(|a, b| far(a).total_cmp(&far(b)))?;
    let [foot, _] = bisected([places[interval], end(interval)], HALVINGS, |s| ahead(s) >= 0.0);
    let at = curve.at(foot);
    let normal = raceline_road::geometry::left_of(at.first).try_normalize(1e-12)?;
    Some(([interval, (interval + 1) % n], (place - at.position).dot(&normal)))
}
