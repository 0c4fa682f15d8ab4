//! Contacts between rectangles.

use raceline_follower::behaviours::Body;
use raceline_follower::{Neighbour, VehicleState};

use crate::scene::Block;
use crate::vehicle::VehicleModel;

/// Vehicles nearer than this touch, metres: the engine keeps hulls a little apart.
const TOUCH_M: f64 = 0.03;
/// Pairs that touched less than this ago still touch, seconds: a scrape is one contact.
const ONE_S: f64 = 1.0;

/// Pairs that touch.
pub(crate) struct Contacts {
    vehicles: usize,
    blocks: usize,
    /// When each pair last touched, seconds.
    last: Vec<f64>,
}

impl Contacts {
    pub(crate) fn new(vehicles: usize, blocks: usize) -> Self {
        Self { vehicles, blocks, last: vec![f64::NEG_INFINITY; vehicles * (vehicles + blocks)] }
    }

    /// Where contacts between vehicles and with blocks begin at this time.
    pub(crate) fn update(
        &mut self,
        time_s: f64,
        bodies: &[Neighbour],
        fixed: &[Neighbour],
    ) -> (Vec<[f64; 2]>, Vec<[f64; 2]>) {
        let (mut begun, mut hit) = (Vec::new(), Vec::new());
        let width = self.vehicles + self.blocks;
        for (i, body) in bodies.iter().enumerate() {
            let later = bodies.iter().enumerate().skip(i + 1);
            let blocks = fixed.iter().enumerate().map(|(k, block)| (self.vehicles + k, block));
            for (k, other) in later.chain(blocks) {
                if separation(body, other) >= TOUCH_M {
                    continue;
                }
                let last = &mut self.last[i * width + k];
                if time_s - *last > ONE_S {
                    let at = [body.position_m[0], body.position_m[1]];
                    if k < self.vehicles { begun.push(at) } else { hit.push(at) }
                }
                *last = time_s;
            }
        }
        (begun, hit)
    }
}

pub(crate) fn body_of(state: &VehicleState, model: &VehicleModel) -> Neighbour {
    Neighbour {
        position_m: state.position_m,
        velocity_mps: state.velocity_mps,
        heading_rad: state.heading_rad,
        length_m: model.size_m[0],
        width_m: model.size_m[1],
    }
}

pub(super) fn body_of_block(block: &Block) -> Neighbour {
    Neighbour {
        position_m: [block.at_m[0], block.at_m[1], 0.0],
        velocity_mps: [0.0; 3],
        heading_rad: block.heading_rad,
        length_m: 2.0 * block.half_m[0],
        width_m: 2.0 * block.half_m[1],
    }
}

/// The circle around a block.
pub(super) fn circle_of_block(block: &Block) -> Body {
    Body { position_m: block.at_m, velocity_mps: [0.0; 2], radius_m: block.half_m[0].hypot(block.half_m[1]) }
}

/// Largest separation of two rectangles along an axis of either, metres: negative where they overlap.
fn separation(a: &Neighbour, b: &Neighbour) -> f64 {
    let away = [b.position_m[0] - a.position_m[0], b.position_m[1] - a.position_m[1]];
    let extent = |body: &Neighbour, axis: [f64; 2]| {
        let (sin, cos) = body.heading_rad.sin_cos();
        let along = (axis[0] * cos + axis[1] * sin).abs();
        let across = (axis[1] * cos - axis[0] * sin).abs();
        0.5 * (body.length_m * along + body.width_m * across)
    };
    [a.heading_rad, b.heading_rad]
        .iter()
        .flat_map(|heading| [[heading.cos(), heading.sin()], [-heading.sin(), heading.cos()]])
        .map(|axis| (away[0] * axis[0] + away[1] * axis[1]).abs() - extent(a, axis) - extent(b, axis))
        .fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scrape_is_one_contact_and_a_later_one_another() {
        let at = |x: f64| Neighbour {
            position_m: [x, 0.0, 0.0],
            velocity_mps: [0.0; 3],
            heading_rad: 0.0,
            length_m: 4.0,
            width_m: 2.0,
        };
        assert!((separation(&at(0.0), &at(5.0)) - 1.0).abs() < 1e-12);
        assert!((separation(&at(0.0), &at(3.0)) + 1.0).abs() < 1e-12);
        let mut contacts = Contacts::new(2, 1);
        let count = |contacts: &mut Contacts, time: f64, gap: f64| {
            let (begun, hit) = contacts.update(time, &[at(0.0), at(4.0 + gap)], &[at(-4.5)]);
            (begun.len(), hit.len())
        };
        assert_eq!(count(&mut contacts, 0.0, 0.01), (1, 0));
        assert_eq!(count(&mut contacts, 0.5, 0.01), (0, 0));
        assert_eq!(count(&mut contacts, 1.0, 0.5), (0, 0));
        assert_eq!(count(&mut contacts, 2.0, 0.0), (1, 0));
        assert_eq!(contacts.update(3.0, &[at(0.0), at(9.0)], &[at(-3.9)]).1.len(), 1);
    }
}
