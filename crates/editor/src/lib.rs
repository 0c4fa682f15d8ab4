//! What the editor of a track shows and changes, for `raceline serve` and for the app in the browser.
//!
//! - [`edited`] makes the changes of a page in a sidecar's text.
//! - [`History`] takes such changes back, and makes them again.
//! - [`Comparison`] holds the lines and driven laps that a page compares with its own line.
//! - [`Pages`] makes the page of a line, or of a track without one, with the editor's tools.
//! - [`Previewer`] makes coarse lines while something is dragged.
//! - [`Session`] is a whole editor without files: a track and its sidecar in memory, whose line is made anew after
//!   each change.
//!
//! ```
//! use raceline::pipeline::Silent;
//! use raceline_editor::Session;
//!
//! let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 60.0;
//! let row = |i| format!("{},{},5,5\n", 60.0 * angle(i).cos(), 60.0 * angle(i).sin());
//! let ring: String = (0..60).map(row).collect();
//! let track = format!("x_m,y_m,w_tr_right_m,w_tr_left_m\n{ring}");
//!
//! let mut session = Session::new(vec![("ring.csv".to_owned(), track.into_bytes())])?;
//! session.edit(r#"[{"do": "set", "key": "vehicle", "value": "kart"}]"#)?;
//! session.make(&Silent);
//! let line = session.line().ok_or("no line")?;
//! assert!(line.lap_time_s > 5.0 && session.page().contains("<title>ring"));
//! assert_eq!(session.sidecar(), "vehicle = \"kart\"\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod comparison;
mod drive_note;
mod given_track;
mod history;
mod logged_drive;
mod made_line;
mod pages;
mod preview;
mod session;
mod session_error;
mod sidecar_edit;
mod state;
mod track_source;

pub use comparison::{Comparison, ComparisonChange, ComparisonError};
pub use drive_note::drive_note;
pub use history::{History, HistoryError, Step};
pub use logged_drive::{DrivenLap, LoggedDrive};
pub use pages::{DraftOnPage, LineOnPage, Pages, PictureOnPage, SidecarOnPage, reading_tools};
pub use preview::{KeptPreviewer, Preview, Previewer};
pub use session::Session;
pub use session_error::SessionError;
pub use sidecar_edit::{Edit, EditError, edited, editor_values};
pub use state::State;
