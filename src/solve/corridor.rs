//! Where on each cross-section the line may pass: the margin to the true edges as bounds on α.
//!
//! The margin is a promise about the distance to the edges, not only along the section. Each section's bounds are the
//! first points, seen from its ends, that are at least the margin away from every edge, so any line through the
//! bounds keeps the margin at the sections, however the bounds are used.

use rayon::prelude::*;

use super::SolveError;
use crate::geometry::{Point, SegmentIndex};
use crate::track::{CrossSection, Track};

/// Bounds on α for every cross-section of a track.
///
/// Shape: all vectors have one entry a section. Range: `0 < low ≤ high < 1`.
#[derive(Clone, Debug)]
pub struct Corridor {
    /// Whether the last section leads back to the first.
    pub closed: bool,
    /// The sections in the order of travel.
    pub sections: Vec<CrossSection>,
    /// Smallest α: the right edge's margin.
    pub low: Vec<f64>,
    /// Largest α: the left edge's margin.
    pub high: Vec<f64>,
}

/// Distance to both edges of a track.
#[derive(Clone, Debug)]
pub struct EdgeDistance {
    left: SegmentIndex,
    right: SegmentIndex,
}

/// The margin counts as reached within this share of itself.
const MARGIN_TOLERANCE: f64 = 1e-4;
/// Each step of the search moves by what is missing to the margin; near the end the steps shrink geometrically.
const MAX_STEPS: usize = 200;

impl EdgeDistance {
    /// Prepares the edges of `track` for queries.
    pub fn new(track: &Track) -> Self {
        let mean_width = track.sections.iter().map(CrossSection::width).sum::<f64>() / track.sections.len().max(1) as f64;
        let cell = mean_width / 4.0;
        Self { left: SegmentIndex::new(&track.left_edge, cell), right: SegmentIndex::new(&track.right_edge, cell) }
    }

    /// Distance from `p` to the left and to the right edge, metres.
    pub fn to_edges(&self, p: Point) -> (f64, f64) {
        let distance = |index: &SegmentIndex| index.nearest(p).map_or(f64::INFINITY, |nearest| nearest.distance);
        (distance(&self.left), distance(&self.right))
    }

    /// Distance from `p` to the nearer edge, metres.
    pub fn nearest(&self, p: Point) -> f64 {
        let (left, right) = self.to_edges(p);
        left.min(right)
    }
}

impl Corridor {
    /// The corridor that keeps `margin_m[i]` metres at section `i`.
    ///
    /// # Errors
    /// [`SolveError::RoadTooNarrow`] names the narrowest section that leaves no room.
    pub fn new(track: &Track, edges: &EdgeDistance, margin_m: &[f64]) -> Result<Self, SolveError> {
        let bounds: Vec<Option<(f64, f64)>> =
            track.sections.par_iter().zip(margin_m).map(|(section, &margin)| bounds(section, edges, margin)).collect();
        let blocked = (0..bounds.len())
            .filter(|&i| bounds[i].is_none())
            .min_by(|&i, &j| track.sections[i].width().total_cmp(&track.sections[j].width()).then(i.cmp(&j)));
        if let Some(index) = blocked {
            let section = track.sections[index];
            let at = section.middle();
            return Err(SolveError::RoadTooNarrow {
                x_m: at.x,
                y_m: at.y,
                width_m: section.width(),
                needed_m: 2.0 * margin_m[index],
            });
        }
        let (low, high) = bounds.into_iter().flatten().unzip();
        Ok(Self { closed: track.closed, sections: track.sections.clone(), low, high })
    }

    /// The corridor on the chosen sections only.
    pub fn thinned(&self, chosen: &[usize]) -> Self {
        let pick = |values: &[f64]| chosen.iter().map(|&i| values[i]).collect();
        Self {
            closed: self.closed,
            sections: chosen.iter().map(|&i| self.sections[i]).collect(),
            low: pick(&self.low),
            high: pick(&self.high),
        }
    }

    /// Number of sections.
    pub fn len(&self) -> usize {
        self.sections.len()
    }

    /// Whether there is no section.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// The middle of the bounds.
    pub fn middle(&self) -> Vec<f64> {
        self.low.iter().zip(&self.high).map(|(&low, &high)| f64::midpoint(low, high)).collect()
    }

    /// `alpha` held within the bounds, which a solver keeps only to its tolerance.
    pub fn clamped(&self, alpha: &[f64]) -> Vec<f64> {
        alpha.iter().zip(self.low.iter().zip(&self.high)).map(|(&a, (&low, &high))| a.clamp(low, high)).collect()
    }

    /// The line's point on every section.
    pub fn points(&self, alpha: &[f64]) -> Vec<Point> {
        self.sections.iter().zip(alpha).map(|(section, &alpha)| section.point(alpha)).collect()
    }

    /// Distance of the line's points from one to the next: one entry a section, the last of a closed line leading back to the first.
    pub fn step_lengths(&self, points: &[Point]) -> Vec<f64> {
        let n = points.len();
        let gaps = if self.closed { n } else { n.saturating_sub(1) };
        (0..gaps).map(|i| (points[(i + 1) % n] - points[i]).norm()).collect()
    }
}

/// Walks inwards from both ends of a section until the margin is reached. A step by what is missing can't skip a point that
/// keeps the margin, because distance changes by at most a metre per metre.
fn bounds(section: &CrossSection, edges: &EdgeDistance, margin: f64) -> Option<(f64, f64)> {
    let width = section.width();
    let walk = |from_right: bool| {
        let mut inwards = margin;
        for _ in 0..MAX_STEPS {
            let alpha = if from_right { inwards / width } else { 1.0 - inwards / width };
            if !(0.0..=1.0).contains(&alpha) {
                return None;
            }
            let missing = margin - edges.nearest(section.point(alpha));
            if missing <= MARGIN_TOLERANCE * margin {
                return Some(alpha);
            }
            inwards += missing;
        }
        None
    };
    let (low, high) = (walk(true)?, walk(false)?);
    (low <= high).then_some((low, high))
}
