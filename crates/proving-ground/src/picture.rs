//! A drive seen from above: ground by its height, corridor, walls and obstacles, path, the trace
//! coloured by speed, and where the vehicle got stuck.

use std::fmt::Write as _;

use raceline_follower::Path;
use raceline_render::palette::viridis;

use crate::route::offset;
use crate::scene::Scene;
use crate::terrain::Terrain;
use crate::trial::Outcome;

/// Margin around the drawing, metres.
const MARGIN_M: f64 = 8.0;
/// Height above the drawing for the title and the scale, pixels.
pub(crate) const HEAD_PX: f64 = 40.0;
/// Distance between two heights that are drawn, metres.
const CONTOUR_CELL_M: f64 = 2.0;

/// The SVG of `outcome`'s trace in `scene`, about `width_px` wide.
pub fn svg(scene: &Scene, outcome: &Outcome, title: &str, width_px: f64) -> String {
    let paths: Vec<&Path> =
        std::iter::once(&scene.path).chain(scene.changes.iter().map(|change| &change.path)).collect();
    let (min, max) = bounds(&paths, outcome);
    let scale = width_px / (max[0] - min[0]);
    let height_px = (max[1] - min[1]) * scale + HEAD_PX;
    let px = |at: [f64; 2]| ((at[0] - min[0]) * scale, (max[1] - at[1]) * scale + HEAD_PX);
    let polyline = |points: &[[f64; 2]]| {
        let mut text = String::new();
        for point in points {
            let (x, y) = px(*point);
            let _ = write!(text, "{x:.1},{y:.1} ");
        }
        text
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width_px:.0}\" height=\"{height_px:.0}\" font-family=\"sans-serif\" \
         font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    ground(&mut out, &scene.terrain, (min, max), &px, scale);
    for path in &paths {
        for quad in corridor(path) {
            let _ = writeln!(
                out,
                "<polygon points=\"{}\" fill=\"#fdfdf6\" stroke=\"#fdfdf6\" stroke-width=\"0.5\"/>",
                polyline(&quad)
            );
        }
    }
    for block in &scene.blocks {
        let _ = writeln!(out, "<polygon points=\"{}\" fill=\"#4d4d4d\"/>", polyline(&block.corners_m()));
    }
    for (i, path) in paths.iter().enumerate() {
        let points: Vec<[f64; 2]> = path.waypoints().iter().map(|w| [w.position_m[0], w.position_m[1]]).collect();
        let dash = if i + 1 < paths.len() { " stroke-dasharray=\"2 3\"" } else { "" };
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#999999\" stroke-width=\"1\"{dash}/>",
            polyline(&points)
        );
    }
    let fastest = outcome.trace.iter().map(|point| point.speed_mps.abs()).fold(1.0, f64::max);
    for pair in outcome.trace.windows(2) {
        let ((x0, y0), (x1, y1)) = (px(pair[0].at_m), px(pair[1].at_m));
        // A placement is not part of the drive.
        if (x1 - x0).hypot(y1 - y0) > 5.0 * scale {
            continue;
        }
        let colour = hex(pair[1].speed_mps.abs() / fastest);
        let dash = if pair[1].driving { "" } else { " stroke-dasharray=\"1 2\"" };
        let _ = writeln!(
            out,
            "<line x1=\"{x0:.1}\" y1=\"{y0:.1}\" x2=\"{x1:.1}\" y2=\"{y1:.1}\" stroke=\"{colour}\" stroke-width=\"3\" \
             stroke-linecap=\"round\"{dash}/>"
        );
    }
    for at in &outcome.stuck_at_m {
        let (x, y) = px(*at);
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\" fill=\"none\" stroke=\"#d62728\" stroke-width=\"2.5\"/>"
        );
    }
    head(&mut out, title, width_px, fastest, scale);
    out.push_str("</svg>\n");
    out
}

