//! DXF, release 12, which every CAD program reads: three polylines, each on its own layer. Units
//! are metres.

use std::fmt::Write;

use super::number::fixed;
use super::{FormatError, FormatOptions};
use crate::RacingLine;

pub(super) fn write(line: &RacingLine, _: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    // $INSUNITS 6 is metres. Group codes and values alternate, one per line.
    let mut text =
        "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nTABLES\n\
                    0\nTABLE\n2\nLAYER\n70\n3\n"
            .to_owned();
    let line_points: Vec<[f64; 2]> = line.points.iter().map(|point| [point.x_m, point.y_m]).collect();
    // Colours are indices of AutoCAD: 1 is red; 7 is black or white, depending on the background.
    let layers =
        [("RACING_LINE", 1, &line_points), ("LEFT_EDGE", 7, &line.edges.left), ("RIGHT_EDGE", 7, &line.edges.right)];
    for (name, colour, _) in layers {
        // Writing to a String cannot fail.
        let _ = write!(text, "0\nLAYER\n2\n{name}\n70\n0\n62\n{colour}\n6\nCONTINUOUS\n");
    }
    text.push_str("0\nENDTAB\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n");
    for (name, _, vertices) in layers {
        let closed = u8::from(line.closed);
        let _ = write!(text, "0\nPOLYLINE\n8\n{name}\n66\n1\n10\n0.0\n20\n0.0\n30\n0.0\n70\n{closed}\n");
        for &[x, y] in vertices {
            let _ = write!(text, "0\nVERTEX\n8\n{name}\n10\n{}\n20\n{}\n30\n0.0\n", fixed(x, 4), fixed(y, 4));
        }
        let _ = write!(text, "0\nSEQEND\n8\n{name}\n");
    }
    text.push_str("0\nENDSEC\n0\nEOF\n");
    Ok(text.into_bytes())
}
