//! The factors by place, and the step that each takes at the end of a lap.

use super::evidence::{Bounds, Cell, Verdict};
use super::options::LearningOptions;

/// Rprop's factors of the step, above 1 and below 1, and its bounds as fractions of the first step.
/// Larger factors find the limit in fewer laps, with more faults before.
const LONGER: f64 = 1.2;
const SHORTER: f64 = 0.5;
const MIN_STEP: f64 = 0.1;
const MAX_STEP: f64 = 1.5;
/// The seconds about a place, before and behind it, and the fraction and the time by which they may
/// be slower: laps vary by so much without cause.
const BEFORE_S: f64 = 1.0;
const BEHIND_S: f64 = 3.0;
const AS_FAST: f64 = 1e-3;
const AS_FAST_S: f64 = 2e-3;

/// The places of a line: each with its factor and what the lap that is being driven shows.
#[derive(Clone, Debug)]
pub(super) struct Places {
    places: Vec<Place>,
    cells: Vec<Cell>,
    length_m: f64,
    closed: bool,
}

/// A place that has a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    factor: f64,
    /// In the fastest lap.
    best: f64,
    /// The last factor that was not worse than the one before, and the time at this place with it,
    /// s; NaN where it is not known.
    proven: f64,
    time_s: f64,
    step: f64,
    /// The side of the last step, 0 before the first.
    side: f64,
}

impl Places {
    /// `count` places with the factor 1, whose first step is `step`.
    pub fn new(count: usize, length_m: f64, closed: bool, step: f64) -> Self {
        let place = Place::new(1.0, step);
        Self { places: vec![place; count], cells: vec![Cell::default(); count], length_m, closed }
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Factors from a file, one a place.
    pub fn restore(&mut self, factors: &[f64], options: &LearningOptions) {
        for (place, factor) in self.places.iter_mut().zip(factors) {
            *place = Place::new(factor.clamp(options.lowest, options.highest), SHORTER * options.step);
        }
    }

    /// The factors to keep: those of the fastest lap if there is one, else those of now, at most 1.
    pub fn known(&self, has_best: bool) -> impl Iterator<Item = f64> + '_ {
        self.places.iter().map(move |place| place.known(has_best))
    }

    /// Returns to the factors to keep.
    pub fn settle(&mut self, has_best: bool) {
        for place in &mut self.places {
            place.factor = place.known(has_best);
        }
    }

    /// The factors of now are those of the fastest lap.
    pub fn keep(&mut self) {
        for place in &mut self.places {
            place.best = place.factor;
        }
    }

    /// Forgets what the lap showed.
    pub fn clear(&mut self) {
        self.cells.fill(Cell::default());
    }

    /// What the lap shows at arc length `s`.
    pub fn cell_at(&mut self, s: f64) -> &mut Cell {
        let count = self.cells.len();
        let index = (s / self.length_m * count as f64) as usize;
        &mut self.cells[index.min(count - 1)]
    }

    /// Whether the body left the corridor nowhere.
    pub fn are_clean(&self) -> bool {
        !self.cells.iter().any(|cell| cell.out)
    }

    /// Linear between the middles of the places, each averaged with its neighbours.
    pub fn factor(&self, s_m: f64) -> f64 {
        let count = self.places.len();
        let place = s_m / self.length_m * count as f64 - 0.5;
        let place = if place.is_finite() { place } else { 0.0 };
        let (low, fraction) = (place.floor(), place - place.floor());
        let at = |index: isize| {
            let index = if self.closed { index.rem_euclid(count as isize) } else { index.clamp(0, count as isize - 1) };
            self.places[index as usize].factor
        };
        let smooth = |index: isize| 0.25 * (at(index - 1) + at(index + 1)) + 0.5 * at(index);
        let low = low as isize;
        (1.0 - fraction) * smooth(low) + fraction * smooth(low + 1)
    }

    /// Divides the time of a frame among the places that the vehicle passed in it.
    pub fn spread_time(&mut self, from: f64, advance: f64, dt: f64) {
        let count = self.cells.len();
        let width = self.length_m / count as f64;
        let (low, high) = (from / width, (from + advance) / width);
        let pieces = (high.floor() - low.floor()).abs() as usize;
        if advance <= 0.0 || pieces == 0 || pieces > count {
            self.cells[(low as usize).min(count - 1)].time_s += dt;
            return;
        }
        for piece in 0..=pieces {
            let start = low.max(low.floor() + piece as f64);
            let end = high.min(low.floor() + piece as f64 + 1.0);
            let index = low as usize + piece;
            if self.closed || index < count {
                self.cells[index % count].time_s += dt * ((end - start) / (high - low)).max(0.0);
            }
        }
    }

