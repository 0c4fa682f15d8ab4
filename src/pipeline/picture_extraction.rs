//! From a picture to a [`Track`](crate::track::Track): mask, edges, cross-sections.

use super::extraction::Run;
use super::report::ExtractionReport;
use super::stage_trace::StageTrace;
use super::{Error, Extraction, Warning};
use crate::file::Source;
use crate::frame::{PictureFrame, Scale, Spot};
use crate::geometry::Point;
use crate::input::Digests;
use crate::picture::{self, MapYaml, Picture, PictureOptions};
use crate::tracing;
use crate::track;

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

        self.progress.stage("finding the road");
        let hints = self.hints_in_pixels(&picture, scale, origin);
        let shape = self.options.route.shape.specified();
        if let Some(trace) = trace.as_deref_mut() {
            trace.styles = picture::try_styles(&picture, &hints, shape);
            trace.grey = Some(picture.grey.clone());
        }
        let mask = match map {
            Some(map) => picture::road_mask_of_map(&picture, map, &hints, shape),
            None => picture::road_mask(&picture, &hints, shape),
        }?;
        drop(picture);

        self.progress.stage("tracing the edges");
        let traced = tracing::trace(&mask, scale, origin, &self.options.route);
        let road = (mask.style, mask.score, mask.dropped_shapes);
        if let Some(trace) = trace.as_deref_mut() {
            trace.mask = Some(mask);
            trace.traced = traced.as_ref().ok().cloned();
        }
        let traced = traced.map_err(|error| Error::Edges { file: self.file.to_owned(), error })?;

        self.progress.stage("cutting cross-sections");
        let track = track::cut_for(&traced.edges, &self.options.track, self.vehicle.length_m)
            .map_err(|error| Error::track(self.file, error))?;

        let (track, notes) = self.of_schematic_width(track, traced.edges.frame)?;

        let mut report =
            ExtractionReport::new(&self.track_name(), &track, notes.into_iter().map(Warning::from).collect());
        report.add_picture(road, &traced, trace.map_or(&[], |trace| &trace.styles));
        let source = Source {
            metres_per_pixel: traced.edges.frame.map(|frame| frame.metres_per_pixel),
            ..self.source(digests, [origin.x, origin.y])
        };
        let frame = traced.edges.frame;
        Ok(Extraction { file: self.file.to_owned(), name: self.track_name(), track, source, frame, report })
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
