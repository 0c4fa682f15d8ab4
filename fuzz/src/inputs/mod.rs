//! The targets of everything that the program and the libraries below it read, as functions. The tests of
//! the suite have this module too, and run it on the seeds.

pub mod checked;
pub mod drawn;
pub mod seeds;
mod small;

/// A target: any bytes are an input, and it panics where what it promises does not hold.
pub type Target = fn(&[u8]);

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        mod targets {
            $(pub mod $name;)*
        }

        /// Every target by its name.
        pub const TARGETS: &[(&str, Target)] = &[$((stringify!($name), targets::$name::run)),*];
    };
}

targets! {
    arrays,
    centre_line_csv,
    cones,
    edge_csv,
    follower_json,
    follower_path,
    game_line,
    generate,
    geojson,
    gpx,
    http_requests,
    kml,
    line_outputs,
    line_round_trip,
    lines,
    logs,
    map_yaml,
    mask,
    mesh,
    obstacles,
    open_drive,
    optimize_drawn,
    options_toml,
    osm,
    picture_bytes,
    plan_map,
    quadratic_solvers,
    sections,
    side_files,
    sidecar_edits,
    streets,
    svg,
    telemetry_csv,
    threads,
    torcs_xml,
    track_json,
    two_files,
    verify_line,
}
