//! `raceline plan --roadmap`: a roadmap that is kept in a file.

use std::path::Path;

use anyhow::{Context, anyhow};

use raceline_file::files;
use raceline_plan::{FreeSpace, PlannerKind, Roadmap};

use super::output::Output;
use super::report::Failure;

/// The roadmap in `file`, checked against the map; made and written if there is no such file.
pub fn kept_in(file: &Path, planner: Option<PlannerKind>, space: &FreeSpace, seed: u64) -> Result<Roadmap, Failure> {
    let output = Output::new(file);
    if output.is_stdout() {
        return Err(Failure::usage("--roadmap keeps a roadmap: specify a file in place of -"));
    }
    let name = file.display();
    let wrong = |error| Failure::Job(anyhow!("{name}: {error}"));
    if file.try_exists().with_context(|| format!("can't read {name}"))? {
        let bytes = files::read(file, Roadmap::MAX_BYTES).with_context(|| format!("can't read {name}"))?;
        let roadmap = Roadmap::from_json(&bytes, space).map_err(wrong)?;
        planner.map_or(Ok(()), |planner| roadmap.check_is_of(planner)).map_err(wrong)?;
        return Ok(roadmap);
    }
    output.check()?;
    let roadmap = Roadmap::new(planner.unwrap_or(PlannerKind::Prm), space, seed).map_err(wrong)?;
    output.write(roadmap.to_json().as_bytes())?;
    Ok(roadmap)
}
