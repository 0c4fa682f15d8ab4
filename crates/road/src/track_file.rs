//! An extracted track as a file: format `raceline-track`, version 1, one cross-section per line of
//! text.
//!
//! `raceline extract` writes it and `raceline optimize` reads it. A track can be checked, corrected
//! by hand or written by another program.

use serde::{Deserialize, Serialize};

use raceline_file::{FileKind, read_kind, round_to};

use crate::edges::EdgeKind;
use crate::geometry::{Ends, Point, Polyline, Segment, turns_counterclockwise};
use crate::track::{CrossSection, Direction, SectionSurface, SurfaceEnd, Track};
use raceline_file::{EdgeCoordinates, Inconsistency, ObjectText, ReadError, Source, WriteError, finite, finite_all};

/// The value of [`TrackFile::format`].
pub const FORMAT: &str = "raceline-track";
/// The value of [`TrackFile::version`]; raised when the meaning of a key changes.
pub const VERSION: u32 = 1;

const TRACK: FileKind = FileKind { format: FORMAT, version: VERSION, hint: "`raceline extract` makes track files" };

/// Decimals of coordinates, m. Finer than a racing-line file's, because curvature is computed from
/// them: a micrometre has no effect on the millimetres of the racing line.
const DECIMALS: i32 = 6;

/// Decimals of grip.
const GRIP_DECIMALS: i32 = 4;
/// Range of grip.
const MIN_GRIP: f64 = 0.01;
const MAX_GRIP: f64 = 10.0;

/// Area that rounding may remove from the road between two sections, m².
const MIN_AREA_M2: f64 = 1e-4;

/// A track as in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackFile {
    /// Always `"raceline-track"`.
    pub format: String,
    /// Version of the format: 1.
    pub version: u32,
    /// Name of the track.
    pub name: String,
    /// Whether the last section leads back to the first.
    pub closed: bool,
    /// The direction of travel, seen from above.
    pub direction: Direction,
    /// Distance between sections along the centre line on straights, m.
    pub spacing_m: f64,
    /// The source of the track.
    pub source: Source,
    /// Largest error of the edges, m; lines keep this distance in addition to their margin.
    #[serde(default)]
    pub edge_uncertainty_m: f64,
    /// The cross-sections in the order of travel from the start line, each its right end and its
    /// left end, m.
    pub sections: Vec<[[f64; 2]; 2]>,
    /// The edges of the road in the order of travel, m.
    pub edges: EdgeCoordinates,
    /// Pieces of the edges that lead across another leg of the road, where it crosses itself, m:
    /// not walls. Each is one whole piece of an edge.
    #[serde(default)]
    pub crossings: Vec<[[f64; 2]; 2]>,
    /// Height, m, and grip at the right end and at the left end of each cross-section; empty for a
    /// level road of even grip.
    #[serde(default)]
    pub surface: Vec<[f64; 4]>,
    /// What the edges are made of there, right and left; empty where all are lines.
    #[serde(default)]
    pub edge_kinds: Vec<[EdgeKind; 2]>,
}

