//! The steering behaviours of the follower crate on one sheet: a panel each, with trails.

use std::fmt::Write as _;

use anyhow::Context as _;
use raceline_follower::behaviours::*;
use raceline_follower::{Path, Waypoint};

use crate::trial::STEP_S;

/// Half the side of a panel's square, metres, and its side, pixels.
const HALF_M: f64 = 25.0;
const PANEL_PX: f64 = 190.0;
const TITLE_PX: f64 = 20.0;
const COLUMNS: usize = 5;
const AGENT: &str = "#1f77b4";
const OTHER: &str = "#d95f02";

/// A panel: a title and what is drawn in it.
struct Panel {
    title: &'static str,
    body: String,
}

fn px([x, y]: [f64; 2]) -> (f64, f64) {
    let scale = PANEL_PX / (2.0 * HALF_M);
    ((x + HALF_M) * scale, (HALF_M - y) * scale)
}

impl Panel {
    fn new(title: &'static str) -> Self {
        Self { title, body: String::new() }
    }

    fn circle(&mut self, at: [f64; 2], radius_m: f64, fill: &str) {
        let (x, y) = px(at);
        let radius = radius_m * PANEL_PX / (2.0 * HALF_M);
        let _ = writeln!(self.body, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\"/>");
    }

    fn line(&mut self, points: &[[f64; 2]], colour: &str, width: f64) {
        let points: Vec<String> = points
            .iter()
            .map(|point| {
                let (x, y) = px(*point);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            points.join(" ")
        );
    }

    /// A trail that ends in a triangle along the last heading.
    fn trail(&mut self, trail: &[[f64; 2]], heading_rad: f64, colour: &str) {
        self.line(trail, colour, 1.3);
        let Some(at) = trail.last() else { return };
        let (sin, cos) = heading_rad.sin_cos();
        let corner = |ahead: f64, left: f64| {
            let (x, y) = px([at[0] + ahead * cos - left * sin, at[1] + ahead * sin + left * cos]);
            format!("{x:.1},{y:.1}")
        };
        let corners = [corner(1.8, 0.0), corner(-1.0, 0.9), corner(-1.0, -0.9)].join(" ");
        let _ = writeln!(self.body, "<polygon points=\"{corners}\" fill=\"{colour}\"/>");
    }

    /// Runs agents for a time, draws their trails, and returns how they ended.
    fn run(
        &mut self,
        mut agents: Vec<Agent>,
        seconds: f64,
        mut steer: impl FnMut(usize, &[Agent], &[Body], f64) -> [f64; 2],
    ) -> Vec<Agent> {
        let mut trails: Vec<Vec<[f64; 2]>> = vec![Vec::new(); agents.len()];
        for frame in 0..(seconds / STEP_S) as usize {
            let before = agents.clone();
            for i in 0..agents.len() {
                let others: Vec<Body> =
                    before.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, agent)| agent.body).collect();
                let wanted = steer(i, &before, &others, frame as f64 * STEP_S);
                agents[i].advance(wanted, STEP_S);
                if frame % 6 == 0 {
                    trails[i].push(agents[i].body.position_m);
                }
            }
        }
        for (agent, trail) in agents.iter().zip(&mut trails) {
            trail.push(agent.body.position_m);
            self.trail(trail, agent.heading_rad, AGENT);
        }
        agents
    }
}

fn agent(position_m: [f64; 2], velocity_mps: [f64; 2]) -> Agent {
    let heading_rad = velocity_mps[1].atan2(velocity_mps[0]);
    Agent {
        body: Body { position_m, velocity_mps, radius_m: 0.8 },
        heading_rad,
        max_speed_mps: 8.0,
        ..Agent::default()
    }
}

/// A crowd on a spiral, moving to and fro.
fn crowd(count: usize) -> Vec<Agent> {
    (0..count)
        .map(|i| {
            let (sin, cos) = (i as f64 * 2.4).sin_cos();
            let from = 4.5 * (i as f64 + 0.5).sqrt();
            agent([from * cos, from * sin], [3.0 * sin, 3.0 * cos])
        })
        .collect()
}

