//! A track and its line as a small drawing.

use crate::markup::Short;
use raceline::RacingLine;

/// Sides of a thumbnail, in its own unit.
const SIDES: [f64; 2] = [240.0, 160.0];
const MARGIN: f64 = 10.0;
/// More points than a thumbnail can show.
const MAX_POINTS: usize = 240;

/// The road and the line of `line` as a small SVG. Its colours are those of the page.
#[must_use]
pub fn thumbnail(line: &RacingLine) -> String {
    let edges = line.edges.left.iter().chain(&line.edges.right);
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in edges {
        for axis in [0, 1] {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    let size = [0, 1].map(|axis| (high[axis] - low[axis]).max(1e-3));
    let room = SIDES.map(|side| side - 2.0 * MARGIN);
    let scale = (room[0] / size[0]).min(room[1] / size[1]);
    let path = |points: &mut dyn Iterator<Item = [f64; 2]>, count: usize| {
        let every = count.div_ceil(MAX_POINTS).max(1);
        let mut data = String::new();
        for (i, [x, y]) in points.step_by(every).enumerate() {
            let px = SIDES[0] / 2.0 + (x - (low[0] + high[0]) / 2.0) * scale;
            let py = SIDES[1] / 2.0 - (y - (low[1] + high[1]) / 2.0) * scale;
            data.push_str(&format!("{}{} {}", if i == 0 { "M" } else { "L" }, Short(px), Short(py)));
        }
        if line.closed {
            data.push('Z');
        }
        data
    };
    let edge = |points: &[[f64; 2]]| path(&mut points.iter().copied(), points.len());
    let driven = path(&mut line.points.iter().map(|point| [point.x_m, point.y_m]), line.points.len());
    format!(
        r#"<svg viewBox="0 0 {} {}" aria-hidden="true"><path class="edge" d="{}"/><path class="edge" d="{}"/><path class="line" d="{driven}"/></svg>"#,
        SIDES[0],
        SIDES[1],
        edge(&line.edges.left),
        edge(&line.edges.right)
    )
}
