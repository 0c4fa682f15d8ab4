//! Drives in traffic from above: a column for each kind of driver, a row for an obstacle course,
//! the ring and the figure of eight.

use std::fmt::Write as _;

use rayon::prelude::*;

use super::{DRIVERS, Outcome, Place, places, run};
use crate::picture::{corridor, hex};
use crate::vehicle::VehicleModel;

/// Width of a panel, pixels.
const WIDTH_PX: f64 = 420.0;
/// Height of a panel's two lines of text, pixels.
const HEAD_PX: f64 = 44.0;
/// Margin around a place, metres: who leaves the road is seen too.
const MARGIN_M: f64 = 18.0;

/// The SVG of the last course and of the first drive of each traffic.
///
/// # Errors
/// Those of [`places`] and [`run`].
pub fn svg(model: &VehicleModel) -> anyhow::Result<String> {
    let mut shown: Vec<Place> = Vec::new();
    for place in places()? {
        let is_course = place.group == "obstacle courses";
        match shown.iter_mut().find(|other| other.group == place.group) {
            Some(other) if is_course => *other = place,
            Some(_) => {}
            None => shown.push(place),
        }
    }
    let jobs: Vec<_> = shown.iter().flat_map(|place| DRIVERS.map(|(kind, name)| (place, kind, name))).collect();
    let outcomes: Vec<Outcome> =
        jobs.par_iter().map(|(place, kind, _)| run(place, model, *kind)).collect::<Result<_, _>>()?;
    let columns = DRIVERS.len();
    let heights: Vec<f64> = shown.iter().map(|place| HEAD_PX + Frame::of(place).height_px()).collect();
    let (width, height) = (WIDTH_PX * columns as f64, heights.iter().sum::<f64>());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (i, ((place, _, name), outcome)) in jobs.iter().zip(&outcomes).enumerate() {
        let corner = [WIDTH_PX * (i % columns) as f64, heights[..i / columns].iter().sum()];
        panel(&mut out, place, name, outcome, corner);
    }
    out.push_str("</svg>\n");
    Ok(out)
}

/// The part of the world that a panel shows, metres.
struct Frame {
    west: f64,
    east: f64,
    south: f64,
    north: f64,
}

impl Frame {
    fn of(place: &Place) -> Self {
        let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for at in corridor(&place.path).iter().flatten() {
            for (axis, [low, high]) in bounds.iter_mut().enumerate() {
                *low = low.min(at[axis] - MARGIN_M);
                *high = high.max(at[axis] + MARGIN_M);
            }
        }
        let [[west, east], [south, north]] = bounds;
        Self { west, east, south, north }
    }

    /// Pixels per metre.
    fn scale(&self) -> f64 {
        WIDTH_PX / (self.east - self.west)
    }

    fn height_px(&self) -> f64 {
        (self.north - self.south) * self.scale()
    }
}

fn panel(out: &mut String, place: &Place, driver: &str, outcome: &Outcome, corner: [f64; 2]) {
    let road = corridor(&place.path);
    let frame = Frame::of(place);
    let scale = frame.scale();
    let px =
        |at: &[f64; 2]| [corner[0] + (at[0] - frame.west) * scale, corner[1] + HEAD_PX + (frame.north - at[1]) * scale];
    let points = |line: &[[f64; 2]]| {
        line.iter().map(px).fold(String::new(), |mut text, [x, y]| {
            let _ = write!(text, "{x:.1},{y:.1} ");
            text
        })
    };
    let [left, top] = corner;
    let _ = writeln!(
        out,
        "<text x=\"{:.0}\" y=\"{:.0}\">{}: {driver}</text>\n<text x=\"{0:.0}\" y=\"{:.0}\" fill=\"#666666\">{}</text>",
        left + 10.0,
        top + 18.0,
        place.name,
        top + 36.0,
        facts(outcome)
    );
    for quad in &road {
        let _ = writeln!(out, "<polygon points=\"{}\" fill=\"#e4e3dd\" stroke=\"#e4e3dd\"/>", points(quad));
    }
    for block in &place.blocks {
        let _ = writeln!(out, "<polygon points=\"{}\" fill=\"#4d4d4d\"/>", points(&block.corners_m()));
    }
    let speeds = place.starts.iter().map(|start| start.speed_mps);
    let (slowest, fastest) = speeds.fold((f64::INFINITY, 0.0), |(low, high), v| (v.min(low), v.max(high)));
    for (start, trace) in place.starts.iter().zip(&outcome.traces) {
        let fraction = (start.speed_mps - slowest) / (fastest - slowest).max(f64::MIN_POSITIVE);
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\" stroke-opacity=\"0.7\"/>",
            points(trace),
            hex(fraction)
        );
    }
    for at in &outcome.contacts_at_m {
        let [x, y] = px(at);
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"none\" stroke=\"#d62728\" stroke-width=\"2\"/>"
        );
    }
}

/// What a drive came to, in a line.
fn facts(outcome: &Outcome) -> String {
    let speed = outcome.distance_m / outcome.time_s.max(f64::MIN_POSITIVE);
    let outside = 100.0 * outcome.outside_s / outcome.time_s.max(f64::MIN_POSITIVE);
    let contacts = outcome.contacts + outcome.hits;
    format!("{speed:.1} m/s, {contacts} contacts, {outside:.0} % beside the road")
}
