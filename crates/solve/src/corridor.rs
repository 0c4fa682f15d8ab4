//! The range of each cross-section in which the line may pass: the margin to the true edges as
//! bounds on α.
//!
//! The margin is a distance to the edges in any direction, not only along the section. Each
//! section's bounds are the first points, seen from its ends, that are at least the margin m away
//! from every edge. Any line through the bounds therefore keeps the margin at the sections.
//!
//! With the points `P(α) = R + α S` of a section from its right end R along its span S, and D(p)
//! the distance of p to the nearest edge, the lower bound is the limit of
//!
//! ```text
//! α ← α + (m - D(P(α))) / |S|,  from α = m / |S|                                             (1)
//! ```
//!
//! and the upper bound likewise from the left end. The distance changes by at most a metre per
//! metre, so a step by the missing distance cannot skip a point that keeps the margin. A barrier is
//! approached likewise from the free side, by steps of the free distance:
//!
//! ```text
//! α ← α ± (D(P(α)) - m) / |S|                                                                (2)
//! ```
//!
//! (Sphere tracing: J. C. Hart, *Sphere tracing: a geometric method for the antialiased ray tracing
//! of implicit surfaces*, The Visual Computer 12 (1996), section 2.)
//!
//! Between two sections the margin is checked on the chord from a to b, and on the cubic of Catmull
//! and Rom (*A class of local interpolating splines*, 1974) through a, b and their neighbours a'
//! and b', at fractions f:
//!
//! ```text
//! chord(f) = a + f (b - a)                                                                   (3)
//! cubic(f) = chord(f) - ½ f (1 - f) ((1 - f) (b - 2 a + a') + f (b' - 2 b + a))              (4)
//! ```
//!
//! A program over α has squares of sums of points, each a quadratic function:
//!
//! ```text
//! w |Σ_k c_k P_k|²:   P_km = 2 w c_k c_m S_k·S_m,   q_k = 2 w c_k S_k·Σ_m c_m R_m            (5)
//! ```

use raceline_numerics::BoxProgram;
use rayon::prelude::*;

use super::barrier::PassingSide;
use super::edge_distance::EdgeDistance;
use super::narrowing::moves;
use super::pin::narrow_sections;
use super::{SolveError, SolveOptions};
use raceline_road::geometry::{Point, Vector};
use raceline_road::track::{CrossSection, Track};

/// Bounds on α for every cross-section of a track.
///
/// Shape: all vectors have one entry a section. Range: `0 < low ≤ high < 1`.
///
/// ```
/// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
/// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
/// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
/// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
/// use raceline_solve::{Corridor, EdgeDistance};
///
/// let corridor = Corridor::new(&track, &EdgeDistance::new(&track), 1.5)?;
/// let inside = corridor.points(&corridor.high);
/// assert!(inside.iter().all(|point| (point.coords.norm() - 56.5).abs() < 0.05));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Corridor {
    /// Whether the last section leads back to the first.
    pub closed: bool,
    /// The sections in the order of travel.
    pub sections: Vec<CrossSection>,
    /// Smallest α: the margin to the right edge.
    pub low: Vec<f64>,
    /// Largest α: the margin to the left edge.
    pub high: Vec<f64>,
}

/// Relative tolerance of the margin: a smaller one costs steps of (1) and (2) and moves no line
/// visibly.
const MARGIN_TOLERANCE: f64 = 1e-4;
/// Places between two sections at which the margin is checked, as fractions of their distance, 0 to
/// 1 and alike from both sections: a road driven backwards has the same bounds. More places cost
/// time in proportion.
const CHECKED_FRACTIONS: [f64; 3] = [0.25, 0.5, 0.75];
/// Maximum number of times that the bounds are moved inwards for what is missing between sections.
const MAX_NARROWINGS: usize = 3;
/// Maximum number of search steps. Each step moves by the missing distance to the margin; near the
/// end the steps shrink geometrically.
const MAX_STEPS: usize = 200;

