//! Any bytes as the files of the left and of the right edge, of any kind, and cross-sections of the road
//! between them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raceline::construction::ImportOptions;
use raceline::importers::{EdgeFile, two_files};

mod checked;

fn edge(kind: u8, bytes: &[u8]) -> EdgeFile<'_> {
    match kind % 4 {
        0 => EdgeFile::Csv(bytes),
        1 => EdgeFile::GeoJson(bytes),
        2 => EdgeFile::Kml(bytes),
        _ => EdgeFile::Gpx(bytes),
    }
}

fuzz_target!(|input: (u8, u8, &[u8], &[u8])| {
    let (first, second, left, right) = input;
    checked::road(two_files(edge(first, left), edge(second, right), None, &ImportOptions::default()));
});
