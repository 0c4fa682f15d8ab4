//! `raceline serve` and `optimize --watch`, as a browser and a text editor use them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// What is slower than this has gone wrong, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn raceline(folder: &Path, arguments: &[&str]) -> Running {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("raceline"));
    command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::null());
    Running(command.spawn().unwrap())
}

/// A folder with the picture of a small track, without a scale.
fn folder_with_picture() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let picture = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/hairpin.png");
    fs::copy(picture, folder.path().join("hairpin.png")).unwrap();
    folder
}

/// A running server.
struct Served {
    _program: Running,
    address: String,
    /// What the printed address has after the first slash.
    query: String,
    folder: TempDir,
}

impl Served {
    fn new(folder: TempDir, arguments: &[&str]) -> Self {
        let mut program = raceline(folder.path(), arguments);
        let mut url = String::new();
        let mut stdout = BufReader::new(program.0.stdout.take().unwrap());
        stdout.read_line(&mut url).unwrap();
        // What else it prints must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()));
        let (address, query) = url.trim().trim_start_matches("http://").split_once('/').unwrap();
        Self { _program: program, address: address.to_owned(), query: query.to_owned(), folder }
    }

    /// Status and body of the answer to a request.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let (head, body) = self.answer(method, path, headers, body);
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body)
    }

    /// Head and body of the answer to a request.
    fn answer(&self, method: &str, path: &str, headers: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        let request =
            format!("{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_lowercase(), body.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.ask("GET", path, &format!("Host: {}\r\n", self.address), "")
    }

    fn post(&self, path: &str, body: &Value) -> (u16, String) {
        let own = format!("Host: {0}\r\nOrigin: http://{0}\r\n", self.address);
        self.ask("POST", path, &own, &body.to_string())
    }

    /// The state of the page `number`, once it is there and nothing is being made.
    fn page(&self, number: u64) -> Value {
        until(|| {
            let state: Value = serde_json::from_str(&self.get("/state").1).unwrap();
            (state["page"] == number && state["busy"] == false).then_some(state)
        })
    }

    fn sidecar(&self) -> String {
        fs::read_to_string(self.folder.path().join("hairpin.toml")).unwrap_or_default()
    }

    fn line(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.folder.path().join("hairpin.raceline.json")).unwrap()).unwrap()
    }
}

