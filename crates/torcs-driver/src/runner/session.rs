//! One session of TORCS: a practice session of a driver alone, or a race of several.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::installation::{Installation, PrivateFolder, TrackPlace};
use super::results::{Results, Standing};

/// A session to drive.
#[derive(Clone, Copy, Debug)]
pub struct Session<'a> {
    pub installation: &'a Installation,
    pub folder: &'a PrivateFolder,
    pub track: &'a TrackPlace,
    pub laps: u32,
    /// Factor of the fuel that is burnt.
    pub fuel_factor: f64,
    /// Module and index of the drivers in the order of the grid: one practises, several race.
    pub drivers: &'a [(String, i32)],
    /// Longest time on this machine.
    pub limit: Duration,
}

/// How a session ended: with the results of a practice session or the standings of a race.
#[derive(Clone, Debug, Default)]
pub struct Driven<R = Results> {
    /// `None` where it did not end in time.
    pub results: Option<R>,
    /// Time on this machine, s.
    pub wall_s: f64,
    /// What was printed on stderr.
    pub messages: String,
}

impl Session<'_> {
    /// Drives a practice session.
    pub fn drive(&self) -> anyhow::Result<Driven> {
        self.run(PRACTICE, Results::read)
    }

    /// Drives a race.
    pub fn race(&self) -> anyhow::Result<Driven<Vec<Standing>>> {
        self.run(RACE, Standing::read)
    }

    fn run<R>(&self, kind: &str, read: impl Fn(&Path) -> anyhow::Result<R>) -> anyhow::Result<Driven<R>> {
        let Self { installation, folder, track, .. } = *self;
        let local = folder.local();
        let first = self.drivers.first().map_or_else(String::new, |(module, index)| format!("{module}-{index}"));
        let name = format!("{kind}-{first}-{}", track.name);
        let race = local.join(format!("config/raceman/{name}.xml"));
        fs::write(&race, self.race_file(&name, kind))?;
        let output = local.join(format!("{name}.messages"));
        let begun = Instant::now();
        let mut child = Command::new(installation.libraries.join("torcs-bin"))
            .arg("-l")
            .arg(&local)
            .arg("-L")
            .arg(folder.libraries())
            .arg("-D")
            .arg(folder.data())
            .arg("-r")
            .arg(&race)
            .current_dir(folder.data())
            .env("LD_LIBRARY_PATH", installation.libraries.join("lib"))
            .env(raceline_torcs::configuration::VARIABLE, folder.configuration())
            .stdout(Stdio::null())
            .stderr(fs::File::create(&output)?)
            .spawn()
            .with_context(|| installation.libraries.join("torcs-bin").display().to_string())?;
        let ended = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if begun.elapsed() > self.limit {
                // It is this program's own child.
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let wall_s = begun.elapsed().as_secs_f64();
        let messages = fs::read(&output).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let results = match ended {
            Some(status) => {
                let file = newest(&local.join("results").join(&name));
                Some(read(&file.with_context(|| format!("{status}: {}", messages.trim()))?)?)
            }
            None => None,
        };
        Ok(Driven { results, wall_s, messages })
    }

    /// The race file, with all rules on.
    fn race_file(&self, name: &str, kind: &str) -> String {
        let (track, category) = (&self.track.name, &self.track.kind);
        let (laps, fuel) = (self.laps, self.fuel_factor);
        let (module, index) = self.drivers.first().map_or(("", 0), |(module, index)| (module.as_str(), *index));
        let drivers: String = self
            .drivers
            .iter()
            .enumerate()
            .map(|(i, (module, index))| {
                format!(
                    r#"<section name="{}"><attnum name="idx" val="{index}"/><attstr name="module" val="{module}"/></section>
"#,
                    i + 1
                )
            })
            .collect();
        // A race starts from TORCS's own grid.
        let lower = kind.to_lowercase();
        let [rows, to_start] = if kind == RACE { [2, 25] } else { [1, 100] };
        format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<params name="{name}" type="param" mode="mw">
<section name="Header"><attstr name="name" val="{name}"/><attstr name="description" val="{kind}"/>
<attnum name="priority" val="100"/></section>
<section name="Tracks"><attnum name="maximum number" val="1"/>
<section name="1"><attstr name="name" val="{track}"/><attstr name="category" val="{category}"/></section></section>
<section name="Races"><section name="1"><attstr name="name" val="{kind}"/></section></section>
<section name="{kind}"><attnum name="laps" val="{laps}"/><attstr name="type" val="{lower}"/>
<attstr name="starting order" val="drivers list"/><attstr name="restart" val="yes"/>
<attstr name="display mode" val="results only"/><attstr name="display results" val="yes"/>
<attstr name="invalidate best lap on wall touch" val="yes"/>
<attstr name="invalidate best lap on corner cutting" val="yes"/>
<attstr name="corner cutting time penalty" val="yes"/>
<attnum name="fuel consumption factor" min="0.0" max="5.0" val="{fuel:.1}"/>
<attnum name="damage factor" min="0.0" max="5.0" val="1.0"/>
<section name="Starting Grid"><attnum name="rows" val="{rows}"/><attnum name="distance to start" val="{to_start}"/>
<attnum name="distance between columns" val="20"/><attnum name="offset within a column" val="10"/>
<attnum name="initial speed" unit="km/h" val="0"/><attnum name="initial height" unit="m" val="0.2"/></section></section>
<section name="Drivers"><attnum name="maximum number" val="{}"/><attstr name="focused module" val="{module}"/>
<attnum name="focused idx" val="{index}"/>
{drivers}</section>
</params>
"#,
            self.drivers.len()
        )
    }
}

/// Kinds of sessions: TORCS's types begin in lower case.
const PRACTICE: &str = "Practice";
const RACE: &str = "Race";

/// The newest file of a folder of results, by its name, which is its date.
fn newest(folder: &Path) -> anyhow::Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("TORCS wrote no results: {}", folder.display()))?;
    match entries.flatten().map(|entry| entry.path()).max() {
        Some(path) => Ok(path),
        None => bail!("TORCS wrote no results in {}", folder.display()),
    }
}
