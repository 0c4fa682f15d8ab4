//! The road on a cross-section: height, grip and kind of edge at its two ends.

use crate::edges::EdgeKind;

/// The road at one end of a cross-section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceEnd {
    /// Height, metres.
    pub height_m: f64,
    /// Factor on both tyre limits, positive.
    pub grip: f64,
    /// What the edge is made of.
    pub kind: EdgeKind,
}

impl SurfaceEnd {
    /// Level, with a grip of 1, between lines.
    pub const LEVEL: Self = Self { height_m: 0.0, grip: 1.0, kind: EdgeKind::Line };
}

/// The road on a cross-section. Between its ends, height and grip are linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionSurface {
    /// At the right end.
    pub right: SurfaceEnd,
    /// At the left end.
    pub left: SurfaceEnd,
}

impl SectionSurface {
    /// A level road.
    pub const LEVEL: Self = Self { right: SurfaceEnd::LEVEL, left: SurfaceEnd::LEVEL };
}
