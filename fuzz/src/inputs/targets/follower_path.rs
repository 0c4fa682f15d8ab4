//! The follower's path against the optimizer's line: what a game loads lies where the line lies, at its
//! speeds.

use raceline::file::json;
use raceline_follower::json as game;

/// Largest distance between a point of the file and the path, metres.
const TOLERANCE_M: f64 = 0.02;

/// One input.
pub fn run(bytes: &[u8]) {
    let (Ok(line), Ok(loaded)) = (json::read(bytes), game::read(bytes)) else { return };
    let extent_m = line.points.iter().map(|p| p.x_m.abs().max(p.y_m.abs())).fold(1.0, f64::max);
    for point in &line.points {
        let at = loaded.path.sample(point.s_m);
        let apart_m = (at.position_m[0] - point.x_m).hypot(at.position_m[1] - point.y_m);
        // Damaged files, whose arc lengths are another line's, are the judge's concern.
        if raceline::pipeline::prove(&line).is_err() {
            return;
        }
        assert!(apart_m < TOLERANCE_M + 1e-9 * extent_m, "{apart_m} m apart at {} m", point.s_m);
        assert!((at.speed_mps - point.speed_mps).abs() < 0.01 + 1e-3 * point.speed_mps);
    }
}
