//! From the bytes of a file to the line in it, and to a road about it.

use raceline_road::construction::{
    CentreLine, EdgePair, ImportError, ImportNote, ImportOptions, Imported, Sides, SpecifiedClosed,
};

use super::kind::LineKind;
use super::line_file::{LineFile, Positions};
use super::{dxf, fast_lane, geographic, godot, json, poses, svg, table};

/// Reads the line in a file of this kind. `metres_per_unit` is the length of a user unit of a
/// drawing; `None`: that which the drawing states, else 1 m.
///
/// # Errors
/// See [`ImportError`]; each names the place and the remedy.
pub fn read(kind: LineKind, bytes: &[u8], metres_per_unit: Option<f64>) -> Result<LineFile, ImportError> {
    match kind {
        LineKind::Csv => table::read(bytes),
        LineKind::RacingLine => json::racing_line(bytes),
        LineKind::Json => json::read(bytes),
        LineKind::GeoJson => geographic::geojson(bytes),
        LineKind::Kml => geographic::kml(bytes),
        LineKind::Gpx => geographic::gpx(bytes),
        LineKind::Svg => svg::read(bytes, metres_per_unit),
        LineKind::Dxf => dxf::read(bytes),
        LineKind::Godot => godot::read(bytes),
        LineKind::Poses => poses::read(bytes),
        LineKind::FastLane => fast_lane::read(bytes),
    }
}

/// The road in a file that holds a line: between the edges in it, else about the line, as wide as
/// the file or the options state.
///
/// # Errors
/// See [`ImportError`]; a line without edges and without a width is one.
pub fn road(
    kind: LineKind,
    bytes: &[u8],
    closed: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let line = read(kind, bytes, None)?;
    let middle_deg = line.positions.middle_deg();
    let closed = closed.or(line.closed);
    let metres = |positions: &Positions| positions.about(middle_deg.unwrap_or_default());
    let is_width_used = line.edges.is_none() && line.widths_m.is_none();
    let mut imported = match (&line.edges, &line.widths_m, options.width_m) {
        (Some([left, right]), ..) => EdgePair {
            first: metres(left),
            second: metres(right),
            sides: Sides::Named,
            in_travel_order: true,
            levels: None,
        }
        .imported(closed, options)?,
        (None, widths_m, width_m) => {
            let points = metres(&line.positions);
            let widths_m = match (widths_m, width_m) {
                (Some(widths_m), _) => widths_m.clone(),
                (None, Some(width_m)) => vec![[width_m / 2.0; 2]; points.len()],
                (None, None) => {
                    return Err(ImportError::NoWidth {
                        place: line.layout,
                        problem: "the file holds a line and no width of a road",
                        fix: "specify track_width_m to make a road about it, or give the line its speeds with \
                              `raceline profile`",
                    });
                }
            };
            CentreLine::with_widths(&points, &widths_m).imported(closed, options)?
        }
    };
    if options.width_m.is_some() && !is_width_used {
        imported.notes.push(ImportNote::WidthNotUsed);
    }
    imported.geographic_origin_deg = middle_deg;
    imported.name = line.name;
    Ok(imported)
}
