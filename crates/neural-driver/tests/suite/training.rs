//! Trainings: small ones, and the driver in `examples/neural`.

use std::path::PathBuf;
use std::sync::Arc;

use raceline::RacingLine;
use raceline::file::json as line_file;
use raceline_follower::json;
use raceline_follower::neural::Network;
use raceline_neural_driver::{
    Course, TrainError, TrainOptions, Wheel, compare, drive_episode, evolve, first_network, generated, table, train,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(super) fn line(name: &str) -> RacingLine {
    let path = repository().join(format!("tracks/{name}.raceline.json"));
    line_file::read(&std::fs::read(path).unwrap()).unwrap()
}

pub(super) fn course(name: &str) -> Course {
    Course::new(line(name)).unwrap()
}

fn committed() -> Arc<Network> {
    example("driver")
}

fn example(name: &str) -> Arc<Network> {
    let bytes = std::fs::read(repository().join(format!("examples/neural/{name}.json"))).unwrap();
    Arc::new(json::read_network(&bytes).unwrap())
}

/// A training of a second.
fn small() -> TrainOptions {
    TrainOptions { hidden: vec![8], rounds: 2, episodes: 8, episode_s: 6.0, epochs: 10, ..TrainOptions::default() }
}

#[test]
fn the_follower_comes_back_from_disturbed_starts() {
    let course = course("club");
    let blank = Arc::new(first_network(&[4], 1).unwrap());
    let mut lost = 0;
    for seed in 0..10 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let episode = drive_episode(&course, Wheel::Follower, &blank, 8.0, &mut random).unwrap();
        assert!(episode.driven_m > 20.0, "seed {seed}: {} m", episode.driven_m);
        // A sample every third of 480 frames.
        assert!(episode.lost || (150..=160).contains(&episode.samples.len()), "seed {seed}: {}", episode.samples.len());
        lost += usize::from(episode.lost);
    }
    // A push in a bend can be too much.
    assert!(lost <= 1, "{lost}");
}

#[test]
fn a_small_training_lowers_the_loss_whatever_the_number_of_threads() {
    let courses = [course("oval"), course("kart")];
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| train(&courses, &[], &small(), &|_| {}).unwrap())
    };
    let (one, two) = (on(1), on(2));
    // The mean answer would have a loss of 1.
    assert!(one.loss < 0.5, "{}", one.loss);
    assert_eq!(json::write_network(&one.network), json::write_network(&two.network));
}

#[test]
fn of_several_sizes_one_is_kept() {
    let options = TrainOptions { sizes: vec![1, 12], ..small() };
    let trained = train(&[course("oval")], &[], &options, &|_| {}).unwrap();
    assert_eq!(trained.sizes.iter().map(|(units, _)| *units).collect::<Vec<_>>(), [1, 12]);
    let kept = trained.network.layers()[0].biases.len();
    let min = trained.sizes.iter().map(|(_, error)| *error).fold(f64::INFINITY, f64::min);
    let (_, error) = trained.sizes.iter().find(|(units, _)| *units == kept).unwrap();
    assert!(*error <= 1.06 * min, "{:?}, kept {kept}", trained.sizes);
}

#[test]
fn evolution_changes_the_last_layer_only_and_costs_nothing() {
    let options = TrainOptions { evolve: 1, evolve_lines: 1, ..small() };
    let network = committed();
    let costs = std::cell::RefCell::new(Vec::<f64>::new());
    let report = |message: &str| {
        let number = message.split_whitespace().nth(2).unwrap();
        costs.borrow_mut().push(number.parse().unwrap());
    };
    let evolved = evolve(&network, &[course("oval")], &options, &report).unwrap();
    assert_eq!(evolved.layers()[0], network.layers()[0]);
    let costs = costs.into_inner();
    // About a lap of the profile, and less with every report.
    assert!((0.95..1.2).contains(&costs[0]) && costs.is_sorted_by(|a, b| a > b), "{costs:?}");
}

#[test]
fn what_cannot_be_trained_is_reported() {
    assert!(matches!(train(&[], &[], &small(), &|_| {}), Err(TrainError::NoLine)));
    let refusal = |options: TrainOptions| train(&[], &[], &options, &|_| {}).unwrap_err().to_string();
    assert!(refusal(TrainOptions { hidden: vec![0], ..small() }).starts_with("hidden is 0"));
    assert!(refusal(TrainOptions { rounds: 0, ..small() }).starts_with("rounds is 0"));
    assert!(refusal(TrainOptions { learning_rate: f64::NAN, ..small() }).starts_with("learning_rate is NaN"));
}

/// The seeds of the training are 1000 to 1023.
#[test]
fn the_committed_driver_drives_generated_roads_that_it_was_not_trained_on() {
    let lines = generated(2, 7000).unwrap();
    let rows = compare(&lines, &committed(), 1).unwrap();
    for row in &rows {
        assert!(row.is_good() && row.neural.stayed_on_road(), "{}: {:?}", row.name, row.neural);
        // A network that only ever brakes or follows nothing would be far from the line.
        assert!(row.neural.cross_track_mean_m < 0.5, "{}", row.neural.cross_track_mean_m);
    }
    let table = table(&rows);
    assert!(
        table.contains("| circuit-7000 | tum-racecar |") && table.contains("Of 2 lines, 2 were completed"),
        "{table}"
    );
}

#[test]
fn a_network_that_learned_nothing_is_distinguished_from_a_driver() {
    let rows = compare(&[line("oval")], &Arc::new(first_network(&[4], 1).unwrap()), 1).unwrap();
    assert!(!rows[0].is_good() && rows[0].fraction().is_none(), "{:?}", rows[0].neural);
}

/// `evolved.json` is `driver.json` with another last layer.
#[test]
fn the_evolved_driver_is_faster_on_generated_roads_that_it_was_not_evolved_on() {
    let (driver, evolved) = (committed(), example("evolved"));
    assert_eq!(driver.layers()[0], evolved.layers()[0]);
    let lines = generated(3, 7000).unwrap();
    let laps = |network: &Arc<Network>| -> f64 {
        let rows = compare(&lines, network, 1).unwrap();
        rows.iter().map(|row| row.fraction().unwrap()).sum()
    };
    let (before, after) = (laps(&driver), laps(&evolved));
    assert!(after < before - 0.01, "{after} for {before}");
}
