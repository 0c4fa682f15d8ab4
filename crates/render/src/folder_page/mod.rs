//! The start page of a folder of tracks: one card per track with a thumbnail, sorted and filtered by
//! a script of its own. It needs no network and works from a file.

mod page;
mod thumbnail;

pub use page::{FolderEntry, render};
pub use thumbnail::thumbnail;
