//! From a picture to a [`Track`](crate::track::Track): mask, edges, cross-sections.

use raceline_file::round_to;

use super::edge_uncertainty;
use super::extraction::Run;
use super::picture_choice::Reading;
use super::report::ExtractionReport;
use super::road_likeness::WHOLE;
use super::stage_trace::StageTrace;
use super::{Error, Extraction, Warning};
use crate::file::Source;
use crate::frame::{PictureFrame, Scale, Spot};
use crate::geometry::Point;
use crate::input::Digests;
use crate::picture::{self, MapYaml, Picture, PictureOptions};

impl Run<'_> {
    /// Picture → road mask → edges → cross-sections.
    pub(super) fn extract_picture(
        &self,
        bytes: &[u8],
        map: Option<&MapYaml>,
        digests: Digests,
        mut trace: Option<&mut StageTrace>,
    ) -> Result<Extraction, Error> {
        let file = map.map_or(self.file, |map| &map.image).to_string_lossy();
        // A file that is no picture needs no scale.
        picture::check_format(&file, bytes)?;
        let (scale, origin) = self.placement(map)?;
        let picture = picture::read_bytes(&file, bytes, &self.options.picture)?;

        let hints = self.hints_in_pixels(&picture, scale, origin);
        if let Some(trace) = trace.as_deref_mut() {
            trace.styles = picture::try_styles(&picture, &hints, self.options.route.shape.specified());
            trace.grey = Some(picture.grey.clone());
        }
        let reading = self.read_picture(&picture, map, &hints, (scale, origin));
        drop(picture);
        if let Some(trace) = trace.as_deref_mut() {
            let (mask, traced) = match &reading {
                Ok(reading) => (Some(&reading.mask), Some(&reading.traced)),
                Err(failed) => (failed.mask.as_ref(), failed.traced.as_ref()),
            };
            trace.mask = mask.cloned();
            trace.traced = traced.cloned();
        }
        let Reading { mask, traced, track, covered_fraction, attempt, .. } = reading.map_err(|failed| failed.error)?;
        let road = (mask.style, mask.score, mask.dropped_shapes);
        let mask_accuracy_px = edge_uncertainty::usual_px(&mask);
        drop(mask);
        // A map's free space may go on beyond its road.
        let covered_fraction = if map.is_some() { 1.0 } else { covered_fraction };
        let is_whole = covered_fraction >= WHOLE;
        if !is_whole && !self.options.picture.partial {
            return Err(Error::Partial { file: self.file.to_owned(), covered_fraction });
        }

        let (track, notes) = self.of_schematic_width(track, traced.edges.frame)?;

        let mut report =
            ExtractionReport::new(&self.track_name(), &track, notes.into_iter().map(Warning::from).collect());
        report.warnings.extend(attempt.map(Warning::OtherReading));
        report.warnings.extend((!is_whole).then_some(Warning::Partial { covered_fraction }));
        report.edge_uncertainty = edge_uncertainty::stretches(mask_accuracy_px, &track, traced.edges.frame);
        report.covered_fraction = map.is_none().then(|| round_to(covered_fraction, 3));
        report.add_picture(road, &traced, trace.map_or(&[], |trace| &trace.styles));
        let source = Source {
            metres_per_pixel: traced.edges.frame.map(|frame| frame.metres_per_pixel),
            covered_fraction: report.covered_fraction,
            edge_uncertainty: report.edge_uncertainty.clone(),
            ..self.source(digests, [origin.x, origin.y])
        };
        let frame = traced.edges.frame;
        Ok(Extraction { frame, ..self.extraction(track, source, report) })
    }

    /// The scale, and the world position of the bottom-left corner: from the options, else from the
    /// map.
    pub(super) fn placement(&self, map: Option<&MapYaml>) -> Result<(Scale, Point), Error> {
        let options = &self.options.scale;
        let scale = match map {
            Some(map) if !options.has_scale() => Ok(Scale::MetresPerPixel(map.resolution)),
            _ => options.scale(),
        };
        let origin = match map {
            Some(map) if options.origin_m.is_none() => Ok(Point::new(map.origin[0], map.origin[1])),
            _ => options.origin(),
        };
        let wrong = |error| Error::scale(self.file, error);
        Ok((scale.map_err(wrong)?, origin.map_err(wrong)?))
    }

    /// The picture's options, with the point on the road in pixels if the scale is known already.
    fn hints_in_pixels(&self, picture: &Picture, scale: Scale, origin_m: Point) -> PictureOptions {
        let mut hints = self.options.picture.clone();
        if let (Some(Spot::Metres([x, y])), Scale::MetresPerPixel(metres_per_pixel)) = (hints.road_at, scale) {
            let (width_px, height_px) = picture.grey.dimensions();
            let frame = PictureFrame { metres_per_pixel, origin_m, width_px, height_px };
            let (column, row) = frame.to_pixel(Point::new(x, y));
            hints.road_at = Some(Spot::Pixels([column, row]));
        }
        hints
    }
}
