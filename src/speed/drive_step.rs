//! The implicit trapezoidal step of a vehicle that its drive limits.
//!
//! A step leads to w' = base + gain · d(w'), where d is the drive's acceleration at its end. On a piece of the drive's
//! [`SpeedCurve`] that is a linear equation in w', a quadratic one in v', or for a power the cubic `v³ - base v = gain · power`, which
//! is convex and of one positive root: Newton's method reaches it in a step or two from the accelerations before.

use crate::vehicle::{Piece, SpeedCurve};

/// Newton's method stops after a step by less than this share: it converges quadratically, so the error is the square of it.
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

    /// (w', d(w')) with w' = `base` + `gain` d(w'); `guess` is an acceleration near it.
    #[inline(always)]
    pub fn step(&mut self, base: f64, gain: f64, guess: f64) -> (f64, f64) {
        let pieces = self.curve.pieces();
        let mut piece = &pieces[self.piece];
        let mut end = solve(piece, base, gain, guess);
        if end.0 < piece.begin || end.0 >= piece.end {
            end = self.step_elsewhere(end, base, gain, guess);
            piece = &pieces[self.piece];
            // Rounding may put the end of a step that leads to where two pieces meet on the wrong side of both.
            end.0 = end.0.clamp(piece.begin, piece.end);
        }
        end
    }

    /// Goes from piece to piece towards the solution.
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

/// (w', d(w')) on the piece, continued beyond its ends; infinite where the drive outgrows the step.
#[inline(always)]
fn solve(piece: &Piece, base: f64, gain: f64, guess: f64) -> (f64, f64) {
    let Piece { constant, linear, square, inverse, .. } = *piece;
    if piece.is_rootless() {
        if square == 0.0 {
            return (base + gain * constant, constant);
        }
        let rest = 1.0 - gain * square;
        let w = if rest > 0.0 { (base + gain * constant) / rest } else { f64::INFINITY };
        return (w, constant + square * w);
    }
    if inverse == 0.0 {
        let rest = 1.0 - gain * square;
        if rest <= 0.0 {
            return (f64::INFINITY, f64::INFINITY);
        }
        let half = gain * linear;
        if square == 0.0 {
            // Most of a table; spares a division.
            let root = (half * half + 4.0 * (base + gain * constant)).max(0.0).sqrt();
            let v = (0.5 * (half + root)).max(0.0);
            return (v * v, constant + linear * v);
        }
        let root = (half * half + 4.0 * rest * (base + gain * constant)).max(0.0).sqrt();
        let v = ((half + root) / (2.0 * rest)).max(0.0);
        let w = v * v;
        return (w, constant + linear * v + square * w);
    }
    // The root is above √base, where the cubic is convex.
    let wanted = gain * inverse;
    let mut v = (base + gain * guess).max(base).max(0.0).sqrt();
    if v == 0.0 {
        v = wanted.cbrt();
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
