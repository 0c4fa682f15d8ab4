//! Parts of a road with another grip: strips along an edge and polygons.
//!
//! The factor of a patch changes from 1 at its border to the whole inside, by a function whose
//! second derivative is continuous, for solvers that look for the best offset:
//!
//! ```text
//! factor = 1 + (f - 1) (6 t⁵ - 15 t⁴ + 10 t³),   t = depth / border, from 0 to 1             (1)
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edge_stretch::RoadSide;
use super::grip_stretch::{GripStretch, default_ramp_m};
use super::part_ranges::{check_factor, check_vertices, check_width, within};
use crate::frame::Spot;
use crate::geometry::{Point, Polyline, Segment, Vector};

/// A part of the road with its own grip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Grip {
    /// A stretch over the whole width.
    Stretch(GripStretch),
    /// A strip along an edge.
    Strip(GripStrip),
    /// A polygon.
    Polygon(GripPolygon),
}

/// A strip along an edge with its own grip, such as a wet kerb.
///
/// ```
/// use raceline_road::track::{Grip, GripStretch, GripStrip, RoadSide};
///
/// let along = GripStretch { from_m: 50.0, to_m: 100.0, factor: 0.7, ramp_m: 5.0 };
/// let kerb = GripStrip { from_m: 50.0, to_m: 100.0, factor: 0.7, ramp_m: 5.0, side: RoadSide::Left, width_m: 1.0, border_m: 0.5 };
/// assert!(Grip::from(along).validate().is_ok() && Grip::Strip(kerb).validate().is_ok());
/// assert!(Grip::Strip(GripStrip { width_m: 0.0, ..kerb }).validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GripStrip {
    /// Beginning: distance along the centre line from the start line, metres.
    pub from_m: f64,
    /// End, likewise; on a closed track, an end before the beginning leads over the start line.
    pub to_m: f64,
    /// Factor on both tyre limits, 0.05 to 3. Where parts overlap, their factors are multiplied.
    pub factor: f64,
    /// Length over which the grip changes, inside the strip at either end, metres; 0 is a step.
    /// Default: 5.
    #[serde(default = "default_ramp_m")]
    pub ramp_m: f64,
    /// The edge that it is measured from, seen in the direction of travel: `left`, `right` or
    /// `both`.
    pub side: RoadSide,
    /// Width of the strip from that edge along the cross-section, metres, 0.01 to 1000.
    pub width_m: f64,
    /// Width over which the grip changes, inside the strip, metres, 0.1 to 100. Default: 0.5.
    #[serde(default = "default_border_m")]
    pub border_m: f64,
}

/// A polygon with its own grip, such as oil.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GripPolygon {
    /// Three vertices or more, metres or pixels as `start`.
    pub polygon: Vec<Spot>,
    /// Factor on both tyre limits, 0.05 to 3. Where parts overlap, their factors are multiplied.
    pub factor: f64,
    /// Width over which the grip changes, inside the polygon, metres, 0.1 to 100. Default: 0.5.
    #[serde(default = "default_border_m")]
    pub border_m: f64,
}

fn default_border_m() -> f64 {
    0.5
}

/// Smallest and largest width of a border, m.
const BORDER_M: (f64, f64) = (0.1, 100.0);

impl From<GripStretch> for Grip {
    fn from(stretch: GripStretch) -> Self {
        Self::Stretch(stretch)
    }
}

impl Grip {
    /// Checks the ranges that do not depend on a track.
    ///
    /// # Errors
    /// The number that is outside its range, and the range.
    pub fn validate(&self) -> Result<(), (f64, &'static str)> {
        let check_border = |border_m| within(border_m, BORDER_M, "a border_m from 0.1 to 100 m");
        match self {
            Self::Stretch(stretch) => stretch.validate(),
            Self::Strip(strip) => {
                strip.stretch().validate()?;
                check_width(strip.width_m)?;
                check_border(strip.border_m)
            }
            Self::Polygon(GripPolygon { polygon, factor, border_m }) => {
                check_factor(*factor)?;
                check_border(*border_m)?;
                check_vertices(polygon.len())
            }
        }
    }

