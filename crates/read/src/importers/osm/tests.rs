//! Maps that the tests draw themselves.

use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::io::Write as _;

use super::*;
use raceline_road::construction::{ImportError, ImportOptions, Imported};
use raceline_road::geometry::{Point, Projection};

/// Longitude and latitude of a place, metres to the east and north of Munich.
fn degrees(x: f64, y: f64) -> [f64; 2] {
    Projection::at([11.5, 48.1]).unproject(Point::new(x, y)).unwrap()
}

type Pairs = Vec<(&'static str, &'static str)>;

/// A map that is being drawn.
#[derive(Default)]
struct Drawing {
    nodes: Vec<[f64; 2]>,
    ways: Vec<(Vec<usize>, Pairs)>,
    relations: Vec<(Vec<(usize, &'static str)>, Pairs)>,
}

impl Drawing {
    fn node(&mut self, x: f64, y: f64) -> usize {
        self.nodes.push([x, y]);
        self.nodes.len()
    }

    fn way(&mut self, nodes: &[usize], tags: &[(&'static str, &'static str)]) -> usize {
        self.ways.push((nodes.to_vec(), tags.to_vec()));
        self.ways.len()
    }

    /// Nodes on an arc.
    fn arc(&mut self, centre: [f64; 2], radius: f64, from: f64, to: f64, count: usize) -> Vec<usize> {
        let angle = |i: usize| from + (to - from) * i as f64 / count as f64;
        (0..=count)
            .map(|i| self.node(centre[0] + radius * angle(i).cos(), centre[1] + radius * angle(i).sin()))
            .collect()
    }

    fn xml(&self) -> String {
        let mut text = "<?xml version='1.0' encoding='UTF-8'?>\n<osm version='0.6' generator='JOSM'>\n".to_owned();
        for (number, &[x, y]) in (1..).zip(&self.nodes) {
            let [longitude, latitude] = degrees(x, y);
            let _ = writeln!(text, "<node id='{number}' lat='{latitude:.9}' lon='{longitude:.9}'/>");
        }
        let tag = |(key, value): &(&str, &str)| format!("<tag k='{key}' v='{value}'/>");
        for (number, (nodes, tags)) in (1..).zip(&self.ways) {
            let nodes: String = nodes.iter().map(|node| format!("<nd ref='{node}'/>")).collect();
            let tags: String = tags.iter().map(tag).collect();
            let _ = writeln!(text, "<way id='{number}'>{nodes}{tags}</way>");
        }
        for (number, (members, tags)) in (1..).zip(&self.relations) {
            let member = |(way, role): &(usize, &str)| format!("<member type='way' ref='{way}' role='{role}'/>");
            let members: String = members.iter().map(member).collect();
            let tags: String = tags.iter().map(tag).collect();
            let _ = writeln!(text, "<relation id='{number}'>{members}{tags}</relation>");
        }
        text + "</osm>\n"
    }

    /// A copy of the map as PBF with dense nodes, compressed.
    fn pbf(&self) -> Vec<u8> {
        let mut strings: Vec<&str> = vec![""];
        let mut number = |text: &'static str| match strings.iter().position(|known| *known == text) {
            Some(index) => index as u64,
            None => {
                strings.push(text);
                strings.len() as u64 - 1
            }
        };
        let zigzag = |value: i64| ((value << 1) ^ (value >> 63)).cast_unsigned();
        let deltas = |values: Vec<i64>| -> Vec<u64> {
            let mut last = 0;
            values.into_iter().map(|value| zigzag(value - std::mem::replace(&mut last, value))).collect()
        };
        let units = |value: f64| (value * 1e7).round() as i64;
        let places: Vec<[f64; 2]> = self.nodes.iter().map(|&[x, y]| degrees(x, y)).collect();
        let dense = [
            packed_field(1, &deltas((1..=self.nodes.len() as i64).collect())),
            packed_field(8, &deltas(places.iter().map(|place| units(place[1])).collect())),
            packed_field(9, &deltas(places.iter().map(|place| units(place[0])).collect())),
        ]
        .concat();
        let mut group = field(2, &dense);
        for (id, (nodes, tags)) in (1..).zip(&self.ways) {
            let keys: Vec<u64> = tags.iter().map(|(key, _)| number(key)).collect();
            let values: Vec<u64> = tags.iter().map(|(_, value)| number(value)).collect();
            let nodes = deltas(nodes.iter().map(|&node| node as i64).collect());
            let way = [varint_field(1, id), packed_field(2, &keys), packed_field(3, &values), packed_field(8, &nodes)];
            group.extend(field(3, &way.concat()));
        }
        let table: Vec<u8> = strings.iter().flat_map(|text| field(1, text.as_bytes())).collect();
        let block = [field(1, &table), field(2, &group)].concat();
        let header = [field(4, b"OsmSchema-V0.6"), field(4, b"DenseNodes")].concat();
        [blob("OSMHeader", &header), blob("OSMData", &block)].concat()
    }
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let part = (value & 0x7f) as u8;
        value >>= 7;
        bytes.push(if value > 0 { part | 0x80 } else { part });
        if value == 0 {
            return bytes;
        }
    }
}

fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
    [varint(number << 3 | 2), varint(bytes.len() as u64), bytes.to_vec()].concat()
}

fn varint_field(number: u64, value: u64) -> Vec<u8> {
    [varint(number << 3), varint(value)].concat()
}

fn packed_field(number: u64, values: &[u64]) -> Vec<u8> {
    field(number, &values.iter().flat_map(|&value| varint(value)).collect::<Vec<u8>>())
}

fn blob(kind: &str, content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    let blob = [varint_field(2, content.len() as u64), field(3, &encoder.finish().unwrap())].concat();
    let header = [field(1, kind.as_bytes()), varint_field(3, blob.len() as u64)].concat();
    [(header.len() as u32).to_be_bytes().to_vec(), header, blob].concat()
}

/// An oval of 2 × 400 m and two bends of a radius of 100 m, in two ways, with a pit lane beside its lower
/// straight and a loop for karts that touches it.
fn oval() -> Drawing {
    let mut map = Drawing::default();
    let right = map.arc([200.0, 100.0], 100.0, -TAU / 4.0, TAU / 4.0, 24);
    let left = map.arc([-200.0, 100.0], 100.0, TAU / 4.0, 3.0 * TAU / 4.0, 24);
    let straight = [map.node(-100.0, 0.0), map.node(0.0, 0.0), map.node(100.0, 0.0)];
    let mut first: Vec<usize> = left[24..].to_vec();
    first.extend(straight);
    first.extend(&right);
    let mut second = vec![right[24]];
    second.extend(&left);
    map.way(&first, &[("highway", "raceway"), ("name", "Start"), ("oneway", "yes"), ("width", "12 m")]);
    map.way(&second, &[("highway", "raceway"), ("name", "Far side"), ("oneway", "yes"), ("lanes", "4")]);
    let pit = [straight[0], map.node(-50.0, -15.0), map.node(50.0, -15.0), straight[2]];
    map.way(&pit, &[("highway", "raceway"), ("name", "Pit lane"), ("oneway", "yes")]);
    let mut karts = map.arc([0.0, 50.0], 50.0, -TAU / 4.0, 3.0 * TAU / 4.0, 40);
    (karts[0], karts[40]) = (straight[1], straight[1]);
    map.way(&karts, &[("highway", "raceway"), ("sport", "karting"), ("name", "Kart loop")]);
    let street = [map.node(-500.0, -80.0), map.node(500.0, -80.0)];
    map.way(&street, &[("highway", "residential"), ("lanes", "2")]);
    map
}

fn read_oval(bytes: &[u8]) -> Imported {
    osm(bytes, None, &ImportOptions::default()).unwrap()
}

