//! Recorded driving: samples, refusals, corrections, two drivers that brake differently.

use raceline::drive::{Drive, DriveOptions, TraceRow, drive, trace_csv};
use raceline_calibrate::{Driven, Run, csv};
use raceline_follower::neural::INPUTS;
use raceline_neural_driver::{
    Course, RecordingOptions, Sample, Samples, TrainError, TrainOptions, Trained, compare, recorded_samples, train,
};

use super::training::{course, line};

/// Places of inputs: distance from the line by the wheelbase, heading less the path's, sideslip, yaw rate.
const ASIDE: usize = 1;
const TURNED: usize = 3;
const SLIDING: usize = 4;
const YAWING: usize = 6;
/// Place of the lateral acceleration of the line here, as a fraction of the tyres'.
const BEND: usize = 13;
/// Without copies, what is sampled are the rows themselves.
const PLAIN: RecordingOptions = RecordingOptions { steering_ratio: 1.0, disturbed_copies: 0, seed: 1 };

/// A lap of the follower.
fn lap(name: &str) -> Drive {
    let line = line(name);
    drive(&line, &line.vehicle, &DriveOptions { laps: 1, ..DriveOptions::default() }).unwrap()
}

fn read(trace: &[TraceRow]) -> Driven {
    csv::read_driven(trace_csv::write(trace).as_bytes(), "drive.csv").unwrap()
}

/// Rows on the line at the speeds of its profile, 20 each second. The wheels are turned as a bicycle without
/// slip needs it, and `pedal` gives the pedal for an acceleration of the profile, m/s².
fn on_the_line(course: &Course, pedal: impl Fn(f64) -> f64) -> (Driven, Vec<f64>) {
    let path = &course.loaded.path;
    let step_s = 0.05;
    let (mut driven, mut accelerations) = (Driven::default(), Vec::new());
    let (mut throttle, mut brake, mut yaw_rate) = (Vec::new(), Vec::new(), Vec::new());
    let mut s_m = 0.0;
    while s_m < path.length_m() {
        let here = path.sample(s_m);
        let pedal = pedal(here.acceleration_mps2);
        driven.run.time_s.push(step_s * driven.lines.len() as f64);
        driven.run.speed_mps.push(here.speed_mps);
        yaw_rate.push(here.speed_mps * here.curvature_radpm);
        throttle.push(pedal.max(0.0));
        brake.push((-pedal).max(0.0));
        driven.lines.push(driven.lines.len() + 2);
        driven.x_m.push(here.position_m[0]);
        driven.y_m.push(here.position_m[1]);
        driven.heading_rad.push(here.heading_rad);
        driven.steering_rad.push((course.loaded.geometry.wheelbase_m * here.curvature_radpm).atan());
        accelerations.push(here.acceleration_mps2);
        s_m += here.speed_mps * step_s;
    }
    driven.run = Run {
        name: "made-up.csv".to_owned(),
        yaw_rate_radps: Some(yaw_rate),
        throttle: Some(throttle),
        brake: Some(brake),
        ..driven.run
    };
    (driven, accelerations)
}

fn learned(samples: &[Sample], passes: u32) -> Trained {
    let options = TrainOptions { hidden: vec![12], rounds: 1, epochs: passes, ..TrainOptions::default() };
    train(&[], samples, &options, &|_| {}).unwrap()
}

#[test]
fn a_trace_gives_what_the_follower_was_shown_and_did() {
    let course = course("oval");
    let driven = lap("oval");
    let samples = recorded_samples(&course, &read(&driven.trace), &PLAIN).unwrap();
    let rows: Vec<&TraceRow> = driven.trace.iter().filter(|row| row.forward_mps >= 0.5).collect();
    assert_eq!(samples.len(), rows.len());
    let peak_rad = course.bicycle.parameters().handling.front_tyre.peak_rad();
    for (sample, row) in samples.iter().zip(rows) {
        let aside_m = sample.inputs[ASIDE] * course.loaded.geometry.wheelbase_m;
        // The trace measures from a curve through the points, the follower from chords.
        assert!((aside_m - row.cross_track_error_m).abs() < 0.02, "{} m: {aside_m}", row.s_m);
        let wanted = [row.wanted_steering_rad / peak_rad, row.pedal];
        assert!(sample.outputs.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 2e-4), "{sample:?}, {wanted:?}");
        assert_eq!(sample.weight, 1.0);
    }
}

