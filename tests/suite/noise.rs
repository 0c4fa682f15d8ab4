//! Drives with errors that the follower does not know, and lines that survive them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use raceline::Options;
use raceline::confidence::{ConfidenceError, ConfidenceOptions, optimize_with_confidence};
use raceline::drive::{
    DriveError, DriveOptions, Noise, Simulation, drive, drive_once_with_noise, drive_with_noise, driver,
};
use raceline::pipeline::{self, Extraction, Request, Silent};
use raceline::track::EdgeMargin;
use raceline::vehicle::preset;
use raceline_follower::{DeviationNoise, deviations};

use crate::sample_lines;

fn options() -> DriveOptions {
    DriveOptions { laps: 1, ..DriveOptions::default() }
}

const ALL: Noise = Noise {
    position_m: 0.05,
    heading_rad: 0.01,
    correlation_s: 0.5,
    grip_fraction: 0.03,
    delay_s: 0.01,
    side_mps2: 0.2,
    side_correlation_s: 1.0,
};

#[test]
fn without_noise_every_drive_is_the_drive() {
    let line = sample_lines::stadium();
    let plain = drive(&line, &line.vehicle, &options()).unwrap();
    let noise = (&Noise::default(), 2, 3);
    let driven = drive_with_noise(&line, &line.vehicle, &options(), &Simulation::default(), noise).unwrap();
    assert_eq!(driven.laps.len(), 2);
    for lap in &driven.laps {
        assert_eq!(lap.lap_time_s, plain.measures.best_lap_s());
        assert_eq!((lap.grip, lap.delay_s), (1.0, 0.0));
    }
    assert_eq!(driven.on_road_fraction(), 1.0);
}

#[test]
fn a_drive_depends_on_its_seed_and_number_alone() {
    let line = sample_lines::stadium();
    let driven = |drives: u32, seed: u64, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let noise = (&ALL, drives, seed);
        pool.install(|| drive_with_noise(&line, &line.vehicle, &options(), &Simulation::default(), noise)).unwrap()
    };
    let (few, many) = (driven(3, 1, 1), driven(5, 1, 3));
    assert_eq!(few.laps, many.laps[..3]);
    assert_ne!(few.laps, driven(3, 2, 1).laps);
    assert!(many.laps.iter().all(|lap| (0.97..=1.03).contains(&lap.grip) && (0.0..=0.01).contains(&lap.delay_s)));
}

#[test]
fn noise_out_of_its_range_and_unknown_keys_are_refused() {
    let message = |text: &str| {
        let error = Noise::from_toml(text).unwrap_err();
        std::error::Error::source(&error).map_or_else(|| error.to_string(), |source| format!("{error}: {source}"))
    };
    assert!(message("grip_fraction = 0.6").contains("grip_fraction is 0.6: it must be from 0 to 0.5"));
    assert!(message("position = 0.1").contains("unknown field `position`"));
    assert!(matches!(Noise::from_toml("heading_rad ="), Err(DriveError::Noise(_))));
}

/// The linearised closed loop against drives: root mean square of the offset from the drive without noise.
#[test]
fn the_predicted_deviation_is_that_of_drives() {
    let line = sample_lines::stadium();
    let noise = Noise { grip_fraction: 0.0, delay_s: 0.0, ..ALL };
    let offsets = |driven: raceline::drive::Drive| -> Vec<f64> {
        let lap = driven.trace.into_iter().filter(|row| row.lap == 1);
        lap.map(|row| row.cross_track_error_m).collect()
    };
    let plain = offsets(drive(&line, &line.vehicle, &options()).unwrap());
    let mean = plain.iter().sum::<f64>() / plain.len() as f64;
    let spread = plain.iter().map(|offset| (offset - mean).powi(2)).sum::<f64>() / plain.len() as f64;
    let (mut squares, mut count) = (0.0, 0);
    for number in 0..12 {
        let noise = (&noise, number, 0);
        let driven = drive_once_with_noise(&line, &line.vehicle, &options(), &Simulation::default(), noise).unwrap();
        let noisy = offsets(driven);
        squares += noisy.iter().map(|offset| (offset - mean).powi(2)).sum::<f64>();
        count += noisy.len();
    }
    let measured = (squares / f64::from(count as u32) - spread).sqrt();
    let loaded = driver::Loaded::new(&line, &line.vehicle).unwrap();
    let follower = driver::follower_options(&loaded, &options(), false).unwrap();
    let &Noise { position_m, correlation_s, side_mps2, side_correlation_s, .. } = &noise;
    let noise = DeviationNoise { position_m, correlation_s, side_mps2, side_correlation_s };
    let found = deviations(&loaded.path, &follower, &loaded.geometry, &noise, 1.0 / 60.0);
    let square = found.iter().map(|deviation| deviation.offset_m.powi(2)).sum::<f64>() / found.len() as f64;
    let ratio = square.sqrt() / measured;
    assert!((0.7..1.4).contains(&ratio), "predicted {} measured {measured}", square.sqrt());
}

