//! Any cross-sections as Python's `solve_sections` takes them, through both programs.

use arbitrary::{Arbitrary, Unstructured};
use raceline::geometry::Point;
use raceline::solve::min_curvature::min_curvature;
use raceline::solve::shortest_path::shortest_path;
use raceline::solve::{Corridor, SolveOptions};
use raceline::track::CrossSection;

/// Longer arrays show nothing new.
const MAX_SECTIONS: usize = 60;

/// One input.
pub fn run(bytes: &[u8]) {
    type Arrays = (bool, Vec<([f32; 4], u8, u8)>);
    let Ok((closed, mut rows)) = Arrays::arbitrary_take_rest(Unstructured::new(bytes)) else { return };
    rows.truncate(MAX_SECTIONS);
    if rows.len() < 3 {
        return;
    }
    let section = |&([x, y, to_x, to_y], _, _): &([f32; 4], u8, u8)| CrossSection {
        right: Point::new(x.into(), y.into()),
        left: Point::new(to_x.into(), to_y.into()),
    };
    let sections: Vec<CrossSection> = rows.iter().map(section).collect();
    let part = |byte: u8| f64::from(byte) / 255.0;
    let low = rows.iter().map(|row| part(row.1.min(row.2))).collect();
    let high = rows.iter().map(|row| part(row.1.max(row.2))).collect();
    let corridor = Corridor { closed, sections, low, high };
    for solved in [
        shortest_path(&corridor, &SolveOptions::default()),
        min_curvature(&corridor, &SolveOptions::default(), &corridor.middle()),
    ] {
        let Ok(solved) = solved else { continue };
        assert!(solved.alpha.iter().all(|alpha| (-1e-6..=1.0 + 1e-6).contains(alpha)), "{:?}", solved.alpha);
    }
}
