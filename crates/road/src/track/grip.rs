//! Grip of the road: that of its surface, and stretches and patches on which both tyre limits are
//! multiplied by a factor.
//!
//! A stretch is specified by distances along the centre line. The distance of a place on the road
//! is interpolated between the two nearest cross-sections by its distance from each.

use super::grip_patch::{Grip, GripStrip, PolygonPatch};
use super::grip_stretch::{GripStretch, factor_of};
use super::places::{Place, Places};
use super::stretch::{Extent, Stretch, StretchError};
use super::{SectionSurface, Track};
use crate::geometry::{Point, Vector};

/// The grip at every place of a track.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_road::track::{GripStretch, TrackGrip};
///
/// // Wet between 50 m and 100 m, with ramps of 5 m.
/// let wet = GripStretch { from_m: 50.0, to_m: 100.0, factor: 0.7, ramp_m: 5.0 };
/// let grip = TrackGrip::new(&track, &[wet])?.unwrap();
/// assert_eq!((grip.at_distance(20.0), grip.at_distance(75.0)), (1.0, 0.7));
/// assert!(TrackGrip::new::<GripStretch>(&track, &[])?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TrackGrip {
    parts: Vec<Part>,
    /// Grip of the surface on each section, at its right and its left end.
    surface: Option<Vec<[f64; 2]>>,
    places: Places,
}

/// A part of the road with its own grip.
#[derive(Clone, Debug)]
enum Part {
    Stretch(Stretch, GripStretch),
    Strip(Stretch, GripStrip),
    Polygon(PolygonPatch),
    /// One whose grip is that of the rest.
    Removed,
}

impl TrackGrip {
    /// The grip of `track` with these stretches and patches; `None` if the grip is 1 everywhere.
    ///
    /// # Errors
    /// [`StretchError`] for a stretch that is out of range, beyond the road's end or without length.
    pub fn new<G: Into<Grip> + Clone>(track: &Track, parts: &[G]) -> Result<Option<Self>, StretchError> {
        let grips = |surface: &Vec<SectionSurface>| -> Vec<[f64; 2]> {
            surface.iter().map(|section| [section.right.grip, section.left.grip]).collect()
        };
        let surface = track.surface.as_ref().map(grips).filter(|grips| grips.iter().flatten().any(|&grip| grip != 1.0));
        if parts.is_empty() && surface.is_none() {
            return Ok(None);
        }
        let places = Places::new(track);
        let extent = Extent { length_m: places.length_m(), closed: places.closed };
        let mut held = Vec::with_capacity(parts.len());
        for (i, part) in parts.iter().enumerate() {
            let (list, number) = ("grip", i + 1);
            let part: Grip = part.clone().into();
            part.validate().map_err(|(value, range)| StretchError::OutOfRange { list, number, value, range })?;
            let fit = |from_m, to_m| Stretch::fit(list, number, [from_m, to_m], extent);
            held.push(match part {
                Grip::Stretch(one) => Part::Stretch(fit(one.from_m, one.to_m)?, one),
                Grip::Strip(one) => Part::Strip(fit(one.from_m, one.to_m)?, one),
                Grip::Polygon(one) => {
                    Part::Polygon(PolygonPatch::new(&one).ok_or(StretchError::NotInMetres { list, number })?)
                }
            });
        }
        Ok(Some(Self { parts: held, surface, places }))
    }

    /// The grip without the part `index`.
    #[must_use]
    pub fn without(mut self, index: usize) -> Self {
        if let Some(part) = self.parts.get_mut(index) {
            *part = Part::Removed;
        }
        self
    }

