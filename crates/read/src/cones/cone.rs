//! A cone and its colour.

use raceline_road::geometry::Point;

/// A cone beside the road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Place, metres.
    pub position: Point,
    /// Colour, as it was seen: it may be wrong.
    pub colour: ConeColour,
}

/// What the colour of a cone shows about its side, by the rules of Formula Student.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConeColour {
    /// Blue: the left edge.
    Left,
    /// Yellow: the right edge.
    Right,
    /// Orange, or unknown: either edge.
    Either,
}

impl ConeColour {
    /// The colour with this name, in any case: `blue`, `yellow`, `left`, `right`, `orange`, `big_orange`,
    /// `small_orange`, `orange_big`, `unknown` and the empty text.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().replace(['-', ' '], "_").as_str() {
            "blue" | "left" | "b" => Some(Self::Left),
            "yellow" | "right" | "y" => Some(Self::Right),
            "orange" | "big_orange" | "small_orange" | "orange_big" | "orange_small" | "unknown" | "" => {
                Some(Self::Either)
            }
            _ => None,
        }
    }

    /// The colour in a mirror.
    pub(super) fn mirrored(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Either => Self::Either,
        }
    }
}
