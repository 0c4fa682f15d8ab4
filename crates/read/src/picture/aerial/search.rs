//! The search for the road of a photograph.

use image::{GrayImage, RgbImage};
use rayon::prelude::*;

use super::colour_model::{ColourModel, Histogram, Kinship};
use super::evidence::Evidence;
use super::network::{self, Network};
use super::working::{COARSE_PIXELS, Working, colour_of, factor_for};
use super::{boundary, close_legs, curve, fill, morphology, profile_fit, spurs};
use crate::picture::RoadColour;

/// Number of candidates that are cleaned.
const FINALISTS: usize = 3;

/// A network with a lower score is not a road.
const MIN_SCORE: f64 = 0.25;

/// Maximum number of further searches with the colours learned from the previous one.
const SECOND_LOOKS: usize = 2;

/// A further search is used if its score is at least this fraction of the score before.
const KEPT_SCORE: f64 = 0.85;

/// Minimum width of the road in the picture of the further searches, if the photograph has it,
/// pixels.
const WIDE_PX: f64 = 10.0;

/// Mean width of a road with legs that seem to be merged: a kerb between them is a ninth of a road's
/// width, and a strip of one pixel is lost.
const WIDE_WITH_CLOSE_LEGS_PX: f64 = 24.0;

/// Maximum number of pixels of the finer picture.
const FINE_PIXELS: usize = 12_000_000;

/// The hints of the user about the road.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AerialHints {
    /// Colour.
    pub colour: Option<RoadColour>,
    /// Largest deviation of colours from it, levels.
    pub tolerance: f64,
    /// Column and row of a point on it, continuous pixel coordinates.
    pub road_at: Option<[f64; 2]>,
}

/// A road found in a photograph.
#[derive(Clone, Debug)]
pub(crate) struct AerialRoad {
    /// Fraction of each pixel that is road, 0 to 255.
    pub coverage: GrayImage,
    /// Number of ignored shapes of the road's colour.
    pub dropped_shapes: usize,
    /// How much it looks like a road, 0 to 1.
    pub score: f64,
}

/// Finds the road in a photograph; `None` if nothing in it looks like one. Linear in the pixels.
pub(crate) fn find(colours: &RgbImage, hints: &AerialHints) -> Option<AerialRoad> {
    if colours.width() < 3 || colours.height() < 3 {
        return None;
    }
    let mut working = Working::new(colours, COARSE_PIXELS);
    let mut found = search(&working, hints);
    if working.factor > 1 && found.as_ref().is_none_or(|(network, _)| network.score < MIN_SCORE) {
        working = Working::new(colours, FINE_PIXELS);
        found = search(&working, hints);
    }
    let found = found.filter(|(network, _)| network.score >= MIN_SCORE)?;
    let (working, network, kinship) = reconsidered(colours, working, found, hints);
    let factor = working.factor as f64;
    let outlines = curve::outlines(&network.road, factor);
    let width_px = network.width_px * factor;
    let outlines = spurs::cut_off(outlines, &network.road, factor, width_px);
    let evidence = Evidence::learned(&working, &network, &kinship);
    let ground = close_legs::Ground { road: &network.road, factor };
    let edges = boundary::settled(colours, &evidence, &ground, &outlines, width_px);
    let edges = profile_fit::refined(colours, &ground, edges, width_px);
    let coverage = fill::coverage(colours.dimensions(), &edges);
    Some(AerialRoad { coverage, dropped_shapes: network.dropped_shapes, score: network.score })
}

/// The network found again with the colours seen in and beside it, in a picture in which it is wide
/// enough, as long as its score does not decrease too much.
fn reconsidered(
    colours: &RgbImage,
    mut working: Working,
    (mut network, mut kinship): RoadNetwork,
    hints: &AerialHints,
) -> (Working, Network, Vec<Kinship>) {
    for _ in 0..SECOND_LOOKS {
        let learned = Evidence::learned(&working, &network, &kinship).kinship(&kinship);
        let width_px = network.width_px * working.factor as f64;
        let are_merged = close_legs::are_merged(&network.road, network.width_px);
        let finer = finer(colours, &working, width_px, are_merged);
        let at = finer.as_ref().unwrap_or(&working);
        let pixels: Vec<Kinship> = at.keys.iter().map(|&key| learned[key as usize]).collect();
        let width = width_px / at.factor as f64;
        match network::clean(&pixels, (at.width, at.height), false, width, spot(at, hints)) {
            Some(next) if next.score >= KEPT_SCORE * network.score => (network, kinship) = (next, learned),
            _ => break,
        }
        working = finer.unwrap_or(working);
    }
    (working, network, kinship)
}

