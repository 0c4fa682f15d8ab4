//! Prototype: model- and acceleration-based pursuit (Becker et al. 2023).

use super::model::Model;
use super::motion::Motion;
use super::steering::RearTyres;
use crate::chassis::Frame;
use crate::geometry::wrap_angle;
use crate::options::LimitOptions;

fn or(value: f64, default: f64) -> f64 {
    if value.is_finite() { value } else { default }
}

pub(crate) fn steering(
    frame: &Frame<'_>,
    model: &Model<'_>,
    options: &LimitOptions,
    motion: &Motion,
    along: f64,
    rear: &mut RearTyres,
) -> f64 {
    let speed = motion.speed.max(1.0);
    let path = frame.path;
    let s = path.wrap(frame.nearest.s + motion.advance);
    let here = path.sample(s);
    let (sin, cos) = here.heading_rad.sin_cos();
    let [x, y, _] = here.position_m;
    let (x, y) = (x - motion.offset * sin, y + motion.offset * cos);
    let heading = here.heading_rad + motion.heading;
    let course = heading + motion.across.atan2(speed);
    let away = or(options.p1, 0.0) + or(options.p2, 0.35) * speed;
    let away = away.max(2.0 * model.wheelbase);
    let target = path.sample(path.wrap(s + away));
    let [dx, dy] = [target.position_m[0] - x, target.position_m[1] - y];
    let eta = wrap_angle(dy.atan2(dx) - course);
    let across = 2.0 * speed * speed * eta.clamp(-1.5, 1.5).sin() / dx.hypot(dy).max(1.0);
    let axles = model.axles(speed, along);
    let rear_slip = model.slip(axles.rear, across);
    let front_slip = model.slip(axles.front, across);
    let measured = -(motion.across - model.to_rear * motion.yaw_rate).atan2(speed);
    let here_across = here.curvature_radpm * speed * speed;
    rear.learn(model.slip(axles.rear, here_across), measured, options.slip_learning * frame.dt);
    let forward = (model.wheelbase * across / (speed * speed)).atan() + front_slip - rear.softness * rear_slip;
    let angle = forward + or(options.p3, 0.0) * (across / speed - motion.yaw_rate);
    let rolling = (motion.across + model.to_front * motion.yaw_rate).atan2(speed);
    let most = options.max_slip * model.handling.peak_slip_rad;
    angle.max(rolling - most).min(rolling + most)
}
