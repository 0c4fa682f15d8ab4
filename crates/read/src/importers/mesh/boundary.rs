//! The boundary of a strip of triangles as the two edges of a road.

use std::collections::BTreeMap;

use raceline_numerics::math;
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

/// A loop of the boundary shorter than this fraction of the longest is a hole, as of a manhole.
const HOLE_FRACTION: f64 = 0.3;
/// The boundary turns by more than this at the ends of an open road, radians.
const CORNER_RAD: f64 = 0.7;
/// An end of an open road is at most this many times as long as the road is wide.
const LONGEST_END: f64 = 2.5;

/// A line of vertices, and whether it is closed.
pub(super) type Edge = (Vec<usize>, bool);

/// The two edges of the road.
///
/// # Errors
/// [`ImportError::Mesh`] for a boundary that is not that of one road.
pub(super) fn edges(
    vertices: &[(Point, f64)],
    triangles: &[[usize; 3]],
    area_m2: f64,
    name: &str,
) -> Result<[Edge; 2], ImportError> {
    let mut loops: Vec<(f64, Vec<usize>)> =
        loops(triangles).into_iter().map(|line| (length(vertices, &line), line)).collect();
    loops.sort_by(|a, b| b.0.total_cmp(&a.0));
    let longest = loops.first().map_or(0.0, |(length, _)| *length);
    loops.retain(|(length, _)| *length > HOLE_FRACTION * longest);
    let wrong = |problem: String| ImportError::Mesh {
        message: format!(
            "the boundary of {name:?} is not that of one road: {problem}; export the road as a mesh of its own, \
             without shoulders, or name another part by the option part"
        ),
    };
    match loops.len() {
        0 => Err(wrong("it has no boundary".to_owned())),
        2 => {
            let mut lines = loops.into_iter().map(|(_, line)| (line, true));
            let (outer, inner) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
            Ok([inner, outer])
        }
        1 => {
            let width_m = 2.0 * area_m2 / longest.max(f64::MIN_POSITIVE);
            let line = loops.pop().map(|(_, line)| line).unwrap_or_default();
            sides(vertices, &line, width_m).ok_or_else(|| wrong("it has no two ends".to_owned()))
        }
        count => Err(wrong(format!("it has {count} parts"))),
    }
}

/// The loops of edges that belong to one triangle only.
fn loops(triangles: &[[usize; 3]]) -> Vec<Vec<usize>> {
    let mut uses: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *uses.entry([from.min(to), from.max(to)]).or_default() += 1;
        }
    }
    let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (&[a, b], _) in uses.iter().filter(|(_, used)| **used == 1) {
        at.entry(a).or_default().push(b);
        at.entry(b).or_default().push(a);
    }
    let starts: Vec<usize> = at.keys().copied().collect();
    let mut loops = Vec::new();
    for start in starts {
        while at.get(&start).is_some_and(|next| !next.is_empty()) {
            let mut line = vec![start];
            let mut here = start;
            while let Some(next) = at.get_mut(&here).and_then(Vec::pop) {
                if let Some(back) = at.get_mut(&next)
                    && let Some(place) = back.iter().position(|&node| node == here)
                {
                    back.swap_remove(place);
                }
                if next == start {
                    break;
                }
                line.push(next);
                here = next;
            }
            if line.len() > 2 {
                loops.push(line);
            }
        }
    }
    loops
}

/// Length of a closed line, metres.
fn length(vertices: &[(Point, f64)], line: &[usize]) -> f64 {
    (0..line.len()).map(|i| (vertices[line[(i + 1) % line.len()]].0 - vertices[line[i]].0).norm()).sum()
}

/// The two long sides of the loop about an open road, between its ends.
fn sides(vertices: &[(Point, f64)], line: &[usize], width_m: f64) -> Option<[Edge; 2]> {
    let count = line.len();
    let at = |index: usize| vertices[line[index % count]].0;
    let turn = |index: usize| {
        let (a, b) = (at(index) - at(index + count - 1), at(index + 1) - at(index));
        math::atan2(a.perp(&b), a.dot(&b))
    };
    let corners: Vec<usize> = (0..count).filter(|&index| turn(index).abs() > CORNER_RAD).collect();
    let stretch = |from: usize, to: usize| -> f64 {
        (from..if to > from { to } else { to + count }).map(|index| (at(index + 1) - at(index)).norm()).sum()
    };
    // Ends are short stretches between two corners that turn in the same direction, together by half a turn.
    let mut ends: Vec<(f64, usize, usize)> = Vec::new();
    for (place, &from) in corners.iter().enumerate() {
        let to = corners[(place + 1) % corners.len()];
        let long = stretch(from, to);
        let both = turn(from) + turn(to);
        if to != from && long <= LONGEST_END * width_m && (both.abs() - std::f64::consts::PI).abs() < 0.8 {
            ends.push(((both.abs() - std::f64::consts::PI).abs(), from, to));
        }
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let &(_, from, to) = ends.first()?;
    let &(_, other_from, other_to) = ends.iter().skip(1).find(|end| end.1 != to && end.2 != from)?;
    let between = |from: usize, to: usize| -> Vec<usize> {
        (from..=if to > from { to } else { to + count }).map(|index| line[index % count]).collect()
    };
    let one = between(to, other_from);
    let mut other = between(other_to, from);
    other.reverse();
    Some([(one, false), (other, false)])
}
