use super::{Command, LearnedLap, LearnedSpeeds, LearningOptions, Run, wideness};
use crate::chassis::testing::{place, ring, straight};
use crate::closeness::assert_close;
use crate::learning::evidence::{Bounds, Verdict};
use crate::path::Path;
use crate::stuck::{StuckCause, StuckEvent, StuckState};
use crate::vehicle::{VehicleGeometry, VehicleState};

#[test]
fn a_body_beyond_the_corridor_is_wide_at_half_of_what_is_out() {
    assert_close(wideness([0.9, 1.2], [f64::NEG_INFINITY, 0.8]), 0.75);
    assert_close(wideness([0.9, 1.2], [0.4, 0.8]), 1.0);
    assert_close(wideness([-1.0, 1.2], [0.2, 0.8]), 0.5);
}

fn learning(path: &Path, options: LearningOptions) -> LearnedSpeeds {
    LearnedSpeeds::new(path, VehicleGeometry::default(), options).unwrap()
}

/// What the follower returns at a place, with a target of 20 m/s.
fn at(s_m: f64) -> Command {
    Command { s_m, target_speed_mps: 20.0, ..Command::brake(StuckState::Driving) }
}

fn state(speed: f64) -> VehicleState {
    VehicleState::new([0.0; 3], 0.0, speed)
}

/// Laps of a ring at 20 m/s from 10 m on, in frames of 7 ms, with a change of the frames of a lap by their number.
fn laps(
    count: usize,
    change: impl Fn(usize, f64, &mut Command, &mut f64, &mut f64),
) -> (Vec<LearnedLap>, LearnedSpeeds, f64) {
    let path = ring(60.0, [5.0; 2], 20.0);
    let mut learned = learning(&path, LearningOptions::default());
    let length = path.length_m();
    let mut ended = Vec::new();
    for frame in 0..(length * (count as f64 + 0.9) / 0.14) as usize {
        let s = 10.0 + 0.14 * frame as f64;
        let (mut command, mut speed, mut dt) = (at(s % length), 20.0, 0.007);
        change((s / length) as usize, s % length, &mut command, &mut speed, &mut dt);
        ended.extend(learned.observe(&path, &state(speed), &command, dt));
    }
    (ended, learned, length)
}

#[test]
fn a_lap_takes_the_time_from_line_to_line() {
    let (ended, learned, length) = laps(2, |_, _, _, _, _| ());
    assert!(ended.len() == 1 && learned.laps() == 1, "{ended:?}");
    assert_close(ended[0].time_s.unwrap(), length / 20.0);
    assert!(ended[0].kept && ended[0].clean);
    assert_close(learned.best_lap_s().unwrap(), length / 20.0);
    // A second lap with a longer frame, of which a quarter of a second counts, and a frame without a time.
    let (ended, _, _) = laps(3, |lap, s, _, _, dt| {
        if lap == 2 && (100.0..100.14).contains(&s) {
            *dt = 1.0;
        }
        if lap == 2 && (150.0..150.14).contains(&s) {
            *dt = -1.0;
        }
    });
    assert_close(ended[1].time_s.unwrap(), length / 20.0 + 0.25 - 0.014);
    assert!(!ended[1].kept && ended.len() == 2);
}

#[test]
fn a_lap_that_begins_slowly_or_is_broken_is_not_timed() {
    let timed = |change: &dyn Fn(usize, f64, &mut Command, &mut f64, &mut f64)| {
        let (ended, _, _) = laps(2, change);
        ended[0].time_s.is_some()
    };
    let begin = |speed: f64| {
        move |lap: usize, s: f64, _: &mut Command, its: &mut f64, _: &mut f64| {
            if lap == 1 && s < 0.14 {
                *its = speed;
            }
        }
    };
    assert!(timed(&begin(18.1)) && !timed(&begin(17.9)));
    // Later it may be slow.
    assert!(timed(&|lap, s, _, speed, _| if lap == 1 && s > 1.0 {
        *speed = 5.0
    }));
    assert!(!timed(&|lap, s, command, _, _| if lap == 1 && (99.0..99.2).contains(&s) {
        command.state = StuckState::Reversing;
    }));
    let driving = StuckState::Driving;
    let event = StuckEvent { from: driving, to: driving, cause: StuckCause::MovingAgain, attempt: 1, s_m: 99.0 };
    assert!(!timed(&|lap, s, command, _, _| if lap == 1 && (99.0..99.2).contains(&s) {
        command.event = Some(event);
    }));
    // 4 m and four frames of 20 m/s, 0.56 m, forwards and back.
    let jump = |by: f64| {
        move |lap: usize, s: f64, command: &mut Command, _: &mut f64, _: &mut f64| {
            if lap == 1 && (99.0..99.14).contains(&s) {
                command.s_m += by;
            }
        }
    };
    assert!(timed(&jump(4.4)) && !timed(&jump(4.43)) && timed(&jump(-4.4)) && !timed(&jump(-4.8)));
}

