//! The obstacle courses, the ring and the figure of eight.

use std::f64::consts::TAU;

use raceline_follower::{Path, PathError, Waypoint};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::route::offset;
use crate::scene::Block;
use crate::terrain::Terrain;

/// Half the width of the roads, metres.
const HALF_WIDTH_M: f64 = 6.0;
const COURSES: usize = 10;
const COURSE_M: f64 = 320.0;
/// Distance between the rows of obstacles on a course, metres.
const ROWS_M: f64 = 28.0;
const TRAFFIC: usize = 20;
const TRAFFIC_SEEDS: u64 = 3;
const TRAFFIC_S: f64 = 180.0;
/// Slowest and fastest vehicle of the traffic, m/s.
const SPEEDS_MPS: [f64; 2] = [6.0, 12.0];
const RING_M: f64 = 65.0;
const EIGHT_M: f64 = 85.0;

/// Where a vehicle begins, at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Arc length of the path, metres.
    pub s_m: f64,
    /// Distance to its left, metres.
    pub offset_m: f64,
    /// Speed that it drives alone, m/s.
    pub speed_mps: f64,
}

/// A road, what stands on it, and who drives there.
#[derive(Clone)]
pub struct Place {
    /// The row of the table that it belongs to.
    pub group: &'static str,
    /// Name, for pictures.
    pub name: String,
    /// The ground, level.
    pub terrain: Terrain,
    /// Obstacles.
    pub blocks: Vec<Block>,
    /// The path that all drive.
    pub path: Path,
    /// The vehicles.
    pub starts: Vec<Start>,
    /// The drive ends after this time, seconds.
    pub limit_s: f64,
}

/// All places.
///
/// # Errors
/// Waypoints that do not form a path, which would be a defect.
pub fn places() -> Result<Vec<Place>, PathError> {
    let courses = (0..COURSES).map(course);
    let rings = (0..TRAFFIC_SEEDS)
        .map(|seed| traffic("ring", seed, |turn| [RING_M * (TAU * turn).cos(), RING_M * (TAU * turn).sin()]));
    // The lemniscate of Gerono: its legs cross at right angles, its bends have the radius of its half.
    let eights = (0..TRAFFIC_SEEDS).map(|seed| {
        traffic("figure of eight", seed, |turn| {
            let (sin, cos) = (TAU * turn).sin_cos();
            [EIGHT_M * sin, EIGHT_M * sin * cos]
        })
    });
    courses.chain(rings).chain(eights).collect()
}

fn road(points: impl Iterator<Item = [f64; 2]>, closed: bool) -> Result<Path, PathError> {
    let waypoints = points.map(|[x, y]| Waypoint {
        position_m: [x, y, 0.0],
        left_m: HALF_WIDTH_M,
        right_m: HALF_WIDTH_M,
        ..Waypoint::default()
    });
    Path::new(waypoints.collect(), closed)
}

fn level(half: f64) -> Terrain {
    Terrain::new([-half; 2], [half; 2], |_, _| 0.0)
}

/// A road, straight or winding, with a row of one or two pillars every 28 m.
fn course(number: usize) -> Result<Place, PathError> {
    let mut random = ChaCha8Rng::seed_from_u64(number as u64 + 1);
    let swing = if number.is_multiple_of(2) { 0.0 } else { 9.0 };
    let x = |i: usize| i as f64 * 4.0 - 0.5 * COURSE_M;
    let points = (0..=(COURSE_M / 4.0) as usize).map(|i| [x(i), swing * (TAU * x(i) / 130.0).sin()]);
    let path = road(points, false)?;
    let mut blocks = Vec::new();
    let mut row_m = 50.0;
    while row_m < path.length_m() - 40.0 {
        let there = path.sample(row_m);
        let at = [there.position_m[0], there.position_m[1]];
        let half = random.random_range(0.4..1.0);
        let across = random.random_range(-3.5..3.5);
        blocks.push(Block::pillar(offset(at, there.heading_rad, 0.0, across), half, there.heading_rad));
        if number >= 5 {
            // A second one on the other side leaves 4 m between them or more.
            let gap = random.random_range(4.0..6.0) + 2.0 * half;
            let second = if across > 0.0 { across - gap } else { across + gap };
            if second.abs() < HALF_WIDTH_M {
                let along = random.random_range(-3.0..3.0);
                blocks.push(Block::pillar(offset(at, there.heading_rad, along, second), half, there.heading_rad));
            }
        }
        row_m += ROWS_M;
    }
    Ok(Place {
        group: "obstacle courses",
        name: format!("course {}", number + 1),
        terrain: level(0.5 * COURSE_M + 40.0),
        blocks,
        path,
        starts: vec![Start { s_m: 5.0, offset_m: 0.0, speed_mps: 12.0 }],
        limit_s: 120.0,
    })
}

/// Twenty vehicles of different speeds, evenly spread.
fn traffic(group: &'static str, seed: u64, at: impl Fn(f64) -> [f64; 2]) -> Result<Place, PathError> {
    let mut random = ChaCha8Rng::seed_from_u64(seed + 1);
    let path = road((0..160).map(|i| at(f64::from(i) / 160.0)), true)?;
    let spacing = path.length_m() / TRAFFIC as f64;
    let starts = (0..TRAFFIC)
        .map(|i| Start {
            s_m: (i as f64 + random.random_range(-0.15..0.15)) * spacing + 5.0,
            offset_m: random.random_range(-1.5..1.5),
            speed_mps: random.random_range(SPEEDS_MPS[0]..SPEEDS_MPS[1]),
        })
        .collect();
    Ok(Place {
        group,
        name: format!("{group}, seed {}", seed + 1),
        terrain: level(140.0),
        blocks: Vec::new(),
        path,
        starts,
        limit_s: TRAFFIC_S,
    })
}
