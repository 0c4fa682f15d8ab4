//! The road of a mesh.

use std::collections::BTreeMap;

use super::parts::{Mesh, Part};
use super::{boundary, glb, obj};
use raceline_file::shortened;
use raceline_road::construction::{
    EdgeLevel, EdgePair, ImportError, ImportNote, ImportOptions, Imported, Sides, SpecifiedClosed,
};
use raceline_road::geometry::{Point, cross};

/// Vertices nearer to one another than this are one, metres: programs write a vertex once for each of its normals.
const WELD_M: f64 = 1e-3;
/// Words of names of roads, the surest first.
const WORDS: [&str; 6] = ["road", "asphalt", "tarmac", "racetrack", "track", "circuit"];
/// Words of names of what lies beside a road.
const OTHER_WORDS: [&str; 12] = [
    "roadside",
    "offroad",
    "off_road",
    "trackside",
    "barrier",
    "wall",
    "fence",
    "sign",
    "grass",
    "kerb",
    "curb",
    "line",
];
/// Names in a message, at most.
const MAX_LISTED: usize = 16;

/// Whether these bytes are a mesh: a GLB, or text with vertices and faces as OBJ.
#[must_use]
pub(crate) fn is_mesh(bytes: &[u8]) -> bool {
    glb::is_glb(bytes) || obj::is_obj(bytes)
}

/// Reads a mesh. The road is the part that the option `part` names, by its material or object, else those whose
/// names contain `road`, `asphalt` or `track`. The axis along which the road's triangles face points upwards,
/// and is reported.
///
/// # Errors
/// See [`ImportError`].
pub fn mesh(bytes: &[u8], closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let mesh = read_mesh(bytes)?;
    let (name, triangles) = chosen(&mesh, options.part.as_deref())?;
    let (welded, triangles) = welded(&mesh, &triangles);
    let is_y_up = faces_along_y(&welded, &triangles);
    let placed: Vec<(Point, f64)> = welded.iter().map(|&vertex| placed(vertex, is_y_up)).collect();
    let count = triangles.len();
    let flat = |&[a, b, c]: &[usize; 3]| cross(placed[b].0 - placed[a].0, placed[c].0 - placed[a].0).abs() / 2.0;
    let area_m2: f64 = triangles.iter().map(flat).sum();
    let [first, second] = boundary::edges(&placed, &triangles, area_m2, &name)?;
    let closed_here = first.1;
    let points = |line: &[usize]| line.iter().map(|&index| placed[index].0).collect::<Vec<_>>();
    let levels = |line: &[usize]| {
        line.iter().map(|&index| EdgeLevel { height_m: placed[index].1, ..EdgeLevel::default() }).collect::<Vec<_>>()
    };
    let pair = EdgePair {
        first: points(&first.0),
        second: points(&second.0),
        sides: Sides::Unknown,
        in_travel_order: false,
        levels: Some([levels(&first.0), levels(&second.0)]),
    };
    let mut imported = pair.imported(closed.or(Some(closed_here)), options)?;
    imported.notes.push(ImportNote::MeshPart { name, is_y_up, triangles: count });
    if options.width_m.is_some() {
        imported.notes.push(ImportNote::WidthNotUsed);
    }
    Ok(imported)
}

/// Reads an OBJ or a GLB.
pub(super) fn read_mesh(bytes: &[u8]) -> Result<Mesh, ImportError> {
    if glb::is_glb(bytes) { glb::read(bytes) } else { obj::read(bytes) }
}

/// A vertex seen from above, and its height. Both axes are right-handed: z of a mesh with y upwards points
/// downwards on a map.
pub(super) fn placed([x, y, z]: [f64; 3], is_y_up: bool) -> (Point, f64) {
    if is_y_up { (Point::new(x, -z), y) } else { (Point::new(x, y), z) }
}