fn until<T>(mut found: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "nothing has happened for {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

const QUICK: [&str; 2] = ["--method", "shortest-path"];

#[test]
fn a_picture_without_scale_becomes_a_line_by_edits_alone() {
    let served = Served::new(folder_with_picture(), &[&["serve", "hairpin.png", "--port", "0"][..], &QUICK].concat());
    let draft = served.page(2);
    assert!(draft["problem"].as_str().unwrap().contains("no scale"), "{draft}");
    assert!(served.get("/").1.contains("No line yet"));
    assert_eq!([&draft["can_undo"], &draft["can_redo"]], [false, false]);

    // The scale, and a line.
    let scale = json!([{ "do": "set", "key": "metres_per_pixel", "value": 0.5 }]);
    assert_eq!(served.post("/edit", &scale), (200, String::new()));
    let state = served.page(3);
    assert_eq!(state["problem"], Value::Null, "{state}");
    assert_eq!([&state["can_undo"], &state["can_redo"]], [true, false]);
    assert_eq!(served.sidecar(), "metres_per_pixel = 0.5\n");
    assert_eq!(served.line()["source"]["metres_per_pixel"], 0.5);
    until(|| serde_json::from_str::<Value>(&served.get("/state").1).unwrap()["note"].as_str().map(str::to_owned));

    // A coarse line while something is dragged: a place that is none has an answer too, and nothing is written.
    let points = served.line()["points"].clone();
    let preview = |at: Value| {
        let pin = json!([{ "do": "add", "key": "pin", "value": { "at": at } }]);
        let (status, answer) = served.post("/preview", &pin);
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str::<Value>(&answer).unwrap()
    };
    let on_line = preview(json!([points[10]["x_m"], points[10]["y_m"]]));
    assert!(on_line["change_s"].is_number() && on_line["points_m"].as_array().unwrap().len() > 20, "{on_line}");
    assert!(preview(json!([1e4, 1e4]))["refusal"].as_str().unwrap().contains("pin 1"));
    assert_eq!(served.sidecar(), "metres_per_pixel = 0.5\n");

    // Another program changes the sidecar.
    fs::write(served.folder.path().join("hairpin.toml"), "# by hand\nmetres_per_pixel = 0.4\n").unwrap();
    served.page(4);
    assert_eq!(served.line()["source"]["metres_per_pixel"], 0.4);

    // What can't be is refused with its reason, and what fails later keeps the page.
    let (status, reason) = served.post("/edit", &json!([{ "do": "set", "key": "metres_per_pixel", "value": -1 }]));
    assert!(status == 422 && reason.contains("metres_per_pixel"), "{status} {reason}");
    assert_eq!(served.post("/edit", &json!([{ "do": "set", "key": "road_at", "value": [1e6, 1e6] }])).0, 200);
    until(|| {
        let state: Value = serde_json::from_str(&served.get("/state").1).unwrap();
        (state["problem"] != Value::Null).then(|| assert_eq!(state["page"], 4))
    });
    assert_eq!(served.post("/undo", &Value::Null).0, 200);
    assert_eq!(served.page(5)["can_redo"], true);
    assert_eq!(served.sidecar(), "# by hand\nmetres_per_pixel = 0.4\n");
}

#[test]
fn only_the_servers_own_page_is_answered() {
    let served = Served::new(folder_with_picture(), &[&["serve", "hairpin.png", "--port", "0"][..], &QUICK].concat());
    served.page(2);
    let edit = json!([{ "do": "set", "key": "metres_per_pixel", "value": 0.5 }]).to_string();
    let host = format!("Host: {}\r\n", served.address);
    // A page of another site whose name leads here, one that posts a form, and a program without a page.
    assert_eq!(served.ask("GET", "/", "Host: evil.example\r\n", "").0, 403);
    assert_eq!(served.ask("POST", "/edit", &format!("{host}Origin: http://evil.example\r\n"), &edit).0, 403);
    assert_eq!(served.ask("POST", "/edit", &format!("{host}Origin: null\r\n"), &edit).0, 403);
    assert_eq!(served.ask("POST", "/edit", &host, &edit).0, 403);
    assert_eq!(served.sidecar(), "");
    // What is no edit, no path and no method.
    assert_eq!(served.post("/edit", &json!({ "do": "set" })).0, 400);
    assert_eq!(served.post("/edit", &json!([{ "do": "set", "key": "like", "value": "/etc/passwd" }])).0, 422);
    assert_eq!(served.get("/hairpin.png").0, 404);
    assert_eq!(served.get("/../Cargo.toml").0, 404);
    assert_eq!(served.ask("DELETE", "/", &format!("{host}Origin: http://{}\r\n", served.address), "").0, 405);
}

#[test]
fn undo_keeps_what_another_program_wrote() {
    let served = Served::new(folder_with_picture(), &[&["serve", "hairpin.png", "--port", "0"][..], &QUICK].concat());
    let scale = |value: f64| json!([{ "do": "set", "key": "metres_per_pixel", "value": value }]);
    assert_eq!(served.post("/edit", &scale(0.5)).0, 200);
    assert_eq!(served.post("/edit", &scale(0.6)).0, 200);
    assert_eq!(served.post("/undo", &Value::Null).0, 200);
    assert_eq!(served.sidecar(), "metres_per_pixel = 0.5\n");
    // Forth and back again, to where there was no file, and forth from there.
    assert_eq!(served.post("/redo", &Value::Null).0, 200);
    assert_eq!(served.sidecar(), "metres_per_pixel = 0.6\n");
    let (status, reason) = served.post("/redo", &Value::Null);
    assert!(status == 422 && reason.contains("nothing to redo"), "{status} {reason}");
    assert_eq!(served.post("/undo", &Value::Null).0, 200);
    assert_eq!(served.post("/undo", &Value::Null).0, 200);
    assert_eq!(served.sidecar(), "");
    assert_eq!(served.post("/redo", &Value::Null).0, 200);
    // What was taken back is gone after another edit.
    assert_eq!(served.post("/edit", &scale(0.5)).0, 200);
    assert_eq!(served.post("/redo", &Value::Null).0, 422);
    // Before the first edit there was no file.
    fs::write(served.folder.path().join("hairpin.toml"), "metres_per_pixel = 0.5\nvehicle = \"kart\"\n").unwrap();
    let (status, reason) = served.post("/undo", &Value::Null);
    assert!(status == 409 && reason.contains("another program"), "{status} {reason}");
    assert!(served.sidecar().contains("kart"));
    let (status, reason) = served.post("/undo", &Value::Null);
    assert!(status == 422 && reason.contains("nothing to undo"), "{status} {reason}");
}

#[test]
fn edits_do_not_lead_to_a_file() {
    let served = Served::new(folder_with_picture(), &[&["serve", "hairpin.png", "--port", "0"][..], &QUICK].concat());
    fs::write(served.folder.path().join("secret.toml"), "name = \"secret\"\n").unwrap();
    let edit = |what, value| json!({ "do": what, "key": "vehicle", "value": value });
    let (status, reason) = served.post("/edit", &json!([edit("set", "gt"), edit("add", "secret.toml")]));
    assert!(status == 422 && reason.contains("by hand"), "{status} {reason}");
    assert_eq!(served.sidecar(), "");
    assert!(!served.get("/state").1.contains("secret"));
}

#[test]
fn idle_connections_do_not_stop_it_and_no_other_page_frames_it() {
    let served = Served::new(folder_with_picture(), &[&["serve", "hairpin.png", "--port", "0"][..], &QUICK].concat());
    let idle: Vec<TcpStream> = (0..200).map(|_| TcpStream::connect(&served.address).unwrap()).collect();
    let host = format!("Host: {}\r\n", served.address);
    let (head, _) = served.answer("GET", "/", &host, "");
    assert!(head.contains("frame-ancestors 'none'") && head.contains("x-frame-options: deny"), "{head}");
    drop(idle);
}

#[test]
fn who_reaches_it_from_elsewhere_needs_the_token() {
    let arguments = [&["serve", "hairpin.png", "--port", "0", "--listen", "0.0.0.0"][..], &QUICK].concat();
    let served = Served::new(folder_with_picture(), &arguments);
    let host = format!("Host: {}\r\n", served.address);
    assert_eq!(served.ask("GET", "/", &host, "").0, 401);
    assert_eq!(served.ask("GET", "/state", &host, "").0, 401);
    assert_eq!(served.ask("GET", "/?raceline-token=0123456789abcdef0123456789abcdef", &host, "").0, 401);
    let (head, _) = served.answer("GET", &format!("/{}", served.query), &host, "");
    assert!(head.starts_with("http/1.1 303") && head.contains("samesite=strict"), "{head}");
    let cookie = head.split_once("set-cookie: ").unwrap().1.split(';').next().unwrap();
    let with_cookie = format!("{host}Cookie: {cookie}\r\n");
    assert_eq!(served.ask("GET", "/", &with_cookie, "").0, 200);
    let edit = json!([{ "do": "set", "key": "metres_per_pixel", "value": 0.5 }]).to_string();
    let own = format!("Origin: http://{}\r\n", served.address);
    assert_eq!(served.ask("POST", "/edit", &format!("{host}{own}"), &edit).0, 401);
    assert_eq!(served.ask("POST", "/edit", &format!("{with_cookie}{own}"), &edit).0, 200);
}

#[test]
fn optimize_serves_a_page_without_tools() {
    let folder = folder_with_picture();
    fs::write(folder.path().join("hairpin.toml"), "metres_per_pixel = 0.5\n").unwrap();
    let served = Served::new(folder, &[&["optimize", "hairpin.png", "--serve", "0"][..], &QUICK].concat());
    served.page(2);
    let page = served.get("/").1;
    assert!(page.contains("\"live\":{\"number\":2,\"editor\":null}"));
    // A new line is a small page, and it loads nothing beside it.
    assert!(page.len() < 500_000 && !page.contains("<script src"), "{}", page.len());
    assert_eq!(served.post("/edit", &json!([{ "do": "remove", "key": "metres_per_pixel" }])).0, 404);
    assert_eq!(served.sidecar(), "metres_per_pixel = 0.5\n");
}

#[test]
fn optimize_watches_the_sidecar_without_a_page() {
    let folder = folder_with_picture();
    let sidecar = folder.path().join("hairpin.toml");
    fs::write(&sidecar, "metres_per_pixel = 0.5\n").unwrap();
    let _program = raceline(folder.path(), &[&["optimize", "hairpin.png", "--watch", "--quiet"][..], &QUICK].concat());
    let scale = || {
        let line = fs::read_to_string(folder.path().join("hairpin.raceline.json")).ok()?;
        let line: Value = serde_json::from_str(&line).unwrap();
        line["source"]["metres_per_pixel"].as_f64()
    };
    assert_eq!(until(scale), 0.5);
    // A wrong sidecar does not end it.
    fs::write(&sidecar, "metres_per_pixel = -1\n").unwrap();
    std::thread::sleep(Duration::from_millis(200));
    fs::write(&sidecar, "metres_per_pixel = 0.4\n").unwrap();
    until(|| scale().filter(|&scale| scale == 0.4));
}
