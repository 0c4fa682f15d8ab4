//! Who touches whom, and who passes whom.

use raceline_follower::{Body, Neighbour};
use raceline_numerics::math;

use super::gaps::{to_circle, to_rectangle};

/// Pairs that touched less than this ago still touch, s: a scrape is one contact.
const ONE_S: f64 = 1.0;
/// A vehicle that was ahead and is behind within this distance was overtaken, m; further away it
/// changed its side at the other end of the ring.
const PASSES_M: f64 = 50.0;
/// Vehicles whose middles are further apart than this are not measured, in lengths.
const FAR: f64 = 4.0;

/// What a vehicle met on the road.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Encounters {
    /// Obstacles on the road, and other vehicles.
    pub obstacles: usize,
    /// Other vehicles.
    pub vehicles: usize,
    /// Contacts with obstacles; one that lasts, or comes again within a second, is one.
    pub obstacle_contacts: u32,
    /// Contacts with other vehicles.
    pub vehicle_contacts: u32,
    /// Contacts of the other vehicles among themselves and with obstacles.
    pub contacts_of_others: u32,
    /// Vehicles that it passed, and those that passed it.
    pub overtakes: u32,
    /// Vehicles that passed it.
    pub overtaken: u32,
    /// Smallest distance between its body and another or an obstacle, m, 0 for a contact; infinite if
    /// nothing came near.
    pub min_gap_m: f64,
    /// Where contacts began, m.
    pub contacts_at_m: Vec<[f64; 2]>,
}

/// Counts contacts frame by frame. Vehicle 0 is the one that is driven.
pub(super) struct Contacts {
    pub(super) encounters: Encounters,
    obstacles: usize,
    frame_s: f64,
    time_s: f64,
    /// When a vehicle last touched each obstacle and each vehicle, s.
    last: Vec<f64>,
    /// Whether each other was ahead; none for one that is not near.
    ahead: Vec<Option<bool>>,
}

impl Contacts {
    pub(super) fn new(obstacles: usize, others: usize, frame_s: f64) -> Self {
        let encounters = Encounters { obstacles, vehicles: others, min_gap_m: f64::INFINITY, ..Encounters::default() };
        let vehicles = others + 1;
        Self {
            encounters,
            obstacles,
            frame_s,
            time_s: 0.0,
            last: vec![f64::NEG_INFINITY; vehicles * (obstacles + vehicles)],
            ahead: vec![None; others],
        }
    }

    /// A frame: the body that is driven, the other vehicles that are on the road, and how far ahead
    /// each is along the line, m.
    pub(super) fn update(&mut self, own: &Neighbour, others: &[Option<Neighbour>], obstacles: &[Body], ahead: &[f64]) {
        self.time_s += self.frame_s;
        let bodies: Vec<Option<&Neighbour>> =
            std::iter::once(Some(own)).chain(others.iter().map(Option::as_ref)).collect();
        for (i, body) in bodies.iter().enumerate() {
            let Some(body) = body else { continue };
            for (k, obstacle) in obstacles.iter().enumerate() {
                let [x, y] = obstacle.position_m;
                if is_near(body, [x, y], obstacle.radius_m) {
                    self.met(i, k, to_circle(body, obstacle).max(0.0), body);
                }
            }
            for (k, other) in bodies.iter().enumerate().skip(i + 1) {
                let Some(other) = other else { continue };
                let [x, y, _] = other.position_m;
                if is_near(body, [x, y], other.length_m) {
                    self.met(i, self.obstacles + k, to_rectangle(body, other), body);
                }
            }
        }
        for ((before, &ahead), other) in self.ahead.iter_mut().zip(ahead).zip(others) {
            let now = (other.is_some() && ahead.abs() < PASSES_M).then_some(ahead > 0.0);
            match (*before, now) {
                (Some(true), Some(false)) => self.encounters.overtakes += 1,
                (Some(false), Some(true)) => self.encounters.overtaken += 1,
                _ => {}
            }
            *before = now;
        }
    }

    /// Vehicle `i` is `gap` metres from what is number `k`: an obstacle, or beyond the obstacles a
    /// vehicle.
    fn met(&mut self, i: usize, k: usize, gap: f64, body: &Neighbour) {
        if i == 0 {
            self.encounters.min_gap_m = self.encounters.min_gap_m.min(gap);
        }
        if gap > 0.0 {
            return;
        }
        let width = self.obstacles + self.ahead.len() + 1;
        let last = &mut self.last[i * width + k];
        if self.time_s - *last > ONE_S {
            let count = match (i, k < self.obstacles) {
                (0, true) => &mut self.encounters.obstacle_contacts,
                (0, false) => &mut self.encounters.vehicle_contacts,
                _ => &mut self.encounters.contacts_of_others,
            };
            *count += 1;
            if i == 0 {
                self.encounters.contacts_at_m.push([body.position_m[0], body.position_m[1]]);
            }
        }
        *last = self.time_s;
    }
}

fn is_near(body: &Neighbour, [x, y]: [f64; 2], size: f64) -> bool {
    math::hypot(x - body.position_m[0], y - body.position_m[1]) < FAR * body.length_m + size
}

#[cfg(test)]
mod tests {
    use super::*;

    fn car(x: f64) -> Neighbour {
        Neighbour { position_m: [x, 0.0, 0.0], velocity_mps: [0.0; 3], heading_rad: 0.0, length_m: 4.0, width_m: 2.0 }
    }

    #[test]
    fn a_scrape_is_one_contact_and_a_later_one_another() {
        let obstacle = Body { position_m: [0.0, 1.5], radius_m: 0.4, ..Body::default() };
        let mut contacts = Contacts::new(1, 0, 0.5);
        contacts.update(&car(0.0), &[], &[obstacle], &[]);
        assert!((contacts.encounters.min_gap_m - 0.1).abs() < 1e-12);
        let near = Body { radius_m: 0.6, ..obstacle };
        for _ in 0..3 {
            contacts.update(&car(0.0), &[], &[near], &[]);
        }
        assert_eq!((contacts.encounters.obstacle_contacts, contacts.encounters.min_gap_m), (1, 0.0));
        for _ in 0..4 {
            contacts.update(&car(0.0), &[], &[obstacle], &[]);
        }
        contacts.update(&car(0.0), &[], &[near], &[]);
        assert_eq!(contacts.encounters.obstacle_contacts, 2);
    }

    #[test]
    fn passing_counts_near_and_not_across_the_ring() {
        let mut contacts = Contacts::new(0, 1, 0.5);
        for ahead in [10.0, 1.0, -1.0, -10.0, -90.0, 90.0, 10.0, -2.0, 2.0] {
            contacts.update(&car(0.0), &[Some(car(30.0))], &[], &[ahead]);
        }
        let Encounters { overtakes, overtaken, vehicle_contacts, .. } = contacts.encounters;
        assert_eq!((overtakes, overtaken, vehicle_contacts), (2, 1, 0));
        let mut contacts = Contacts::new(0, 2, 0.5);
        contacts.update(&car(0.0), &[Some(car(30.0)), Some(car(33.0))], &[], &[30.0, 33.0]);
        assert_eq!((contacts.encounters.contacts_of_others, contacts.encounters.vehicle_contacts), (1, 0));
        contacts.update(&car(0.0), &[Some(car(3.0)), None], &[], &[3.0, 33.0]);
        assert_eq!((contacts.encounters.contacts_of_others, contacts.encounters.vehicle_contacts), (1, 1));
    }
}
