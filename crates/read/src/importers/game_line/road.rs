//! The road about the line of a game.

use super::line_point::LinePoint;
use super::{assetto_corsa, rfactor};
use raceline_numerics::{math, median};
use raceline_road::construction::{
    CentreLine, ImportError, ImportNote, ImportOptions, Imported, Level, SpecifiedClosed, Station,
};

/// Widths within this many points on either side are compared.
const WINDOW: usize = 8;
/// A width to one side of this many metres more than, and times, the median of those beside it is none of a road.
const OUTLIER_M: f64 = 10.0;
const OUTLIER_FACTOR: f64 = 2.0;
/// The steepest road across, as rise over run.
const STEEPEST: f64 = 0.8;

/// Whether these bytes are a line of one of the games.
#[must_use]
pub(crate) fn is_game_line(bytes: &[u8]) -> bool {
    assetto_corsa::is_line(bytes) || rfactor::is_line(bytes)
}

/// Reads the road about the line of a game. Heights and banking are those of its points. The width of the
/// options is that of a line without distances to the edges.
///
/// # Errors
/// See [`ImportError`].
pub fn game_line(bytes: &[u8], closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let mut points = match assetto_corsa::is_line(bytes) {
        true => assetto_corsa::read(bytes)?,
        false => rfactor::read(bytes)?,
    };
    let mut notes = Vec::new();
    let has_sides = points.iter().any(|point| point.sides_m.is_some_and(|sides| sides.iter().sum::<f64>() > 0.0));
    match (has_sides, options.width_m) {
        (true, None) => {}
        (true, Some(_)) => notes.push(ImportNote::WidthNotUsed),
        (false, Some(width_m)) => points.iter_mut().for_each(|point| point.sides_m = Some([width_m / 2.0; 2])),
        (false, None) => {
            return Err(ImportError::GameLine {
                message: "the line has no distances to the edges of the road: specify track_width_m, or give a file \
                          that has them, as fast_lane.ai has after the game recorded it"
                    .to_owned(),
            });
        }
    }
    let replaced = without_outliers(&mut points);
    if replaced > 0 {
        notes.push(ImportNote::WidthsReplaced { count: replaced });
    }
    let banking = banking(&points);
    let station = |(point, banking_rad): (&LinePoint, f64)| {
        let [left_m, right_m] = point.sides_m.unwrap_or_default();
        let level = Some(Level { height_m: point.height_m, banking_rad, grip: 1.0 });
        Station { position: point.position, right_m, left_m, line: None, level }
    };
    let stations = points.iter().zip(banking).map(station).collect();
    let mut imported = CentreLine::new(stations).imported(closed, options)?;
    imported.notes.extend(notes);
    Ok(imported)
}

/// Replaces single widths far above those beside them, where the game measured across a pit lane or a junction;
/// how many.
fn without_outliers(points: &mut [LinePoint]) -> usize {
    let given: Vec<[f64; 2]> = points.iter().map(|point| point.sides_m.unwrap_or_default()).collect();
    let mut replaced = 0;
    for (index, point) in points.iter_mut().enumerate() {
        let mut sides = given[index];
        for (side, value) in sides.iter_mut().enumerate() {
            let near = (-(WINDOW as isize)..=WINDOW as isize)
                .filter_map(|step| Some(given.get(index.checked_add_signed(step)?)?[side]));
            let usual = median(near.collect()).unwrap_or_default();
            if *value > usual + OUTLIER_M && *value > OUTLIER_FACTOR * usual {
                *value = usual;
                replaced += 1;
            }
        }
        point.sides_m = Some(sides);
    }
    replaced
}

/// The banking at each point, radians, positive where the left edge is higher. Single normals that are none of a
/// road are left out by a median.
fn banking(points: &[LinePoint]) -> Vec<f64> {
    let count = points.len();
    let slope = |index: usize| -> f64 {
        let (before, after) = (&points[index.saturating_sub(1)], &points[(index + 1).min(count - 1)]);
        let along = (after.position - before.position).try_normalize(0.0);
        let (Some(along), Some([x, y, up])) = (along, points[index].normal) else { return 0.0 };
        if up <= 0.0 {
            return 0.0;
        }
        // On a plane with this normal, one metre to the left rises by this much.
        (-(x * -along.y + y * along.x) / up).clamp(-STEEPEST, STEEPEST)
    };
    let slopes: Vec<f64> = (0..count).map(slope).collect();
    let around = |index: usize| slopes[index.saturating_sub(2)..(index + 3).min(count)].to_vec();
    (0..count).map(|index| math::atan(median(around(index)).unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::{LinePoint, without_outliers};
    use raceline_road::geometry::Point;

    /// The widths to the left of a road 5 m wide there, with `count` points of 60 m from the 100th on.
    fn mended(count: usize) -> usize {
        let side = |i: usize| if (100..100 + count).contains(&i) { 60.0 } else { 5.0 };
        let point = |i: usize| LinePoint {
            position: Point::new(4.0 * i as f64, 0.0),
            height_m: 0.0,
            sides_m: Some([side(i), 5.0]),
            normal: None,
        };
        without_outliers(&mut (0..300).map(point).collect::<Vec<_>>())
    }

    #[test]
    fn widths_that_are_wide_over_half_of_seventeen_points_are_the_roads() {
        assert_eq!((mended(1), mended(8)), (1, 8));
        // Of nine and more the middle ones have more wide neighbours than others.
        assert_eq!(mended(20), 0);
    }
}