/// Why the line does not begin or end at the specified offset.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EndOffsetWarning {
    /// The road is closed.
    #[error("start_offset_m and end_offset_m are ignored: they are for open roads, and this road is closed")]
    ClosedRoad,
    /// The offset is too close to an edge.
    #[error(
        "an offset of {offset_m} m at an end of the road leaves less than the margin to the edge: {kept_m:.3} m is used"
    )]
    LessThanMargin {
        /// The specified offset, metres.
        offset_m: f64,
        /// The offset of the line, metres.
        kept_m: f64,
    },
}

impl Corridor {
    /// The corridor that keeps `margin_m` metres from the edges.
    ///
    /// A line close to an inside edge cuts the corner between sections. Where the path between two
    /// neighbouring bounds comes closer to an edge than the margin, both bounds are moved inwards
    /// by the missing distance.
    ///
    /// # Errors
    /// [`SolveError::RoadTooNarrow`] for the narrowest section without room,
    /// [`SolveError::Constraint`] for a pin that is out of reach.
    pub fn new(track: &Track, edges: &EdgeDistance, margin_m: f64) -> Result<Self, SolveError> {
        let walk = |section: &CrossSection, right: f64, left: f64| {
            let low = inset(section, edges, margin_m, right, true)?;
            let high = inset(section, edges, margin_m, left, false)?;
            let (low, high) = between_barriers(section, edges, margin_m, (right, left), (low, high))?;
            (low <= high).then_some((low, high))
        };
        let bounds: Vec<Option<(f64, f64)>> =
            track.sections.par_iter().map(|section| walk(section, margin_m, margin_m)).collect();
        let blocked = (0..bounds.len())
            .filter(|&i| bounds[i].is_none())
            .min_by(|&i, &j| track.sections[i].width().total_cmp(&track.sections[j].width()).then(i.cmp(&j)));
        if let Some(index) = blocked {
            let section = track.sections[index];
            let at = section.middle();
            let (width_m, needed_m) = (section.width(), 2.0 * margin_m);
            return Err(SolveError::RoadTooNarrow { x_m: at.x, y_m: at.y, width_m, needed_m });
        }
        let (low, high) = bounds.into_iter().flatten().unzip();
        let mut corridor = Self { closed: track.closed, sections: track.sections.clone(), low, high };
        let mut more = vec![(0.0, 0.0); corridor.len()];
        for _ in 0..MAX_NARROWINGS {
            let inwards = |alpha: &[f64], from_right: bool| -> Vec<f64> {
                let widths = corridor.sections.iter().map(CrossSection::width);
                let inwards = alpha.iter().zip(widths);
                inwards.map(|(&a, width)| if from_right { a * width } else { (1.0 - a) * width }).collect()
            };
            let [right, left] = [inwards(&corridor.low, true), inwards(&corridor.high, false)];
            let missing_right = corridor.missing_between(&corridor.low, &right, edges, margin_m);
            let missing_left = corridor.missing_between(&corridor.high, &left, edges, margin_m);
            let mut is_narrowed = false;
            for (i, more) in more.iter_mut().enumerate() {
                let (right, left) = (missing_right[i], missing_left[i]);
                if right.max(left) <= MARGIN_TOLERANCE * margin_m {
                    continue;
                }
                let wider = (more.0 + right, more.1 + left);
                // Without room for more, the bounds that keep the margin at the section remain.
                if let Some((low, high)) = walk(&corridor.sections[i], margin_m + wider.0, margin_m + wider.1) {
                    (corridor.low[i], corridor.high[i]) = (low, high);
                    (*more, is_narrowed) = (wider, true);
                }
            }
            if !is_narrowed {
                break;
            }
        }
        narrow_sections(&corridor.sections, (&mut corridor.low, &mut corridor.high), edges.pins())?;
        Ok(corridor)
    }

