//! Meshes that the tests draw themselves.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use super::*;
use raceline_road::construction::{ImportNote, ImportOptions};
use raceline_road::geometry::Point;

const COUNT: usize = 120;

/// A ring of 10 m about a circle of 100 m, higher outside by 1 m, with grass beside it, as OBJ.
fn ring(is_y_up: bool) -> String {
    let mut text = "# a test\nmtllib ring.mtl\no Ground\n".to_owned();
    for (radius, height) in [(80.0, 4.0), (95.0, 5.0), (105.0, 6.0)] {
        for i in 0..COUNT {
            let angle = TAU * i as f64 / COUNT as f64;
            let (x, y) = (radius * angle.cos(), radius * angle.sin());
            let _ = match is_y_up {
                true => writeln!(text, "v {x:.5} {height} {:.5}", -y),
                false => writeln!(text, "v {x:.5} {y:.5} {height}"),
            };
        }
    }
    for (band, material) in [(0, "Grass"), (1, "Asphalt_01")] {
        let _ = writeln!(text, "usemtl {material}");
        for i in 0..COUNT {
            let at = |ring: usize, i: usize| (band + ring) * COUNT + i % COUNT + 1;
            let _ = writeln!(text, "f {}//1 {}//1 {}//1 {}//1", at(0, i), at(0, i + 1), at(1, i + 1), at(1, i));
        }
    }
    text
}

#[test]
fn the_boundary_of_the_named_material_is_the_edges() {
    for is_y_up in [true, false] {
        let text = ring(is_y_up);
        assert!(is_mesh(text.as_bytes()));
        let imported = mesh(text.as_bytes(), None, &ImportOptions::default()).unwrap();
        assert!(imported.edges.is_closed());
        let (left, right) = (imported.edges.left.length(), imported.edges.right.length());
        assert!((left - TAU * 95.0).abs() < 0.2 && (right - TAU * 105.0).abs() < 0.2, "{left} {right}");
        let surface = imported.edges.surface.as_ref().unwrap();
        assert!(surface.left.iter().all(|point| (point.height_m - 5.0).abs() < 1e-9));
        assert!(surface.right.iter().all(|point| (point.height_m - 6.0).abs() < 1e-9));
        let note = ImportNote::MeshPart { name: "Asphalt_01".to_owned(), is_y_up, triangles: 2 * COUNT };
        assert!(imported.notes.contains(&note), "{:?}", imported.notes);
    }
}

#[test]
fn parts_are_named_and_listed() {
    let text = ring(false);
    let grass = ImportOptions { part: Some("grass".to_owned()), ..ImportOptions::default() };
    let imported = mesh(text.as_bytes(), None, &grass).unwrap();
    assert!((imported.edges.mean_width() - 15.0).abs() < 0.1);
    let unknown = ImportOptions { part: Some("gravel".to_owned()), ..ImportOptions::default() };
    let message = mesh(text.as_bytes(), None, &unknown).unwrap_err().to_string();
    assert!(message.contains("Asphalt_01 (240 triangles)"), "{message}");
    let plain = text.replace("Asphalt_01", "Material.001");
    let message = mesh(plain.as_bytes(), None, &ImportOptions::default()).unwrap_err().to_string();
    assert!(message.contains("Material.001") && message.contains("part"), "{message}");
    for (text, part) in
        [("v 1 2\nv 1 2 3\n", "line 1"), ("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "line 3"), ("v 0 0 0\n", "no triangles")]
    {
        let message = mesh(text.as_bytes(), None, &ImportOptions::default()).unwrap_err().to_string();
        assert!(message.contains(part), "{part:?} is missing in {message:?}");
    }
}

#[test]
fn an_open_road_has_two_sides_and_two_ends() {
    let mut text = String::new();
    let count = 60;
    for side in [0.0, 8.0] {
        for i in 0..=count {
            let x = 10.0 * f64::from(i);
            let _ = writeln!(text, "v {x} {} 0", side + 30.0 * (x / 100.0).sin());
        }
    }
    text += "o road\n";
    for i in 1..=count {
        let (a, b) = (i, i + count + 1);
        let _ = writeln!(text, "f {a} {} {}\nf {a} {} {b}", a + 1, b + 1, b + 1);
    }
    let imported = mesh(text.as_bytes(), None, &ImportOptions::default()).unwrap();
    assert!(!imported.edges.is_closed());
    assert_eq!((imported.edges.left.points.len(), imported.edges.right.points.len()), (61, 61));
}

/// The ring as GLB: the road's triangles, in a node that is moved and twice as large.
fn glb() -> Vec<u8> {
    let mut binary: Vec<u8> = Vec::new();
    for radius in [47.5, 52.5] {
        for i in 0..COUNT {
            let angle = TAU * i as f64 / COUNT as f64;
            let place = [radius * angle.cos(), 1.0, -radius * angle.sin()];
            binary.extend(place.iter().flat_map(|&value| (value as f32).to_le_bytes()));
        }
    }
    let positions = binary.len();
    for i in 0..COUNT {
        let next = (i + 1) % COUNT;
        for index in [i, next, COUNT + next, i, COUNT + next, COUNT + i] {
            binary.extend((index as u16).to_le_bytes());
        }
    }
    let json = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\
         \"nodes\":[{{\"name\":\"Top\",\"children\":[1],\"translation\":[10,0,0]}},{{\"name\":\"Track\",\"mesh\":0,\"scale\":[2,2,2]}}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"indices\":1,\"material\":0}}]}}],\
         \"materials\":[{{\"name\":\"M\"}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":{},\"type\":\"VEC3\"}},\
         {{\"bufferView\":1,\"componentType\":5123,\"count\":{},\"type\":\"SCALAR\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteOffset\":0,\"byteLength\":{positions}}},\
         {{\"buffer\":0,\"byteOffset\":{positions},\"byteLength\":{}}}],\"buffers\":[{{\"byteLength\":{}}}]}}",
        2 * COUNT,
        6 * COUNT,
        binary.len() - positions,
        binary.len()
    );
    let json = format!("{json:width$}", width = json.len().next_multiple_of(4));
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, content) in [(b"JSON", json.as_bytes()), (b"BIN\0", &binary)] {
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(content);
    }
    bytes
}