fn one_target(title: &'static str, from: Agent, seconds: f64, wanted: impl Fn(&Agent) -> [f64; 2]) -> Panel {
    let mut panel = Panel::new(title);
    panel.circle([0.0; 2], 1.0, OTHER);
    panel.run(vec![from], seconds, |_, agents, _, _| wanted(&agents[0]));
    panel
}

/// A vehicle that drives straight, and one whose drive depends on the first.
fn two(
    title: &'static str,
    from: Agent,
    other: Body,
    seconds: f64,
    wanted: impl Fn(&Agent, &Body) -> [f64; 2],
) -> Panel {
    let mut panel = Panel::new(title);
    let at = |time: f64| {
        let position_m = [0, 1].map(|k| other.position_m[k] + time * other.velocity_mps[k]);
        Body { position_m, ..other }
    };
    let course = other.velocity_mps[1].atan2(other.velocity_mps[0]);
    panel.trail(&[other.position_m, at(seconds).position_m], course, OTHER);
    panel.run(vec![from], seconds, |_, agents, _, time| wanted(&agents[0], &at(time)));
    panel
}

fn targets() -> Vec<Panel> {
    let across = Body { position_m: [-20.0, 12.0], velocity_mps: [6.0, -1.0], radius_m: 0.8 };
    let coming = Body { position_m: [-20.0, -12.0], velocity_mps: [7.0, 4.0], radius_m: 0.8 };
    vec![
        one_target("seek", agent([-20.0, -15.0], [0.0, 8.0]), 9.0, |agent| seek(agent, [0.0; 2])),
        one_target("flee", agent([-8.0, -5.0], [7.0, 0.0]), 4.0, |agent| flee(agent, [0.0; 2])),
        one_target("arrival", agent([-20.0, -15.0], [0.0, 8.0]), 12.0, |agent| arrival(agent, [0.0; 2], 12.0)),
        two("pursuit", agent([-15.0, -20.0], [0.0; 2]), across, 5.6, |agent, quarry| pursuit(agent, quarry, 10.0)),
        two("evasion", agent([0.0, 4.0], [-2.0, -1.0]), coming, 4.2, |agent, pursuer| evasion(agent, pursuer, 3.0)),
    ]
}

