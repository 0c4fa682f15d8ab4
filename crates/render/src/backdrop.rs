//! The picture that a track was read from, as the background of the map in a picture or a page.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat};

use super::error::RenderError;
use super::layout::Layout;
use super::markup::{Markup, Short};
use raceline::RacingLine;
use raceline_read::picture::{PictureOptions, decoded};

/// Longest side of the picture as stored in a drawing or a page, pixels; a larger one is scaled
/// down.
const MAX_SIDE_PX: u32 = 2048;
/// Opacity of the picture, so that lines and text stand out from it.
const OPACITY: f64 = 0.55;

/// A picture with its position in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Backdrop {
    png: Vec<u8>,
    /// World positions of the lower left and the upper right corner, m.
    corners_m: [[f64; 2]; 2],
}

/// Metres per pixel of the picture that `line`'s track was read from.
fn scale_of(line: &RacingLine) -> Result<f64, RenderError> {
    let source = &line.source;
    source
        .metres_per_pixel
        .ok_or_else(|| RenderError::NoScale { name: line.name.clone(), source_file: source.file.clone() })
}

impl Backdrop {
    /// The picture in `bytes`, of any format that tracks are read from, at the scale and the origin
    /// of `line`'s source. `name` is its name in messages.
    ///
    /// # Errors
    /// Bytes that are not a picture, and a line without a scale because its source is not a
    /// picture.
    pub fn new(name: &str, bytes: &[u8], line: &RacingLine) -> Result<Self, RenderError> {
        // What costs no time comes first.
        let scale = scale_of(line)?;
        Ok(Self::unplaced(name, bytes)?.scaled(scale, line.source.origin_m))
    }

    /// As [`unplaced`](Self::unplaced), for who reads the picture anyway: a PNG that a browser shows as it is, is kept
    /// without decoding it, damaged or not.
    ///
    /// # Errors
    /// Those of [`unplaced`](Self::unplaced) for other pictures.
    pub fn unplaced_unread(name: &str, bytes: &[u8]) -> Result<Self, RenderError> {
        match plain_png_size(bytes) {
            Some(size) if size.iter().all(|&side| side <= MAX_SIDE_PX) => {
                Ok(Self { png: bytes.to_vec(), corners_m: [[0.0, 0.0], size.map(f64::from)] })
            }
            _ => Self::unplaced(name, bytes),
        }
    }

    /// The picture in `bytes` in a world whose unit is the pixel, with its bottom-left corner at
    /// (0, 0). `name` is its name in messages.
    ///
    /// # Errors
    /// Bytes that are not a picture.
    pub fn unplaced(name: &str, bytes: &[u8]) -> Result<Self, RenderError> {
        let picture = decoded(name, bytes, &PictureOptions::default())
            .map_err(|error| RenderError::Backdrop(error.to_string()))?;
        let size = [picture.width(), picture.height()].map(f64::from);
        let picture = if picture.width().max(picture.height()) > MAX_SIDE_PX {
            picture.resize(MAX_SIDE_PX, MAX_SIDE_PX, FilterType::Triangle)
        } else {
            picture
        };
        let picture: DynamicImage = match (picture.color().has_color(), picture.color().has_alpha()) {
            (_, true) => picture.to_rgba8().into(),
            (true, false) => picture.to_rgb8().into(),
            (false, false) => picture.to_luma8().into(),
        };
        let mut png = Vec::new();
        picture
            .write_to(&mut Cursor::new(&mut png), ImageFormat::Png)
            .map_err(|error| RenderError::Backdrop(format!("{name}: {error}")))?;
        Ok(Self { png, corners_m: [[0.0, 0.0], size] })
    }

    /// An [unplaced](Self::unplaced) picture at the scale and the origin of `line`'s source.
    ///
    /// # Errors
    /// A line without a scale because its source is not a picture.
    pub fn placed(&self, line: &RacingLine) -> Result<Self, RenderError> {
        Ok(self.clone().scaled(scale_of(line)?, line.source.origin_m))
    }

    fn scaled(self, metres_per_pixel: f64, [x, y]: [f64; 2]) -> Self {
        let [_, size] = self.corners_m;
        let [width, height] = size.map(|side| side * metres_per_pixel);
        Self { corners_m: [[x, y], [x + width, y + height]], ..self }
    }

    /// World positions of the lower left and the upper right corner, m.
    #[must_use]
    pub fn corners_m(&self) -> [[f64; 2]; 2] {
        self.corners_m
    }

