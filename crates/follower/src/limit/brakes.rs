//! What the brakes give in bends.
//!
//! A car leans in a bend: the inner wheels carry less and lock sooner, and then the driver or an anti-lock
//! system releases the pressure of all wheels. The brakes then give less than
//! the ellipse leaves. The loss is planned in proportion to the used fraction of the lateral limit:
//!
//! ```text
//! brakes   left beside cornering · (1 - lost · used)                                         (1)
//! lost     2 h A_y(0) / (g t) at first: what the inner wheels lose of their load at the limit  (2)
//! ```
//!
//! with the height h of the centre of gravity and the distance t between the wheels of an axle. A
//! file does not contain what happens to a wheel that locks, so the loss is learned from the
//! deceleration: quickly where the brakes give less than asked, since the next bend must not find
//! the car too fast, and slowly where they do give it.

use raceline_numerics::STANDARD_GRAVITY;

use super::model::Model;
use super::motion::Motion;

/// Distance between the wheels of an axle by the width over all, 0.8 to 0.9 for cars. A smaller one
/// expects the inner wheels to lose more load, so that braking into a bend begins earlier.
const TRACK_WIDTHS: f64 = 0.85;
/// Largest loss, 0 to 1: the brakes are never planned to give less than the rest.
const MAX_LOST: f64 = 0.9;
/// Shown loss up to which the inputs of a path are relied on, and from which they are not.
const TRUSTED: f64 = 0.1;
const DISTRUSTED: f64 = 0.3;
/// Rate at which the loss is unlearned, as a fraction of that at which it is learned, 0 to 1. A
/// larger one brakes late again after one bend in which the brakes gave what was asked, and may
/// find the next bend too fast; a smaller one stays careful for more laps.
const UNLEARNING: f64 = 0.1;
/// Nothing is learned from requested braking below this, m/s².
const MIN_MPS2: f64 = 0.5;
/// Largest missing deceleration that counts, m/s². A larger one learns faster and is misled more by
/// a bump or a collision.
const MAX_MISSING_MPS2: f64 = 3.0;
/// Time over which what is asked and what is measured are smoothed, s. A shorter one takes the
/// noise of the measured speed for brakes that give less; a longer one mixes the bend with the
/// straight before.
const SMOOTHING_S: f64 = 0.1;

/// What is known of the brakes in bends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BendBrakes {
    lost: Option<f64>,
    /// Likewise from nothing on: what the brakes have shown to lose.
    shown: f64,
    last: Option<Last>,
}

/// The last frame: speed, m/s, and smoothed accelerations of the tyres along, m/s².
#[derive(Clone, Copy, Debug, PartialEq)]
struct Last {
    speed: f64,
    asked: f64,
    measured: f64,
}

impl BendBrakes {
    /// After a gap nothing is known of the last frame.
    pub(crate) fn interrupt(&mut self) {
        self.last = None;
    }

    /// Loss at the lateral limit, a fraction.
    pub(crate) fn lost(&self, model: &Model<'_>) -> f64 {
        self.lost.unwrap_or_else(|| {
            // Equation (2).
            let height = model.handling.centre_of_gravity_m;
            let lateral = model.dynamics.lateral_mps2.values[0];
            (2.0 * height * lateral / (STANDARD_GRAVITY * TRACK_WIDTHS * model.width)).min(MAX_LOST)
        })
    }

    /// Learns at `rate`, 1/s, from a frame of length `dt` in which the command for the acceleration
    /// `asked` along acted, beside `across`.
    pub(crate) fn learn(
        &mut self,
        model: &Model<'_>,
        now: &Motion,
        across: f64,
        asked: Option<f64>,
        [rate, dt]: [f64; 2],
    ) {
        let speed = now.speed;
        let (Some(last), Some(asked)) = (self.last, asked.filter(|_| dt > 0.0)) else {
            self.last = asked.map(|asked| Last { speed, asked, measured: asked });
            return;
        };
        let measured = (speed - last.speed) / dt - now.across * now.yaw_rate + model.resistance(speed);
        let towards = |from: f64, to: f64, time: f64| from + (to - from) * (dt / (time + dt));
        let asked = towards(last.asked, asked, SMOOTHING_S);
        let measured = towards(last.measured, measured, SMOOTHING_S);
        self.last = Some(Last { speed, asked, measured });
        if asked > -MIN_MPS2 {
            return;
        }
        // A step along the gradient, normalised.
        // By equation (1), this times the loss is missing.
        let at_limit = -asked * model.used(speed, across);
        let learned = |lost: f64| {
            let missing = (measured - asked).clamp(-MAX_MISSING_MPS2, MAX_MISSING_MPS2) - lost * at_limit;
            let rate = if missing > 0.0 { rate } else { UNLEARNING * rate };
            let step = rate * dt * missing * at_limit / (at_limit * at_limit + 1.0);
            step.is_finite().then(|| (lost + step).clamp(0.0, MAX_LOST))
        };
        self.lost = learned(self.lost(model)).or(self.lost);
        self.shown = learned(self.shown).unwrap_or(self.shown);
    }

