//! Branch and bound over choices that make a lap slower: on which side to pass an obstacle, whether
//! to take a pick-up.
//!
//! Land and Doig, *An automatic method of solving discrete programming problems*, Econometrica 28
//! (1960), section 3: a lap with some choices still open is at most as slow as with them made, so
//! it bounds all laps that make them. A choice whose condition the lap satisfies anyway stays open.
//! The open combination with the smallest bound is branched next.
//!
//! With T the time of a lap, M the choices made and w the worth of a pick-up:
//!
//! ```text
//! V(M) = T(M) - Σ w                              over the pick-ups that the lap takes        (1)
//! r_i = max(0, min(T(i: first), T(i: second)) - T(root))                                     (2)
//! B(M) = V(M) + Σ_g c_g                                                                      (3)
//! c_g = min over k = 0, 1, … of max(m, r_1 … r_k) - (w_1 + … + w_k)                          (4)
//! ```
//!
//! V is the value, which is minimised. r_i is the rise: what choice i costs alone, measured at the
//! root. A pick-up that is left costs nothing, so its rise is that of taking it. B is a bound of
//! all combinations that extend M, over the groups g of open choices that are linked, each with m
//! the largest rise among its obstacles, and its pick-ups in the order of their rises. Linked
//! choices may make one another cheaper, so only the most expensive counts, and a choice that is
//! linked with one in M has a rise of 0.
//!
//! Deviation from the paper: (2) is a bound only if choices that are not linked don't make one
//! another cheaper. The caller links choices that are near one another on the road.

use std::collections::BTreeMap;

/// A choice.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Worth of the first alternative, s: 0 for an obstacle, whose both alternatives bar a side.
    pub worth_s: f64,
    /// Whether the second alternative bars nothing: a pick-up that is left.
    pub may_be_left: bool,
    /// The choices that may make it cheaper, by their index.
    pub linked: Vec<usize>,
}

/// A lap with some choices made.
#[derive(Clone, Debug)]
pub struct Relaxed<L> {
    /// Lap time, s.
    pub time_s: f64,
    /// Whether it satisfies each choice, made or open.
    pub satisfied: Vec<bool>,
    /// The lap.
    pub lap: L,
}

/// The choices made: `true` for the first alternative, `None` for an open choice.
pub type Made = Vec<Option<bool>>;

/// The best combination.
#[derive(Clone, Debug)]
pub struct Best<L> {
    /// The choices made; an open one is satisfied by the lap as it is.
    pub made: Made,
    /// The lap with these choices.
    pub relaxed: Relaxed<L>,
    /// Laps searched.
    pub laps: usize,
    /// Whether no combination is better. Otherwise the search ended at its limit of laps, or was
    /// greedy.
    pub is_proven: bool,
}

/// Why there is no combination.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure<E> {
    /// Neither alternative of this choice has a lap, whatever the others.
    Impossible(usize),
    /// No combination has a lap.
    NoneTogether,
    /// A lap cannot be searched.
    Lap(E),
}

/// Limits of the tree.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of laps searched.
    pub laps: usize,
    /// Combinations that are better by less than this are not searched, s.
    pub gap_s: f64,
    /// Decides one choice after the other, without going back.
    pub greedy: bool,
}

/// A lap that is known; `None` for one that does not exist.
type Entry<L> = Option<Relaxed<L>>;

struct Tree<'a, L, F> {
    choices: &'a [Choice],
    lap: F,
    known: BTreeMap<Made, Entry<L>>,
    /// The rise of each choice, (2), s.
    rises: Vec<f64>,
    laps: usize,
}

