//! Wavefront OBJ: vertices, faces, and the names of objects, groups and materials.

use std::collections::BTreeMap;

use super::parts::{LARGEST_M, MAX_TRIANGLES, Mesh, Part};
use raceline_road::construction::ImportError;

/// Lines that are looked at to recognise the format.
const LOOKED_AT: usize = 200;
/// Corners of a face, at most.
const MAX_CORNERS: usize = 10_000;

/// Whether these bytes are an OBJ: the first lines that are no remarks are among its words, and one is a vertex
/// of three numbers.
pub(super) fn is_obj(bytes: &[u8]) -> bool {
    const WORDS: [&str; 11] = ["v", "vn", "vt", "o", "g", "s", "f", "mtllib", "usemtl", "l", "vp"];
    let start = &bytes[..bytes.len().min(1 << 16)];
    let text = String::from_utf8_lossy(start);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).take(LOOKED_AT);
    let mut has_vertex = false;
    for line in lines {
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default();
        if has_vertex && start.len() < bytes.len() && !WORDS.contains(&word) {
            // The last line may be cut off.
            break;
        }
        if !WORDS.contains(&word) {
            return false;
        }
        has_vertex |= word == "v" && words.filter(|word| word.parse::<f64>().is_ok()).count() >= 3;
    }
    has_vertex
}

/// Reads an OBJ.
///
/// # Errors
/// [`ImportError::Mesh`] with the line.
pub(super) fn read(bytes: &[u8]) -> Result<Mesh, ImportError> {
    let text = String::from_utf8_lossy(bytes);
    let mut mesh = Mesh::default();
    let (mut object, mut material) = (String::new(), String::new());
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut count = 0;
    for (index, line) in text.lines().enumerate() {
        let wrong = |problem: &str| ImportError::Mesh {
            message: format!("line {}: {problem}: export the mesh as OBJ again", index + 1),
        };
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        match word {
            "v" => {
                let mut numbers =
                    rest.split_whitespace().map(|number| number.parse::<f64>().ok().filter(|n| n.abs() <= LARGEST_M));
                let mut next = || {
                    numbers.next().flatten().ok_or_else(|| wrong("the vertex has no three numbers of a mesh in metres"))
                };
                mesh.vertices.push([next()?, next()?, next()?]);
            }
            "o" | "g" => rest.trim().clone_into(&mut object),
            "usemtl" => rest.trim().clone_into(&mut material),
            "f" => {
                let known = mesh.vertices.len();
                let corner = |text: &str| {
                    let number: i64 = text.split('/').next()?.parse().ok()?;
                    let index = if number < 0 { known as i64 + number } else { number - 1 };
                    usize::try_from(index).ok().filter(|&index| index < known)
                };
                let corners: Option<Vec<usize>> = rest.split_whitespace().take(MAX_CORNERS).map(corner).collect();
                let corners = corners
                    .filter(|corners| corners.len() > 2)
                    .ok_or_else(|| wrong("the face has no three known vertices"))?;
                let parts = mesh.parts.len();
                let place = *places.entry((object.clone(), material.clone())).or_insert(parts);
                if place == parts {
                    mesh.parts.push(Part { object: object.clone(), material: material.clone(), triangles: Vec::new() });
                }
                let Some(part) = mesh.parts.get_mut(place) else { continue };
                for pair in corners[1..].windows(2) {
                    part.triangles.push([corners[0], pair[0], pair[1]]);
                    count += 1;
                }
                if count > MAX_TRIANGLES {
                    return Err(wrong("the mesh has more than five million triangles"));
                }
            }
            _ => {}
        }
    }
    Ok(mesh)
}