fn paths() -> anyhow::Result<Vec<Panel>> {
    let mut avoiding = Panel::new("obstacle avoidance");
    let obstacles =
        [([-10.0, 1.0], 4.0), ([4.0, -3.0], 3.0), ([9.0, 6.0], 4.0), ([-2.0, 13.0], 3.0), ([-3.0, -13.0], 4.0)]
            .map(|(position_m, radius_m)| Body { position_m, velocity_mps: [0.0; 2], radius_m });
    for obstacle in &obstacles {
        avoiding.circle(obstacle.position_m, obstacle.radius_m, "#bbbbbb");
    }
    let starts = [-12.0, 0.0, 12.0].map(|y| agent([-22.0, y], [8.0, 0.0]));
    avoiding.run(starts.to_vec(), 6.0, |i, agents, _, _| {
        let agent = &agents[i];
        let goal = [22.0, 12.0 * (i as f64 - 1.0)];
        blend_by_priority(
            agent,
            &[avoid_obstacles(agent, &obstacles, &AvoidanceOptions::default()), arrival(agent, goal, 5.0)],
        )
    });
    let mut wandering = Panel::new("wander");
    let mut walks: Vec<Wander> =
        (0..4).map(|seed| Wander::new(WanderOptions { seed, speed_mps: 3.0, ..WanderOptions::default() })).collect();
    let starts =
        [0.0_f64, 1.6, 3.1, 4.7].map(|angle| agent([5.0 * angle.cos(), 5.0 * angle.sin()], [angle.cos(), angle.sin()]));
    wandering.run(starts.to_vec(), 7.0, |i, agents, _, _| walks[i].step(&agents[i], STEP_S));

    let mut following = Panel::new("path following");
    let corners: Vec<[f64; 2]> = (0..48)
        .map(|i| {
            let angle = f64::from(i) / 48.0 * std::f64::consts::TAU;
            let radius = 15.0 + 4.0 * (3.0 * angle).cos();
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect();
    let waypoints = corners.iter().map(|&[x, y]| Waypoint { position_m: [x, y, 0.0], ..Waypoint::default() });
    let lap = Path::new(waypoints.collect(), true).context("the sheet's path")?;
    let mut closed = corners.clone();
    closed.push(corners[0]);
    following.line(&closed, "#dddddd", 8.0);
    let mut place = [0.0, 30.0];
    following.run(vec![agent([2.0, 4.0], [0.0; 2]), agent([-22.0, 20.0], [0.0; 2])], 20.0, |i, agents, _, _| {
        follow_path(&agents[i], &lap, &mut place[i], &PathFollowingOptions::default())
    });

    let mut flowing = Panel::new("flow field following");
    // Round the middle, and towards a circle of 14 m about it.
    let cells: Vec<[f32; 2]> = (0..400)
        .map(|cell| {
            let at = [(cell % 20) as f64 * 2.5 - 23.75, (cell / 20) as f64 * 2.5 - 23.75];
            let radius = at[0].hypot(at[1]).max(0.1);
            let inwards = ((radius - 14.0) / 5.0).atan();
            let (sin, cos) = (at[1].atan2(at[0]) + std::f64::consts::FRAC_PI_2 + inwards).sin_cos();
            [(5.0 * cos) as f32, (5.0 * sin) as f32]
        })
        .collect();
    let field = FlowField::new([-25.0; 2], 2.5, 20, &cells)?;
    for (cell, [x, y]) in cells.iter().enumerate() {
        let at = [(cell % 20) as f64 * 2.5 - 23.75, (cell / 20) as f64 * 2.5 - 23.75];
        flowing.line(&[at, [at[0] + 0.3 * f64::from(*x), at[1] + 0.3 * f64::from(*y)]], "#cccccc", 0.8);
        flowing.circle(at, 0.25, "#cccccc");
    }
    let starts = vec![agent([-23.0, -23.0], [0.0; 2]), agent([3.0, 2.0], [0.0; 2])];
    flowing.run(starts, 14.0, |i, agents, _, _| follow_flow_field(&agents[i], &field, 0.3));

    let mut crossing = Panel::new("unaligned collision avoidance");
    let starts: Vec<Agent> = (0..6)
        .map(|i| {
            let (sin, cos) = (f64::from(i) * 1.047 + 0.3).sin_cos();
            Agent { max_speed_mps: 6.0, ..agent([-21.0 * cos, -21.0 * sin], [6.0 * cos, 6.0 * sin]) }
        })
        .collect();
    crossing.run(starts.clone(), 8.0, |i, agents, others, _| {
        let goal = starts[i].body.position_m.map(|x| -x);
        let avoid = avoid_bodies(&agents[i], others, &AvoidanceOptions::default());
        blend_by_priority(&agents[i], &[avoid, arrival(&agents[i], goal, 5.0)])
    });
    Ok(vec![avoiding, wandering, following, flowing, crossing])
}

fn groups() -> Vec<Panel> {
    let all = Neighbourhood { radius_m: 40.0, ..Neighbourhood::default() };
    let close = Neighbourhood { radius_m: 6.0, ..Neighbourhood::default() };
    let still = |mut agent: Agent| {
        agent.body.velocity_mps = [0.0; 2];
        agent
    };
    let mut apart = Panel::new("separation");
    let packed = crowd(10).into_iter().map(still).map(|mut agent| {
        agent.body.position_m = agent.body.position_m.map(|x| 0.3 * x);
        agent
    });
    apart.run(packed.collect(), 5.0, |i, agents, others, _| {
        let brakes = agents[i].towards_velocity([0.0; 2]);
        blend_weighted(&agents[i], &[(1.0, separation(&agents[i], others, &close)), (0.3, brakes)])
    });
    let mut together = Panel::new("cohesion");
    together.run(crowd(10).into_iter().map(still).collect(), 3.0, |i, agents, others, _| {
        cohesion(&agents[i], others, &all)
    });
    let mut aligned = Panel::new("alignment");
    let towards = |mut agent: Agent| {
        agent.body.velocity_mps[0] += 3.0;
        agent.body.position_m[0] -= 8.0;
        agent
    };
    aligned.run(crowd(10).into_iter().map(towards).collect(), 4.0, |i, agents, others, _| {
        alignment(&agents[i], others, &all)
    });
    let mut led = Panel::new("leader following");
    let mut team = vec![agent([-20.0, 0.0], [4.0, 3.0])];
    team.extend((0..5).map(|i| agent([-12.0 + 2.0 * f64::from(i), 3.0 * f64::from(i) - 8.0], [0.0; 2])));
    led.run(team, 8.5, |i, agents, others, time| {
        if i == 0 {
            return agents[0].towards_velocity([4.0, 4.0 * (0.9 * time).cos()]);
        }
        let apart: Vec<Body> = others[1..].to_vec();
        follow_leader(&agents[i], &agents[0].body, &apart, &LeaderOptions::default())
    });
    let mut flock = Panel::new("blending: a flock to a goal");
    flock.circle([20.0, 18.0], 1.0, OTHER);
    let obstacle = Body { position_m: [3.0, 2.0], velocity_mps: [0.0; 2], radius_m: 5.0 };
    flock.circle(obstacle.position_m, obstacle.radius_m, "#bbbbbb");
    let start = crowd(9).into_iter().map(|mut agent| {
        agent.body.position_m = [0.5 * agent.body.position_m[0] - 17.0, 0.5 * agent.body.position_m[1] - 15.0];
        Agent { max_speed_mps: 6.0, ..agent }
    });
    flock.run(start.collect(), 8.0, |i, agents, others, _| {
        let agent = &agents[i];
        let flocking = blend_weighted(
            agent,
            &[
                (0.6, arrival(agent, [20.0, 18.0], 8.0)),
                (0.2, cohesion(agent, others, &all)),
                (0.4, alignment(agent, others, &all)),
            ],
        );
        let near = Neighbourhood { radius_m: 3.0, ..all };
        let avoid = avoid_obstacles(agent, &[obstacle], &AvoidanceOptions::default());
        blend_by_priority(agent, &[avoid, separation(agent, others, &near), flocking])
    });
    vec![apart, together, aligned, led, flock]
}

/// The SVG of all behaviours, a panel each.
///
/// # Errors
/// A path or field of the sheet that is not valid, which would be a defect.
pub fn svg() -> anyhow::Result<String> {
    let panels: Vec<Panel> = targets().into_iter().chain(paths()?).chain(groups()).collect();
    let rows = panels.len().div_ceil(COLUMNS);
    let (width, height) =
        (COLUMNS as f64 * (PANEL_PX + 10.0) + 10.0, rows as f64 * (PANEL_PX + TITLE_PX + 10.0) + 10.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <clipPath id=\"panel\"><rect width=\"{PANEL_PX}\" height=\"{PANEL_PX}\"/></clipPath>\n"
    );
    for (i, panel) in panels.iter().enumerate() {
        let x = 10.0 + (i % COLUMNS) as f64 * (PANEL_PX + 10.0);
        let y = 10.0 + TITLE_PX + (i / COLUMNS) as f64 * (PANEL_PX + TITLE_PX + 10.0);
        let _ = writeln!(
            out,
            "<g transform=\"translate({x:.0} {y:.0})\"><text x=\"2\" y=\"-5\">{}</text>\
             <rect width=\"{PANEL_PX}\" height=\"{PANEL_PX}\" fill=\"#f8f8f4\"/>\n\
             <g clip-path=\"url(#panel)\">\n{}</g></g>",
            panel.title, panel.body
        );
    }
    out.push_str("</svg>\n");
    Ok(out)
}