    /// Every factor takes its step; the numbers of those that were raised and lowered. None is raised
    /// unless the fastest lap is `known`.
    pub fn step(&mut self, known: bool, options: &LearningOptions) -> (usize, usize) {
        let (mut raised, mut lowered) = (0, 0);
        self.judge(options);
        for index in 0..self.places.len() {
            let slower = self.is_slower_about(index);
            let (place, cell) = (&mut self.places[index], &mut self.cells[index]);
            let verdict = cell.verdict;
            if verdict == Verdict::Slower {
                if place.factor > options.lowest {
                    place.turn(-1.0, options);
                    // Not proven any more, but no higher than what was.
                    let lower = (place.factor - place.step).min(if place.factor > place.proven {
                        place.proven
                    } else {
                        f64::INFINITY
                    });
                    place.factor = lower.max(options.lowest);
                    lowered += 1;
                }
                (place.proven, place.time_s) = (place.factor, f64::NAN);
                continue;
            }
            if slower && place.factor != place.proven {
                place.turn(-1.0, options);
                (place.factor, place.side) = (place.proven, 0.0);
                continue;
            }
            (place.proven, cell.proven) = (place.factor, true);
            if verdict == Verdict::Tamer && place.factor > options.lowest {
                place.turn(-1.0, options);
                place.factor = (place.factor - place.step).max(options.lowest);
                lowered += 1;
            }
            if verdict == Verdict::Faster && known && place.factor < options.highest {
                place.turn(1.0, options);
                place.factor = (place.factor + place.step).min(options.highest);
                raised += 1;
            }
        }
        for (place, cell) in self.places.iter_mut().zip(&self.cells) {
            // Where the step was taken back, the time stays that of the proven factor.
            if cell.verdict != Verdict::Slower && cell.proven {
                place.time_s = cell.time_s;
            }
        }
        (raised, lowered)
    }

    /// Lowers the factors before a fault, and those to keep; the number of them.
    pub fn retreat(&mut self, options: &LearningOptions) -> usize {
        self.judge(options);
        let mut lowered = 0;
        for (place, cell) in self.places.iter_mut().zip(&self.cells) {
            if cell.verdict == Verdict::Slower && place.factor > options.lowest {
                place.factor = (place.factor - options.step).max(options.lowest);
                place.best = place.factor;
                lowered += 1;
            }
        }
        lowered
    }

    /// Whether the seconds about a place took longer than with the proven factors.
    fn is_slower_about(&self, index: usize) -> bool {
        let count = self.places.len();
        let (mut now, mut then) = (0.0, 0.0);
        let mut add = |index: usize| {
            let (place, cell) = (&self.places[index], &self.cells[index]);
            if place.time_s.is_finite() {
                (now, then) = (now + cell.time_s, then + place.time_s);
            }
            cell.time_s
        };
        let (mut before, mut behind) = (0.0, add(index));
        for step in 1..count {
            if before < BEFORE_S && (self.closed || step <= index) {
                before += add((index + count - step) % count);
            }
            if behind < BEHIND_S && (self.closed || index + step < count) {
                behind += add((index + step) % count);
            } else if before >= BEFORE_S {
                break;
            }
        }
        now > then * (1.0 + AS_FAST) + AS_FAST_S
    }

    /// The verdict of each place: its own, and lower where a fault follows within the time of blame.
    fn judge(&mut self, options: &LearningOptions) {
        let bounds = Bounds::new(options.host_reports_faults);
        let count = self.cells.len();
        for cell in &mut self.cells {
            cell.verdict = cell.own_verdict(&bounds);
        }
        let mut since_fault = [f64::INFINITY; 2];
        // Twice around, so that a fault behind the start line counts before it.
        let rounds = if self.closed { 2 } else { 1 };
        for _ in 0..rounds {
            for index in (0..count).rev() {
                let cell = &mut self.cells[index];
                for (since, fault) in since_fault.iter_mut().zip([Verdict::Tamer, Verdict::Slower]) {
                    if cell.own_verdict(&bounds) == fault {
                        *since = 0.0;
                    } else {
                        *since += cell.seconds;
                    }
                    if *since <= options.blame_s && cell.verdict != Verdict::Slower {
                        cell.verdict = fault;
                    }
                }
            }
        }
    }
}

impl Place {
    fn new(factor: f64, step: f64) -> Self {
        Self { factor, best: factor, proven: factor, time_s: f64::NAN, step, side: 0.0 }
    }

    fn known(&self, has_best: bool) -> f64 {
        if has_best { self.best } else { self.factor.min(1.0) }
    }

    /// The step after one to `side`.
    fn turn(&mut self, side: f64, options: &LearningOptions) {
        if self.side != 0.0 {
            let factor = if self.side == side { LONGER } else { SHORTER };
            self.step = (self.step * factor).clamp(MIN_STEP * options.step, MAX_STEP * options.step);
        }
        self.side = side;
    }
}

#[cfg(test)]
mod tests;
