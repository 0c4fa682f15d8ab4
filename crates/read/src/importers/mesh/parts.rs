//! A mesh of named parts.

/// Triangles of a mesh, at most.
pub(super) const MAX_TRIANGLES: usize = 5_000_000;
/// Coordinates beyond this have no place in a mesh, metres.
pub(super) const LARGEST_M: f64 = 1e6;

/// A mesh of named parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh {
    /// Positions in the file's axes.
    pub vertices: Vec<[f64; 3]>,
    pub parts: Vec<Part>,
}

/// Triangles with the same names.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    /// Of the material.
    pub material: String,
    /// Of the object.
    pub object: String,
    pub triangles: Vec<[usize; 3]>,
}

impl Part {
    pub fn names(&self) -> impl Iterator<Item = &str> {
        [self.material.as_str(), self.object.as_str()].into_iter().filter(|name| !name.is_empty())
    }
}
