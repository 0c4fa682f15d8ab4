//! Meshes (OBJ and GLB) with the road as a named material or object: the boundary of its triangles is the two
//! edges, and the heights of the boundary are those of the road.

mod boundary;
mod floor;
mod glb;
mod obj;
mod parts;
mod road;

pub use floor::floor;
pub(crate) use road::is_mesh;
pub use road::mesh;

#[cfg(test)]
mod tests;
