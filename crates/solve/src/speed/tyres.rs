//! The longitudinal acceleration that the tyres have left, and the implicit trapezoidal step with
//! it.
//!
//! A step leads to w' = base + gain · t(w'), where t is the tyres' remaining acceleration at its
//! end. On a friction ellipse of exponent 2 whose axes both grow by D(w) = 1 + g w,
//!
//! ```text
//! (t / A_x)² + (κ w' / A_y)² = D(w')²  with  w' = base + gain t                              (1)
//! ```
//!
//! is a quadratic equation in t. With k = κ / A_y the step takes one root and no iteration, even
//! where cornering uses all of the grip and t(w') is infinitely steep:
//!
//! ```text
//! square = 1 / A_x² + gain² (k² - g²)     half = gain ((k² - g²) base - g)                   (2)
//! rest = D(base)² - (k base)²             t = (√(half² + square rest) - half) / square       (3)
//! ```
//!
//! Diamonds are linear in t. Other exponents
//! are convex, so Newton's method needs no bracket. With a table, the axes are fixed at one w and
//! the step is solved, repeatedly until w has converged.

use raceline_car::{GgDiagram, SpeedCurve, Superellipse};
use raceline_numerics::math;

/// The tyres of a vehicle. Curvatures are absolute values, speeds are w = v².
pub(super) trait Tyres {
    /// Square of the highest speed at which the tyres can corner with `curvature`, m²/s², at most
    /// `ceiling`.
    fn cornering(&self, curvature: f64, ceiling: f64) -> f64;

    /// Largest lateral acceleration at `w`, m/s².
    fn lateral(&self, w: f64) -> f64;

    /// t, the remaining longitudinal acceleration at `w` and `curvature`, m/s²; zero beyond the
    /// cornering limit.
    fn left(&mut self, w: f64, curvature: f64) -> f64;

    /// Whether the longitudinal acceleration `share / whole` ≥ 0 is available at `w` and
    /// `curvature`.
    fn carry(&mut self, force: f64, whole: f64, w: f64, curvature: f64) -> bool;

    /// The t that solves w' = `base` + `gain` t(w'), where `base` is below the cornering limit;
    /// infinite where downforce makes it grow without bound. `guess` is an estimate of t.
    fn step(&mut self, base: f64, gain: f64, curvature: f64, guess: f64) -> f64;
}

/// Constant limits with downforce, on an ellipse of exponent 2: the most common case.
#[derive(Clone, Copy)]
pub(super) struct PlainTyres {
    longitudinal: f64,
    lateral: f64,
    inverse_longitudinal_squared: f64,
    inverse_lateral: f64,
    /// g of D(w) = 1 + g w.
    growth: f64,
}

impl PlainTyres {
    /// The tyres of `diagram` if they are of this kind.
    pub fn of(diagram: &GgDiagram) -> Option<Self> {
        if diagram.drives_otherwise() || !diagram.grows_alike() {
            return None;
        }
        let (longitudinal, lateral) = (diagram.longitudinal().only_piece()?, diagram.lateral().only_piece()?);
        // Both axes grow by the same factor where only downforce increases them.
        let growth = lateral.square / lateral.constant;
        (diagram.ellipse() == Superellipse::Ellipse).then_some(Self {
            longitudinal: longitudinal.constant,
            lateral: lateral.constant,
            inverse_longitudinal_squared: (longitudinal.constant * longitudinal.constant).recip(),
            inverse_lateral: lateral.constant.recip(),
            growth,
        })
    }

    /// D² less the square of the lateral use.
    #[inline(always)]
    fn remaining_squared(&self, w: f64, curvature: f64) -> f64 {
        let lateral_use = curvature * self.inverse_lateral * w;
        let grip = 1.0 + self.growth * w;
        // As a product, which preserves precision where all of the grip is used.
        (grip - lateral_use) * (grip + lateral_use)
    }
}

impl Tyres for PlainTyres {
    #[inline(always)]
    fn cornering(&self, curvature: f64, ceiling: f64) -> f64 {
        // Net curvature after downforce; where it is not positive, more speed adds more grip than
        // it requires.
        let effective = curvature - self.lateral * self.growth;
        if effective * ceiling > self.lateral { self.lateral / effective } else { ceiling }
    }

    #[inline(always)]
    fn lateral(&self, w: f64) -> f64 {
        self.lateral * (1.0 + self.growth * w)
    }

    #[inline(always)]
    fn left(&mut self, w: f64, curvature: f64) -> f64 {
        self.longitudinal * self.remaining_squared(w, curvature).max(0.0).sqrt()
    }

    #[inline(always)]
    fn carry(&mut self, force: f64, whole: f64, w: f64, curvature: f64) -> bool {
        let room = self.remaining_squared(w, curvature);
        // The square of a negative difference must not pass the test.
        force * force * self.inverse_longitudinal_squared <= whole * whole * room
    }

    #[inline(always)]
    fn step(&mut self, base: f64, gain: f64, curvature: f64, _guess: f64) -> f64 {
        // Equation (1) is square t² + 2 half t = rest; base is below the limit, so rest is positive
        // and there is one positive root. Arranged so that few operations depend on base, which
        // each step takes from the previous one.
        let (k, g) = (curvature * self.inverse_lateral, self.growth);
        let rest = (1.0 - (k - g) * base) * (1.0 + (k + g) * base);
        let difference = (k - g) * (k + g);
        // Equation (2).
        let square = self.inverse_longitudinal_squared + gain * gain * difference;
        let half = gain * (difference * base - g);
        // Equation (3): half² + square rest, simplified.
        let root = (gain * gain * k * k + self.inverse_longitudinal_squared * rest).sqrt();
        if square > 0.0 { (root - half) * square.recip() } else { f64::INFINITY }
    }
}

