//! The engine's torque by throttle: without throttle an engine brakes, so a part of its torque needs
//! more throttle than that part.

/// Number of points of a torque curve that are kept.
const MAX_POINTS: usize = 32;
/// Below this speed of the engine it idles or starts, rad/s: the throttle is the pedal.
const MIN_RADPS: f64 = 250.0;

/// Torque of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Engine {
    /// Speed, rad/s, and torque at full throttle, N m.
    points: [[f64; 2]; MAX_POINTS],
    count: usize,
    /// Torque without throttle: a part in proportion to the speed, N m s, and a constant one, N m.
    drag: [f64; 2],
}

impl Engine {
    /// With `number`, which gives a parameter in SI units by section, key and default. `None` where
    /// the curve has fewer than two points.
    pub fn read(number: impl Fn(&str, &str, f64) -> f64) -> Option<Self> {
        let mut points = [[0.0; 2]; MAX_POINTS];
        let mut count = 0;
        for (i, point) in points.iter_mut().enumerate() {
            let section = format!("Engine/data points/{}", i + 1);
            let (speed, torque) = (number(&section, "rpm", f64::NAN), number(&section, "Tq", f64::NAN));
            if !(speed.is_finite() && torque > 0.0) {
                break;
            }
            *point = [speed, torque];
            count = i + 1;
        }
        let rises = points[..count].windows(2).all(|pair| pair[1][0] > pair[0][0]);
        // The defaults are TORCS's.
        let drag = [number("Engine", "brake linear coefficient", 0.33), number("Engine", "brake coefficient", 0.33)];
        (count >= 2 && rises && drag.iter().all(|part| (0.0..10.0).contains(part))).then_some(Self {
            points,
            count,
            drag,
        })
    }

    /// Torque at full throttle, N m.
    #[must_use]
    pub fn max_nm(&self, radps: f64) -> f64 {
        let points = &self.points[..self.count];
        let after = points.partition_point(|point| point[0] <= radps).clamp(1, self.count - 1);
        let ([x0, y0], [x1, y1]) = (points[after - 1], points[after]);
        y0 + (y1 - y0) * ((radps - x0) / (x1 - x0)).clamp(0.0, 1.0)
    }

    /// Torque that brakes without throttle, N m.
    #[must_use]
    pub fn drag_nm(&self, radps: f64) -> f64 {
        self.drag[0] * radps + self.drag[1]
    }

    /// Throttle for `share` of the engine's maximum torque, above 0. At 0 and below the engine may
    /// brake: giving throttle there, so that it does not, made laps in TORCS 2 % slower.
    #[must_use]
    pub fn throttle(&self, fraction: f64, radps: f64) -> f64 {
        if fraction <= 0.0 || radps < MIN_RADPS {
            return fraction.clamp(0.0, 1.0);
        }
        let (max, drag) = (self.max_nm(radps), self.drag_nm(radps));
        ((fraction * max + drag) / (max + drag)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::Engine;

    fn engine() -> Engine {
        let number = |section: &str, key: &str, default: f64| match (section, key) {
            ("Engine/data points/1", "rpm") => 100.0,
            ("Engine/data points/2", "rpm") => 900.0,
            ("Engine/data points/1", _) => 200.0,
            ("Engine/data points/2", _) => 400.0,
            _ => default,
        };
        Engine::read(number).unwrap()
    }

    #[test]
    fn the_wheels_get_what_they_want() {
        let engine = engine();
        let radps = 500.0;
        assert_eq!(engine.max_nm(radps), 300.0);
        let drag = engine.drag_nm(radps);
        for fraction in [1.0, 0.4, 0.01] {
            let torque = engine.throttle(fraction, radps) * (300.0 + drag) - drag;
            assert!((torque - fraction * 300.0).abs() < 1e-9, "{fraction}: {torque}");
        }
        assert_eq!(engine.throttle(0.0, radps), 0.0);
        assert_eq!(engine.throttle(-0.5, radps), 0.0);
        // A starting engine gets the pedal.
        assert_eq!(engine.throttle(0.5, 100.0), 0.5);
        assert!(Engine::read(|_, _, default| default).is_none());
    }
}
