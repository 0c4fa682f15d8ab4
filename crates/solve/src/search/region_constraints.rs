//! The regions of a road that a line keeps out of, and those with another grip, as its file states
//! them.

use raceline_file::{Constraint, ConstraintKind};
use raceline_road::frame::Spot;
use raceline_road::geometry::{Point, Vector};
use raceline_road::track::{CrossSection, EdgePiece, Grip, GripStrip, RoadSide};

use super::options::LineOptions;
use crate::{LocalRoad, NoGo, Outline, PassingSide, SolveError, StretchNoGo};

/// The regions of `options` without prices, on the road `source`.
///
/// # Errors
/// A strip beyond the road's end, and a polygon that is not in metres.
pub(super) fn region_constraints(source: &LocalRoad, options: &LineOptions) -> Result<Vec<Constraint>, SolveError> {
    let regions = options.no_go.iter().enumerate().map(|(index, one)| {
        let number = index + 1;
        let (gates, outlines) = match one {
            &NoGo::Stretch(StretchNoGo { from_m, to_m, side, width_m }) => {
                strip(source, ("no_go", number), [from_m, to_m], side, width_m)?
            }
            NoGo::Polygon(polygon) => {
                let outline = polygon.outline(number, Vector::zeros())?;
                (None, vec![vertices(&outline, Vector::zeros())])
            }
        };
        Ok(constraint(ConstraintKind::NoGo, number, gates, outlines))
    });
    let patches = options.grip.iter().enumerate().filter(|(_, part)| part.is_patch()).map(|(index, part)| {
        let number = index + 1;
        let (gates, outlines) = match part {
            Grip::Stretch(_) => (None, Vec::new()),
            &Grip::Strip(GripStrip { from_m, to_m, side, width_m, .. }) => {
                strip(source, ("grip", number), [from_m, to_m], side, width_m)?
            }
            Grip::Polygon(polygon) => {
                let place = |spot: &Spot| if let Spot::Metres(place) = *spot { Some(place) } else { None };
                (None, vec![polygon.polygon.iter().filter_map(place).collect()])
            }
        };
        Ok(constraint(ConstraintKind::Grip, number, gates, outlines))
    });
    regions.chain(patches).collect()
}

fn constraint(kind: ConstraintKind, number: usize, gates: Gates, outlines: Outlines) -> Constraint {
    Constraint { kind, number, price_s: None, seconds_per_m: None, seconds_per_mps: None, gates, outlines }
}

type Gates = Option<[[[f64; 2]; 2]; 2]>;
type Outlines = Vec<Vec<[f64; 2]>>;

/// The ends of a strip across the road, and the outlines of its parts.
fn strip(
    source: &LocalRoad,
    (list, number): (&'static str, usize),
    ends_m: [f64; 2],
    side: RoadSide,
    width_m: f64,
) -> Result<(Gates, Outlines), SolveError> {
    let place = |point: Point| [point.x + source.origin.x, point.y + source.origin.y];
    let pieces = source.track.edge_pieces(list, number, ends_m, side)?;
    let gate = |section: CrossSection| [place(section.right), place(section.left)];
    let gates = pieces.first().and_then(|piece| piece.gates).map(|gates| gates.map(gate));
    let outline = |EdgePiece { line, is_left, .. }: EdgePiece| {
        let of = if is_left { PassingSide::Left } else { PassingSide::Right };
        let mut edge = line.points;
        if line.closed {
            edge.extend(edge.first().copied());
        }
        vertices(&Outline::Strip { edge, of, width_m, ends: [true, true] }, source.origin)
    };
    Ok((gates, pieces.into_iter().map(outline).collect()))
}

fn vertices(outline: &Outline, origin: Vector) -> Vec<[f64; 2]> {
    outline.vertices().into_iter().map(|vertex| [vertex.x + origin.x, vertex.y + origin.y]).collect()
}

#[cfg(test)]
mod tests {
    use raceline_road::geometry::{Point, Vector};

    use super::{Outline, vertices};

    #[test]
    fn outlines_are_written_in_the_coordinates_of_the_input() {
        let corners = [Point::new(1.0, 2.0), Point::new(5.0, 2.0), Point::new(5.0, 4.0)];
        let outline = Outline::Polygon(corners.to_vec());
        let at = vertices(&outline, Vector::new(1000.0, -300.0));
        for (own, written) in outline.vertices().into_iter().zip(at) {
            assert_eq!(written, [own.x + 1000.0, own.y - 300.0]);
        }
    }
}
