//! The mean lap of a line, and the road about it.

use raceline_road::construction::{
    CentreLine, ImportError, ImportNote, ImportOptions, Imported, Level, Station, usual_step,
};
use raceline_road::geometry::Point;

use super::laps::best_laps;
use super::places::{measured, refined};
use super::stations::{Pass, Stations};

/// Laps that are farther from one another than this are not on one road, m; with a narrow road, two widths.
const FARTHEST_M: f64 = 15.0;
/// A lap is at least this often as long as laps may lie apart.
const MIN_LAP: f64 = 10.0;
/// A piece that lies on the reference at this fraction of its stations is a lap of the same road.
const SAME_ROAD: f64 = 0.8;
/// A line that goes on beyond a lap by less than this many of its steps, or by less than this length, m, is
/// closed where it is.
const OVERLAP_STEPS: f64 = 3.0;
const OVERLAP_M: f64 = 5.0;
/// Laps times stations, at most; of more laps those of about the median length count.
const MAX_SEEN: usize = 4_000_000;

/// The mean of several rounds.
#[derive(Debug)]
pub(in crate::importers) struct MeanLap {
    /// A closed line, m.
    pub points: Vec<Point>,
    /// Heights of the points, m.
    pub heights_m: Option<Vec<f64>>,
    pub note: ImportNote,
}

impl MeanLap {
    /// The road with half its width on either side.
    pub(in crate::importers) fn imported(self, half_m: f64, options: &ImportOptions) -> Result<Imported, ImportError> {
        let station = |(index, &position): (usize, &Point)| {
            let height_m = self.heights_m.as_ref().and_then(|heights| heights.get(index));
            let level = height_m.map(|&height_m| Level { height_m, banking_rad: 0.0, grip: 1.0 });
            Station { position, right_m: half_m, left_m: half_m, line: None, level }
        };
        let stations = self.points.iter().enumerate().map(station).collect();
        let mut imported = CentreLine::new(stations).imported(Some(true), options)?;
        imported.notes.insert(0, self.note);
        Ok(imported)
    }
}

