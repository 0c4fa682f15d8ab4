//! A track with its cross-sections cut again, closer together.

use super::cutting::cut_for;
use super::{CrossSection, SectionSurface, SurfaceEnd, Track, TrackError, TrackOptions};
use crate::edges::{EdgePoint, Edges, RoadSurface};
use crate::frame::Spot;

impl Track {
    /// The road between the track's edges with cross-sections at half the distance, from the same start
    /// and in the same direction. Heights, grip and kinds are those of this track, linear between its
    /// sections.
    ///
    /// ```
    /// # use raceline_road::{edges::RoadShape, track::{Track, TrackOptions}};
    /// # let angle = |i: i32| f64::from(i) * std::f64::consts::TAU / 48.0;
    /// # let middle: Vec<[f64; 2]> = (0..48).map(|i| [60.0 * angle(i).cos(), 60.0 * angle(i).sin()]).collect();
    /// let track = Track::from_centre_line(&middle, &[[5.0, 5.0]; 48], RoadShape::Closed, &TrackOptions::default())?;
    /// let finer = track.finer()?;
    /// assert_eq!(finer.spacing_m, 0.5 * track.spacing_m);
    /// assert!(finer.sections.len() > 19 * track.sections.len() / 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TrackError::SpacingTooFine`] for a track whose sections are as close together as they may be, and
    /// those of [`cut`](super::cut).
    pub fn finer(&self) -> Result<Self, TrackError> {
        let ends = |place: fn(&CrossSection) -> crate::geometry::Point, end: fn(&SectionSurface) -> &SurfaceEnd| {
            let of = |(section, surface): (&CrossSection, &SectionSurface)| {
                let &SurfaceEnd { height_m, grip, kind } = end(surface);
                EdgePoint { position: place(section), height_m, grip, kind }
            };
            let surface = self.surface.as_deref().unwrap_or_default();
            self.sections.iter().zip(surface).map(of).collect::<Vec<_>>()
        };
        let surface = self.surface.is_some().then(|| RoadSurface {
            left: ends(|section| section.left, |surface| &surface.left),
            right: ends(|section| section.right, |surface| &surface.right),
        });
        let edges = Edges {
            left: self.left_edge.clone(),
            right: self.right_edge.clone(),
            crossings: self.crossings.clone(),
            directed: true,
            uncertainty_m: self.edge_uncertainty_m,
            frame: None,
            surface,
        };
        let start = self.sections.first().map(CrossSection::middle);
        let options = TrackOptions {
            spacing_m: Some(0.5 * self.spacing_m),
            start: start.map(|start| Spot::Metres([start.x, start.y])),
            direction: Some(self.direction),
        };
        cut_for(&edges, &options, f64::INFINITY)
    }
}

#[cfg(test)]
mod tests;