    /// How far the inputs of a path can be relied on, 1 to 0: less when the brakes have not given in
    /// bends what was asked, since the vehicle is then not the one of these inputs.
    pub(crate) fn trust(&self) -> f64 {
        ((DISTRUSTED - self.shown) / (DISTRUSTED - TRUSTED)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{BendBrakes, MAX_LOST};
    use crate::limit::model::Model;
    use crate::limit::motion::Motion;
    use crate::limit::pending_commands::PendingCommands;
    use crate::vehicle::VehicleGeometry;
    use raceline_car::VehicleDynamics;

    const FRAME_S: f64 = 1.0 / 60.0;

    /// The loss after `count` times 2 s of braking at 3 m/s² from 25 m/s on a path of `curvature`,
    /// of which the brakes give the fraction `given`.
    fn after(count: usize, curvature: f64, given: f64) -> f64 {
        let (brakes, dynamics) = braked(count, curvature, given);
        brakes.lost(&Model::new(&dynamics, &VehicleGeometry::default(), 1.0))
    }

    fn braked(count: usize, curvature: f64, given: f64) -> (BendBrakes, VehicleDynamics) {
        let dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
        let geometry = VehicleGeometry::default();
        let model = Model::new(&dynamics, &geometry, 1.0);
        let mut brakes = BendBrakes::default();
        for _ in 0..count {
            brakes.interrupt();
            for frame in 0..120 {
                let speed = 25.0 - 3.0 * given * FRAME_S * f64::from(frame);
                let now = Motion { advance: 0.0, offset: 0.0, heading: 0.0, speed, across: 0.0, yaw_rate: 0.0 };
                brakes.learn(&model, &now, curvature * speed * speed, Some(-3.0), [2.0, FRAME_S]);
            }
        }
        (brakes, dynamics)
    }

    /// h = 0.2 · 2.6 m, t = 0.85 · 1.8 m.
    fn by_load() -> f64 {
        2.0 * 0.52 * 10.0 / (9.80665 * 0.85 * 1.8)
    }

    #[test]
    fn at_first_the_loss_is_that_of_the_load_of_the_inner_wheels() {
        assert!((after(0, 0.0, 1.0) - by_load()).abs() < 1e-12);
    }

    #[test]
    fn brakes_that_give_what_is_asked_are_trusted_slowly() {
        let (soon, later) = (after(2, 0.015, 1.0), after(200, 0.015, 1.0));
        assert!(soon > 0.5 * by_load(), "{soon}");
        assert!(later < 0.05, "{later}");
    }

    #[test]
    fn brakes_that_give_a_half_in_bends_lose_a_half_soon() {
        // The bend takes 0.94 of the grip at first, and less as the speed falls: 0.5 / 0.9.
        let lost = after(5, 0.015, 0.5);
        assert!((0.5..0.75).contains(&lost), "{lost}");
        assert_eq!(after(50, 0.015, -1.0), MAX_LOST);
    }

    #[test]
    fn inputs_are_relied_on_while_the_brakes_give_what_is_asked() {
        let trust = |count, curvature, given| braked(count, curvature, given).0.trust();
        assert_eq!([trust(0, 0.0, 1.0), trust(20, 0.015, 1.0), trust(20, 0.0, 0.3)], [1.0; 3]);
        assert_eq!(trust(5, 0.015, 0.5), 0.0);
    }

    #[test]
    fn brakes_that_act_late_are_trusted_like_others() {
        // Twenty times braking that begins and ends in a tenth of a second, and gives all that is asked.
        let shown = |delay: f64| {
            let dynamics = VehicleDynamics::constant(10.0, 8.0, 5.0);
            let geometry = VehicleGeometry::default();
            let model = Model::new(&dynamics, &geometry, 1.0);
            let asked = |time: f64| -60.0 * time.min(2.0 - time).clamp(0.0, 0.1);
            let (mut brakes, mut pending) = (BendBrakes::default(), PendingCommands::default());
            for _ in 0..20 {
                brakes.interrupt();
                pending.clear();
                let mut speed = 25.0;
                for frame in 0..130 {
                    let time = FRAME_S * f64::from(frame);
                    let now = Motion { advance: 0.0, offset: 0.0, heading: 0.0, speed, across: 0.0, yaw_rate: 0.0 };
                    let acted = pending.acted(delay, FRAME_S);
                    brakes.learn(&model, &now, 0.015 * speed * speed, acted, [2.0, FRAME_S]);
                    pending.push(0.0, asked(time), FRAME_S);
                    speed += FRAME_S * asked(time - delay);
                }
            }
            brakes.shown
        };
        for delay in [0.0, 0.5 * FRAME_S, 3.0 * FRAME_S, 0.1] {
            assert!(shown(delay) < 0.01, "{}", shown(delay));
        }
    }

    #[test]
    fn a_straight_teaches_nothing() {
        assert!((after(50, 0.0, 0.3) - by_load()).abs() < 1e-12);
    }
}
