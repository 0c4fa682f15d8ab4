//! Heights along the edges of a segment.

use super::xml::Section;
use raceline_numerics::math;
use raceline_road::construction::ImportError;

/// A value of the left and of the right edge.
pub(super) type Pair = [f64; 2];

/// Steps of a track, at most: a lap of 200 km in steps of 20 cm.
pub(super) const MAX_STEPS: usize = 1_000_000;
/// Banking beyond this is no road, radians.
const STEEPEST: f64 = 1.4;

/// What one segment leaves to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeightState {
    /// Width of the road, metres.
    pub width_m: f64,
    /// Length of a step where a segment has none of its own, metres; 0 for one step.
    pub step_m: f64,
    /// Heights at the end, metres.
    end_m: Pair,
    /// Slopes of the profile at the end.
    tangents: Pair,
    /// Grade, once a segment had one.
    grade: Option<f64>,
}

/// The heights of a segment.
pub(super) struct Profile {
    pub steps: usize,
    length_m: f64,
    from_m: Pair,
    to_m: Pair,
    from_slope: Pair,
    to_slope: Pair,
}

impl HeightState {
    /// The state before the first segment, at the height `start_m`.
    pub fn new(width_m: f64, step_m: f64, start_m: f64) -> Self {
        Self { width_m, step_m, end_m: [start_m; 2], tangents: [0.0; 2], grade: None }
    }

    /// The profile of the next segment, which is `length_m` long.
    ///
    /// Heights: `z start` and `z end`, else those of each edge, else those at the last segment's end.
    /// Without `z end`, the grade, which holds on, gives the height of the middle. Banking turns the
    /// edges about their middle; without it, they differ as the edges' heights do.
    ///
    /// # Errors
    /// Numbers that make no profile.
    pub fn next(&mut self, segment: &Section, length_m: f64) -> Result<Profile, ImportError> {
        let start_m = edges_of(segment, "z start", self.end_m)?;
        let from_m = self.banked(segment, "banking start", start_m)?;
        self.grade = segment.number("grade")?.or(self.grade);
        let mut end_m = edges_of(segment, "z end", self.end_m)?;
        if let (None, Some(grade)) = (segment.number("z end")?, self.grade) {
            let rise = middle(start_m) + grade * length_m - middle(end_m);
            end_m = end_m.map(|z| z + rise);
        }
        let to_m = self.banked(segment, "banking end", end_m)?;
        self.end_m = to_m;
        let is_linear = segment.text("profil").is_some_and(|profile| profile == "linear");
        if is_linear {
            let slope = |edge: usize| if length_m > 0.0 { (to_m[edge] - from_m[edge]) / length_m } else { 0.0 };
            self.tangents = [slope(0), slope(1)];
            let (from_slope, to_slope) = (self.tangents, self.tangents);
            return Ok(Profile { steps: 1, length_m, from_m, to_m, from_slope, to_slope });
        }
        let from_slope = edges_of(segment, "profil start tangent", self.tangents)?;
        let to_slope = edges_of(segment, "profil end tangent", self.tangents)?;
        self.tangents = to_slope;
        Ok(Profile { steps: self.steps(segment, length_m)?, length_m, from_m, to_m, from_slope, to_slope })
    }

    /// Both heights, turned about their middle as far as the segment is banked.
    fn banked(&self, segment: &Section, name: &str, heights: Pair) -> Result<Pair, ImportError> {
        let Some(banking) = segment.number(name)? else { return Ok(heights) };
        if banking.abs() > STEEPEST {
            let problem = format!("{name} is {:.0} degrees", banking.to_degrees());
            return Err(segment.error(problem, "give at most 80 degrees"));
        }
        let half = math::tan(banking) * self.width_m / 2.0;
        Ok([middle(heights) + half, middle(heights) - half])
    }

    fn steps(&self, segment: &Section, length_m: f64) -> Result<usize, ImportError> {
        let specified = segment.number("profil steps")?.unwrap_or(1.0).trunc();
        let steps = if specified == 1.0 {
            let step_m = segment.number("profil steps length")?.unwrap_or(self.step_m);
            if step_m == 0.0 { 1.0 } else { (length_m / step_m).trunc() + 1.0 }
        } else {
            specified
        };
        if !(1.0..=MAX_STEPS as f64).contains(&steps) {
            let problem = format!("its profile has {steps:.0} steps");
            return Err(segment.error(problem, "give profil steps length in metres, some metres long"));
        }
        Ok(steps as usize)
    }
}

/// A number for both edges, else for each, else that of `otherwise`.
fn edges_of(segment: &Section, name: &str, otherwise: Pair) -> Result<Pair, ImportError> {
    let left = segment.number(&format!("{name} left"))?.unwrap_or(otherwise[0]);
    let right = segment.number(&format!("{name} right"))?.unwrap_or(otherwise[1]);
    Ok(segment.number(name)?.map_or([left, right], |both| [both; 2]))
}

fn middle(heights: Pair) -> f64 {
    f64::midpoint(heights[0], heights[1])
}

impl Profile {
    /// Heights of both edges at this fraction of the segment: cubic Hermite splines.
    pub fn at(&self, fraction: f64) -> Pair {
        let (t, rest) = (fraction, 1.0 - fraction);
        [0, 1].map(|edge| {
            let change = self.to_m[edge] - self.from_m[edge];
            let start = self.from_slope[edge] * self.length_m - change;
            let end = change - self.to_slope[edge] * self.length_m;
            self.from_m[edge] + t * change + t * rest * (rest * start + t * end)
        })
    }
}
