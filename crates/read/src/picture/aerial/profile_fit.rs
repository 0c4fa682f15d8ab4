//! The position of an edge by a fit of asphalt, edge line and ground to the colours across it.
//!
//! The colours at distance x off the road are modelled as A·(in(x) + ρ·line(x)) + G·out(x): asphalt
//! A, ground G and an edge line that is ρ times as bright as the asphalt beside it, shaded or not.
//! The three weights are those of a line of width p about the edge at e, blurred by the camera. For
//! given p, blur and e, the best A and G follow from linear least squares; the residual is the cost
//! of e. The edge is therefore in the middle of the line. Where a white kerb beside the line hides
//! its outer side, the edge is half the line's width beyond its inner side.
//!
//! Up to the middle between two legs, the ground is that of the edge; the profile is continued from
//! there, and no edge moves beyond.
//!
//! The line's width and brightness and the blur are constants of the picture, taken where most of
//! its edges are fitted best with A, the line and G all free. A picture without edge lines has p =
//! 0. The positions along one edge are then chosen together, as in [`super::boundary`].

use image::RgbImage;
use nalgebra::{Matrix3, Vector3};
use raceline_numerics::median;
use rayon::prelude::*;

use super::boundary::{BARRED, cheapest};
use super::close_legs::Ground;
use super::curve::{Curve, convolved, kernel};
use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector};

/// Distance of the samples across an edge, pixels.
const SAMPLE_PX: f64 = 0.5;

/// Reach of the samples inwards and outwards, pixels; inwards at most `INWARDS_FRACTION` of the road's
/// width. Outwards no farther than necessary, because the ground behind a kerb is not in the model.
const INWARDS_PX: f64 = 4.0;
const INWARDS_FRACTION: f64 = 0.42;
const OUTWARDS_PX: f64 = 3.0;

/// Positions tried: the innermost, the outermost, and the step, pixels. A larger range follows a
/// rough outline, and finds a kerb or a shadow beside the road as well.
const PLACES_PX: (f64, f64) = (-1.6, 2.0);
const PLACE_STEP_PX: f64 = 0.1;

/// Widths of edge lines tried, pixels; no line comes first. More widths fit more roads, at a cost
/// in proportion.
const LINE_WIDTHS_PX: [f64; 9] = [0.0, 0.4, 0.7, 1.0, 1.4, 1.8, 2.3, 3.0, 4.0];

/// Blurs tried, pixels: standard deviation of an edge's flank.
const BLURS_PX: [f64; 4] = [0.4, 0.6, 0.85, 1.2];

/// A line must reduce the residual by this factor against no line, and differ from the asphalt by
/// this many levels.
const LINE_GAIN: f64 = 0.85;
const LINE_CONTRAST: f64 = 16.0;

/// Maximum number of edge points from which line and blur are estimated.
const SURVEYED: usize = 1500;

/// Limit on the cost difference of positions: where nothing fits, the neighbours decide.
const MAX_MISFIT: f64 = 12.0;

/// Stiffness of an edge against movement, and its last smoothing along the edge, pixels. The
/// smoothing averages noise over about four times as many pixels, and shifts an edge of radius R by
/// less than its square over 2R.
const STIFFNESS: f64 = 40.0;
const SMOOTHING_PX: f64 = 2.5;

/// Minimum distance of an edge from the middle between two legs, pixels.
const FROM_MIDDLE_PX: f64 = 0.4;

/// Number of passes; each starts from the edges of the previous one.
const PASSES: usize = 2;

/// The edges, moved to where the profiles across them fit best.
pub(super) fn refined(colours: &RgbImage, ground: &Ground, edges: Vec<Vec<Point>>, width_px: f64) -> Vec<Vec<Point>> {
    let across = Across::new(width_px);
    let step = (width_px / 16.0).clamp(0.75, 2.0);
    let mut edges = edges;
    for _ in 0..PASSES {
        let edges_seen: Vec<Seen> = edges
            .par_iter()
            .filter_map(|edge| {
                let curve = Curve::resampled(edge, step)?;
                let middles = middles(ground, &curve);
                let profiles = profiles(colours, &curve, &middles, &across);
                Some(Seen { curve, middles, profiles })
            })
            .collect();
        let Some(line) = survey(&edges_seen, &across) else { return edges };
        let places = across.places();
        let bases: Vec<[Basis<2>; 3]> = places.iter().map(|&place| line.bases(&across, place)).collect();
        edges = edges_seen.par_iter().map(|seen| moved(seen, &bases, &places)).collect();
    }
    edges
}