#[test]
fn disturbed_copies_steer_back_to_where_the_person_drove() {
    let course = course("oval");
    let (driven, _) = on_the_line(&course, |_| 0.1);
    let options = RecordingOptions { disturbed_copies: 2, ..PLAIN };
    let samples = recorded_samples(&course, &driven, &options).unwrap();
    assert_eq!(samples.len(), 3 * driven.lines.len());
    assert_eq!(samples, recorded_samples(&course, &driven, &options).unwrap());
    let (mut all, mut returned) = (0, 0);
    for group in samples.chunks_exact(3) {
        let (own, copies) = group.split_first().unwrap();
        for copy in copies {
            let off = |input: usize| copy.inputs[input] - own.inputs[input];
            let aside_m = off(ASIDE) * course.loaded.geometry.wheelbase_m;
            assert!(aside_m.abs() < 1.1 && copy.outputs[1] == own.outputs[1], "{aside_m}");
            // Everything is off to one side: the wheels are turned to the other one. In a bend they may be at
            // the slip at which the tyres give the most already.
            let side = aside_m.signum();
            let is_straight = own.inputs[BEND].abs() < 0.2;
            if is_straight && [ASIDE, TURNED, SLIDING, YAWING].iter().all(|&input| off(input) * side > 0.0) {
                let back = -(copy.outputs[0] - own.outputs[0]) * side;
                returned += usize::from(back > 0.0);
                all += 1;
            }
        }
    }
    assert!(all > 10 && returned == all, "{returned} of {all}");
}

/// Of two people who drive the same line, the second one brakes twice as hard. Where both accelerate, and in
/// the steering everywhere, the two networks agree; where they brake, the pedals differ by the half of it.
#[test]
fn two_drivers_differ_where_their_data_differ() {
    let course = course("club");
    let gentle = |acceleration: f64| acceleration / 25.0;
    let hard = |acceleration: f64| if acceleration < 0.0 { acceleration / 12.5 } else { acceleration / 25.0 };
    let (first, accelerations) = on_the_line(&course, gentle);
    let (second, _) = on_the_line(&course, hard);
    let samples = |driven: &Driven| -> Samples { recorded_samples(&course, driven, &PLAIN).unwrap() };
    let (first, second) = (samples(&first), samples(&second));
    let (one, other) = (learned(&first, 400), learned(&second, 400));
    let (mut braked, mut agreed) = (Vec::new(), Vec::new());
    for (sample, acceleration) in first.iter().zip(accelerations) {
        let [a, b] = [&one, &other].map(|trained| trained.network.evaluate(&sample.inputs));
        assert!((a[0] - b[0]).abs() < 0.1, "steering {} and {}", a[0], b[0]);
        let expected = hard(acceleration) - gentle(acceleration);
        let errors = if acceleration < 0.0 { &mut braked } else { &mut agreed };
        errors.push((b[1] - a[1] - expected).abs());
    }
    let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
    let greatest = accelerations_of_the_hardest_braking(&second);
    assert!(braked.len() > 100 && agreed.len() > 100 && greatest > 0.3, "{}, {greatest}", braked.len());
    assert!(mean(&braked) < 0.02 && mean(&agreed) < 0.02, "{} and {}", mean(&braked), mean(&agreed));
}

fn accelerations_of_the_hardest_braking(samples: &[Sample]) -> f64 {
    samples.iter().map(|sample| -sample.outputs[1]).fold(0.0, f64::max)
}

#[test]
fn a_network_that_learned_from_a_trace_drives_the_line() {
    let course = course("oval");
    let samples = recorded_samples(&course, &read(&lap("oval").trace), &RecordingOptions::default()).unwrap();
    let trained = learned(&samples, 40);
    let rows = compare(&[line("oval")], &trained.network, 1).unwrap();
    assert!(rows[0].is_good() && rows[0].neural.stayed_on_road(), "{:?}", rows[0].neural);
    assert!(rows[0].neural.cross_track_mean_m < 0.5, "{:?}", rows[0].neural);
}

#[test]
fn recordings_have_the_fraction_of_the_loss_that_is_asked_for() {
    let course = course("oval");
    // A person who demands the same whatever is shown, which the follower never does.
    let recorded = vec![Sample { inputs: [0.0; INPUTS], outputs: [0.0, 0.5], weight: 1.0 }; 50];
    let options = |recorded_fraction| TrainOptions {
        hidden: vec![4],
        rounds: 1,
        episodes: 2,
        episode_s: 6.0,
        epochs: 10,
        recorded_fraction,
        ..TrainOptions::default()
    };
    let courses = [course];
    let error = |fraction| {
        let trained = train(&courses, &recorded, &options(fraction), &|_| {}).unwrap();
        assert!(trained.samples > 50, "{}", trained.samples);
        (trained.network.evaluate(&[0.0; INPUTS])[1] - 0.5).abs()
    };
    let (little, much) = (error(0.01), error(0.99));
    assert!(much < 0.1 && much < 0.5 * little, "{much} and {little}");
}

