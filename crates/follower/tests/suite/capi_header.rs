//! The C interface as a C program sees it: the structs that the header declares, their defaults, a
//! program that calls every function, and the example.

#![cfg(feature = "capi")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]
#![allow(unsafe_code, reason = "looks at the bytes of the C interface's structs")]

use std::fmt::Write;
use std::mem::{offset_of, size_of};
use std::path::{Path as FilePath, PathBuf};
use std::process::Command as Process;

use raceline_follower::capi::*;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");
const HEADER: &str = include_str!("../../include/raceline_follower.h");

/// The C compiler, or none, which is reported.
pub fn compiler() -> Option<String> {
    let name = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    if Process::new(&name).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Some(name);
    }
    println!("skipped: there is no C compiler {name}");
    None
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("capi");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

pub fn run(mut process: Process) -> String {
    let output = process.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{process:?}\n{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// Compiles a C program against the header, with the library if it calls it.
pub fn compiled(cc: &str, source: &FilePath, name: &str, with_library: bool) -> PathBuf {
    let binary = scratch(name);
    let mut compile = Process::new(cc);
    compile.args(["-std=c99", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror", "-I"]);
    compile.arg(format!("{CRATE}/include")).arg("-o").arg(&binary).arg(source);
    if with_library {
        let library = library().unwrap_or_else(|| panic!("no libraceline_follower.a beside the test"));
        compile.arg(library).args(["-lm", "-lpthread", "-ldl"]);
    }
    run(compile);
    binary
}

/// The static library that Cargo has made beside this test.
pub fn library() -> Option<PathBuf> {
    let test = std::env::current_exe().unwrap();
    let deps = test.parent()?;
    let found = [deps.join("libraceline_follower.a"), deps.parent()?.join("libraceline_follower.a")];
    found.into_iter().find(|path| path.exists())
}

/// A struct as Rust has it: its name in C, its size, its fields and the bytes of its default.
struct Struct {
    name: &'static str,
    size: usize,
    fields: Vec<(&'static str, usize)>,
    default: Option<String>,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

macro_rules! sized {
    ($($rust:ident $name:literal),+ $(,)?) => {
        vec![$({
            let default = $rust::default();
            // SAFETY: a struct of the interface has no padding.
            let bytes = unsafe { std::slice::from_raw_parts((&raw const default).cast::<u8>(), size_of::<$rust>()) };
            Struct {
                name: $name,
                size: size_of::<$rust>(),
                fields: $rust::FIELDS.to_vec(),
                default: Some(hex(bytes)),
            }
        }),+]
    };
}

macro_rules! plain {
    ($rust:ident $name:literal: $($field:ident)+) => {
        Struct {
            name: $name,
            size: size_of::<$rust>(),
            fields: vec![$((stringify!($field), offset_of!($rust, $field))),+],
            default: None,
        }
    };
}

fn structs() -> Vec<Struct> {
    let mut all = sized![
        RacelineWaypoint "raceline_waypoint",
        RacelinePathSample "raceline_path_sample",
        RacelineCorridorOptions "raceline_corridor_options",
        RacelineVehicle "raceline_vehicle",
        RacelineLineInfo "raceline_line_info",
        RacelinePlannerOptions "raceline_planner_options",
        RacelineFollowerOptions "raceline_follower_options",
        RacelineState "raceline_state",
        RacelineNeighbour "raceline_neighbour",
        RacelineBody "raceline_body",
        RacelinePickUp "raceline_pick_up",
        RacelineScene "raceline_scene",
        RacelineCommand "raceline_command",
        RacelineLearningOptions "raceline_learning_options",
        RacelineLap "raceline_lap",
        RacelineNeuralDriverOptions "raceline_neural_driver_options",
        RacelineAgent "raceline_agent",
        RacelineAvoidanceOptions "raceline_avoidance_options",
        RacelineNeighbourhood "raceline_neighbourhood",
        RacelineFlock "raceline_flock",
        RacelineWallOptions "raceline_wall_options",
        RacelineLeaderOptions "raceline_leader_options",
        RacelinePathFollowingOptions "raceline_path_following_options",
        RacelineFlowField "raceline_flow_field",
        RacelineWanderOptions "raceline_wander_options",
    ];
    all.push(plain!(RacelineOption "raceline_option": key value));
    all.push(plain!(RlfVehicleState "rlf_vehicle_state":
        position_m heading_rad speed_mps velocity_mps yaw_rate_radps));
    all.push(plain!(RlfVehicleGeometry "rlf_vehicle_geometry":
        wheelbase_m max_steering_rad length_m width_m rear_axle_m grip_g max_yaw_rate_radps));
    all.push(plain!(RlfLineInfo "rlf_line_info": lap_time_s vehicle has_vehicle reserved));
    all.push(plain!(RlfCommand "rlf_command":
        pedal steering_rad target_speed_mps target_point_m nearest_point_m s_m cross_track_error_m place_position_m
        place_heading_rad state event_from event_cause event_attempt reverse boost arrived inside_corridor place_back
        reserved));
    all
}

/// The names in the header that `pattern` precedes, each up to the first character that is none.
fn names_after(pattern: &str) -> Vec<&'static str> {
    let after = HEADER.match_indices(pattern).map(|(at, _)| &HEADER[at + pattern.len()..]);
    after.map(|rest| &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap()]).collect()
}

#[test]
fn every_struct_has_the_header_s_size_offsets_and_defaults() {
    let Some(cc) = compiler() else { return };
    let (mut expected, mut body) = (String::new(), String::new());
    let structs = structs();
    for Struct { name, size, fields, default } in &structs {
        writeln!(expected, "{name} {size}").unwrap();
        write!(body, "p(\"{name}\", sizeof({name}));").unwrap();
        for (field, offset) in fields {
            writeln!(expected, "{name}.{field} {offset}").unwrap();
            write!(body, "p(\"{name}.{field}\", offsetof({name}, {field}));").unwrap();
        }
        if let Some(default) = default {
            writeln!(expected, "{default}").unwrap();
            write!(body, "{{ {name} s = {}_INIT; b(&s, sizeof s); }}", name.to_uppercase()).unwrap();
        }
    }
    for (name, value) in [
        ("RACELINE_INTERNAL", RacelineStatus::Internal as usize),
        ("RACELINE_FOLLOWER_VERSION", FOLLOWER_VERSION as usize),
        ("RLF_ABI_VERSION", RLF_ABI_VERSION as usize),
        ("RACELINE_MAX_NEIGHBOURS", raceline_follower::MAX_NEIGHBOURS),
        ("RACELINE_MAX_OBSTACLES", raceline_follower::MAX_OBSTACLES),
        ("RACELINE_MAX_PICK_UPS", raceline_follower::MAX_PICK_UPS),
        ("RACELINE_MAX_BODIES", MAX_BODIES),
        ("RACELINE_MAX_AGENTS", MAX_AGENTS),
        ("RACELINE_MAX_CELLS", MAX_CELLS),
        ("RACELINE_MAX_TILES", MAX_TILES),
    ] {
        writeln!(expected, "{name} {value}").unwrap();
        write!(body, "p(\"{name}\", {name});").unwrap();
    }
    // No struct of the header is missing here, and no field: the last one ends where the struct does.
    let mut declared = names_after("typedef struct ");
    declared.retain(|name| HEADER.contains(&format!("typedef struct {name} {{")));
    let known: Vec<_> = structs.iter().map(|known| known.name).filter(|name| name.starts_with("raceline")).collect();
    let missing: Vec<_> = declared.iter().filter(|name| !known.contains(name)).collect();
    assert!(missing.is_empty() && declared.len() == known.len(), "{missing:?}");
    let program = format!(
        "#include <stdio.h>\n#include \"raceline_follower_rlf.h\"\n\
         static void p(const char *n, size_t a) {{ printf(\"%s %zu\\n\", n, a); }}\n\
         static void b(const void *s, size_t n) {{ for (size_t i = 0; i < n; i++) \
         printf(\"%02x\", ((const unsigned char *)s)[i]); puts(\"\"); }}\n\
         int main(void) {{ {body} return 0; }}\n"
    );
    let source = scratch("layout.c");
    std::fs::write(&source, program).unwrap();
    let binary = compiled(&cc, &source, "layout", false);
    assert_eq!(run(Process::new(&binary)), expected);
}

#[test]
fn a_c_program_calls_every_function() {
    let Some(cc) = compiler() else { return };
    if !cfg!(target_os = "linux") {
        println!("skipped: the libraries that a static library needs are only known for Linux");
        return;
    }
    let source = FilePath::new(CRATE).join("tests/c/every_function.c");
    let text = std::fs::read_to_string(&source).unwrap();
    let functions: Vec<_> = HEADER
        .match_indices("(")
        .filter_map(|(at, _)| HEADER[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_').next())
        .filter(|name| name.starts_with("raceline_"))
        .collect();
    assert!(functions.len() > 40, "{functions:?}");
    let unused: Vec<_> = functions.iter().filter(|name| !text.contains(&format!("{name}("))).collect();
    assert!(unused.is_empty(), "tests/c/every_function.c does not call {unused:?}");
    let tracks = FilePath::new(CRATE).join("../../tracks");
    let mut program = Process::new(compiled(&cc, &source, "every_function", true));
    program.arg(tracks.join("club.raceline.json")).arg(scratch("network.json"));
    std::fs::write(scratch("network.json"), network()).unwrap();
    assert_eq!(run(program), "every function was called\n");
}

/// The file of a network that has learned nothing.
fn network() -> String {
    use raceline_follower::neural::{INPUTS, Layer, Network, OUTPUTS};
    let weights = (0..INPUTS * OUTPUTS).map(|k| 0.01 * (k % 7) as f64).collect();
    let network = Network::new(vec![Layer { weights, biases: vec![0.0; OUTPUTS] }]).unwrap();
    raceline_follower::json::write_network(&network)
}

#[test]
fn the_c_example_drives_a_lap() {
    let Some(cc) = compiler() else { return };
    if !cfg!(target_os = "linux") {
        println!("skipped: the libraries that a static library needs are only known for Linux");
        return;
    }
    let root = FilePath::new(CRATE).join("../..");
    let binary = compiled(&cc, &root.join("examples/c/drive_lap.c"), "drive_lap", true);
    for (track, slides) in [("stadium", false), ("oval", false), ("club", false), ("stadium", true), ("club", true)] {
        let mut drive = Process::new(&binary);
        drive.args(slides.then_some("--sliding"));
        drive.arg(root.join(format!("tracks/{track}.raceline.json")));
        let output = run(drive);
        assert!(output.starts_with("lap ") && output.ends_with("kept to the road\n"), "{track}: {output}");
        let seconds: Vec<f64> = output.split(' ').filter_map(|word| word.parse().ok()).collect();
        let scale = if slides { 0.95 } else { 0.98 };
        assert!((scale * seconds[0] / seconds[1] - 1.0).abs() < 0.03, "{track}: {output}");
    }
    let mut nothing = Process::new(&binary);
    nothing.arg(root.join("Cargo.toml"));
    let output = nothing.output().unwrap();
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("line 1, column"));
}