impl TrackFile {
    /// `track` for a file, with coordinates rounded to a micrometre.
    ///
    /// ```
    /// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
    /// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
    /// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
    /// # let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
    /// use raceline_file::Source;
    /// use raceline_road::track_file::{TrackFile, read, write};
    ///
    /// let source = Source {
    ///     file: "ring.csv".to_owned(),
    ///     sha256: "0".repeat(64),
    ///     ..Source::default()
    /// };
    /// let bytes = write(&TrackFile::new("ring", &track, &source))?;
    /// assert_eq!(read(&bytes)?.track().sections.len(), track.sections.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(name: &str, track: &Track, source: &Source) -> Self {
        let position = |p: &Point| [round_to(p.x, DECIMALS), round_to(p.y, DECIMALS)];
        let mut kinds: Vec<[EdgeKind; 2]> =
            track.surface.iter().flatten().map(|section| [section.right.kind, section.left.kind]).collect();
        if kinds.as_flattened().iter().all(|&kind| kind == EdgeKind::Line) {
            kinds.clear();
        }
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            name: name.to_owned(),
            closed: track.closed,
            direction: track.direction,
            spacing_m: track.spacing_m,
            edge_uncertainty_m: track.edge_uncertainty_m,
            source: source.clone(),
            sections: track
                .sections
                .iter()
                .map(|section| [position(&section.right), position(&section.left)])
                .collect(),
            edges: EdgeCoordinates {
                left: track.left_edge.points.iter().map(position).collect(),
                right: track.right_edge.points.iter().map(position).collect(),
            },
            crossings: track.crossings.iter().map(|piece| piece.each_ref().map(position)).collect(),
            surface: track.surface.iter().flatten().map(surface_row).collect(),
            edge_kinds: kinds,
        }
    }

    /// The track.
    pub fn track(&self) -> Track {
        let edge = |vertices: &[[f64; 2]]| Polyline {
            points: vertices.iter().map(|&vertex| Point::from(vertex)).collect(),
            closed: self.closed,
        };
        Track {
            closed: self.closed,
            direction: self.direction,
            spacing_m: self.spacing_m,
            edge_uncertainty_m: self.edge_uncertainty_m,
            sections: self.sections.iter().map(cross_section).collect(),
            left_edge: edge(&self.edges.left),
            right_edge: edge(&self.edges.right),
            crossings: self.crossings.iter().map(|piece| piece.map(Point::from)).collect(),
            surface: self.section_surfaces(),
        }
    }

    fn section_surfaces(&self) -> Option<Vec<SectionSurface>> {
        if self.surface.is_empty() && self.edge_kinds.is_empty() {
            return None;
        }
        let end = |height_m, grip, kind| SurfaceEnd { height_m, grip, kind };
        let surface = (0..self.sections.len()).map(|i| {
            let [right_m, right_grip, left_m, left_grip] = self.surface.get(i).copied().unwrap_or([0.0, 1.0, 0.0, 1.0]);
            let [right, left] = self.edge_kinds.get(i).copied().unwrap_or_default();
            SectionSurface { right: end(right_m, right_grip, right), left: end(left_m, left_grip, left) }
        });
        Some(surface.collect())
    }

    /// The rules that the types do not express, which [`Track`] guarantees to the later stages.
    fn check(&self) -> Result<(), Inconsistency> {
        let min = if self.closed { 3 } else { 2 };
        let counts = [("edges.left", self.edges.left.len()), ("edges.right", self.edges.right.len())];
        if self.sections.len() < 3 {
            let problem = format!("has length {}, but a track requires at least 3 cross-sections", self.sections.len());
            return Err(Inconsistency::new("sections", problem));
        }
        if self.edge_uncertainty_m < 0.0 {
            let problem = format!("is {}, must not be negative", self.edge_uncertainty_m);
            return Err(Inconsistency::new("edge_uncertainty_m", problem));
        }
        if self.spacing_m <= 0.0 {
            return Err(Inconsistency::new("spacing_m", format!("is {}, must be positive", self.spacing_m)));
        }
        for (key, count) in counts {
            if count < min {
                return Err(Inconsistency::new(
                    key,
                    format!("has length {count}, but at least {min} vertices are required"),
                ));
            }
        }
        if let Some(index) = self.sections.iter().position(|section| cross_section(section).width() <= 0.0) {
            return Err(Inconsistency::new(
                format!("sections[{index}]"),
                "has no width: its right end and its left end are the same point",
            ));
        }
        for (key, count) in [("surface", self.surface.len()), ("edge_kinds", self.edge_kinds.len())] {
            if count != 0 && count != self.sections.len() {
                let problem = format!("has length {count}, but there are {} cross-sections", self.sections.len());
                return Err(Inconsistency::new(key, problem));
            }
        }
        let is_grip = |grip: f64| (MIN_GRIP..=MAX_GRIP).contains(&grip);
        if let Some(index) = self.surface.iter().position(|row| !(is_grip(row[1]) && is_grip(row[3]))) {
            let problem =
                format!("has a grip outside {MIN_GRIP} to {MAX_GRIP} (each row: height and grip, right then left)");
            return Err(Inconsistency::new(format!("surface[{index}]"), problem));
        }
        self.check_order()
    }

    /// Neighbouring sections do not cross, each lies ahead of the one before with its right end
    /// first, and the loop has the specified direction.
    fn check_order(&self) -> Result<(), Inconsistency> {
        let track = self.track();
        let count = track.sections.len();
        let pairs = if self.closed { count } else { count - 1 };
        let mut backwards = Vec::new();
        for index in 0..pairs {
            let next = (index + 1) % count;
            let (here, there) = (track.sections[index], track.sections[next]);
            if sections_cross(&here, &there) {
                return Err(Inconsistency::new(
                    format!("sections[{index}]"),
                    format!("crosses sections[{next}]: turn or shorten one of them"),
                ));
            }
            if area_between(&here, &there) < -MIN_AREA_M2 {
                backwards.push(index);
            }
        }
        if 2 * backwards.len() > pairs {
            return Err(Inconsistency::new(
                "sections",
                "the second end of most sections lies to the right of the direction of travel: write the right end \
                 first, or reverse the order of the sections",
            ));
        }
        if let Some(&index) = backwards.first() {
            let next = (index + 1) % count;
            return Err(Inconsistency::new(
                format!("sections[{next}]"),
                format!("lies behind sections[{index}]: list the sections in the order of travel"),
            ));
        }
        let counterclockwise = turns_counterclockwise(&[&track.left_edge, &track.right_edge]);
        if self.closed && counterclockwise != (self.direction == Direction::Counterclockwise) {
            let run = if counterclockwise { "counterclockwise" } else { "clockwise" };
            return Err(Inconsistency::new(
                "direction",
                format!("the sections run {run}: specify \"{run}\", or reverse them"),
            ));
        }
        Ok(())
    }
}