/// A picture in which a road of `width_px` is wide enough to show gaps and notches, and where legs seem to be
/// merged, a kerb between them; `None` if this one is.
fn finer(colours: &RgbImage, working: &Working, width_px: f64, are_merged: bool) -> Option<Working> {
    let wide_px = if are_merged { WIDE_WITH_CLOSE_LEGS_PX } else { WIDE_PX };
    let wanted = ((width_px / wide_px) as usize).clamp(1, working.factor);
    let pixels = colours.width() as usize * colours.height() as usize;
    let factor = wanted.max(factor_for(pixels, FINE_PIXELS));
    (factor < working.factor).then(|| Working::reduced(colours, factor))
}

/// The pixel of the working picture at the specified point.
fn spot(working: &Working, hints: &AerialHints) -> Option<(usize, usize)> {
    hints.road_at.map(|[column, row]| {
        let place = |v: f64, size: usize| (v / working.factor as f64).clamp(0.0, size as f64 - 1.0) as usize;
        (place(column, working.width), place(row, working.height))
    })
}

/// A colour model and whether its shades count as road.
struct Candidate {
    model: ColourModel,
    shades: bool,
}

/// A network and the kinship of every colour key to its road's colour.
type RoadNetwork = (Network, Vec<Kinship>);

/// The best network of any candidate.
fn search(working: &Working, hints: &AerialHints) -> Option<RoadNetwork> {
    let spot = spot(working, hints);
    let candidates = candidates(working, hints, spot);
    let size = (working.width, working.height);
    let mut outlooks: Vec<(f64, f64, usize)> = candidates
        .par_iter()
        .enumerate()
        .filter_map(|(index, candidate)| {
            let table = candidate.model.table();
            let is_road = |kin: Kinship| kin == Kinship::Road || (candidate.shades && kin == Kinship::Shade);
            let table: Vec<bool> = table.into_iter().map(is_road).collect();
            let bits = morphology::Bits::from_values(size.0, size.1, &working.keys, |&key| table[key as usize]);
            network::outlook(&bits).map(|(width, score)| (score, width, index))
        })
        .collect();
    outlooks.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    outlooks.truncate(FINALISTS);
    let networks: Vec<RoadNetwork> = outlooks
        .into_par_iter()
        .filter_map(|(_, width, index)| {
            let candidate = &candidates[index];
            let table = candidate.model.table();
            let kinship: Vec<Kinship> = working.keys.iter().map(|&key| table[key as usize]).collect();
            Some((network::clean(&kinship, size, candidate.shades, width, spot)?, table))
        })
        .collect();
    let mut best: Option<RoadNetwork> = None;
    for found in networks {
        if best.as_ref().is_none_or(|(kept, _)| found.0.score > kept.score) {
            best = Some(found);
        }
    }
    best
}

fn candidates(working: &Working, hints: &AerialHints, spot: Option<(usize, usize)>) -> Vec<Candidate> {
    let both =
        |model: ColourModel| [Candidate { model: model.clone(), shades: false }, Candidate { model, shades: true }];
    if let Some(RoadColour(colour)) = hints.colour {
        return both(ColourModel::specified(colour, hints.tolerance)).into();
    }
    let histogram = Histogram::of(working);
    let starts = spot.map_or_else(|| histogram.modes(), |spot| vec![median_about(working, spot)]);
    starts.into_iter().flat_map(|start| both(ColourModel::fitted(&histogram, start))).collect()
}

/// Median of each channel in a small square about a pixel.
fn median_about(working: &Working, (column, row): (usize, usize)) -> [f64; 3] {
    const REACH: usize = 1;
    let columns = column.saturating_sub(REACH)..=(column + REACH).min(working.width - 1);
    let rows = row.saturating_sub(REACH)..=(row + REACH).min(working.height - 1);
    let about: Vec<[f64; 3]> = rows
        .flat_map(|row| columns.clone().map(move |column| colour_of(working.keys[row * working.width + column])))
        .collect();
    [0, 1, 2].map(|channel| {
        let mut values: Vec<f64> = about.iter().map(|colour| colour[channel]).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::{RgbImage, Working, finer};

    #[test]
    fn a_kerb_between_legs_has_two_pixels_in_the_finer_picture() {
        let colours = RgbImage::new(2000, 1500);
        let coarse = Working::reduced(&colours, 8);
        let factor = |width_px: f64, are_merged: bool| {
            finer(&colours, &coarse, width_px, are_merged).map(|working| working.factor)
        };
        // A kerb between legs of 80 px is a ninth of that, 9 px: a third of it are three. Without it a road of 10 px
        // is wide enough.
        assert_eq!((factor(80.0, true), factor(80.0, false)), (Some(3), None));
    }
}
