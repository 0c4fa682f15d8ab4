//! `traffic`: several cars in one race.

use std::fs;

use anyhow::Context;
use raceline_torcs::configuration::{Configuration, numbered};
use raceline_torcs::contacts::Touched;
use raceline_torcs::summary::Summary;

use super::arguments::{Grid, Traffic};
use super::installation::TrackPlace;
use super::season::{LineSource, Season};
use super::standings::{Car, Damage, Race, Standings};

/// The robot's module.
const OWN: &str = "raceline";

/// Races on every track and prints the table.
pub fn traffic(arguments: &Traffic) -> anyhow::Result<()> {
    let (mut season, tracks) = Season::new(&arguments.common, &arguments.against)?;
    let mut standings = Standings::default();
    for track in &tracks {
        for grid in &arguments.grid {
            season.renew()?;
            if arguments.same_car {
                season.give_one_car()?;
            }
            let race = race(&season, arguments, track, *grid).with_context(|| track.name.clone())?;
            print!("{}", race.text());
            standings.races.push(race);
        }
    }
    print!("{}", standings.text());
    if let Some(path) = &arguments.common.json {
        fs::write(path, standings.json()?).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Fuel of a race among others by that of laps alone: passing and braking for others takes more. Too little by a tenth
/// of a litre costs a stop in the last lap.
const AMONG_OTHERS: f64 = 1.1;

fn race(season: &Season<'_>, arguments: &Traffic, track: &TrackPlace, grid: Grid) -> anyhow::Result<Race> {
    let (line, lap_s, length_m) = season.line(track, LineSource::default())?;
    let grid_name = format!("{grid:?}").to_lowercase();
    let configuration = Configuration {
        telemetry: season.kept(&format!("{}.{grid_name}.telemetry.csv", track.name))?,
        neighbours: season.kept(&format!("{}.{grid_name}.neighbours.csv", track.name))?,
        ..season.configuration(track, line, [lap_s, length_m], arguments.laps, AMONG_OTHERS)?
    };
    season.configure(&configuration)?;
    for index in 1..=arguments.robots {
        Season::forget(&numbered(&season.summary(), index))?;
    }
    let drivers = order(season, arguments, grid);
    let driven = season.session(track, arguments.laps, &drivers).race()?;
    for message in driven.messages.lines().filter(|line| line.starts_with("raceline")) {
        eprintln!("{}: {message}", track.name);
    }
    let standings =
        driven.results.with_context(|| format!("did not end within {} s", season.limit_s(arguments.laps)))?;
    let cars = standings.into_iter().enumerate().map(|(i, standing)| {
        let (module, index) = &standing.driver;
        let of = |contacts: &Summary, touched: Touched| {
            contacts.contacts.iter().filter(|contact| contact.touched == touched).map(|contact| contact.damage).sum()
        };
        let summary = if module == OWN { Summary::read(&numbered(&season.summary(), *index)).ok() } else { None };
        let damage_by = summary.as_ref().map(|summary| Damage {
            ahead: of(summary, Touched::Ahead),
            beside: of(summary, Touched::Beside),
            behind: of(summary, Touched::Behind),
            wall: of(summary, Touched::Wall),
        });
        Car {
            driver: format!("{module}:{index}"),
            car: standing.car,
            own: module == OWN,
            start: drivers.iter().position(|driver| *driver == standing.driver).map_or(0, |place| place + 1),
            place: i + 1,
            laps: standing.laps,
            time_s: standing.time_s,
            best_lap_s: standing.best_s,
            pit_stops: standing.pit_stops,
            damage: standing.damage,
            damage_by,
            stops: summary.as_ref().map(|summary| summary.stops.clone()).unwrap_or_default(),
            contacts: summary.map(|summary| summary.contacts).unwrap_or_default(),
        }
    });
    Ok(Race { track: track.name.clone(), grid: grid_name, laps: arguments.laps, cars: cars.collect() })
}

/// Drivers in the order of the grid.
fn order(season: &Season<'_>, arguments: &Traffic, grid: Grid) -> Vec<(String, i32)> {
    let mut drivers: Vec<_> =
        season.opponents.iter().map(|opponent| (opponent.module.clone(), opponent.index)).collect();
    let place = match grid {
        Grid::Front => 0,
        Grid::Middle => drivers.len() / 2,
        Grid::Back => drivers.len(),
    };
    drivers.splice(place..place, (1..=arguments.robots).map(|index| (OWN.to_owned(), index)));
    drivers
}
