//! TORCS's result files of a practice session and of a race.

use std::path::Path;

use super::params::Params;

/// A session's results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// Time of each finished lap, s.
    pub laps_s: Vec<f64>,
    /// The best lap that counts, s.
    pub best_s: Option<f64>,
    /// Damage points at the end.
    pub damage: f64,
    /// Highest speed of all laps, m/s.
    pub top_speed_mps: f64,
}

impl Results {
    /// Reads a file.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        Ok(Self::of(&Params::read(path)?))
    }

    /// From the parameters of a result file.
    pub fn of(params: &Params) -> Self {
        // <track>/Results/Practice/<lap>
        let mut laps: Vec<(u32, &str)> = params
            .all()
            .filter(|(_, key, _)| *key == "time")
            .filter_map(|(section, ..)| {
                let (rest, lap) = section.rsplit_once('/')?;
                rest.ends_with("/Results/Practice").then_some((lap.parse().ok()?, section))
            })
            .collect();
        laps.sort_unstable();
        let mut results = Self::default();
        for (_, section) in laps {
            let number = |key: &str| params.number(section, key);
            results.laps_s.push(number("time").unwrap_or(0.0));
            // The best one so far; 0 before the first that counts.
            results.best_s = number("best lap time").filter(|best| *best > 0.0);
            results.damage = number("dammages").unwrap_or(0.0);
            results.top_speed_mps = results.top_speed_mps.max(number("top speed").unwrap_or(0.0));
        }
        results
    }
}

/// A car's place in a race.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// Module and index of the driver.
    pub driver: (String, i32),
    pub car: String,
    pub laps: u32,
    pub time_s: f64,
    pub best_s: Option<f64>,
    pub damage: f64,
    pub pit_stops: u32,
}

impl Standing {
    /// Reads a file: the cars from the first on.
    pub fn read(path: &Path) -> anyhow::Result<Vec<Self>> {
        Ok(Self::of(&Params::read(path)?))
    }

    /// From the parameters of a result file.
    pub fn of(params: &Params) -> Vec<Self> {
        // <track>/Results/Race/Rank/<place>
        let mut ranks: Vec<(u32, &str)> = params
            .all()
            .filter(|(_, key, _)| *key == "module")
            .filter_map(|(section, ..)| {
                let (rest, place) = section.rsplit_once('/')?;
                rest.ends_with("/Results/Race/Rank").then_some((place.parse().ok()?, section))
            })
            .collect();
        ranks.sort_unstable();
        let of = |section: &str| {
            let number = |key: &str| params.number(section, key).unwrap_or(0.0);
            let text = |key: &str| params.text(section, key).unwrap_or_default().to_owned();
            Self {
                driver: (text("module"), number("idx") as i32),
                car: text("car"),
                laps: number("laps") as u32,
                time_s: number("time"),
                best_s: Some(number("best lap time")).filter(|best| *best > 0.0),
                damage: number("dammages"),
                pit_stops: number("pits stops") as u32,
            }
        };
        ranks.into_iter().map(|(_, section)| of(section)).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Results, Standing};
    use crate::runner::params::Params;

    fn session(laps: &[(f64, f64, u32)]) -> Results {
        let laps: String = laps
            .iter()
            .enumerate()
            .map(|(i, (time, best, damage))| {
                format!(
                    r#"<section name="{}"><attnum name="time" val="{time}"/><attnum name="best lap time" val="{best}"/>
                    <attnum name="top speed" val="{}"/><attnum name="dammages" val="{damage}"/></section>"#,
                    i + 1,
                    60 + i
                )
            })
            .collect();
        let text = format!(
            r#"<params name="Results"><section name="Aalborg"><section name="Results"><section name="Practice">
            <attstr name="driver name" val="x"/>{laps}</section></section></section></params>"#
        );
        Results::of(&Params::parse(&text).unwrap())
    }

    #[test]
    fn the_best_lap_is_that_of_the_last_line_and_laps_are_in_order() {
        // More than nine laps sort by number, not by text.
        let laps: Vec<_> = (1..=11).map(|i| (90.0 - f64::from(i), 90.0 - f64::from(i), 3 * i)).collect();
        let results = session(&laps);
        assert_eq!(results.laps_s.len(), 11);
        assert_eq!((results.laps_s[1], results.laps_s[10]), (88.0, 79.0));
        assert_eq!((results.best_s, results.damage, results.top_speed_mps), (Some(79.0), 33.0, 70.0));
    }

    #[test]
    fn a_session_without_a_valid_lap_has_no_best() {
        assert_eq!(session(&[(80.0, 0.0, 12)]).best_s, None);
        assert_eq!(session(&[]), Results::default());
    }

    #[test]
    fn standings_are_in_the_order_of_the_places() {
        let ranks: String = (1..=10)
            .map(|place| {
                format!(
                    r#"<section name="{place}"><attstr name="module" val="bt"/><attnum name="idx" val="{}"/>
                    <attnum name="laps" val="3"/><attnum name="dammages" val="{}"/></section>"#,
                    20 - place,
                    7 * place
                )
            })
            .collect();
        let text = format!(
            r#"<params name="Results"><section name="Aalborg"><section name="Results"><section name="Race">
            <section name="Rank">{ranks}</section></section></section></section></params>"#
        );
        let standings = Standing::of(&Params::parse(&text).unwrap());
        let found: Vec<_> = standings.iter().map(|standing| (standing.driver.1, standing.damage)).collect();
        assert_eq!(found, (1..=10).map(|place| (20 - place, 7.0 * f64::from(place))).collect::<Vec<_>>());
        assert_eq!((standings[0].best_s, standings[0].laps), (None, 3));
    }
}
