//! What the options of a line change in its limits.

use raceline_car::Vehicle;
use raceline_file::{LinePoint, RacingLine};
use serde::Deserialize;
use serde_json::Value;

use super::vector::{Xy, length, minus};

/// The options of a racing-line file that change what its vehicle may do. A missing one has its default.
///
/// ```
/// use raceline_verify::Conditions;
///
/// let conditions = Conditions::of(&serde_json::json!({"kerb_overhang_m": 0.5, "seed": 7}));
/// assert_eq!(conditions.kerb_overhang_m, 0.5);
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Conditions {
    /// Stretches and parts of the road with another grip.
    pub grip: Vec<Grip>,
    /// Stretches whose edges are kerbs or walls.
    pub edge: Vec<Value>,
    /// How far the vehicle's side may be over a kerb, m.
    pub kerb_overhang_m: f64,
    /// What stands on the road.
    pub obstacle: Vec<Value>,
    /// Places that the line passes.
    pub pin: Vec<Value>,
    /// Stretches with a maximum speed.
    pub speed_cap: Vec<Value>,
    /// Regions that the vehicle keeps out of.
    pub no_go: Vec<Value>,
    /// `free` where turning the body costs nothing, leaning neither.
    pub turning: String,
}

impl Default for Conditions {
    fn default() -> Self {
        Self {
            grip: Vec::new(),
            edge: Vec::new(),
            kerb_overhang_m: 0.3,
            obstacle: Vec::new(),
            pin: Vec::new(),
            speed_cap: Vec::new(),
            no_go: Vec::new(),
            turning: String::new(),
        }
    }
}

/// A stretch with another grip.
///
/// ```
/// use raceline_verify::{Conditions, Grip, GripStretch};
///
/// let wet = GripStretch { from_m: 50.0, to_m: 100.0, factor: 0.7 };
/// let conditions = Conditions::of(&serde_json::json!({"grip": [{"from_m": 50, "to_m": 100, "factor": 0.7}]}));
/// assert_eq!(conditions.grip, [Grip::Stretch(wet)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct GripStretch {
    /// Beginning along the centre line, m.
    pub from_m: f64,
    /// End, m; before the beginning where the stretch leads over the start line.
    pub to_m: f64,
    /// Factor on the tyres' limits.
    pub factor: f64,
}

/// A part of the road with another grip.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Grip {
    /// A strip along an edge.
    Strip(GripStrip),
    /// The whole width.
    Stretch(GripStretch),
    /// A polygon.
    Polygon(GripPolygon),
}

/// A strip along an edge with another grip.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GripStrip {
    /// Factor on the tyres' limits.
    pub factor: f64,
    /// Length over which it changes at either end, m.
    #[serde(default = "default_ramp_m")]
    pub ramp_m: f64,
    /// Width over which it changes, m.
    #[serde(default = "default_border_m")]
    pub border_m: f64,
    /// The strip.
    #[serde(flatten)]
    pub(crate) strip: Strip,
}

/// A polygon with another grip.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GripPolygon {
    /// Vertices, m; of another type where they are not in metres.
    pub polygon: Vec<Value>,
    /// Factor on the tyres' limits.
    pub factor: f64,
    /// Width over which it changes, m.
    #[serde(default = "default_border_m")]
    pub border_m: f64,
}

fn default_ramp_m() -> f64 {
    5.0
}

fn default_border_m() -> f64 {
    0.5
}

/// A part of the road's width with another grip.
pub(crate) struct Patch {
    /// Number in the options, from 1.
    pub number: usize,
    pub region: NoGo,
    pub factor: f64,
    /// Depths at the sides and at the ends of a strip from which the whole factor counts, m.
    pub border_m: f64,
    pub ramp_m: f64,
}

/// Tolerance of a pin without one, m.
const DEFAULT_TOLERANCE_M: f64 = 0.1;

/// A stretch with a maximum speed.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(crate) struct SpeedCap {
    /// Beginning along the centre line, m.
    pub from_m: f64,
    /// End, m; before the beginning where the stretch leads over the start line.
    pub to_m: f64,
    /// Maximum speed, m/s.
    pub max_speed_mps: f64,
}

