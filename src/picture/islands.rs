//! Which holes in a road make it go round them, and which are only marks on it: cars, letters, noise.

/// An island in the road that is larger than the square of the road's width, and than this many pixels, makes it fork.
const SMALLEST_ISLAND_PX2: f64 = 36.0;

/// A shape that is plump once its holes are filled is no road, unless its largest hole is an infield. That has at least this share of the
/// square of the width of what goes round it, and this many pixels: a round infield half as wide as the road.
const INFIELD_SHARE: f64 = 0.2;
const SMALLEST_INFIELD_PX2: f64 = 9.0;

/// A road is at least this many times as long as it is wide; a disc π times, in the measure of [`slenderness`].
pub(crate) const ROAD_SLENDERNESS: f64 = 5.0;

/// Length over width of an elongated shape without holes, from the length of its outline and its area.
pub(crate) fn slenderness(outline: f64, filled_area: f64) -> f64 {
    outline * outline / (4.0 * filled_area.max(1e-9))
}

/// Area of the smallest hole that a road goes round: of a road of mean width `width` whose largest hole has the area `largest`
/// and whose outline, holes filled, has the slenderness `filled_slenderness`. Pixels.
pub(crate) fn least_area(width: f64, largest: f64, filled_slenderness: f64) -> f64 {
    let island = SMALLEST_ISLAND_PX2.max(width * width);
    let infield = SMALLEST_INFIELD_PX2.max(INFIELD_SHARE * width * width);
    if filled_slenderness < ROAD_SLENDERNESS && (infield..island).contains(&largest) { largest } else { island }
}
