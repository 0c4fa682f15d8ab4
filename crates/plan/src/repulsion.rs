//! The potential field: attraction of the goal, repulsion of obstacles.
//!
//! O. Khatib, "Real-time obstacle avoidance for manipulators and mobile robots" (1986), for the
//! repulsion ½ (1/ρ - 1/ρ₀)².

use super::FreeSpace;
use raceline_road::geometry::Point;

/// Obstacles repel within this many times the needed clearance.
const REACH: f64 = 3.0;
/// Strength of the repulsion beside the attraction of one per metre, as a factor on the needed
/// clearance squared.
const REPULSION: f64 = 0.2;

/// The potential of a cell, metres.
pub(super) fn potential(space: &FreeSpace, cell: u32, goal: Point) -> f64 {
    let attraction = (goal - space.centre(cell)).norm();
    let (clearance, reach) = (space.clearance_m(cell), REACH * space.needed_m);
    if clearance >= reach {
        return attraction;
    }
    let excess = 1.0 / clearance.max(1e-6) - 1.0 / reach;
    let strength = REPULSION * space.needed_m * space.needed_m;
    attraction + 0.5 * strength * excess * excess
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use image::{GrayImage, Luma};
    use raceline_road::frame::PictureFrame;

    use super::{FreeSpace, Point, potential};

    #[test]
    fn walls_repel_within_three_clearances_by_khatibs_potential() {
        let free = GrayImage::from_fn(200, 120, |_, row| Luma([if row < 10 { 0 } else { 255 }]));
        let frame = PictureFrame { metres_per_pixel: 0.1, origin_m: Point::origin(), width_px: 200, height_px: 120 };
        let space = FreeSpace::new(&free, frame, 0.5);
        let goal = space.frame.to_world(190.0, 60.0);
        let repulsion = |row: f64| {
            let cell = space.cell_at(space.frame.to_world(100.0, row)).unwrap();
            (space.clearance_m(cell), potential(&space, cell, goal) - (goal - space.centre(cell)).norm())
        };
        for row in [16.5, 18.5, 22.5] {
            let (clearance, found) = repulsion(row);
            let known = 0.5 * 0.2 * 0.25 * (1.0 / clearance - 1.0 / 1.5_f64).powi(2);
            assert!((found - known).abs() < 1e-9, "{clearance} m: {found} for {known}");
        }
        let (clearance, found) = repulsion(26.5);
        assert!(clearance > 1.5 && found.abs() < 1e-12, "{clearance} m: {found}");
    }
}
