//! Other vehicles, obstacles and objects to collect.

use crate::chassis::{FARTHEST_M, FASTEST_MPS};
use raceline_numerics::math;

/// Largest number of other vehicles that are looked at in a step.
pub const MAX_NEIGHBOURS: usize = 16;
/// Largest number of fixed obstacles that are looked at in a step.
pub const MAX_OBSTACLES: usize = 16;
/// Largest number of pick-ups that are evaluated in a step.
pub const MAX_PICK_UPS: usize = 64;
/// Neighbours and obstacles.
pub(crate) const MAX_SEEN: usize = MAX_NEIGHBOURS + MAX_OBSTACLES;
/// Largest length or width of a body that is looked at, m.
pub(crate) const MAX_SIZE_M: f64 = 100.0;
/// A body further from the vehicle's height than this, m, and this fraction of its distance, is on
/// another level.
const LEVEL_M: f64 = 3.0;
const LEVEL_SLOPE: f64 = 0.3;

/// Whether a body that is `height` above or below a vehicle, m, and `distance` away, m, is on another
/// level.
pub(crate) fn is_on_another_level(height: f64, distance: f64) -> bool {
    height.abs() > LEVEL_M + LEVEL_SLOPE * distance
}

/// Another vehicle.
///
/// ```
/// use raceline_follower::{Body, Neighbour};
///
/// // A car that drives along x; an agent takes it for a disc.
/// let ahead = Neighbour {
///     position_m: [25.0, 0.0, 0.0],
///     velocity_mps: [8.0, 0.0, 0.0],
///     heading_rad: 0.0,
///     length_m: 4.4,
///     width_m: 1.8,
/// };
/// assert!(Body::from(&ahead).radius_m > 2.2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The middle of its body, metres.
    pub position_m: [f64; 3],
    /// Velocity, m/s.
    pub velocity_mps: [f64; 3],
    /// Direction, radians counter-clockwise from +x.
    pub heading_rad: f64,
    /// Length over all, metres, above 0.
    pub length_m: f64,
    /// Width over all, metres, above 0.
    pub width_m: f64,
}

impl Neighbour {
    /// Whether its numbers can be those of a body. A size may be 0.
    pub(crate) fn is_usable(&self) -> bool {
        self.position_m.iter().all(|x| x.abs() <= FARTHEST_M)
            && self.velocity_mps.iter().all(|v| v.abs() <= FASTEST_MPS)
            && self.heading_rad.abs() <= 1e6
            && [self.length_m, self.width_m].iter().all(|size| *size >= 0.0 && *size <= MAX_SIZE_M)
    }
}

/// A round body: a fixed obstacle, or, with a velocity, an agent or a vehicle.
///
/// ```
/// use raceline_follower::{Body, Scene};
///
/// let barrels = [Body { position_m: [30.0, 1.0], radius_m: 0.4, ..Body::default() }];
/// assert_eq!(Scene::EMPTY.with_obstacles(&barrels).obstacles(), barrels);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Body {
    /// Position of the middle, metres; default the origin.
    pub position_m: [f64; 2],
    /// Velocity, m/s; default 0.
    pub velocity_mps: [f64; 2],
    /// Radius, metres, 0 or more; default 0.
    pub radius_m: f64,
}

impl From<&Neighbour> for Body {
    /// The circle around a vehicle's rectangle.
    fn from(neighbour: &Neighbour) -> Self {
        let ([x, y, _], [vx, vy, _]) = (neighbour.position_m, neighbour.velocity_mps);
        let radius_m = 0.5 * math::hypot(neighbour.length_m, neighbour.width_m);
        Self { position_m: [x, y], velocity_mps: [vx, vy], radius_m }
    }
}

impl Body {
    /// A square that stands around the circle, at a height, metres.
    pub(crate) fn standing(&self, height_m: f64) -> Neighbour {
        let [x, y] = self.position_m;
        let size = 2.0 * self.radius_m;
        Neighbour {
            position_m: [x, y, height_m],
            velocity_mps: [0.0; 3],
            heading_rad: 0.0,
            length_m: size,
            width_m: size,
        }
    }
}

/// An object to collect.
///
/// ```
/// use raceline_follower::{PickUp, Scene};
///
/// let boxes = [PickUp { position_m: [40.0, -1.5, 0.0], radius_m: 0.8 }];
/// assert_eq!(Scene::EMPTY.with_pick_ups(&boxes).pick_ups(), boxes);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickUp {
    /// Position, metres.
    pub position_m: [f64; 3],
    /// Distance from its position within which it is collected, metres, 0 or more.
    pub radius_m: f64,
}

/// What surrounds a vehicle in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Around<'a> {
    pub neighbours: &'a [Neighbour],
    pub obstacles: &'a [Body],
    pub pick_ups: &'a [PickUp],
}

impl Around<'_> {
    /// The neighbours and obstacles that are looked at, the obstacles as standing squares at a height,
    /// metres.
    pub(crate) fn bodies(&self, height_m: f64) -> Bodies {
        let nobody =
            Neighbour { position_m: [0.0; 3], velocity_mps: [0.0; 3], heading_rad: 0.0, length_m: 0.0, width_m: 0.0 };
        let mut bodies = Bodies { bodies: [nobody; MAX_SEEN], count: 0 };
        for neighbour in self.neighbours.iter().take(MAX_NEIGHBOURS) {
            bodies.push(*neighbour);
        }
        for obstacle in self.obstacles.iter().take(MAX_OBSTACLES) {
            bodies.push(obstacle.standing(height_m));
        }
        bodies
    }
}

/// Neighbours and obstacles of a frame.
pub(crate) struct Bodies {
    bodies: [Neighbour; MAX_SEEN],
    count: usize,
}

impl Bodies {
    fn push(&mut self, body: Neighbour) {
        if let Some(place) = self.bodies.get_mut(self.count) {
            *place = body;
            self.count += 1;
        }
    }

    pub(crate) fn as_slice(&self) -> &[Neighbour] {
        self.bodies.get(..self.count).unwrap_or_default()
    }
}