/// The combination with the smallest value that extends `made`, (1). `lap` returns `None` where the
/// choices leave no road.
///
/// ```
/// use raceline_solve::passing::{Choice, Limits, Made, Relaxed, branch_and_bound};
///
/// // Two obstacles: the left costs 1 s at the first and 3 s at the second, the right 2 s at both.
/// let costs = [[1.0, 2.0], [3.0, 2.0]];
/// let choice = Choice { worth_s: 0.0, may_be_left: false, linked: vec![] };
/// let lap = |made: &Made| {
///     let cost = |(i, side): (usize, &Option<bool>)| side.map_or(0.0, |left| costs[i][usize::from(!left)]);
///     let time_s = 60.0 + made.iter().enumerate().map(cost).sum::<f64>();
///     let satisfied = made.iter().map(Option::is_some).collect();
///     Ok::<_, ()>(Some(Relaxed { time_s, satisfied, lap: () }))
/// };
/// let limits = Limits { laps: 100, gap_s: 1e-6, greedy: false };
/// let best = branch_and_bound(&[choice.clone(), choice], vec![None, None], limits, lap).unwrap();
/// assert_eq!((best.made, best.relaxed.time_s), (vec![Some(true), Some(false)], 63.0));
/// assert!(best.is_proven);
/// ```
///
/// # Errors
/// See [`Failure`].
pub fn branch_and_bound<L: Clone, E>(
    choices: &[Choice],
    made: Made,
    limits: Limits,
    lap: impl FnMut(&Made) -> Result<Option<Relaxed<L>>, E>,
) -> Result<Best<L>, Failure<E>> {
    let mut tree = Tree { choices, lap, known: BTreeMap::new(), rises: vec![0.0; choices.len()], laps: 0 };
    let root = tree.relaxed(&made)?.ok_or(Failure::NoneTogether)?;
    let mut made = made;
    // Alternatives that are impossible alone are impossible in every combination.
    for i in tree.open(&made, &root) {
        let alone = |choice: bool| with(&made, i, choice);
        let first = tree.relaxed(&alone(true))?.map(|found| found.time_s);
        let second = if choices[i].may_be_left {
            Some(root.time_s)
        } else {
            tree.relaxed(&alone(false))?.map(|found| found.time_s)
        };
        let rise = match (first, second) {
            (None, None) => return Err(Failure::Impossible(i)),
            (Some(time_s), None) | (None, Some(time_s)) => time_s,
            (Some(first), Some(_)) if choices[i].may_be_left => first,
            (Some(first), Some(second)) => first.min(second),
        };
        tree.rises[i] = (rise - root.time_s).max(0.0); // equation (2)
        if first.is_none() || second.is_none() {
            made[i] = Some(first.is_some());
        }
    }
    let start = made.clone();
    let mut best: Option<(f64, Made, Relaxed<L>)> = None;
    let mut is_proven = !limits.greedy;
    let mut open = Vec::new();
    // The greedy start: the better child of each node, down to the first whole combination.
    if let Some(bound) = tree.visit(&start, &mut best)? {
        open.push((bound, start.clone()));
        let mut node = Some(start);
        while let Some(made) = node.take() {
            let mut children = Vec::new();
            for child in tree.children(&made)? {
                if let Some(bound) = tree.visit(&child, &mut best)? {
                    children.push((bound, child));
                }
            }
            children.sort_by(|a, b| a.0.total_cmp(&b.0));
            node = children.into_iter().next().map(|(_, child)| child);
        }
    }
    if limits.greedy {
        open.clear();
    }
    while let Some(next) = position_of_smallest(&open) {
        let (bound, made) = open.remove(next);
        if best.as_ref().is_some_and(|(value, ..)| bound >= value - limits.gap_s) {
            break;
        }
        if tree.laps >= limits.laps {
            is_proven = false;
            break;
        }
        for child in tree.children(&made)? {
            if let Some(bound) = tree.visit(&child, &mut best)? {
                open.push((bound, child));
            }
        }
    }
    let laps = tree.laps;
    let (_, made, relaxed) = best.ok_or(Failure::NoneTogether)?;
    Ok(Best { made, relaxed, laps, is_proven })
}

/// The open combination with the smallest bound, the first of equal ones.
fn position_of_smallest(open: &[(f64, Made)]) -> Option<usize> {
    (0..open.len()).min_by(|&a, &b| open[a].0.total_cmp(&open[b].0).then(a.cmp(&b)))
}

/// `made` with one more choice.
fn with(made: &Made, choice: usize, alternative: bool) -> Made {
    let mut more = made.clone();
    more[choice] = Some(alternative);
    more
}