/// The triangles of the road, and its name.
pub(super) fn chosen(mesh: &Mesh, part: Option<&str>) -> Result<(String, Vec<[usize; 3]>), ImportError> {
    let with = |is_meant: &dyn Fn(&str) -> bool| {
        let parts: Vec<&Part> = mesh.parts.iter().filter(|part| part.names().any(is_meant)).collect();
        let name = parts.iter().flat_map(|part| part.names()).find(|name| is_meant(name)).map(shortened);
        let triangles: Vec<[usize; 3]> = parts.iter().flat_map(|part| part.triangles.iter().copied()).collect();
        name.filter(|_| !triangles.is_empty()).map(|name| (name, triangles))
    };
    if let Some(part) = part {
        let wanted = part.trim().to_lowercase();
        let found =
            with(&|name| name.to_lowercase() == wanted).or_else(|| with(&|name| name.to_lowercase().contains(&wanted)));
        return found.ok_or_else(|| ImportError::NoSuchPart { part: shortened(part), known: known(mesh) });
    }
    for word in WORDS {
        let is_road = |name: &str| {
            let name = name.to_lowercase();
            name.contains(word) && !OTHER_WORDS.iter().any(|other| name.contains(other))
        };
        // A material is surer than an object, which may have grass in it.
        let by_material = mesh.parts.iter().any(|part| is_road(&part.material) && !part.triangles.is_empty());
        if by_material {
            let parts = || mesh.parts.iter().filter(|part| is_road(&part.material));
            let name = parts().next().map(|part| shortened(&part.material)).unwrap_or_default();
            return Ok((name, parts().flat_map(|part| part.triangles.iter().copied()).collect()));
        }
        if let Some(found) = with(&is_road) {
            return Ok(found);
        }
    }
    match mesh.parts.as_slice() {
        [part] if !part.triangles.is_empty() => {
            Ok((part.names().next().map_or_else(|| "mesh".to_owned(), shortened), part.triangles.clone()))
        }
        [] => {
            Err(ImportError::Mesh { message: "the mesh has no triangles: export the road with its faces".to_owned() })
        }
        parts => Err(ImportError::SeveralRoads { count: parts.len(), list: known(mesh) }),
    }
}

/// The names of the parts, each with its number of triangles, the largest first.
fn known(mesh: &Mesh) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for part in &mesh.parts {
        for name in part.names() {
            *counts.entry(name).or_default() += part.triangles.len();
        }
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let listed = counts.iter().take(MAX_LISTED).map(|(name, count)| format!("{} ({count} triangles)", shortened(name)));
    let list = listed.collect::<Vec<_>>().join(", ");
    if list.is_empty() { "parts without names".to_owned() } else { list }
}

/// The vertices of these triangles, each place once, and the triangles of them.
pub(super) fn welded(mesh: &Mesh, triangles: &[[usize; 3]]) -> (Vec<[f64; 3]>, Vec<[usize; 3]>) {
    let mut numbers: BTreeMap<[i64; 3], usize> = BTreeMap::new();
    let mut vertices = Vec::new();
    let mut number = |index: usize| {
        let vertex = mesh.vertices.get(index).copied().unwrap_or_default();
        let key = vertex.map(|value| (value / WELD_M).round() as i64);
        *numbers.entry(key).or_insert_with(|| {
            vertices.push(vertex);
            vertices.len() - 1
        })
    };
    let triangles = triangles.iter().map(|triangle| triangle.map(&mut number));
    let triangles = triangles.filter(|[a, b, c]| a != b && b != c && a != c).collect();
    (vertices, triangles)
}

/// Whether most of the area of the triangles faces along y, not along z.
pub(super) fn faces_along_y(vertices: &[[f64; 3]], triangles: &[[usize; 3]]) -> bool {
    let (mut along_y, mut along_z) = (0.0, 0.0);
    for &[a, b, c] in triangles {
        let side = |to: usize| -> [f64; 3] { std::array::from_fn(|axis| vertices[to][axis] - vertices[a][axis]) };
        let (u, v) = (side(b), side(c));
        along_y += (u[2] * v[0] - u[0] * v[2]).abs();
        along_z += (u[0] * v[1] - u[1] * v[0]).abs();
    }
    along_y > along_z
}
