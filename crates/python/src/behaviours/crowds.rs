//! Crowds of agents: the grid of their neighbours, and flocks.

use pyo3::prelude::*;
use raceline_follower::behaviours::{self, FlockRule, Neighbourhood};

use super::{Agent, Bodies, Pair, bodies, pair};
use crate::error::InputError;
use crate::scene::Body;

/// Agents in the cells of a grid, so that those near a place are found among a few.
#[pyclass(module = "raceline.behaviours")]
pub struct NeighbourGrid {
    grid: behaviours::NeighbourGrid,
    bodies: Vec<Body>,
}

#[pymethods]
impl NeighbourGrid {
    /// A grid of agents, whose numbers are their places in the list; `reach` is the usual radius, m.
    #[new]
    #[pyo3(signature = (others, *, reach = 10.0))]
    fn new(others: Bodies<'_>, reach: f64) -> PyResult<Self> {
        if !(reach > 0.0 && reach.is_finite()) {
            return Err(InputError::new_err(format!("reach is {reach}, but must be a distance above 0 m")));
        }
        let mut made = Self { grid: behaviours::NeighbourGrid::new(others.len(), reach), bodies: Vec::new() };
        made.rebuild(others);
        Ok(made)
    }

    /// Forgets all agents and takes these.
    fn rebuild(&mut self, others: Bodies<'_>) {
        self.grid.rebuild(&bodies(&others));
        self.bodies = others.iter().map(|body| **body).collect();
    }

    /// Numbers of the agents within `radius` m of a place.
    fn near(&self, at: Pair, radius: f64) -> Vec<usize> {
        self.grid.near([at.0, at.1], radius).map(|(number, _)| number).collect()
    }

    /// The others within `radius` m of the agent `number`, for any behaviour.
    fn others(&self, number: usize, radius: f64) -> Vec<Body> {
        let Some(body) = self.bodies.get(number) else { return Vec::new() };
        let near = self.near(body.position, radius).into_iter().filter(|other| *other != number);
        near.filter_map(|other| self.bodies.get(other).copied()).collect()
    }
}

/// Separation, cohesion and alignment as one, each with its weight, distance and angle.
#[pyclass(module = "raceline.behaviours")]
pub struct Flock {
    flock: behaviours::Flock,
    grid: behaviours::NeighbourGrid,
}

#[pymethods]
impl Flock {
    /// For each rule (weight, radius in m, view in rad to either side).
    #[new]
    #[pyo3(signature = (*, separation = (1.5, 3.0, std::f64::consts::PI), cohesion = (1.0, 10.0, 2.4),
        alignment = (1.0, 10.0, 2.4)))]
    fn new(separation: (f64, f64, f64), cohesion: (f64, f64, f64), alignment: (f64, f64, f64)) -> Self {
        let [separation, cohesion, alignment] =
            [separation, cohesion, alignment].map(|(weight, radius_m, view_rad)| FlockRule {
                weight,
                neighbourhood: Neighbourhood { radius_m, view_rad },
            });
        let flock = behaviours::Flock { separation, cohesion, alignment };
        Self { flock, grid: behaviours::NeighbourGrid::new(0, flock.reach_m()) }
    }

    /// What the flock wants of one agent among others.
    fn acceleration(&self, agent: &Agent, others: Bodies<'_>) -> Pair {
        pair(self.flock.acceleration(&agent.agent, &bodies(&others)))
    }

    /// What it wants of each of many agents among the others, found by a grid.
    fn accelerations(&mut self, agents: Vec<PyRef<'_, Agent>>) -> Vec<Pair> {
        let agents: Vec<_> = agents.iter().map(|agent| agent.agent).collect();
        self.flock.accelerations(&agents, &mut self.grid).iter().copied().map(pair).collect()
    }

    /// Moves all agents for `dt` s: each sees the others where they are before.
    fn step(&mut self, py: Python<'_>, agents: Vec<Py<Agent>>, dt: f64) -> PyResult<()> {
        let moved: PyResult<Vec<_>> = agents.iter().map(|agent| Ok(agent.try_borrow(py)?.agent)).collect();
        let mut moved = moved?;
        self.flock.step(&mut moved, &mut self.grid, dt);
        for (agent, moved) in agents.iter().zip(moved) {
            agent.try_borrow_mut(py)?.agent = moved;
        }
        Ok(())
    }
}
