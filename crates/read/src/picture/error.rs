//! Errors of finding a road in a picture.

use std::path::PathBuf;

/// A place in a picture: column to the right and row downwards from the top-left corner, pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pixel {
    /// Pixels from the left border.
    pub column: u32,
    /// Pixels from the top border.
    pub row: u32,
}

impl std::fmt::Display for Pixel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.column, self.row)
    }
}

/// An error of decoding a picture or of finding its road.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The file cannot be opened or read.
    #[error("can't read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The content is in none of the supported formats, whatever the name is.
    #[error("{name} is not in a supported picture format: give a PNG, JPEG, GIF, BMP, TIFF, WebP or PNM file")]
    UnknownFormat {
        /// The picture.
        name: String,
    },
    /// The header declares more pixels than are allowed.
    #[error("{name} is {width} × {height} pixels, more than the limit of {limit} megapixels")]
    TooLarge {
        /// The picture.
        name: String,
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
        /// The limit, million pixels.
        limit: u32,
        /// The smallest limit that would be sufficient, million pixels.
        needed: u64,
    },
    /// The header declares more pixels than the file can contain.
    #[error(
        "{name} declares {width} × {height} pixels, more than its {bytes} bytes can contain: the file is truncated; \
         save or copy it again"
    )]
    TooShort {
        /// The picture.
        name: String,
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
        /// Length of the file, bytes.
        bytes: u64,
    },
    /// The decoder failed.
    #[error("{name} is damaged, truncated or of an unsupported kind")]
    Damaged {
        /// The picture.
        name: String,
        /// The decoder's error.
        source: image::ImageError,
    },
    /// All pixels are nearly equal.
    #[error(
        "{name} is blank: its {width} × {height} pixels hardly differ from one another; give the picture that shows the road"
    )]
    Blank {
        /// The picture.
        name: String,
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
    },
    /// No region in the picture is a ring.
    #[error("{name} shows no closed road ({looked_for})")]
    NoRing {
        /// The picture.
        name: String,
        /// What was looked for.
        looked_for: &'static str,
    },
    /// No region in a photograph looks like a road.
    #[error("{name} shows no road: no colour in it forms one long band of about constant width")]
    NoBand {
        /// The picture.
        name: String,
    },
    /// More than one ring of similar size.
    #[error("{name} shows {} closed roads, round {}", places.len(), list(places))]
    SeveralRings {
        /// The picture.
        name: String,
        /// The middle of each one's bounding box, largest road first.
        places: Vec<Pixel>,
    },
    /// The road touches the picture's border.
    #[error("the road in {name} touches the picture's border at {place}")]
    TouchesBorder {
        /// The picture.
        name: String,
        /// Where.
        place: Pixel,
    },
    /// No road at the specified point.
    #[error("{name} shows no road at {place}")]
    NotThere {
        /// The picture.
        name: String,
        /// Where.
        place: Pixel,
    },
    /// A point outside the picture.
    #[error("road_at {place} lies outside {name}, which is {width} × {height} pixels")]
    OutsidePicture {
        /// The picture.
        name: String,
        /// The point as specified.
        place: String,
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
    },
    /// The only ring is a thin line.
    #[error("the only closed shape in {name} is a line {width_px:.1} pixels thick round {place}")]
    TooThin {
        /// The picture.
        name: String,
        /// The middle of its bounding box.
        place: Pixel,
        /// Mean thickness, pixels.
        width_px: f64,
    },
}

fn list(places: &[Pixel]) -> String {
    const SHOWN: usize = 4;
    let mut text = places.iter().take(SHOWN).map(Pixel::to_string).collect::<Vec<_>>().join(", ");
    if places.len() > SHOWN {
        text.push_str(" …");
    }
    text
}