/// The colours across an edge at one of its points: the samples of each channel, from the inside
/// outwards.
type Profile = [Vec<f64>; 3];

/// An edge and the colours across it.
struct Seen {
    curve: Curve,
    /// For each point, the distance to the middle between this leg and another one, pixels.
    middles: Vec<f64>,
    profiles: Vec<Profile>,
}

/// For each point of an edge, the distance to the middle between its leg and another one; infinite
/// without another leg.
fn middles(ground: &Ground, curve: &Curve) -> Vec<f64> {
    let reach = OUTWARDS_PX + PLACES_PX.1;
    let along = curve.points.iter().zip(curve.normals());
    along.map(|(&point, normal)| ground.middle(point, normal, reach).unwrap_or(f64::INFINITY)).collect()
}

/// Distances of the samples from the edge, pixels.
struct Across {
    distances: Vec<f64>,
}

impl Across {
    fn new(width_px: f64) -> Self {
        let inwards = (INWARDS_FRACTION * width_px).min(INWARDS_PX);
        let count = ((inwards + OUTWARDS_PX) / SAMPLE_PX).floor() as usize;
        Self { distances: (0..=count).map(|k| k as f64 * SAMPLE_PX - inwards).collect() }
    }

    /// Positions of the edge that leave asphalt inside and ground outside.
    fn places(&self) -> Vec<f64> {
        let low = PLACES_PX.0.max(self.distances[0] + 0.75);
        let count = ((PLACES_PX.1 - low) / PLACE_STEP_PX).round() as usize;
        (0..=count).map(|k| low + k as f64 * PLACE_STEP_PX).collect()
    }
}

/// The colours across the curve, averaged over a short length along it.
fn profiles(colours: &RgbImage, curve: &Curve, middles: &[f64], across: &Across) -> Vec<Profile> {
    const ALONG_PX: f64 = 1.0;
    let samples = across.distances.len();
    let normals = curve.normals();
    let mut channels: [Vec<Vec<f64>>; 3] = Default::default();
    for ((&point, normal), &middle) in curve.points.iter().zip(&normals).zip(middles) {
        let mut profile: Profile = [0, 1, 2].map(|_| Vec::with_capacity(samples));
        for &distance in &across.distances {
            let colour = sampled(colours, point + normal * distance.min(middle));
            (0..3).for_each(|channel| profile[channel].push(colour[channel]));
        }
        for (channel, values) in channels.iter_mut().zip(profile) {
            channel.push(values);
        }
    }
    let weights = kernel(ALONG_PX / curve.step, curve.points.len());
    let averaged = channels.map(|rows| averaged(&rows, &weights));
    let [red, green, blue] = averaged;
    red.into_iter().zip(green).zip(blue).map(|((r, g), b)| [r, g, b]).collect()
}

fn averaged(rows: &[Vec<f64>], weights: &[f64]) -> Vec<Vec<f64>> {
    let count = rows.len();
    (0..count)
        .map(|index| {
            let mut sum: Vec<f64> = rows[index].iter().map(|v| v * weights[0]).collect();
            for (k, weight) in weights.iter().enumerate().skip(1) {
                for other in [(index + k) % count, (index + count - k) % count] {
                    sum.iter_mut().zip(&rows[other]).for_each(|(sum, v)| *sum += weight * v);
                }
            }
            sum
        })
        .collect()
}

/// The colour at a point, interpolated between pixel centres; beyond the border the nearest pixels
/// count.
fn sampled(colours: &RgbImage, p: Point) -> [f64; 3] {
    let (x, y) = (p.x - 0.5, p.y - 0.5);
    let clamped = |v: f64, size: u32| (v.max(0.0) as u32).min(size - 1);
    let columns = [x.floor(), x.floor() + 1.0].map(|v| clamped(v, colours.width()));
    let rows = [y.floor(), y.floor() + 1.0].map(|v| clamped(v, colours.height()));
    let (right, below) = (x - x.floor(), y - y.floor());
    let corners = [
        ((1.0 - right) * (1.0 - below), columns[0], rows[0]),
        (right * (1.0 - below), columns[1], rows[0]),
        ((1.0 - right) * below, columns[0], rows[1]),
        (right * below, columns[1], rows[1]),
    ];
    let mut colour = [0.0; 3];
    for (weight, column, row) in corners {
        let pixel = colours.get_pixel(column, row).0;
        (0..3).for_each(|channel| colour[channel] += weight * f64::from(pixel[channel]));
    }
    colour
}

