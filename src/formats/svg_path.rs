//! Plain SVG for drawing tools: the racing line as one path of cubic Bézier curves, the edges as
//! polylines. A user unit is a metre and is drawn as a millimetre; y is negated, since SVG's y
//! points down. The attribute `data-metres-per-unit` states the unit, so that a reader has the frame.

use std::fmt::Write;

use super::lap_points::handles;
use super::number::fixed;
use super::xml_text::Escaped;
use super::{FormatError, FormatOptions};
use crate::RacingLine;

/// Margin around the drawing, m.
const MARGIN_M: f64 = 10.0;
/// Decimals of positions, of which a reader computes the line's curvature.
const DECIMALS: u8 = 4;
/// Widths of the strokes, m.
const LINE_M: f64 = 0.6;
const EDGE_M: f64 = 0.3;

pub(super) fn write(line: &RacingLine, _: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    let edges = line.edges.left.iter().chain(&line.edges.right).copied();
    for [x, y] in line.points.iter().map(|point| [point.x_m, point.y_m]).chain(edges) {
        low = [low[0].min(x), low[1].min(-y)];
        high = [high[0].max(x), high[1].max(-y)];
    }
    let corner = low.map(|value| (value - MARGIN_M).floor());
    let size = [0, 1].map(|axis| (high[axis] + MARGIN_M).ceil() - corner[axis]);
    let [x, y] = corner;
    let [width, height] = size;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" viewBox=\"{x} {y} {width} {height}\" data-metres-per-unit=\"1\">\n\
         <title>{}</title>\n",
        Escaped(&line.name)
    );
    for (id, vertices) in [("left-edge", &line.edges.left), ("right-edge", &line.edges.right)] {
        // Writing to a String cannot fail.
        let _ = write!(text, "<path id=\"{id}\" fill=\"none\" stroke=\"#808080\" stroke-width=\"{EDGE_M}\" d=\"");
        for (index, &[x, y]) in vertices.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let _ = write!(text, "{command}{} {}", fixed(x, DECIMALS), fixed(-y, DECIMALS));
        }
        text.push_str(if line.closed { "Z\"/>\n" } else { "\"/>\n" });
    }
    let _ = write!(
        text,
        "<path id=\"racing-line\" fill=\"none\" stroke=\"#c8102e\" stroke-width=\"{LINE_M}\" d=\"{}\"/>\n</svg>\n",
        curve(line)
    );
    Ok(text.into_bytes())
}

/// The path data of the racing line.
fn curve(line: &RacingLine) -> String {
    let count = line.points.len();
    let mut data = String::new();
    let position = |index: usize| [line.points[index].x_m, line.points[index].y_m];
    for index in 0..count {
        let [x, y] = position(index);
        if index == 0 {
            let _ = write!(data, "M{} {}", fixed(x, DECIMALS), fixed(-y, DECIMALS));
        }
        if index + 1 == count && !line.closed {
            break;
        }
        let next = (index + 1) % count;
        let ([_, out], [into, _], end) = (handles(line, index), handles(line, next), position(next));
        let corners = [[x + out[0], y + out[1]], [end[0] + into[0], end[1] + into[1]], end];
        for (command, [x, y]) in ["C", " ", " "].into_iter().zip(corners) {
            let _ = write!(data, "{command}{} {}", fixed(x, DECIMALS), fixed(-y, DECIMALS));
        }
    }
    if line.closed {
        data.push('Z');
    }
    data
}
