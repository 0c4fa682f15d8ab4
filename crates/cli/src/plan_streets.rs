//! `raceline plan` on streets: routes as a table and a picture.

use std::path::Path;
use std::time::Instant;

use raceline::Options;
use raceline::pipeline::{Error, StreetMap};
use raceline_car::Vehicle;
use raceline_plan::network::{Answer, NetworkError, RouteKind};
use raceline_render::network_picture;

use super::PictureFormat;
use super::output::Output;
use super::plan_summary::RouteSummary;
use super::report::{self, Failure};
use super::text_table::text_table;

/// Status of an exhaustive search whose limits are too low for the map.
const GAVE_UP: &str = "gave up";

/// Finds the route that `options` specify, or with `all` each kind, prints them as a table or as JSON,
/// and draws them.
pub fn run(
    input: &Path,
    map: &StreetMap,
    options: &Options,
    vehicle: &Vehicle,
    (all, json): (bool, bool),
    output: Option<&(PictureFormat, Output)>,
) -> Result<(), Failure> {
    let kinds = match options.network.kind() {
        _ if all => vec![RouteKind::Shortest, RouteKind::Fastest, RouteKind::Exhaustive],
        kind => vec![kind],
    };
    let heading = ["route", "status", "length", "estimated time", "turns", "straight on", "pieces", "score", "time"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let mut answers: Vec<Answer> = Vec::new();
    let mut summaries = Vec::new();
    let mut note = String::new();
    for kind in kinds {
        let mut options = options.clone();
        options.network.route = Some(kind);
        let begun = Instant::now();
        let answer = match map.route(&options, vehicle) {
            Ok(answer) => answer,
            Err(error @ (NetworkError::TooShallow { .. } | NetworkError::TooManyRoutes { .. })) if all => {
                rows.push(vec![kind.name().to_owned(), GAVE_UP.to_owned()]);
                summaries.push(RouteSummary::missing(kind, GAVE_UP));
                note = format!("  {}: {error}\n", kind.name());
                continue;
            }
            Err(error) => return Err(Error::Network { file: input.to_owned(), error }.into()),
        };
        rows.push(row(&answer, vehicle, begun.elapsed().as_secs_f64() * 1e3));
        if let (Some(fastest), Some(paths)) = (&answer.fastest, answer.paths) {
            let same = if answer.is_same() { ", the same" } else { "" };
            note = format!(
                "  exhaustive: {paths} routes of up to {} pieces; the graph search's route scores {:.2} s{same}\n",
                options.network.depth(),
                fastest.score_s
            );
        }
        summaries.push(RouteSummary::new(&answer, status(&answer, vehicle)));
        answers.push(answer);
    }
    if let (Some((format, output)), Some(first)) = (output, answers.first()) {
        let routes: Vec<_> = answers.iter().map(|answer| answer.route.clone()).collect();
        output.write(&format.bytes_of(network_picture::svg(&first.network, &map.stops, &routes))?)?;
    }
    let text = if json { serde_json::to_string_pretty(&summaries)? + "\n" } else { text_table(&rows, 2) + &note };
    Ok(report::beside(&text, output.is_some_and(|(_, output)| output.is_stdout()))?)
}

fn status(answer: &Answer, vehicle: &Vehicle) -> &'static str {
    match answer.route.check(vehicle) {
        Ok(()) => "found",
        Err(_) if answer.route.repeats.is_some() => "a street twice",
        Err(_) => "too narrow",
    }
}

fn row(answer: &Answer, vehicle: &Vehicle, milliseconds: f64) -> Vec<String> {
    let route = &answer.route;
    vec![
        route.kind.name().to_owned(),
        status(answer, vehicle).to_owned(),
        format!("{:.2} m", route.length_m),
        format!("{:.2} s", route.estimated_time_s),
        route.turns.to_string(),
        route.straights.to_string(),
        route.pieces.len().to_string(),
        format!("{:.2} s", route.score_s),
        format!("{milliseconds:.1} ms"),
    ]
}
