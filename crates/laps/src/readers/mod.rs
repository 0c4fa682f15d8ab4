//! Files of loggers → [`Log`].

mod assembly;
mod csv;
mod elements;
mod fit;
mod gpx;
mod kml;
mod motec_ld;
mod read;
mod vbo;

pub use read::read;
