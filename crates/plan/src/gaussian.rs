//! The Gaussian sampler of V. Boor, M. Overmars and A. F. van der Stappen, "The Gaussian sampling
//! strategy for probabilistic roadmap planners" (ICRA 1999), section 3.
//!
//! Of two random places at a normally distributed distance, one that has room is a sample where the
//! other has none. So samples lie beside obstacles, where passages are, and few in the open.
//!
//! Deviation: a map may have next to no obstacles. Where [`MAX_TRIES`] pairs in a row give no sample,
//! a uniform one is taken.

use std::f64::consts::TAU;

use super::sampler::Sampler;
use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector};

/// Standard deviation of the distance along each axis, as a factor on the needed clearance.
const DEVIATION: f64 = 2.0;
/// Pairs without a sample in a row before a uniform one is taken.
const MAX_TRIES: usize = 1000;

/// A random place with room near one without.
pub(super) fn sample(sampler: &mut Sampler) -> Point {
    let deviation_m = DEVIATION * sampler.space().needed_m;
    for _ in 0..MAX_TRIES {
        let first = sampler.any_place();
        // The transform of Box and Muller: two normally distributed numbers.
        let radius_m = deviation_m * (-2.0 * math::ln(1.0 - sampler.fraction())).sqrt();
        let (sin, cos) = math::sin_cos(TAU * sampler.fraction());
        let second = first + radius_m * Vector::new(cos, sin);
        match (sampler.space().has_room(first), sampler.space().has_room(second)) {
            (true, false) => return first,
            (false, true) => return sampler.centred(second),
            _ => {}
        }
    }
    sampler.sample()
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma};
    use raceline_road::frame::PictureFrame;

    use super::*;
    use crate::FreeSpace;

    /// A hall of 30 m by 20 m with a wall across where `is_wall`.
    fn hall(is_wall: impl Fn(u32) -> bool) -> FreeSpace {
        let frame = PictureFrame { metres_per_pixel: 0.1, origin_m: Point::origin(), width_px: 300, height_px: 200 };
        let free = GrayImage::from_fn(300, 200, |column, _| Luma([if is_wall(column) { 0 } else { 255 }]));
        FreeSpace::new(&free, frame, 0.4)
    }

    fn mean_clearance_m(space: &FreeSpace, draw: impl for<'a> Fn(&mut Sampler<'a>) -> Point) -> f64 {
        let mut sampler = Sampler::new(space, 3);
        let of = |place: Point| {
            assert!(space.has_room(place), "{place}");
            space.clearance_at_m(place)
        };
        (0..2000).map(|_| of(draw(&mut sampler))).sum::<f64>() / 2000.0
    }

    #[test]
    fn samples_have_room_and_lie_beside_obstacles() {
        let space = hall(|column| column == 150);
        let uniform = mean_clearance_m(&space, |sampler| sampler.sample());
        let beside = mean_clearance_m(&space, sample);
        // 0.4 m are needed; the mean of what a normally distributed step of 0.8 m may reach beyond.
        assert!((0.4..1.2).contains(&beside) && 2.0 * beside < uniform, "{uniform} {beside}");
    }

    #[test]
    fn a_map_on_which_every_place_has_room_has_uniform_samples() {
        let frame = PictureFrame { metres_per_pixel: 10.0, origin_m: Point::origin(), width_px: 300, height_px: 200 };
        let open = FreeSpace::new(&GrayImage::from_pixel(300, 200, Luma([255])), frame, 0.01);
        assert!(mean_clearance_m(&open, sample) > 100.0);
    }
}