    /// Narrows the corridor of an open road to the specified offsets at its ends, as far as its
    /// bounds allow. Returns a warning for each offset that the margin forbids, and for any offset
    /// on a closed road.
    pub fn pin_ends(&mut self, options: &SolveOptions) -> Vec<EndOffsetWarning> {
        let mut warnings = Vec::new();
        if self.closed || self.is_empty() {
            if options.start_offset_m.or(options.end_offset_m).is_some() {
                warnings.push(EndOffsetWarning::ClosedRoad);
            }
            return warnings;
        }
        for (section, offset) in [(0, options.start_offset_m), (self.len() - 1, options.end_offset_m)] {
            if let Some(offset) = offset {
                let alpha = 0.5 + offset / self.sections[section].width();
                let kept = alpha.clamp(self.low[section], self.high[section]);
                if (kept - alpha).abs() > 1e-9 {
                    let kept_m = (kept - 0.5) * self.sections[section].width();
                    warnings.push(EndOffsetWarning::LessThanMargin { offset_m: offset, kept_m });
                }
                (self.low[section], self.high[section]) = (kept, kept);
            }
        }
        warnings
    }

    /// Whether the line is fixed at the start and at the end of an open road, as after
    /// [`Self::pin_ends`].
    #[must_use]
    pub(crate) fn pinned_ends(&self) -> [bool; 2] {
        [0, self.len().saturating_sub(1)].map(|section| !self.closed && self.low[section] == self.high[section])
    }

    /// By how much the bound of each section has to move inwards so that the margin is kept between
    /// it and its neighbours, for points `alpha`, which are these distances inwards of the edge,
    /// metres. Checked are places on the chord and on the cubic through the two points and their
    /// neighbours, since a line that follows an outside edge is farther out than its chords.
    fn missing_between(&self, alpha: &[f64], inwards: &[f64], edges: &EdgeDistance, margin_m: f64) -> Vec<f64> {
        let n = self.len();
        let points = self.points(alpha);
        let gaps = if self.closed { n } else { n - 1 };
        let gap: Vec<[f64; 2]> = (0..gaps)
            .into_par_iter()
            .map(|i| {
                let (a, b) = (points[i], points[(i + 1) % n]);
                let before = if self.closed || i > 0 { points[(i + n - 1) % n] } else { a - (b - a) };
                let after = if self.closed || i + 2 < n { points[(i + 2) % n] } else { b + (b - a) };
                let between = CHECKED_FRACTIONS.into_iter().flat_map(|fraction| {
                    let bend_there = ((b - a) - (a - before)) * (1.0 - fraction) + ((after - b) - (b - a)) * fraction;
                    let chord = a + (b - a) * fraction; // equation (3)
                    let cubic = chord - bend_there * (0.5 * fraction * (1.0 - fraction)); // equation (4)
                    [(fraction, chord), (fraction, cubic)]
                });
                let step = inwards[(i + 1) % n] - inwards[i];
                let needed = between.map(|(fraction, place)| (fraction, edges.missing_m(place, margin_m)));
                needed.fold([0.0; 2], |largest: [f64; 2], (fraction, missing)| {
                    let moved = if edges.no_go().is_empty() { [missing; 2] } else { moves(missing, fraction, step) };
                    [largest[0].max(moved[0]), largest[1].max(moved[1])]
                })
            })
            .collect();
        let of = |i: usize, end: usize| gap.get(i).map_or(0.0, |moves| moves[end]);
        (0..n).map(|i| of(i, 0).max(of((i + n - 1) % n, 1))).collect()
    }

