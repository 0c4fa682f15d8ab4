//! The road of linked roads.

use super::cross_section::CrossSection;
use super::geometry::Pose;
use super::links::{Route, routes};
use super::xml::{self, File, Road};
use raceline_file::shortened;
use raceline_numerics::math;
use raceline_road::construction::{
    CentreLine, ImportError, ImportNote, ImportOptions, Imported, Level, SpecifiedClosed, Station,
};
use raceline_road::geometry::Vector;

/// Distance between the stations of a road, metres.
const STEP_M: f64 = 1.0;
/// A road has at least this many stations.
const MIN_STATIONS: f64 = 24.0;
/// Longest road, metres.
const LONGEST_M: f64 = 2e5;
/// Linked roads may end this far from one another, in widths of the road.
const LARGEST_GAP: f64 = 0.5;
/// Roads in a message, at most.
const MAX_LISTED: usize = 12;

/// Reads OpenDRIVE. Roads that follow one another, also through junctions, straight on, are a circuit, or an
/// open road if there is none. The option `part` names a road of it by its name or number.
///
/// # Errors
/// See [`ImportError`]; several roads are listed with their names and lengths.
pub fn open_drive(bytes: &[u8], closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let file = xml::read(bytes)?;
    let route = chosen(&file, options.part.as_deref())?;
    check_total(route.roads.iter().map(|&(index, _)| &file.roads[index]))?;
    let mut stations: Vec<Station> = Vec::new();
    let mut level_only = true;
    for (number, &(index, is_reversed)) in route.roads.iter().enumerate() {
        let road = &file.roads[index];
        let mut of_road = stations_of(road)?;
        if is_reversed {
            turn_round(&mut of_road);
        }
        if let (Some(last), Some(first)) = (stations.last(), of_road.first()) {
            check_gap(&file.roads[route.roads[number - 1].0], road, last, first)?;
            // The linked road begins where this one ends.
            stations.pop();
        }
        level_only &=
            road.elevation.is_empty() && road.superelevation.is_empty() && road.crossfall.iter().all(Vec::is_empty);
        stations.extend(of_road);
    }
    if route.closed && stations.len() > 1 {
        let (last, first) = (stations[stations.len() - 1], stations[0]);
        let of = |place: Option<&(usize, bool)>| place.map_or(&file.roads[0], |&(index, _)| &file.roads[index]);
        check_gap(of(route.roads.last()), of(route.roads.first()), &last, &first)?;
        stations.pop();
    }
    if level_only {
        stations.iter_mut().for_each(|station| station.level = None);
    }
    if route.runs_against_traffic(&file.roads) {
        turn_round(&mut stations);
    }
    let mut imported = CentreLine::new(stations).imported(closed.or(Some(route.closed)), options)?;
    imported.geographic_origin_deg = file.origin_deg;
    imported.name = file.name;
    if options.width_m.is_some() {
        imported.notes.push(ImportNote::WidthNotUsed);
    }
    let beside = file.roads.len() - route.roads.len();
    imported.notes.push(ImportNote::Roads { count: route.roads.len(), beside });
    Ok(imported)
}

/// The route of the file, or the one through the road called `part`.
fn chosen(file: &File, part: Option<&str>) -> Result<Route, ImportError> {
    let all = routes(&file.roads);
    let any_closed = all.iter().any(|route| route.closed);
    let list = |routes: &[&Route]| {
        let labels: Vec<String> = routes.iter().take(MAX_LISTED).map(|route| route.label(&file.roads)).collect();
        if labels.is_empty() { "no road with driving lanes".to_owned() } else { labels.join(", ") }
    };
    let meant: Vec<&Route> = match part {
        None => all.iter().filter(|route| route.closed == any_closed).collect(),
        Some(part) => {
            let part = part.trim();
            let number = part.strip_prefix("road").map_or(part, |rest| rest.trim_start_matches(['/', ' ']));
            let is_meant = |road: &Road| road.id == number || road.name.eq_ignore_ascii_case(part);
            let through = |route: &&Route| route.roads.iter().any(|&(index, _)| is_meant(&file.roads[index]));
            let through: Vec<&Route> = all.iter().filter(through).collect();
            let closed = through.iter().any(|route| route.closed);
            through.into_iter().filter(|route| route.closed == closed).collect()
        }
    };
    match (meant.as_slice(), part) {
        ([route], _) => Ok((*route).clone()),
        ([], Some(part)) => {
            let known = list(&all.iter().collect::<Vec<_>>());
            Err(ImportError::NoSuchPart { part: shortened(part), known })
        }
        ([], None) => Err(ImportError::Geometry {
            place: "the file".to_owned(),
            problem: "it has no road with driving lanes".to_owned(),
            fix: "give roads with lanes of the type driving",
        }),
        (several, _) => Err(ImportError::SeveralRoads { count: several.len(), list: list(several) }),
    }
}

