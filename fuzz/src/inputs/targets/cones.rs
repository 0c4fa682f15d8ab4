//! Any bytes as a map of cones, cross-sections of the road that they give, and the path ahead between cones
//! at any place.

use arbitrary::{Arbitrary, Unstructured};
use raceline::cones::{Cone, ConeColour, Pose, path_ahead};
use raceline::construction::ImportOptions;
use raceline::geometry::Point;
use raceline::importers::cones;

use super::super::checked;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(input) = <(&[u8], Vec<(f64, f64, u8)>, f64)>::arbitrary_take_rest(Unstructured::new(bytes)) else { return };
    let (bytes, places, heading_rad) = input;
    checked::road(cones(bytes, None, &ImportOptions::default()));
    let cone = |&(x, y, colour): &(f64, f64, u8)| {
        let colour = [ConeColour::Left, ConeColour::Right, ConeColour::Either][usize::from(colour % 3)];
        Cone { position: Point::new(x, y), colour }
    };
    let seen: Vec<Cone> = places.iter().map(cone).collect();
    let path = path_ahead(&seen, Pose { position: Point::origin(), heading_rad }, None);
    assert!(!path.points.is_empty());
}
