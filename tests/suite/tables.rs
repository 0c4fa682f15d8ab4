//! Quoted fields, line breaks and byte order marks through every reader of tables.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used)]

use std::fs;

use raceline::construction::ImportOptions;
use raceline::drive::read_obstacles;
use raceline::importers::csv;
use raceline::options::Layer;
use raceline::vehicle::Vehicle;
use raceline_calibrate::csv::read as telemetry;
use tempfile::TempDir;

#[test]
fn every_reader_of_tables_takes_quoted_fields() {
    // A track: names, a comment column with separators and line breaks, any order of the columns.
    let ring = |row: &dyn Fn(f64, f64) -> String| -> String {
        (0..40)
            .map(|i| (f64::from(i) * std::f64::consts::TAU / 40.0).sin_cos())
            .map(|(y, x)| row(50.0 * x, 50.0 * y))
            .collect()
    };
    let plain = "x_m,y_m,width_m\n".to_owned() + &ring(&|x, y| format!("{x},{y},8\n"));
    let rich = "\u{feff}\"width\n[m]\";\"the \"\"note\"\"\";\"y_m\";\"x_m\"\r\n".to_owned()
        + &ring(&|x, y| format!("8; \"a;b\r\n\"\"c\"\"\";\"{y}\";{x}\r\n"));
    let road = |text: &str| csv(text.as_bytes(), Some(true), &ImportOptions::default()).unwrap();
    assert_eq!(road(&rich), road(&plain));

    let obstacles = read_obstacles(b"x_m,y_m,radius_m\n1.5,-2,0.5\n").unwrap();
    assert_eq!(
        read_obstacles(b"\"what\",\"radius_m\",\"x_m\",\"y_m\"\r\n\"a \"\"b\"\", c\",\"0.5\",1.5,-2\r\n").unwrap(),
        obstacles
    );

    let run = telemetry(b"time_s,speed_mps,lateral_accel_mps2\n0,10,1\n0.1,11,2\n", "run").unwrap();
    let quoted_run =
        b"\"lateral_accel (m/s2)\",note,\"time\",\"speed_mps\"\n1,\"a, \"\"b\"\"\",0,10\n2,\"\nc\",0.1,\"11\"\n";
    assert_eq!(telemetry(quoted_run, "run").unwrap(), run);

    let folder = TempDir::new().unwrap();
    let mut car = raceline::vehicle::preset("gt").unwrap();
    car.ggv_table.clear();
    car.downforce_kgpm = 0.0;
    let toml = car.to_toml().unwrap();
    let toml: String = toml
        .lines()
        .filter(|line| !line.starts_with("ggv_") && !line.contains("_limit_mps2"))
        .map(|line| line.to_owned() + "\n")
        .collect();
    let path = folder.path().join("car.toml");
    fs::write(&path, format!("ggv_csv = \"ggv.csv\"\n{toml}")).unwrap();
    let table = |text: &str| {
        fs::write(folder.path().join("ggv.csv"), text).unwrap();
        Vehicle::read(&path).unwrap().ggv_table
    };
    let expected = [[0.0, 10.0, 11.0], [40.0, 14.0, 19.0]];
    assert_eq!(table("# v_mps,ax_max_mps2,ay_max_mps2\n0,10,11\n40,14,19 # at speed, dry\n"), expected);
    assert_eq!(
        table("\u{feff}# \"ay_max_mps2\";\"v_mps\";\"ax_max_mps2\"\r\n11;\"0\";10\r\n19;40;\"14\"\r\n"),
        expected
    );
    assert_eq!(table("0\t10\t11\n40 \t14\t19\n"), expected);

    // A reference line gives the start.
    fs::write(
        folder.path().join("line.csv"),
        "\"name, \"\"old\"\"\",x_m,y_m\r\n\"a\r\nb\",1,2\r\nc,11,2\r\nd,11,12\r\n",
    )
    .unwrap();
    let layer = Layer::from_toml(&folder.path().join("track.toml"), "like = \"line.csv\"").unwrap();
    let options = raceline::Options::from_layers(&[layer]).unwrap();
    let start = options.resolved().unwrap().track.start;
    assert_eq!(start, Some(raceline::frame::Spot::Metres([1.0, 2.0])));
}
