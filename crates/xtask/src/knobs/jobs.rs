//! The jobs whose results are compared: the tracks whose lines are committed, generated tracks, and one run of
//! each method, format, planner and follower that reads knobs which those do not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::ensure;

use super::building::Build;

/// What is made once with the knobs as they are; `{made}` is its folder.
const MADE: [&str; 7] = [
    "generate --style kart --seed 4 --length-m 600 -o {made}/kart.csv",
    "generate --style street --seed 3 --length-m 900 -o {made}/street.png",
    "generate --style circuit --seed 3 --length-m 1500 -o {made}/circuit.yaml",
    "generate --style stage --seed 5 --length-m 800 -o {made}/stage.csv",
    "optimize tracks/oval.png --model car --vehicle fuzz/seeds/options_toml/vehicle.toml -o {made}/car.json",
    "drive tracks/street.raceline.json --laps 1 -o {made}/street-drive.csv",
    "drive tracks/kart.raceline.json --laps 1 -o {made}/kart-drive.csv",
];

/// Sidecars with obstacles and pick-ups, beside copies of the picture of the oval.
const SIDECARS: [(&str, &str); 2] = [
    (
        "obstacles",
        "[[obstacle]]\nat = [205, 42]\nradius_m = 1.5\n[[obstacle]]\nat = [120, 38]\nradius_m = 1.0\n\
         [[pick_up]]\nat = [160, 45]\nradius_m = 1.0\nworth_s = 0.4\n",
    ),
    (
        "pick-ups",
        "pick_up_search = \"heavy-points\"\n[[pick_up]]\nat = [205, 46]\nradius_m = 1.0\nworth_s = 0.2\n\
         [[pick_up]]\nat = [160, 38]\nradius_m = 1.0\nworth_s = 0.1\n",
    ),
];