    /// The picture as a data URI.
    pub(super) fn data_uri(&self) -> String {
        format!("data:image/png;base64,{}", STANDARD.encode(&self.png))
    }

    /// Draws the picture, clipped to the map's rectangle.
    pub(super) fn draw(&self, markup: &mut Markup, layout: &Layout) {
        let [low, high] = self.corners_m;
        let ([left, bottom], [right, top]) = (layout.pixel(low), layout.pixel(high));
        let map = layout.map;
        markup.map_clip([map.x, map.y], map.width, map.height);
        markup.line(format_args!(
            r#"<g clip-path="url(#map)"><image class="backdrop" x="{}" y="{}" width="{}" height="{}" preserveAspectRatio="none" opacity="{OPACITY}" href="{}"/></g>"#,
            Short(left),
            Short(top),
            Short(right - left),
            Short(bottom - top),
            self.data_uri()
        ));
    }
}

/// Width and height of a PNG that a browser shows with the pixels that a track is read from, px: one of 8 bits a channel
/// that is neither turned by its metadata nor moves (PNG, third edition, sections 5 and 11.2.1).
fn plain_png_size(bytes: &[u8]) -> Option<[u32; 2]> {
    const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
    const BIT_DEPTH: u8 = 8;
    let number = |at: &[u8]| Some(u32::from_be_bytes(at.get(..4)?.try_into().ok()?));
    let mut rest = bytes.strip_prefix(SIGNATURE)?;
    let mut size = None;
    loop {
        let (length, kind) = (number(rest)? as usize, rest.get(4..8)?);
        let content = rest.get(8..)?.get(..length)?;
        match kind {
            b"IHDR" if content.get(8) == Some(&BIT_DEPTH) => size = Some([number(content)?, number(&content[4..])?]),
            b"IHDR" | b"eXIf" | b"acTL" => return None,
            b"IDAT" => return size,
            _ => {}
        }
        // Behind the content stands its check sum.
        rest = rest.get(length + 12..)?;
    }
}

#[cfg(test)]
mod tests {
    use image::codecs::png::PngEncoder;
    use image::{ExtendedColorType, ImageEncoder, RgbImage};

    use super::*;

    /// A PNG of 3 by 2 pixels, with another chunk before its pixels.
    fn png_with(chunk: Option<&[u8; 4]>) -> Vec<u8> {
        let mut png = Vec::new();
        RgbImage::new(3, 2).write_to(&mut Cursor::new(&mut png), ImageFormat::Png).unwrap();
        if let Some(kind) = chunk {
            let header_end = 33;
            let mut inserted = vec![0, 0, 0, 1];
            inserted.extend(kind);
            inserted.extend([0; 5]);
            png.splice(header_end..header_end, inserted);
        }
        png
    }

    #[test]
    fn a_plain_png_is_kept_as_it_is() {
        let plain = png_with(None);
        let kept = Backdrop::unplaced_unread("track.png", &plain).unwrap();
        assert_eq!((kept.png, kept.corners_m), (plain, [[0.0, 0.0], [3.0, 2.0]]));
        let with_comment = png_with(Some(b"tEXt"));
        assert_eq!(plain_png_size(&with_comment), Some([3, 2]));
    }

    #[test]
    fn other_pictures_are_packed_anew() {
        // Turned by its metadata, or moving.
        for kind in [b"eXIf", b"acTL"] {
            assert_eq!(plain_png_size(&png_with(Some(kind))), None);
        }
        let mut deep = Vec::new();
        PngEncoder::new(&mut deep).write_image(&[0; 12], 3, 2, ExtendedColorType::L16).unwrap();
        assert_eq!(plain_png_size(&deep), None);
        assert_ne!(Backdrop::unplaced_unread("track.png", &deep).unwrap().png, deep);
        let large = MAX_SIDE_PX + 1;
        let mut wide = Vec::new();
        RgbImage::new(large, 1).write_to(&mut Cursor::new(&mut wide), ImageFormat::Png).unwrap();
        assert_eq!(plain_png_size(&wide), Some([large, 1]));
        assert_ne!(Backdrop::unplaced_unread("track.png", &wide).unwrap().png, wide);
    }

    #[test]
    fn a_png_that_is_cut_off_before_its_pixels_is_no_picture() {
        let png = png_with(None);
        for end in [0, 7, 12, 20, 33, 38] {
            assert_eq!(plain_png_size(&png[..end]), None);
            assert!(Backdrop::unplaced_unread("track.png", &png[..end]).is_err(), "{end}");
        }
    }
}
