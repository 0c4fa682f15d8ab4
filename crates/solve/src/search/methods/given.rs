//! A line that exists, driven as it is.

use raceline_file::Method;
use raceline_road::geometry::Point;

use crate::SolveError;
use crate::search::given_line::{driven, fractions};
use crate::search::method::LineMethod;
use crate::search::run::Run;
use crate::search::summary::LineStatus;

/// The line of the options.
pub struct Given;

impl LineMethod for Given {
    fn find(&self, run: &mut Run) -> Result<(), SolveError> {
        let road = &run.road.road;
        let needs = "method = given requires initial_line";
        let line = run.options.initial_line.as_deref().ok_or(SolveError::InitialLine { needs })?;
        let points: Vec<Point> = line.iter().map(|point| point - road.origin).collect();
        let alpha = run.road.corridor.clamped(&fractions(&road.track, &points)?);
        let driven = driven(&points, road.track.closed, run.spacing, run.lap)?;
        // Also from a line that no vehicle can follow a search may start.
        run.start_from(Method::Given, alpha);
        let _ = run.accept(Method::Given, LineStatus::Solved, driven);
        Ok(())
    }
}