/// The picture's edge line: its width, the blur, and its brightness relative to the asphalt in each
/// channel.
#[derive(Clone, Copy, Debug)]
struct Line {
    width_px: f64,
    blur_px: f64,
    ratio: [f64; 3],
}

impl Line {
    /// Weights of asphalt, line and ground at a distance `x` from an edge.
    fn fractions(&self, x: f64) -> [f64; 3] {
        // The logistic function approximates the normal distribution to within a hundredth.
        let beyond = |flank: f64| 1.0 / (1.0 + math::exp(-1.702 * (x - flank) / self.blur_px));
        let (inner, outer) = (beyond(-self.width_px / 2.0), beyond(self.width_px / 2.0));
        [1.0 - inner, inner - outer, outer]
    }

    fn bases(&self, across: &Across, place: f64) -> [Basis<2>; 3] {
        self.ratio.map(|ratio| {
            Basis::spanned(across.distances.iter().map(|x| {
                let [asphalt, line, ground] = self.fractions(x - place);
                [asphalt + ratio * line, ground]
            }))
        })
    }
}

/// An orthonormal basis of `N` functions over the samples.
struct Basis<const N: usize> {
    functions: [Vec<f64>; N],
}

impl<const N: usize> Basis<N> {
    /// Gram–Schmidt orthonormalisation of the functions whose values at each sample are given.
    fn spanned(values: impl Iterator<Item = [f64; N]>) -> Self {
        let mut functions: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
        for value in values {
            (0..N).for_each(|k| functions[k].push(value[k]));
        }
        for k in 0..N {
            let (done, rest) = functions.split_at_mut(k);
            let function = &mut rest[0];
            for other in done.iter() {
                let along = dot(function, other);
                function.iter_mut().zip(other).for_each(|(v, o)| *v -= along * o);
            }
            let norm = dot(function, function).sqrt();
            // A linearly dependent function is dropped.
            let scale = if norm > 1e-6 { 1.0 / norm } else { 0.0 };
            function.iter_mut().for_each(|v| *v *= scale);
        }
        Self { functions }
    }

