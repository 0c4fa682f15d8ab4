//! Closed curves along the road's edges, in continuous pixel coordinates with rows downwards, the
//! road on the side that the normals point away from.

use image::GrayImage;

use super::morphology::Bits;
use crate::picture::contours::{for_each_contour, value_at};
use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector, left_of};

/// A closed curve, its points about equally far apart.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    /// The points; the first is not repeated.
    pub points: Vec<Point>,
    /// Distance between neighbouring points, pixels.
    pub step: f64,
}

/// A curve needs twice this many points to be an edge.
const MIN_POINTS: usize = 8;

/// Length by which a road's outline is extended beyond the picture's border, pixels of the working
/// picture, so that its ends lie outside the picture.
pub(super) const BEYOND_PX: usize = 24;

/// The outlines of `road`, scaled up by `factor`. A road that leaves the picture is extended
/// straight.
pub(super) fn outlines(road: &Bits, factor: f64) -> Vec<Vec<Point>> {
    let (width, height) = (road.width + 2 * BEYOND_PX, road.height + 2 * BEYOND_PX);
    let inner = |v: usize, size: usize| v.saturating_sub(BEYOND_PX).min(size - 1);
    let data = (0..width * height)
        .map(|at| road.data[inner(at / width, road.height) * road.width + inner(at % width, road.width)])
        .collect();
    // The mean of 3 × 3 pixels removes most of the stairs.
    let counts = Bits { width, height, data }.local_counts(1);
    let levels = counts.iter().map(|&n| (n * 255 / 9) as u8).collect();
    let Some(picture) = GrayImage::from_raw(width as u32, height as u32, levels) else { return Vec::new() };
    let mut curves = Vec::new();
    for_each_contour(&picture, |crossings| {
        let point = |crossing: &crate::picture::contours::Crossing| {
            let (a, b) =
                (f64::from(value_at(&picture, crossing.inside)), f64::from(value_at(&picture, crossing.outside)));
            let fraction = (a - 127.5) / (a - b);
            let at =
                |from: i64, to: i64| (from as f64 + 0.5 + (to - from) as f64 * fraction - BEYOND_PX as f64) * factor;
            Point::new(at(crossing.inside.0, crossing.outside.0), at(crossing.inside.1, crossing.outside.1))
        };
        curves.push(crossings.iter().map(point).collect());
    });
    curves
}

impl Curve {
    /// The closed polyline through `points` with points about `step` apart; `None` if it is too
    /// short for an edge.
    pub fn resampled(points: &[Point], step: f64) -> Option<Self> {
        let next = |index: usize| points[(index + 1) % points.len()];
        let length: f64 = (0..points.len()).map(|index| (next(index) - points[index]).norm()).sum();
        let count = (length / step).round() as usize;
        if count < MIN_POINTS {
            return None;
        }
        let step = length / count as f64;
        let mut resampled = Vec::with_capacity(count);
        let mut behind = 0.0;
        for (index, &from) in points.iter().enumerate() {
            let to = next(index);
            let piece = (to - from).norm();
            while resampled.len() < count && step * resampled.len() as f64 <= behind + piece {
                let fraction = if piece > 0.0 { (step * resampled.len() as f64 - behind) / piece } else { 0.0 };
                resampled.push(from + (to - from) * fraction);
            }
            behind += piece;
        }
        Some(Self { points: resampled, step })
    }

    /// Smoothed by a Gaussian of `deviation` pixels, plus the smoothed residual: bends keep their
    /// positions to the second order.
    pub fn smoothed(&self, deviation: f64) -> Self {
        let kernel = kernel(deviation / self.step, self.points.len());
        let vectors: Vec<Vector> = self.points.iter().map(|p| p.coords).collect();
        let once = convolved(&vectors, &kernel);
        let rest: Vec<Vector> = vectors.iter().zip(&once).map(|(a, b)| a - b).collect();
        let rest = convolved(&rest, &kernel);
        let points = once.iter().zip(&rest).map(|(a, b)| Point::from(a + b)).collect();
        Self { points, step: self.step }
    }

    /// Unit normals pointing away from the road.
    pub fn normals(&self) -> Vec<Vector> {
        let count = self.points.len();
        (0..count)
            .map(|index| {
                let ahead = self.points[(index + 1) % count] - self.points[(index + count - 1) % count];
                left_of(ahead.try_normalize(1e-12).unwrap_or_else(Vector::x))
            })
            .collect()
    }

    /// Each point moved along its normal.
    pub fn moved(&self, offsets: &[f64]) -> Vec<Point> {
        self.points.iter().zip(self.normals()).zip(offsets).map(|((p, normal), &offset)| p + normal * offset).collect()
    }
}

/// Gaussian weights for offsets 0, 1, 2 … from the middle; with the mirrored ones, their sum is
/// one.
pub(super) fn kernel(deviation: f64, count: usize) -> Vec<f64> {
    let reach = ((3.0 * deviation).ceil() as usize).min(count.saturating_sub(1) / 2);
    let mut weights: Vec<f64> =
        (0..=reach).map(|k| math::exp(-0.5 * math::powi(k as f64 / deviation.max(1e-9), 2))).collect();
    let sum = 2.0 * weights.iter().sum::<f64>() - weights[0];
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// Periodic convolution with a symmetric kernel.
pub(super) fn convolved<T>(values: &[T], kernel: &[f64]) -> Vec<T>
where
    T: Copy + std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>,
{
    let count = values.len();
    (0..count)
        .map(|index| {
            let pair = |k: usize| (values[(index + k) % count] + values[(index + count - k) % count]) * kernel[k];
            (1..kernel.len()).fold(values[index] * kernel[0], |sum, k| sum + pair(k))
        })
        .collect()
}
