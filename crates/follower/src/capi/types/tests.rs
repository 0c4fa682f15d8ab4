use super::*;

#[test]
fn what_learning_looks_at_is_that_of_the_command() {
    let command = Command {
        pedal: 0.3,
        acceleration_mps2: Some(2.5),
        steering_rad: -0.2,
        target_speed_mps: 31.0,
        s_m: 120.5,
        cross_track_error_m: 0.7,
        ..Command::brake(StuckState::Driving)
    };
    assert_eq!(RacelineCommand::from(&command).observed(), command);
    let switched = Command { arrived: true, acceleration_mps2: None, ..command };
    assert_eq!(RacelineCommand::from(&switched).observed(), switched);
    let switched = Command { inside_corridor: true, ..command };
    assert_eq!(RacelineCommand::from(&switched).observed(), switched);
    let switched = Command { lacks_velocity: true, ..command };
    assert_eq!(RacelineCommand::from(&switched).observed(), switched);
    let states = [StuckState::Driving, StuckState::Reversing, StuckState::TurningOut, StuckState::AskingForPlacement];
    for state in states {
        let event =
            StuckEvent { from: StuckState::Driving, to: state, cause: StuckCause::Reversed, attempt: 2, s_m: 120.5 };
        let observed = RacelineCommand::from(&Command { state, event: Some(event), ..command }).observed();
        // Neither the state before nor the cause is known.
        let event = StuckEvent { from: state, cause: StuckCause::NoProgress, ..event };
        assert_eq!(observed, Command { state, event: Some(event), ..command });
    }
}