    /// Squared distance of the samples from the span of the basis.
    fn misfit(&self, samples: &[f64]) -> f64 {
        self.functions
            .iter()
            .fold(dot(samples, samples), |rest, function| rest - math::powi(dot(samples, function), 2))
            .max(0.0)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The line and blur that fit most of the edges best.
fn survey(edges: &[Seen], across: &Across) -> Option<Line> {
    let total: usize = edges.iter().map(|seen| seen.profiles.len()).sum();
    let every = total.div_ceil(SURVEYED).max(1);
    let profiles: Vec<&Profile> = edges.iter().flat_map(|seen| &seen.profiles).step_by(every).collect();
    if profiles.is_empty() {
        return None;
    }
    let trials: Vec<Line> = LINE_WIDTHS_PX
        .iter()
        .flat_map(|&width_px| BLURS_PX.map(|blur_px| Line { width_px, blur_px, ratio: [1.0; 3] }))
        .collect();
    let results: Vec<(f64, Line)> =
        trials.into_par_iter().filter_map(|line| surveyed(&profiles, across, line)).collect();
    let min = |of: &dyn Fn(&Line) -> bool| {
        let all = results.iter().filter(|(_, line)| of(line));
        all.min_by(|a, b| a.0.total_cmp(&b.0)).copied()
    };
    let (without, bare) = min(&|line| line.width_px == 0.0)?;
    match min(&|line| line.width_px > 0.0) {
        Some((with, line)) if with < LINE_GAIN * without => Some(line),
        _ => Some(bare),
    }
}

/// The median residual of one trial and the line's brightness; `None` if the line is not bright
/// enough.
fn surveyed(profiles: &[&Profile], across: &Across, trial: Line) -> Option<(f64, Line)> {
    const PLACE_STRIDE: usize = 2;
    let fractions = |place: f64| across.distances.iter().map(move |x| trial.fractions(x - place));
    let places: Vec<(f64, Basis<3>)> = across
        .places()
        .into_iter()
        .step_by(PLACE_STRIDE)
        .map(|place| (place, Basis::spanned(fractions(place))))
        .collect();
    let mut misfits = Vec::with_capacity(profiles.len());
    let mut levels: [Vec<[f64; 2]>; 3] = Default::default();
    for profile in profiles {
        let misfit = |basis: &Basis<3>| profile.iter().map(|samples| basis.misfit(samples)).sum::<f64>();
        let fits = places.iter().map(|(place, basis)| (misfit(basis), *place));
        let (min, place) = fits.min_by(|a, b| a.0.total_cmp(&b.0))?;
        misfits.push(min);
        if trial.width_px > 0.0 {
            let rows: Vec<Vector3<f64>> = fractions(place).map(Vector3::from).collect();
            let normal = rows.iter().fold(Matrix3::zeros(), |sum, row| sum + row * row.transpose());
            let Some(inverse) = normal.try_inverse() else { continue };
            for (levels, samples) in levels.iter_mut().zip(profile.iter()) {
                let right = rows.iter().zip(samples).fold(Vector3::zeros(), |sum, (row, &v)| sum + row * v);
                let fitted = inverse * right;
                levels.push([fitted.x, fitted.y]);
            }
        }
    }
    let misfit = median(misfits)?;
    if trial.width_px == 0.0 {
        return Some((misfit, trial));
    }
    let mut ratio = [1.0; 3];
    let mut contrast = 0.0_f64;
    for (ratio, levels) in ratio.iter_mut().zip(&levels) {
        let asphalt = median(levels.iter().map(|v| v[0]).collect())?;
        let line = median(levels.iter().map(|v| v[1]).collect())?;
        // A line thinner than it appears would have to be brighter than white.
        if !(-10.0..=265.0).contains(&line) {
            return None;
        }
        *ratio = median(levels.iter().map(|v| v[1] / v[0].max(1.0)).collect())?;
        contrast = contrast.max((line - asphalt).abs());
    }
    (contrast >= LINE_CONTRAST).then_some((misfit, Line { ratio, ..trial }))
}

/// One edge at the positions with the minimum residual.
fn moved(seen: &Seen, bases: &[[Basis<2>; 3]], places: &[f64]) -> Vec<Point> {
    let Seen { curve, middles, profiles } = seen;
    let misfit = |profile: &Profile, bases: &[Basis<2>; 3]| -> f64 {
        profile.iter().zip(bases).map(|(samples, basis)| basis.misfit(samples)).sum()
    };
    let mut costs: Vec<f64> =
        profiles.iter().flat_map(|profile| bases.iter().map(move |bases| misfit(profile, bases))).collect();
    let min = |costs: &[f64]| costs.iter().copied().fold(f64::INFINITY, f64::min);
    // The median minimum residual estimates the noise.
    let noise = median(costs.chunks_exact(places.len()).map(min).collect()).unwrap_or(1.0).max(1.0);
    let samples = profiles.first().map_or(1, |profile| 3 * profile[0].len()) as f64;
    for (station, middle) in costs.chunks_exact_mut(places.len()).zip(middles) {
        let min = min(station);
        for (cost, place) in station.iter_mut().zip(places) {
            let is_barred = *place > middle - FROM_MIDDLE_PX;
            *cost = if is_barred { BARRED } else { ((*cost - min) * samples / noise).min(MAX_MISFIT) * curve.step };
        }
    }
    let path = cheapest(&costs, places.len(), STIFFNESS * PLACE_STEP_PX * PLACE_STEP_PX / curve.step);
    // Weighted by the sharpness of each station's minimum, so that the other stations follow their
    // neighbours.
    let reported: Vec<Vector> = path
        .iter()
        .zip(costs.chunks_exact(places.len()))
        .map(|(&place, costs)| {
            let at = |k: usize| costs[k.min(costs.len() - 1)];
            let (before, here, after) = (at(place.saturating_sub(1)), at(place), at(place + 1));
            let bend = before - 2.0 * here + after;
            let shift = if bend > 1e-9 { (0.5 * (before - after) / bend).clamp(-1.0, 1.0) } else { 0.0 };
            let weight = bend.clamp(1e-3, 1.0);
            Vector::new(weight * (places[place] + shift * PLACE_STEP_PX), weight)
        })
        .collect();
    let weights = kernel(SMOOTHING_PX / curve.step, reported.len());
    let offsets: Vec<f64> = convolved(&reported, &weights).iter().map(|sum| sum.x / sum.y).collect();
    curve.moved(&offsets)
}