/// Tyres with any exponent, with or without tables.
pub(super) struct AnyTyres<'a> {
    diagram: &'a GgDiagram,
    ellipse: Superellipse,
    longitudinal: Cursor<'a>,
    lateral: Cursor<'a>,
}

/// A curve and the piece that was used last.
struct Cursor<'a> {
    curve: &'a SpeedCurve,
    piece: usize,
}

impl Cursor<'_> {
    #[inline]
    fn at(&mut self, w: f64) -> f64 {
        self.curve.piece(w, &mut self.piece).at(w)
    }
}

/// The step is solved when w changes by less than this fraction.
const STEP_TOLERANCE: f64 = 1e-10;
/// Maximum number of iterations with limits from a table; two or three are usual.
const MAX_REPETITIONS: usize = 40;

impl<'a> AnyTyres<'a> {
    /// The tyres while braking and while driving.
    pub fn both(diagram: &'a GgDiagram) -> [Self; 2] {
        let cursor = |curve| Cursor { curve, piece: 0 };
        [(diagram.longitudinal(), diagram.ellipse()), diagram.driving()].map(|(longitudinal, ellipse)| Self {
            diagram,
            ellipse,
            longitudinal: cursor(longitudinal),
            lateral: cursor(diagram.lateral()),
        })
    }
}

impl Tyres for AnyTyres<'_> {
    fn cornering(&self, curvature: f64, ceiling: f64) -> f64 {
        self.diagram.cornering_speed_squared(curvature).min(ceiling)
    }

    fn lateral(&self, w: f64) -> f64 {
        self.diagram.lateral_limit(w)
    }

    fn left(&mut self, w: f64, curvature: f64) -> f64 {
        let lateral_use = (curvature * w / self.lateral.at(w)).min(1.0);
        self.longitudinal.at(w) * self.ellipse.remaining(lateral_use)
    }

    fn carry(&mut self, force: f64, whole: f64, w: f64, curvature: f64) -> bool {
        force <= whole * self.left(w, curvature)
    }

    fn step(&mut self, base: f64, gain: f64, curvature: f64, guess: f64) -> f64 {
        let ellipse = self.ellipse;
        let mut held = |w: f64, guess: f64| {
            let (longitudinal, lateral) = (self.longitudinal.at(w), self.lateral.at(w));
            step_with_limits_held(ellipse, longitudinal, curvature / lateral, base, gain, guess)
        };
        // (w, residual) of the last two iterates: the secant method, and the Illinois method where
        // they enclose the solution.
        let start = (base + gain * guess).max(0.0);
        let mut t = held(start, guess);
        let mut old = (start, start - (base + gain * t));
        let mut w = base + gain * t;
        if old.1.abs() <= STEP_TOLERANCE * w {
            return t;
        }
        t = held(w, t);
        let mut new = (w, w - (base + gain * t));
        for _ in 0..MAX_REPETITIONS {
            if new.1 == old.1 || new.1.abs() <= STEP_TOLERANCE * w {
                break;
            }
            w = (new.0 - new.1 * (new.0 - old.0) / (new.1 - old.1)).max(0.0);
            t = held(w, t);
            let residual = w - (base + gain * t);
            // Illinois method: the residual of an end that is kept twice in a row is halved, which
            // ensures convergence.
            old = if residual * new.1 < 0.0 { new } else { (old.0, old.1 / 2.0) };
            new = (w, residual);
        }
        t
    }
}

/// [`Tyres::step`] with the longitudinal limit fixed at `longitudinal` and the lateral use at `k`
/// w; zero where `base` is beyond the cornering limit.
fn step_with_limits_held(ellipse: Superellipse, longitudinal: f64, k: f64, base: f64, gain: f64, guess: f64) -> f64 {
    let use_at_base = k * base;
    if use_at_base >= 1.0 {
        return 0.0;
    }
    match ellipse {
        Superellipse::Diamond => (1.0 - use_at_base) / (longitudinal.recip() + k * gain),
        Superellipse::Ellipse => {
            let square = (longitudinal * longitudinal).recip() + gain * gain * k * k;
            let half = gain * k * use_at_base;
            let rest = (1.0 - use_at_base) * (1.0 + use_at_base);
            rest / (half + (half * half + square * rest).sqrt())
        }
        Superellipse::General { exponent } => {
            if k == 0.0 {
                return longitudinal;
            }
            // f(t) = (t / A_x)^p + (k w')^p - 1 increases and is convex: after the first iteration
            // Newton's method converges from above.
            let mut t = guess.clamp(0.0, longitudinal);
            for _ in 0..MAX_REPETITIONS {
                let (force, lateral_use) = (t / longitudinal, k * (base + gain * t).max(0.0));
                let (along, across) = (math::powf(force, exponent), math::powf(lateral_use, exponent));
                let slope_along = if t > 0.0 { along / t } else { 0.0 };
                let slope_across = if lateral_use > 0.0 { across / lateral_use } else { 0.0 };
                let slope = exponent * (slope_along + slope_across * k * gain);
                let next = if slope > 0.0 { t - (along + across - 1.0) / slope } else { longitudinal };
                let next = next.clamp(0.0, longitudinal);
                let moved = (next - t).abs();
                t = next;
                if moved <= STEP_TOLERANCE * longitudinal {
                    break;
                }
            }
            t
        }
    }
}

#[cfg(test)]
mod tests;
