//! The comparison, as a table and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

/// A track's results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    pub track: String,
    pub predicted_lap_s: f64,
    /// `None` where no lap was valid.
    pub driven_lap_s: Option<f64>,
    pub best_opponent_s: Option<f64>,
    pub damage: f64,
    pub valid_laps: usize,
    /// Name and best lap of each opponent, s.
    pub opponents: Vec<(String, Option<f64>)>,
    pub off_track_s: f64,
    /// Mean and greatest, m.
    pub cross_track_m: [f64; 2],
    pub laps_s: Vec<f64>,
    /// Time of the session on this machine by simulated time.
    #[serde(rename = "cpu_share")]
    pub cpu_fraction: f64,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Table {
    pub tracks: Vec<Row>,
}

impl Row {
    /// The driven lap by the best opponent's.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.driven_lap_s? / self.best_opponent_s?)
    }
}

impl Table {
    /// With a header, and a line of means.
    pub fn text(&self) -> String {
        let names: Vec<&str> = self
            .tracks
            .first()
            .map_or_else(Vec::new, |row| row.opponents.iter().map(|(name, _)| name.as_str()).collect());
        let mut text = format!("{:12} {:>9} {:>8}", "track", "predicted", "driven");
        for name in &names {
            let _ = write!(text, " {name:>9}");
        }
        let _ = writeln!(
            text,
            " {:>6} {:>7} {:>5} {:>6} {:>6} {:>11}",
            "ratio", "dr/pred", "valid", "damage", "off s", "error m"
        );
        for row in &self.tracks {
            let _ = write!(text, "{:12} {:9.3} {}", row.track, row.predicted_lap_s, number(row.driven_lap_s, 8));
            for (_, best) in &row.opponents {
                let _ = write!(text, " {}", number(*best, 9));
            }
            let _ = writeln!(
                text,
                " {} {} {:>5} {:6.0} {:6.2} {:5.2} {:5.2}",
                number(row.ratio(), 6),
                number(row.driven_lap_s.map(|driven| driven / row.predicted_lap_s), 7),
                format!("{}/{}", row.valid_laps, row.laps_s.len()),
                row.damage,
                row.off_track_s,
                row.cross_track_m[0],
                row.cross_track_m[1],
            );
        }
        let ratios: Vec<f64> = self.tracks.iter().filter_map(Row::ratio).collect();
        if !ratios.is_empty() {
            let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
            let _ = writeln!(text, "mean ratio of {}: {mean:.4}", ratios.len());
        }
        text
    }

    /// As JSON.
    pub fn json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

fn number(value: Option<f64>, width: usize) -> String {
    value.map_or_else(|| format!("{:>width$}", "-"), |value| format!("{value:width$.3}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Row, Table};

    fn table() -> Table {
        let row = Row {
            track: "aalborg".to_owned(),
            predicted_lap_s: 66.5,
            driven_lap_s: Some(69.12),
            best_opponent_s: Some(76.8),
            damage: 3.0,
            valid_laps: 4,
            opponents: vec![("inferno".to_owned(), Some(76.8)), ("bt".to_owned(), None)],
            off_track_s: 0.5,
            cross_track_m: [0.2, 0.9],
            laps_s: vec![74.0, 69.12],
            cpu_fraction: 0.001,
        };
        let none = Row { track: "spring".to_owned(), driven_lap_s: None, valid_laps: 0, ..row.clone() };
        Table { tracks: vec![row, none] }
    }

    #[test]
    fn the_table_has_a_line_a_track_and_the_mean_ratio() {
        let text = table().text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        assert!(lines[0].contains("inferno") && lines[0].contains("bt"));
        assert!(lines[1].starts_with("aalborg") && lines[1].contains("69.120") && lines[1].contains("0.900"));
        assert!(lines[2].contains("spring") && lines[2].contains(" - "));
        assert_eq!(lines[3], "mean ratio of 1: 0.9000");
    }

    #[test]
    fn the_json_has_null_where_no_lap_was_valid() {
        let json: serde_json::Value = serde_json::from_str(&table().json().unwrap()).unwrap();
        let tracks = json["tracks"].as_array().unwrap();
        assert_eq!(tracks[0]["driven_lap_s"], 69.12);
        assert!(tracks[1]["driven_lap_s"].is_null());
        for key in ["track", "predicted_lap_s", "best_opponent_s", "damage", "valid_laps"] {
            assert!(!tracks[0][key].is_null(), "{key}");
        }
    }
}
