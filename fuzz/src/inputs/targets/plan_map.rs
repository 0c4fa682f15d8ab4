//! A small map drawn by the bytes, a path through its free space by any planner, and the road about it.

use arbitrary::Unstructured;
use image::GrayImage;
use raceline::frame::PictureFrame;
use raceline::geometry::Point;
use raceline::plan::{FreeSpace, PlanOptions, PlannerKind, plan, road_about};
use raceline::track::{TrackOptions, cut};
use raceline::vehicle::preset;

fn drawn(bytes: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let kind = PlannerKind::ALL[bytes.choose_index(PlannerKind::ALL.len())?];
    let [width, height] = [6 + bytes.arbitrary::<u8>()? % 27, 6 + bytes.arbitrary::<u8>()? % 27].map(u32::from);
    let mut place = || -> arbitrary::Result<Point> {
        Ok(Point::new(f64::from(bytes.arbitrary::<u8>()?) / 8.0, f64::from(bytes.arbitrary::<u8>()?) / 8.0))
    };
    let stops = [place()?, place()?, place()?];
    let (closed, headed) = (bytes.arbitrary()?, bytes.ratio(1, 4)?);
    let pixels = bytes.bytes(bytes.len().min((width * height / 8) as usize))?;
    let at = |index: usize| pixels.get(index / 8).is_none_or(|byte| byte >> (index % 8) & 1 == 0);
    let levels = (0..(width * height) as usize).map(|index| if at(index) { 255 } else { 0 }).collect();
    let Some(free) = GrayImage::from_raw(width, height, levels) else { return Ok(()) };
    let frame = PictureFrame { metres_per_pixel: 1.0, origin_m: Point::origin(), width_px: width, height_px: height };
    let space = FreeSpace::new(&free, frame, 0.6);
    let Ok(robot) = preset("robot-car") else { return Ok(()) };
    let heading = headed.then_some(90.0);
    let options = PlanOptions { from_heading_deg: heading, to_heading_deg: heading, ..PlanOptions::default() };
    let Ok(found) = plan(kind, &options, &space, &stops[..if closed { 3 } else { 2 }], closed, &robot, 1) else {
        return Ok(());
    };
    assert!(found.path.iter().all(|p| p.x.is_finite() && p.y.is_finite()) && found.length_m.is_finite());
    if let Ok(edges) = road_about(&space, &found.path, closed, 0.5) {
        let _ = cut(&edges, &TrackOptions::default());
    }
    Ok(())
}

/// One input.
pub fn run(bytes: &[u8]) {
    let _ = drawn(&mut Unstructured::new(bytes));
}
