//! Hierarchical task networks: a task is decomposed until only operators are left.
//!
//! The search is the procedure SHOP of Nau, Cao, Lotem and Muñoz-Avila, *SHOP: Simple Hierarchical Ordered
//! Planner* (IJCAI 1999): tasks are decomposed in the order in which they will be done, so that the state is
//! known at each of them; the methods of a task are tried in their order, with backtracking. An axiom of
//! SHOP, which derives a fact from others, is a function of the state here. Beyond SHOP, costs have a bound
//! ([`Domain::bound`]) and the search may go on to the cheapest plan by branch and bound, as SHOP2 does (Nau
//! et al. 2003, section 5).

use std::collections::BTreeMap;

/// What a planner knows of a problem.
pub trait Domain {
    /// The state of the world.
    type State: Clone;
    /// What there is to do.
    type Task: Clone;
    /// What [`Self::key`] gives.
    type Key: Ord;

    /// The operator of a primitive `task`, or the methods of a compound one, in `state`.
    fn expand(&self, state: &Self::State, task: &Self::Task) -> Expansion<Self::State, Self::Task>;

    /// A cost that no plan for `tasks` from `state` is below; 0 is always right where no cost is negative.
    /// The last task is done first.
    fn bound(&self, _state: &Self::State, _tasks: &[Self::Task]) -> f64 {
        0.0
    }

    /// What two nodes of the search have in common that have the same plans from here on, at the same costs.
    /// Of such nodes only the cheapest is followed. `None` where nothing is known. The last of `tasks` is
    /// done first.
    fn key(&self, _state: &Self::State, _tasks: &[Self::Task]) -> Option<Self::Key> {
        None
    }
}

/// What a task comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Expansion<S, T> {
    /// The state after a primitive task, and what the task costs.
    Operator(S, f64),
    /// The methods of a compound task whose preconditions hold, the preferred one first. A method is the
    /// tasks into which it decomposes, in their order.
    Methods(Vec<Vec<T>>),
    /// Not possible in this state.
    Impossible,
}

/// Which plan is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The first one by the order of the methods, as in SHOP.
    First,
    /// The cheapest; of equal ones the first.
    Cheapest,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<T> {
    /// Primitive tasks in their order, with the cost of the plan; `None` where there is no plan.
    pub plan: Option<(Vec<T>, f64)>,
    /// Number of tasks that were expanded.
    pub expanded: usize,
    /// Whether the search came to its end. If not, there may be a plan, or a cheaper one.
    pub is_complete: bool,
}

/// A node of the search.
struct Node<S, T> {
    state: S,
    /// Tasks that are left, the next one last.
    tasks: Vec<T>,
    cost: f64,
    /// The last operator, in the list of all.
    last: Option<usize>,
}

/// Searches a plan for `tasks`, in their order, from `state`. At most `max_expanded` tasks are expanded.
///
/// ```
/// use raceline_tactics::planning::{Domain, Expansion, Goal, plan};
///
/// /// Coins of 1, 5 and 7 for an amount.
/// struct Coins;
/// impl Domain for Coins {
///     type State = i32;
///     type Task = i32;
///     type Key = i32;
///     fn expand(&self, left: &i32, coin: &i32) -> Expansion<i32, i32> {
///         match coin {
///             // The compound task: pay what is left, the largest coin first.
///             0 if *left == 0 => Expansion::Methods(vec![vec![]]),
///             0 => Expansion::Methods([7, 5, 1].into_iter().filter(|coin| coin <= left).map(|coin| vec![coin, 0]).collect()),
///             coin => Expansion::Operator(left - coin, 1.0),
///         }
///     }
/// }
/// let first = plan(&Coins, 10, &[0], Goal::First, 1000);
/// assert_eq!(first.plan, Some((vec![7, 1, 1, 1], 4.0)));
/// let cheapest = plan(&Coins, 10, &[0], Goal::Cheapest, 1000);
/// assert_eq!(cheapest.plan, Some((vec![5, 5], 2.0)));
/// ```
pub fn plan<D: Domain>(
    domain: &D,
    state: D::State,
    tasks: &[D::Task],
    goal: Goal,
    max_expanded: usize,
) -> Found<D::Task> {
    let mut open = vec![Node { state, tasks: tasks.iter().rev().cloned().collect(), cost: 0.0, last: None }];
    let mut operators: Vec<(Option<usize>, D::Task)> = Vec::new();
    let mut seen: BTreeMap<D::Key, f64> = BTreeMap::new();
    let mut best: Option<(Option<usize>, f64)> = None;
    let (mut expanded, mut is_complete) = (0, true);
    while let Some(mut node) = open.pop() {
        if best.is_some_and(|(_, cost)| node.cost + domain.bound(&node.state, &node.tasks) >= cost) {
            continue;
        }
        if let Some(key) = domain.key(&node.state, &node.tasks) {
            if seen.get(&key).is_some_and(|&cost| cost <= node.cost) {
                continue;
            }
            seen.insert(key, node.cost);
        }
        let Some(task) = node.tasks.pop() else {
            best = Some((node.last, node.cost));
            match goal {
                Goal::First => break,
                Goal::Cheapest => continue,
            }
        };
        if expanded == max_expanded {
            is_complete = false;
            break;
        }
        expanded += 1;
        match domain.expand(&node.state, &task) {
            Expansion::Operator(state, cost) => {
                operators.push((node.last, task));
                let last = Some(operators.len() - 1);
                open.push(Node { state, tasks: node.tasks, cost: node.cost + cost, last });
            }
            // The first method is on top.
            Expansion::Methods(methods) => open.extend(methods.into_iter().rev().map(|method| {
                let mut tasks = node.tasks.clone();
                tasks.extend(method.into_iter().rev());
                Node { state: node.state.clone(), tasks, cost: node.cost, last: node.last }
            })),
            Expansion::Impossible => {}
        }
    }
    let plan = best.map(|(last, cost)| {
        let mut steps = Vec::new();
        let mut at = last;
        while let Some(i) = at {
            steps.push(operators[i].1.clone());
            at = operators[i].0;
        }
        steps.reverse();
        (steps, cost)
    });
    Found { plan, expanded, is_complete }
}