#[test]
fn ways_are_joined_and_neither_pit_lane_nor_kart_loop_is_mixed_in() {
    let imported = read_oval(oval().xml().as_bytes());
    let expected = 800.0 + TAU * 100.0;
    let length = imported.edges.centre_length();
    assert!(imported.edges.is_closed() && (length - expected).abs() < 2.0, "{length} for {expected}");
    assert_eq!(imported.name.as_deref(), Some("Start"));
    // The one-way ways run counter-clockwise.
    assert!(imported.edges.left.signed_area() > 0.0);
    // 12 m of the one way, and 4 lanes of 3.5 m of the other.
    let width = |y: f64, x: f64| {
        // The edges have no points on the straights: where they pass `x`, near `y`.
        let at = |edge: &[Point]| {
            let passes = |pair: &&[Point]| {
                let [a, b] = [pair[0], pair[1]];
                (a.x - x) * (b.x - x) <= 0.0 && a.x != b.x && (a.y - y).abs() < 30.0
            };
            let pair = edge.windows(2).find(passes).unwrap();
            let [a, b] = [pair[0], pair[1]];
            a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
        };
        (at(&imported.edges.left.points) - at(&imported.edges.right.points)).abs()
    };
    assert!((width(-100.0, 50.0) - 12.0).abs() < 0.1, "{}", width(-100.0, 50.0));
    assert!((width(100.0, 0.0) - 14.0).abs() < 0.1, "{}", width(100.0, 0.0));
    let notes: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains("2 ways") && note.contains("Kart loop")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("3.5 m a lane")), "{notes:?}");
}

#[test]
fn pbf_and_xml_are_the_same_road() {
    let map = oval();
    let (xml, pbf) = (read_oval(map.xml().as_bytes()), read_oval(&map.pbf()));
    assert_eq!(xml.notes.len(), pbf.notes.len());
    // Units of 1e-7 degrees are 11 mm.
    for (a, b) in [(&xml.edges.left, &pbf.edges.left), (&xml.edges.right, &pbf.edges.right)] {
        assert!((a.length() - b.length()).abs() < 0.1, "{} {}", a.length(), b.length());
        assert!((a.signed_area() - b.signed_area()).abs() < 50.0, "{} {}", a.signed_area(), b.signed_area());
    }
}

