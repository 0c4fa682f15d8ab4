//! Any bytes as a racing-line file, and everything that is written of a line: exports, drawings, the page,
//! corners, and the line beside itself.

use raceline::analysis::drift::{Tolerances, compare as drift};
use raceline::analysis::{AnalysisOptions, analyse, compare, losses};
use raceline::file::json;
use raceline::formats::{FORMATS, FormatOptions};
use raceline_render::html::{self, HtmlOptions};
use raceline_render::svg::{self, RenderOptions};

/// Longer lines show nothing new.
const MAX_POINTS: usize = 400;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(line) = json::read(bytes) else { return };
    if line.points.len() > MAX_POINTS {
        return;
    }
    for format in FORMATS {
        if let Err(error) = format.write(&line, &FormatOptions::default()) {
            assert!(!error.to_string().is_empty());
        }
    }
    let lines = [line];
    let _ = svg::render(&lines, &RenderOptions { corners: true, sections: true, braking: true, ..RenderOptions::default() });
    let _ = html::render(&lines, &HtmlOptions::default());
    let [line] = lines;
    let options = AnalysisOptions::of(&line);
    if analyse(&line, &options).is_ok() {
        let _ = losses(&line, &line, &options);
    }
    if let Ok(same) = compare(&line, &line, &options) {
        assert!(same.lap_difference_s.abs() < 1e-6);
    }
    assert!(drift(&line, &line, &Tolerances::default()).fits());
}