/// Name and arguments of each job. The first figure of a result decides how much it changed.
const JOBS: &[(&str, &str)] = &[
    ("golden club", "optimize tracks/club.png"),
    ("golden eight", "optimize tracks/eight.png"),
    ("golden grid", "optimize tracks/grid.yaml"),
    ("golden hairpin", "optimize tracks/hairpin.png"),
    ("golden kart", "optimize tracks/kart.png"),
    ("golden outline", "optimize tracks/outline.png"),
    ("golden oval", "optimize tracks/oval.png"),
    ("golden stadium", "optimize tracks/stadium.png"),
    ("golden street", "optimize tracks/street.png"),
    ("generated kart", "optimize {made}/kart.csv --vehicle kart"),
    ("generated street", "optimize {made}/street.png --vehicle gt"),
    ("generated circuit", "optimize {made}/circuit.yaml --vehicle formula"),
    ("generated stage", "optimize {made}/stage.csv --vehicle gt"),
    ("shortest path", "optimize tracks/oval.png --method shortest-path"),
    ("iterated curvature", "optimize tracks/oval.png --method iterated-min-curvature"),
    ("relaxation", "optimize tracks/oval.png --method relaxation"),
    ("sampled", "optimize tracks/oval.png --method sampled"),
    ("classic", "optimize tracks/oval.png --method blend --formulation classic"),
    ("interior point", "optimize tracks/oval.png --method blend --qp-solver interior-point"),
    ("car model", "optimize tracks/oval.png --model car"),
    ("car model, kart", "optimize tracks/kart.png --model car"),
    ("minimal vehicle", "optimize tracks/oval.png --model car --vehicle fuzz/seeds/options_toml/vehicle.toml"),
    ("energy", "optimize tracks/stadium.png --model car --objective energy --energy-price-spj 1e-7"),
    ("aerial", "optimize tracks/club.png --road aerial"),
    ("schematic", "optimize tracks/club.png --track-length-m 2376 --track-width-m 12 --no-sidecar --vehicle gt"),
    ("TORCS", "optimize fuzz/seeds/torcs_xml/stadium.xml --vehicle kart"),
    ("SVG stroke", "optimize fuzz/seeds/svg/stroke.svg --track-width-m 8 --track-length-m 400 --vehicle kart"),
    ("SVG edges", "optimize fuzz/seeds/svg/edges.svg --metres-per-pixel 1 --vehicle kart"),
    ("GeoJSON line", "optimize fuzz/seeds/geojson/line.geojson --vehicle kart"),
    ("GeoJSON edges", "optimize fuzz/seeds/geojson/edges.geojson --vehicle kart"),
    ("heights", "optimize fuzz/seeds/centre_line_csv/heights.csv --vehicle formula"),
    ("edges", "optimize fuzz/seeds/edge_csv/ring.csv --vehicle kart"),
    ("obstacles", "optimize {made}/obstacles.png"),
    ("weighted pick-ups", "optimize {made}/pick-ups.png"),
    ("plan voronoi", "optimize tracks/maps/hall.yaml {ends}"),
    ("plan in a maze", "optimize tracks/maps/maze.yaml {ends}"),
    ("plan A*", "optimize tracks/maps/hall.yaml {ends} --planner a-star"),
    ("plan weighted A*", "optimize tracks/maps/hall.yaml {ends} --planner weighted-a-star"),
    ("plan IDA*", "optimize tracks/maps/hall.yaml {ends} --planner ida-star"),
    ("plan cells", "optimize tracks/maps/hall.yaml {ends} --planner cells"),
    ("plan navigation mesh", "optimize tracks/maps/hall.yaml {ends} --planner navigation-mesh"),
    ("plan quadtree", "optimize tracks/maps/hall.yaml {ends} --planner quadtree"),
    ("plan potential field", "optimize tracks/maps/hall.yaml {ends} --planner potential-field"),
    ("plan PRM", "optimize tracks/maps/hall.yaml {ends} --planner prm"),
    ("plan Gaussian PRM", "optimize tracks/maps/hall.yaml {ends} --planner gaussian-prm"),
    ("plan visibility PRM", "optimize tracks/maps/hall.yaml {ends} --planner visibility-prm"),
    ("plan RRT", "optimize tracks/maps/hall.yaml {ends} --planner rrt"),
    ("plan RRT*", "optimize tracks/maps/hall.yaml {ends} --planner rrt-star"),
    ("plan hybrid A*", "optimize tracks/maps/hall.yaml {ends} --planner hybrid-a-star"),
    ("streets, fastest", "optimize tracks/maps/quarter.geojson"),
    ("streets, exhaustive", "optimize tracks/maps/quarter.geojson --route exhaustive"),
    ("drive kart", "drive tracks/kart.raceline.json --laps 2 --json"),
    ("drive with inputs", "drive {made}/car.json --laps 1 --json"),
    ("drive street", "drive tracks/street.raceline.json --laps 1 --json"),
    ("drive grid", "drive tracks/grid.raceline.json --laps 2 --json"),
    ("drive by curves", "drive tracks/kart.raceline.json --laps 1 --json --follower bezier"),
    ("drive the profile", "drive tracks/oval.raceline.json --laps 1 --json --follower profile"),
    ("drive baseline", "drive tracks/stadium.raceline.json --laps 1 --json --follower baseline --speed-share 0.6"),
    ("drive Reynolds", "drive tracks/stadium.raceline.json --laps 1 --json --follower reynolds --speed-share 0.6"),
    (
        "drive network",
        "drive tracks/kart.raceline.json --laps 1 --json --follower neural --driver examples/neural/driver.json",
    ),
    ("drive late", "drive tracks/oval.raceline.json --laps 1 --json --actuation-delay-s 0.1 --speed-share 0.9"),
    ("drive on ice", "drive tracks/oval.raceline.json --laps 1 --json --grip 200-300=0.8 --speed-share 0.9"),
    ("learn", "drive tracks/kart.raceline.json --laps 1 --learn-laps 3 --json"),
    ("traffic", "drive tracks/grid.raceline.json --laps 1 --traffic 3 --json"),
    ("faster traffic", "drive tracks/street.raceline.json --laps 1 --traffic 2 --traffic-speeds 0.8-1 --json"),
    ("stones", "drive tracks/oval.raceline.json --laps 1 --obstacles {made}/stones.csv --json"),
    ("calibrate street", "calibrate {made}/street-drive.csv --base tum-racecar"),
    ("calibrate kart", "calibrate {made}/kart-drive.csv --base kart"),
    ("inspect", "inspect tracks/street.raceline.json --json"),
    ("compare", "compare tracks/street.raceline.json {made}/street.line.json --json"),
    ("flow field", "export --format flow-field tracks/grid.raceline.json"),
    ("GeoJSON polygon", "optimize fuzz/seeds/geojson/polygon.geojson --vehicle kart"),
    ("old TORCS", "optimize fuzz/seeds/torcs_xml/version_3.xml --vehicle kart"),
    ("smoothed survey", "optimize {made}/kart.csv --vehicle kart --smoothing-m 1"),
    ("hand-placed points", "optimize fuzz/seeds/centre_line_csv/hairpin.csv --vehicle kart"),
    ("springs and hinges", "optimize tracks/oval.png --method relaxation --relaxation springs-and-hinges"),
    ("energy budget", "optimize tracks/oval.png --model car --objective energy --energy-j 2e6"),
    ("streets, any order", "optimize tracks/maps/quarter.geojson --via-order any"),
    ("highest clean speed", "drive tracks/oval.raceline.json --laps 1 --best --json"),
    ("what is off", "drive tracks/oval.raceline.json --laps 1 --sensitivity --json"),
    ("sweep", "sweep tracks/oval.png --vary width_m=1.6,2 --json"),
    ("other exponents", "sweep tracks/oval.png --vary ellipse_exponent=1.5,1.8"),
    ("sweep of a line", "sweep tracks/oval.png --vary width_m=1.6,2 --fixed-line"),
    ("sensitivities", "inspect tracks/street.raceline.json --sensitivities --json"),
    ("balance", "inspect {made}/car.json --json"),
    ("SVG path", "export --format svg-path tracks/grid.raceline.json"),
];

