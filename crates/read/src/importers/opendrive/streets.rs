//! Roads as streets that meet at junctions.

use std::collections::{BTreeMap, BTreeSet};

use super::links::links;
use super::road::{check_total, stations_of};
use super::xml::{self, End, Road};
use raceline_road::construction::ImportError;
use raceline_road::geometry::{Point, Vector};

/// A road as a street: its middle line, its width, and the directions of its lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenDriveStreet {
    /// The line along its middle, metres.
    pub points: Vec<Point>,
    /// Mean full width of its driving lanes, metres.
    pub width_m: f64,
    /// Whether it may be driven along its line and against it.
    pub directions: [bool; 2],
}

/// The roads of OpenDRIVE as streets, and longitude and latitude of the point (0, 0), if the file has it. Roads
/// without driving lanes are left out. Linked roads have a point in common.
///
/// # Errors
/// [`ImportError`].
pub fn open_drive_streets(bytes: &[u8]) -> Result<(Vec<OpenDriveStreet>, Option<[f64; 2]>), ImportError> {
    let file = xml::read(bytes)?;
    let driving = || file.roads.iter().enumerate().filter(|(_, road)| road.has_driving_lane());
    check_total(driving().map(|(_, road)| road))?;
    let street = |(index, road): (usize, &Road)| {
        let stations = stations_of(road)?;
        let total: f64 = stations.iter().map(|station| station.left_m + station.right_m).sum();
        let street = OpenDriveStreet {
            width_m: total / stations.len().max(1) as f64,
            points: stations.iter().map(|station| station.position).collect(),
            directions: road.directions(),
        };
        Ok((index, street))
    };
    let mut streets: BTreeMap<usize, OpenDriveStreet> = driving().map(street).collect::<Result<_, ImportError>>()?;
    join(&file.roads, &mut streets);
    Ok((streets.into_values().collect(), file.origin_deg))
}

/// Bends streets so that linked ends lie on one point: the road of a junction has one lane, whose middle is
/// beside that of the road whose lane it continues.
fn join(roads: &[Road], streets: &mut BTreeMap<usize, OpenDriveStreet>) {
    let points = meeting_points(roads, streets);
    for (&road, street) in streets {
        let shift = |is_last: bool| {
            let end = if is_last { street.points.last() } else { street.points.first() };
            end.zip(points.get(&End { road, is_last })).map_or(Vector::zeros(), |(end, &point)| point - *end)
        };
        let shifts = [shift(false), shift(true)];
        let count = street.points.len().saturating_sub(1).max(1) as f64;
        for (index, point) in street.points.iter_mut().enumerate() {
            let fraction = index as f64 / count;
            *point += shifts[0] * (1.0 - fraction) + shifts[1] * fraction;
        }
    }
}

/// Where each linked end lies: the mean of the ends of roads that are linked there and are in no junction, or
/// of all if there are none. An end that is farther away than the wider of both is not moved.
fn meeting_points(roads: &[Road], streets: &BTreeMap<usize, OpenDriveStreet>) -> BTreeMap<End, Point> {
    let links = links(roads);
    let place = |end: &End| {
        let street = streets.get(&end.road)?;
        if end.is_last { street.points.last() } else { street.points.first() }.copied()
    };
    let mut seen: BTreeSet<End> = BTreeSet::new();
    let mut points = BTreeMap::new();
    for &first in links.keys() {
        if !seen.insert(first) {
            continue;
        }
        let mut ends = vec![first];
        let mut next = 0;
        while let Some(end) = ends.get(next) {
            let linked = links.get(end).into_iter().flatten().copied().filter(|&to| seen.insert(to));
            ends.extend(linked.collect::<Vec<End>>());
            next += 1;
        }
        let places = |in_junction: bool| -> Vec<Point> {
            ends.iter().filter(|end| roads[end.road].is_in_junction == in_junction).filter_map(place).collect()
        };
        let met = Some(places(false)).filter(|met| !met.is_empty()).unwrap_or_else(|| places(true));
        let Some(&origin) = met.first() else { continue };
        let mean = origin + met.iter().map(|&point| point - origin).sum::<Vector>() / met.len() as f64;
        let width_m =
            ends.iter().filter_map(|end| streets.get(&end.road)).map(|street| street.width_m).fold(0.0, f64::max);
        let near = ends.iter().filter(|end| place(end).is_some_and(|place| (mean - place).norm() <= width_m));
        points.extend(near.map(|&end| (end, mean)));
    }
    points
}
