//! One session of TORCS: a driver alone on a track.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::installation::{Installation, PrivateFolder, TrackPlace};
use super::results::Results;

/// A session to drive.
#[derive(Clone, Copy, Debug)]
pub struct Session<'a> {
    pub installation: &'a Installation,
    pub folder: &'a PrivateFolder,
    pub track: &'a TrackPlace,
    pub laps: u32,
    /// Factor of the fuel that is burnt.
    pub fuel_factor: f64,
    /// Module and index of the driver.
    pub driver: (&'a str, i32),
    /// Longest time on this machine.
    pub limit: Duration,
}

/// How a session ended.
#[derive(Clone, Debug, Default)]
pub struct Driven {
    /// `None` where it did not end in time.
    pub results: Option<Results>,
    /// Time on this machine, s.
    pub wall_s: f64,
    /// What was printed on stderr.
    pub messages: String,
}

impl Session<'_> {
    /// Drives it.
    pub fn drive(&self) -> anyhow::Result<Driven> {
        let Self { installation, folder, track, driver: (module, index), .. } = *self;
        let local = folder.local();
        let name = format!("{module}-{index}-{}", track.name);
        let race = local.join(format!("config/raceman/{name}.xml"));
        fs::write(&race, race_file(&name, track, (self.laps, self.fuel_factor), self.driver))?;
        let output = local.join(format!("{name}.messages"));
        let begun = Instant::now();
        let mut child = Command::new(installation.libraries.join("torcs-bin"))
            .arg("-l")
            .arg(&local)
            .arg("-L")
            .arg(folder.libraries())
            .arg("-D")
            .arg(&installation.data)
            .arg("-r")
            .arg(&race)
            .current_dir(&installation.data)
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
                Some(Results::read(&file.with_context(|| format!("{status}: {}", messages.trim()))?)?)
            }
            None => None,
        };
        Ok(Driven { results, wall_s, messages })
    }
}

/// The newest file of a folder of results, by its name, which is its date.
fn newest(folder: &Path) -> anyhow::Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("TORCS wrote no results: {}", folder.display()))?;
    match entries.flatten().map(|entry| entry.path()).max() {
        Some(path) => Ok(path),
        None => bail!("TORCS wrote no results in {}", folder.display()),
    }
}

/// The race file of a practice session with all rules on.
fn race_file(name: &str, track: &TrackPlace, (laps, fuel): (u32, f64), (module, index): (&str, i32)) -> String {
    let (track, kind) = (&track.name, &track.kind);
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<params name="{name}" type="param" mode="mw">
<section name="Header"><attstr name="name" val="{name}"/><attstr name="description" val="Practice"/>
<attnum name="priority" val="100"/></section>
<section name="Tracks"><attnum name="maximum number" val="1"/>
<section name="1"><attstr name="name" val="{track}"/><attstr name="category" val="{kind}"/></section></section>
<section name="Races"><section name="1"><attstr name="name" val="Practice"/></section></section>
<section name="Practice"><attnum name="laps" val="{laps}"/><attstr name="type" val="practice"/>
<attstr name="starting order" val="drivers list"/><attstr name="restart" val="yes"/>
<attstr name="display mode" val="results only"/><attstr name="display results" val="yes"/>
<attstr name="invalidate best lap on wall touch" val="yes"/>
<attstr name="invalidate best lap on corner cutting" val="yes"/>
<attstr name="corner cutting time penalty" val="yes"/>
<attnum name="fuel consumption factor" min="0.0" max="5.0" val="{fuel:.1}"/>
<attnum name="damage factor" min="0.0" max="5.0" val="1.0"/>
<section name="Starting Grid"><attnum name="rows" val="1"/><attnum name="distance to start" val="100"/>
<attnum name="distance between columns" val="20"/><attnum name="offset within a column" val="10"/>
<attnum name="initial speed" unit="km/h" val="0"/><attnum name="initial height" unit="m" val="0.2"/></section></section>
<section name="Drivers"><attnum name="maximum number" val="1"/><attstr name="focused module" val="{module}"/>
<attnum name="focused idx" val="{index}"/>
<section name="1"><attnum name="idx" val="{index}"/><attstr name="module" val="{module}"/></section></section>
</params>
"#
    )
}
