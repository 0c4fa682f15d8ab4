//! The world of a soak from above: where all vehicles drove, where they got stuck and where they touched.

use std::fmt::Write as _;

use crate::contender::Entry;
use crate::courses::Map;
use crate::picture::{HEAD_PX, ground, head, hex};
use crate::route::offset;
use crate::soak::SoakOptions;
use crate::soak_together::{World, one};

/// Ground beside the roads that is shown, metres.
const MARGIN_M: f64 = 30.0;
/// Width, pixels.
const WIDTH_PX: f64 = 1200.0;
/// Colours of the two teams, which begin in the west and in the east.
const TEAMS: [&str; 2] = ["#1f4e9c", "#c05a00"];
/// Two points of a trace that are farther apart are before and after a placement, metres.
const PLACED_M: f64 = 5.0;

/// The SVG of the world of the first seed: lines by their speed, dots where the vehicles of both teams are in the end,
/// rings where one was stuck, crosses where two touched.
///
/// # Errors
/// Those of [`run`](crate::soak_together::run).
pub fn svg(entry: &Entry, map: &Map, options: SoakOptions) -> anyhow::Result<String> {
    let world = one(entry, map, 1, options, true)?;
    Ok(drawing(&world, map, &entry.name))
}

fn drawing(world: &World, map: &Map, driver: &str) -> String {
    let (roads, half_width) = map.roads();
    let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for at in roads.iter().flatten() {
        for axis in 0..2 {
            min[axis] = min[axis].min(at[axis] - MARGIN_M);
            max[axis] = max[axis].max(at[axis] + MARGIN_M);
        }
    }
    let scale = WIDTH_PX / (max[0] - min[0]);
    let height_px = (max[1] - min[1]) * scale + HEAD_PX;
    let px = |at: [f64; 2]| ((at[0] - min[0]) * scale, (max[1] - at[1]) * scale + HEAD_PX);
    let polygon = |corners: &[[f64; 2]], fill: &str| {
        let points: Vec<String> = corners.iter().map(|&at| px(at)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        format!("<polygon points=\"{}\" fill=\"{fill}\"/>\n", points.join(" "))
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH_PX:.0}\" height=\"{height_px:.0}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    ground(&mut out, &map.terrain, (min, max), &px, scale);
    for [a, b] in &roads {
        let heading = (b[1] - a[1]).atan2(b[0] - a[0]);
        let side = |at: [f64; 2], left: f64| offset(at, heading, 0.0, left);
        let corners = [side(*a, half_width), side(*b, half_width), side(*b, -half_width), side(*a, -half_width)];
        out.push_str(&polygon(&corners, "#fdfdf6"));
    }
    for block in &map.blocks {
        out.push_str(&polygon(&block.corners_m(), "#4d4d4d"));
    }
    let points = world.outcomes.iter().flat_map(|outcome| &outcome.trace);
    let fastest = points.map(|point| point.speed_mps.abs()).fold(1.0, f64::max);
    for pair in world.outcomes.iter().flat_map(|outcome| outcome.trace.windows(2)) {
        let ((x0, y0), (x1, y1)) = (px(pair[0].at_m), px(pair[1].at_m));
        if (x1 - x0).hypot(y1 - y0) > PLACED_M * scale {
            continue;
        }
        let colour = hex(pair[1].speed_mps.abs() / fastest);
        let _ = writeln!(
            out,
            "<line x1=\"{x0:.1}\" y1=\"{y0:.1}\" x2=\"{x1:.1}\" y2=\"{y1:.1}\" stroke=\"{colour}\" stroke-opacity=\"0.5\"/>"
        );
    }
    for (k, outcome) in world.outcomes.iter().enumerate() {
        if let Some(last) = outcome.trace.last() {
            let ((x, y), fill) = (px(last.at_m), TEAMS[k % 2]);
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\"/>");
        }
        for (x, y) in outcome.stuck_at_m.iter().map(|&at| px(at)) {
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\" fill=\"none\" stroke=\"#d62728\" stroke-width=\"2\"/>"
            );
        }
    }
    for (x, y) in world.contacts_at_m.iter().map(|&at| px(at)) {
        let _ = writeln!(
            out,
            "<path d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\" stroke=\"#000000\" stroke-width=\"1.5\"/>",
            x - 4.0,
            y - 4.0
        );
    }
    let stuck: usize = world.outcomes.iter().map(|outcome| outcome.stuck_events).sum();
    let title = format!(
        "{driver}: {} vehicles, {stuck} stuck events, {} contacts",
        world.outcomes.len(),
        world.contacts_at_m.len()
    );
    head(&mut out, &title, WIDTH_PX, fastest, scale);
    out.push_str("</svg>\n");
    out
}