/// The colour of the speed scale at `fraction`, 0 to 1, as `#rrggbb`.
pub(crate) fn hex(fraction: f64) -> String {
    let [red, green, blue] = viridis(fraction);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn bounds(paths: &[&Path], outcome: &Outcome) -> ([f64; 2], [f64; 2]) {
    let mut min = [f64::INFINITY; 2];
    let mut max = [f64::NEG_INFINITY; 2];
    let places = paths.iter().flat_map(|path| path.waypoints()).map(|w| [w.position_m[0], w.position_m[1]]);
    for at in places.chain(outcome.trace.iter().map(|point| point.at_m)) {
        for axis in 0..2 {
            min[axis] = min[axis].min(at[axis] - MARGIN_M);
            max[axis] = max[axis].max(at[axis] + MARGIN_M);
        }
    }
    (min, max)
}

/// The ground between two corners by its height, lit from a side.
pub(crate) fn ground(
    out: &mut String,
    terrain: &Terrain,
    (min, max): ([f64; 2], [f64; 2]),
    px: &dyn Fn([f64; 2]) -> (f64, f64),
    scale: f64,
) {
    let cells = |axis: usize| ((max[axis] - min[axis]) / CONTOUR_CELL_M).ceil() as usize;
    let side = CONTOUR_CELL_M * scale + 0.6;
    for row in 0..cells(1) {
        for column in 0..cells(0) {
            let corner = [min[0] + column as f64 * CONTOUR_CELL_M, max[1] - row as f64 * CONTOUR_CELL_M];
            let (x_m, y_m) = (corner[0] + CONTOUR_CELL_M / 2.0, corner[1] - CONTOUR_CELL_M / 2.0);
            // Lit from the left and above, greener where higher.
            let normal = terrain.normal(x_m, y_m);
            let light = (0.86 + 0.35 * (normal[1] - normal[0])).clamp(0.55, 1.0);
            let high = (terrain.height_m(x_m, y_m) / 10.0).clamp(0.0, 1.0);
            let shade = |low: f64, top: f64| ((low + (top - low) * high) * light) as u8;
            let (x, y) = px(corner);
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"#{:02x}{:02x}{:02x}\"/>",
                shade(222.0, 190.0),
                shade(230.0, 196.0),
                shade(205.0, 150.0)
            );
        }
    }
}

/// The quadrilaterals between the waypoints of a path.
pub(crate) fn corridor(path: &Path) -> Vec<[[f64; 2]; 4]> {
    let waypoints = path.waypoints();
    let count = waypoints.len();
    // A closed path goes on at its first waypoint.
    let after = |i: usize| if path.closed() { (i + 1) % count } else { (i + 1).min(count - 1) };
    let before = |i: usize| if path.closed() { (i + count - 1) % count } else { i.saturating_sub(1) };
    let headings: Vec<f64> = (0..count)
        .map(|i| {
            let (a, b) = (waypoints[before(i)].position_m, waypoints[after(i)].position_m);
            (b[1] - a[1]).atan2(b[0] - a[0])
        })
        .collect();
    let edge = |i: usize, left: f64| {
        let at = waypoints[i].position_m;
        offset([at[0], at[1]], headings[i], 0.0, left)
    };
    let quads = if path.closed() { count } else { count - 1 };
    (0..quads)
        .map(|i| {
            let next = after(i);
            let (a, b) = (&waypoints[i], &waypoints[next]);
            [edge(i, a.left_m), edge(next, b.left_m), edge(next, -b.right_m), edge(i, -a.right_m)]
        })
        .collect()
}

/// The title, the scale of speeds and that of distances.
pub(crate) fn head(out: &mut String, title: &str, width_px: f64, fastest: f64, scale: f64) {
    let _ = writeln!(out, "<rect width=\"100%\" height=\"{HEAD_PX}\" fill=\"#ffffff\"/>");
    let _ = writeln!(out, "<text x=\"10\" y=\"25\">{title}</text>");
    let left = width_px - 190.0;
    for i in 0..50 {
        let colour = hex(f64::from(i) / 49.0);
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"8\" width=\"2.2\" height=\"10\" fill=\"{colour}\"/>",
            left + 2.0 * f64::from(i)
        );
    }
    let _ = writeln!(out, "<text x=\"{:.0}\" y=\"32\" font-size=\"11\">0 to {fastest:.1} m/s</text>", left);
    let metres = [20.0, 10.0, 5.0, 2.0].into_iter().find(|metres| metres * scale <= 70.0).unwrap_or(1.0);
    let right = width_px - 10.0;
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"14\" x2=\"{right:.1}\" y2=\"14\" stroke=\"#333333\" stroke-width=\"2\"/>\
         <text x=\"{right:.1}\" y=\"32\" font-size=\"11\" text-anchor=\"end\">{metres:.0} m</text>",
        right - metres * scale
    );
}
