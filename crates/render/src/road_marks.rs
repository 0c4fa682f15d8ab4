//! What else is on the road: obstacles, paths of other vehicles, contacts.

use super::markup::{Markup, Pixel, Short, path_data};
use super::scene::Scene;

/// Colours over the road, which is dark on every page.
const PATH: &str = "#b9c2cf";
const OBSTACLE: &str = "#f08a24";
const CONTACT: &str = "#ff4d5e";
/// Minimum radius of an obstacle that is drawn, nominal pixels.
const MIN_RADIUS: f64 = 3.0;
/// Radius of a contact's ring, nominal pixels.
const RING: f64 = 13.0;

/// What else is on the road of a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoadMarks {
    /// Middles and radii of round obstacles, m.
    pub obstacles_m: Vec<([f64; 2], f64)>,
    /// Paths of other vehicles, m.
    pub paths_m: Vec<Vec<[f64; 2]>>,
    /// Where vehicles touched something, m.
    pub contacts_m: Vec<[f64; 2]>,
}

impl Scene<'_> {
    /// Paths and obstacles, under the lines.
    pub(super) fn marks(&self, markup: &mut Markup, marks: &RoadMarks) {
        let unit = self.layout.unit;
        if !marks.paths_m.is_empty() {
            let width = Short(1.6 * unit);
            let style = format_args!(
                r#"class="ways" fill="none" stroke="{PATH}" stroke-width="{width}" stroke-opacity="0.6" stroke-linejoin="round""#
            );
            markup.group(style, |markup| {
                for path in &marks.paths_m {
                    markup.line(format_args!(r#"<path d="{}"/>"#, path_data(&self.curve(path, false), false)));
                }
            });
        }
        for &(at, radius_m) in &marks.obstacles_m {
            let radius = (radius_m * self.layout.pixels_per_metre).max(MIN_RADIUS * unit);
            obstacle_mark(markup, self.layout.pixel(at), radius);
        }
    }

    /// Rings around contacts, over everything.
    pub(super) fn contacts(&self, markup: &mut Markup, marks: &RoadMarks) {
        for &at in &marks.contacts_m {
            contact_mark(markup, self.layout.pixel(at), self.layout.unit);
        }
    }
}

/// A row's sample of a path.
pub(super) fn path_sample(markup: &mut Markup, ends: [Pixel; 2], unit: f64) {
    markup.straight(ends[0], ends[1], format_args!(r#"stroke="{PATH}" stroke-width="{}""#, Short(2.0 * unit)));
}

/// An obstacle.
pub(super) fn obstacle_mark(markup: &mut Markup, [x, y]: Pixel, radius: f64) {
    let (x, y, radius) = (Short(x), Short(y), Short(radius));
    markup.line(format_args!(r#"<circle class="obstacle" cx="{x}" cy="{y}" r="{radius}" fill="{OBSTACLE}"/>"#));
}

/// A contact.
pub(super) fn contact_mark(markup: &mut Markup, [x, y]: Pixel, unit: f64) {
    let (x, y, radius, width) = (Short(x), Short(y), Short(RING * unit), Short(3.5 * unit));
    markup.line(format_args!(
        r#"<circle class="contact" cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="{CONTACT}" stroke-width="{width}"/>"#
    ));
}