/// A region that the vehicle keeps out of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NoGo {
    Polygon(Vec<Xy>),
    Strip(Strip),
}

/// A strip along an edge.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Strip {
    /// Beginning along the centre line, m.
    pub from_m: f64,
    /// End, m.
    pub to_m: f64,
    /// `left`, `right` or `both`.
    pub side: String,
    /// Width, m.
    pub width_m: f64,
}

/// What stands on the road, as vertices of its outline and a radius about them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Obstacle {
    pub outline: Vec<Xy>,
    pub radius_m: f64,
}

impl Conditions {
    /// The conditions among `options`; what can't be read has its default.
    #[must_use]
    pub fn of(options: &Value) -> Self {
        serde_json::from_value(options.clone()).unwrap_or_default()
    }

    /// The smallest margin from the line to an edge, m. Where edges may be kerbs, the vehicle's side may be beyond
    /// them; the file of a line does not contain which ones are.
    pub(crate) fn margin_m(&self, vehicle: &Vehicle, points: &[LinePoint]) -> f64 {
        let may_have_kerbs = !self.edge.is_empty() || self.has_surface(points);
        if may_have_kerbs {
            (0.5 * vehicle.width_m - self.kerb_overhang_m).min(vehicle.margin_m())
        } else {
            vehicle.margin_m()
        }
    }

    /// Whether the road has a grip of its own: then every point of the line has it. Stretches and patches are at
    /// those points alone where they are not 1, or, over the whole lap, the same at all of them.
    fn has_surface(&self, points: &[LinePoint]) -> bool {
        let first = points.first().and_then(|point| point.grip);
        first.is_some()
            && points.iter().all(|point| point.grip.is_some())
            && (self.grip.is_empty() || points.iter().any(|point| point.grip != first))
    }

    /// The pins whose places are in metres, with their tolerances, m.
    pub(crate) fn pins(&self) -> Vec<(Xy, f64)> {
        let pin = |value: &Value| {
            let tolerance_m = value.get("tolerance_m").map_or(Some(DEFAULT_TOLERANCE_M), Value::as_f64)?;
            Some((place(value.get("at")?)?, tolerance_m))
        };
        self.pin.iter().filter_map(pin).collect()
    }

    /// The speed caps; one that can't be read allows nothing.
    pub(crate) fn caps(&self) -> Vec<SpeedCap> {
        let unreadable = SpeedCap { from_m: 0.0, to_m: f64::INFINITY, max_speed_mps: 0.0 };
        let cap = |value: &Value| serde_json::from_value(value.clone()).unwrap_or(unreadable);
        self.speed_cap.iter().map(cap).collect()
    }

    /// The parts of the road's width with another grip, which are in metres.
    pub(crate) fn patches(&self) -> Vec<Patch> {
        let patch = |(index, part): (usize, &Grip)| {
            let number = index + 1;
            match part {
                Grip::Stretch(_) => None,
                Grip::Strip(GripStrip { factor, ramp_m, border_m, strip }) => {
                    let (factor, border_m, ramp_m) = (*factor, *border_m, *ramp_m);
                    Some(Patch { number, region: NoGo::Strip(strip.clone()), factor, border_m, ramp_m })
                }
                Grip::Polygon(GripPolygon { polygon, factor, border_m }) => {
                    let outline = polygon.iter().map(place).collect::<Option<Vec<Xy>>>()?;
                    let is_one = outline.len() > 2 && outline.as_flattened().iter().all(|value| value.is_finite());
                    let (factor, border_m) = (*factor, *border_m);
                    is_one.then_some(Patch { number, region: NoGo::Polygon(outline), factor, border_m, ramp_m: 0.0 })
                }
            }
        };
        self.grip.iter().enumerate().filter_map(patch).collect()
    }