#[test]
fn only_a_whole_lap_counts() {
    let path = ring(60.0, [5.0; 2], 20.0);
    let length = path.length_m();
    let mut learned = learning(&path, LearningOptions::default());
    let observe = |learned: &mut LearnedSpeeds, s: f64| learned.observe(&path, &state(20.0), &at(s), 0.25);
    for s in [length - 1.0, 1.0] {
        assert_eq!(observe(&mut learned, s), None);
    }
    // A tenth of the lap is missing: the vehicle was placed forwards by more than that of a break.
    learned.run.as_mut().unwrap().distance_m = 0.1 * length - 0.1;
    (1..=37).for_each(|k| assert_eq!(observe(&mut learned, 0.0265 * f64::from(k) * length), None));
    learned.run.as_mut().unwrap().distance_m = 0.899 * length - 4.0;
    learned.run.as_mut().unwrap().s = length - 2.0;
    assert_eq!(observe(&mut learned, 2.0), None);
    let run = learned.run.as_mut().unwrap();
    (run.distance_m, run.s) = (0.901 * length - 4.0, length - 2.0);
    assert!(observe(&mut learned, 2.0).is_some());
    // Half of the frame lies beyond the line: it belongs to the next lap.
    let run = learned.run.unwrap();
    assert!(run.s == 2.0 && run.distance_m == 2.0 && run.timed && !run.broken, "{run:?}");
    assert_close(run.time_s, 0.125);
    // Back over the line is no lap.
    learned.run.as_mut().unwrap().distance_m = length;
    assert_eq!(observe(&mut learned, length - 2.0), None);
}

#[test]
fn an_open_path_is_timed_from_its_start_to_its_end() {
    let path = straight([5.0; 2], 20.0);
    let drive = |from: f64, to: f64, arrived: bool| {
        let mut learned = learning(&path, LearningOptions::default());
        let mut ended = None;
        for k in 0..=((to - from) / 2.0) as usize {
            let mut command = at(from + 2.0 * k as f64);
            command.arrived = arrived && command.s_m >= to;
            ended = learned.observe(&path, &state(20.0), &command, 0.1);
        }
        (ended, learned.run.is_some())
    };
    let (lap, goes_on) = drive(2.0, 400.0, false);
    assert_close(lap.unwrap().time_s.unwrap(), 19.9);
    assert!(!goes_on);
    assert_eq!(drive(2.0, 398.0, false).0, None);
    assert_close(drive(2.0, 398.0, true).0.unwrap().time_s.unwrap(), 19.8);
    // From a tenth of the path on it is no lap.
    assert!(drive(38.0, 400.0, false).0.is_some() && drive(42.0, 400.0, false).0.is_none());
}

