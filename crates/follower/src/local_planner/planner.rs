//! The planner of one vehicle, frame by frame.

use super::blocking::{is_anyone_behind, is_blocked, nearest_before};
use super::lattice::Lattice;
use super::options::LocalPlannerOptions;
use super::prediction::{Ahead, Others, size_of};
use super::relaxation::{gaps_around, relaxed};
use crate::bodies::Around;
use crate::chassis::{Frame, bounded};
use crate::error::OptionsError;
use crate::options::TargetSpeedOptions;
use crate::planned_route::PlannedRoute;
use crate::shift::Shift;
use crate::standing::STANDING_MPS;
use crate::vehicle::VehicleGeometry;
use raceline_numerics::math;

/// The springs bring a car back from this distance beside the path with the lateral acceleration of
/// the options, m, over at least this distance, in lengths. Larger ones return more smoothly and
/// later.
const RETURN_M: f64 = 2.5;
const RETURN_LENGTHS: f64 = 1.2;
/// Further from its route than this a car begins where it is, m.
const LOST_M: f64 = 1.2;
/// Largest slope with which it begins there.
const LOST_SLOPE: f64 = 0.5;
/// Largest distance beside the path, m, and largest slope at which the path counts as reached
/// again. Smaller ones stay with the planned route for longer, larger ones leave a jump in the
/// steering.
const ARRIVED_M: f64 = 0.02;
const ARRIVED_SLOPE: f64 = 2e-3;

/// Plans around obstacles and other vehicles for one vehicle, as a part of its follower: see
/// [`Follower::set_planner`](crate::Follower::set_planner). It contains its whole state and can be
/// copied.
///
/// ```
/// use raceline_follower::{Follower, FollowerOptions, LocalPlanner, LocalPlannerOptions, VehicleGeometry};
///
/// let planner = LocalPlanner::new(LocalPlannerOptions { horizon_m: 60.0, ..LocalPlannerOptions::default() })?;
/// let mut follower = Follower::new(FollowerOptions::default(), VehicleGeometry::default())?;
/// follower.set_planner(Some(planner));
/// assert_eq!(follower.planner().map(LocalPlanner::offsets_m), Some([0.0; 2]));
/// # Ok::<(), raceline_follower::OptionsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalPlanner {
    options: LocalPlannerOptions,
    /// The route that is driven, from the vehicle's last place on, and where the lattice's curve ended, m.
    route: PlannedRoute,
    goal: f64,
    /// Whether others change what is driven.
    active: bool,
    /// Time for which it has stood before another that stands, s.
    waited_s: f64,
    /// Whether it has to reverse.
    blocked: bool,
}

impl LocalPlanner {
    /// A planner for one vehicle.
    ///
    /// # Errors
    /// The first option out of its documented range.
    pub fn new(options: LocalPlannerOptions) -> Result<Self, OptionsError> {
        options.validate()?;
        Ok(Self::fresh(options))
    }

    /// A planner that remembers nothing.
    fn fresh(options: LocalPlannerOptions) -> Self {
        Self { options, route: PlannedRoute::PATH, goal: 0.0, active: false, waited_s: 0.0, blocked: false }
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &LocalPlannerOptions {
        &self.options
    }

    /// Distance to the left of the path at which it drives now, and to which it is going, metres.
    #[must_use]
    pub fn offsets_m(&self) -> [f64; 2] {
        [self.route.at(0.0).offset, self.goal]
    }

    /// Whether others changed what was driven in the last step.
    pub(crate) fn is_active(&self) -> bool {
        self.active
    }

    /// Forgets everything but the options.
    pub fn reset(&mut self) {
        *self = Self::fresh(self.options);
    }

    /// The shift of this frame.
    pub(crate) fn step(
        &mut self,
        frame: &Frame<'_>,
        around: &Around<'_>,
        speeds: &TargetSpeedOptions,
        vehicle: &VehicleGeometry,
    ) -> Shift {
        if frame.nearest.teleported || frame.nearest.path_changed {
            self.reset();
        }
        let options = &self.options;
        let ahead = Ahead::new(frame, speeds, options, vehicle);
        let others = Others::new(frame, around, vehicle, &ahead);
        if !self.active && others.is_empty() {
            return Shift::NONE;
        }
        let speed = frame.state.speed_mps.max(0.0);
        // On along the route of the last frame.
        let mut advance = bounded(frame.nearest.advance, 10.0).max(0.0);
        let (size, away) = (size_of(vehicle), self.route.at(advance).offset - frame.cross_track);
        if away.abs() > LOST_M * size || !self.active {
            let slope = math::tan(frame.heading_error).clamp(-LOST_SLOPE, LOST_SLOPE);
            let near = frame.cross_track.abs() < LOST_M * size && !self.active;
            self.route = if near { PlannedRoute::PATH } else { PlannedRoute::straight(frame.cross_track, slope) };
            (self.goal, advance) = (if near { 0.0 } else { frame.cross_track }, 0.0);
        }
        let lattice = Lattice { options, ahead: &ahead, others: &others, speed, vehicle, size };
        let choice = lattice.cheapest(&self.route, advance, self.goal);
        let followed = choice.blocked.map(|(_, other)| other);
        let here = self.route.at(advance);
        let reachable = (here, options.lateral_mps2 / (speed * speed).max(1.0));
        let wanted = [options.gap_m, ahead.step];
        let gaps = gaps_around(&choice.offsets, &ahead.corridor, &others, wanted, followed, reachable);
        let reach = (speed * (RETURN_M / options.lateral_mps2).sqrt()).max(RETURN_LENGTHS * vehicle.length_m);
        (self.route, self.goal) = (relaxed(ahead.step, [here.offset, here.slope], &gaps, reach), choice.goal);
        let (max_speed, braking) = lattice.speed_on(&self.route, choice.blocked);
        // Who reverses does so until the other is far enough, whatever curve leads past it meanwhile.
        let before = if self.blocked { nearest_before(&others, frame) } else { followed };
        let first = before.map(|other| &others.bodies()[other]);
        let first = first.filter(|first| speed < STANDING_MPS && (self.blocked || first.stands()) && !first.crosses);
        self.waited_s = if first.is_some() { self.waited_s + frame.dt } else { 0.0 };
        let closed_behind = is_anyone_behind(&others, frame);
        self.blocked = first.is_some_and(|first| {
            is_blocked(first, &others, (&ahead, frame), (self.waited_s, options.following_m), vehicle)
        }) && !closed_behind;
        let arrived = here.offset.abs() < ARRIVED_M && here.slope.abs() < ARRIVED_SLOPE;
        self.active = !(choice.goal == 0.0 && arrived && choice.blocked.is_none());
        if !self.active {
            self.route = PlannedRoute::PATH;
            return Shift::NONE;
        }
        Shift {
            offset: here.offset,
            goal: choice.goal,
            rate: here.slope * speed,
            across: 0.0,
            reach: 1.0,
            max_speed,
            braking,
            blocked: self.blocked,
            closed_behind,
            route: Some(self.route),
        }
    }
}

#[cfg(test)]
mod tests;
