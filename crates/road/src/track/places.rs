//! Where on a road a place lies: between which cross-sections, how far along and how far across.

use super::{CrossSection, Track};
use crate::geometry::{Point, SegmentIndex, Vector, left_of};

/// Limit on the sections searched from a neighbour's section.
const MAX_STEPS: usize = 64;
/// A place may lie beyond the ends of its section by this fraction of the section's width.
const OVERHANG_FRACTION: f64 = 0.5;

/// A place on a road.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The section before it.
    pub section: usize,
    /// Position between this section, 0, and the next one, 1.
    pub fraction: f64,
    /// Distance along the centre line, metres.
    pub distance_m: f64,
    /// Fraction of the road's width from the right edge; outside 0 to 1 beyond the edges.
    pub across: f64,
}

/// The cross-sections of a track, to find places on it.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub sections: Vec<CrossSection>,
    /// Distance along the centre line of each section and of the end of the centre line, metres.
    pub distances: Vec<f64>,
    pub closed: bool,
    centre_line: SegmentIndex,
}

impl Places {
    pub fn new(track: &Track) -> Self {
        let centre_line = track.centre_line();
        let mut distances = centre_line.arc_lengths();
        distances.truncate(track.sections.len() + 1);
        Self {
            sections: track.sections.clone(),
            distances,
            closed: track.closed,
            centre_line: SegmentIndex::new(&centre_line, track.mean_width()),
        }
    }

    /// Length of the centre line, metres.
    pub fn length_m(&self) -> f64 {
        self.centre_line.length()
    }

    /// A place alone. Where the road crosses itself, the leg whose centre line is nearer counts.
    pub fn of(&self, place: Point) -> Place {
        self.from(place, self.nearest_section(place))
    }

    /// The places of a line along the road. The search of the first one prefers the leg that runs in
    /// the line's direction, and each other one starts at the place before, so that a line is on its
    /// leg where the road crosses itself.
    pub fn along<'a>(&'a self, line: impl IntoIterator<Item = Point> + 'a) -> impl Iterator<Item = Place> + 'a {
        let mut line = line.into_iter().peekable();
        let mut section: Option<usize> = None;
        std::iter::from_fn(move || {
            let point = line.next()?;
            let from = section.or_else(|| {
                let next = line.peek()?;
                self.section_towards(point, next - point)
            });
            let found = from.map_or_else(|| self.of(point), |from| self.near(point, from));
            section = Some(found.section);
            Some(found)
        })
    }

    /// A place on the leg of the section `from`, which is near; alone if it is not on that leg.
    pub fn near(&self, place: Point, from: usize) -> Place {
        let found = self.from(place, from);
        if self.holds(found.section, place) { found } else { self.of(place) }
    }

    /// The cross-section at a distance along the centre line, between those of the track.
    pub fn section_at(&self, distance_m: f64) -> CrossSection {
        let n = self.sections.len();
        let length = self.length_m();
        let distance = if self.closed { distance_m.rem_euclid(length) } else { distance_m.clamp(0.0, length) };
        let last = if self.closed { n } else { n - 1 };
        let at = self.distances.partition_point(|&d| d <= distance).clamp(1, last) - 1;
        let fraction = (distance - self.distances[at]) / (self.distances[at + 1] - self.distances[at]);
        self.sections[at].towards(&self.sections[(at + 1) % n], fraction)
    }

    /// Width of the road at a place, metres.
    pub fn width_at(&self, place: &Place) -> f64 {
        let (here, next) = (&self.sections[place.section], &self.sections[(place.section + 1) % self.sections.len()]);
        here.towards(next, place.fraction).width()
    }

    fn nearest_section(&self, place: Point) -> usize {
        let distance = self.centre_line.nearest(place).map_or(0.0, |nearest| nearest.s);
        let after = self.distances.partition_point(|&d| d <= distance);
        after.saturating_sub(1).min(self.sections.len() - 1)
    }

    /// The section about a place whose direction of travel is nearest to `direction`.
    fn section_towards(&self, place: Point, direction: Vector) -> Option<usize> {
        let agreement = |index: usize| self.forwards(index).dot(&direction);
        let about = (0..self.sections.len()).filter(|&index| self.holds(index, place));
        about.max_by(|&a, &b| agreement(a).total_cmp(&agreement(b)))
    }

    /// The direction of travel at section `index`.
    fn forwards(&self, index: usize) -> Vector {
        -left_of(self.sections[index].span().normalize())
    }

    /// How far ahead of section `index` a place lies, metres.
    fn ahead_of(&self, index: usize, place: Point) -> f64 {
        (place - self.sections[index].middle()).dot(&self.forwards(index))
    }

    /// The place of a point, searched from the section `from`.
    fn from(&self, place: Point, from: usize) -> Place {
        let n = self.sections.len();
        let last = if self.closed { n } else { n - 1 };
        let mut at = from.min(last.saturating_sub(1));
        for _ in 0..MAX_STEPS {
            if self.ahead_of(at, place) >= 0.0 {
                break;
            }
            match at {
                0 if !self.closed => break,
                0 => at = n - 1,
                _ => at -= 1,
            }
        }
        for _ in 0..MAX_STEPS {
            let next = (at + 1) % n;
            if self.ahead_of(next, place) < 0.0 || (!self.closed && at + 1 >= last) {
                break;
            }
            at = next;
        }
        let next = (at + 1) % n;
        let (behind, ahead) = (self.ahead_of(at, place), -self.ahead_of(next, place));
        let fraction = if behind + ahead > 0.0 { (behind / (behind + ahead)).clamp(0.0, 1.0) } else { 0.0 };
        let (a, b) = (&self.sections[at], &self.sections[next]);
        let right = a.right + (b.right - a.right) * fraction;
        let span = a.span() + (b.span() - a.span()) * fraction;
        Place {
            section: at,
            fraction,
            distance_m: self.distances[at] + fraction * (self.distances[at + 1] - self.distances[at]),
            across: (place - right).dot(&span) / span.norm_squared(),
        }
    }

    /// Whether `place` is between section `index` and the next, and not far off their ends.
    fn holds(&self, index: usize, place: Point) -> bool {
        let section = &self.sections[index];
        let width = section.width();
        let across = (place - section.right).dot(&section.span()) / (width * width);
        let next = (index + 1) % self.sections.len();
        let between = self.ahead_of(index, place) >= -width && self.ahead_of(next, place) <= width;
        between && (-OVERHANG_FRACTION..=1.0 + OVERHANG_FRACTION).contains(&across)
    }
}

#[cfg(test)]
mod tests;
