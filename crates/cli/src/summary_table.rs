//! The table at the end of `optimize`: one row per compared line.

use raceline::file::Method;
use raceline::pipeline::CandidateSummary;
use raceline::solve::Model;
use raceline::units::Decimals;

use super::text_table::text_table;

/// The table as text under `heading`. `chosen` is marked with a star; the gain is relative to the
/// slowest line. The lap of a car is marked, as it is not comparable with that of a point mass. `decimals` are
/// the track's.
pub fn summary_table(heading: &str, summaries: &[CandidateSummary], chosen: Method, decimals: Decimals) -> String {
    let slowest = summaries.iter().map(|summary| summary.lap_time_s).fold(f64::NEG_INFINITY, f64::max);
    let row = |summary: &CandidateSummary| {
        let mark = if summary.method == chosen { " *" } else { "" };
        let of_car = if summary.model == Model::Car { " (car)" } else { "" };
        let method = format!("{}{of_car}{mark}", summary.method.name());
        let mut cells = vec![method, format!("{:.3}", summary.lap_time_s), decimals.place(summary.length_m)];
        cells.extend(decimals.speeds(summary.top_speed_mps));
        cells.extend(decimals.speeds(summary.lowest_speed_mps));
        cells.push(format!("{:.3}", slowest - summary.lap_time_s));
        cells
    };
    let mut headings = vec!["method", "lap time s", "length m"];
    headings.extend(decimals.speed_headings(["top m/s", "top km/h"]));
    headings.extend(decimals.speed_headings(["lowest m/s", "lowest km/h"]));
    headings.push("gain s");
    let headings = headings.into_iter().map(str::to_owned).collect();
    let rows: Vec<Vec<String>> = std::iter::once(headings).chain(summaries.iter().map(row)).collect();
    format!("{heading}\n{}", text_table(&rows, 1))
}

#[cfg(test)]
mod tests {
    use super::{CandidateSummary, Decimals, Method, Model, summary_table};

    #[test]
    fn columns_line_up_and_the_chosen_line_is_marked() {
        let summary = |method, lap_time_s, length_m| CandidateSummary {
            method,
            model: if method == Method::TimeOptimal { Model::Car } else { Model::PointMass },
            lap_time_s,
            length_m,
            top_speed_mps: 70.0,
            lowest_speed_mps: 12.5,
        };
        let summaries = [
            summary(Method::ShortestPath, 63.5, 2210.25),
            summary(Method::MinCurvature, 61.75, 2300.0),
            summary(Method::Blend, 61.5, 2290.5),
            summary(Method::TimeOptimal, 61.625, 2292.0),
        ];
        insta::assert_snapshot!(summary_table("norisring", &summaries, Method::Blend, Decimals::of(2300.0, 12.0)), @r"
        norisring
          method              lap time s  length m  top km/h  lowest km/h  gain s
          shortest-path           63.500    2210.2     252.0         45.0   0.000
          min-curvature           61.750    2300.0     252.0         45.0   1.750
          blend *                 61.500    2290.5     252.0         45.0   2.000
          time-optimal (car)      61.625    2292.0     252.0         45.0   1.875
        ");
    }
}
