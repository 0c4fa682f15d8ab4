//! Two thousand generated roads of all sizes and kinds, and what must hold for the line of each:
//! the verifier accepts it, no other description of the road gives another lap, it is not slower
//! than a line that its search starts from, a better vehicle is not slower, and the simulation
//! drives it to its end.
//!
//! `cargo run --release -p raceline-road-library -- --help`; the results are in
//! `docs/notes/road-library.md`.

mod bridges;
mod judge;
mod recipe;
mod results;
mod road;
mod transform;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::recipe::{NoRecipe, Recipe};
use crate::results::{Results, Row};

/// Finds and judges the lines of generated roads.
#[derive(Debug, Parser)]
#[command(name = "road-library")]
struct Arguments {
    /// Number of the first road
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Number of roads
    #[arg(long, default_value_t = 2000)]
    count: u64,
    /// Leave out roads with fewer rows than this
    #[arg(long, default_value_t = 0)]
    min_rows: usize,
    /// Leave out roads with more rows than this, which take longer
    #[arg(long, default_value_t = usize::MAX)]
    max_rows: usize,
    /// Judge only so many of these roads, drawn at random
    #[arg(long, value_name = "COUNT")]
    sample: Option<usize>,
    /// Seed of the sample
    #[arg(long, default_value_t = 1, requires = "sample")]
    seed: u64,
    /// Table of the results, one row a road; roads that it has are not run again
    #[arg(short, long, default_value = "target/road-library.tsv")]
    output: PathBuf,
    /// Write the road with the number `--from` as a CSV here, and judge nothing
    #[arg(long)]
    csv: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    if let Some(path) = arguments.csv {
        let recipe = Recipe::new(arguments.from).map_err(|error| anyhow::anyhow!("no road: {error:?}"))?;
        println!("{} for {}", recipe.kind, recipe.vehicle.name);
        return Ok(std::fs::write(path, recipe.road.csv())?);
    }
    let results = Results::open(&arguments.output)?;
    let numbers = arguments.from..arguments.from + arguments.count;
    let rows = arguments.min_rows..=arguments.max_rows;
    let numbers = match arguments.sample {
        Some(count) => sample(numbers.collect(), &rows, count, arguments.seed),
        None => numbers.collect(),
    };
    numbers.into_par_iter().filter(|&number| !results.has(number)).try_for_each(|number| {
        let start = Instant::now();
        let Some(row) = judged(number, &rows) else { return Ok(()) };
        eprintln!("{number}: {} in {:.1} s", row.state, start.elapsed().as_secs_f64());
        results.add(&row)
    })?;
    results.print();
    anyhow::ensure!(results.is_clean(), "some lines violate a rule: see {}", arguments.output.display());
    Ok(())
}

/// So many of these roads, with a number of rows in this range, in random order.
///
/// A larger sample with the same seed begins with the smaller one.
fn sample(mut numbers: Vec<u64>, rows: &RangeInclusive<usize>, count: usize, seed: u64) -> Vec<u64> {
    numbers.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    // A number without a road belongs to the sample: its row gives the reason.
    let is_wanted = |&number: &u64| Recipe::new(number).map_or(true, |it| rows.contains(&it.road.stations.len()));
    numbers.into_iter().filter(is_wanted).take(count).collect()
}

/// The row of one road; `None` for one with another number of rows than these.
fn judged(number: u64, rows: &RangeInclusive<usize>) -> Option<Row> {
    match Recipe::new(number) {
        Ok(recipe) if !rows.contains(&recipe.road.stations.len()) => None,
        Ok(recipe) => Some(Row::new(number, &recipe.kind, &recipe.vehicle.name, &judge::judge(&recipe))),
        Err(NoRecipe::Road(error)) => Some(Row::without_road(number, &error.to_string())),
        Err(NoRecipe::Vehicle(error)) => Some(Row::without_road(number, &error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small roads: one that crosses itself by bridges, and a stage on whose last metres the nose
    /// of the vehicle was counted as beside the road.
    const NUMBERS: [u64; 2] = [14, 16];

    #[test]
    fn a_sample_has_roads_of_the_range_alone_and_begins_with_a_smaller_one() {
        let rows = 0..=300;
        let [small, large] = [3, 6].map(|count| sample((0..60).collect(), &rows, count, 7));
        assert_eq!(small, large[..3]);
        assert_eq!(large.len(), 6);
        assert_ne!(large, sample((0..60).collect(), &rows, 6, 8));
        for number in large {
            assert!(rows.contains(&Recipe::new(number).unwrap().road.stations.len()), "{number}");
        }
    }

    #[test]
    fn a_few_roads_keep_every_rule() {
        let folder = std::env::temp_dir().join(format!("road-library-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("results.tsv");
        let results = Results::open(&path).unwrap();
        for number in NUMBERS {
            results.add(&judged(number, &(0..=usize::MAX)).unwrap()).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(results.is_clean() && text.lines().all(|row| row.contains("\tline\t")), "{text}");
        // A table is continued where it ends.
        let again = Results::open(&path).unwrap();
        assert!(NUMBERS.iter().all(|&number| again.has(number)) && !again.has(0));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
