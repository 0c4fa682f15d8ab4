//! What a lidar sees on a map: rays from a cell to the first obstacle.
//!
//! Rays pass from cell to cell by J. Amanatides and A. Woo, "A fast voxel traversal algorithm for ray
//! tracing" (Eurographics 1987), so that none slips between two obstacles with a side in common.

use std::f64::consts::TAU;

use super::FreeSpace;
use raceline_numerics::math;

/// Calls `see` for each cell that a ray from the centre of `from` passes within `radius_m`, the
/// obstacle that ends the ray included. Rays are at most a cell apart at the end, and cells near the
/// start are passed by many of them.
pub(super) fn scan(space: &FreeSpace, from: u32, radius_m: f64, mut see: impl FnMut(u32)) {
    let frame = &space.frame;
    // Beyond the diagonal of the map there is nothing to see.
    let diagonal = math::hypot(f64::from(frame.width_px), f64::from(frame.height_px));
    let radius = (radius_m / frame.metres_per_pixel).min(diagonal);
    let rays = (TAU * radius).ceil().max(8.0) as u32;
    see(from);
    for ray in 0..rays {
        let (sine, cosine) = math::sin_cos(TAU * (f64::from(ray) + 0.5) / f64::from(rays));
        cast(space, from, [cosine, sine], radius, &mut see);
    }
}

/// Calls `see` for each cell along one ray after the first.
fn cast(space: &FreeSpace, from: u32, direction: [f64; 2], radius: f64, see: &mut impl FnMut(u32)) {
    let (column, row) = space.place(from);
    let size = [space.frame.width_px, space.frame.height_px].map(i64::from);
    let mut at = [i64::from(column), i64::from(row)];
    // Along the ray, in cells: the distance between two sides, and that to the next one.
    let between = direction.map(|part| 1.0 / part.abs());
    let mut next = between.map(|between| 0.5 * between);
    loop {
        let axis = usize::from(next[1] < next[0]);
        if next[axis] > radius {
            return;
        }
        at[axis] += if direction[axis] < 0.0 { -1 } else { 1 };
        next[axis] += between[axis];
        if !(0..2).all(|axis| (0..size[axis]).contains(&at[axis])) {
            return;
        }
        let cell = (at[1] * size[0] + at[0]) as u32;
        see(cell);
        if space.is_obstacle(cell) {
            return;
        }
    }
}
