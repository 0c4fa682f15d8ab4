//! The points of a `Curve3D` or `Curve2D` of Godot 3 and 4, from the text of its resource or of a
//! scene: groups of three vectors, the two handles and the position.

use raceline_file::table::text;
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

use super::line_file::{LineFile, no_line};

/// Arrays of points, and the number of coordinates of each.
const ARRAYS: [(&str, usize); 4] =
    [("PackedVector3Array(", 3), ("PoolVector3Array(", 3), ("PackedVector2Array(", 2), ("PoolVector2Array(", 2)];

/// Reads the first curve. y of the map is -z in space, and -y in the plane, where y points down.
pub(super) fn read(bytes: &[u8]) -> Result<LineFile, ImportError> {
    let text = text(bytes)?;
    let after = text
        .split_once("\"points\"")
        .map(|(_, after)| after)
        .ok_or_else(|| no_line("a resource of Godot without a curve"))?;
    let first = ARRAYS.iter().filter_map(|&(name, size)| Some((after.find(name)? + name.len(), size))).min();
    let (start, size) = first.ok_or_else(|| no_line("a curve of Godot without points"))?;
    let list = after.get(start..).and_then(|list| list.split(')').next()).unwrap_or_default();
    let numbers: Result<Vec<f64>, _> = list.split(',').map(|number| number.trim().parse::<f64>()).collect();
    let numbers = numbers.ok().filter(|numbers| numbers.len() % (3 * size) == 0 && !numbers.is_empty());
    let numbers =
        numbers.ok_or_else(|| no_line("a curve of Godot whose points are not groups of two handles and a position"))?;
    let points: Vec<Point> =
        numbers.chunks_exact(3 * size).map(|group| Point::new(group[2 * size], -group[3 * size - 1])).collect();
    if points.iter().any(|point| !(point.x.abs() <= 1e8 && point.y.abs() <= 1e8)) {
        return Err(no_line("a curve of Godot with coordinates that are not metres"));
    }
    let speeds = after.split_once("metadata/speed_mps").and_then(|(_, after)| {
        let list = after.split_once('(')?.1.split(')').next()?;
        list.split(',').map(|number| number.trim().parse().ok()).collect::<Option<Vec<f64>>>()
    });
    let speeds_mps = speeds.filter(|speeds| speeds.len() == points.len());
    Ok(LineFile { speeds_mps, ..LineFile::new("the points of a curve of Godot", points) })
}

#[cfg(test)]
mod tests {
    use super::{Point, read};
    use crate::lines::Positions;

    #[test]
    fn the_third_vector_of_each_group_is_the_position() {
        let of = |text: &str| read(text.as_bytes()).map(|line| line.positions);
        let points = Positions::Metres(vec![Point::new(1.0, -3.0), Point::new(4.0, -6.0)]);
        let four = "[gd_resource type=\"Curve3D\" format=3]\n[resource]\n_data = {\n\"points\": PackedVector3Array(0, 0, 0, 9, 0, 9, 1, 2, 3, 0, 0, 0, 0, 0, 0, 4, 5, 6),\n\"tilts\": PackedFloat32Array(0, 0)\n}\n";
        assert_eq!(of(four), Ok(points.clone()));
        assert_eq!(of(&four.replace("Packed", "Pool")), Ok(points));
        let flat = "\"points\": PackedVector2Array(0, 0, 9, 9, 1, -2, 0, 0, 0, 0, 3, -4)";
        assert_eq!(of(flat), Ok(Positions::Metres(vec![Point::new(1.0, 2.0), Point::new(3.0, 4.0)])));
        for wrong in ["[gd_resource]", "\"points\": PackedVector3Array(1, 2)", "\"points\": PackedVector3Array(a)"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
