//! One thread against four: the line of a small road has the same bits.

use std::sync::LazyLock;

use arbitrary::Unstructured;
use raceline::file::Method;
use raceline::vehicle::preset;
use raceline::{LineOptions, optimize};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::super::small;

static POOLS: LazyLock<Vec<ThreadPool>> =
    LazyLock::new(|| [1, 4].into_iter().filter_map(|n| ThreadPoolBuilder::new().num_threads(n).build().ok()).collect());

fn compared(bytes: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let Some(track) = small::track(bytes)? else { return Ok(()) };
    let Ok(kart) = preset("kart") else { return Ok(()) };
    let mut options = LineOptions { method: Method::Blend, ..LineOptions::default() };
    options.solve.population = 6;
    options.solve.generations = 2;
    options.solve.seed = bytes.arbitrary()?;
    let line = |pool: &ThreadPool| {
        pool.install(|| {
            let line = optimize(&track, &kart, &options).map_err(|error| error.to_string())?;
            Ok::<_, String>((line.lap_time_s.to_bits(), format!("{:?}", line.points())))
        })
    };
    let lines: Vec<_> = POOLS.iter().map(line).collect();
    assert!(lines.iter().all(|line| *line == lines[0]), "the number of threads changes the line");
    Ok(())
}

/// One input.
pub fn run(bytes: &[u8]) {
    let _ = compared(&mut Unstructured::new(bytes));
}
