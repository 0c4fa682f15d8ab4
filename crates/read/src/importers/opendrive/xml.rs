//! The elements of OpenDRIVE that a road is made of.

use roxmltree::{Document, Node, ParsingOptions};

use super::geometry::{Piece, Pose, Shape};
use raceline_file::shortened;
use raceline_file::table::text;
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

/// Elements, texts and comments of a file, at most.
const MAX_NODES: u32 = 4_000_000;
/// Numbers beyond this have no place in a road.
const LARGEST: f64 = 1e8;
/// Directions change by at most this within a piece, radians: 100 turns.
const MAX_TURN: f64 = 630.0;
/// Types of lanes on which vehicles drive.
const DRIVING: [&str; 10] = [
    "driving",
    "bidirectional",
    "entry",
    "exit",
    "onRamp",
    "offRamp",
    "connectingRamp",
    "slipLane",
    "mwyEntry",
    "mwyExit",
];

/// A polynomial along the road that holds from a place on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic {
    pub from_m: f64,
    pub coefficients: [f64; 4],
}

/// A lane.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub id: i64,
    pub is_driving: bool,
    /// Widths from the start of its section, or places of its outer border across the road.
    pub widths: Vec<Cubic>,
    pub is_border: bool,
}

/// Lanes from a place on.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub from_m: f64,
    /// Lanes to the left, from the middle outwards, and to the right.
    pub sides: [Vec<Lane>; 2],
}

/// The end of a road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct End {
    pub road: usize,
    pub is_last: bool,
}

/// A link to another road: its number and whether its end is met.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub road: String,
    pub is_last: bool,
}

/// A road.
#[derive(Clone, Debug)]
pub(super) struct Road {
    pub id: String,
    pub name: String,
    pub is_in_junction: bool,
    pub is_left_hand: bool,
    pub predecessor: Option<Link>,
    pub successor: Option<Link>,
    pub pieces: Vec<Piece>,
    pub elevation: Vec<Cubic>,
    pub superelevation: Vec<Cubic>,
    /// Slope outwards of the left and of the right side, radians.
    pub crossfall: [Vec<Cubic>; 2],
    pub lane_offset: Vec<Cubic>,
    pub sections: Vec<Section>,
}

impl Road {
    /// Length of the plan view, metres.
    pub fn length_m(&self) -> f64 {
        self.pieces.last().map_or(0.0, |piece| piece.s_m + piece.length_m)
    }

    /// The road in messages.
    pub fn label(&self) -> String {
        match self.name.is_empty() {
            true => format!("road {}", shortened(&self.id)),
            false => format!("road {} ({})", shortened(&self.id), shortened(&self.name)),
        }
    }
}

/// A file.
pub(super) struct File {
    pub roads: Vec<Road>,
    /// Longitude and latitude of the point (0, 0), degrees.
    pub origin_deg: Option<[f64; 2]>,
    pub name: Option<String>,
}

/// Reads the XML.
///
/// # Errors
/// [`ImportError::OpenDrive`] with the line.
pub(super) fn read(bytes: &[u8]) -> Result<File, ImportError> {
    let text = text(bytes)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| ImportError::OpenDrive { line: error.pos().row as usize, message: error.to_string() })?;
    let reader = Reader { document: &document };
    let root = document.root_element();
    let header = child(root, "header");
    let roads = children(root, "road").map(|road| reader.road(road)).collect::<Result<_, _>>()?;
    let name = header.and_then(|header| header.attribute("name")).map(str::trim).filter(|name| !name.is_empty());
    let has_offset = header.is_some_and(|header| child(header, "offset").is_some());
    let reference = header.and_then(|header| child(header, "geoReference")).and_then(|node| node.text());
    let origin_deg = reference.filter(|_| !has_offset).and_then(origin_deg);
    Ok(File { roads, origin_deg, name: name.map(shortened) })
}

