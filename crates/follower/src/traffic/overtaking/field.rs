//! How the others drive at each place: beside the path and how fast.

use crate::path::Path;
use crate::traffic::neighbours::Seen;

/// Places along the path that differ. More of them follow a line with many bends more closely,
/// and are known later.
const PLACES: usize = 256;
/// Observations of a place from which on it is known, and which a mean has at most: later ones count
/// for this part.
const KNOWN: u8 = 20;
const REMEMBERED: u8 = 60;
/// Weight below which nothing is known of a place, 0 to 1.
const UNKNOWN: f64 = 0.05;
/// Speeds by those of the path, and the smallest speed, m/s, of one who drives as usual. Wider ones
/// learn from those who spun.
const USUAL_PACES: [f64; 2] = [0.4, 1.3];
const USUAL_MPS: f64 = 8.0;

/// What the others were seen to do, all together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Field {
    /// m to the left of the path, and speeds by those of the path.
    offsets: [f32; PLACES],
    paces: [f32; PLACES],
    seen: [u8; PLACES],
}

/// How they drive at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Habit {
    /// m to the left of the path.
    pub offset: f64,
    /// Speed by that of the path.
    pub pace: f64,
    /// How well it is known, 0 to 1.
    pub known: f64,
}

impl Field {
    pub(super) const UNKNOWN: Self = Self { offsets: [0.0; PLACES], paces: [0.0; PLACES], seen: [0; PLACES] };

    /// Learns from a vehicle where the path's own speed is `top`, m/s.
    pub(super) fn learn(&mut self, path: &Path, seen: &Seen, top: f64) {
        let pace = seen.speed / top.max(1.0);
        if seen.slides || seen.speed < USUAL_MPS || !(USUAL_PACES[0]..USUAL_PACES[1]).contains(&pace) {
            return;
        }
        let at = (place(path, seen.s) as usize).min(PLACES - 1);
        let rate = 1.0 / (f32::from(self.seen[at]) + 1.0);
        self.offsets[at] += rate * (seen.offset as f32 - self.offsets[at]);
        self.paces[at] += rate * (pace as f32 - self.paces[at]);
        self.seen[at] = (self.seen[at] + 1).min(REMEMBERED);
    }

    /// How they drive at a distance along the path, where each place is known in its middle.
    pub(super) fn at(&self, path: &Path, s: f64) -> Habit {
        let place = (place(path, s) - 0.5).rem_euclid(PLACES as f64);
        let a = (place as usize).min(PLACES - 1);
        let b = match a + 1 {
            b if b < PLACES => b,
            _ if path.closed() => 0,
            _ => a,
        };
        let u = place - a as f64;
        let weight = |k: usize, part: f64| part * f64::from(self.seen[k].min(KNOWN)) / f64::from(KNOWN);
        let (wa, wb) = (weight(a, 1.0 - u), weight(b, u));
        let known = wa + wb;
        if known < UNKNOWN {
            return Habit { offset: 0.0, pace: 1.0, known: 0.0 };
        }
        let mean = |of: &[f32; PLACES]| (wa * f64::from(of[a]) + wb * f64::from(of[b])) / known;
        Habit { offset: mean(&self.offsets), pace: mean(&self.paces), known }
    }
}

fn place(path: &Path, s: f64) -> f64 {
    path.wrap(s) / path.length_m() * PLACES as f64
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Field, KNOWN, PLACES};
    use crate::path::{Path, Waypoint};
    use crate::traffic::neighbours::Seen;

    fn ring() -> Path {
        let at = |k: usize| (k as f64 / 720.0 * std::f64::consts::TAU).sin_cos();
        let points = (0..720).map(at).map(|(y, x)| Waypoint {
            position_m: [200.0 * x, 200.0 * y, 0.0],
            speed_mps: 40.0,
            ..Waypoint::default()
        });
        Path::new(points.collect(), true).unwrap()
    }

    #[test]
    fn the_line_and_the_pace_of_others_are_known_where_they_were_seen() {
        let (path, mut field) = (ring(), Field::UNKNOWN);
        let middle = |k: usize| path.length_m() * (k as f64 + 0.5) / PLACES as f64;
        assert_eq!(field.at(&path, middle(7)).known, 0.0);
        for count in 0..200 {
            let offset = 1.5 + 0.5 * if count % 2 == 0 { 1.0 } else { -1.0 };
            field.learn(&path, &Seen { s: middle(7), offset, speed: 36.0, ..Seen::default() }, 40.0);
        }
        let habit = field.at(&path, middle(7));
        assert!((habit.offset - 1.5).abs() < 0.05 && (habit.pace - 0.9).abs() < 1e-6, "{habit:?}");
        assert!((habit.known - 1.0).abs() < 1e-9, "{habit:?}");
        // Halfway to the next place, of which nothing is known, half as well; farther on not at all.
        let half = field.at(&path, 0.5 * (middle(7) + middle(8)));
        assert!((half.known - 0.5).abs() < 1e-9 && (half.offset - habit.offset).abs() < 1e-9, "{half:?}");
        assert_eq!(field.at(&path, middle(9)).known, 0.0);
    }

    #[test]
    fn the_first_place_follows_the_last() {
        let (path, mut field) = (ring(), Field::UNKNOWN);
        for (k, offset) in [(PLACES - 1, 2.0), (0, 1.0)] {
            let s = path.length_m() * (k as f64 + 0.5) / PLACES as f64;
            for _ in 0..KNOWN {
                field.learn(&path, &Seen { s, offset, speed: 36.0, ..Seen::default() }, 40.0);
            }
        }
        assert!((field.at(&path, 0.0).offset - 1.5).abs() < 1e-6);
    }

    #[test]
    fn who_spins_or_crawls_teaches_nothing() {
        let (path, mut field) = (ring(), Field::UNKNOWN);
        for seen in [
            Seen { speed: 36.0, slides: true, ..Seen::default() },
            Seen { speed: 5.0, ..Seen::default() },
            Seen { speed: 15.0, ..Seen::default() },
        ] {
            field.learn(&path, &Seen { s: 100.0, offset: 3.0, ..seen }, 40.0);
        }
        assert_eq!(field, Field::UNKNOWN);
    }
}
