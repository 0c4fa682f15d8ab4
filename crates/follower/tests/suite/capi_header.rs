//! The C interface as a C program sees it: the structs that the header declares, and the example.

#![cfg(feature = "capi")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fmt::Write;
use std::mem::{align_of, offset_of, size_of};
use std::path::{Path as FilePath, PathBuf};
use std::process::Command as Process;

use raceline_follower::capi::{
    ABI_VERSION, RlfCommand, RlfLineInfo, RlfNeighbour, RlfStatus, RlfVehicleGeometry, RlfVehicleState, RlfWaypoint,
};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// The C compiler, or none, which is told.
fn compiler() -> Option<String> {
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

fn run(mut process: Process) -> String {
    let output = process.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{process:?}\n{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// Prints size and alignment of a struct and the offset of each of its fields, as the C program
/// does.
macro_rules! layout {
    ($text:ident, $c:ident, $c_text:literal, $rust:ty, $($field:ident),+) => {{
        writeln!($text, "{} {} {}", $c_text, size_of::<$rust>(), align_of::<$rust>()).unwrap();
        write!($c, "p(\"{0}\", sizeof({0}), offsetof(struct {{ char c; {0} t; }}, t));", $c_text).unwrap();
        $(
            writeln!($text, "{}.{} {}", $c_text, stringify!($field), offset_of!($rust, $field)).unwrap();
            write!($c, "q(\"{0}.{1}\", offsetof({0}, {1}));", $c_text, stringify!($field)).unwrap();
        )+
    }};
}

#[test]
fn every_struct_has_the_header_s_size_and_offsets() {
    let Some(cc) = compiler() else { return };
    let (mut expected, mut body) = (String::new(), String::new());
    layout!(expected, body, "rlf_waypoint", RlfWaypoint, position_m, left_m, right_m, speed_mps, curvature_radpm);
    layout!(
        expected,
        body,
        "rlf_vehicle_state",
        RlfVehicleState,
        position_m,
        heading_rad,
        speed_mps,
        velocity_mps,
        yaw_rate_radps
    );
    layout!(
        expected,
        body,
        "rlf_vehicle_geometry",
        RlfVehicleGeometry,
        wheelbase_m,
        max_steering_rad,
        length_m,
        width_m,
        rear_axle_m,
        grip_g,
        max_yaw_rate_radps
    );
    layout!(
        expected,
        body,
        "rlf_command",
        RlfCommand,
        pedal,
        steering_rad,
        target_speed_mps,
        target_point_m,
        nearest_point_m,
        s_m,
        cross_track_error_m,
        place_position_m,
        place_heading_rad,
        state,
        event_from,
        event_cause,
        event_attempt,
        reverse,
        boost,
        arrived,
        inside_corridor,
        place_back,
        reserved
    );
    layout!(expected, body, "rlf_neighbour", RlfNeighbour, position_m, velocity_mps, heading_rad, length_m, width_m);
    layout!(expected, body, "rlf_line_info", RlfLineInfo, lap_time_s, vehicle, has_vehicle, reserved);
    write!(body, "p(\"rlf_status\", sizeof(rlf_status), RLF_INTERNAL); q(\"version\", RLF_ABI_VERSION);").unwrap();
    writeln!(expected, "rlf_status {} {}\nversion {ABI_VERSION}", size_of::<RlfStatus>(), RlfStatus::Internal as i32)
        .unwrap();
    let program = format!(
        "#include <stdio.h>\n#include \"raceline_follower.h\"\n\
         static void p(const char *n, size_t a, size_t b) {{ printf(\"%s %zu %zu\\n\", n, a, b); }}\n\
         static void q(const char *n, size_t a) {{ printf(\"%s %zu\\n\", n, a); }}\n\
         int main(void) {{ {body} return 0; }}\n"
    );
    let (source, binary) = (scratch("layout.c"), scratch("layout"));
    std::fs::write(&source, program).unwrap();
    let mut compile = Process::new(cc);
    compile
        .args(["-std=c99", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror", "-I"])
        .arg(format!("{CRATE}/include"));
    run({
        compile.arg("-o").arg(&binary).arg(&source);
        compile
    });
    assert_eq!(run(Process::new(&binary)), expected);
}

/// The static library that Cargo has made beside this test.
fn library() -> Option<PathBuf> {
    let test = std::env::current_exe().unwrap();
    let deps = test.parent()?;
    let found = [deps.join("libraceline_follower.a"), deps.parent()?.join("libraceline_follower.a")];
    found.into_iter().find(|path| path.exists())
}

#[test]
fn the_c_example_drives_a_lap() {
    let Some(cc) = compiler() else { return };
    if !cfg!(target_os = "linux") {
        println!("skipped: the libraries that a static library needs are only known for Linux");
        return;
    }
    let library = library().unwrap_or_else(|| panic!("no libraceline_follower.a beside the test"));
    let root = FilePath::new(CRATE).join("../..");
    let binary = scratch("drive_lap");
    let mut compile = Process::new(cc);
    compile
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(format!("{CRATE}/include"))
        .arg("-o")
        .arg(&binary);
    compile.arg(root.join("examples/c/drive_lap.c")).arg(library).args(["-lm", "-lpthread", "-ldl"]);
    run(compile);
    for (track, slides) in [("stadium", false), ("oval", false), ("club", false), ("stadium", true), ("club", true)] {
        let mut drive = Process::new(&binary);
        drive.args(slides.then_some("--sliding"));
        drive.arg(root.join(format!("tracks/{track}.raceline.json")));
        let said = run(drive);
        assert!(said.starts_with("lap ") && said.ends_with("kept to the road\n"), "{track}: {said}");
        let seconds: Vec<f64> = said.split(' ').filter_map(|word| word.parse().ok()).collect();
        let share = if slides { 0.95 } else { 0.98 };
        assert!((share * seconds[0] / seconds[1] - 1.0).abs() < 0.03, "{track}: {said}");
    }
    let mut nothing = Process::new(&binary);
    nothing.arg(root.join("Cargo.toml"));
    let output = nothing.output().unwrap();
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("line 1, column"));
}
