//! Edges that were read wrongly, moved to where the options have them.

use super::extraction::Run;
use super::places::in_metres;
use super::{Error, Extraction, Silent, Warning, edge_uncertainty};
use crate::options::Options;
use crate::track::{CorrectedRoad, Track, TrackOptions};
use crate::vehicle::Vehicle;

/// The track of `extraction` with edges that pass through the places in `options.edge_point`, for `vehicle`, and
/// the warnings about that road. Without options for heights, banking and kinds of edges, which are along the
/// corrected road, this is the track that is read with these options, unless it was one with cross-sections.
///
/// # Errors
/// [`Error::EdgePoint`], and [`Error::Absurd`] for a road that cannot be one.
pub fn with_edge_points(mut extraction: Extraction, options: &Options, vehicle: &Vehicle) -> Result<Extraction, Error> {
    if options.edge_point.is_empty() {
        return Ok(extraction);
    }
    let file = extraction.file.clone();
    let run = Run { file: &file, options, vehicle, progress: &Silent };
    run.correct_edges(&mut extraction, true)?;
    let is_of_road = |warning: &Warning| matches!(warning, Warning::Doubtful(_) | Warning::SpacingRaised { .. });
    extraction.report.warnings.retain(|warning| !is_of_road(warning));
    run.judge_road(&mut extraction, true)?;
    Ok(extraction)
}

impl Run<'_> {
    /// Moves the edges to the places that the options give. `is_cut` is whether the cross-sections were made here;
    /// those of a track file keep their distance.
    pub(super) fn correct_edges(&self, extraction: &mut Extraction, is_cut: bool) -> Result<(), Error> {
        if self.options.edge_point.is_empty() {
            return Ok(());
        }
        let options = &*in_metres(self.options, extraction.frame, extraction.source.geographic_origin_deg);
        let track = &extraction.track;
        let spacing_m = if is_cut { options.track.spacing_m } else { Some(track.spacing_m) };
        let track_options = TrackOptions { spacing_m, ..options.track.clone() };
        let road = CorrectedRoad {
            options: &track_options,
            length_m: self.vehicle.length_m,
            min_width_m: self.min_width_m(track),
        };
        let corrected = track
            .clone()
            .with_edge_corrections(&options.edge_point, road)
            .map_err(|error| Error::EdgePoint { file: self.file.to_owned(), error })?;
        extraction.report.measure(&corrected);
        if let Some(frame) = extraction.frame {
            let uncertainty = edge_uncertainty::corrected(&extraction.report.edge_uncertainty, &corrected, frame);
            extraction.report.edge_uncertainty.clone_from(&uncertainty);
            extraction.source.edge_uncertainty = uncertainty;
        }
        extraction.track = corrected;
        Ok(())
    }

    /// The room that the vehicle needs between two painted lines; its own width where it may be over a kerb.
    fn min_width_m(&self, track: &Track) -> f64 {
        let only_lines = self.options.edge.is_empty() && track.has_only_lines();
        if only_lines { 2.0 * (self.vehicle.margin_m() + track.edge_uncertainty_m) } else { self.vehicle.width_m }
    }
}