#[test]
fn damaged_blocks_are_errors_with_their_number() {
    let whole = oval().pbf();
    for (bytes, part) in [
        (whole[..whole.len() - 5].to_vec(), "block 2"),
        ([&whole[..], b"\0\0\0\x09rest"].concat(), "block 3"),
        ([blob("OSMHeader", &field(4, b"Sorted3D"))].concat(), "Sorted3D"),
    ] {
        let message = osm(&bytes, None, &ImportOptions::default()).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
    // What unpacks to far more than the file has is not unpacked.
    let bomb = [blob("OSMHeader", &[]), blob("OSMData", &vec![0; 80 << 20])].concat();
    assert!(osm(&bomb, None, &ImportOptions::default()).unwrap_err().to_string().contains("unpacks"));
}

/// Two layouts: a long one and one with a short cut, and a hill climb elsewhere.
fn layouts() -> Drawing {
    let mut map = Drawing::default();
    let right = map.arc([200.0, 100.0], 100.0, -TAU / 4.0, TAU / 4.0, 24);
    let left = map.arc([-200.0, 100.0], 100.0, TAU / 4.0, 3.0 * TAU / 4.0, 24);
    let low = [map.node(-100.0, 0.0), map.node(40.0, 0.0)];
    let high = [map.node(40.0, 200.0), map.node(-100.0, 200.0)];
    let raceway = ("highway", "raceway");
    let base = [&left[..], &low[..]].concat();
    let (end, start) = (low[1], high[0]);
    map.way(&[&[start, high[1]][..], &base].concat(), &[raceway, ("name", "West")]);
    let mut east = vec![end];
    east.extend(&right);
    east.push(start);
    map.way(&east, &[raceway, ("name", "East loop")]);
    let cut = map.arc([40.0, 100.0], 60.0, -TAU / 5.0, TAU / 5.0, 12);
    let mut link = vec![end];
    link.extend(&cut);
    link.push(start);
    map.way(&link, &[raceway, ("name", "Short link")]);
    let climb: Vec<usize> = (0..40).map(|i| map.node(3000.0 + 20.0 * f64::from(i), 10.0 * f64::from(i % 7))).collect();
    map.way(&climb, &[raceway, ("name", "Hill climb")]);
    map
}

fn wide(part: Option<&str>) -> ImportOptions {
    ImportOptions { width_m: Some(10.0), part: part.map(str::to_owned), ..ImportOptions::default() }
}

#[test]
fn several_circuits_are_listed_and_named() {
    let map = layouts().xml();
    match osm(map.as_bytes(), None, &wide(None)) {
        Err(ImportError::SeveralRoads { count: 2, list }) => {
            assert!(list.contains("East loop (1.") && list.contains("Short link (1."), "{list}");
        }
        other => panic!("{other:?}"),
    }
    let length = |part: &str| osm(map.as_bytes(), None, &wide(Some(part))).unwrap().edges.centre_length();
    assert!(length("east loop") > length("Short") + 200.0);
    assert!((length("way 3") - length("Short link")).abs() < 1e-9);
    let climb = osm(map.as_bytes(), None, &wide(Some("Hill climb"))).unwrap();
    assert!(!climb.edges.is_closed() && climb.edges.centre_length() > 700.0);
    match osm(map.as_bytes(), None, &wide(Some("Monza"))) {
        Err(ImportError::NoSuchPart { part, known }) => {
            assert_eq!(part, "Monza");
            assert!(known.contains("Hill climb (1."), "{known}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_relation_is_a_circuit_of_streets() {
    let mut map = layouts();
    for (_, tags) in &mut map.ways {
        tags[0] = ("highway", "tertiary");
    }
    map.relations.push((vec![(1, ""), (3, "forward")], vec![("type", "circuit"), ("name", "City Prix")]));
    let imported = osm(map.xml().as_bytes(), None, &wide(None)).unwrap();
    assert!(imported.edges.is_closed());
    assert_eq!(imported.name.as_deref(), Some("City Prix"));
    assert!((imported.edges.mean_width() - 10.0).abs() < 0.1);
    map.relations.clear();
    let message = osm(map.xml().as_bytes(), None, &wide(None)).unwrap_err().to_string();
    assert!(message.contains("no race track") && message.contains("part"), "{message}");
}

#[test]
fn geometry_of_overpass_needs_no_nodes() {
    let place = |i: usize| {
        let angle = TAU * i as f64 / 60.0;
        let [longitude, latitude] = degrees(300.0 * angle.cos(), 200.0 * angle.sin());
        format!("<nd lat=\"{latitude:.7}\" lon=\"{longitude:.7}\"/>")
    };
    let places: String = (0..=60).map(|i| place(i % 60)).collect();
    let text = format!(
        "<osm version=\"0.6\" generator=\"Overpass API\"><relation id=\"7\"><member type=\"way\" ref=\"1\" role=\"\">{places}\
         </member><tag k=\"type\" v=\"circuit\"/><tag k=\"name\" v=\"Ellipse\"/></relation></osm>"
    );
    let imported = osm(text.as_bytes(), None, &wide(None)).unwrap();
    assert!(imported.edges.is_closed() && imported.name.as_deref() == Some("Ellipse"));
    assert!(osm(text.as_bytes(), None, &ImportOptions::default()).unwrap_err().to_string().contains("track_width_m"));
}

#[test]
fn json_of_overpass_is_the_same_road() {
    let place = |i: usize| {
        let angle = TAU * (i % 60) as f64 / 60.0;
        let [lon, lat] = degrees(300.0 * angle.cos(), 200.0 * angle.sin());
        serde_json::json!({"lat": lat, "lon": lon})
    };
    let tags = serde_json::json!({"highway": "raceway", "name": "Ellipse", "width": "9"});
    let geometry: Vec<_> = (0..=60).map(place).collect();
    let nodes: Vec<usize> = (0..=60).map(|i| 1 + i % 60).collect();
    let of_geometry = serde_json::json!({
        "generator": "Overpass API", "elements": [{"type": "way", "id": 5, "nodes": nodes, "geometry": geometry, "tags": tags}]
    });
    let mut elements: Vec<_> = (0..60)
        .map(|i| {
            let mut node = place(i);
            node["type"] = "node".into();
            node["id"] = (i + 1).into();
            node
        })
        .collect();
    elements.push(serde_json::json!({"type": "way", "id": 5, "nodes": nodes, "tags": tags}));
    let of_nodes = serde_json::json!({"generator": "Overpass API", "elements": elements});
    let roads = [of_geometry, of_nodes].map(|json| {
        let bytes = json.to_string().into_bytes();
        assert!(is_overpass_json(&bytes));
        osm(&bytes, None, &ImportOptions::default()).unwrap()
    });
    assert!(roads[0].edges.is_closed() && (roads[0].edges.mean_width() - 9.0).abs() < 0.01);
    assert_eq!(roads[0].edges.left, roads[1].edges.left);
}

#[test]
fn streets_have_widths_and_directions() {
    let mut map = oval();
    let ends = [map.node(-500.0, -80.0), map.node(-500.0, -300.0)];
    map.way(&ends, &[("highway", "primary"), ("oneway", "-1"), ("width", "7")]);
    map.way(&ends, &[("highway", "footway")]);
    let found = osm_streets(map.xml().as_bytes()).unwrap();
    assert!((found.origin_deg[0] - 11.5).abs() < 0.01 && (found.origin_deg[1] - 48.1).abs() < 0.01);
    let last = found.streets.last().unwrap();
    assert_eq!((last.width_m, last.direction), (Some(7.0), OsmDirection::Backward));
    assert_eq!(found.streets.iter().filter(|street| street.width_m == Some(7.0)).count(), 2);
}

/// Two lanes beside one another round a ring, in eight lanelets, drawn in either direction.
fn lanelets(is_local: bool) -> String {
    let mut text = "<osm version='0.6'>\n".to_owned();
    let radii = [100.0, 104.0, 108.0];
    let count = 48;
    for (ring, radius) in radii.iter().enumerate() {
        for i in 0..count {
            let angle = TAU * f64::from(i) / f64::from(count);
            let (x, y) = (radius * angle.cos(), radius * angle.sin());
            let id = 1000 * (ring + 1) + i as usize;
            let height = "<tag k='ele' v='3.5'/>";
            let _ = match is_local {
                true => writeln!(
                    text,
                    "<node id='{id}' lat='' lon=''><tag k='local_x' v='{x:.4}'/><tag k='local_y' v='{y:.4}'/>{height}</node>"
                ),
                false => {
                    let [longitude, latitude] = degrees(x, y);
                    writeln!(text, "<node id='{id}' lat='{latitude:.9}' lon='{longitude:.9}'>{height}</node>")
                }
            };
        }
    }
    let quarters = 4;
    for ring in 0..3 {
        for quarter in 0..quarters {
            let mut nodes: Vec<usize> = (0..=12).map(|i| 1000 * (ring + 1) + (12 * quarter + i) % 48).collect();
            if ring == 1 && quarter == 2 {
                nodes.reverse();
            }
            let nodes: String = nodes.iter().map(|node| format!("<nd ref='{node}'/>")).collect();
            let _ =
                writeln!(text, "<way id='{}'>{nodes}<tag k='type' v='line_thin'/></way>", 10 * (ring + 1) + quarter);
        }
    }
    for lane in 0..2 {
        for quarter in 0..quarters {
            let (left, right) = (10 * (lane + 1) + quarter, 10 * (lane + 2) + quarter);
            let _ = writeln!(
                text,
                "<relation id='{}'><member type='way' ref='{left}' role='left'/><member type='way' ref='{right}' role='right'/>\
                 <tag k='type' v='lanelet'/><tag k='subtype' v='road'/></relation>",
                100 + 10 * lane + quarter
            );
        }
    }
    text + "</osm>\n"
}

#[test]
fn lanelets_in_order_and_beside_one_another_are_one_road() {
    for is_local in [true, false] {
        let imported = osm(lanelets(is_local).as_bytes(), None, &ImportOptions::default()).unwrap();
        assert!(imported.edges.is_closed());
        // The inner line is the left one, of a ring that is driven counter-clockwise.
        let (left, right) = (imported.edges.left.length(), imported.edges.right.length());
        assert!((left - TAU * 100.0).abs() < 1.0 && (right - TAU * 108.0).abs() < 1.0, "{left} {right}");
        assert!(imported.edges.left.signed_area() > 0.0);
        let surface = imported.edges.surface.as_ref().unwrap();
        assert!(surface.left.iter().all(|point| (point.height_m - 3.5).abs() < 1e-9));
        assert_eq!(imported.geographic_origin_deg.is_some(), !is_local);
        assert!(imported.notes.iter().any(|note| note.to_string().contains("8 lanelets")), "{:?}", imported.notes);
    }
}