fn surface_row(section: &SectionSurface) -> [f64; 4] {
    let [right, left] =
        [section.right, section.left].map(|end| [round_to(end.height_m, DECIMALS), round_to(end.grip, GRIP_DECIMALS)]);
    [right[0], right[1], left[0], left[1]]
}

/// The bytes of `file`.
///
/// # Errors
/// A number that is not finite, and a track that violates a rule of the format (see [`read`]).
pub fn write(file: &TrackFile) -> Result<Vec<u8>, WriteError> {
    file.source.finite()?;
    finite("spacing_m", file.spacing_m)?;
    finite("edge_uncertainty_m", file.edge_uncertainty_m)?;
    finite_all("sections", file.sections.as_flattened().as_flattened())?;
    finite_all("edges.left", file.edges.left.as_flattened())?;
    finite_all("edges.right", file.edges.right.as_flattened())?;
    finite_all("crossings", file.crossings.as_flattened().as_flattened())?;
    finite_all("surface", file.surface.as_flattened())?;
    file.check()?;
    let TrackFile {
        format,
        version,
        name,
        closed,
        direction,
        spacing_m,
        edge_uncertainty_m,
        source,
        sections,
        edges,
        crossings,
        surface,
        edge_kinds,
    } = file;
    let mut text = ObjectText::begin();
    text.value("format", format)?;
    text.value("version", version)?;
    text.value("name", name)?;
    text.value("closed", closed)?;
    text.value("direction", direction)?;
    text.value("spacing_m", spacing_m)?;
    text.value("edge_uncertainty_m", edge_uncertainty_m)?;
    text.value("source", source)?;
    text.rows("sections", sections)?;
    text.object("edges", |text| {
        text.rows("left", &edges.left)?;
        text.rows("right", &edges.right)
    })?;
    if !crossings.is_empty() {
        text.rows("crossings", crossings)?;
    }
    if !surface.is_empty() {
        text.rows("surface", surface)?;
    }
    if !edge_kinds.is_empty() {
        text.rows("edge_kinds", edge_kinds)?;
    }
    Ok(text.end())
}

/// The track in `bytes`. Unknown keys are ignored.
///
/// # Errors
/// Bytes that are not JSON, another format or version, a missing key, fewer than 3 cross-sections,
/// an edge with fewer than 3 vertices (2 when open), a spacing that is not positive, a section
/// without width, neighbouring sections that cross or are out of order, swapped ends, and a
/// direction that contradicts the sections.
pub fn read(bytes: &[u8]) -> Result<TrackFile, ReadError> {
    let file: TrackFile = read_kind(bytes, &TRACK)?;
    file.check()?;
    Ok(file)
}

fn cross_section(&[right, left]: &[[f64; 2]; 2]) -> CrossSection {
    CrossSection { right: Point::from(right), left: Point::from(left) }
}

/// Area of the road from one section to the next, m²; negative where the next one lies behind.
fn area_between(here: &CrossSection, there: &CrossSection) -> f64 {
    Polyline::closed(vec![here.right, there.right, there.left, here.left]).signed_area()
}

/// Whether two sections meet at an inner point of both. A common end is allowed, as at a corner of
/// an edge.
fn sections_cross(a: &CrossSection, b: &CrossSection) -> bool {
    Segment::new(a.right, a.left).meets(Segment::new(b.right, b.left), Ends::Excluded)
}
