//! What surrounds a vehicle in a frame, as a game passes it.

use crate::bodies::{Around, Body, Neighbour, PickUp};
use crate::chassis::Frame;
use crate::options::{PickUpOptions, TargetSpeedOptions, TrafficOptions};
use crate::pick_ups::{self, Detour};
use crate::shift::Shift;
use crate::traffic::Traffic;
use crate::vehicle::VehicleGeometry;

/// How others shift the path.
pub(crate) type Avoid =
    fn(&mut Traffic, &Frame<'_>, &Around<'_>, &TrafficOptions, &TargetSpeedOptions, &VehicleGeometry) -> Shift;
/// How a pick-up is chosen.
pub(crate) type Choose = fn(&Frame<'_>, &Around<'_>, &PickUpOptions, (f64, f64), &VehicleGeometry) -> Option<Detour>;

/// What surrounds a vehicle in a frame, and in which direction it drives. Empty by default:
///
/// ```
/// use raceline_follower::{Neighbour, PickUp, Scene};
///
/// let neighbours = [Neighbour {
///     position_m: [25.0, 0.0, 0.0],
///     velocity_mps: [8.0, 0.0, 0.0],
///     heading_rad: 0.0,
///     length_m: 4.4,
///     width_m: 1.8,
/// }];
/// let pick_ups = [PickUp { position_m: [60.0, 2.0, 0.0], radius_m: 0.8 }];
/// let scene = Scene::EMPTY.with_neighbours(&neighbours).with_pick_ups(&pick_ups);
/// assert!(scene.neighbours().len() == 1 && scene.obstacles().is_empty() && !scene.is_reverse());
/// ```
///
/// A later version may have more fields; their defaults change nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scene<'a> {
    pub(crate) around: Around<'a>,
    reverse: bool,
    /// Behind pointers, so that a program whose scenes have none of it links none of it.
    pub(crate) avoid: Option<Avoid>,
    pub(crate) choose: Option<Choose>,
}

impl Scene<'_> {
    /// Nothing around the vehicle, which drives forwards.
    pub const EMPTY: Scene<'static> = Scene {
        around: Around { neighbours: &[], obstacles: &[], pick_ups: &[] },
        reverse: false,
        avoid: None,
        choose: None,
    };
}

impl<'a> Scene<'a> {
    /// The scene with these other vehicles. The first [`MAX_NEIGHBOURS`](crate::MAX_NEIGHBOURS) are
    /// looked at: pass the nearest.
    #[must_use]
    pub const fn with_neighbours(self, neighbours: &'a [Neighbour]) -> Self {
        Self { around: Around { neighbours, ..self.around }, avoid: Some(Traffic::step), ..self }
    }

    /// The scene with these fixed obstacles; their velocities do not count. The first
    /// [`MAX_OBSTACLES`](crate::MAX_OBSTACLES) are looked at: pass the nearest.
    #[must_use]
    pub const fn with_obstacles(self, obstacles: &'a [Body]) -> Self {
        Self { around: Around { obstacles, ..self.around }, avoid: Some(Traffic::step), ..self }
    }

    /// The scene with these objects to collect. The first [`MAX_PICK_UPS`](crate::MAX_PICK_UPS) are looked
    /// at.
    #[must_use]
    pub const fn with_pick_ups(self, pick_ups: &'a [PickUp]) -> Self {
        Self { around: Around { pick_ups, ..self.around }, choose: Some(pick_ups::choose), ..self }
    }

    /// The scene for a vehicle that faces against the path and follows it in reverse gear, or for one
    /// that drives forwards, which is the default.
    #[must_use]
    pub const fn with_reverse(self, reverse: bool) -> Self {
        Self { reverse, ..self }
    }

    /// The other vehicles.
    #[must_use]
    pub const fn neighbours(&self) -> &'a [Neighbour] {
        self.around.neighbours
    }

    /// The fixed obstacles.
    #[must_use]
    pub const fn obstacles(&self) -> &'a [Body] {
        self.around.obstacles
    }

    /// The objects to collect.
    #[must_use]
    pub const fn pick_ups(&self) -> &'a [PickUp] {
        self.around.pick_ups
    }

    /// Whether the vehicle drives in reverse.
    #[must_use]
    pub const fn is_reverse(&self) -> bool {
        self.reverse
    }
}
