//! A title in capital letters of straight strokes.

use super::centre_line::Point;
use super::coverage::Depth;

/// A word drawn with a pen of round tip.
#[derive(Clone, Debug)]
pub struct Title {
    /// Both ends of every stroke, metres.
    strokes: Vec<[Point; 2]>,
    half_pen: f64,
}

/// Strokes of the letters that there are, in a box one unit high and 0.6 wide.
const LETTERS: [(char, &[[f64; 4]]); 5] = [
    ('A', &[[0.0, 0.0, 0.3, 1.0], [0.3, 1.0, 0.6, 0.0], [0.12, 0.4, 0.48, 0.4]]),
    ('E', &[[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.6, 1.0], [0.0, 0.5, 0.5, 0.5], [0.0, 0.0, 0.6, 0.0]]),
    ('H', &[[0.0, 0.0, 0.0, 1.0], [0.6, 0.0, 0.6, 1.0], [0.0, 0.5, 0.6, 0.5]]),
    ('N', &[[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.6, 0.0], [0.6, 0.0, 0.6, 1.0]]),
    ('V', &[[0.0, 1.0, 0.3, 0.0], [0.3, 0.0, 0.6, 1.0]]),
];

/// From the beginning of a letter to the next, in heights.
const ADVANCE: f64 = 0.95;

impl Title {
    /// `text` from the lower left corner `at`, letters `height` high, pen `pen` wide, all in
    /// metres.
    pub fn new(text: &str, at: Point, height: f64, pen: f64) -> Result<Self, String> {
        let mut strokes = Vec::new();
        for (index, letter) in text.chars().enumerate() {
            let (_, shape) = LETTERS
                .iter()
                .find(|(name, _)| *name == letter)
                .ok_or(format!("no strokes for the letter {letter}"))?;
            let left = at[0] + index as f64 * ADVANCE * height;
            let place = |x: f64, y: f64| [left + x * height, at[1] + y * height];
            strokes.extend(shape.iter().map(|&[x0, y0, x1, y1]| [place(x0, y0), place(x1, y1)]));
        }
        Ok(Self { strokes, half_pen: pen / 2.0 })
    }

    /// Depth of a point inside the strokes.
    pub fn depth(&self, p: Point) -> Depth {
        let mut best = (f64::NEG_INFINITY, [1.0, 0.0]);
        for [from, to] in &self.strokes {
            let along = [to[0] - from[0], to[1] - from[1]];
            let offset = [p[0] - from[0], p[1] - from[1]];
            let fraction = (offset[0] * along[0] + offset[1] * along[1]) / (along[0] * along[0] + along[1] * along[1]);
            let fraction = fraction.clamp(0.0, 1.0);
            let away = [offset[0] - fraction * along[0], offset[1] - fraction * along[1]];
            let distance = away[0].hypot(away[1]);
            if self.half_pen - distance > best.0 {
                let scale = if distance > 0.0 { -1.0 / distance } else { 0.0 };
                best = (self.half_pen - distance, [away[0] * scale, away[1] * scale]);
            }
        }
        best
    }
}
