//! Draws the maps of `tracks/maps/`: `cargo run --release --example draw_maps -- [DIRECTORY]`.
//!
//! A hall with pillars, a town of blocks and a maze, each an occupancy grid in the form of ROS: a
//! PNG and a YAML; and the streets of a quarter as GeoJSON. The same program draws the same bytes.

use std::error::Error;
use std::path::PathBuf;

use image::{GrayImage, Luma};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Side of a cell, metres.
const CELL_M: f64 = 0.05;
const FREE: Luma<u8> = Luma([254]);
const WALL: Luma<u8> = Luma([0]);
/// Seed of the pillars, blocks and passages.
const SEED: u64 = 1;
/// Width of the paths between the maze's walls, metres, and thickness of the walls.
const PASSAGE_M: f64 = 2.4;
const MAZE_WALL_M: f64 = 0.2;
/// Junctions of the quarter, and metres between them.
const JUNCTIONS: [usize; 2] = [7, 6];
const BLOCK_M: f64 = 75.0;
/// Metres of a degree on the equator, where the quarter is.
const DEGREE_M: f64 = 111_319.490_793;
/// Rooms of the maze.
const ROOMS: [usize; 2] = [10, 8];

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("tracks/maps"), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    for (name, map) in [("hall", hall()), ("town", town()), ("maze", maze())] {
        map.save(directory.join(format!("{name}.png")))?;
        let yaml = format!(
            "image: {name}.png\nresolution: {CELL_M}\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\n\
             free_thresh: 0.196\n"
        );
        std::fs::write(directory.join(format!("{name}.yaml")), yaml)?;
        println!("{name}: {} by {} cells", map.width(), map.height());
    }
    let streets = quarter();
    println!("quarter: {} streets", streets.len());
    let collection = serde_json::json!({ "type": "FeatureCollection", "features": streets });
    std::fs::write(directory.join("quarter.geojson"), format!("{collection:#}\n"))?;
    Ok(())
}

/// A map of so many metres, with walls where `is_wall` holds; y is up.
fn drawn(width_m: f64, height_m: f64, is_wall: impl Fn(f64, f64) -> bool) -> GrayImage {
    let cells = |metres: f64| (metres / CELL_M).round() as u32;
    GrayImage::from_fn(cells(width_m), cells(height_m), |column, row| {
        let x = (f64::from(column) + 0.5) * CELL_M;
        let y = height_m - (f64::from(row) + 0.5) * CELL_M;
        let at_border = x < 0.2 || y < 0.2 || x > width_m - 0.2 || y > height_m - 0.2;
        if at_border || is_wall(x, y) { WALL } else { FREE }
    })
}

/// 24 m by 16 m with round and square pillars off a grid.
fn hall() -> GrayImage {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut pillars = Vec::new();
    for column in 0..6 {
        for row in 0..4 {
            let mut off = || random.random_range(-0.5..0.5);
            let (x, y) = (2.0 + 4.0 * f64::from(column) + off(), 2.0 + 4.0 * f64::from(row) + off());
            pillars.push((x, y, random.random_range(0.25..0.7), random.random_bool(0.5)));
        }
    }
    drawn(24.0, 16.0, |x, y| {
        pillars.iter().any(|&(px, py, size, is_round): &(f64, f64, f64, bool)| {
            let (dx, dy) = ((x - px).abs(), (y - py).abs());
            if is_round { dx.hypot(dy) < size } else { dx.max(dy) < size }
        })
    })
}

/// 30 m by 24 m of blocks with streets 1.6 m to 3 m wide between them; a few blocks are squares.
fn town() -> GrayImage {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut blocks = |end: f64| {
        let (mut blocks, mut at) = (Vec::new(), 0.2 + random.random_range(1.6..2.4));
        // The last street runs along the wall.
        while at < end - 4.0 {
            let long = random.random_range(2.5_f64..4.5).min(end - 1.8 - at);
            blocks.push([at, at + long]);
            at += long + random.random_range(1.6..2.4);
        }
        blocks
    };
    let (columns, rows) = (blocks(30.0), blocks(24.0));
    let open: Vec<bool> = (0..columns.len() * rows.len()).map(|_| random.random_bool(0.1)).collect();
    drawn(30.0, 24.0, |x, y| {
        let within = |of: &[[f64; 2]], at: f64| of.iter().position(|&[low, high]| (low..high).contains(&at));
        let block = within(&columns, x).zip(within(&rows, y));
        block.is_some_and(|(column, row)| !open[row * columns.len() + column])
    })
}