    /// The factor of the patches, which cover a part of the road's width, at each of these offsets
    /// from `origin` along the unit vector `across`; `None` where it is 1 at all of them.
    #[must_use]
    pub fn patches_across(&self, origin: Point, across: Vector, offsets: &[f64]) -> Option<Vec<f64>> {
        let farthest = offsets.iter().fold(0.0, |far: f64, offset| far.max(offset.abs()));
        let near = |part: &Part| match part {
            Part::Strip(reach, _) => {
                let distance = self.places.of(origin).distance_m;
                reach.covers_part_of((distance - farthest).max(0.0), distance + farthest)
                    || reach.distance_to_end(distance).is_some()
            }
            Part::Polygon(polygon) => polygon.may_reach(origin, farthest),
            Part::Stretch(..) | Part::Removed => false,
        };
        if !self.parts.iter().any(near) {
            return None;
        }
        let has_strips = self.parts.iter().any(|part| matches!(part, Part::Strip(..)));
        let mut place = self.places.of(origin);
        let at = |offset: &f64| {
            let point = origin + across * *offset;
            if has_strips {
                place = self.places.near(point, place.section);
            }
            self.patch_factor(point, &place)
        };
        let factors: Vec<f64> = offsets.iter().map(at).collect();
        factors.iter().any(|&factor| factor != 1.0).then_some(factors)
    }

    /// The factor of the patches at a place.
    fn patch_factor(&self, point: Point, place: &Place) -> f64 {
        let factor = |part: &Part| match part {
            Part::Stretch(..) | Part::Removed => 1.0,
            Part::Strip(reach, strip) => {
                let distance = place.distance_m;
                let along = factor_of(reach, &strip.stretch(), distance) - 1.0;
                if along == 0.0 {
                    return 1.0;
                }
                let width = self.places.width_at(place);
                let edges = [place.across * width, (1.0 - place.across) * width];
                1.0 + along * strip.part(edges)
            }
            Part::Polygon(polygon) => 1.0 + (polygon.factor - 1.0) * polygon.part(point),
        };
        self.parts.iter().map(factor).product()
    }

    /// The factor of the stretches at a distance along the centre line from the start line, metres;
    /// periodic on a closed track.
    #[must_use]
    pub fn at_distance(&self, distance_m: f64) -> f64 {
        let length = self.places.length_m();
        let distance = if self.places.closed { distance_m.rem_euclid(length) } else { distance_m.clamp(0.0, length) };
        let factor = |part: &Part| match part {
            Part::Stretch(reach, stretch) => factor_of(reach, stretch, distance),
            Part::Strip(..) | Part::Polygon(_) | Part::Removed => 1.0,
        };
        self.parts.iter().map(factor).product()
    }

    /// The factor in the middle of the cross-section `index` of the track.
    #[must_use]
    pub fn at_section(&self, index: usize) -> f64 {
        let surface = self.surface.as_ref().map_or(1.0, |surface| f64::midpoint(surface[index][0], surface[index][1]));
        surface * self.at_distance(self.places.distances[index])
    }

    /// The factor at a place on the road. Where the road crosses itself, the leg whose centre line
    /// is nearer counts; for a line, use [`Self::along`].
    #[must_use]
    pub fn at(&self, place: Point) -> f64 {
        self.at_place(place, &self.places.of(place))
    }

    /// The factor at each point of a line along the road, which remains on its leg where the road
    /// crosses itself.
    #[must_use]
    pub fn along(&self, line: &[Point]) -> Vec<f64> {
        let places = self.places.along(line.iter().copied());
        line.iter().zip(places).map(|(&point, place)| self.at_place(point, &place)).collect()
    }

    fn at_place(&self, point: Point, place: &Place) -> f64 {
        let surface = self.surface.as_ref().map_or(1.0, |surface| {
            let (here, next) = (surface[place.section], surface[(place.section + 1) % surface.len()]);
            let [right, left] = [0, 1].map(|end| here[end] + place.fraction * (next[end] - here[end]));
            right + place.across.clamp(0.0, 1.0) * (left - right)
        });
        surface * self.at_distance(place.distance_m) * self.patch_factor(point, place)
    }
}

#[cfg(test)]
mod tests;
