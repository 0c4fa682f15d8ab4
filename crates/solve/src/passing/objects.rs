//! Obstacles and pick-ups as the options specify them, and their shapes about the origin of a road.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::PassingError;
use crate::barrier::{Outline, PassingSide};
use raceline_road::frame::Spot;
use raceline_road::geometry::{Point, Vector};

/// Largest radius, m, and largest worth, s.
const MAX_SIZE: f64 = 1e6;

/// Something that stands on the road.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Obstacle {
    /// A disc.
    Circle(CircleObstacle),
    /// A polygon.
    Polygon(PolygonObstacle),
}

/// A disc that stands on the road.
///
/// ```
/// use raceline_road::frame::Spot;
/// use raceline_solve::passing::{CircleObstacle, Obstacle};
///
/// let barrel = Obstacle::Circle(CircleObstacle { at: Spot::Metres([60.0, 1.0]), radius_m: 0.4, side: None });
/// assert_eq!(barrel.side(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CircleObstacle {
    /// Centre, metres or pixels as `start`.
    pub at: Spot,
    /// Radius, metres, above 0.
    pub radius_m: f64,
    /// The side on which the line passes it, seen in the direction of travel. Default: searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<PassingSide>,
}

/// A polygon that stands on the road.
///
/// ```
/// use raceline_road::frame::Spot;
/// use raceline_solve::PassingSide;
/// use raceline_solve::passing::{Obstacle, PolygonObstacle};
///
/// // A wall that the line passes on its left.
/// let points = vec![Spot::Metres([60.0, -5.0]), Spot::Metres([62.0, 0.0])];
/// let wall = Obstacle::Polygon(PolygonObstacle { points, side: Some(PassingSide::Left) });
/// assert_eq!(wall.side(), Some(PassingSide::Left));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolygonObstacle {
    /// Vertices, metres or pixels as `start`; two are a wall.
    pub points: Vec<Spot>,
    /// The side on which the line passes it, seen in the direction of travel. Default: searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<PassingSide>,
}

/// A place that is worth time to a line that passes near it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PickUp {
    /// The place, metres or pixels as `start`.
    pub at: Spot,
    /// A line within this distance has it, metres, above 0.
    pub radius_m: f64,
    /// Worth of the pick-up, seconds, at least 0.
    pub worth_s: f64,
    /// Whether the line takes it. Default: searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub take: Option<bool>,
}

impl Obstacle {
    /// The side on which the line passes it, where it is specified.
    #[must_use]
    pub fn side(&self) -> Option<PassingSide> {
        match self {
            Self::Circle(circle) => circle.side,
            Self::Polygon(polygon) => polygon.side,
        }
    }

    /// Specifies the side.
    pub fn set_side(&mut self, side: PassingSide) {
        match self {
            Self::Circle(circle) => circle.side = Some(side),
            Self::Polygon(polygon) => polygon.side = Some(side),
        }
    }

    /// The centre or the vertices, as they are specified.
    pub fn spots_mut(&mut self) -> &mut [Spot] {
        match self {
            Self::Circle(circle) => std::slice::from_mut(&mut circle.at),
            Self::Polygon(polygon) => &mut polygon.points,
        }
    }

    /// The shape about `origin`; `number` counts from 1.
    ///
    /// ```
    /// use raceline_road::frame::Spot;
    /// use raceline_road::geometry::{Point, Vector};
    /// use raceline_solve::passing::{CircleObstacle, Obstacle};
    ///
    /// let obstacle = Obstacle::Circle(CircleObstacle { at: Spot::Metres([60.0, 0.0]), radius_m: 1.0, side: None });
    /// let outline = obstacle.outline(1, Vector::zeros())?;
    /// assert_eq!(outline.distance(Point::new(63.0, 0.0)), 2.0);
    /// # Ok::<(), raceline_solve::PassingError>(())
    /// ```
    ///
    /// # Errors
    /// [`PassingError`] for a shape without extent, and for points in pixels.
    pub fn outline(&self, number: usize, origin: Vector) -> Result<Outline, PassingError> {
        let wrong = |problem| PassingError::Shape { number, problem };
        let place = |spot: Spot| in_metres("obstacle", number, spot, origin);
        match self {
            Self::Circle(circle) => {
                if !(circle.radius_m > 0.0 && circle.radius_m <= MAX_SIZE) {
                    return Err(wrong("its radius_m must be above 0, at most 1000000 m"));
                }
                Ok(Outline::Circle { centre: place(circle.at)?, radius_m: circle.radius_m })
            }
            Self::Polygon(polygon) => {
                let points: Vec<Point> = polygon.points.iter().map(|&spot| place(spot)).collect::<Result<_, _>>()?;
                if points.len() < 2 {
                    return Err(wrong("its points must be two or more"));
                }
                Ok(Outline::Polygon(points))
            }
        }
    }
}

impl PickUp {
    /// The place about `origin`; `number` counts from 1.
    ///
    /// ```
    /// use raceline_road::frame::Spot;
    /// use raceline_road::geometry::{Point, Vector};
    /// use raceline_solve::passing::PickUp;
    ///
    /// let pick_up = PickUp { at: Spot::Metres([60.0, 2.0]), radius_m: 1.0, worth_s: 0.3, take: None };
    /// assert_eq!(pick_up.place(1, Vector::new(10.0, 0.0))?, Point::new(50.0, 2.0));
    /// # Ok::<(), raceline_solve::PassingError>(())
    /// ```
    ///
    /// # Errors
    /// [`PassingError`] for numbers out of their range, and for a place in pixels.
    pub fn place(&self, number: usize, origin: Vector) -> Result<Point, PassingError> {
        let wrong = |problem| PassingError::PickUp { number, problem };
        if !(self.radius_m > 0.0 && self.radius_m <= MAX_SIZE) {
            return Err(wrong("its radius_m must be above 0, at most 1000000 m"));
        }
        if !(0.0..=MAX_SIZE).contains(&self.worth_s) {
            return Err(wrong("its worth_s must be from 0 to 1000000 s"));
        }
        in_metres("pick_up", number, self.at, origin)
    }
}

/// A spot about `origin`.
fn in_metres(key: &'static str, number: usize, spot: Spot, origin: Vector) -> Result<Point, PassingError> {
    match spot {
        Spot::Metres([x, y]) if x.is_finite() && y.is_finite() => Ok(Point::new(x, y) - origin),
        Spot::Metres(_) => Err(PassingError::NotFinite { key, number }),
        Spot::Pixels(_) => Err(PassingError::NoPicture { key, number }),
        Spot::Degrees(_) => Err(PassingError::NoGlobe { key, number }),
    }
}
