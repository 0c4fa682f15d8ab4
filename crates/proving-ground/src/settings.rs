//! The settings found by tuning: `vehicles/*.toml` of this crate. `fixed.toml`, `baseline.toml` and
//! `reynolds.toml` are for all vehicles, the other files for one vehicle each: ours, and in folders
//! those of the baseline on the path and on the line inside the corridor.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use raceline_follower::FollowerOptions;
use raceline_follower::baselines::ReynoldsOptions;

use crate::contender::{Baseline, Contender, Entry, Ours};
use crate::parameters;
use crate::vehicle::VEHICLES;

/// Setting of the baseline for all vehicles, and folder of those by vehicle.
pub const BASELINE: &str = "baseline";
/// Folder of the baseline's settings on the line inside the corridor.
pub const BASELINE_ON_LINE: &str = "baseline-on-line";

/// Fraction of the corridor's width at which tuning begins.
const START_FRACTION: f64 = 0.5;

/// Default folder of the settings.
#[must_use]
pub fn default_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vehicles")
}

/// The baseline before tuning.
#[must_use]
pub fn baseline() -> Contender {
    Contender::Baseline(Baseline::default())
}

/// The baseline before tuning on the line that our follower has: the same fraction of the corridor's
/// width as in [`start`].
#[must_use]
pub fn baseline_on_line() -> Contender {
    Contender::Baseline(Baseline { corridor_fraction: Some(START_FRACTION), ..Baseline::default() })
}

/// Reynolds before tuning.
#[must_use]
pub fn reynolds() -> Contender {
    Contender::Reynolds(ReynoldsOptions::default())
}

/// Our follower before tuning: the paper's figures.
#[must_use]
pub fn ours() -> Contender {
    Contender::Ours(Ours { follower: FollowerOptions::paper(), ..Ours::default() })
}

/// Our follower by default, on the path itself.
#[must_use]
pub fn by_default() -> Contender {
    Contender::Ours(Ours::default())
}

/// Start of the search for our follower's settings: the paper's figures, half of the corridor's
/// width, and early turning into bends that are sharper than the vehicle can turn.
#[must_use]
pub fn start() -> Contender {
    let mut ours = Ours { follower: FollowerOptions::paper(), corridor_fraction: START_FRACTION };
    ours.follower.steering.early_turn = 1.0;
    Contender::Ours(ours)
}

/// The columns of the table, the baseline first.
///
/// # Errors
/// A file that is not there or is not right, named.
pub fn entries(folder: &Path) -> anyhow::Result<Vec<Entry>> {
    let by_vehicle = |name: &str, folder: &Path, base: Contender| -> anyhow::Result<Entry> {
        let mut entry = Entry::for_all(name, base);
        for vehicle in &VEHICLES {
            entry.by_vehicle.push((vehicle.name, load(folder, vehicle.name, &base)?));
        }
        Ok(entry)
    };
    Ok(vec![
        Entry::for_all("baseline, untuned", baseline()),
        Entry::for_all("baseline, fixed", load(folder, BASELINE, &baseline())?),
        by_vehicle("baseline, tuned", &folder.join(BASELINE), baseline())?,
        by_vehicle("baseline on the line, tuned", &folder.join(BASELINE_ON_LINE), baseline_on_line())?,
        Entry::for_all("Reynolds", load(folder, "reynolds", &reynolds())?),
        Entry::for_all("ours, the paper's figures", ours()),
        Entry::for_all("ours, by default", by_default()),
        Entry::for_all("ours, fixed", load(folder, "fixed", &ours())?),
        by_vehicle("ours, tuned", folder, ours())?,
    ])
}

/// Reads `NAME.toml` over `base`.
///
/// # Errors
/// A file that is not there or is not right, named.
pub fn load(folder: &Path, name: &str, base: &Contender) -> anyhow::Result<Contender> {
    let file = folder.join(format!("{name}.toml"));
    let text =
        fs::read_to_string(&file).with_context(|| format!("{}: can't be read; `tune` writes it", file.display()))?;
    parameters::from_toml(base, &text).with_context(|| file.display().to_string())
}

/// Writes `NAME.toml`, whole or not at all.
///
/// # Errors
/// Those of the file system, with the file's name.
pub fn save(folder: &Path, name: &str, contender: &Contender, head: &str) -> anyhow::Result<()> {
    write_whole(&folder.join(format!("{name}.toml")), parameters::to_toml(contender, head).as_bytes())
}

/// Writes a file that appears whole or not at all.
///
/// # Errors
/// Those of the file system, with the file's name.
pub fn write_whole(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let specified = || format!("{}: can't be written", file.display());
    fs::create_dir_all(folder).with_context(specified)?;
    let mut builder = tempfile::Builder::new();
    // As of any new file; the umask narrows it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut temporary = builder.tempfile_in(folder).with_context(specified)?;
    temporary.write_all(bytes).with_context(specified)?;
    temporary.persist(file).with_context(specified)?;
    Ok(())
}
