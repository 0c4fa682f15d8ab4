//! One picture per stage of reading a track from a picture: mask, contours, centre line,
//! cross-sections, widths.
//!
//! Each shows the faded source, overlaid with the stage's result.

use std::io::Cursor;

use image::imageops::{FilterType, resize};
use image::{GrayImage, ImageFormat, Luma, Rgb, RgbImage};
use imageproc::drawing::{draw_antialiased_line_segment_mut, draw_polygon_mut};
use imageproc::pixelops::interpolate;

use super::RenderError;
use super::palette::viridis;
use raceline_read::picture::Grey;
use raceline_road::edges::Edges;
use raceline_road::frame::PictureFrame;
use raceline_road::geometry::{Point, Polyline};
use raceline_road::track::{CrossSection, Track};

/// Longer side of a stage picture, pixels; smaller sources are enlarged by a whole number to about
/// this.
const LONGER_SIDE_PX: u32 = 1800;
/// Largest enlargement.
const MAX_ENLARGED: u32 = 8;

const LEFT: Rgb<u8> = Rgb([20, 90, 200]);
const RIGHT: Rgb<u8> = Rgb([215, 80, 20]);
const CENTRE: Rgb<u8> = Rgb([0, 130, 90]);
const SECTION: Rgb<u8> = Rgb([110, 60, 160]);
const START: Rgb<u8> = Rgb([190, 0, 90]);
const ROAD: Rgb<u8> = Rgb([60, 190, 120]);
const DOUBTFUL: Rgb<u8> = Rgb([240, 150, 0]);

/// The names of all pictures.
pub const NAMES: [&str; 5] =
    ["1-mask.png", "2-contours.png", "3-centre-line.png", "4-cross-sections.png", "5-widths.png"];

/// The stages' results; later ones may be missing.
#[derive(Clone, Copy, Debug)]
pub struct StageResults<'a> {
    /// The picture.
    pub grey: &'a Grey,
    /// The mask's coverage.
    pub mask: Option<&'a GrayImage>,
    /// The edges, with their frame.
    pub edges: Option<&'a Edges>,
    /// The track.
    pub track: Option<&'a Track>,
}

/// File names and PNG bytes of the pictures of the available stages.
///
/// # Errors
/// [`RenderError::Raster`] when a picture cannot be encoded.
pub fn draw(stages: &StageResults) -> Result<Vec<(&'static str, Vec<u8>)>, RenderError> {
    let canvas = Canvas::new(stages.grey);
    let mut pictures = Vec::new();
    if let Some(mask) = stages.mask {
        pictures.push((NAMES[0], canvas.scaled(mask, FilterType::Triangle)));
    }
    let framed = stages.edges.and_then(|edges| Some((edges, edges.frame?)));
    if let Some((edges, frame)) = framed {
        let mut picture = canvas.background.clone();
        canvas.edges(&mut picture, &frame, edges);
        pictures.push((NAMES[1], picture));
        if let Some(track) = stages.track {
            let centre = track.centre_line();
            let start = track.sections.first().map(|section| [section.right, section.left]);
            let mut picture = canvas.background.clone();
            canvas.edges(&mut picture, &frame, edges);
            canvas.line(&mut picture, &frame, &centre, CENTRE);
            start.into_iter().for_each(|start| canvas.piece(&mut picture, &frame, start, START));
            pictures.push((NAMES[2], picture));
            let mut picture = canvas.background.clone();
            let widths: Vec<f64> = track.sections.iter().map(CrossSection::width).collect();
            for section in &track.sections {
                canvas.piece(&mut picture, &frame, [section.right, section.left], SECTION);
            }
            canvas.line(&mut picture, &frame, &centre, CENTRE);
            start.into_iter().for_each(|start| canvas.piece(&mut picture, &frame, start, START));
            pictures.push((NAMES[3], picture));
            let mut picture = canvas.background.clone();
            let (low, high) = widths.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &w| (low.min(w), high.max(w)));
            let gaps = if track.closed { widths.len() } else { widths.len().saturating_sub(1) };
            for (gap, width) in widths.iter().enumerate().take(gaps) {
                let fraction = (width - low) / (high - low).max(1e-9);
                let sections = [&track.sections[gap], &track.sections[(gap + 1) % widths.len()]];
                canvas.band(&mut picture, &frame, sections, Rgb(viridis(fraction)));
            }
            pictures.push((NAMES[4], picture));
        }
    }
    pictures.into_iter().map(|(name, picture)| Ok((name, png(&picture)?))).collect()
}

