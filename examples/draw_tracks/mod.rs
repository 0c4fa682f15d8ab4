//! Tracks as closed forms and their pictures.

mod centre_line;
mod coverage;
mod lettering;
mod picture;
mod track_list;

pub use track_list::tracks;