/// Streets between junctions off a grid: a wide ring round them, an avenue across, narrow streets, of which some
/// are missing and some have one direction.
fn quarter() -> Vec<serde_json::Value> {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let [columns, rows] = JUNCTIONS;
    let is_outside = |c: usize, r: usize| c == 0 || r == 0 || c + 1 == columns || r + 1 == rows;
    let mut place = |c: usize, r: usize| {
        let reach = if is_outside(c, r) { 4.0 } else { 14.0 };
        let mut at = |index: usize, count: usize| {
            BLOCK_M * (index as f64 - (count - 1) as f64 / 2.0) + random.random_range(-reach..reach)
        };
        [at(c, columns), at(r, rows)]
    };
    let places: Vec<Vec<[f64; 2]>> = (0..rows).map(|r| (0..columns).map(|c| place(c, r)).collect()).collect();
    let street = |name: String, line: &[[f64; 2]], width_m: f64, one_way: &str| {
        let degrees = |metres: f64| (metres / DEGREE_M * 1e8).round() / 1e8;
        let points: Vec<[f64; 2]> = line.iter().map(|&[x, y]| [degrees(x), degrees(y)]).collect();
        serde_json::json!({
            "type": "Feature",
            "properties": { "name": name, "width_m": width_m, "oneway": one_way },
            "geometry": { "type": "LineString", "coordinates": points },
        })
    };
    let mut streets = Vec::new();
    let mut ring: Vec<[f64; 2]> = (0..columns).map(|c| places[0][c]).collect();
    ring.extend((1..rows).map(|r| places[r][columns - 1]));
    ring.extend((0..columns - 1).rev().map(|c| places[rows - 1][c]));
    ring.extend((0..rows - 1).rev().map(|r| places[r][0]));
    streets.push(street("Ring".to_owned(), &ring, 11.0, "no"));
    let avenue: Vec<[f64; 2]> = (0..rows).map(|r| places[r][r]).collect();
    streets.push(street("Avenue".to_owned(), &avenue, 9.0, "no"));
    for r in 0..rows {
        for c in 0..columns {
            for (c2, r2) in [(c + 1, r), (c, r + 1)] {
                let is_ring = (r == r2 && (r == 0 || r + 1 == rows)) || (c == c2 && (c == 0 || c + 1 == columns));
                if c2 == columns || r2 == rows || is_ring || random.random_bool(0.15) {
                    continue;
                }
                let one_way = if random.random_bool(0.2) { "yes" } else { "no" };
                let name = format!("Street {}", streets.len() - 1);
                streets.push(street(name, &[places[r][c], places[r2][c2]], 7.0, one_way));
            }
        }
    }
    streets
}

/// A maze of square rooms: a random spanning tree of doors, and some more, so that it has rings.
fn maze() -> GrayImage {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let [columns, rows] = ROOMS;
    // Doors to the right of and above each room.
    let mut doors = vec![[false; 2]; columns * rows];
    let mut reached = vec![false; columns * rows];
    let mut stack = vec![0];
    reached[0] = true;
    while let Some(&room) = stack.last() {
        let (column, row) = (room % columns, room / columns);
        let mut beside = Vec::new();
        if column + 1 < columns {
            beside.push((room + 1, room, 0));
        }
        if column > 0 {
            beside.push((room - 1, room - 1, 0));
        }
        if row + 1 < rows {
            beside.push((room + columns, room, 1));
        }
        if row > 0 {
            beside.push((room - columns, room - columns, 1));
        }
        beside.retain(|&(other, ..)| !reached[other]);
        if beside.is_empty() {
            stack.pop();
            continue;
        }
        let (other, with_door, side) = beside[random.random_range(0..beside.len())];
        doors[with_door][side] = true;
        reached[other] = true;
        stack.push(other);
    }
    for door in &mut doors {
        for side in door {
            *side |= random.random_bool(0.12);
        }
    }
    let pitch = PASSAGE_M + MAZE_WALL_M;
    let size = |rooms: usize| rooms as f64 * pitch + MAZE_WALL_M;
    drawn(size(columns), size(rows), |x, y| {
        let place = |at: f64, rooms: usize| {
            let room = (((at - MAZE_WALL_M) / pitch).max(0.0) as usize).min(rooms - 1);
            (room, at - MAZE_WALL_M - room as f64 * pitch > PASSAGE_M)
        };
        let ((column, right), (row, above)) = (place(x, columns), place(y, rows));
        let door = doors[row * columns + column];
        // The corner between four rooms is always a pillar.
        (right && (above || !door[0])) || (above && !door[1])
    })
}
