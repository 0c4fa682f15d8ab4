//! Coverage of a road drawn as two thin lines, its half level at the lines' centres.
//!
//! Each pixel's lack of ink, counted positive on the road's side of a line and negative beyond it, is antisymmetric about the
//! line's centre; any symmetric blur of it is zero there. So the edge needs no search along normals, and its
//! contour can't fold over where the line bends sharply.

use image::{GrayImage, Luma, imageops};
use imageproc::filter::gaussian_blur_f32;

use super::Grey;
use super::regions::{Regions, Run};
use super::rings::{self, Ring};
use super::threshold::Histogram;

/// Standard deviation of the blur in line thicknesses, and its least value, pixels. A wider blur makes up for gaps in thick
/// lines, a narrower one keeps corners and legs that run side by side.
const BLUR_THICKNESSES: f32 = 0.4;
const LEAST_BLUR_PX: f32 = 0.7;

/// What the blur reaches, pixels beyond the road's bounding box and the line.
const MARGIN_PX: u32 = 6;

/// Zero of the signed lightness.
const ZERO: u8 = 128;

/// Computes the coverage; the second value says whether the lines have grey levels along their sides.
pub(super) fn coverage(grey: &Grey, histogram: &Histogram, regions: &Regions, ring: Ring) -> (GrayImage, bool) {
    let road = &regions.list[ring.region as usize];
    let outer = road.parent.unwrap_or(ring.hole);
    let thickness = (regions.list[outer as usize].mean_width()).max(regions.list[ring.hole as usize].mean_width());
    let level = |region| rings::median(grey, histogram, regions, region);
    let paper = level(ring.region).unwrap_or(f64::from(u16::MAX));
    let ink = level(outer).unwrap_or(0.0);
    let lightness = |value: u16| ((f64::from(value) - ink) / (paper - ink)).clamp(0.0, 1.0);

    let reach = MARGIN_PX + thickness.ceil() as u32;
    let (width, height) = regions.size;
    let (left, top) = (road.low.column.saturating_sub(reach), road.low.row.saturating_sub(reach));
    let crop_width = (road.high.column + reach + 1).min(width) - left;
    let crop_height = (road.high.row + reach + 1).min(height) - top;
    let inside_crop = |run: &Run| (run.start.max(left), run.end.min(left + crop_width));

    // Where ink covers most of a pixel its side isn't known yet: it counts as zero.
    let mut signed = GrayImage::from_pixel(crop_width, crop_height, Luma([ZERO]));
    let columns = width as usize;
    let side = |region: u32| if region == ring.region { 1.0 } else { -1.0 };
    let mut partly = 0_u64;
    for row in top..top + crop_height {
        for run in regions.row(row) {
            if regions.list[run.region as usize].light != road.light {
                continue;
            }
            let (start, end) = inside_crop(run);
            for column in start..end {
                let value = lightness(grey.as_raw()[row as usize * columns + column as usize]);
                signed.put_pixel(column - left, row - top, Luma([quantised(side(run.region) * value)]));
                partly += u64::from(run.region == ring.region && value < 0.9);
            }
        }
    }
    let blur = LEAST_BLUR_PX.max(BLUR_THICKNESSES * thickness as f32);
    let sides = gaussian_blur_f32(&signed, blur);
    // Now the inked pixels take the side that the blur says.
    for row in top..top + crop_height {
        for run in regions.row(row).iter().filter(|run| regions.list[run.region as usize].light == !road.light) {
            let (start, end) = inside_crop(run);
            for column in start..end {
                let value = lightness(grey.as_raw()[row as usize * columns + column as usize]);
                let (x, y) = (column - left, row - top);
                let side = (f64::from(sides.get_pixel(x, y).0[0]) - f64::from(ZERO)).signum();
                signed.put_pixel(x, y, Luma([quantised(side * value)]));
            }
        }
    }
    let blurred = gaussian_blur_f32(&signed, blur);
    let mut coverage = GrayImage::new(width, height);
    imageops::replace(&mut coverage, &blurred, i64::from(left), i64::from(top));
    (coverage, partly * 4 >= road.cracks)
}

fn quantised(signed: f64) -> u8 {
    (f64::from(ZERO) + 127.0 * signed).round() as u8
}