/// The mean lap of a line that goes round more than once; `None` for one that does not. `width_m` is the width
/// of the road, m.
pub(in crate::importers) fn mean_lap(points: &[Point], heights_m: Option<&[f64]>, width_m: f64) -> Option<MeanLap> {
    let reach_m = FARTHEST_M.min(2.0 * width_m);
    let min_lap_m = MIN_LAP * reach_m;
    let places = refined(&measured(points, heights_m, reach_m / FARTHEST_M));
    let length_m = places.last()?.s_m;
    if !(reach_m > 0.0 && length_m.is_finite() && length_m > min_lap_m) {
        return None;
    }
    let laps = best_laps(&places, reach_m, min_lap_m)?;
    let mut whole = laps.pieces(&places);
    whole.sort_by(|a, b| a.length_m().total_cmp(&b.length_m()));
    let reference = whole.get(whole.len() / 2)?;
    let lap_m = reference.length_m();
    let overlap_m = length_m - lap_m;
    if overlap_m < OVERLAP_M.min(0.02 * lap_m).max(OVERLAP_STEPS * usual_step(points)?) {
        return None;
    }
    let stations = Stations::along(reference, reach_m);
    let used = (MAX_SEEN / stations.points.len().max(1)).clamp(3, whole.len().max(3));
    let from = (whole.len() / 2).saturating_sub(used / 2);
    let pass = |piece, part| Pass { seen: stations.seen(piece), part };
    let is_same = |pass: &Pass| pass.count() as f64 >= SAME_ROAD * stations.points.len() as f64;
    let mut passes: Vec<Pass> =
        whole.iter().skip(from).take(used).map(|piece| pass(piece, None)).filter(is_same).collect();
    let count = passes.len();
    let ends = laps.ends(&places, lap_m);
    if count < 3 {
        let parts: Vec<Pass> = ends.iter().map(|piece| pass(piece, Some(piece))).collect();
        let expected: f64 = ends.iter().map(|piece| piece.to - piece.from).sum::<f64>() * stations.points.len() as f64;
        let on_road = parts.iter().map(Pass::count).sum::<usize>() as f64;
        if on_road >= SAME_ROAD * expected {
            passes.extend(parts);
        } else if count < 2 {
            return None;
        }
    }
    let mean = stations.mean(&passes, lap_m);
    let has_heights = heights_m.is_some();
    Some(MeanLap {
        points: mean.iter().map(|&(point, ..)| point).collect(),
        heights_m: has_heights.then(|| mean.iter().map(|&(_, height_m, _)| height_m).collect()),
        note: ImportNote::LapsAveraged {
            rounds: length_m / lap_m,
            lap_m,
            apart_m: mean.iter().map(|&(.., apart_m)| apart_m).sum::<f64>() / mean.len().max(1) as f64,
        },
    })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::{MeanLap, mean_lap};
    use raceline_numerics::math;
    use raceline_road::construction::ImportNote;
    use raceline_road::geometry::{Point, Polyline, SegmentIndex};

    /// A place of a bent circuit of 2 km by the fraction of the lap, m to the outside of its middle.
    fn circuit(fraction: f64, offset_m: f64) -> Point {
        let angle = TAU * fraction;
        let radius = 220.0 + 60.0 * math::cos(2.0 * angle) + 25.0 * math::sin(3.0 * angle) + offset_m;
        Point::new(1.5 * radius * math::cos(angle), radius * math::sin(angle))
    }

    /// An eight of 1.3 km.
    fn eight(fraction: f64, offset_m: f64) -> Point {
        let angle = TAU * fraction;
        Point::new(250.0 * math::sin(angle), (125.0 + offset_m) * math::sin(2.0 * angle))
    }

    /// `laps` rounds from a fraction of the lap on, `count` points each, on lap k `offset_m` to one side and the
    /// other in turn.
    fn rounds(place: fn(f64, f64) -> Point, laps: f64, count: f64, offset_m: f64) -> Vec<Point> {
        let points = (laps * count).round() as usize;
        let at = |i: usize| {
            let fraction = 0.3 + i as f64 / count;
            place(fraction, offset_m * math::cos(TAU * 0.5 * fraction))
        };
        (0..=points).map(at).collect()
    }

    /// Largest distance of the lap from the middle of the road, and of the middle from the lap, m.
    fn distance(lap: &MeanLap, place: fn(f64, f64) -> Point) -> f64 {
        let line = Polyline::closed(lap.points.clone());
        let truth = Polyline::closed((0..2000).map(|i| place(f64::from(i) / 2000.0, 0.0)).collect());
        let farthest = |from: &Polyline, to: &Polyline| {
            let index = SegmentIndex::new(to, 5.0);
            from.points.iter().filter_map(|&point| Some(index.nearest(point)?.distance)).fold(0.0, f64::max)
        };
        farthest(&line, &truth).max(farthest(&truth, &line))
    }

    #[test]
    fn several_rounds_become_one_lap() {
        for place in [circuit, eight] {
            for (laps, count) in [(3.0, 400.0), (3.7, 400.0), (2.0, 400.0), (1.5, 400.0), (8.2, 401.3), (5.0, 61.3)] {
                let points = rounds(place, laps, count, 0.0);
                let lap = mean_lap(&points, None, 10.0).unwrap_or_else(|| panic!("{laps} of {count}"));
                let ImportNote::LapsAveraged { rounds, apart_m, .. } = lap.note else { panic!("{:?}", lap.note) };
                assert!((rounds / laps - 1.0).abs() < 0.01, "{rounds} for {laps}");
                assert!(apart_m < 0.4, "{laps} of {count}: {apart_m}");
                let distance = distance(&lap, place);
                assert!(distance < if count < 100.0 { 0.8 } else { 0.1 }, "{laps} of {count}: {distance}");
            }
        }
    }

    #[test]
    fn the_mean_lies_between_the_rounds() {
        let points = rounds(circuit, 4.0, 400.0, 3.0);
        let heights: Vec<f64> = (0..points.len()).map(|i| 50.0 + (i / 400) as f64).collect();
        let lap = mean_lap(&points, Some(&heights), 10.0).unwrap();
        assert!(distance(&lap, circuit) < 2.0, "{}", distance(&lap, circuit));
        let heights = lap.heights_m.unwrap();
        assert_eq!(heights.len(), lap.points.len());
        assert!(heights.iter().all(|height| (49.9..53.0).contains(height)), "{heights:?}");
        let ImportNote::LapsAveraged { apart_m, .. } = lap.note else { panic!("{:?}", lap.note) };
        assert!((2.0..8.0).contains(&apart_m), "{apart_m}");
    }

    #[test]
    fn one_lap_and_roads_beside_one_another_stay_as_they_are() {
        for laps in [0.7, 0.99, 1.0, 1.002] {
            for place in [circuit, eight] {
                assert!(mean_lap(&rounds(place, laps, 400.0, 0.0), None, 10.0).is_none(), "{laps}");
            }
        }
        // A spiral, whose legs lie 12 m beside one another in the same direction.
        let spiral = |i: usize| {
            let turn = i as f64 / 200.0;
            Point::new((80.0 + 12.0 * turn) * math::cos(TAU * turn), (80.0 + 12.0 * turn) * math::sin(TAU * turn))
        };
        assert!(mean_lap(&(0..400).map(spiral).collect::<Vec<_>>(), None, 6.0).is_none());
        for points in [vec![], vec![Point::origin()], vec![Point::origin(); 50]] {
            assert!(mean_lap(&points, None, 10.0).is_none());
            assert!(mean_lap(&points, None, 0.0).is_none());
        }
    }

    #[test]
    fn long_lists_are_bounded() {
        // Points that jump to and fro pass every gate, and are no laps.
        let jumps: Vec<Point> = (0..100_000).map(|i| Point::new(f64::from(i % 2) * 300.0, f64::from(i % 7))).collect();
        assert!(mean_lap(&jumps, None, 10.0).is_none());
        assert!(mean_lap(&jumps, None, 1e-3).is_none());
        // More points than are kept.
        let many = mean_lap(&rounds(circuit, 900.0, 400.0, 0.0), None, 10.0).unwrap();
        assert!(distance(&many, circuit) < 0.5, "{}", distance(&many, circuit));
        let dense = mean_lap(&rounds(circuit, 60.0, 4000.0, 0.0), None, 10.0).unwrap();
        assert!(distance(&dense, circuit) < 0.1, "{}", distance(&dense, circuit));
        let ImportNote::LapsAveraged { rounds, .. } = dense.note else { panic!("{:?}", dense.note) };
        assert!((rounds / 60.0 - 1.0).abs() < 0.01, "{rounds}");
    }

    #[test]
    fn the_road_to_the_track_and_a_lap_through_the_pits_are_left_out() {
        let mut points: Vec<Point> = (0..60).map(|i| circuit(0.3, 400.0 - 6.5 * f64::from(i))).collect();
        for i in 0..=1800 {
            let fraction = 0.3 + f64::from(i) / 400.0;
            // In the second lap the pit lane is 40 m inside, and longer by a stop.
            let is_in_pits = (700..780).contains(&i);
            points.push(circuit(fraction, if is_in_pits { -40.0 } else { 0.0 }));
        }
        let lap = mean_lap(&points, None, 10.0).unwrap();
        assert!(distance(&lap, circuit) < 0.1, "{}", distance(&lap, circuit));
    }
}
