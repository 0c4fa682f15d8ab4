//! Inputs to begin with: those in `seeds/`, and those that code makes.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use raceline::construction::ImportOptions;
use raceline::file::{Method, json};
use raceline::input::Input;
use raceline::pipeline::{Request, Silent, extract_input, optimize};
use raceline::{Options, importers, vehicle};

/// Knuth's linear congruential generator (MMIX): the same inputs on every machine.
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn ring() -> Vec<u8> {
    let row = |i: i32| {
        let angle = std::f64::consts::TAU * f64::from(i) / 24.0;
        let radius = 30.0 + 8.0 * (2.0 * angle).cos();
        format!("{:.2},{:.2},4,4\n", radius * angle.cos(), radius * angle.sin())
    };
    format!("# x_m,y_m,w_tr_right_m,w_tr_left_m\n{}", (0..24).map(row).collect::<String>()).into_bytes()
}

fn made() -> Vec<u8> {
    let (bytes, mut options) = (ring(), Options { method: Method::ShortestPath, ..Options::default() });
    options.solve.seed = 1;
    assert!(importers::centre_line_csv(&bytes, None, &ImportOptions::default()).is_ok());
    let made = || {
        let kart = vehicle::preset("kart").ok()?;
        let track = extract_input(Path::new("ring.csv"), &Input::Csv(bytes), &options, &Silent).ok()?;
        let outcome = optimize(track, &Request::new(&options, &kart)).ok()?;
        json::write(&outcome.line).ok()
    };
    made().expect("the ring has a line")
}

/// A small racing-line file.
#[must_use]
pub fn line() -> &'static [u8] {
    static LINE: LazyLock<Vec<u8>> = LazyLock::new(made);
    &LINE
}

const REQUESTS: [&str; 4] = [
    "GET / HTTP/1.1\r\nHost: 127.0.0.1:8017\r\n\r\nGET /state HTTP/1.1\r\nHost: 127.0.0.1:8017\r\n\r\n",
    "POST /edit HTTP/1.1\r\nHost: 127.0.0.1:8017\r\nOrigin: http://127.0.0.1:8017\r\nContent-Length: 51\r\n\r\n\
     [{\"do\": \"set\", \"key\": \"track_width_m\", \"value\": 8}]",
    "POST /undo HTTP/1.1\r\nHost: 127.0.0.1:8017\r\nOrigin: http://127.0.0.1:8017\r\n\r\n",
    "POST /edit HTTP/1.1\r\nHost: localhost:8017\r\nOrigin: http://localhost:8017\r\nTransfer-Encoding: chunked\r\n\r\n\
     2\r\n[]\r\n0\r\n\r\n",
];

/// A sidecar, edits, and what `arbitrary` reads at the end: the length of the first.
fn edits(sidecar: &str, edits: &str) -> Vec<u8> {
    let mut bytes = [sidecar, edits].concat().into_bytes();
    bytes.push(sidecar.len() as u8);
    bytes
}

/// The seeds of a target: its files, then those made here.
///
/// # Panics
/// The ring has no line.
#[must_use]
pub fn of(target: &str) -> Vec<Vec<u8>> {
    // This module belongs to the fuzz crate and to the tests.
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [manifest.join("seeds"), manifest.join("../../fuzz/seeds")];
    let folder = folders[usize::from(!folders[0].is_dir())].join(target);
    let mut paths: Vec<_> = match fs::read_dir(folder) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(_) => Vec::new(),
    };
    paths.sort();
    let mut seeds: Vec<Vec<u8>> = paths.iter().filter_map(|path| fs::read(path).ok()).collect();
    match target {
        "line_outputs" | "line_round_trip" | "follower_path" | "follower_json" | "verify_line" | "lines" => {
            seeds.push(line().to_vec());
        }
        "side_files" => {
            let after = |kind: u8, text: &str| [&[kind], text.as_bytes()].concat();
            seeds.push(after(0, "x_m,y_m,radius_m\n1,2,0.5\n"));
            seeds.push(after(1, "time_s,x_m,y_m,speed_mps\n0,38,0,5\n1,36,9,5\n2,30,16,5\n"));
            seeds.push(after(3, "x_m,y_m\n38,0\n0,30\n-38,0\n0,-30\n"));
            seeds.push([&[3], line()].concat());
        }
        "http_requests" => seeds.extend(REQUESTS.map(|text| text.as_bytes().to_vec())),
        "sidecar_edits" => {
            seeds.push(edits("# a\nstart = [1, 2]\n", r#"[{"do": "set", "key": "start", "value": "1,2px"}]"#));
            seeds.push(edits("", r#"[{"do": "add", "key": "obstacle", "value": {"at": "1,2px", "radius_m": 1}}]"#));
            seeds.push(edits("via = [\"1,2\"]\n", r#"[{"do": "drop", "key": "via", "index": 0}]"#));
        }
        _ => {}
    }
    if seeds.is_empty() {
        let mut random = Random(target.len() as u64);
        for length in [8, 40, 120, 300] {
            seeds.push((0..length).map(|_| random.below(256) as u8).collect());
        }
    }
    seeds
}
