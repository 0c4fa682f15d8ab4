//! Any bytes as streets, a route through them between any two places, and the road along it.

use std::path::Path;

use arbitrary::{Arbitrary, Unstructured};
use raceline::Options;
use raceline::frame::Spot;
use raceline::input::Input;
use raceline::network::RouteKind;
use raceline::pipeline::{Silent, extract_input};

/// One input.
pub fn run(bytes: &[u8]) {
    type Input4<'a> = (u8, [f32; 4], bool, &'a [u8]);
    let Ok((kind, [x, y, to_x, to_y], is_metres, bytes)) = Input4::arbitrary_take_rest(Unstructured::new(bytes)) else {
        return;
    };
    let bytes = bytes.to_vec();
    let input = match kind % 4 {
        0 => Input::GeoJson(bytes),
        1 => Input::Osm(bytes),
        2 => Input::OpenDrive(bytes),
        _ => Input::Svg(bytes),
    };
    let spot = |x: f32, y: f32| {
        let place = [x, y].map(f64::from);
        if is_metres { Spot::Metres(place) } else { Spot::Degrees(place) }
    };
    let mut options = Options::default();
    options.plan.from = Some(spot(x, y));
    options.plan.to = Some(spot(to_x, to_y));
    options.network.route =
        [None, Some(RouteKind::Shortest), Some(RouteKind::Fastest), Some(RouteKind::Exhaustive)][usize::from(kind / 4 % 4)];
    if kind & 128 != 0 {
        options.scale.metres_per_pixel = Some(0.5);
    }
    if let Ok(found) = extract_input(Path::new("streets"), &input, &options, &Silent) {
        assert!(found.track.validate().is_ok());
    }
}
