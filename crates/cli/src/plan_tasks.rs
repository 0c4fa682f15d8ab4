//! What `raceline plan --tasks` reports: each planner over seeded tasks, as a table or as JSON.

use std::time::Instant;

use anyhow::anyhow;
use serde::Serialize;

use super::report::Failure;
use super::text_table::text_table;
use raceline::pipeline::Progress;
use raceline_plan::{self as plan, FreeSpace, Plan, PlanError, PlannerKind};
use raceline_road::geometry::Point;

/// A path counts as good as the best one if its time exceeds it by less than this.
const NEAR: f64 = 0.02;

/// All planners over the same tasks.
#[derive(Debug, Serialize)]
pub struct Tried {
    tasks: usize,
    seed: u64,
    /// Tasks that some planner solves.
    solvable: usize,
    planners: Vec<PlannerTried>,
}

/// A planner over all tasks; means and sums are over those that it solves.
#[derive(Debug, Serialize)]
struct PlannerTried {
    planner: &'static str,
    found: usize,
    /// Paths whose estimated time is within 2 % of the best planner's.
    within_2_percent: usize,
    mean_length_m: f64,
    mean_estimated_time_s: f64,
    /// Sum of its estimated times over that of the best ones, less 1, in percent.
    excess_percent: f64,
    mean_nodes_expanded: f64,
    /// Not in the JSON, which is the same each time.
    #[serde(skip)]
    milliseconds: f64,
}

/// Plans `count` tasks with each of `kinds`.
pub fn run(
    kinds: &[PlannerKind],
    find: impl Fn(PlannerKind, &[Point], bool) -> Result<Plan, PlanError>,
    space: &FreeSpace,
    (count, seed): (usize, u64),
    progress: &dyn Progress,
) -> Result<Tried, Failure> {
    let tasks = plan::tasks(space, count, seed);
    if tasks.is_empty() {
        return Err(Failure::Job(anyhow!("the map has no place with room for the vehicle: check its scale")));
    }
    let mut best = vec![f64::INFINITY; tasks.len()];
    let mut results = Vec::new();
    for &kind in kinds {
        progress.stage(kind.name());
        let begun = Instant::now();
        let mut found = Vec::with_capacity(tasks.len());
        for (done, (task, best)) in tasks.iter().zip(&mut best).enumerate() {
            progress.step(done, tasks.len(), "");
            match find(kind, task, false) {
                Ok(plan) => {
                    *best = best.min(plan.estimated_time_s);
                    found.push(Some(plan));
                }
                Err(PlanError::NoPath { .. } | PlanError::NoTurn { .. } | PlanError::GaveUp { .. }) => found.push(None),
                Err(error) => return Err(error.into()),
            }
        }
        let milliseconds = begun.elapsed().as_secs_f64() * 1e3 / tasks.len() as f64;
        results.push((kind, found, milliseconds));
    }
    let solvable = best.iter().filter(|time| time.is_finite()).count();
    let planners =
        results.iter().map(|(kind, found, milliseconds)| summary(*kind, found, &best, *milliseconds)).collect();
    Ok(Tried { tasks: tasks.len(), seed, solvable, planners })
}

fn summary(kind: PlannerKind, found: &[Option<Plan>], best: &[f64], milliseconds: f64) -> PlannerTried {
    let plans: Vec<(&Plan, f64)> =
        found.iter().zip(best).filter_map(|(plan, &best)| Some((plan.as_ref()?, best))).collect();
    let sum = |value: &dyn Fn(&Plan) -> f64| plans.iter().map(|&(plan, _)| value(plan)).sum::<f64>();
    let number = plans.len().max(1) as f64;
    let min: f64 = plans.iter().map(|&(_, best)| best).sum();
    let is_near = |&&(plan, best): &&(&Plan, f64)| plan.estimated_time_s <= (1.0 + NEAR) * best;
    let time_s = sum(&|plan| plan.estimated_time_s);
    PlannerTried {
        planner: kind.name(),
        found: plans.len(),
        within_2_percent: plans.iter().filter(is_near).count(),
        mean_length_m: sum(&|plan| plan.length_m) / number,
        mean_estimated_time_s: time_s / number,
        excess_percent: (time_s / min.max(1e-9) - 1.0) * 100.0,
        mean_nodes_expanded: sum(&|plan| plan.nodes_expanded as f64) / number,
        milliseconds,
    }
}

impl Tried {
    /// Whether some planner has a path for some task.
    pub fn is_solvable(&self) -> bool {
        self.solvable > 0
    }

    /// The table, with a line about the tasks.
    pub fn table(&self) -> String {
        let names = ["planner", "found", "within 2 %", "mean length", "estimated time", "excess", "expanded", "time"];
        let row = |tried: &PlannerTried| {
            vec![
                tried.planner.to_owned(),
                format!("{}/{}", tried.found, self.solvable),
                tried.within_2_percent.to_string(),
                format!("{:.2} m", tried.mean_length_m),
                format!("{:.3} s", tried.mean_estimated_time_s),
                format!("{:.2} %", tried.excess_percent),
                format!("{:.0}", tried.mean_nodes_expanded),
                format!("{:.1} ms", tried.milliseconds),
            ]
        };
        let rows: Vec<_> =
            std::iter::once(names.map(str::to_owned).to_vec()).chain(self.planners.iter().map(row)).collect();
        let &Self { tasks, seed, solvable, .. } = self;
        let note =
            format!("  {tasks} tasks, seed {seed}: {solvable} solved by some planner, {} by none\n", tasks - solvable);
        text_table(&rows, 1) + &note
    }
}
