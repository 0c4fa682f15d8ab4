//! The direction of a corner, and where a line bends in one.

use serde::Serialize;

/// The direction of a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// Counter-clockwise.
    Left,
    /// Clockwise.
    Right,
}

impl Turn {
    /// `left` or `right`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// Neighbouring places that bend to one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bending {
    /// Index of the first place.
    pub from: usize,
    /// Index after the last place; beyond the number of places where it leads over the end of a closed line.
    pub to: usize,
    pub turn: Turn,
}

/// The places whose curvature is beyond `threshold`, as one stretch for each change of the side, in the order from a
/// place at which none goes on; `None` where all places of a closed line are one stretch, or bend nowhere.
pub(super) fn bending(curvature: &[f64], threshold: f64, closed: bool) -> Option<Vec<Bending>> {
    let n = curvature.len();
    let side = |curvature: f64| match curvature {
        c if c > threshold => Some(Turn::Left),
        c if c < -threshold => Some(Turn::Right),
        _ => None,
    };
    let sides: Vec<Option<Turn>> = curvature.iter().map(|&here| side(here)).collect();
    let first = if closed { (0..n).find(|&i| sides[i] != sides[(i + n - 1) % n])? } else { 0 };
    let mut found = Vec::new();
    let mut i = 0;
    while i < n {
        let here = sides[(first + i) % n];
        let run = (i..n).take_while(|&k| sides[(first + k) % n] == here).count();
        found.extend(here.map(|turn| Bending { from: first + i, to: first + i + run, turn }));
        i += run;
    }
    Some(found)
}

/// The side of places that all bend to one.
pub(super) fn side_of_all(curvature: &[f64], threshold: f64) -> Option<Turn> {
    match curvature {
        [] => None,
        all if all.iter().all(|&here| here > threshold) => Some(Turn::Left),
        all if all.iter().all(|&here| here < -threshold) => Some(Turn::Right),
        _ => None,
    }
}
