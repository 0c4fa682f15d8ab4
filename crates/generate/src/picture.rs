//! Pictures of drawn roads, and maps for ROS.

use std::fmt::Write;

use image::codecs::png::PngEncoder;
use image::codecs::pnm::{PnmEncoder, PnmSubtype, SampleEncoding};
use image::{ExtendedColorType, GrayImage, ImageEncoder, Luma};

use super::{GenerateError, Road};
use raceline_road::geometry::{Point, Polyline, Segment, turns_counterclockwise};

/// Pixels across the road, where no side of a pixel is specified.
const PIXELS_ACROSS: f64 = 12.0;
/// Minimum number of pixels across the road: the gap between two legs is at least one pixel.
const MIN_ACROSS: f64 = 5.0;
/// Maximum number of pixels of a picture.
const MAX_PIXELS: f64 = 1e8;
/// Grey value of the free cells of a ROS map.
const FREE: u8 = 254;

/// Files of one road: each a name's ending and its bytes.
pub type Files = Vec<(&'static str, Vec<u8>)>;

/// A road as grey values with their scale.
struct Drawing {
    pixels: GrayImage,
    metres_per_pixel: f64,
}

/// The road in black on white as `.png`, and the `.toml` beside it with its scale, its start and its
/// direction, so that `raceline optimize` needs no option.
///
/// # Errors
/// [`GenerateError::PictureTooLarge`], [`GenerateError::PictureTooCoarse`].
pub fn picture(road: &Road, metres_per_pixel: Option<f64>) -> Result<Files, GenerateError> {
    let Drawing { pixels, metres_per_pixel } =
        drawing(road, metres_per_pixel, |coverage| (255.0 * (1.0 - coverage)).round() as u8)?;
    let mut toml = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        toml,
        "# Drawn by `raceline generate`: centre line {:.3} m, road {} m wide.\nmetres_per_pixel = {metres_per_pixel}",
        road.length_m, road.width_m
    );
    if let Some(start) = road.points.first() {
        let _ = writeln!(toml, "start = [{:.3}, {:.3}]", start.x, start.y);
    }
    if road.closed {
        let line = Polyline::closed(road.points.clone());
        let direction = if turns_counterclockwise(&[&line]) { "counterclockwise" } else { "clockwise" };
        let _ = writeln!(toml, "shape = \"closed\"\ndirection = \"{direction}\"");
    } else {
        let _ = writeln!(toml, "shape = \"open\"");
    }
    let mut png = Vec::new();
    encoded(&pixels, PngEncoder::new(&mut png))?;
    Ok(vec![("png", png), ("toml", toml.into_bytes())])
}

/// The road as an occupancy grid of ROS `map_server`: `.pgm` with free and occupied cells, and the
/// `.yaml` that names it. `name` is the name of both files without its ending.
///
/// # Errors
/// [`GenerateError::PictureTooLarge`], [`GenerateError::PictureTooCoarse`].
pub fn map(road: &Road, name: &str, metres_per_pixel: Option<f64>) -> Result<Files, GenerateError> {
    let Drawing { pixels, metres_per_pixel } =
        drawing(road, metres_per_pixel, |coverage| if coverage >= 0.5 { FREE } else { 0 })?;
    // A JSON string is a YAML string too.
    let image = serde_json::Value::from(format!("{name}.pgm"));
    let yaml = format!(
        "image: {image}\nmode: trinary\nresolution: {metres_per_pixel}\norigin: [0.0, 0.0, 0.0]\nnegate: 0\n\
         occupied_thresh: 0.65\nfree_thresh: 0.196\n"
    );
    let mut pgm = Vec::new();
    // Readers of maps know the binary greymap (P5); the encoder's default is another format.
    encoded(&pixels, PnmEncoder::new(&mut pgm).with_subtype(PnmSubtype::Graymap(SampleEncoding::Binary)))?;
    Ok(vec![("pgm", pgm), ("yaml", yaml.into_bytes())])
}

fn encoded(pixels: &GrayImage, encoder: impl ImageEncoder) -> Result<(), GenerateError> {
    encoder
        .write_image(pixels, pixels.width(), pixels.height(), ExtendedColorType::L8)
        .map_err(|error| GenerateError::Encoding(error.to_string()))
}

/// The road's coverage of each pixel, as grey values of `shade`.
fn drawing(road: &Road, metres_per_pixel: Option<f64>, shade: impl Fn(f64) -> u8) -> Result<Drawing, GenerateError> {
    let metres_per_pixel = metres_per_pixel.unwrap_or(road.width_m / PIXELS_ACROSS);
    let is_side = metres_per_pixel > 0.0 && metres_per_pixel <= road.width_m / MIN_ACROSS;
    if !is_side {
        let (width_m, max_m) = (road.width_m, road.width_m / MIN_ACROSS);
        return Err(GenerateError::PictureTooCoarse { metres_per_pixel, width_m, max_m });
    }
    let extent = road.extent_m();
    let [columns, rows] = extent.map(|side| (side / metres_per_pixel).ceil());
    if columns * rows > MAX_PIXELS {
        let min_m = (extent[0] * extent[1] / MAX_PIXELS).sqrt() * 1.01;
        let (columns, rows) = (columns as u64, rows as u64);
        return Err(GenerateError::PictureTooLarge { columns, rows, metres_per_pixel, min_m });
    }
    let (columns, rows) = (columns as u32, rows as u32);
    let mut pixels = GrayImage::from_pixel(columns, rows, Luma([shade(0.0)]));
    let mut coverage = vec![0.0_f32; columns as usize * rows as usize];
    let half = road.width_m / 2.0;
    let line = Polyline { points: road.points.clone(), closed: road.closed };
    for (a, b) in line.pieces() {
        let reach = half + metres_per_pixel;
        let column = |x: f64| (x / metres_per_pixel).clamp(0.0, f64::from(columns - 1)) as u32;
        let row = |y: f64| (f64::from(rows) - y / metres_per_pixel).clamp(0.0, f64::from(rows - 1)) as u32;
        let (low, high) = (a.inf(&b), a.sup(&b));
        for r in row(high.y + reach)..=row(low.y - reach) {
            for c in column(low.x - reach)..=column(high.x + reach) {
                let centre = Point::new(f64::from(c) + 0.5, f64::from(rows - r) - 0.5) * metres_per_pixel;
                let inside = (half - Segment::new(a, b).distance(centre)) / metres_per_pixel + 0.5;
                let cell = &mut coverage[r as usize * columns as usize + c as usize];
                *cell = cell.max(inside.clamp(0.0, 1.0) as f32);
            }
        }
    }
    for (pixel, &coverage) in pixels.pixels_mut().zip(&coverage) {
        pixel.0 = [shade(f64::from(coverage))];
    }
    Ok(Drawing { pixels, metres_per_pixel })
}
