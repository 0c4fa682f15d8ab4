//! DXF, release 12, which every CAD program reads: three polylines, each on its own layer. Units
//! are metres.

use std::fmt::Write;

use super::heights::{HEIGHT_DECIMALS, edges_in_space};
use super::number::fixed;
use super::{FormatError, FormatOptions};
use crate::RacingLine;

/// Flag of a polyline in space, and that of its vertices.
const POLYLINE_IN_SPACE: u8 = 8;
const VERTEX_IN_SPACE: u8 = 32;

pub(super) fn write(line: &RacingLine, _: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    // $INSUNITS 6 is metres. Group codes and values alternate, one per line.
    let mut text =
        "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nTABLES\n\
                    0\nTABLE\n2\nLAYER\n70\n3\n"
            .to_owned();
    let line_points = line.points.iter().map(|point| ([point.x_m, point.y_m], point.z_m)).collect();
    let [mut left, mut right] = edges_in_space(line);
    if line.closed {
        // The polyline itself is closed.
        left.pop();
        right.pop();
    }
    // Colours are indices of AutoCAD: 1 is red; 7 is black or white, depending on the background.
    let layers = [("RACING_LINE", 1, line_points), ("LEFT_EDGE", 7, left), ("RIGHT_EDGE", 7, right)];
    for (name, colour, _) in &layers {
        // Writing to a String cannot fail.
        let _ = write!(text, "0\nLAYER\n2\n{name}\n70\n0\n62\n{colour}\n6\nCONTINUOUS\n");
    }
    text.push_str("0\nENDTAB\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n");
    for (name, _, vertices) in &layers {
        let has_heights = vertices.iter().any(|(_, z_m)| z_m.is_some());
        let flags = u8::from(line.closed) + if has_heights { POLYLINE_IN_SPACE } else { 0 };
        let _ = write!(text, "0\nPOLYLINE\n8\n{name}\n66\n1\n10\n0.0\n20\n0.0\n30\n0.0\n70\n{flags}\n");
        for &([x, y], z_m) in vertices {
            let _ = write!(text, "0\nVERTEX\n8\n{name}\n10\n{}\n20\n{}\n", fixed(x, 4), fixed(y, 4));
            let _ = match z_m {
                Some(z) => write!(text, "30\n{}\n70\n{VERTEX_IN_SPACE}\n", fixed(z, HEIGHT_DECIMALS)),
                None => write!(text, "30\n0.0\n"),
            };
        }
        let _ = write!(text, "0\nSEQEND\n8\n{name}\n");
    }
    text.push_str("0\nENDSEC\n0\nEOF\n");
    Ok(text.into_bytes())
}
