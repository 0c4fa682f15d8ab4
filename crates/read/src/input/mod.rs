//! Reads a file and determines its kind.
//!
//! The content decides if it is conclusive: the magic number of a picture, an `<svg>` element, a
//! `<params>` element with a `Main Track`, a `<kml>`, `<gpx>`,
//! `<osm>` or `<OpenDRIVE>` element, a map as PBF, an archive with a KML, rows or a list of cones, the `"type"` of GeoJSON, the `"format"` of an extracted
//! track, the keys `image:` and `resolution:` of a map, rows of numbers. Otherwise the extension
//! decides ([`InputKind::of`]). Nothing is decoded here except a map's YAML, because it names the
//! picture that is read with it, and the document type of a track in XML, which names its file of
//! surfaces.

mod digests;
mod error;
mod foreign;
mod kind;
mod line_input;
mod log_kind;
mod reading;
mod track_input;

pub use digests::Digests;
pub use error::InputError;
pub use foreign::Foreign;
pub use kind::InputKind;
pub use line_input::{LineInput, read_line};
pub use log_kind::LogKind;
pub use reading::{files_of, log_without_road, of_bytes, read, read_as};
pub use track_input::Input;