#[test]
fn a_glb_has_its_nodes_in_their_places() {
    let bytes = glb();
    assert!(is_mesh(&bytes));
    let imported = mesh(&bytes, None, &ImportOptions::default()).unwrap();
    let (left, right) = (imported.edges.left.length(), imported.edges.right.length());
    assert!((left - TAU * 95.0).abs() < 0.2 && (right - TAU * 105.0).abs() < 0.2, "{left} {right}");
    let middle = imported.edges.left.points.iter().map(|point| point.x).sum::<f64>() / COUNT as f64;
    assert!((middle - 10.0).abs() < 1e-3, "{middle}");
    let surface = imported.edges.surface.unwrap();
    assert!(surface.left.iter().all(|point| (point.height_m - 2.0).abs() < 1e-6));
    for cut in [12, 30, bytes.len() - 1] {
        assert!(mesh(&bytes[..cut], None, &ImportOptions::default()).is_err(), "{cut}");
    }
    let inside = String::from_utf8_lossy(&bytes).replace("\"children\":[1]", "\"children\":[0]");
    assert!(!inside.is_empty());
}

#[test]
fn a_floor_is_the_mesh_seen_from_above() {
    // As Recast dumps a mesh of polygons: y upwards, each polygon as a fan of triangles.
    let dump = "# Recast Navmesh\no NavMesh\n\nv 1.000000 0.300000 2.000000\nv 5.000000 0.300000 2.000000\n\
                v 5.000000 0.300000 6.000000\nv 1.000000 0.300000 6.000000\n\nf 1 4 3\nf 1 3 2\n";
    let square = floor(dump.as_bytes(), None).unwrap();
    let area: f64 = square.iter().map(|[a, b, c]| (b - a).perp(&(c - a)) / 2.0).sum();
    assert_eq!((square.len(), square[0][0], area), (2, Point::new(1.0, -2.0), 16.0));
    // Of a level with other parts, the one that is named.
    let more = format!("{dump}o Grass\nv 9 0 9\nv 9 0 10\nv 10 0 10\nf 5 6 7\n");
    assert_eq!(floor(more.as_bytes(), None).unwrap().len(), 3);
    assert_eq!(floor(more.as_bytes(), Some("navmesh")).unwrap(), square);
    let message = floor(more.as_bytes(), Some("gravel")).unwrap_err().to_string();
    assert!(message.contains("NavMesh (2 triangles)"), "{message}");
    assert!(floor(b"v 0 0 0\n", None).unwrap_err().to_string().contains("no triangles"));
}
