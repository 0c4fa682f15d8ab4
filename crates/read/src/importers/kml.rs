//! KML 2.2 and KMZ (OGC 12-007r2), as Google Earth writes them: a line as the centre line, two lines as
//! edges, or a polygon with a hole.

use std::borrow::Cow;
use std::io::{Cursor, Read as _};

use ::kml::Kml;
use ::kml::types::{Coord, Geometry, LineString, LinearRing, Placemark, Polygon};

use super::geographic::{Geographic, Line, Place, Side};
use crate::content::is_archive;
use raceline_file::files::LARGEST_TRACK_FILE;
use raceline_file::shortened;
use raceline_file::table::text;
use raceline_road::construction::{ImportError, ImportOptions, Imported, SpecifiedClosed};

/// Folders within folders, and geometries within geometries, are read to this depth.
const MAX_DEPTH: usize = 64;

/// Whether the ZIP archive in `bytes` holds a KML, as a KMZ does.
#[must_use]
pub(crate) fn is_kmz(bytes: &[u8]) -> bool {
    let archive = zip::ZipArchive::new(Cursor::new(bytes));
    archive.is_ok_and(|archive| archive.file_names().any(is_kml_name))
}

fn is_kml_name(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".kml")
}

/// Reads KML, or the first KML in a KMZ. Positions are projected to metres about their middle, which is
/// reported in the notes.
///
/// # Errors
/// See [`ImportError`]; each names the placemark and the position.
pub fn kml(bytes: &[u8], closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    read(bytes)?.chosen(options.part.as_deref())?.imported(closed, options)
}

/// The lines and polygons of KML or of a KMZ.
pub(super) fn read(bytes: &[u8]) -> Result<Geographic, ImportError> {
    let text = with_standard_coordinates(text(&kml_bytes(bytes)?)?);
    check_elements(&text)?;
    let parsed: Kml = text.parse().map_err(|error: ::kml::Error| wrong(error.to_string()))?;
    let mut contents = Contents::default();
    contents.add(&parsed)?;
    let mut found = contents.found;
    let tracks = tracks(&text)?;
    found.lines.extend(tracks);
    // Google Earth writes a height of 0 for whatever lies on the ground.
    let lines = found.lines.iter().map(|line| &line.positions);
    let rings = found.polygons.iter().flat_map(|(_, rings)| rings);
    let has_heights = lines.chain(rings).flatten().any(|place| place.height_m.is_some_and(|height| height != 0.0));
    if !has_heights {
        let lines = found.lines.iter_mut().map(|line| &mut line.positions);
        let rings = found.polygons.iter_mut().flat_map(|(_, rings)| rings);
        lines.chain(rings).flatten().for_each(|place| place.height_m = None);
    }
    Ok(found)
}

/// The KML of a file: the first one in a KMZ, or the file itself.
///
/// # Errors
/// [`ImportError::Kml`] for an archive that cannot be read, holds no KML or a KML that is too large.
pub fn kml_bytes(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ImportError> {
    if is_archive(bytes) { unpacked_kmz(bytes).map(Cow::Owned) } else { Ok(Cow::Borrowed(bytes)) }
}

fn wrong(message: String) -> ImportError {
    ImportError::Kml { message }
}

/// The bytes of the first KML in an archive, of a bounded size.
fn unpacked_kmz(bytes: &[u8]) -> Result<Vec<u8>, ImportError> {
    let mut archive =
        zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| wrong(format!("the archive: {error}")))?;
    let name = archive.file_names().find(|name| is_kml_name(name)).map(str::to_owned);
    let name = name.ok_or_else(|| wrong("the archive holds no file that ends in .kml".to_owned()))?;
    let file = archive.by_name(&name).map_err(|error| wrong(format!("{name} in the archive: {error}")))?;
    let mut content = Vec::new();
    let limit = LARGEST_TRACK_FILE;
    file.take(limit + 1).read_to_end(&mut content).map_err(|error| wrong(format!("{name} in the archive: {error}")))?;
    if content.len() as u64 > limit {
        return Err(wrong(format!("{name} in the archive is larger than {} MB", limit / 1_000_000)));
    }
    Ok(content)
}

/// The text with every list of coordinates as the standard has it, tuples without blanks in them. Google
/// Earth writes blanks after the commas, and some programs a comma between the tuples too.
fn with_standard_coordinates(text: &str) -> String {
    const START: &str = "<coordinates";
    const END: &str = "</coordinates";
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, element)) = rest.find(START).map(|start| rest.split_at(start)) {
        cleaned.push_str(before);
        let (element, next) = element.split_at(element.find(END).unwrap_or(element.len()));
        let (tag, numbers) = element.split_at(element.find('>').map_or(element.len(), |end| end + 1));
        cleaned.push_str(tag);
        cleaned.push_str(&standard_tuples(numbers));
        rest = next;
    }
    cleaned + rest
}

