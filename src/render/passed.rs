//! The obstacles and pick-ups of a line on its map.

use super::markup::{Markup, Short, path_data};
use super::scene::Scene;
use crate::RacingLine;
use crate::frame::Spot;
use crate::geometry::Vector;
use crate::solve::Outline;

/// Smallest radius at which an obstacle or a pick-up is drawn, nominal pixels.
const LEAST_RADIUS: f64 = 4.0;

impl Scene<'_> {
    /// The obstacles as filled shapes and the pick-ups as circles, dashed where the line leaves them.
    pub(super) fn passed(&self, markup: &mut Markup, line: &RacingLine) {
        let (layout, theme) = (self.layout, self.theme);
        let radius = |radius_m: f64| Short((radius_m * layout.pixels_per_metre).max(LEAST_RADIUS * layout.unit));
        let stroke = Short(1.6 * layout.unit);
        for (index, obstacle) in line.options.obstacle.iter().enumerate() {
            // A shape that is none was refused when the line was made.
            let Ok(outline) = obstacle.outline(index + 1, Vector::zeros()) else { continue };
            let style = format!(
                r#"class="obstacle" fill="{}" stroke="{}" stroke-width="{stroke}" stroke-linejoin="round""#,
                theme.braking, theme.edge
            );
            match outline {
                Outline::Circle { centre, radius_m } => {
                    let [x, y] = layout.pixel([centre.x, centre.y]).map(Short);
                    markup.line(format_args!(r#"<circle cx="{x}" cy="{y}" r="{}" {style}/>"#, radius(radius_m)));
                }
                Outline::Polygon(points) => {
                    let pixels: Vec<_> = points.iter().map(|p| layout.pixel([p.x, p.y])).collect();
                    markup.line(format_args!(r#"<path d="{}" {style}/>"#, path_data(&pixels, true)));
                }
            }
        }
        for pick_up in &line.options.pick_up {
            let Spot::Metres(place) = pick_up.at else { continue };
            let [x, y] = layout.pixel(place).map(Short);
            let dashes = if pick_up.take == Some(true) {
                String::new()
            } else {
                let dash = Short(4.0 * layout.unit);
                format!(r#" stroke-dasharray="{dash} {dash}""#)
            };
            markup.line(format_args!(
                r#"<circle class="pick-up" cx="{x}" cy="{y}" r="{}" fill="none" stroke="{}" stroke-width="{stroke}"{dashes}/>"#,
                radius(pick_up.radius_m),
                theme.section
            ));
        }
    }
}