    /// The regions; `None` for a polygon that is not in metres, and for what can't be read.
    pub(crate) fn no_go(&self) -> Vec<Option<NoGo>> {
        let region = |value: &Value| match value.get("polygon") {
            Some(polygon) => {
                let outline = polygon.as_array()?.iter().map(place).collect::<Option<Vec<Xy>>>()?;
                let is_one = outline.len() > 2 && outline.as_flattened().iter().all(|value| value.is_finite());
                is_one.then_some(NoGo::Polygon(outline))
            }
            None => serde_json::from_value(value.clone()).ok().map(NoGo::Strip),
        };
        self.no_go.iter().map(region).collect()
    }

    /// The obstacles whose places are in metres.
    pub(crate) fn obstacles(&self) -> Vec<Obstacle> {
        let obstacle = |value: &Value| {
            let outline = match (value.get("at"), value.get("points")) {
                (Some(at), _) => vec![place(at)?],
                (None, Some(points)) => points.as_array()?.iter().map(place).collect::<Option<Vec<Xy>>>()?,
                (None, None) => return None,
            };
            if outline.is_empty() || !outline.as_flattened().iter().all(|value| value.is_finite()) {
                return None;
            }
            Some(Obstacle { outline, radius_m: value.get("radius_m").and_then(Value::as_f64).unwrap_or_default() })
        };
        self.obstacle.iter().filter_map(obstacle).collect()
    }

    /// The largest grip near a place of the centre line, m from the start; the place is known to within `slack_m`.
    pub(crate) fn grip_at(&self, place_m: f64, slack_m: f64, lap_m: Option<f64>) -> f64 {
        let near = |stretch: &GripStretch| {
            let (from, to) = (stretch.from_m - slack_m, stretch.to_m + slack_m);
            if stretch.to_m < stretch.from_m {
                return place_m >= from || place_m <= to;
            }
            let inside = |place: f64| (from..=to).contains(&place);
            inside(place_m) || lap_m.is_some_and(|lap| inside(place_m - lap) || inside(place_m + lap))
        };
        let surely = |stretch: &GripStretch| {
            let (from, to) = (stretch.from_m + slack_m, stretch.to_m - slack_m);
            if stretch.to_m >= stretch.from_m {
                (from..=to).contains(&place_m)
            } else {
                place_m >= from || place_m <= to
            }
        };
        let factor = |part: &Grip| {
            // Parts of the width are looked up at the points.
            let Grip::Stretch(stretch) = part else { return 1.0 };
            if stretch.factor > 1.0 && near(stretch) || stretch.factor < 1.0 && surely(stretch) {
                stretch.factor
            } else {
                1.0
            }
        };
        self.grip.iter().map(factor).product()
    }
}

fn place(value: &Value) -> Option<Xy> {
    let [x, y] = value.as_array()?.as_slice() else { return None };
    Some([x.as_f64()?, y.as_f64()?])
}

/// Uncertainty of the place along the centre line, as a fraction of its length, and m.
const PLACE_FRACTION: f64 = 0.02;
const PLACE_M: f64 = 8.0;

/// The centre line of a road, which its file does not have.
pub(crate) struct CentreLine {
    /// Length, m.
    pub length_m: f64,
    /// Uncertainty of a place along it, m.
    pub slack_m: f64,
}

impl CentreLine {
    /// The centre line of the road of `line`, by its edges.
    pub fn of<V, O>(line: &RacingLine<V, O>) -> Self {
        let edge_m = |vertices: &[Xy]| -> f64 {
            let closing = match (vertices.first(), vertices.last()) {
                (Some(&first), Some(&last)) if line.closed => length(minus(first, last)),
                _ => 0.0,
            };
            vertices.windows(2).map(|ends| length(minus(ends[1], ends[0]))).sum::<f64>() + closing
        };
        let length_m = 0.5 * (edge_m(&line.edges.left) + edge_m(&line.edges.right));
        Self { length_m, slack_m: PLACE_FRACTION * length_m + PLACE_M }
    }
}

/// Whether a line's road is one with heights.
pub(crate) fn has_heights<V, O>(line: &RacingLine<V, O>) -> bool {
    line.points.first().is_some_and(|point| point.z_m.is_some())
}