#[test]
fn frames_that_are_not_valid_or_of_another_path_end_the_lap() {
    let path = ring(60.0, [5.0; 2], 20.0);
    let mut learned = learning(&path, LearningOptions::default());
    let other = straight([5.0; 2], 20.0);
    for (path, speed, s) in [(&other, 20.0, 2.0), (&path, f64::NAN, 2.0), (&path, 20.0, f64::NAN)] {
        learned.observe(&ring(60.0, [5.0; 2], 20.0), &state(20.0), &at(1.0), 0.1);
        assert!(learned.run.is_some());
        assert_eq!(learned.observe(path, &state(speed), &at(s), 0.1), None);
        assert!(learned.run.is_none());
    }
    learned.observe(&path, &state(20.0), &at(1.0), 0.1);
    learned.interrupt();
    assert!(learned.run.is_none());
    learned.fault();
    assert!(learned.places.are_clean());
    learned.observe(&path, &state(20.0), &at(31.0), 0.1);
    learned.fault();
    assert!(learned.places.cell_at(31.0).out && learned.run.unwrap().faults == 1);
}

/// What two frames of half a second show 50 m along a path: the verdict of the place, and the frames out of the corridor.
fn shown(path: &Path, options: LearningOptions, error: f64, speed: f64) -> (Verdict, u32) {
    let mut learned = learning(path, options);
    let [x, y, _] = place(50.0, error);
    for _ in 0..3 {
        let state = VehicleState::new([x, y, 0.0], 0.0, speed);
        let command = Command { cross_track_error_m: error, target_speed_mps: speed, ..at(50.0) };
        learned.observe(path, &state, &command, 0.25);
    }
    let bounds = Bounds::new(options.host_reports_faults);
    (learned.places.cell_at(50.0).own_verdict(&bounds), learned.run.unwrap().frames_out)
}

#[test]
fn where_there_is_room_running_wide_begins_later() {
    let options = LearningOptions::default();
    let verdict = |rooms: [f64; 2], error: f64| shown(&straight(rooms, 20.0), options, error, 20.0).0;
    // 0.8 m, and a quarter of the room beside the body, as much again at most.
    for (room, wide) in [(2.5, 1.2), (9.0, 1.6)] {
        assert!(
            verdict([room, 1.0], wide - 0.01) != Verdict::Tamer && verdict([room, 1.0], wide + 0.01) == Verdict::Tamer
        );
        assert!(
            verdict([1.0, room], 0.01 - wide) != Verdict::Tamer && verdict([1.0, room], -0.01 - wide) == Verdict::Tamer
        );
    }
    // The body beyond the corridor by 0.4 m is wide, and by 0.8 m out.
    let narrow = straight([1.4, 1.4], 20.0);
    let at = |error: f64| shown(&narrow, options, error, 20.0);
    assert_eq!(
        [at(0.89), at(0.91), at(1.29)].map(|(verdict, _)| verdict),
        [Verdict::Keep, Verdict::Tamer, Verdict::Tamer]
    );
    assert_eq!([at(1.29).1, at(1.31).1, at(-1.31).1], [0, 2, 2]);
    assert_eq!(at(1.31).0, Verdict::Slower);
    // A line nearer to the edge than half a width is followed at it.
    let edge = straight([0.2, 0.2], 20.0);
    assert_eq!(shown(&edge, options, 0.39, 20.0).0, Verdict::Keep);
    assert_eq!(shown(&edge, options, 0.79, 20.0).1, 0);
    assert_eq!(shown(&edge, options, 0.81, 20.0).1, 2);
    // Where the host reports faults the corridor is none.
    let reported = LearningOptions::of_reported_faults();
    assert_eq!(shown(&narrow, reported, 1.31, 20.0), (Verdict::Tamer, 0));
}

#[test]
fn in_a_bend_the_outside_counts() {
    let bend = ring(60.0, [9.0; 2], 20.0);
    let options = LearningOptions::default();
    let verdict = |error: f64, speed: f64| shown(&bend, options, error, speed).0;
    // To the left it leads inwards; at 7 m/s it takes 0.8 m/s², and both sides count.
    assert_eq!([verdict(1.7, 20.0), verdict(-1.7, 20.0)], [Verdict::Faster, Verdict::Tamer]);
    assert_eq!([verdict(1.7, 7.0), verdict(-1.7, 7.0)], [Verdict::Tamer; 2]);
    assert_eq!([verdict(1.7, 8.0), verdict(-1.7, 8.0)], [Verdict::Faster, Verdict::Tamer]);
}

fn run(time_s: f64) -> Run {
    Run { s: 0.0, steering: 0.0, time_s, distance_m: 400.0, timed: true, broken: false, frames_out: 0, faults: 0 }
}