/// The stations along the middle of a road's driving lanes.
pub(super) fn stations_of(road: &Road) -> Result<Vec<Station>, ImportError> {
    let wrong = |problem: String| ImportError::Geometry {
        place: road.label(),
        problem,
        fix: "check the road's plan view and lanes",
    };
    let length_m = road.length_m();
    if road.pieces.is_empty() || !(length_m > 0.0 && length_m <= LONGEST_M) {
        return Err(wrong(format!("its plan view is {length_m} m long")));
    }
    let count = (length_m / STEP_M).ceil().max(MIN_STATIONS);
    let mut stations = Vec::with_capacity(count as usize + 1);
    let section = CrossSection::of(road);
    let mut next = 0_usize;
    for (index, piece) in road.pieces.iter().enumerate() {
        let end_m = road.pieces.get(index + 1).map_or(length_m, |after| after.s_m);
        let mut along = Vec::new();
        while next <= count as usize {
            let s_m = length_m * next as f64 / count;
            let is_last = index + 1 == road.pieces.len();
            if s_m >= end_m && !is_last {
                break;
            }
            along.push(s_m);
            next += 1;
        }
        let poses = piece.at(along.iter().map(|s_m| (s_m - piece.s_m).max(0.0)));
        for (s_m, Pose { position, heading_rad }) in along.into_iter().zip(poses) {
            let across = section.at(s_m).ok_or_else(|| wrong(format!("it has no driving lane at {s_m:.1} m")))?;
            let left = Vector::new(-math::sin(heading_rad), math::cos(heading_rad));
            let half = (across.left_m - across.right_m) / 2.0;
            let middle_m = f64::midpoint(across.left_m, across.right_m);
            if !(position.x.is_finite() && position.y.is_finite() && half.is_finite() && half >= 0.0) {
                return Err(wrong(format!("its lanes have no width at {s_m:.1} m")));
            }
            let level = Level { height_m: across.height_m, banking_rad: across.banking_rad, grip: 1.0 };
            let position = position + left * middle_m;
            stations.push(Station { position, right_m: half, left_m: half, line: None, level: Some(level) });
        }
    }
    Ok(stations)
}

/// Refuses roads that are too long together.
pub(super) fn check_total<'a>(roads: impl Iterator<Item = &'a Road>) -> Result<(), ImportError> {
    let length_km = roads.map(Road::length_m).sum::<f64>() / 1e3;
    let limit_km = LONGEST_M / 1e3;
    if length_km > limit_km { Err(ImportError::TooLong { length_km, limit_km }) } else { Ok(()) }
}

/// The stations in the opposite direction.
fn turn_round(stations: &mut [Station]) {
    stations.reverse();
    for station in stations {
        std::mem::swap(&mut station.left_m, &mut station.right_m);
        if let Some(level) = &mut station.level {
            level.banking_rad = -level.banking_rad;
        }
    }
}

/// Refuses linked roads that do not meet.
fn check_gap(before: &Road, after: &Road, last: &Station, first: &Station) -> Result<(), ImportError> {
    let gap_m = (first.position - last.position).norm();
    let width_m = last.left_m + last.right_m + first.left_m + first.right_m;
    if gap_m <= (LARGEST_GAP * width_m).max(STEP_M) {
        return Ok(());
    }
    Err(ImportError::Geometry {
        place: after.label(),
        problem: format!("it begins {gap_m:.1} m from where the linked {} ends", before.label()),
        fix: "check the links and the contact points of both roads",
    })
}
