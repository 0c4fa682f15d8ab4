//! Binary glTF 2.0 (GLB, <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>): the positions of the
//! triangles in their places, with the names of nodes and materials.

use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector3};
use serde::Deserialize;

use super::parts::{LARGEST_M, MAX_TRIANGLES, Mesh, Part};
use raceline_road::construction::ImportError;

/// Nodes within nodes are read to this depth.
const MAX_DEPTH: usize = 64;
/// Nodes of a scene, at most.
const MAX_NODES: usize = 100_000;
const JSON: u32 = 0x4E4F_534A;
const BINARY: u32 = 0x004E_4942;

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Document {
    scene: Option<usize>,
    scenes: Vec<Scene>,
    nodes: Vec<Node>,
    meshes: Vec<MeshOf>,
    materials: Vec<Named>,
    accessors: Vec<Accessor>,
    buffer_views: Vec<View>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Scene {
    nodes: Vec<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Named {
    name: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Node {
    name: String,
    mesh: Option<usize>,
    children: Vec<usize>,
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MeshOf {
    primitives: Vec<Primitive>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Primitive {
    attributes: Attributes,
    indices: Option<usize>,
    material: Option<usize>,
    mode: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Attributes {
    #[serde(rename = "POSITION")]
    position: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Accessor {
    buffer_view: Option<usize>,
    #[serde(default)]
    byte_offset: usize,
    component_type: u32,
    count: usize,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct View {
    buffer: usize,
    byte_offset: usize,
    byte_length: usize,
    byte_stride: Option<usize>,
}

fn wrong(problem: &str) -> ImportError {
    ImportError::Mesh { message: format!("{problem}: export the mesh as GLB again, without compression") }
}

/// Whether these bytes are a GLB.
pub(super) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF")
}

/// Reads a GLB.
///
/// # Errors
/// [`ImportError::Mesh`].
pub(super) fn read(bytes: &[u8]) -> Result<Mesh, ImportError> {
    if word(bytes, 4) != Some(2) {
        return Err(wrong("the GLB is not of version 2"));
    }
    let json = chunk(bytes, JSON).ok_or_else(|| wrong("the GLB has no description, or is cut off"))?;
    let document: Document =
        serde_json::from_slice(json).map_err(|error| wrong(&format!("the description of the GLB: {error}")))?;
    let binary = chunk(bytes, BINARY).unwrap_or_default();
    let mut reader = Reader { document: &document, binary, mesh: Mesh::default(), visited: 0, triangles: 0 };
    let scene = document.scenes.get(document.scene.unwrap_or_default());
    let all: Vec<usize> = (0..document.nodes.len()).collect();
    for &node in scene.map_or(&all, |scene| &scene.nodes) {
        reader.add_node(node, Matrix4::identity(), 0)?;
    }
    Ok(reader.mesh)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The bytes of the first chunk of a kind.
fn chunk(bytes: &[u8], kind: u32) -> Option<&[u8]> {
    let mut at = 12_usize;
    loop {
        let length = usize::try_from(word(bytes, at)?).ok()?;
        let content = bytes.get(at + 8..)?.get(..length)?;
        if word(bytes, at + 4)? == kind {
            return Some(content);
        }
        at = at.checked_add(8)?.checked_add(length)?;
    }
}

struct Reader<'a> {
    document: &'a Document,
    binary: &'a [u8],
    mesh: Mesh,
    visited: usize,
    triangles: usize,
}

impl Reader<'_> {
    fn add_node(&mut self, index: usize, parent: Matrix4<f64>, depth: usize) -> Result<(), ImportError> {
        self.visited += 1;
        if depth > MAX_DEPTH || self.visited > MAX_NODES {
            return Err(wrong("the GLB has too many nodes, or nodes within themselves"));
        }
        let document = self.document;
        let node = document.nodes.get(index).ok_or_else(|| wrong("the GLB names a node that it has not"))?;
        let transform = parent * local(node);
        if let Some(mesh) = node.mesh {
            let mesh = document.meshes.get(mesh).ok_or_else(|| wrong("the GLB names a mesh that it has not"))?;
            for primitive in &mesh.primitives {
                self.add_primitive(primitive, &node.name, &transform)?;
            }
        }
        node.children.iter().try_for_each(|&child| self.add_node(child, transform, depth + 1))
    }

    fn add_primitive(
        &mut self,
        primitive: &Primitive,
        object: &str,
        transform: &Matrix4<f64>,
    ) -> Result<(), ImportError> {
        let Some(position) = primitive.attributes.position else { return Ok(()) };
        let positions = self.numbers(position, 3)?;
        let count = positions.len();
        let indices: Vec<usize> = match primitive.indices {
            Some(indices) => self.numbers(indices, 1)?.into_iter().map(|[index, ..]| index as usize).collect(),
            None => (0..count).collect(),
        };
        if indices.iter().any(|&index| index >= count) {
            return Err(wrong("a triangle of the GLB has a vertex that is not there"));
        }
        let base = self.mesh.vertices.len();
        let triangle = |a: usize, b: usize, c: usize| [a, b, c].map(|index| base + indices[index]);
        let triangles: Vec<[usize; 3]> = match primitive.mode.unwrap_or(4) {
            4 => (0..indices.len() / 3).map(|i| triangle(3 * i, 3 * i + 1, 3 * i + 2)).collect(),
            5 => (2..indices.len()).map(|i| triangle(i - 2, i - 1, i)).collect(),
            6 => (2..indices.len()).map(|i| triangle(0, i - 1, i)).collect(),
            // Points and lines are no road.
            _ => return Ok(()),
        };
        self.triangles += triangles.len().max(count / 3);
        if self.triangles > MAX_TRIANGLES {
            return Err(wrong("the GLB has more than five million triangles"));
        }
        for [x, y, z] in positions {
            let placed = transform.transform_point(&nalgebra::Point3::new(x, y, z));
            let placed: [f64; 3] = placed.coords.into();
            if !placed.iter().all(|value| value.abs() <= LARGEST_M) {
                return Err(wrong("a vertex of the GLB is too far away for a mesh in metres"));
            }
            self.mesh.vertices.push(placed);
        }
        let material = primitive.material.and_then(|index| self.document.materials.get(index));
        let material = material.map(|material| material.name.clone()).unwrap_or_default();
        self.mesh.parts.push(Part { material, object: object.to_owned(), triangles });
        Ok(())
    }

    /// The numbers of an accessor, in groups of `size`; the rest of a group is 0.
    fn numbers(&self, accessor: usize, size: usize) -> Result<Vec<[f64; 3]>, ImportError> {
        let damaged = || wrong("the numbers of the GLB are compressed, cut off or in another file");
        let accessor = self.document.accessors.get(accessor).ok_or_else(damaged)?;
        let view = accessor.buffer_view.and_then(|view| self.document.buffer_views.get(view)).ok_or_else(damaged)?;
        if view.buffer != 0 {
            return Err(damaged());
        }
        let end = view.byte_offset.checked_add(view.byte_length).ok_or_else(damaged)?;
        let bytes = self.binary.get(view.byte_offset..end).ok_or_else(damaged)?;
        let bytes = bytes.get(accessor.byte_offset..).ok_or_else(damaged)?;
        let width = match accessor.component_type {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            5125 | 5126 => 4,
            _ => return Err(damaged()),
        };
        let stride = view.byte_stride.unwrap_or(width * size).max(1);
        let needed =
            accessor.count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(width * size));
        if needed.is_none_or(|needed| needed > bytes.len()) {
            return Err(damaged());
        }
        let number = |at: usize| -> Option<f64> {
            let rest = bytes.get(at..)?;
            Some(match accessor.component_type {
                5120 => f64::from(i8::from_le_bytes(*rest.first_chunk()?)),
                5121 => f64::from(*rest.first()?),
                5122 => f64::from(i16::from_le_bytes(*rest.first_chunk()?)),
                5123 => f64::from(u16::from_le_bytes(*rest.first_chunk()?)),
                5125 => f64::from(u32::from_le_bytes(*rest.first_chunk()?)),
                _ => f64::from(f32::from_le_bytes(*rest.first_chunk()?)),
            })
        };
        (0..accessor.count)
            .map(|index| {
                let mut group = [0.0; 3];
                for (place, value) in group.iter_mut().take(size).enumerate() {
                    *value = number(index * stride + place * width).ok_or_else(damaged)?;
                }
                Ok(group)
            })
            .collect()
    }
}

/// The transform of a node from its own coordinates to its parent's.
fn local(node: &Node) -> Matrix4<f64> {
    if let Some(columns) = node.matrix {
        return Matrix4::from_column_slice(&columns);
    }
    let translation = Matrix4::new_translation(&Vector3::from(node.translation.unwrap_or_default()));
    let rotation = node.rotation.map_or_else(Matrix4::identity, |[x, y, z, w]| {
        UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)).to_homogeneous()
    });
    let scale = Matrix4::new_nonuniform_scaling(&Vector3::from(node.scale.unwrap_or([1.0; 3])));
    translation * rotation * scale
}
