//! The report about an input: the findings, what was omitted, and the confidence.

use serde::Serialize;

use super::{EdgeUncertainty, RoadStretch, Warning};
use crate::geometry::{Point, angle_between};
use crate::picture::RoadStyle;
use crate::picture::StyleTrial;
use crate::tracing::Traced;
use crate::track::{Direction, Track};
use crate::units::Decimals;

/// Confidence if another route covers nearly as much of the road.
const RIVAL_CONFIDENCE: f64 = 0.6;
/// Confidence if a gap was closed.
const GAP_CONFIDENCE: f64 = 0.8;
/// A road whose smallest width is less than this fraction of its mean width is doubtful there.
const DOUBTFUL_WIDTH_FRACTION: f64 = 0.2;
/// Confidence if the width is doubtful.
const WIDTH_CONFIDENCE: f64 = 0.7;

/// Pieces of one edge across another leg follow each other with smaller turns than this, radians;
/// those of two legs that meet in a corner of their crossing, with larger ones.
const ONWARDS_RAD: f64 = 0.4;

/// The findings in an input; written as JSON by `extract --explain`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ExtractionReport {
    /// Name of the track.
    pub name: String,
    /// How the picture shows its road; `None` for a file of coordinates.
    pub style: Option<RoadStyle>,
    /// Confidence of the style, 0 to 1: the road's extent in the picture, slenderness and contrast.
    pub score: Option<f64>,
    /// Confidence of the whole, 0 to 1: the score, reduced if another route is as good, a gap was
    /// closed or the road is very narrow.
    pub confidence: f64,
    /// The results of every style, if requested.
    pub styles: Vec<StyleTrial>,
    /// Whether the road leads back to its start.
    pub closed: bool,
    /// The direction of travel.
    pub direction: Direction,
    /// Length of the centre line, m.
    pub length_m: f64,
    /// Mean width along the cross-sections, m.
    pub mean_width_m: f64,
    /// Smallest width, m.
    #[serde(rename = "least_width_m")]
    pub min_width_m: f64,
    /// Largest width, m.
    pub greatest_width_m: f64,
    /// Number of cross-sections.
    pub sections: usize,
    /// Number of places where the road crosses itself.
    pub crossings: usize,
    /// Number of omitted shapes beside the road: titles, specks.
    pub dropped_shapes: usize,
    /// Number of small holes in the road that were filled.
    pub filled_holes: usize,
    /// Omitted roads off the route.
    pub side_roads: Vec<RoadStretch>,
    /// A gap in the road that was closed.
    pub closed_gap: Option<RoadStretch>,
    /// How much of the drawn road the line covers, 0 to 1; `None` if the input is no picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered_fraction: Option<f64>,
    /// How sure the edges of a picture's road are, from the start line to the end of the lap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edge_uncertainty: Vec<EdgeUncertainty>,
    /// The warnings.
    pub warnings: Vec<Warning>,
}

/// Number of times that a road crosses itself, from the pieces of its edges across other legs. Each
/// leg of a crossing has one run of pieces on either side.
fn crossings(pieces: &[[Point; 2]]) -> usize {
    let goes_on = |[before, after]: [[Point; 2]; 2]| {
        before[1] == after[0] && angle_between(before[1] - before[0], after[1] - after[0]) < ONWARDS_RAD
    };
    let starts = (0..pieces.len()).filter(|&i| i == 0 || !goes_on([pieces[i - 1], pieces[i]]));
    starts.count() / 4
}

/// How certain a road is, 0 to 1, whose route has a rival, whose gap was closed, or whose width is doubtful.
fn certainty(has_rival: bool, has_gap: bool, is_narrow: bool) -> f64 {
    let reasons = [(has_rival, RIVAL_CONFIDENCE), (has_gap, GAP_CONFIDENCE), (is_narrow, WIDTH_CONFIDENCE)];
    reasons.into_iter().filter(|(applies, _)| *applies).map(|(_, confidence)| confidence).product()
}

impl ExtractionReport {
    /// Measures the road again, whose edges were corrected.
    pub(super) fn measure(&mut self, track: &Track) {
        let new = Self::new(&self.name, track, Vec::new());
        (self.length_m, self.mean_width_m, self.sections) = (new.length_m, new.mean_width_m, new.sections);
        (self.min_width_m, self.greatest_width_m) = (new.min_width_m, new.greatest_width_m);
    }

