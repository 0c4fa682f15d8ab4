//! The floor of a level: a mesh seen from above.

use super::parts::Mesh;
use super::road::{chosen, faces_along_y, placed, read_mesh, welded};
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

/// The triangles of a mesh seen from above, metres: those of the part that is named by its material or object,
/// or all. They are the ground of a level, or a navigation mesh as games and Recast's dump of one have it.
///
/// # Errors
/// [`ImportError::Mesh`] for a damaged file or one without triangles, [`ImportError::NoSuchPart`].
pub fn floor(bytes: &[u8], part: Option<&str>) -> Result<Vec<[Point; 3]>, ImportError> {
    let mesh = read_mesh(bytes)?;
    let triangles = match part {
        Some(_) => chosen(&mesh, part)?.1,
        None => all(&mesh),
    };
    let (welded, triangles) = welded(&mesh, &triangles);
    if triangles.is_empty() {
        return Err(ImportError::Mesh {
            message: "the mesh has no triangles: export the floor with its faces".to_owned(),
        });
    }
    let is_y_up = faces_along_y(&welded, &triangles);
    let corner = |index: usize| placed(welded.get(index).copied().unwrap_or_default(), is_y_up).0;
    Ok(triangles.into_iter().map(|triangle| triangle.map(corner)).collect())
}

fn all(mesh: &Mesh) -> Vec<[usize; 3]> {
    mesh.parts.iter().flat_map(|part| part.triangles.iter().copied()).collect()
}
