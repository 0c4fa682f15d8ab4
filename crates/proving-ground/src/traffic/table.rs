//! The table of the drives in traffic.

use std::fmt::Write as _;

use rayon::prelude::*;

use super::{DRIVERS, Outcome, places, run};
use crate::vehicle::VehicleModel;

/// Drives every place with every driver and returns the table in Markdown.
///
/// # Errors
/// Those of [`places`] and [`run`].
pub fn markdown(model: &VehicleModel) -> anyhow::Result<String> {
    let places = places()?;
    let mut text = String::from(
        "| | driver | vehicle km | contacts | with obstacles | per vehicle km | finished | stuck events | m/s | outside the \
         corridor |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let jobs: Vec<_> =
        DRIVERS.iter().flat_map(|(kind, name)| places.iter().map(move |place| (*kind, *name, place))).collect();
    let outcomes: Vec<Outcome> =
        jobs.par_iter().map(|(kind, _, place)| run(place, model, *kind)).collect::<Result<_, _>>()?;
    let mut groups: Vec<&str> = places.iter().map(|place| place.group).collect();
    groups.dedup();
    for group in groups {
        for (_, name) in DRIVERS {
            let of = |job: &(_, &str, &super::Place)| job.1 == name && job.2.group == group;
            let part: Vec<&Outcome> =
                jobs.iter().zip(&outcomes).filter(|(job, _)| of(job)).map(|(_, outcome)| outcome).collect();
            let sum = |value: &dyn Fn(&Outcome) -> f64| part.iter().map(|outcome| value(outcome)).sum::<f64>();
            let (metres, seconds) = (sum(&|o| o.distance_m), sum(&|o| o.time_s));
            let (contacts, hits) = (sum(&|o| o.contacts as f64), sum(&|o| o.hits as f64));
            let finished = if group == "obstacle courses" {
                format!("{} of {}", sum(&|o| o.finished as f64), sum(&|o| o.vehicles as f64))
            } else {
                "–".to_owned()
            };
            let _ = writeln!(
                text,
                "| {group} | {name} | {:.2} | {contacts} | {hits} | {:.2} | {finished} | {} | {:.2} | {:.1} % |",
                metres / 1000.0,
                1000.0 * (contacts + hits) / metres.max(1.0),
                sum(&|o| o.stuck_events as f64),
                metres / seconds.max(1e-9),
                100.0 * sum(&|o| o.outside_s) / seconds.max(1e-9),
            );
        }
    }
    Ok(text)
}
