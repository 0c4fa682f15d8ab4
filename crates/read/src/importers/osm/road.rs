//! The road of a map.

use super::circuit::{self, Chosen};
use super::data::MapData;
use super::joined_road::Road;
use super::tags::{self, Width};
use super::{json, lanelet2, pbf, xml};
use crate::importers::geographic::{Geographic, Line, Place};
use raceline_road::construction::{ImportError, ImportNote, ImportOptions, Imported, SpecifiedClosed};
use raceline_road::geometry::Point;

/// Whether these bytes are a map as JSON of Overpass.
#[must_use]
pub(crate) fn is_overpass_json(bytes: &[u8]) -> bool {
    json::is_overpass(bytes)
}

/// Whether these bytes are a map as PBF.
#[must_use]
pub(crate) fn is_osm_pbf(bytes: &[u8]) -> bool {
    pbf::is_pbf(bytes)
}

/// Reads a map of OpenStreetMap or of Lanelet2.
///
/// Of OpenStreetMap, the ways with `highway=raceway` or `leisure=track` are joined into a circuit, or into an
/// open road if they close none; pit lanes are left out. The option `part` names a way or a relation, by its
/// name or number, where the map has several. The width is that of `width`, else 3.5 m for each of its `lanes`,
/// else [`ImportOptions::width_m`]. `oneway` gives the direction.
///
/// Of Lanelet2, lanelets that follow one another are the road.
///
/// # Errors
/// See [`ImportError`]; several roads are listed with their names and lengths.
pub fn osm(bytes: &[u8], closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let map = read(bytes)?;
    if lanelet2::has_lanelets(&map) {
        return lanelet2::imported(&map, closed, options);
    }
    let points = map.projected();
    let Chosen { road, name, beside } = circuit::chosen(&map, &points, options.part.as_deref())?;
    let widths = Widths::of(&map, &points, &road, options)?;
    let at = |&index: &usize| {
        let node = map.nodes.get(index)?;
        Some(Place { degrees: node.degrees?, height_m: node.height_m })
    };
    let (positions, widths_m) = widths.along(&road.nodes.iter().filter_map(at).collect::<Vec<_>>(), &road, &points);
    let line = Line {
        place: name.as_ref().map_or_else(|| "the road".to_owned(), |name| format!("the road {name}")),
        positions,
        width_m: None,
        widths_m: Some(widths_m),
        side: None,
        name,
        length_m: None,
    };
    let found = Geographic { lines: vec![line], ..Geographic::default() };
    let mut imported = found.imported(closed.or(Some(road.closed)), options)?;
    imported.notes.extend(widths.notes);
    let mut ways = road.ways;
    ways.sort_unstable();
    ways.dedup();
    imported.notes.push(ImportNote::Ways { count: ways.len(), beside });
    Ok(imported)
}

/// Reads a map of either format.
pub(super) fn read(bytes: &[u8]) -> Result<MapData, ImportError> {
    match bytes {
        bytes if pbf::is_pbf(bytes) => pbf::read(bytes),
        bytes if bytes.trim_ascii_start().starts_with(b"{") => json::read(bytes),
        bytes => xml::read(bytes),
    }
}

/// A step from node to node is long from this many widths on.
const LONG_STEP_WIDTHS: f64 = 4.0;

/// The widths of a road of ways.
struct Widths {
    /// Full width at each node, metres: where two ways meet, between those of both.
    at_nodes: Vec<f64>,
    /// Full width of the way of each step, metres.
    of_steps: Vec<f64>,
    notes: Vec<ImportNote>,
}

impl Widths {
    /// The widths of the ways; those of the options, or the mean of the others, for ways without one.
    fn of(map: &MapData, points: &[Point], road: &Road, options: &ImportOptions) -> Result<Self, ImportError> {
        let count = road.nodes.len();
        let of_way = |&index: &usize| map.ways.get(index).and_then(|way| tags::width(&way.tags));
        let stated: Vec<Option<Width>> = road.ways.iter().map(of_way).collect();
        let length = |step: usize| (points[road.nodes[(step + 1) % count]] - points[road.nodes[step]]).norm();
        let (mut known_m, mut of_lanes_m, mut area) = (0.0, 0.0, 0.0);
        for (step, width) in stated.iter().enumerate() {
            if let Some(Width { width_m, is_of_lanes }) = width {
                known_m += length(step);
                of_lanes_m += if *is_of_lanes { length(step) } else { 0.0 };
                area += width_m * length(step);
            }
        }
        let whole_m = road.length_m(points);
        let usual = options.width_m.or((known_m > 0.0).then(|| area / known_m));
        let usual = usual.ok_or_else(|| ImportError::NoWidth {
            place: "the road".to_owned(),
            problem: "its ways have neither width nor lanes",
            fix: "specify track_width_m, the full width of the road in metres",
        })?;
        let widths: Vec<f64> = stated.iter().map(|width| width.map_or(usual, |width| width.width_m)).collect();
        let at = |node: usize| {
            let before = if node == 0 { road.closed.then(|| widths.len() - 1) } else { Some(node - 1) };
            let both = [before, Some(node)].into_iter().flatten().filter_map(|step| widths.get(step));
            let (sum, count) = both.fold((0.0, 0.0), |(sum, count), width| (sum + width, count + 1.0));
            if count > 0.0 { sum / count } else { usual }
        };
        let mut notes = Vec::new();
        if of_lanes_m > 0.0 {
            notes.push(ImportNote::WidthOfLanes { lane_m: tags::LANE_M, fraction: of_lanes_m / whole_m });
        }
        if whole_m - known_m > 1e-6 * whole_m && known_m > 0.0 {
            notes.push(ImportNote::WidthIncomplete { fraction: 1.0 - known_m / whole_m, width_m: usual });
        } else if options.width_m.is_some() && known_m > 0.0 {
            notes.push(ImportNote::WidthNotUsed);
        }
        Ok(Self { at_nodes: (0..count).map(at).collect(), of_steps: widths, notes })
    }

    /// The places of the nodes and the widths at them, with a place more at either end of a long step
    /// where another width begins: the width of a way holds until shortly before its end.
    fn along(&self, nodes: &[Place], road: &Road, points: &[Point]) -> (Vec<Place>, Vec<f64>) {
        let count = nodes.len();
        let (mut places, mut widths_m) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (step, (&place, &width_m)) in nodes.iter().zip(&self.at_nodes).enumerate() {
            places.push(place);
            widths_m.push(width_m);
            let next = (step + 1) % count;
            let Some(&of_step) = self.of_steps.get(step) else { continue };
            let (Some(&from), Some(&to)) = (road.nodes.get(step), road.nodes.get(next)) else { continue };
            let length = (points[to] - points[from]).norm();
            if length < LONG_STEP_WIDTHS * of_step {
                continue;
            }
            for (end, fraction) in [(step, of_step / length), (next, 1.0 - of_step / length)] {
                if self.at_nodes.get(end).is_some_and(|&width| width != of_step) {
                    places.push(place.towards(nodes[next], fraction));
                    widths_m.push(of_step);
                }
            }
        }
        (places, widths_m)
    }
}
