//! The scene of a trial: ground, walls, obstacles, a path, and optionally further paths that
//! replace it during the drive.

use raceline_follower::{Path, Waypoint};
use raceline_numerics::STANDARD_GRAVITY;
use rapier3d::prelude::{Collider, ColliderBuilder, PhysicsWorld};

use crate::frame;
use crate::route::{Route, RoutePoint, offset};
use crate::terrain::{HULL_FRICTION, Terrain};

/// Half the thickness of walls, metres.
const WALL_HALF_M: f64 = 0.3;
/// Height of walls above and depth below the ground at their middle, metres.
const WALL_HALF_HEIGHT_M: f64 = 2.5;

/// A fixed upright box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Middle in the plane, metres.
    pub at_m: [f64; 2],
    /// Heading of its length, radians.
    pub heading_rad: f64,
    /// Half its length and half its width, metres.
    pub half_m: [f64; 2],
}

impl Block {
    /// A square pillar.
    #[must_use]
    pub fn pillar(at_m: [f64; 2], half_m: f64, heading_rad: f64) -> Self {
        Self { at_m, heading_rad, half_m: [half_m, half_m] }
    }

    /// Corners in the plane, counter-clockwise.
    #[must_use]
    pub fn corners_m(&self) -> [[f64; 2]; 4] {
        let [a, b] = self.half_m;
        [[a, b], [-a, b], [-a, -b], [a, -b]].map(|[u, v]| offset(self.at_m, self.heading_rad, u, v))
    }

    fn collider(&self, terrain: &Terrain) -> Collider {
        let at = [self.at_m[0], self.at_m[1], terrain.height_m(self.at_m[0], self.at_m[1])];
        ColliderBuilder::cuboid(self.half_m[0] as f32, WALL_HALF_HEIGHT_M as f32, self.half_m[1] as f32)
            .translation(frame::to_engine(at))
            .rotation(frame::level(self.heading_rad).to_scaled_axis())
            .friction(HULL_FRICTION)
            .build()
    }
}

/// A path that replaces the current one at a given distance.
#[derive(Clone, Debug)]
pub struct PathChange {
    /// Arc length on the path so far at which it changes, metres.
    pub at_s_m: f64,
    /// The new path.
    pub path: Path,
}

/// Ground, blocks and path.
#[derive(Clone)]
pub struct Scene {
    /// Name, for tables and pictures.
    pub name: String,
    /// The ground.
    pub terrain: Terrain,
    /// Walls and obstacles.
    pub blocks: Vec<Block>,
    /// The first path.
    pub path: Path,
    /// The following paths, in order.
    pub changes: Vec<PathChange>,
}

/// A path could not be built from a route.
#[derive(Debug)]
pub struct SceneError {
    /// Name of the scene.
    pub scene: String,
    /// The follower's error.
    pub path: raceline_follower::PathError,
}

impl std::fmt::Display for SceneError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "scene {}: {}", self.scene, self.path)
    }
}

impl std::error::Error for SceneError {}

impl Scene {
    /// The scene of one route with its walls; `blocks` come on top.
    ///
    /// # Errors
    /// A route that makes no path.
    pub fn new(name: &str, terrain: Terrain, route: &Route, mut blocks: Vec<Block>) -> Result<Self, SceneError> {
        blocks.extend(walls(route.points()));
        let path = open_path(name, route.waypoints(&terrain))?;
        Ok(Self { name: name.to_owned(), terrain, blocks, path, changes: Vec::new() })
    }

    /// Adds a path that replaces the last one at its arc length `at_s_m`.
    ///
    /// # Errors
    /// A route that makes no path.
    pub fn changed_at(mut self, at_s_m: f64, route: &Route) -> Result<Self, SceneError> {
        let path = open_path(&self.name, route.waypoints(&self.terrain))?;
        self.changes.push(PathChange { at_s_m, path });
        Ok(self)
    }

    /// Length of the drive, metres: of each path up to its replacement.
    #[must_use]
    pub fn nominal_length_m(&self) -> f64 {
        let mut length = 0.0;
        let mut path = &self.path;
        for change in &self.changes {
            length += change.at_s_m;
            path = &change.path;
        }
        length + path.length_m()
    }

    /// A world with the ground and the blocks in it.
    #[must_use]
    pub fn world(&self, dt_s: f64) -> PhysicsWorld {
        world(&self.terrain, &self.blocks, dt_s)
    }
}

/// A world with `terrain` and `blocks` in it, which steps by `dt_s`.
#[must_use]
pub fn world(terrain: &Terrain, blocks: &[Block], dt_s: f64) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = rapier3d::math::Vector::Y * -STANDARD_GRAVITY as f32;
    world.integration_parameters.dt = dt_s as f32;
    world.insert_collider(terrain.collider(), None);
    for block in blocks {
        world.insert_collider(block.collider(terrain), None);
    }
    world
}

/// The open path of `waypoints`.
///
/// # Errors
/// Waypoints that do not form a path.
pub fn open_path(scene: &str, waypoints: Vec<Waypoint>) -> Result<Path, SceneError> {
    Path::new(waypoints, false).map_err(|path| SceneError { scene: scene.to_owned(), path })
}

/// Walls along the edges of a corridor, inner faces on the edges.
fn walls(points: &[RoutePoint]) -> Vec<Block> {
    // Edges lie along the mean heading of the legs at a point, so that walls meet.
    let heading = |i: usize| {
        let leg = |a: usize, b: usize| {
            let (dx, dy) = (points[b].at_m[0] - points[a].at_m[0], points[b].at_m[1] - points[a].at_m[1]);
            let length = dx.hypot(dy).max(1e-9);
            [dx / length, dy / length]
        };
        let before = leg(i.saturating_sub(1), i.max(1));
        let after = leg(i.min(points.len() - 2), (i + 1).min(points.len() - 1));
        (before[1] + after[1]).atan2(before[0] + after[0])
    };
    let mut blocks = Vec::new();
    for i in 0..points.len().saturating_sub(1) {
        if !points[i].walled {
            continue;
        }
        for side in [1.0, -1.0] {
            let edge = |j: usize| {
                let width = if side > 0.0 { points[j].left_m } else { points[j].right_m };
                offset(points[j].at_m, heading(j), 0.0, side * (width + WALL_HALF_M))
            };
            let (a, b) = (edge(i), edge(i + 1));
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            blocks.push(Block {
                at_m: [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0],
                heading_rad: dy.atan2(dx),
                half_m: [dx.hypot(dy) / 2.0 + 0.15, WALL_HALF_M],
            });
        }
    }
    blocks
}