    /// Whether it covers a part of the road's width.
    #[must_use]
    pub fn is_patch(&self) -> bool {
        !matches!(self, Self::Stretch(_))
    }

    /// The vertices of a polygon, as they are specified.
    pub fn spots_mut(&mut self) -> &mut [Spot] {
        match self {
            Self::Stretch(_) | Self::Strip(_) => &mut [],
            Self::Polygon(polygon) => &mut polygon.polygon,
        }
    }

    /// The part about another origin: moved by `offset`, metres.
    #[must_use]
    pub fn moved_by(mut self, offset: Vector) -> Self {
        for spot in self.spots_mut() {
            if let Spot::Metres([x, y]) = spot {
                (*x, *y) = (*x + offset.x, *y + offset.y);
            }
        }
        self
    }
}

impl GripStrip {
    /// The stretch over the whole width.
    pub(super) fn stretch(&self) -> GripStretch {
        let Self { from_m, to_m, factor, ramp_m, .. } = *self;
        GripStretch { from_m, to_m, factor, ramp_m }
    }

    /// The part of its factor at a place these distances from the edges, 0 to 1.
    pub(super) fn part(&self, [to_right_m, to_left_m]: [f64; 2]) -> f64 {
        let depth = |to_edge_m: f64| self.width_m - to_edge_m;
        let depth = match self.side {
            RoadSide::Right => depth(to_right_m),
            RoadSide::Left => depth(to_left_m),
            RoadSide::Both => depth(to_right_m).max(depth(to_left_m)),
        };
        smooth(depth / self.border_m.min(self.width_m))
    }
}

/// A polygon on a road.
#[derive(Clone, Debug)]
pub(super) struct PolygonPatch {
    outline: Polyline,
    low: Point,
    high: Point,
    pub factor: f64,
    border_m: f64,
}

impl PolygonPatch {
    /// The polygon; `None` for places that are not in metres.
    pub fn new(polygon: &GripPolygon) -> Option<Self> {
        let place = |spot: &Spot| match *spot {
            Spot::Metres([x, y]) if x.is_finite() && y.is_finite() => Some(Point::new(x, y)),
            _ => None,
        };
        let points: Vec<Point> = polygon.polygon.iter().map(place).collect::<Option<_>>()?;
        let (mut low, mut high) = (*points.first()?, *points.first()?);
        for p in &points {
            low = Point::new(low.x.min(p.x), low.y.min(p.y));
            high = Point::new(high.x.max(p.x), high.y.max(p.y));
        }
        let GripPolygon { factor, border_m, .. } = *polygon;
        Some(Self { outline: Polyline::closed(points), low, high, factor, border_m })
    }

    /// The part of its factor at a place, 0 to 1.
    pub fn part(&self, place: Point) -> f64 {
        let is_near = (self.low.x..=self.high.x).contains(&place.x) && (self.low.y..=self.high.y).contains(&place.y);
        if !is_near || !self.outline.contains(place) {
            return 0.0;
        }
        let depth =
            self.outline.pieces().map(|(a, b)| Segment::new(a, b).distance(place)).fold(f64::INFINITY, f64::min);
        smooth(depth / self.border_m)
    }

    /// Whether a disc may reach into it.
    pub fn may_reach(&self, centre: Point, radius_m: f64) -> bool {
        let reach = |at: f64, low: f64, high: f64| at >= low - radius_m && at <= high + radius_m;
        reach(centre.x, self.low.x, self.high.x) && reach(centre.y, self.low.y, self.high.y)
    }
}

/// The polynomial of equation (1).
fn smooth(fraction: f64) -> f64 {
    let t = fraction.clamp(0.0, 1.0);
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}
