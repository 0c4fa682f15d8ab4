//! Prototype: linear time-varying predictive control, Riccati recursion with a bounded steering rate.

use super::model::Model;
use super::motion::Motion;
use super::plan::Ahead;
use super::steering::RearTyres;
use crate::options::LimitOptions;

const STAGES: usize = 16;
type Row = [f64; 5];

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    pub wheel: f64,
}

#[derive(Clone, Copy, Default)]
struct Stage {
    a: [Row; 5],
    b: Row,
    c: Row,
    gain: Row,
    feed: f64,
    fixed: bool,
    course: f64,
    speed: f64,
}

fn or(value: f64, default: f64) -> f64 {
    if value.is_finite() { value } else { default }
}

fn dot(a: &Row, b: &Row) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4]
}

#[allow(clippy::too_many_arguments)]
pub(crate) fn steering(
    model: &Model<'_>,
    options: &LimitOptions,
    motion: &Motion,
    ahead: &mut Ahead<'_>,
    pedal: f64,
    rear: &mut RearTyres,
    memory: &mut Memory,
    dt: f64,
) -> f64 {
    let horizon = or(options.p1, 0.8);
    let h = horizon / STAGES as f64;
    let offset_weight = or(options.p2, 0.3).powi(-2);
    let course_weight = or(options.p3, 0.06).powi(-2);
    let rate = 0.95 * model.handling.steering_rate_radps;
    let rate_weight = (or(options.p4, 1.0) * model.handling.steering_rate_radps).powi(-2);
    let speed_now = motion.speed.max(1.0);
    let here = ahead.at(motion.advance);
    let excess = speed_now * speed_now - here.square;
    let hurry = here.acceleration.clamp(-10.0, 10.0);
    let extra = pedal - here.acceleration - model.resistance(speed_now);
    let handling = &model.handling;
    let (weight_f, weight_r) = (model.to_rear / model.wheelbase, model.to_front / model.wheelbase);
    let (a, b) = (model.to_front, model.to_rear);
    let peak = handling.peak_slip_rad;
    let mut stages = [Stage::default(); STAGES];
    let soft = rear.softness;
    let mut expected = 0.0;
    for (k, stage) in stages.iter_mut().enumerate() {
        let time = (k as f64 + 0.5) * h;
        let there = ahead.at(motion.advance + ((speed_now + 0.5 * hurry * time) * time).max(0.0));
        let v = (there.square + excess).max(1.0).sqrt();
        let along = there.acceleration + model.resistance(v) + extra * (1.0 - time / 0.4).max(0.0);
        let axles = model.axles(v, along);
        let across = there.curvature * v * v;
        let (sf, sr) = (model.slip(axles.front, across), soft * model.slip(axles.rear, across));
        if k == 0 {
            expected = sr / soft;
        }
        // Brush tyre: a = most (1 - (1 - |s| / peak)³).
        let tyre = |most: f64, slip: f64, peak: f64| {
            let left = 1.0 - (slip.abs() / peak).min(1.0);
            (most * (1.0 - left.powi(3)).copysign(slip), 3.0 * most / peak * (left * left).max(0.02))
        };
        let (af, cf) = tyre(axles.front, sf, peak);
        let (ar, cr) = tyre(axles.rear, sr, peak * soft);
        // v' = wf (af + cf (δ - (v + a r) / u - sf)) + wr (ar + cr (-(v - b r) / u - sr)) - u r
        let k2 = handling.gyration_m2;
        let (ff, fr) = (weight_f * cf, weight_r * cr);
        let m11 = -(ff + fr) / v;
        let m12 = -(a * ff - b * fr) / v - v;
        let m21 = -(a * ff - b * fr) / v / k2;
        let m22 = -(a * a * ff + b * b * fr) / v / k2;
        let (n1, n2) = (ff, a * ff / k2);
        let (w1, w2) = (
            weight_f * (af - cf * sf) + weight_r * (ar - cr * sr),
            (a * weight_f * (af - cf * sf) - b * weight_r * (ar - cr * sr)) / k2,
        );
        // Trapezoid: (I - h/2 M) x⁺ = (I + h/2 M) x + h n δm + h w
        let g = 0.5 * h;
        let (l11, l12, l21, l22) = (1.0 - g * m11, -g * m12, -g * m21, 1.0 - g * m22);
        let det = (l11 * l22 - l12 * l21).recip();
        let solve = |p: f64, q: f64| ((p * l22 - l12 * q) * det, (l11 * q - l21 * p) * det);
        let (x13, x23) = solve(1.0 + g * m11, g * m21);
        let (x14, x24) = solve(g * m12, 1.0 + g * m22);
        let (x15, x25) = solve(h * n1, h * n2);
        let (c1, c2) = solve(h * w1, h * w2);
        let bend = h * there.curvature * v;
        // Rows: e, ψ, v, r, δ.
        let row_v = [0.0, 0.0, x13, x14, x15];
        let row_r = [0.0, 0.0, x23, x24, x25];
        let row_p = [0.0, 1.0, g * x23, g + g * x24, g * x25];
        let mut row_e = [1.0, 0.5 * h * v, g + g * x13, g * x14, g * x15];
        for i in 0..5 {
            row_e[i] += g * v * row_p[i];
        }
        let c_p = g * c2 - bend;
        stage.a = [row_e, row_p, row_v, row_r, [0.0, 0.0, 0.0, 0.0, 1.0]];
        stage.c = [g * c1 + g * v * c_p, c_p, c1, c2, 0.0];
        let half = 0.5 * h;
        stage.b = [half * (row_e[4]), half * row_p[4], half * x15, half * x25, h];
        stage.course = 1.0 / v;
        stage.speed = v;
    }
    let start = [motion.offset, motion.heading, motion.across, motion.yaw_rate, memory.wheel];
    let mut path = [start; STAGES + 1];
    let mut first = 0.0;
    for pass in 0..3 {
        // Backwards.
        let cost = |stage: &Stage, last: bool| {
            let mut q = [[0.0; 5]; 5];
            let more = if last { 3.0 } else { 1.0 };
            q[0][0] = more * offset_weight;
            q[1][1] = more * course_weight;
            q[1][2] = more * course_weight * stage.course;
            q[2][1] = q[1][2];
            q[2][2] = q[1][2] * stage.course;
            q
        };
        let mut p = cost(&stages[STAGES - 1], true);
        let mut s = [0.0; 5];
        for k in (0..STAGES).rev() {
            let stage = &mut stages[k];
            let pb: Row = std::array::from_fn(|i| dot(&p[i], &stage.b));
            let pc: Row = std::array::from_fn(|i| dot(&p[i], &stage.c) + s[i]);
            let mut pa = [[0.0; 5]; 5];
            for i in 0..5 {
                for l in 0..5 {
                    for j in 0..5 {
                        pa[i][j] += p[i][l] * stage.a[l][j];
                    }
                }
            }
            let quu = rate_weight + dot(&pb, &stage.b);
            let qu = dot(&stage.b, &pc);
            let mut qux = [0.0; 5];
            let mut next = cost(stage, false);
            let mut t = [0.0; 5];
            for l in 0..5 {
                for j in 0..5 {
                    qux[j] += pb[l] * stage.a[l][j];
                    t[j] += stage.a[l][j] * pc[l];
                    for i in 0..5 {
                        next[i][j] += stage.a[l][i] * pa[l][j];
                    }
                }
            }
            stage.fixed = false;
            let wanted = -(dot(&qux, &path[k]) + qu) / quu;
            if pass > 0 && wanted.abs() > rate {
                stage.fixed = true;
                stage.feed = rate.copysign(wanted);
                for j in 0..5 {
                    t[j] += qux[j] * stage.feed;
                }
            } else {
                stage.feed = -qu / quu;
                for i in 0..5 {
                    stage.gain[i] = -qux[i] / quu;
                    t[i] -= qux[i] * qu / quu;
                    for j in 0..5 {
                        next[i][j] -= qux[i] * qux[j] / quu;
                    }
                }
            }
            p = next;
            s = t;
        }
        // Forwards.
        for k in 0..STAGES {
            let stage = &stages[k];
            let x = path[k];
            let u = if stage.fixed { stage.feed } else { (dot(&stage.gain, &x) + stage.feed).clamp(-rate, rate) };
            if k == 0 {
                first = u;
            }
            path[k + 1] = std::array::from_fn(|i| dot(&stage.a[i], &x) + stage.b[i] * u + stage.c[i]);
        }
    }
    let measured = -(motion.across - model.to_rear * motion.yaw_rate).atan2(speed_now);
    rear.learn(expected, measured, options.slip_learning * dt);
    let angle = memory.wheel + first * dt;
    let rolling = (motion.across + model.to_front * motion.yaw_rate).atan2(speed_now);
    let most = options.max_slip * model.handling.peak_slip_rad;
    angle.max(rolling - most).min(rolling + most)
}
