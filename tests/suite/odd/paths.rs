//! Paths that roads follow, in pixels with rows downwards, and their lengths.

use std::f64::consts::{PI, TAU};

/// A chain of straight pieces, closed or open.
#[derive(Clone)]
pub struct Path {
    pub points: Vec<[f64; 2]>,
    pub closed: bool,
}

impl Path {
    pub fn pieces(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
        let n = self.points.len();
        (0..if self.closed { n } else { n - 1 }).map(move |i| (self.points[i], self.points[(i + 1) % n]))
    }

    pub fn length(&self) -> f64 {
        self.pieces().map(|(a, b)| (b[0] - a[0]).hypot(b[1] - a[1])).sum()
    }

    /// The path turned about a centre.
    pub fn turned(mut self, centre: (f64, f64), degrees: f64) -> Self {
        let (sin, cos) = degrees.to_radians().sin_cos();
        for p in &mut self.points {
            let (x, y) = (p[0] - centre.0, p[1] - centre.1);
            *p = [centre.0 + cos * x - sin * y, centre.1 + sin * x + cos * y];
        }
        self
    }
}

/// A closed path through the values of `at` for parameters from 0 to 1.
pub fn closed(count: usize, at: impl Fn(f64) -> [f64; 2]) -> Path {
    Path { points: (0..count).map(|i| at(i as f64 / count as f64)).collect(), closed: true }
}

/// An open path, the parameter 1 included.
pub fn open(count: usize, at: impl Fn(f64) -> [f64; 2]) -> Path {
    Path { points: (0..=count).map(|i| at(i as f64 / count as f64)).collect(), closed: false }
}

/// An open path through corners.
pub fn through(points: &[[f64; 2]]) -> Path {
    Path { points: points.to_vec(), closed: false }
}

/// A closed path through corners.
pub fn round(points: &[[f64; 2]]) -> Path {
    Path { points: points.to_vec(), closed: true }
}

pub fn circle(column: f64, row: f64, radius: f64) -> Path {
    arc(column, row, radius, 0.0, 360.0, true)
}

/// Part of a circle, from one angle to another, degrees clockwise as seen.
pub fn arc(column: f64, row: f64, radius: f64, from: f64, to: f64, closes: bool) -> Path {
    let at = |t: f64| {
        let angle = (from + (to - from) * t).to_radians();
        [column + radius * angle.cos(), row + radius * angle.sin()]
    };
    if closes { closed(120, at) } else { open(120, at) }
}

pub fn ellipse(column: f64, row: f64, a: f64, b: f64) -> Path {
    closed(160, |t| [column + a * (TAU * t).cos(), row + b * (TAU * t).sin()])
}

/// A circle whose radius swings.
pub fn wavy(column: f64, row: f64, radius: f64, swing: f64, waves: f64) -> Path {
    closed(360, |t| {
        let r = radius * (1.0 + swing * (TAU * waves * t).cos());
        [column + r * (TAU * t).cos(), row + r * (TAU * t).sin()]
    })
}

/// An Archimedean spiral.
pub fn spiral(column: f64, row: f64, radii: (f64, f64), turns: f64) -> Path {
    open(240, |t| {
        let (r, angle) = (radii.0 + (radii.1 - radii.0) * t, TAU * turns * t);
        [column + r * angle.cos(), row + r * angle.sin()]
    })
}

/// A loop wound up: two arms of a spiral side by side, joined at both ends.
pub fn double_spiral(column: f64, row: f64, radii: (f64, f64), turns: f64, apart: f64) -> Path {
    let mut points = spiral(column, row, radii, turns).points;
    points.extend(spiral(column, row, (radii.0 + apart, radii.1 + apart), turns).points.into_iter().rev());
    Path { points, closed: true }
}

/// A figure with `crossings` crossings on a horizontal axis: x runs once to and fro, y swings
/// between.
pub fn lissajous(column: f64, row: f64, a: f64, b: f64, lobes: f64) -> Path {
    closed(480, |t| [column + a * (TAU * t).cos(), row + b * (TAU * lobes * t).sin()])
}

/// A figure-eight of two lobes of different sizes whose legs cross at right angles.
pub fn unequal_eight(column: f64, row: f64, small: f64, large: f64) -> Path {
    closed(480, |t| {
        let angle = TAU * t;
        // Gerono's lemniscate, each half at its own size.
        let size = if angle.cos() > 0.0 { large } else { small };
        [column + size * angle.cos(), row + size * angle.sin() * angle.cos()]
    })
}

/// Two straights of a length, joined by half circles of a radius.
pub fn stadium(column: f64, row: f64, straight: f64, radius: f64) -> Path {
    let half = |centre: f64, from: f64| {
        (0..=60).map(move |i| {
            let angle = from + PI * f64::from(i) / 60.0;
            [centre + radius * angle.cos(), row + radius * angle.sin()]
        })
    };
    let points = half(column + straight / 2.0, -PI / 2.0).chain(half(column - straight / 2.0, PI / 2.0));
    Path { points: points.collect(), closed: true }
}

/// A star of alternating radii.
pub fn star(column: f64, row: f64, radii: (f64, f64), tips: u32) -> Path {
    let points = (0..2 * tips).map(|i| {
        let angle = PI * f64::from(i) / f64::from(tips) - PI / 2.0;
        let r = if i % 2 == 0 { radii.0 } else { radii.1 };
        [column + r * angle.cos(), row + r * angle.sin()]
    });
    Path { points: points.collect(), closed: true }
}

/// A closed path with teeth: up and down `teeth` times, back along the bottom.
pub fn comb(left: f64, top: f64, bottom: f64, pitch: f64, teeth: u32) -> Path {
    let mut points = Vec::new();
    for i in 0..teeth {
        let x = left + f64::from(2 * i) * pitch;
        points.extend([[x, bottom], [x, top], [x + pitch, top], [x + pitch, bottom]]);
    }
    let right = left + f64::from(2 * teeth - 1) * pitch;
    points.extend([[right, bottom + pitch], [left, bottom + pitch]]);
    // From one tooth to the next the path runs along `bottom`, and back along one pitch below it.
    points.rotate_left(1);
    round(&points)
}
