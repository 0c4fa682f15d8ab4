//! The grid as a picture for shaders: red and green are the direction, blue is the speed.

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder as _};

use super::grid::Grid;
use crate::RacingLine;
use crate::formats::{FormatError, FormatOptions};
use raceline_numerics::math;

pub(in crate::formats) fn write(line: &RacingLine, options: &FormatOptions) -> Result<Vec<u8>, FormatError> {
    let grid = Grid::new(line, options)?;
    let mut pixels = Vec::with_capacity(3 * grid.velocities_mps.len());
    // A picture begins with its top row.
    for row in grid.velocities_mps.chunks(grid.columns).rev() {
        for [x, y] in row {
            let speed = math::hypot(*x, *y);
            let direction = |part: f64| if speed > 0.0 { part / speed } else { 0.0 };
            pixels.push(byte(0.5 + 0.5 * direction(*x)));
            pixels.push(byte(0.5 + 0.5 * direction(*y)));
            pixels.push(byte(speed / grid.max_speed_mps.max(1e-9)));
        }
    }
    let mut bytes = Vec::new();
    let (columns, rows) = (grid.columns as u32, grid.rows as u32);
    PngEncoder::new(&mut bytes)
        .write_image(&pixels, columns, rows, ExtendedColorType::Rgb8)
        .map_err(|error| FormatError::Picture { message: error.to_string() })?;
    Ok(bytes)
}

/// 0 to 1 as 0 to 255.
fn byte(fraction: f64) -> u8 {
    (255.0 * fraction.clamp(0.0, 1.0)).round() as u8
}
