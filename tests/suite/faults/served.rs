//! The server of the page, with a call of the system that fails or is its last, and without its
//! folder.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{FULL, KILLED, is_temporary, library, spoil, wanted_kills};

/// What is slower than this has gone wrong, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Calls of every kind until an edit is made and its line is written.
const CALLS_OF_AN_EDIT: usize = 600;
const SCALE: &str = "metres_per_pixel = 0.5\n";
const EDITED: &str = "metres_per_pixel = 0.4\n";

/// A server that ends with its test.
struct Served {
    program: Child,
    address: Option<String>,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Served {
    fn new(folder: &Path, fault: Option<&str>) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("raceline"));
        command.args(["serve", "hairpin.png", "--port", "0", "--method", "shortest-path"]).current_dir(folder);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        if let (Some(fault), Some(library)) = (fault, library()) {
            spoil(&mut command, library, fault).env("FAULT_COUNT", folder.join(".count"));
        }
        let mut program = command.spawn().unwrap();
        let mut first = String::new();
        let mut stdout = BufReader::new(program.stdout.take().unwrap());
        stdout.read_line(&mut first).unwrap();
        std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()));
        let address = first.trim().strip_prefix("http://").and_then(|url| Some(url.split_once('/')?.0.to_owned()));
        Self { program, address }
    }

    /// The answer to a request; `None` if the program has ended or ends.
    fn ask(&self, request: &str, body: &str) -> Option<String> {
        let address = self.address.as_ref()?;
        let mut stream = TcpStream::connect(address).ok()?;
        let length = body.len();
        let head = format!(
            "{request} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        );
        stream.write_all(head.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        (!answer.is_empty()).then_some(answer)
    }

    fn edit(&self, scale: f64) -> Option<String> {
        self.ask("POST /edit", &format!(r#"[{{"do": "set", "key": "metres_per_pixel", "value": {scale}}}]"#))
    }

    /// Waits until nothing is being made. Returns whether the program still runs.
    fn settles(&mut self) -> bool {
        let begun = Instant::now();
        loop {
            if self.program.try_wait().unwrap().is_some() {
                return false;
            }
            match self.ask("GET /state", "") {
                Some(state) if state.contains("\"busy\":false") || state.contains("\"busy\": false") => return true,
                _ => {}
            }
            assert!(begun.elapsed() < PATIENCE, "the server does not settle");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let picture = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/hairpin.png");
    fs::copy(picture, folder.path().join("hairpin.png")).unwrap();
    fs::write(folder.path().join("hairpin.toml"), SCALE).unwrap();
    folder
}

/// The sidecar and the line, and the names of temporary files.
fn written(folder: &Path) -> (String, Option<Vec<u8>>, Vec<String>) {
    let sidecar = fs::read_to_string(folder.join("hairpin.toml")).unwrap();
    let line = fs::read(folder.join("hairpin.raceline.json")).ok();
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    (sidecar, line, names.filter(|name| is_temporary(name)).collect())
}

/// The lines before and after an edit.
fn undisturbed() -> [Vec<u8>; 2] {
    let folder = folder();
    let mut served = Served::new(folder.path(), None);
    assert!(served.settles());
    let before = written(folder.path()).1.unwrap();
    served.edit(0.4).unwrap();
    let begun = Instant::now();
    loop {
        assert!(served.settles() && begun.elapsed() < PATIENCE);
        match written(folder.path()).1 {
            Some(after) if after != before => return [before, after],
            _ => {}
        }
    }
}

/// Spoils a call of a server that makes a line and is given an edit. Returns whether the edit was made and
/// the server still ran at the end.
fn spoil_call(lines: &[Vec<u8>; 2], fault: &str, check: impl Fn(&mut Served, bool, &str)) -> bool {
    let is_kill = fault.ends_with(KILLED);
    let folder = folder();
    let mut served = Served::new(folder.path(), Some(fault));
    let started = served.settles();
    let answer = if started { served.edit(0.4) } else { None };
    let runs = started && served.settles();
    check(&mut served, runs, fault);
    drop(served);
    let (sidecar, line, left) = written(folder.path());
    assert!(sidecar == SCALE || sidecar == EDITED, "{fault}: {sidecar}");
    assert!(line.as_ref().is_none_or(|line| lines.contains(line)), "{fault}: the line is neither old nor new");
    assert!(left.is_empty() || is_kill || !runs, "{fault}: {left:?}");
    // The next run makes the line of the sidecar, and leaves nothing else.
    let mut next = Served::new(folder.path(), None);
    assert!(next.settles(), "{fault}");
    drop(next);
    let (sidecar, line, left) = written(folder.path());
    assert_eq!(line.as_ref(), Some(&lines[usize::from(sidecar == EDITED)]), "{fault}");
    assert_eq!(left, [""; 0], "{fault}");
    runs && sidecar == EDITED && answer.is_some_and(|answer| answer.starts_with("HTTP/1.1 200"))
}

/// Spoils the calls of a server one after the other until one run has fewer. Returns their number.
fn spoil_every_call(action: &str, check: impl Fn(&mut Served, bool, &str)) -> usize {
    let lines = undisturbed();
    for number in 1.. {
        let place = format!("any:{number}:{action}");
        let undone = spoil_call(&lines, &place, &check);
        if action == KILLED && undone {
            return number - 1;
        }
        assert!(number < 200, "{place}");
        if action != KILLED && number == 20 {
            return number;
        }
    }
    0
}

#[test]
fn a_server_killed_at_any_call_leaves_the_old_files_or_the_new_ones() {
    if library().is_some() {
        let calls = spoil_every_call(KILLED, |_, _, _| {});
        println!("{calls} kills of the server");
        assert!(calls >= 8, "{calls}");
    }
}

#[test]
fn kills_spread_over_the_calls_of_a_server_leave_the_old_files_or_the_new_ones() {
    if library().is_none() {
        return;
    }
    let (lines, number_of_kills) = (undisturbed(), wanted_kills().map_or(1, |kills| kills.div_ceil(5)));
    let (mut killed, mut call) = (0, 0);
    // Its calls have no end, as it waits for the next connection again and again: of as many as a line and an
    // edit need, kills are spread evenly.
    for _ in 0..number_of_kills {
        call += (CALLS_OF_AN_EDIT / number_of_kills.max(4)).max(1);
        killed += usize::from(!spoil_call(&lines, &format!("call:{call}:{KILLED}"), |_, _, _| {}));
    }
    println!("| `serve`, with an edit | first {call} | {number_of_kills} | {killed} |");
    assert!(2 * killed >= number_of_kills, "{killed} of {number_of_kills}");
}

#[test]
fn a_full_disk_at_any_call_stops_no_server() {
    if library().is_some() {
        spoil_every_call(FULL, |served, runs, place| {
            // A disk that is full at the start is reported, and there is no server.
            assert!(runs || served.address.is_none(), "{place}");
        });
    }
}

#[test]
fn a_folder_that_vanishes_stops_no_server() {
    let folder = folder();
    let mut served = Served::new(folder.path(), None);
    assert!(served.settles());
    let path = folder.path().to_owned();
    fs::remove_dir_all(&path).unwrap();
    let answer = served.edit(0.4).unwrap();
    assert!(!answer.starts_with("HTTP/1.1 200") && answer.contains("hairpin.toml"), "{answer}");
    assert!(served.settles(), "the server has ended");
    // With the folder, it goes on.
    fs::create_dir(&path).unwrap();
    fs::write(path.join("hairpin.toml"), SCALE).unwrap();
}
