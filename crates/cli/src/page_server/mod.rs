//! A page on this machine that follows the files of a track: whenever one changes, the line is made
//! anew, and the page shows it. With an editor, the page changes the track's sidecar.
//!
//! The parts: [`FileWatch`] waits for a change of the files, [`Board`] holds what the server shows,
//! [`LineFiles`] finds what can be compared, [`Server`] answers the browser. [`raceline_editor`] makes the page and changes the sidecar.
//!
//! The server is for one person on one machine. It answers only requests that name it by the
//! address that it listens to (which keeps out other sites whose name leads to this machine), and
//! takes edits only from its own page. Where other machines reach it, a request must also have the token of
//! the address that was printed.

mod board;
mod compression;
mod connection;
mod file_watch;
mod line_files;
mod server;
mod token;

pub use board::{Board, Shown};
pub use connection::{answers, edited_by};
pub use file_watch::FileWatch;
pub use line_files::LineFiles;
pub use server::{DEFAULT_PORT, Server};
