//! An extraction as text between two processes, with every number as it is.
//!
//! An extracted track's file rounds coordinates, and has neither warnings nor the frame of the picture. A
//! line of what is kept here has the same bytes as one of what was read.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Extraction, ExtractionReport, Warning};
use crate::edges::EdgeKind;
use crate::file::{Source, Streets};
use crate::frame::PictureFrame;
use crate::geometry::{Point, Polyline};
use crate::track::{CrossSection, Direction, SectionSurface, SurfaceEnd, Track};

/// A point, metres.
type Place = [f64; 2];
/// Height, metres, grip and kind of an edge.
type Surface = (f64, f64, EdgeKind);

/// An [`Extraction`] in plain types.
///
/// Of its report only the warnings remain, as text; the rest is computed from the track anew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptExtraction {
    file: PathBuf,
    name: String,
    source: Source,
    streets: Option<Streets>,
    /// Side of a pixel, the picture's bottom-left corner, its width and its height in pixels.
    frame: Option<(f64, Place, u32, u32)>,
    warnings: Vec<String>,
    closed: bool,
    direction: Direction,
    spacing_m: f64,
    edge_uncertainty_m: f64,
    /// The right and the left end of each cross-section.
    sections: Vec<[Place; 2]>,
    left: Vec<Place>,
    right: Vec<Place>,
    crossings: Vec<[Place; 2]>,
    /// At the right and at the left end of each cross-section.
    surface: Option<Vec<[Surface; 2]>>,
}

fn places(points: &[Point]) -> Vec<Place> {
    points.iter().map(|point| [point.x, point.y]).collect()
}

impl From<&Extraction> for KeptExtraction {
    fn from(extraction: &Extraction) -> Self {
        let track = &extraction.track;
        let end = |end: &SurfaceEnd| (end.height_m, end.grip, end.kind);
        let surface = track.surface.as_ref();
        Self {
            file: extraction.file.clone(),
            name: extraction.name.clone(),
            source: extraction.source.clone(),
            streets: extraction.streets.clone(),
            frame: extraction.frame.map(|frame| {
                let origin_m = [frame.origin_m.x, frame.origin_m.y];
                (frame.metres_per_pixel, origin_m, frame.width_px, frame.height_px)
            }),
            warnings: extraction.report.warnings.iter().map(ToString::to_string).collect(),
            closed: track.closed,
            direction: track.direction,
            spacing_m: track.spacing_m,
            edge_uncertainty_m: track.edge_uncertainty_m,
            sections: track
                .sections
                .iter()
                .map(|section| [section.right, section.left].map(|point| [point.x, point.y]))
                .collect(),
            left: places(&track.left_edge.points),
            right: places(&track.right_edge.points),
            crossings: track.crossings.iter().map(|piece| piece.map(|point| [point.x, point.y])).collect(),
            surface: surface.map(|all| all.iter().map(|section| [end(&section.right), end(&section.left)]).collect()),
        }
    }
}

impl From<KeptExtraction> for Extraction {
    fn from(kept: KeptExtraction) -> Self {
        let edge = |points: Vec<Place>| Polyline {
            points: points.into_iter().map(Point::from).collect(),
            closed: kept.closed,
        };
        let end = |(height_m, grip, kind)| SurfaceEnd { height_m, grip, kind };
        let section = |[right, left]: [Place; 2]| CrossSection { right: Point::from(right), left: Point::from(left) };
        let surface = |ends: [Surface; 2]| {
            let [right, left] = ends.map(end);
            SectionSurface { right, left }
        };
        let track = Track {
            closed: kept.closed,
            direction: kept.direction,
            spacing_m: kept.spacing_m,
            edge_uncertainty_m: kept.edge_uncertainty_m,
            sections: kept.sections.into_iter().map(section).collect(),
            left_edge: edge(kept.left),
            right_edge: edge(kept.right),
            crossings: kept.crossings.into_iter().map(|piece| piece.map(Point::from)).collect(),
            surface: kept.surface.map(|all| all.into_iter().map(surface).collect()),
        };
        let warnings = kept.warnings.into_iter().map(Warning::Kept).collect();
        Self {
            report: ExtractionReport::new(&kept.name, &track, warnings),
            file: kept.file,
            name: kept.name,
            source: kept.source,
            streets: kept.streets,
            frame: kept.frame.map(|(metres_per_pixel, origin_m, width_px, height_px)| PictureFrame {
                metres_per_pixel,
                origin_m: Point::from(origin_m),
                width_px,
                height_px,
            }),
            track,
        }
    }
}
