//! The implicit trapezoidal step where the drive limits the vehicle.
//!
//! A step leads to w' = base + gain · d(w'), where d is the drive's acceleration at its end. On a
//! piece of the drive's [`SpeedCurve`] with the coefficients a, b, c and p this is a linear
//! equation in w' = v'², a quadratic one in v', or for constant power a cubic one:
//!
//! ```text
//! d = a + c w'                w' (1 - gain c) = base + gain a                                (1)
//! d = a + b v' + c w'         v'² (1 - gain c) - gain b v' = base + gain a                   (2)
//! d = p / v'                  v'³ - base v' = gain p                                         (3)
//! ```
//!
//! The cubic is convex and has one positive root, which Newton's method finds in one or two
//! iterations from the previous acceleration.

use raceline_car::{Piece, SpeedCurve};
use raceline_numerics::math;

/// Newton's method stops after an iteration with a relative change below this: it converges
/// quadratically, so the error is about the square of it.
const NEWTON_TOLERANCE: f64 = 1e-5;
const MAX_NEWTON_STEPS: usize = 30;

/// The drive's curve and the piece that was used last.
pub(super) struct DriveStep<'a> {
    curve: &'a SpeedCurve,
    piece: usize,
}

impl<'a> DriveStep<'a> {
    pub fn new(curve: &'a SpeedCurve) -> Self {
        Self { curve, piece: 0 }
    }

    /// The acceleration at `w`, m/s².
    #[inline(always)]
    pub fn at(&mut self, w: f64) -> f64 {
        self.curve.piece(w, &mut self.piece).at(w)
    }

    /// Returns (w', d(w')) with w' = `base` + `gain` d(w'); `guess` is an estimate of the
    /// acceleration.
    #[inline(always)]
    pub fn step(&mut self, base: f64, gain: f64, guess: f64) -> (f64, f64) {
        let pieces = self.curve.pieces();
        let mut piece = &pieces[self.piece];
        let mut end = solve(piece, base, gain, guess);
        if end.0 < piece.begin || end.0 >= piece.end {
            end = self.step_elsewhere(end, base, gain, guess);
            piece = &pieces[self.piece];
            // At the joint of two pieces, rounding may place the solution outside both.
            end.0 = end.0.clamp(piece.begin, piece.end);
        }
        end
    }

    /// Moves from piece to piece towards the solution.
    #[cold]
    fn step_elsewhere(&mut self, mut end: (f64, f64), base: f64, gain: f64, guess: f64) -> (f64, f64) {
        let pieces = self.curve.pieces();
        let upwards = end.0 >= pieces[self.piece].end;
        loop {
            let piece = &pieces[self.piece];
            if upwards && end.0 >= piece.end && self.piece + 1 < pieces.len() {
                self.piece += 1;
            } else if !upwards && end.0 < piece.begin && self.piece > 0 {
                self.piece -= 1;
            } else {
                return end;
            }
            end = solve(&pieces[self.piece], base, gain, guess);
        }
    }
}

/// Returns (w', d(w')) on the piece, extrapolated beyond its ends; infinite where d(w') grows
/// faster than the step allows.
#[inline(always)]
fn solve(piece: &Piece, base: f64, gain: f64, guess: f64) -> (f64, f64) {
    let Piece { constant, linear, square, inverse, .. } = *piece;
    // Equation (1).
    if piece.is_rootless() {
        if square == 0.0 {
            return (base + gain * constant, constant);
        }
        let rest = 1.0 - gain * square;
        let w = if rest > 0.0 { (base + gain * constant) / rest } else { f64::INFINITY };
        return (w, constant + square * w);
    }
    // Equation (2).
    if inverse == 0.0 {
        let rest = 1.0 - gain * square;
        let half = gain * linear;
        if rest <= 0.0 {
            // A valley of the drive: the lower of two roots, at which w' overtakes the step.
            let discriminant = half * half + 4.0 * rest * (base + gain * constant);
            if half >= 0.0 || discriminant < 0.0 {
                return (f64::INFINITY, f64::INFINITY);
            }
            let v = (2.0 * (base + gain * constant) / (discriminant.sqrt() - half)).max(0.0);
            return (v * v, constant + (linear + square * v) * v);
        }
        if square == 0.0 {
            // Nearly all pieces of a table are of this kind; avoids a division.
            let root = (half * half + 4.0 * (base + gain * constant)).max(0.0).sqrt();
            let v = (0.5 * (half + root)).max(0.0);
            return (v * v, constant + linear * v);
        }
        let root = (half * half + 4.0 * rest * (base + gain * constant)).max(0.0).sqrt();
        let v = ((half + root) / (2.0 * rest)).max(0.0);
        let w = v * v;
        return (w, constant + linear * v + square * w);
    }
    // Equation (3). The root is above √base, where the cubic is convex.
    let wanted = gain * inverse;
    let mut v = (base + gain * guess).max(base).max(0.0).sqrt();
    if v == 0.0 {
        v = math::cbrt(wanted);
    }
    for _ in 0..MAX_NEWTON_STEPS {
        let next = (2.0 * v * v * v + wanted) / (3.0 * v * v - base);
        let moved = (next - v).abs();
        v = next;
        if moved <= NEWTON_TOLERANCE * v {
            break;
        }
    }
    (v * v, inverse / v)
}

#[cfg(test)]
mod tests;
