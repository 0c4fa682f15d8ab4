//! The other cars of a race as the follower's neighbours.

use raceline_follower::{MAX_NEIGHBOURS, Neighbour};

use crate::image::Image;
use crate::layout::CAR_BYTES;

/// Cars in a race at most.
pub const MAX_CARS: usize = 64;
/// Flags of `tCarElt.state`: in the pits, out of the race, being taken away.
const NOT_ON_TRACK: i32 = 0xff;

/// Neighbours, the nearest first.
#[derive(Clone, Copy, Debug)]
pub struct Others {
    cars: [Neighbour; MAX_NEIGHBOURS],
    count: usize,
}

impl Others {
    /// Nobody yet.
    #[must_use]
    pub fn new() -> Self {
        let nobody =
            Neighbour { position_m: [0.0; 3], velocity_mps: [0.0; 3], heading_rad: 0.0, length_m: 1.0, width_m: 1.0 };
        Self { cars: [nobody; MAX_NEIGHBOURS], count: 0 }
    }

    /// Adds the car of an image of a `tCarElt` if it is on the track and among the nearest to `own_m`.
    pub fn add(&mut self, car: Image<'_>, own_m: [f64; 3]) {
        debug_assert_eq!(car.0.len(), CAR_BYTES);
        if car.int(576) & NOT_ON_TRACK != 0 {
            return;
        }
        let [length_m, width_m] = car.floats(160);
        let neighbour = Neighbour {
            position_m: car.floats(328),
            velocity_mps: car.floats(424),
            heading_rad: car.float(348),
            length_m,
            width_m,
        };
        let away =
            |neighbour: &Neighbour| (neighbour.position_m[0] - own_m[0]).hypot(neighbour.position_m[1] - own_m[1]);
        let place = self.cars[..self.count].partition_point(|other| away(other) < away(&neighbour));
        if place >= MAX_NEIGHBOURS {
            return;
        }
        self.count = (self.count + 1).min(MAX_NEIGHBOURS);
        self.cars.copy_within(place..self.count - 1, place + 1);
        self.cars[place] = neighbour;
    }

    /// The neighbours.
    #[must_use]
    pub fn cars(&self) -> &[Neighbour] {
        &self.cars[..self.count]
    }
}

impl Default for Others {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::Others;
    use crate::image::Image;
    use crate::layout::CAR_BYTES;
    use raceline_follower::MAX_NEIGHBOURS;

    #[test]
    fn the_nearest_are_kept_in_order() {
        let mut others = Others::new();
        for i in 0..40 {
            let mut bytes = vec![0; CAR_BYTES];
            let x = ((i * 17) % 40) as f32;
            bytes[328..332].copy_from_slice(&x.to_ne_bytes());
            bytes[160..164].copy_from_slice(&4.5_f32.to_ne_bytes());
            // Every eighth is in the pits.
            bytes[576..580].copy_from_slice(&i32::from(i % 8 == 0).to_ne_bytes());
            others.add(Image(&bytes), [0.0; 3]);
        }
        assert_eq!(others.cars().len(), MAX_NEIGHBOURS);
        assert!(others.cars().windows(2).all(|pair| pair[0].position_m[0] <= pair[1].position_m[0]));
        assert!(others.cars()[MAX_NEIGHBOURS - 1].position_m[0] < 20.0);
    }
}