    /// Number of sections.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sections.len()
    }

    /// Whether there is no section.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// Mean width of the road, metres.
    pub fn mean_width(&self) -> f64 {
        self.sections.iter().map(CrossSection::width).sum::<f64>() / self.len().max(1) as f64
    }

    /// Adds `weight |Σ_k c_k P_k(α_k)|²` to the objective of a program over α, for the variables k
    /// and factors c of `stencil`, whose factors add up to zero; `section_of` returns the section
    /// of each variable.
    pub(super) fn add_squared_stencil(
        &self,
        program: &mut BoxProgram,
        stencil: &[(usize, f64)],
        weight: f64,
        section_of: impl Fn(usize) -> usize,
    ) {
        let section = |k: usize| &self.sections[section_of(k)];
        let Some(&(first, _)) = stencil.first() else { return };
        // Relative to the first section: the common part cancels, and would only reduce precision.
        let constant: Vector = stencil.iter().map(|&(k, c)| c * (section(k).right - section(first).right)).sum();
        // Equation (5).
        for (index, &(k, c)) in stencil.iter().enumerate() {
            program.q[k] += 2.0 * weight * c * section(k).span().dot(&constant);
            for &(m, other) in &stencil[index..] {
                program.add(k, m, 2.0 * weight * c * other * section(k).span().dot(&section(m).span()));
            }
        }
    }

    /// The middle of the bounds.
    #[must_use]
    pub fn middle(&self) -> Vec<f64> {
        self.low.iter().zip(&self.high).map(|(&low, &high)| f64::midpoint(low, high)).collect()
    }

    /// `alpha` clamped to the bounds, which a solver satisfies only to its tolerance.
    #[must_use]
    pub fn clamped(&self, alpha: &[f64]) -> Vec<f64> {
        alpha.iter().zip(self.low.iter().zip(&self.high)).map(|(&a, (&low, &high))| a.clamp(low, high)).collect()
    }

    /// The line's point on every section.
    #[must_use]
    pub fn points(&self, alpha: &[f64]) -> Vec<Point> {
        self.sections.iter().zip(alpha).map(|(section, &alpha)| section.point(alpha)).collect()
    }

    /// Distance between successive points of the line: one entry per section, the last of a closed
    /// line leading back to the first.
    #[must_use]
    pub fn step_lengths(&self, points: &[Point]) -> Vec<f64> {
        let n = points.len();
        let gaps = if self.closed { n } else { n.saturating_sub(1) };
        (0..gaps).map(|i| (points[(i + 1) % n] - points[i]).norm()).collect()
    }
}

/// Moves inwards from one end of a section until every edge is `wanted` metres away, with a
/// tolerance relative to `margin`.
fn inset(section: &CrossSection, edges: &EdgeDistance, margin: f64, wanted: f64, from_right: bool) -> Option<f64> {
    let width = section.width();
    let mut inwards = wanted;
    for _ in 0..MAX_STEPS {
        let alpha = if from_right { inwards / width } else { 1.0 - inwards / width };
        if !(0.0..=1.0).contains(&alpha) {
            return None;
        }
        let (left, right) = edges.to_own_edges(section.point(alpha));
        let missing = wanted - left.min(right);
        if missing <= MARGIN_TOLERANCE * margin {
            return Some(alpha);
        }
        inwards += missing; // equation (1)
    }
    None
}

/// The part of `low..=high` that keeps `right` metres from the barriers of the right edge and
/// `left` from those of the left one; `None` if there is none.
///
/// A barrier of one edge bars all that lies between that edge and itself. So the part is walked
/// from the other edge, by the free distance, which cannot skip a barrier.
fn between_barriers(
    section: &CrossSection,
    edges: &EdgeDistance,
    margin: f64,
    (right, left): (f64, f64),
    (low, high): (f64, f64),
) -> Option<(f64, f64)> {
    let width = section.width();
    let walk = |from: f64, to: f64, passed_on: PassingSide, wanted: f64| {
        let mut alpha = from;
        for step in 0..MAX_STEPS {
            let p = section.point(alpha);
            let of_side = edges.barriers().filter(|barrier| barrier.passed_on == passed_on);
            let distance = of_side.map(|barrier| barrier.at_least(p).max(barrier.distance(p)));
            let free = distance.fold(f64::INFINITY, f64::min) - wanted;
            if free <= MARGIN_TOLERANCE * margin {
                return (step > 0 || free >= -MARGIN_TOLERANCE * margin).then_some(alpha);
            }
            // Equation (2).
            alpha = if to < from { (alpha - free / width).max(to) } else { (alpha + free / width).min(to) };
            if alpha == to {
                // The last step may have ended inside the margin, but not skipped it.
                return Some(to);
            }
        }
        Some(alpha)
    };
    if edges.barriers().next().is_none() || low > high {
        return Some((low, high));
    }
    Some((walk(high, low, PassingSide::Left, right)?, walk(low, high, PassingSide::Right, left)?))
}

#[cfg(test)]
mod tests {
    use super::CHECKED_FRACTIONS;

    #[test]
    fn a_road_is_checked_alike_in_both_directions() {
        for fraction in CHECKED_FRACTIONS {
            assert!(CHECKED_FRACTIONS.contains(&(1.0 - fraction)), "{fraction}");
        }
    }
}
