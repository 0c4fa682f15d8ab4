//! Any bytes as the files of the left and of the right edge, of any kind, and cross-sections of the road
//! between them.

use arbitrary::{Arbitrary, Unstructured};
use raceline::construction::ImportOptions;
use raceline::importers::{EdgeFile, two_files};

use super::super::checked;

fn edge(kind: u8, bytes: &[u8]) -> EdgeFile<'_> {
    match kind % 4 {
        0 => EdgeFile::Csv(bytes),
        1 => EdgeFile::GeoJson(bytes),
        2 => EdgeFile::Kml(bytes),
        _ => EdgeFile::Gpx(bytes),
    }
}

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(input) = <(u8, u8, &[u8], &[u8])>::arbitrary_take_rest(Unstructured::new(bytes)) else { return };
    let (first, second, left, right) = input;
    checked::road(two_files(edge(first, left), edge(second, right), None, &ImportOptions::default()));
}