    /// The report about any track.
    pub(super) fn new(name: &str, track: &Track, warnings: Vec<Warning>) -> Self {
        let widths = || track.sections.iter().map(crate::track::CrossSection::width);
        let millimetres = |value: f64| (value * 1e3).round() / 1e3;
        Self {
            name: name.to_owned(),
            style: None,
            score: None,
            confidence: 1.0,
            styles: Vec::new(),
            closed: track.closed,
            direction: track.direction,
            length_m: millimetres(track.centre_line().length()),
            mean_width_m: millimetres(widths().sum::<f64>() / track.sections.len().max(1) as f64),
            min_width_m: millimetres(widths().fold(f64::INFINITY, f64::min)),
            greatest_width_m: millimetres(widths().fold(0.0, f64::max)),
            sections: track.sections.len(),
            crossings: crossings(&track.crossings),
            dropped_shapes: 0,
            filled_holes: 0,
            side_roads: Vec::new(),
            closed_gap: None,
            covered_fraction: None,
            edge_uncertainty: Vec::new(),
            warnings,
        }
    }

    /// Adds the findings in a picture.
    pub(super) fn add_picture(
        &mut self,
        (style, score, dropped_shapes): (RoadStyle, f64, usize),
        traced: &Traced,
        styles: &[StyleTrial],
    ) {
        let has_gap = traced.closed_gap.is_some();
        let is_narrow = self.min_width_m < DOUBTFUL_WIDTH_FRACTION * self.mean_width_m;
        self.style = Some(style);
        self.score = Some((score * 1e3).round() / 1e3);
        self.confidence = (score * certainty(traced.has_rival, has_gap, is_narrow) * 1e3).round() / 1e3;
        self.styles = styles.to_vec();
        self.dropped_shapes = dropped_shapes + traced.dropped.islands;
        self.filled_holes = traced.dropped.holes;
        self.side_roads = traced.side_roads.iter().map(|&road| road.into()).collect();
        self.closed_gap = traced.closed_gap.map(RoadStretch::from);
        self.warnings.extend(self.closed_gap.map(Warning::GapClosed));
        let has_rival = traced.has_rival;
        self.warnings.extend(self.side_roads.iter().map(|&road| Warning::SideRoadLeftOut { road, has_rival }));
        if self.filled_holes > 0 {
            let (count, largest_px2) = (self.filled_holes, traced.dropped.largest_px2);
            self.warnings.push(Warning::HolesFilled { count, largest_px2 });
        }
        if self.dropped_shapes > 0 {
            self.warnings.push(Warning::ShapesLeftOut { count: self.dropped_shapes });
        }
    }

    /// The report in one line.
    #[must_use]
    pub fn line(&self) -> String {
        let style = match self.style {
            Some(style) => format!("{} road, confidence {:.2}", style.name(), self.confidence),
            None => "road from coordinates".to_owned(),
        };
        let shape = match (self.closed, self.crossings) {
            (true, 0) => "closed".to_owned(),
            (true, 1) => "closed, crosses itself once".to_owned(),
            (true, crossings) => format!("closed, crosses itself {crossings} times"),
            (false, _) => "open".to_owned(),
        };
        let Self { length_m, mean_width_m, min_width_m, greatest_width_m, sections, .. } = self;
        let decimals = Decimals::of(*length_m, *mean_width_m);
        format!(
            "{style}; {shape}, {} long, {} m wide ({} to {} m), {sections} cross-sections",
            decimals.length(*length_m),
            decimals.width(*mean_width_m),
            decimals.width(*min_width_m),
            decimals.width(*greatest_width_m)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Point, certainty, crossings};

    #[test]
    fn each_doubt_reduces_the_confidence() {
        let alone = [
            certainty(false, false, false),
            certainty(true, false, false),
            certainty(false, true, false),
            certainty(false, false, true),
        ];
        for (found, expected) in alone.into_iter().zip([1.0, 0.6, 0.8, 0.7]) {
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
        assert!((certainty(true, true, true) - 0.6 * 0.8 * 0.7).abs() < 1e-12);
    }

    /// `count` pieces from `from`, each turning by `turn_rad` more.
    fn pieces(from: Point, heading_rad: f64, turn_rad: f64, count: usize) -> Vec<[Point; 2]> {
        let (mut at, mut pieces) = (from, Vec::new());
        for i in 0..count {
            let (sin, cos) = (heading_rad + i as f64 * turn_rad).sin_cos();
            let next = Point::new(at.x + cos, at.y + sin);
            pieces.push([at, next]);
            at = next;
        }
        pieces
    }

    #[test]
    fn a_crossing_of_bent_legs_is_one_crossing() {
        // The edges of both legs across the other one: four runs, each of five pieces in a bend of 10 m. Two of them
        // follow each other at a corner of the crossing, with a right angle.
        let first = pieces(Point::origin(), 0.0, 0.1, 5);
        let second = pieces(first[4][1], 0.4 + 1.5, 0.1, 5);
        let apart = [(20.0, 0.0), (40.0, 1.0)].map(|(x, heading)| pieces(Point::new(x, 0.0), heading, 0.1, 5));
        let all: Vec<[Point; 2]> = [first, second].into_iter().chain(apart).flatten().collect();
        assert_eq!(crossings(&all), 1);
    }
}