fn children<'a, 'b>(node: Node<'a, 'b>, name: &'static str) -> impl Iterator<Item = Node<'a, 'b>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

fn child<'a, 'b>(node: Node<'a, 'b>, name: &'static str) -> Option<Node<'a, 'b>> {
    children(node, name).next()
}

/// The place of (0, 0) by a reference in PROJ's form: a transverse Mercator projection about it. That of CARLA
/// at longitude and latitude 0 is none.
fn origin_deg(reference: &str) -> Option<[f64; 2]> {
    let value = |key: &str| {
        let found =
            reference.split_whitespace().find_map(|part| part.strip_prefix('+')?.strip_prefix(key)?.strip_prefix('='));
        found.map(str::to_owned)
    };
    let number = |key: &str, default: f64| value(key).map_or(Some(default), |text| text.parse::<f64>().ok());
    let is_about = value("proj").as_deref() == Some("tmerc")
        && number("x_0", 0.0)? == 0.0
        && number("y_0", 0.0)? == 0.0
        && (number("k", 1.0)? - 1.0).abs() < 1e-3;
    let origin = [number("lon_0", 0.0)?, number("lat_0", 0.0)?];
    (is_about && origin != [0.0; 2] && origin[0].abs() <= 180.0 && origin[1].abs() <= 90.0).then_some(origin)
}

struct Reader<'a, 'b> {
    document: &'a Document<'b>,
}

impl Reader<'_, '_> {
    fn wrong(&self, node: Node<'_, '_>, message: String) -> ImportError {
        let line = self.document.text_pos_at(node.range().start).row as usize;
        ImportError::OpenDrive { line, message: format!("<{}>: {message}", node.tag_name().name()) }
    }

    /// A number; `default` where the attribute is missing.
    fn number(&self, node: Node<'_, '_>, key: &str, default: Option<f64>) -> Result<f64, ImportError> {
        let Some(text) = node.attribute(key) else {
            return default.ok_or_else(|| self.wrong(node, format!("it has no attribute {key}")));
        };
        let number = text.trim().parse::<f64>().ok().filter(|number| number.abs() <= LARGEST);
        number.ok_or_else(|| self.wrong(node, format!("{key} = {:?} is not a number of a road", shortened(text))))
    }

    fn coefficients(&self, node: Node<'_, '_>, keys: [&str; 4]) -> Result<[f64; 4], ImportError> {
        let mut found = [0.0; 4];
        for (number, key) in found.iter_mut().zip(keys) {
            *number = self.number(node, key, Some(0.0))?;
        }
        Ok(found)
    }

    /// The polynomials `name` in the element `within`.
    fn cubics(&self, within: Option<Node<'_, '_>>, name: &'static str, from: &str) -> Result<Vec<Cubic>, ImportError> {
        let Some(within) = within else { return Ok(Vec::new()) };
        let cubics = children(within, name).map(|node| self.cubic(node, from));
        let mut cubics: Vec<Cubic> = cubics.collect::<Result<_, _>>()?;
        cubics.sort_by(|a, b| a.from_m.total_cmp(&b.from_m));
        Ok(cubics)
    }

    fn cubic(&self, node: Node<'_, '_>, from: &str) -> Result<Cubic, ImportError> {
        let coefficients = self.coefficients(node, ["a", "b", "c", "d"])?;
        Ok(Cubic { from_m: self.number(node, from, Some(0.0))?, coefficients })
    }

    fn road(&self, node: Node<'_, '_>) -> Result<Road, ImportError> {
        let link = |name| {
            let link = child(child(node, "link")?, name)?;
            let is_road = link.attribute("elementType") == Some("road");
            let road = link.attribute("elementId").filter(|_| is_road)?.to_owned();
            Some(Link { road, is_last: link.attribute("contactPoint") == Some("end") })
        };
        let plan = child(node, "planView").ok_or_else(|| self.wrong(node, "it has no <planView>".to_owned()))?;
        let mut pieces: Vec<Piece> =
            children(plan, "geometry").map(|piece| self.piece(piece)).collect::<Result<_, _>>()?;
        pieces.sort_by(|a, b| a.s_m.total_cmp(&b.s_m));
        let lateral = child(node, "lateralProfile");
        let lanes = child(node, "lanes");
        let mut crossfall = [Vec::new(), Vec::new()];
        for element in lateral.into_iter().flat_map(|lateral| children(lateral, "crossfall")) {
            let sides = match element.attribute("side") {
                Some("left") => [true, false],
                Some("right") => [false, true],
                _ => [true, true],
            };
            let cubic = self.cubic(element, "s")?;
            for (falls, applies) in crossfall.iter_mut().zip(sides) {
                falls.extend(applies.then_some(cubic));
            }
        }
        crossfall.iter_mut().for_each(|falls| falls.sort_by(|a: &Cubic, b| a.from_m.total_cmp(&b.from_m)));
        let sections = lanes.into_iter().flat_map(|lanes| children(lanes, "laneSection"));
        let mut sections: Vec<Section> = sections.map(|section| self.section(section)).collect::<Result<_, _>>()?;
        sections.sort_by(|a, b| a.from_m.total_cmp(&b.from_m));
        let text = |key: &str| node.attribute(key).unwrap_or_default().trim().to_owned();
        Ok(Road {
            id: text("id"),
            name: text("name"),
            is_in_junction: !matches!(text("junction").as_str(), "" | "-1"),
            is_left_hand: text("rule") == "LHT",
            predecessor: link("predecessor"),
            successor: link("successor"),
            pieces,
            elevation: self.cubics(child(node, "elevationProfile"), "elevation", "s")?,
            superelevation: self.cubics(lateral, "superelevation", "s")?,
            crossfall,
            lane_offset: self.cubics(lanes, "laneOffset", "s")?,
            sections,
        })
    }

    fn piece(&self, node: Node<'_, '_>) -> Result<Piece, ImportError> {
        let number = |key: &str| self.number(node, key, None);
        let shape =
            node.children().find_map(|inner| Some((inner, inner.is_element().then(|| inner.tag_name().name())?)));
        let shape = match shape {
            None | Some((_, "line")) => Shape::Line,
            Some((inner, "arc")) => Shape::Arc(self.number(inner, "curvature", None)?),
            Some((inner, "spiral")) => {
                Shape::Spiral(self.number(inner, "curvStart", None)?, self.number(inner, "curvEnd", None)?)
            }
            Some((inner, "poly3")) => Shape::Poly3(self.coefficients(inner, ["a", "b", "c", "d"])?),
            Some((inner, "paramPoly3")) => Shape::ParamPoly3 {
                u: self.coefficients(inner, ["aU", "bU", "cU", "dU"])?,
                v: self.coefficients(inner, ["aV", "bV", "cV", "dV"])?,
                is_normalized: inner.attribute("pRange") != Some("arcLength"),
            },
            Some((inner, other)) => return Err(self.wrong(inner, format!("{:?} is no known shape", shortened(other)))),
        };
        let start = Pose { position: Point::new(number("x")?, number("y")?), heading_rad: number("hdg")? };
        let length_m = number("length")?;
        let piece = Piece { s_m: number("s")?, start, length_m, shape };
        if length_m < 0.0 || piece.turn_rad() > MAX_TURN {
            return Err(self.wrong(node, "its length or its curvature is impossible".to_owned()));
        }
        Ok(piece)
    }

    fn section(&self, node: Node<'_, '_>) -> Result<Section, ImportError> {
        let side = |name| -> Result<Vec<Lane>, ImportError> {
            let lanes = child(node, name).into_iter().flat_map(|side| children(side, "lane"));
            let mut lanes: Vec<Lane> = lanes.map(|lane| self.lane(lane)).collect::<Result<_, _>>()?;
            lanes.sort_by_key(|lane| lane.id.abs());
            Ok(lanes)
        };
        Ok(Section { from_m: self.number(node, "s", Some(0.0))?, sides: [side("left")?, side("right")?] })
    }

    fn lane(&self, node: Node<'_, '_>) -> Result<Lane, ImportError> {
        let id = node.attribute("id").and_then(|id| id.trim().parse().ok());
        let id = id.ok_or_else(|| self.wrong(node, "its id is not a whole number".to_owned()))?;
        let is_border = child(node, "width").is_none() && child(node, "border").is_some();
        let widths = self.cubics(Some(node), if is_border { "border" } else { "width" }, "sOffset")?;
        let is_driving = node.attribute("type").is_some_and(|kind| DRIVING.contains(&kind));
        Ok(Lane { id, is_driving, widths, is_border })
    }
}