/// PNG of one picture of all that was found: the mask tinted, the edges, and the `doubtful` stretches, each from
/// and to a position along the centre line, metres.
///
/// # Errors
/// [`RenderError::Raster`] when the picture cannot be encoded.
pub fn draw_found(stages: &StageResults, doubtful: &[[f64; 2]]) -> Result<Vec<u8>, RenderError> {
    let canvas = Canvas::new(stages.grey);
    let mut picture = canvas.background.clone();
    if let Some(mask) = stages.mask {
        for (pixel, coverage) in picture.pixels_mut().zip(canvas.scaled(mask, FilterType::Triangle).pixels()) {
            let part = u32::from(coverage.0[0]);
            let tint = |value: u8, road: u8| ((u32::from(value) * (510 - part) + u32::from(road) * part) / 510) as u8;
            pixel.0 = [tint(pixel.0[0], ROAD.0[0]), tint(pixel.0[1], ROAD.0[1]), tint(pixel.0[2], ROAD.0[2])];
        }
    }
    if let Some((edges, frame)) = stages.edges.and_then(|edges| Some((edges, edges.frame?))) {
        if let Some(track) = stages.track {
            let positions = track.centre_line().arc_lengths();
            let is_doubtful = |index: usize| {
                positions.get(index).is_some_and(|s| {
                    doubtful
                        .iter()
                        .any(|&[from, to]| if from <= to { (from..=to).contains(s) } else { *s >= from || *s <= to })
                })
            };
            let count = track.sections.len();
            for index in (0..count).filter(|&index| is_doubtful(index)) {
                let sections = [&track.sections[index], &track.sections[(index + 1) % count]];
                canvas.band(&mut picture, &frame, sections, DOUBTFUL);
            }
        }
        canvas.edges(&mut picture, &frame, edges);
    }
    png(&picture)
}

fn png(picture: &RgbImage) -> Result<Vec<u8>, RenderError> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).map_err(|error| RenderError::Raster(error.to_string()))?;
    Ok(bytes.into_inner())
}

/// The canvas of a stage.
struct Canvas {
    /// Canvas pixels per source pixel.
    scale: f64,
    background: RgbImage,
}

impl Canvas {
    fn new(grey: &Grey) -> Self {
        let longer = grey.width().max(grey.height()).max(1);
        let scale = if longer > LONGER_SIDE_PX {
            f64::from(LONGER_SIDE_PX) / f64::from(longer)
        } else {
            f64::from((LONGER_SIDE_PX / longer).clamp(1, MAX_ENLARGED))
        };
        let mut canvas = Self { scale, background: RgbImage::new(1, 1) };
        let (low, high) = grey.as_raw().iter().fold((u16::MAX, 0), |(low, high), &v| (low.min(v), high.max(v)));
        let range = f64::from(high.saturating_sub(low).max(1));
        let level = |value: u16| (f64::from(value - low) / range * 255.0).round() as u8;
        let pixels = grey.as_raw().iter().map(|&value| level(value)).collect();
        let levels = GrayImage::from_raw(grey.width(), grey.height(), pixels).unwrap_or_default();
        canvas.background = canvas.scaled(&levels, FilterType::Triangle);
        // Faded towards white, so that lines stand out from dark and light alike.
        for pixel in canvas.background.pixels_mut() {
            pixel.0 = pixel.0.map(|value| 165 + value / 3);
        }
        canvas
    }

    fn scaled(&self, picture: &GrayImage, filter: FilterType) -> RgbImage {
        let size = |side: u32| ((f64::from(side) * self.scale).round() as u32).max(1);
        let filter = if self.scale > 1.0 { FilterType::Nearest } else { filter };
        let scaled = resize(picture, size(picture.width()), size(picture.height()), filter);
        RgbImage::from_fn(scaled.width(), scaled.height(), |column, row| {
            let Luma([value]) = *scaled.get_pixel(column, row);
            Rgb([value; 3])
        })
    }

    fn pixel(&self, frame: &PictureFrame, point: Point) -> (i32, i32) {
        let (column, row) = frame.to_pixel(point);
        // Pixel centres lie at half-integers.
        ((column * self.scale - 0.5).round() as i32, (row * self.scale - 0.5).round() as i32)
    }

    fn edges(&self, picture: &mut RgbImage, frame: &PictureFrame, edges: &Edges) {
        self.line(picture, frame, &edges.left, LEFT);
        self.line(picture, frame, &edges.right, RIGHT);
    }

    fn line(&self, picture: &mut RgbImage, frame: &PictureFrame, line: &Polyline, colour: Rgb<u8>) {
        for (a, b) in line.pieces() {
            self.piece(picture, frame, [a, b], colour);
        }
    }

    fn piece(&self, picture: &mut RgbImage, frame: &PictureFrame, [a, b]: [Point; 2], colour: Rgb<u8>) {
        draw_antialiased_line_segment_mut(picture, self.pixel(frame, a), self.pixel(frame, b), colour, interpolate);
    }

    /// Fills the road between two sections.
    fn band(&self, picture: &mut RgbImage, frame: &PictureFrame, sections: [&CrossSection; 2], colour: Rgb<u8>) {
        let [from, to] = sections;
        let mut corners: Vec<_> = [from.right, to.right, to.left, from.left]
            .map(|corner| self.pixel(frame, corner))
            .map(|(column, row)| imageproc::point::Point::new(column, row))
            .into();
        corners.dedup();
        // A polygon requires three corners and must not repeat its first.
        while corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        if corners.len() >= 3 {
            draw_polygon_mut(picture, &corners, colour);
        }
    }
}
