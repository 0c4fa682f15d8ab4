//! The frame that a drawing states of itself, as the drawings that we write do: the root has the
//! attribute `data-metres-per-unit`, the length of a user unit of its `viewBox`, in which y points
//! down.

use usvg::roxmltree::Document;

use raceline_file::table::text;
use raceline_road::geometry::Point;

/// The frame of a drawing's page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnFrame {
    /// Length of a unit of the page, as `usvg` sizes it, metres.
    pub metres_per_unit: f64,
    /// Position of the page's bottom-left corner, metres.
    pub origin: Point,
}

/// The frame that the drawing in `bytes` states; `None` without one.
#[must_use]
pub fn drawn_frame(bytes: &[u8]) -> Option<DrawnFrame> {
    // Cheaper than a document, and no drawing of others has the word.
    let text = text(bytes).ok().filter(|text| text.contains("data-metres-per-unit"))?;
    let document = Document::parse(text).ok()?;
    let root = document.root_element();
    let metres: f64 = root.attribute("data-metres-per-unit")?.parse().ok()?;
    let numbers: Option<Vec<f64>> = root.attribute("viewBox")?.split_whitespace().map(|n| n.parse().ok()).collect();
    let [x, y, width, height] = numbers?.try_into().ok()?;
    let size: [f64; 4] = [x, y, width, height];
    let is_usable = metres > 0.0 && width > 0.0 && size.iter().all(|value| value.abs() <= 1e8) && metres.is_finite();
    // The page is as wide as `usvg` sees its width.
    let page = usvg::Tree::from_str(text, &usvg::Options::default()).ok().filter(|_| is_usable)?;
    let metres_per_unit = metres * width / f64::from(page.size().width());
    Some(DrawnFrame { metres_per_unit, origin: Point::new(metres * x, -metres * (y + height)) })
}
