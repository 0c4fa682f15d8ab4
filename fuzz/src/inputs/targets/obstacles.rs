//! Obstacles and pick-ups at any place of a small road, and the line about them.

use arbitrary::Unstructured;
use raceline::file::Method;
use raceline::frame::Spot;
use raceline::solve::passing::{CircleObstacle, Obstacle, PickUp};
use raceline::solve::{EdgeDistance, PassingSide};
use raceline::vehicle::preset;
use raceline::{LineOptions, optimize};

use super::super::small;

/// What may be missing of an obstacle's clearance, metres: the line is judged between its points too.
const TOLERANCE_M: f64 = 0.05;

fn solved(bytes: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let Some(track) = small::track(bytes)? else { return Ok(()) };
    let Ok(kart) = preset("kart") else { return Ok(()) };
    let mut options = LineOptions { method: Method::MinCurvature, ..LineOptions::default() };
    let near = |bytes: &mut Unstructured<'_>| -> arbitrary::Result<Spot> {
        let section = &track.sections[bytes.choose_index(track.sections.len())?];
        let alpha = small::number(bytes, [-0.2, 1.2])?;
        let at = section.right + (section.left - section.right) * alpha;
        Ok(Spot::Metres([at.x, at.y]))
    };
    for _ in 0..bytes.int_in_range(0..=3)? {
        let side = [None, Some(PassingSide::Left), Some(PassingSide::Right)][bytes.choose_index(3)?];
        let radius_m = small::number(bytes, [0.0, 3.0])?;
        options.obstacle.push(Obstacle::Circle(CircleObstacle { at: near(bytes)?, radius_m, side }));
    }
    for _ in 0..bytes.int_in_range(0..=2)? {
        let take = [None, Some(true), Some(false)][bytes.choose_index(3)?];
        let (radius_m, worth_s) = (small::number(bytes, [0.0, 2.0])?, small::number(bytes, [0.0, 2.0])?);
        options.pick_up.push(PickUp { at: near(bytes)?, radius_m, worth_s, take });
    }
    let line = match optimize(&track, &kart, &options) {
        Ok(line) => line,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return Ok(());
        }
    };
    assert!(line.lap_time_s > 0.0 && line.lap_time_s.is_finite());
    let margin_m = kart.width_m / 2.0;
    let edges = EdgeDistance::new(&track);
    for point in line.points() {
        let at = raceline::geometry::Point::new(point.x_m, point.y_m);
        assert!(edges.nearest(at) > margin_m - TOLERANCE_M, "the line leaves the road");
        for obstacle in &options.obstacle {
            let Obstacle::Circle(CircleObstacle { at: Spot::Metres([x, y]), radius_m, .. }) = obstacle else { continue };
            let gap_m = (at - raceline::geometry::Point::new(*x, *y)).norm() - radius_m;
            assert!(gap_m > margin_m - TOLERANCE_M, "the line touches an obstacle: {gap_m}");
        }
    }
    Ok(())
}

/// One input.
pub fn run(bytes: &[u8]) {
    let _ = solved(&mut Unstructured::new(bytes));
}
