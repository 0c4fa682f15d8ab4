//! The installed TORCS, and a private copy of its folders in which the robot stands.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use tempfile::TempDir;

/// Where packages and TORCS's own build put libraries and data.
const LIBRARIES: [&str; 4] =
    ["/usr/lib/x86_64-linux-gnu/torcs", "/usr/lib64/torcs", "/usr/lib/torcs", "/usr/local/lib/torcs"];
const DATA: [&str; 3] = ["/usr/share/games/torcs", "/usr/share/torcs", "/usr/local/share/games/torcs"];
/// Kinds of tracks, the folders of the data.
pub const KINDS: [&str; 3] = ["road", "oval", "dirt"];

/// An installed TORCS.
#[derive(Clone, Debug)]
pub struct Installation {
    pub libraries: PathBuf,
    pub data: PathBuf,
}

/// A track of the installation.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackPlace {
    pub name: String,
    pub kind: String,
    pub xml: PathBuf,
}

impl Installation {
    /// At the folders given, or where TORCS usually lies.
    pub fn find(libraries: Option<&Path>, data: Option<&Path>) -> anyhow::Result<Self> {
        let choose = |given: Option<&Path>, usual: &[&str], file: &str| {
            given
                .map(Path::to_owned)
                .into_iter()
                .chain(usual.iter().filter(|_| given.is_none()).map(PathBuf::from))
                .find(|folder| folder.join(file).exists())
        };
        let libraries = choose(libraries, &LIBRARIES, "torcs-bin");
        let data = choose(data, &DATA, "config/raceman/practice.xml");
        match (libraries, data) {
            (Some(libraries), Some(data)) => Ok(Self { libraries, data }),
            _ => bail!(
                "TORCS is not installed: apt-get install --no-install-recommends torcs, or specify --torcs-libraries \
                 and --torcs-data"
            ),
        }
    }

    /// The tracks by name, or all of a kind.
    pub fn tracks(&self, names: &[String]) -> anyhow::Result<Vec<TrackPlace>> {
        let mut found = Vec::new();
        for name in names {
            if KINDS.contains(&name.as_str()) {
                let folder = self.data.join("tracks").join(name);
                let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
                let mut of_kind: Vec<TrackPlace> = entries
                    .flatten()
                    .filter_map(|entry| self.track(name, &entry.file_name().to_string_lossy()))
                    .collect();
                of_kind.sort_by(|a, b| a.name.cmp(&b.name));
                found.extend(of_kind);
            } else {
                match KINDS.iter().find_map(|kind| self.track(kind, name)) {
                    Some(track) => found.push(track),
                    None => bail!("{name}: no such track in {}", self.data.join("tracks").display()),
                }
            }
        }
        Ok(found)
    }

    fn track(&self, kind: &str, name: &str) -> Option<TrackPlace> {
        let xml = self.data.join("tracks").join(kind).join(name).join(format!("{name}.xml"));
        xml.is_file().then(|| TrackPlace { name: name.to_owned(), kind: kind.to_owned(), xml })
    }
}

/// A copy of the folders that TORCS writes to or loads robots from; deleted when dropped.
#[derive(Debug)]
pub struct PrivateFolder {
    folder: TempDir,
}

impl PrivateFolder {
    /// With the robot's library beside TORCS's own robots, driving `car`.
    pub fn new(installation: &Installation, robot: &Path, car: &str) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("raceline-torcs-").tempdir()?;
        let made = Self { folder };
        let (libraries, drivers) = (made.libraries(), made.libraries().join("drivers"));
        fs::create_dir(&libraries)?;
        fs::create_dir(&drivers)?;
        link_entries(&installation.libraries, &libraries)?;
        link_entries(&installation.libraries.join("drivers"), &drivers)?;
        let own = drivers.join("raceline");
        fs::create_dir(&own)?;
        fs::copy(robot, own.join("raceline.so")).with_context(|| robot.display().to_string())?;
        let local = made.local();
        fs::create_dir(&local)?;
        let done = Command::new("bash")
            .arg(installation.libraries.join("setup_linux.sh"))
            .arg(&local)
            .current_dir(&installation.data)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .context("bash, which TORCS's own setup_linux.sh needs")?;
        if !done.success() {
            bail!("{}: setup_linux.sh failed", installation.libraries.display());
        }
        let own = local.join("drivers/raceline");
        fs::create_dir_all(&own)?;
        fs::write(own.join("raceline.xml"), robot_file(car))?;
        let (data, drivers) = (made.data(), made.data().join("drivers"));
        fs::create_dir_all(&drivers)?;
        link_entries(&installation.data.join("drivers"), &drivers)?;
        link_entries(&installation.data, &data)?;
        Ok(made)
    }

    /// TORCS's libraries, with the robot's.
    pub fn libraries(&self) -> PathBuf {
        self.folder.path().join("libraries")
    }

    /// TORCS's data.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// What TORCS writes to.
    pub fn local(&self) -> PathBuf {
        self.folder.path().join("local")
    }

    /// The robot's configuration.
    pub fn configuration(&self) -> PathBuf {
        self.libraries().join("drivers/raceline/raceline.json")
    }
}

/// Links every entry of `from` that does not exist in `to`.
pub(super) fn link_entries(from: &Path, to: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if !target.exists() {
            symlink(entry.path(), &target).with_context(|| target.display().to_string())?;
        }
    }
    Ok(())
}

/// The robot's own parameter file: ten entries with the car.
fn robot_file(car: &str) -> String {
    let entries: String = (1..=10)
        .map(|index| {
            format!(
                r#"<section name="{index}"><attstr name="name" val="raceline {index}"/><attstr name="team" val="raceline"/>
<attstr name="author" val="raceline"/><attstr name="desc" val=""/><attstr name="car name" val="{car}"/>
<attnum name="race number" val="{index}"/><attnum name="red" val="0.1"/><attnum name="green" val="0.5"/>
<attnum name="blue" val="0.9"/></section>
"#
            )
        })
        .collect();
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<params name="raceline" type="robotdef"><section name="Robots"><section name="index">
{entries}</section></section></params>
"#
    )
}
