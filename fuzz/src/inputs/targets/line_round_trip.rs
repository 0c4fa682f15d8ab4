//! The reader of racing-line files against the writer: what is read is written and read again, to the same
//! bytes; what is exported and has a reader is a line again.

use std::path::Path;

use raceline::file::json;
use raceline::formats::{FORMATS, FormatOptions};
use raceline::lines::{LineKind, read};

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(line) = json::read(bytes) else { return };
    let Ok(first) = json::write(&line) else { return };
    let again = json::read(&first).expect("what the writer writes, the reader reads");
    let second = json::write(&again).expect("what was written once is written again");
    assert!(first == second, "a line changes when it is read and written");
    for format in FORMATS {
        let Ok(written) = format.write(&line, &FormatOptions::default()) else { continue };
        let name = format!("line.{}", format.extension);
        if let Some(kind) = LineKind::of(Path::new(&name), &written) {
            let _ = read(kind, &written, None);
        }
    }
}
