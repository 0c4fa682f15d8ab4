//! The path beside the path that other vehicles make a follower drive ([`crate::traffic`]).

use crate::planned_route::PlannedRoute;

/// The path beside the path that is driven, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shift {
    /// Distance to the left of the path, m, now and in the end.
    pub offset: f64,
    pub goal: f64,
    /// Speed across, m/s, and the acceleration while it moves, m/s².
    pub rate: f64,
    pub across: f64,
    /// Distance ahead at which the goal is reached, m.
    pub reach: f64,
    /// The speed that other vehicles allow, m/s, and the deceleration to it, m/s².
    pub max_speed: f64,
    pub braking: f64,
    /// Whether it stands behind one that stands too, with room to pass if it were not so near: as good as
    /// stuck; and whether another is so close behind that it cannot reverse.
    pub blocked: bool,
    pub closed_behind: bool,
    /// The route to the goal, where it is planned ([`crate::local_planner`]); else it is straight.
    pub route: Option<PlannedRoute>,
}

/// Smallest radius that is left of a bend towards the inside, as a fraction.
pub(crate) const MIN_RADIUS: f64 = 0.2;

impl Shift {
    /// The path itself, as fast as it goes.
    pub(crate) const NONE: Self = Self {
        offset: 0.0,
        goal: 0.0,
        rate: 0.0,
        across: 0.0,
        reach: 1.0,
        max_speed: f64::INFINITY,
        braking: 0.0,
        blocked: false,
        closed_behind: false,
        route: None,
    };

    pub(crate) fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Distance to the left of the path `ahead` metres along it.
    pub(crate) fn at(&self, ahead: f64) -> f64 {
        if let Some(route) = &self.route {
            return route.at(ahead).offset;
        }
        self.offset + (self.goal - self.offset) * (ahead / self.reach).clamp(0.0, 1.0)
    }

    /// Curvature of the route against that of the path, 1/m, where it is planned.
    pub(crate) fn bend(&self, ahead: f64) -> f64 {
        self.route.map_or(0.0, |route| route.at(ahead).curvature)
    }

    /// The fraction of a bend's radius that is left beside the path.
    pub(crate) fn radius_left(&self, ahead: f64, curvature: f64) -> f64 {
        (1.0 - curvature * self.at(ahead)).max(MIN_RADIUS)
    }
}