/// The tuples of a list of coordinates, with a blank between them.
fn standard_tuples(numbers: &str) -> String {
    let mut joined = String::with_capacity(numbers.len());
    for (index, part) in numbers.split(',').enumerate() {
        if index > 0 {
            joined.push(',');
        }
        joined.push_str(if index > 0 { part.trim_start() } else { part });
    }
    let counts = joined.split_whitespace().map(|tuple| tuple.split(',').filter(|number| !number.is_empty()).count());
    if counts.into_iter().all(|count| count <= 3) {
        return joined;
    }
    let numbers: Vec<&str> = joined.split([',', ' ', '\n', '\t', '\r']).filter(|number| !number.is_empty()).collect();
    let size = if are_tuples(&numbers, 3) || !numbers.len().is_multiple_of(2) { 3 } else { 2 };
    numbers.chunks(size).map(|tuple| tuple.join(",")).collect::<Vec<_>>().join(" ")
}

/// Whether the numbers in groups of `size` are places within a degree of the first.
fn are_tuples(numbers: &[&str], size: usize) -> bool {
    let near = |number: &str, first: &str| {
        let difference = number.parse::<f64>().ok().zip(first.parse::<f64>().ok()).map(|(a, b)| (a - b).abs());
        difference.is_some_and(|difference| difference < 1.0)
    };
    numbers.len().is_multiple_of(size)
        && numbers.chunks(size).all(|tuple| near(tuple[0], numbers[0]) && near(tuple[1], numbers[1]))
}

/// Refuses text whose elements are nested so deeply that reading it would exhaust the stack, and text that
/// ends inside an element, whose end the crate `kml` waits for without end.
fn check_elements(text: &str) -> Result<(), ImportError> {
    let mut depth = 0_usize;
    let mut reader = quick_xml::Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Start(_)) => depth += 1,
            Ok(quick_xml::events::Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(quick_xml::events::Event::Eof) if depth == 0 => return Ok(()),
            Ok(quick_xml::events::Event::Eof) => {
                return Err(wrong("it ends inside an element: the file is cut off".to_owned()));
            }
            Ok(_) => {}
            Err(error) => return Err(wrong(error.to_string())),
        }
        if depth > MAX_DEPTH {
            return Err(wrong(format!("its elements are nested more than {MAX_DEPTH} deep")));
        }
    }
}

/// What is found while a file is walked through.
#[derive(Default)]
struct Contents {
    found: Geographic,
}

impl Contents {
    fn add(&mut self, kml: &Kml) -> Result<(), ImportError> {
        match kml {
            Kml::KmlDocument(document) => document.elements.iter().try_for_each(|kml| self.add(kml)),
            Kml::Document { elements, .. } => elements.iter().try_for_each(|kml| self.add(kml)),
            Kml::Folder(folder) => folder.elements.iter().try_for_each(|kml| self.add(kml)),
            Kml::Placemark(placemark) => self.add_placemark(placemark),
            Kml::LineString(line) => self.add_line(&line.coords, None),
            Kml::LinearRing(ring) => self.add_line(&ring.coords, None),
            Kml::Polygon(polygon) => self.add_polygon(polygon, None),
            Kml::MultiGeometry(several) => {
                several.geometries.iter().try_for_each(|geometry| self.add_geometry(geometry, None))
            }
            Kml::Point(_) => {
                self.found.points += 1;
                Ok(())
            }
            // Styles, views and overlays hold no lines.
            _ => Ok(()),
        }
    }

    fn add_placemark(&mut self, placemark: &Placemark) -> Result<(), ImportError> {
        let Some(geometry) = &placemark.geometry else { return Ok(()) };
        self.add_geometry(geometry, placemark.name.as_deref())
    }

    fn add_geometry(&mut self, geometry: &Geometry, name: Option<&str>) -> Result<(), ImportError> {
        match geometry {
            Geometry::LineString(LineString { coords, .. }) | Geometry::LinearRing(LinearRing { coords, .. }) => {
                self.add_line(coords, name)
            }
            Geometry::Polygon(polygon) => self.add_polygon(polygon, name),
            Geometry::MultiGeometry(several) => {
                several.geometries.iter().try_for_each(|geometry| self.add_geometry(geometry, name))
            }
            Geometry::Point(_) => {
                self.found.points += 1;
                Ok(())
            }
            // Models and tours hold no lines.
            _ => Ok(()),
        }
    }