#[test]
fn the_fastest_of_the_laps_without_more_faults_is_kept() {
    let path = ring(60.0, [5.0; 2], 20.0);
    let mut learned = learning(&path, LearningOptions::default());
    let mut kept = |run: Run| learned.end_lap(&run, 0.0).kept;
    assert!(!kept(Run { timed: false, ..run(50.0) }));
    assert!(kept(Run { faults: 2, frames_out: 3, ..run(100.0) }));
    // Less than 3 in 10 000 is none.
    assert!(!kept(Run { faults: 2, ..run(99.98) }) && kept(Run { faults: 2, ..run(99.96) }));
    // Fewer faults count more, and no more frames may lie outside than in the first.
    assert!(kept(Run { faults: 1, ..run(120.0) }) && !kept(Run { faults: 2, ..run(80.0) }));
    assert!(
        !kept(Run { faults: 1, frames_out: 4, ..run(80.0) }) && kept(Run { faults: 1, frames_out: 3, ..run(81.0) })
    );
    assert!(kept(Run { faults: 1, frames_out: 3, ..run(80.0) }));
    assert!(!kept(Run { timed: false, ..run(50.0) }));
    assert_eq!((learned.best_lap_s(), learned.laps()), (Some(80.0), 10));
    // The time beyond the line is the next lap's.
    assert_close(learned.end_lap(&run(70.0), 0.5).time_s.unwrap(), 69.5);
}

/// The steps of a lap on which every place shows that it may be faster, or that it was left.
fn steps(learned: &mut LearnedSpeeds, out: bool, run: Run) -> (usize, usize) {
    learned.places.clear();
    for k in 0..learned.places.len() {
        let s = (k as f64 + 0.5) * learned.length_m / learned.places.len() as f64;
        learned.places.cell_at(s).add(0.1, 0.0, [0.0; 2], 20.0, &at(s), out);
    }
    let lap = learned.end_lap(&run, 0.0);
    assert_eq!(lap.clean, !out);
    (lap.raised, lap.lowered)
}

#[test]
fn factors_take_a_step_once_the_path_was_driven_in_time_or_cannot_be() {
    let path = ring(60.0, [5.0; 2], 20.0);
    let all = 38;
    let new = || learning(&path, LearningOptions::default());
    assert_eq!(new().places.len(), all);
    let untimed = Run { timed: false, ..run(30.0) };
    assert_eq!(steps(&mut new(), false, untimed), (0, 0));
    assert_eq!(steps(&mut new(), true, untimed), (0, 0));
    // The first lap that is timed, and each after it.
    let mut learned = new();
    assert_eq!(steps(&mut learned, false, run(30.0)), (all, 0));
    assert_eq!(steps(&mut learned, false, untimed), (all, 0));
    // Where no lap can be timed, as with a break in each, factors go down alone.
    assert_eq!(steps(&mut new(), false, Run { broken: true, ..untimed }), (0, 0));
    assert_eq!(steps(&mut new(), true, Run { broken: true, ..untimed }), (0, all));
    // Settled factors stay, but for faults that the host reports.
    learned.settle();
    let counted = learned.laps();
    assert_eq!(steps(&mut learned, true, Run { faults: 1, ..run(30.0) }), (0, 0));
    assert_eq!(learned.laps(), counted);
    let mut reported = learning(&path, LearningOptions { spacing_m: 10.0, ..LearningOptions::of_reported_faults() });
    reported.settle();
    assert_eq!(steps(&mut reported, true, run(30.0)), (0, 0));
    assert_eq!(steps(&mut reported, true, Run { faults: 1, ..run(30.0) }), (0, all));
}

#[test]
fn a_short_line_has_four_places() {
    let path = Path::new(
        [0.0, 6.0, 12.0]
            .map(|x| crate::path::Waypoint { position_m: [x, 0.0, 0.0], speed_mps: 5.0, ..Default::default() })
            .into(),
        false,
    );
    assert_eq!(learning(&path.unwrap(), LearningOptions::default()).places.len(), 4);
}
