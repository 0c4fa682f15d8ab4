//! Reads a track: from its XML to edges with surfaces.

use raceline_road::construction::{COINCIDENT_M, EdgePair, Sides};
use raceline_road::construction::{ImportError, ImportOptions, Imported, SpecifiedClosed, check_units};
use raceline_road::edges::{EdgePoint, Edges, RoadSurface};

use super::road::{Points, Road};
use super::surfaces::{self, Surfaces};
use super::{gap, world, xml};

/// The path of the file of standard surfaces that a track's document type names, relative to the
/// track's file; `None` if it names none.
#[must_use]
pub fn torcs_surfaces_file(bytes: &[u8]) -> Option<String> {
    surfaces::file_of(&xml::parse(bytes).ok()?).map(str::to_owned)
}

/// Reads a track of TORCS or Speed Dreams. `standard_surfaces` is the content of the file that
/// [`torcs_surfaces_file`] names; without it, the frictions of TORCS's standard surfaces are used.
///
/// # Errors
/// See [`ImportError`]; each names the line and the segment.
pub fn torcs_xml(
    bytes: &[u8],
    standard_surfaces: Option<&[u8]>,
    closed: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let document = xml::parse(bytes)?;
    let mut surfaces = Surfaces::new(&document, standard_surfaces)?;
    let road = Road::of(&document, &mut surfaces)?;
    let mut notes = surfaces.notes();
    notes.extend(road.note());
    let mut points = road.points();
    let closed = closed.unwrap_or(true);
    check_units(&points.middles(), closed, road.width_m)?;
    if closed {
        notes.extend(gap::close(&road, &mut points)?);
    } else {
        road.add_end(&mut points);
    }
    let offset = world::offset(&road);
    for point in points.edges.iter_mut().flatten() {
        point.position += offset.xy();
        point.height_m += offset.z;
    }
    let start = points.middles().first().copied();
    let imported = edge_pair(&points).imported(Some(closed), options)?;
    let [left, right] = points.edges.map(|edge| distinct(edge, closed));
    let edges = Edges { surface: Some(RoadSurface { left, right }), ..imported.edges };
    notes.extend(imported.notes);
    Ok(Imported { edges, notes, start, ..imported })
}

/// The points without those in one place, as on the inside of a bend that is as tight as the road is
/// wide.
fn distinct(mut edge: Vec<EdgePoint>, closed: bool) -> Vec<EdgePoint> {
    let is_same = |a: &EdgePoint, b: &EdgePoint| (a.position - b.position).norm() <= COINCIDENT_M;
    edge.dedup_by(|next, before| is_same(next, before));
    while closed && edge.len() > 1 && edge.first().zip(edge.last()).is_some_and(|(first, last)| is_same(first, last)) {
        edge.pop();
    }
    edge
}

fn edge_pair(points: &Points) -> EdgePair {
    let [first, second] = points.edges.each_ref().map(|edge| edge.iter().map(|point| point.position).collect());
    EdgePair { first, second, sides: Sides::Named, in_travel_order: true, levels: None }
}
