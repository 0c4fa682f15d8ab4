//! What a judgement reports.

use std::collections::BTreeSet;

use raceline_verify::{Against, Rule, VerifyError, consistency, prove, verify};

use crate::closed_forms::circle;
use crate::judged;

#[test]
fn a_line_that_agrees_with_itself_may_still_be_too_fast() {
    let line = circle(30.0, 30.0);
    let report = consistency(&line).unwrap();
    assert!(report.is_sound() && report.checks.len() > 10, "{report:?}");
    assert!(report.check(Rule::Margin).is_none() && report.check(Rule::Driving).is_none());
    let against = Against::of(&line);
    assert!(!verify(&line, &against).unwrap().is_sound());
    let Err(VerifyError::Unsound(unsound)) = prove(&line, &against) else { panic!("it is proven") };
    assert_eq!(unsound.others, unsound.report.findings().count() - 1);
    assert_eq!(prove(&circle(30.0, 5.0), &Against::of(&circle(30.0, 5.0))), Ok(()));
}

#[test]
fn a_finding_states_the_measured_and_the_allowed_value_with_their_unit() {
    let mut line = circle(40.0, 10.0);
    line.lap_time_s += 0.5;
    line.points[0].left_m = 0.0;
    let report = judged(&line);
    let reported = |rule: Rule| report.check(rule).unwrap().to_string();
    assert_eq!(
        reported(Rule::LeftDistance),
        "point 0 (s 0.0000 m, x 40.0000 m, y 0.0000 m): left-distance: \
         difference of left_m from the distance to the left edge is 5.0000 m, at most 6.50e-4 m is allowed"
    );
    assert!(reported(Rule::StepTime).ends_with(" s is allowed"), "{}", reported(Rule::StepTime));
    assert!(
        reported(Rule::Candidate).contains("candidate: difference between the line and its entry in candidates is 0.5")
    );
    let mut fast = circle(40.0, 90.0);
    fast.vehicle.max_speed_mps = 50.0;
    let reported = judged(&fast).check(Rule::MaxSpeed).unwrap().to_string();
    assert!(
        reported.ends_with("max-speed: speed is 90.0000 m/s, at most 50.0001 m/s is allowed (120 places)"),
        "{reported}"
    );
    let side = judged(&circle(40.0, 10.0)).check(Rule::Side).unwrap().fault();
    assert_eq!(side, "side: distance beyond an edge is 0.0000 m, at most 0.0000 m is allowed");
}

#[test]
fn every_rule_has_a_name_and_a_measure_of_its_own_and_a_unit() {
    let rules = [
        (
            "",
            vec![Rule::Start, Rule::Direction, Rule::Candidate, Rule::Edges, Rule::Load, Rule::Braking, Rule::Driving],
        ),
        ("m", vec![Rule::StepLength, Rule::Length, Rule::Height, Rule::LeftDistance, Rule::RightDistance, Rule::Side]),
        ("m", vec![Rule::Margin, Rule::Obstacle, Rule::Pin, Rule::NoGo]),
        ("rad", vec![Rule::Heading]),
        ("1/m", vec![Rule::Curvature, Rule::MaxCurvature]),
        ("s", vec![Rule::StepTime, Rule::Time]),
        ("m/s²", vec![Rule::Acceleration, Rule::Drive]),
        ("m/s", vec![Rule::SpeedCap, Rule::MaxSpeed]),
        ("rad/s", vec![Rule::LeanRate]),
    ];
    let (mut names, mut measures) = (BTreeSet::new(), BTreeSet::new());
    let mut count = 0;
    for (unit, rules) in rules {
        for rule in rules {
            assert_eq!(rule.unit(), unit, "{rule}");
            names.insert(rule.to_string());
            measures.insert(rule.measure());
            count += 1;
        }
    }
    assert_eq!((names.len(), measures.len(), count), (27, 27, 27));
    assert!(measures.iter().all(|measure| measure.len() > 4));
}
