//! Distinguishes holes that a road encloses from marks on the road: cars, letters, noise.

/// A larger island than the square of the road's width, and than this many pixels, makes the road
/// fork.
const SMALLEST_ISLAND_PX2: f64 = 36.0;

/// A shape that is compact after its holes are filled is not a road, unless its largest hole is an
/// infield. An infield has at least this fraction of the square of the width of the shape, and this
/// many pixels: a round infield half as wide as the road.
const INFIELD_FRACTION: f64 = 0.2;
const SMALLEST_INFIELD_PX2: f64 = 9.0;

/// A road is at least this many times as long as it is wide. In this measure, a disc has the
/// slenderness π.
pub const ROAD_SLENDERNESS: f64 = 5.0;

/// Length over width of an elongated shape without holes, from the length of its outline and its
/// area.
#[must_use]
pub fn slenderness(outline: f64, filled_area: f64) -> f64 {
    outline * outline / (4.0 * filled_area.max(1e-9))
}

/// Area of the smallest hole that counts as enclosed, pixels: for a road of mean width `width`
/// whose largest hole has the area `largest` and whose filled outline has the slenderness
/// `filled_slenderness`.
#[must_use]
pub fn min_area(width: f64, largest: f64, filled_slenderness: f64) -> f64 {
    let island = SMALLEST_ISLAND_PX2.max(width * width);
    let infield = SMALLEST_INFIELD_PX2.max(INFIELD_FRACTION * width * width);
    if filled_slenderness < ROAD_SLENDERNESS && (infield..island).contains(&largest) { largest } else { island }
}
