//! The file of a track with its bytes.

use super::Digests;
use super::digests::{of_files, sha256};
use crate::importers::EdgeFile;
use crate::lines::LineKind;
use crate::picture::MapYaml;

/// An input file for a track, with its bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A picture in a raster format.
    Picture(Vec<u8>),
    /// A ROS map: a YAML file and its picture.
    Map {
        /// The YAML's values.
        map: MapYaml,
        /// The YAML's bytes.
        yaml: Vec<u8>,
        /// The bytes of the picture that it names.
        image: Vec<u8>,
    },
    /// A CSV of a centre line or of two edges.
    Csv(Vec<u8>),
    /// GeoJSON.
    GeoJson(Vec<u8>),
    /// KML, or a KMZ with one.
    Kml(Vec<u8>),
    /// GPX.
    Gpx(Vec<u8>),
    /// A map of OpenStreetMap or Lanelet2, as XML or PBF.
    Osm(Vec<u8>),
    /// Roads of OpenDRIVE.
    OpenDrive(Vec<u8>),
    /// A line of Assetto Corsa or rFactor.
    GameLine(Vec<u8>),
    /// A mesh, as OBJ or GLB.
    Mesh(Vec<u8>),
    /// A map of cones.
    Cones(Vec<u8>),
    /// A drawing.
    Svg(Vec<u8>),
    /// A track of TORCS or Speed Dreams.
    TorcsXml {
        /// The XML's bytes.
        xml: Vec<u8>,
        /// The bytes of the file of standard surfaces that it names, if that exists.
        surfaces: Option<Vec<u8>>,
    },
    /// An extracted track: `raceline-track`.
    Track(Vec<u8>),
    /// A line of another program.
    Line(LineKind, Vec<u8>),
    /// The left and the right edge of a road, a file each.
    Edges(Box<Self>, Box<Self>),
}

impl Input {
    /// Whether a file of this kind can hold streets as lines.
    #[must_use]
    pub fn may_be_streets(&self) -> bool {
        matches!(self, Self::GeoJson(_) | Self::Svg(_) | Self::Osm(_) | Self::OpenDrive(_))
    }

    /// Whether its coordinates have a scale of their own, and no pixels.
    #[must_use]
    pub fn is_in_metres(&self) -> bool {
        self.edge_file().is_some() || self.is_road()
    }

    /// Whether it is a road in metres or degrees that needs no second file.
    fn is_road(&self) -> bool {
        match self {
            Self::TorcsXml { .. }
            | Self::Cones(_)
            | Self::Osm(_)
            | Self::OpenDrive(_)
            | Self::GameLine(_)
            | Self::Mesh(_)
            | Self::Line(..)
            | Self::Edges(..) => true,
            Self::Picture(_)
            | Self::Map { .. }
            | Self::Csv(_)
            | Self::GeoJson(_)
            | Self::Kml(_)
            | Self::Gpx(_)
            | Self::Svg(_)
            | Self::Track(_) => false,
        }
    }

    /// The file as one that may hold a single edge of the road, or its centre line; `None` for other kinds.
    #[must_use]
    pub fn edge_file(&self) -> Option<EdgeFile<'_>> {
        match self {
            Self::Csv(bytes) => Some(EdgeFile::Csv(bytes)),
            Self::GeoJson(bytes) => Some(EdgeFile::GeoJson(bytes)),
            Self::Kml(bytes) => Some(EdgeFile::Kml(bytes)),
            Self::Gpx(bytes) => Some(EdgeFile::Gpx(bytes)),
            Self::Picture(_)
            | Self::Map { .. }
            | Self::Cones(_)
            | Self::Osm(_)
            | Self::OpenDrive(_)
            | Self::GameLine(_)
            | Self::Mesh(_)
            | Self::Svg(_)
            | Self::TorcsXml { .. }
            | Self::Track(_)
            | Self::Line(..)
            | Self::Edges(..) => None,
        }
    }

    /// The digests of this file followed by the one of the right edge.
    #[must_use]
    pub fn digests_with(&self, right: &Self) -> Digests {
        match (self.edge_file(), right.edge_file()) {
            (Some(left), Some(right)) => of_files(&[left.bytes(), right.bytes()]),
            _ => self.digests(),
        }
    }

    /// The digests of its bytes.
    #[must_use]
    pub fn digests(&self) -> Digests {
        match self {
            Self::Csv(bytes) | Self::GeoJson(bytes) | Self::Kml(bytes) | Self::Gpx(bytes) => of_files(&[bytes]),
            Self::Cones(bytes)
            | Self::Osm(bytes)
            | Self::OpenDrive(bytes)
            | Self::GameLine(bytes)
            | Self::Mesh(bytes)
            | Self::Line(_, bytes) => of_files(&[bytes]),
            Self::Picture(bytes) | Self::Svg(bytes) => of_files(&[bytes]),
            Self::Map { yaml, image, .. } => of_files(&[yaml, image]),
            Self::TorcsXml { xml, surfaces } => of_files(&[xml, surfaces.as_deref().unwrap_or_default()]),
            Self::Edges(left, right) => left.digests_with(right),
            Self::Track(bytes) => Digests { sha256: None, track_sha256: Some(sha256(&[bytes])) },
        }
    }
}