#[test]
fn driving_that_is_none_of_the_line_is_refused_with_its_row() {
    let course = course("oval");
    let good = on_the_line(&course, |_| 0.1).0;
    let refusal = |driven: Driven| recorded_samples(&course, &driven, &PLAIN).unwrap_err().to_string();
    let mut beside = good.clone();
    beside.x_m[7] += 2000.0;
    let message = refusal(beside);
    assert!(message.starts_with("made-up.csv: line 9: the place (") && message.contains("0 other rows"), "{message}");
    let mut against = good.clone();
    against.heading_rad[5] += std::f64::consts::PI;
    let message = refusal(against);
    assert!(message.starts_with("made-up.csv: line 7: the vehicle faces against"), "{message}");
    let mut degrees = good.clone();
    degrees.steering_rad[3] = 9.0;
    let message = refusal(degrees);
    assert!(message.starts_with("made-up.csv: line 5: the wheels are steered by 9.000 rad"), "{message}");
    let mut far = good.clone();
    far.y_m[2] = 1e12;
    assert!(refusal(far).starts_with("made-up.csv: line 4: the place is beyond"));
    let mut waits = good.clone();
    waits.run.speed_mps.fill(0.1);
    assert!(refusal(waits).starts_with("made-up.csv: 0 rows at 0.5 m/s or faster"));
    let option = RecordingOptions { steering_ratio: 0.0, ..PLAIN };
    assert!(matches!(recorded_samples(&course, &good, &option), Err(TrainError::Option(_))));
    // The wheels of a car whose recording has the angle of its steering wheel.
    let mut wheel = good.clone();
    wheel.steering_rad.iter_mut().for_each(|angle| *angle *= 15.0);
    let ratio = RecordingOptions { steering_ratio: 15.0, ..PLAIN };
    let (a, b) =
        (recorded_samples(&course, &wheel, &ratio).unwrap(), recorded_samples(&course, &good, &PLAIN).unwrap());
    assert!(a.iter().zip(b).all(|(a, b)| (a.outputs[0] - b.outputs[0]).abs() < 1e-9));
}

#[test]
fn a_person_may_wait_and_rows_may_be_missing() {
    let course = course("oval");
    let good = on_the_line(&course, |_| 0.1).0;
    let whole = recorded_samples(&course, &good, &PLAIN).unwrap();
    let mut waits = good.clone();
    // Standing for a minute in the middle, and everything later.
    let middle = 120;
    waits.run.speed_mps[middle] = 0.0;
    waits.run.time_s[middle..].iter_mut().for_each(|time_s| *time_s += 60.0);
    let samples = recorded_samples(&course, &waits, &PLAIN).unwrap();
    assert_eq!(samples[..middle], whole[..middle]);
    assert_eq!(samples[middle..], whole[middle + 1..]);
}

#[test]
fn columns_that_are_missing_or_in_another_unit_are_named() {
    let text = trace_csv::write(&lap("oval").trace[..40]);
    let refusal = |text: &str| {
        let error = csv::read_driven(text.as_bytes(), "drive.csv").unwrap_err();
        let source = std::error::Error::source(&error).unwrap().to_string();
        format!("{error}: {source}")
    };
    for (column, missing) in [("x_m", "x_m"), ("heading_rad", "heading_rad"), (",pedal", "throttle")] {
        let message = refusal(&text.replacen(column, &column.replace(|c: char| c.is_alphabetic(), "q"), 1));
        assert!(message.starts_with("drive.csv: line 1: the header has no column "), "{message}");
        assert!(message.contains(&format!("has no column {missing} among")), "{message}");
    }
    // Without the demanded angle, that of the wheels is what was done.
    let reached = csv::read_driven(text.replacen("wanted_steering_rad", "other", 1).as_bytes(), "drive.csv").unwrap();
    let steering: Vec<f64> = lap("oval").trace[..40].iter().map(|row| row.steering_rad).collect();
    assert!(reached.steering_rad.iter().zip(steering).all(|(a, b)| (a - b).abs() < 1e-6));
    let pedal = "time_s,v,yaw_rate,x,y,heading,steering,throttle,brake\n0,10,0,0,0,0,0,80,0\n";
    let message = refusal(pedal);
    assert!(message.starts_with("drive.csv: line 2, column 8 (throttle): 80 must be from 0 to 1"), "{message}");
    let named = csv::read_driven(pedal.replacen("throttle", "throttle_pct", 1).as_bytes(), "drive.csv").unwrap();
    assert_eq!(named.run.throttle, Some(vec![0.8]));
    assert_eq!(named.lines, [2]);
}
