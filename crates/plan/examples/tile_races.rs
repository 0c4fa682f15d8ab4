//! Races over random road tiles, the driver who tries all routes beside D* Lite and the map known:
//! `cargo run --release -p raceline-plan --example tile_races -- RACES SEED`.
//!
//! A map is a maze, of which some closed sides are opened again. Each race has five checkpoints. A table has, for each
//! map, radius, depth and cost of a turn, tiles and turns of the shortest routes with the map known, a race, and how
//! many times as many were driven; the time is that of the race with the slowest tiles.

use std::error::Error;
use std::time::Instant;

use raceline_plan::{LookAhead, TileMap, TilesDriven, race_over};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Columns and rows of a map.
const SIZE: u32 = 24;
/// Places of a race, with its start.
const PLACES: usize = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &str| arguments.next().ok_or(format!("specify {what}: RACES SEED"));
    let races: usize = next("the number of races")?.parse()?;
    let seed: u64 = next("the seed")?.parse()?;
    println!(
        "| sides opened | radius | depth | turn | tiles | look-ahead | D* Lite | turns | look-ahead | D* Lite | cost \
         | D* Lite | expanded a tile | D* Lite | ms a tile |"
    );
    println!("{}|", "|--:".repeat(15));
    for opened in [0.1, 0.3, 0.6] {
        for (radius, depth, turn_tiles) in
            [(2.0, 5, 0.0), (2.0, 11, 0.0), (5.0, 11, 0.0), (5.0, 17, 0.0), (5.0, 11, 1.0)]
        {
            measure(opened, radius, LookAhead { depth, turn_tiles }, (races, seed))?;
        }
    }
    Ok(())
}

/// Prints a row of the table.
fn measure(opened: f64, radius: f64, look_ahead: LookAhead, (races, seed): (usize, u64)) -> Result<(), Box<dyn Error>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let [mut known, mut driven, mut lite] = [TilesDriven::default(); 3];
    let mut longest_ms = 0.0_f64;
    for _ in 0..races {
        let map = maze(&mut random, opened)?;
        let places: Vec<u32> = (0..PLACES).map(|_| random.random_range(0..map.len())).collect();
        let begun = Instant::now();
        let raced = race_over(&map, &places, radius, look_ahead, false)?;
        let each_ms = begun.elapsed().as_secs_f64() * 1e3 / raced.driven.tiles.max(1) as f64;
        longest_ms = longest_ms.max(each_ms);
        let raced = race_over(&map, &places, radius, look_ahead, true)?;
        add(&mut known, raced.known);
        add(&mut driven, raced.driven);
        add(&mut lite, raced.d_star_lite.unwrap_or_default());
    }
    let mean = |count: usize| count as f64 / races as f64;
    let cost = |driven: TilesDriven| driven.tiles as f64 + look_ahead.turn_tiles * driven.turns as f64;
    let LookAhead { depth, turn_tiles } = look_ahead;
    println!(
        "| {opened} | {radius} | {depth} | {turn_tiles} | {:.0} | {:.2} | {:.2} | {:.0} | {:.2} | {:.2} | {:.2} | {:.2} \
         | {:.1} | {:.1} | {longest_ms:.3} |",
        mean(known.tiles),
        driven.tiles as f64 / known.tiles as f64,
        lite.tiles as f64 / known.tiles as f64,
        mean(known.turns),
        driven.turns as f64 / known.turns as f64,
        lite.turns as f64 / known.turns as f64,
        cost(driven) / cost(known),
        cost(lite) / cost(known),
        driven.nodes_expanded as f64 / driven.tiles as f64,
        lite.nodes_expanded as f64 / lite.tiles as f64,
    );
    Ok(())
}

fn add(sum: &mut TilesDriven, driven: TilesDriven) {
    sum.tiles += driven.tiles;
    sum.turns += driven.turns;
    sum.nodes_expanded += driven.nodes_expanded;
}

/// A random maze in which every tile can be reached, with a fraction of its closed sides opened.
fn maze(random: &mut ChaCha8Rng, opened: f64) -> Result<TileMap, Box<dyn Error>> {
    let all = TileMap::unknown(SIZE, SIZE)?;
    let mut openings = vec![0_u8; all.len() as usize];
    let mut is_reached = vec![false; all.len() as usize];
    is_reached[0] = true;
    let mut route = vec![0];
    while let Some(&at) = route.last() {
        let onward: Vec<(usize, u32)> = all.joined(at).filter(|&(_, next)| !is_reached[next as usize]).collect();
        if onward.is_empty() {
            route.pop();
            continue;
        }
        let (side, next) = onward[random.random_range(0..onward.len())];
        is_reached[next as usize] = true;
        open(&mut openings, at, side, next);
        route.push(next);
    }
    for tile in 0..all.len() {
        for (side, next) in all.joined(tile).filter(|&(_, next)| next > tile) {
            if random.random::<f64>() < opened {
                open(&mut openings, tile, side, next);
            }
        }
    }
    Ok(TileMap::new(SIZE, SIZE, &openings)?)
}

fn open(openings: &mut [u8], tile: u32, side: usize, next: u32) {
    openings[tile as usize] |= 1 << side;
    openings[next as usize] |= 1 << ((side + 2) % 4);
}
