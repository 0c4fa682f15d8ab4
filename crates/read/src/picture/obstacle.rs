//! Reasons why no road is found, and their errors.

use super::{PictureError, Pixel, RoadStyle};

/// The reason why a threshold does not show exactly one road, the most informative first.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Obstacle {
    /// Several rings, round these places.
    Several(Vec<Pixel>),
    /// A road at the border.
    Border(Pixel),
    /// A hairline ring and its thickness.
    Thin(Pixel, f64),
    /// No road at the specified point.
    NotThere(Pixel),
    /// No ring at all.
    Nothing,
}

impl Obstacle {
    /// The more informative of the two, or the earlier one if they are of the same kind.
    pub fn or(self, other: Self) -> Self {
        if other.rank() < self.rank() { other } else { self }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Several(_) => 0,
            Self::Border(_) => 1,
            Self::Thin(..) => 2,
            Self::NotThere(_) => 3,
            Self::Nothing => 4,
        }
    }

    /// The corresponding error for the picture `name`.
    pub fn into_error(self, name: &str, wanted: RoadStyle) -> PictureError {
        let name = name.to_owned();
        let looked_for = match wanted {
            RoadStyle::Auto => "looked for a light or dark band or a pair of lines",
            RoadStyle::Light => "looked for a light band",
            RoadStyle::Dark => "looked for a dark band",
            RoadStyle::Outline => "looked for a pair of lines",
            RoadStyle::Aerial => "looked for a band of one colour",
        };
        match self {
            Self::Several(places) => PictureError::SeveralRings { name, places },
            Self::Border(place) => PictureError::TouchesBorder { name, place },
            Self::Thin(place, width_px) => PictureError::TooThin { name, place, width_px },
            Self::NotThere(place) => PictureError::NotThere { name, place },
            Self::Nothing => PictureError::NoRing { name, looked_for },
        }
    }
}
