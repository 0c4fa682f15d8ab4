use crate::{DriveLimit, STANDARD_GRAVITY, Vehicle, VehicleError, preset};

/// The message of the refusal.
#[track_caller]
fn refusal(vehicle: &Vehicle) -> String {
    vehicle.validate().unwrap_err().to_string()
}

fn gt() -> Vehicle {
    preset("gt").unwrap()
}

fn tabled() -> Vehicle {
    Vehicle {
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        downforce_kgpm: 0.0,
        ggv_table: vec![[0.0, 10.0, 12.0], [50.0, 11.0, 15.0]],
        ..gt()
    }
}

/// The number of the point that is refused, with its table's key.
#[track_caller]
fn refused_point(vehicle: &Vehicle) -> (&'static str, usize) {
    match vehicle.validate().unwrap_err() {
        VehicleError::TablePoint { key, number, .. } => (key, number),
        other => panic!("{other}"),
    }
}

#[test]
fn every_number_that_stands_alone_is_checked_at_both_ends_of_its_range() {
    let whole = Vehicle { downforce_kgpm: 0.0, ..gt() };
    let ranges = Vehicle::number_ranges();
    assert_eq!(ranges.len(), 38);
    for range in ranges {
        assert!(range.low < range.high && !range.unit.is_empty());
        for (value, is_within) in [
            (range.low, true),
            (range.high, true),
            (range.low - 1e-9 - range.low.abs() * 1e-9, false),
            (range.high * (1.0 + 1e-9), false),
        ] {
            let changed = whole.with_parameters(&[(range.key, value)]).unwrap();
            let refused = match changed.validate() {
                Err(VehicleError::OutOfRange { key, value: found, low, high, unit, vehicle }) => {
                    assert_eq!((key, found, low, high, unit), (range.key, value, range.low, range.high, range.unit));
                    assert_eq!(vehicle, "gt");
                    true
                }
                // Beside the others, a number may be refused for another reason.
                _ => false,
            };
            assert_eq!(refused, !is_within, "{} = {value}", range.key);
        }
    }
    // The numbers of one kind of drive are not those of another, and a table takes the place of the limits.
    let of_table = Vehicle { drive: DriveLimit::TableMps2(vec![[0.0, 5.0]]), ..tabled() };
    assert_eq!(of_table.validate(), Ok(()));
}

#[test]
fn presets_are_valid_and_so_are_their_neighbours() {
    for entry in crate::presets() {
        assert_eq!(preset(entry.name).unwrap().validate(), Ok(()), "{}", entry.name);
    }
    assert_eq!(tabled().validate(), Ok(()));
}

#[test]
fn downforce_in_front_needs_the_weight_in_front() {
    let with = |downforce: Option<f64>, weight: Option<f64>| Vehicle {
        front_downforce_fraction: downforce,
        front_weight_fraction: weight,
        ..gt()
    };
    assert!(refusal(&with(Some(0.4), None)).contains("front_downforce_fraction is specified without front_weight"));
    for valid in [with(Some(0.4), Some(0.5)), with(None, Some(0.5)), with(None, None)] {
        assert_eq!(valid.validate(), Ok(()));
    }
}

/// Half a radian over 2.6 m is a radius of 4.76 m.
#[test]
fn the_sharpest_bend_is_one_that_the_wheels_reach() {
    let reached = 0.5_f64.tan() / 2.6;
    let with = |max_curvature_radpm: f64| Vehicle {
        wheelbase_m: 2.6,
        max_steering_rad: Some(0.5),
        max_curvature_radpm,
        ..gt()
    };
    // Two numbers that were rounded belong together still.
    assert_eq!(with(1.009 * reached).validate(), Ok(()));
    assert_eq!(
        refusal(&with(0.25)),
        "vehicle gt: max_steering_rad is 0.5, a curvature of 0.2101 1/m, but max_curvature_radpm is 0.25: lower max_curvature_radpm to 0.2101, or raise max_steering_rad to 0.5764"
    );
    assert!(with(1.011 * reached).validate().is_err());
    assert_eq!(Vehicle { max_steering_rad: None, ..with(0.25) }.validate(), Ok(()));
}