/// Scenes of the follower's tests.
const SCENES: [&str; 7] = ["rivals", "encounters", "pick-ups", "stuck", "corridor", "kinds", "behaviours"];

/// Names of jobs, or how they begin, that a test repeats: it fails where the job's figure changes by half a per cent.
const TESTS: &[(&str, &str)] = &[
    ("golden ", "goldens::"),
    ("scene ", "scenes::vehicles_drive_the_distances_that_they_drove"),
    ("drive kart", DRIVES),
    ("drive street", DRIVES),
    ("drive grid", DRIVES),
    ("drive by curves", DRIVES),
    ("drive the profile", DRIVES),
    ("drive late", DRIVES),
    ("learn", DRIVES),
    ("traffic", "drive_traffic::a_lap_in_traffic_takes_the_time_that_it_took"),
    ("plan ", LINES),
    ("streets, ", LINES),
    ("shortest path", LINES),
    ("iterated curvature", LINES),
    ("relaxation", LINES),
    ("springs and hinges", LINES),
    ("sampled", LINES),
    ("classic", LINES),
    ("car model, kart", LINES),
    ("minimal vehicle", LINES),
    ("aerial", LINES),
    ("schematic", LINES),
    ("TORCS", LINES),
    ("SVG stroke", LINES),
    ("SVG edges", LINES),
    ("GeoJSON line", LINES),
    ("GeoJSON polygon", LINES),
    ("hand-placed points", LINES),
    ("heights", LINES),
];
const LINES: &str = "lap_times::lines_take_the_times_that_they_took";
const DRIVES: &str = "drive::drives_take_the_times_that_they_took";

/// The test that repeats a job.
pub fn test_of(job: &str) -> Option<&'static str> {
    TESTS.iter().find(|(name, _)| job.starts_with(name)).map(|(_, test)| *test)
}

/// A place in the halls and another, and the vehicle that drives there.
const ENDS: &str = "--from 2.2,2.5 --to 20,14 --vehicle robot-car";

/// One call of a program.
#[derive(Debug)]
pub struct Job {
    pub name: String,
    pub program: PathBuf,
    pub arguments: Vec<String>,
}

/// Makes the inputs, and lists the jobs.
pub fn prepare(build: &Build, work: &Path) -> anyhow::Result<Vec<Job>> {
    let made = work.join("made");
    fs::create_dir_all(&made)?;
    let fill = |text: &str| text.replace("{ends}", ENDS).replace("{made}", &made.to_string_lossy());
    for arguments in
        MADE.iter().copied().chain(["optimize tracks/street.png --method blend -o {made}/street.line.json"])
    {
        let mut command = Command::new(&build.program);
        command.current_dir(&build.folder).args(fill(arguments).split_whitespace()).arg("--quiet");
        ensure!(command.status()?.success(), "raceline {arguments} failed");
    }
    let sidecar = fs::read_to_string(build.folder.join("tracks/oval.toml"))?;
    for (name, places) in SIDECARS {
        fs::copy(build.folder.join("tracks/oval.png"), made.join(name).with_extension("png"))?;
        fs::write(made.join(name).with_extension("toml"), format!("{sidecar}{places}"))?;
    }
    fs::write(made.join("stones.csv"), "x_m,y_m,radius_m\n205,42,0.8\n120,38,0.8\n")?;
    let job = |(name, arguments): (&str, &str)| Job {
        name: name.to_owned(),
        program: build.program.clone(),
        arguments: fill(arguments).split_whitespace().chain(["--quiet", "--threads", "1"]).map(str::to_owned).collect(),
    };
    let scene = |name: &str| Job {
        name: format!("scene {name}"),
        program: build.scenes.clone(),
        arguments: vec![name.to_owned()],
    };
    Ok(JOBS.iter().copied().map(job).chain(SCENES.map(scene)).collect())
}