impl<L: Clone, E, F: FnMut(&Made) -> Result<Option<Relaxed<L>>, E>> Tree<'_, L, F> {
    /// The lap with these choices. A choice that bars nothing changes no lap.
    fn relaxed(&mut self, made: &Made) -> Result<Entry<L>, Failure<E>> {
        let bars = |(i, choice): (usize, &Option<bool>)| choice.filter(|&first| first || !self.choices[i].may_be_left);
        let key: Made = made.iter().enumerate().map(bars).collect();
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let found = (self.lap)(&key).map_err(Failure::Lap)?;
        self.laps += 1;
        self.known.insert(key, found.clone());
        Ok(found)
    }

    /// The open choices that the lap does not satisfy.
    fn open(&self, made: &Made, found: &Relaxed<L>) -> Vec<usize> {
        (0..made.len()).filter(|&i| made[i].is_none() && !found.satisfied[i]).collect()
    }

    /// The bound of a combination, if it has a lap. The lap replaces `best` where its value is
    /// smaller.
    fn visit(&mut self, made: &Made, best: &mut Option<(f64, Made, Relaxed<L>)>) -> Result<Option<f64>, Failure<E>> {
        let Some(found) = self.relaxed(made)? else { return Ok(None) };
        let open = self.open(made, &found);
        let taken = |i: usize| made[i] == Some(true) || made[i].is_none() && found.satisfied[i];
        let worth: f64 = (0..made.len()).filter(|&i| taken(i)).map(|i| self.choices[i].worth_s).sum();
        let value = found.time_s - worth; // equation (1)
        // A lap through an obstacle is none yet; a pick-up that is not passed is left.
        let is_whole = open.iter().all(|&i| self.choices[i].may_be_left);
        if is_whole && best.as_ref().is_none_or(|(smallest, ..)| value < *smallest) {
            *best = Some((value, made.clone(), found));
        }
        Ok(Some(value + self.rest(made, &open))) // equation (3)
    }

    /// A lower bound on what the open choices change, the sum in (3).
    fn rest(&self, made: &Made, open: &[usize]) -> f64 {
        let choices = self.choices;
        // What a choice costs alone counts unless a linked one, which may make it cheaper, has been
        // made.
        let bars = |i: usize| made[i].is_some_and(|first| first || !choices[i].may_be_left);
        let rise = |i: usize| if choices[i].linked.iter().any(|&other| bars(other)) { 0.0 } else { self.rises[i] };
        let mut grouped = vec![false; choices.len()];
        let mut sum = 0.0;
        for &first in open {
            if grouped[first] {
                continue;
            }
            grouped[first] = true;
            let (mut group, mut next) = (vec![first], 0);
            while let Some(&member) = group.get(next) {
                for &other in &choices[member].linked {
                    if open.contains(&other) && !grouped[other] {
                        grouped[other] = true;
                        group.push(other);
                    }
                }
                next += 1;
            }
            let must = group.iter().filter(|&&i| !choices[i].may_be_left).map(|&i| rise(i)).fold(0.0, f64::max);
            let mut may: Vec<usize> = group.into_iter().filter(|&i| choices[i].may_be_left).collect();
            may.sort_by(|&a, &b| rise(a).total_cmp(&rise(b)).then(a.cmp(&b)));
            let (mut smallest, mut worth) = (must, 0.0);
            for i in may {
                worth += choices[i].worth_s;
                smallest = f64::min(smallest, rise(i).max(must) - worth); // equation (4)
            }
            sum += smallest;
        }
        sum
    }

    /// The two combinations with one more choice: an obstacle that the lap does not pass first,
    /// then the pick-up with the largest possible gain.
    fn children(&mut self, made: &Made) -> Result<Vec<Made>, Failure<E>> {
        let Some(found) = self.relaxed(made)? else { return Ok(Vec::new()) };
        let stake = |i: usize| {
            let Choice { worth_s, may_be_left, .. } = self.choices[i];
            if may_be_left { (0, worth_s - self.rises[i]) } else { (1, self.rises[i]) }
        };
        let open = self.open(made, &found);
        let next = open.into_iter().min_by(|&a, &b| {
            let (a, b) = (stake(a), stake(b));
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        Ok(next.map_or_else(Vec::new, |i| vec![with(made, i, true), with(made, i, false)]))
    }
}