#[test]
fn a_table_of_limits_is_alone() {
    for (beside, key) in [
        (Vehicle { lateral_limit_mps2: 12.0, ..tabled() }, "lateral_limit_mps2"),
        (Vehicle { longitudinal_limit_mps2: 12.0, ..tabled() }, "longitudinal_limit_mps2"),
        (Vehicle { downforce_kgpm: 1.5, ..tabled() }, "downforce_kgpm"),
    ] {
        match beside.validate().unwrap_err() {
            VehicleError::BesideGgvTable { key: found, vehicle, .. } => assert_eq!((found, &*vehicle), (key, "gt")),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn points_of_tables_are_checked_by_their_number() {
    let ggv = |points: &[[f64; 3]]| Vehicle { ggv_table: points.to_vec(), ..tabled() };
    for (points, number) in [
        (&[[-0.1, 10.0, 12.0]][..], 1),
        (&[[0.0, 10.0, 12.0], [1000.1, 10.0, 12.0]][..], 2),
        (&[[0.0, 10.0, 12.0], [9.0, 0.009, 12.0]][..], 2),
        (&[[0.0, 10.0, 12.0], [9.0, 10.0, 12.0], [12.0, 10.0, 1000.1]][..], 3),
        (&[[0.0, 10.0, f64::NAN]][..], 1),
        (&[[0.0, 10.0, 12.0], [9.0, 10.0, 12.0], [9.0009, 10.0, 12.0]][..], 3),
        (&[[0.0, 10.0, 12.0], [9.0, 10.0, 12.0], [8.0, 10.0, 12.0]][..], 3),
    ] {
        assert_eq!(refused_point(&ggv(points)), ("ggv_table", number), "{points:?}");
    }
    // At the ends of the ranges, and as near to each other as points may be.
    let edge = ggv(&[[0.0, 0.01, 1000.0], [0.001, 1000.0, 0.01], [1000.0, 5.0, 5.0]]);
    assert!(!matches!(edge.validate(), Err(VehicleError::TablePoint { .. })), "{:?}", edge.validate());

    let driving = |points: &[[f64; 2]]| Vehicle { driving_limit_table: points.to_vec(), ..gt() };
    assert_eq!(driving(&[[0.0, 6.0], [30.0, 9.0]]).validate(), Ok(()));
    assert_eq!(refused_point(&driving(&[[0.0, 6.0], [30.0, 0.0]])), ("driving_limit_table", 2));
    assert!(refusal(&driving(&[[0.0, 2000.0]])).contains("give a driving limit"));

    let changes = |speeds: &[f64]| Vehicle { gear_change_speeds_mps: speeds.to_vec(), ..gt() };
    assert_eq!(changes(&[0.0, 20.0, 30.0]).validate(), Ok(()));
    assert_eq!(refused_point(&changes(&[20.0, 30.0, 25.0])), ("gear_change_speeds_mps", 3));
}

#[test]
fn tables_of_the_drive_have_a_positive_beginning() {
    let table_n = |points: &[[f64; 2]]| Vehicle { drive: DriveLimit::TableN(points.to_vec()), ..gt() };
    let table_mps2 = |points: &[[f64; 2]]| Vehicle { drive: DriveLimit::TableMps2(points.to_vec()), ..gt() };
    assert!(refusal(&table_n(&[])).contains("drive.table_n is empty: give at least one point [speed m/s, force N]"));
    assert!(refusal(&table_mps2(&[])).contains("drive.table_mps2 is empty"));
    assert_eq!(refused_point(&table_n(&[[0.0, 0.0], [30.0, 4e3]])), ("drive.table_n", 1));
    assert_eq!(refused_point(&table_mps2(&[[0.0, 0.0], [30.0, 4.0]])), ("drive.table_mps2", 1));
    assert_eq!(refused_point(&table_n(&[[0.0, 6e3], [30.0, 1.1e9]])), ("drive.table_n", 2));
    assert_eq!(refused_point(&table_mps2(&[[0.0, 6.0], [30.0, 1001.0]])), ("drive.table_mps2", 2));
    for valid in [table_n(&[[0.0, 6e3], [30.0, 0.0]]), table_mps2(&[[0.0, 6.0], [30.0, 0.0]])] {
        assert_eq!(valid.validate(), Ok(()));
    }
}

#[test]
fn a_vehicle_must_start_against_its_rolling_resistance() {
    // 1300 kg: drives of 0.3 g, in each of the three forms.
    let acceleration = 0.3 * STANDARD_GRAVITY;
    let force_n = acceleration * 1300.0;
    for drive in [
        DriveLimit::TableMps2(vec![[0.0, acceleration]]),
        DriveLimit::TableN(vec![[0.0, force_n]]),
        DriveLimit::PowerAndForce { power_w: 1e5, force_n },
    ] {
        let with = |rolling_resistance: f64| Vehicle { rolling_resistance, drive: drive.clone(), ..gt() };
        assert_eq!(with(0.299).validate(), Ok(()));
        match with(0.301).validate().unwrap_err() {
            VehicleError::HeldByRolling { coefficient, deceleration, acceleration: found, .. } => {
                assert_eq!((coefficient, deceleration), (0.301, 0.301 * STANDARD_GRAVITY));
                assert!((found - acceleration).abs() < 1e-12);
            }
            other => panic!("{other}"),
        }
    }
    // The tyres, constant or by a table, limit as the drive does. What is just held does not start.
    let half = 0.5 * STANDARD_GRAVITY;
    let constant = Vehicle { longitudinal_limit_mps2: half, ..gt() };
    let table = Vehicle { ggv_table: vec![[0.0, half, 12.0], [50.0, 11.0, 15.0]], ..tabled() };
    for tyres in [constant, table] {
        let with = |rolling_resistance: f64| Vehicle { rolling_resistance, ..tyres.clone() };
        assert_eq!(with(0.499).validate(), Ok(()));
        assert!(matches!(with(0.5).validate(), Err(VehicleError::HeldByRolling { .. })));
    }
}