/// A ring of 40 m, 10 m wide.
fn ring() -> Extraction {
    let angle = |i: u32| f64::from(i) * std::f64::consts::TAU / 90.0;
    let middle: Vec<[f64; 2]> = (0..90).map(|i| [40.0 * angle(i).cos(), 40.0 * angle(i).sin()]).collect();
    pipeline::extract_centre_line("ring", &middle, &[[5.0; 2]; 90], &Options::default(), &Silent).unwrap()
}

fn confidence(noise: Noise, confidence: f64) -> ConfidenceOptions {
    ConfidenceOptions { confidence, noise, drive: DriveOptions::default() }
}

#[test]
fn without_noise_the_line_is_the_line() {
    let (extraction, vehicle, options) = (ring(), preset("kart").unwrap(), Options::default());
    let request = Request::new(&options, &vehicle);
    let plain = pipeline::optimize(extraction.clone(), &request).unwrap();
    let sure = optimize_with_confidence(&extraction, &request, &confidence(Noise::default(), 0.99)).unwrap();
    assert_eq!(sure.outcome.line, plain.line);
    assert_eq!((sure.survival.grip_fraction, sure.survival.max_edge_margin_m), (1.0, 0.0));
}

#[test]
fn a_robot_that_knows_its_place_badly_keeps_more_room_and_is_slower() {
    let (extraction, vehicle, options) = (ring(), preset("kart").unwrap(), Options::default());
    let request = Request::new(&options, &vehicle);
    let noise = Noise { position_m: 0.4, correlation_s: 3.0, ..Noise::default() };
    let sure = optimize_with_confidence(&extraction, &request, &confidence(noise, 0.95)).unwrap();
    let survival = sure.survival;
    assert!(survival.free_predicted < 0.95 && survival.predicted >= 0.95, "{survival:?}");
    assert!(survival.max_edge_margin_m > 0.1 || survival.grip_fraction < 1.0);
    assert!(sure.outcome.line.lap_time_s > survival.free_lap_time_s);
    let driven = drive_with_noise(
        &sure.outcome.line,
        &vehicle,
        &DriveOptions { laps: 1, ..DriveOptions::default() },
        &Simulation::default(),
        (&noise, 20, 9),
    );
    assert!(driven.unwrap().on_road() >= 18);
}

#[test]
fn a_confidence_out_of_its_range_and_margins_of_ones_own_are_refused() {
    let (extraction, vehicle) = (ring(), preset("kart").unwrap());
    let refused = |options: &Options, asked: f64| {
        let request = Request::new(options, &vehicle);
        optimize_with_confidence(&extraction, &request, &confidence(ALL, asked)).unwrap_err()
    };
    assert!(matches!(refused(&Options::default(), 1.0), ConfidenceError::OutOfRange { .. }));
    let margin = EdgeMargin { s_m: 0.0, left_m: 0.1, right_m: 0.1 };
    let own = Options { edge_margin: vec![margin], ..Options::default() };
    assert!(matches!(refused(&own, 0.9), ConfidenceError::EdgeMargin));
}
