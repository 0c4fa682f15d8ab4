//! The obstacles, pick-ups, pins, speed caps and regions of a page's map.

use serde::Serialize;

use raceline::RacingLine;
use raceline_file::{ConstraintKind, round_to};
use raceline_road::frame::Spot;
use raceline_road::geometry::Vector;
use raceline_solve::{Outline, Pin};

/// A disc or a polygon on the map, m.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    Disc { x_m: f64, y_m: f64, radius_m: f64 },
    Polygon(Vec<[f64; 2]>),
}

/// What the line passes and what it picks up.
#[derive(Debug, Default, Serialize)]
pub(super) struct PassedData {
    obstacles: Vec<Shape>,
    pick_ups: Vec<PickUpData>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pins: Vec<PinData>,
    /// Ends of speed caps: the two ends of a line across the road.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    caps: Vec<[[f64; 2]; 2]>,
    /// Outlines of regions that the line keeps out of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    no_go: Vec<Vec<[f64; 2]>>,
    /// Outlines of patches with another grip.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    grip: Vec<Vec<[f64; 2]>>,
    /// What the constraints cost that were measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    prices: Vec<PriceData>,
}

/// The price of a constraint: lap time that the line would gain without it, s.
#[derive(Debug, Serialize)]
struct PriceData {
    /// Key of its list in the options.
    key: &'static str,
    /// Number in its list, from 1.
    number: usize,
    price_s: f64,
}

/// Key of the options that holds constraints of a kind.
fn key_of(kind: ConstraintKind) -> &'static str {
    match kind {
        ConstraintKind::Pin => "pin",
        ConstraintKind::SpeedCap => "speed_cap",
        ConstraintKind::NoGo => "no_go",
        ConstraintKind::Grip => "grip",
    }
}

#[derive(Debug, Serialize)]
struct PinData {
    x_m: f64,
    y_m: f64,
    radius_m: f64,
}

#[derive(Debug, Serialize)]
struct PickUpData {
    x_m: f64,
    y_m: f64,
    radius_m: f64,
    taken: bool,
}

/// The obstacles, pick-ups, pins, speed caps and regions of `line`.
pub(super) fn passed(line: &RacingLine) -> PassedData {
    let short = |value: f64| round_to(value, 3);
    let shape = |outline: Outline| match outline {
        Outline::Circle { centre, radius_m } => {
            Shape::Disc { x_m: short(centre.x), y_m: short(centre.y), radius_m: short(radius_m) }
        }
        Outline::Polygon(points) | Outline::Strip { edge: points, .. } => {
            Shape::Polygon(points.iter().map(|p| [short(p.x), short(p.y)]).collect())
        }
    };
    let obstacles = line.options.obstacle.iter().enumerate();
    let pick_ups = line.options.pick_up.iter();
    let pin = |pin: &Pin| {
        let Spot::Metres([x, y]) = pin.at else { return None };
        Some(PinData { x_m: short(x), y_m: short(y), radius_m: short(pin.tolerance_m) })
    };
    PassedData {
        // A shape that is none was refused when the line was made.
        obstacles: obstacles.filter_map(|(i, one)| one.outline(i + 1, Vector::zeros()).ok()).map(shape).collect(),
        pick_ups: pick_ups
            .filter_map(|pick_up| {
                let Spot::Metres([x, y]) = pick_up.at else { return None };
                let (x_m, y_m, radius_m) = (short(x), short(y), short(pick_up.radius_m));
                Some(PickUpData { x_m, y_m, radius_m, taken: pick_up.take == Some(true) })
            })
            .collect(),
        pins: line.options.pin.iter().filter_map(pin).collect(),
        caps: line
            .constraints
            .iter()
            .filter(|one| one.kind == ConstraintKind::SpeedCap)
            .filter_map(|one| one.gates)
            .flatten()
            .map(|gate| gate.map(|end| end.map(short)))
            .collect(),
        no_go: regions(line, ConstraintKind::NoGo),
        grip: regions(line, ConstraintKind::Grip),
        prices: line
            .constraints
            .iter()
            .filter_map(|one| {
                let price_s = round_to(one.price_s?, 4);
                Some(PriceData { key: key_of(one.kind), number: one.number, price_s })
            })
            .collect(),
    }
}

/// The outlines of the regions of a kind.
fn regions(line: &RacingLine, kind: ConstraintKind) -> Vec<Vec<[f64; 2]>> {
    let outlines = line.constraints.iter().filter(|one| one.kind == kind).flat_map(|one| &one.outlines);
    outlines.map(|outline| outline.iter().map(|vertex| vertex.map(|value| round_to(value, 3))).collect()).collect()
}