    fn add_line(&mut self, coordinates: &[Coord], name: Option<&str>) -> Result<(), ImportError> {
        let name = name.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
        let place = match &name {
            Some(name) => format!("line {} ({name})", self.found.lines.len() + 1),
            None => format!("line {}", self.found.lines.len() + 1),
        };
        let side = name.as_deref().and_then(Side::of_name);
        let positions = places(coordinates, &place)?;
        self.found.lines.push(Line { place, positions, width_m: None, widths_m: None, side, name, length_m: None });
        Ok(())
    }

    fn add_polygon(&mut self, polygon: &Polygon, name: Option<&str>) -> Result<(), ImportError> {
        let number = self.found.polygons.len() + 1;
        let place = name.map_or_else(|| format!("polygon {number}"), |name| format!("polygon {number} ({name})"));
        let rings = std::iter::once(&polygon.outer).chain(&polygon.inner).enumerate();
        let rings = rings.map(|(index, ring)| places(&ring.coords, &format!("{place}, ring {}", index + 1)));
        let rings = rings.collect::<Result<_, _>>()?;
        self.found.polygons.push((place, rings));
        Ok(())
    }
}

/// The lines of the elements `gx:Track`, or `Track` of KML 2.3, which the crate `kml` leaves out.
fn tracks(text: &str) -> Result<Vec<Line>, ImportError> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(text);
    let mut lines: Vec<Line> = Vec::new();
    let (mut content, mut name, mut positions) = (String::new(), None, Vec::new());
    let place_of = |lines: &[Line]| format!("track {}", lines.len() + 1);
    loop {
        match reader.read_event() {
            Err(error) => return Err(wrong(error.to_string())),
            Ok(Event::Eof) => return Ok(lines),
            Ok(Event::Start(start)) => {
                content.clear();
                match start.local_name().as_ref() {
                    b"Placemark" => name = None,
                    b"Track" => positions = Vec::new(),
                    _ => {}
                }
            }
            Ok(Event::Text(part)) => content.push_str(&String::from_utf8_lossy(&part)),
            Ok(Event::End(end)) => match end.local_name().as_ref() {
                b"name" => name = Some(content.trim().to_owned()).filter(|name| !name.is_empty()),
                b"coord" => {
                    let number = positions.len() + 1;
                    let at = || format!("{}, position {number}", place_of(&lines));
                    positions.push(track_place(&content, at)?);
                }
                b"Track" if !positions.is_empty() => {
                    let side = name.as_deref().and_then(Side::of_name);
                    let (place, positions) = (place_of(&lines), std::mem::take(&mut positions));
                    let name = name.clone();
                    lines.push(Line { place, positions, width_m: None, widths_m: None, side, name, length_m: None });
                }
                _ => {}
            },
            // A sample of which the receiver knew nothing is `<gx:coord/>`, which holds no place.
            Ok(_) => {}
        }
    }
}

/// Longitude, latitude and height with blanks between them.
fn track_place(text: &str, at: impl Fn() -> String) -> Result<Place, ImportError> {
    let numbers = text.split_ascii_whitespace().map(|number| number.parse::<f64>().ok());
    match numbers.collect::<Option<Vec<f64>>>().as_deref() {
        Some([longitude, latitude, rest @ ..]) if rest.len() < 2 => {
            Place::new([*longitude, *latitude], rest.first().copied(), at)
        }
        _ => Err(ImportError::Geometry {
            place: at(),
            problem: format!("{:?} is no position", shortened(text.trim())),
            fix: "write longitude, latitude and height with blanks between them",
        }),
    }
}

fn places(coordinates: &[Coord], place: &str) -> Result<Vec<Place>, ImportError> {
    let numbered = (1..).zip(coordinates);
    let checked = numbered
        .map(|(number, coord)| Place::new([coord.x, coord.y], coord.z, || format!("{place}, position {number}")));
    checked.collect()
}

#[cfg(test)]
mod tests {
    use super::with_standard_coordinates;

    #[test]
    fn coordinates_become_tuples_without_blanks_and_the_rest_stays() {
        let cases = [
            ("<name>Spa, Belgium</name>", "<name>Spa, Belgium</name>"),
            ("<coordinates>1, 2,\t0\n3,4, 0</coordinates>", "<coordinates>1,2,0\n3,4,0</coordinates>"),
            ("<coordinates id=\"a\"> 5,6 7,8", "<coordinates id=\"a\"> 5,6 7,8"),
            (
                "<coordinates>\n5, 6, 0, 5.1, 6.1, 0, 5.2, 6.2, 0\n</coordinates>",
                "<coordinates>5,6,0 5.1,6.1,0 5.2,6.2,0</coordinates>",
            ),
            (
                "<coordinates>5, 60, 5.1, 60.1, 5.2, 60.2</coordinates>",
                "<coordinates>5,60 5.1,60.1 5.2,60.2</coordinates>",
            ),
        ];
        for (text, standard) in cases {
            assert_eq!(with_standard_coordinates(text), standard);
        }
    }
}
