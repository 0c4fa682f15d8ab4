//! `raceline plan`: paths through free space, by one planner or by all.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::anyhow;

use raceline::pipeline::{self, Error};
use raceline_file::files;
use raceline_plan::{self as plan, LookAhead, Plan, PlanError, PlannerKind, TileRaceOptions};
use raceline_render::plan_picture;
use raceline_road::geometry::Point;

use super::advice::with_advice;
use super::option_flags::OptionFlags;
use super::output::Output;
use super::plan_summary::PlanSummary;
use super::plan_tiles::RaceOver;
use super::report::{self, Failure};
use super::text_table::text_table;
use super::{GlobalFlags, file_guard, plan_drive, plan_roadmap, plan_streets, plan_tasks, progress};

/// Plan a path from a point to another through the free space of a map, or a route through streets
///
/// Reads an occupancy grid (a ROS map YAML), a picture whose light pixels are free, or a mesh of the floor of a
/// level, as a navigation mesh (OBJ, GLB). Lines of GeoJSON or SVG, maps of OpenStreetMap and roads of OpenDRIVE are streets, and so is a picture with --route: the
/// route and its turns are printed. Prints what the path costs the planner, its length when pulled taut,
/// its estimated time for the vehicle, how many nodes were expanded and how long it took. `raceline
/// optimize` with the same flags finds the fastest line along the path.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// A map YAML, a picture, a mesh as OBJ or GLB, or streets as GeoJSON, SVG, OpenStreetMap or OpenDRIVE
    #[arg(value_name = "MAP")]
    input: PathBuf,
    /// Compare all planners; on streets, all kinds of route
    #[arg(long, conflicts_with_all = ["planner", "route"])]
    all: bool,
    /// In place of one path, try this many with random ends, drawn with --seed, 1 to 100000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000),
          conflicts_with_all = ["from", "to", "output"])]
    tasks: Option<u32>,
    /// Drive from --from to --to without knowing the map, which a lidar with this radius discovers;
    /// with --all, compare D* Lite, which replans, with A* from scratch
    #[arg(long, value_name = "RADIUS_M", conflicts_with_all = ["tasks", "route"])]
    discover: Option<f64>,
    /// With --discover, race over road tiles with this side: the tiles within the radius are seen, and in each
    /// the route is chosen anew among all of --depth tiles; the vias are checkpoints. With --all, D* Lite drives too
    #[arg(long, value_name = "SIDE_M", requires = "discover")]
    tile_m: Option<f64>,
    /// What a turn by a quarter costs in a race over tiles, in tiles, 0 to 1000; default 0
    #[arg(long, value_name = "TILES", requires = "tile_m", allow_negative_numbers = true)]
    turn_tiles: Option<f64>,
    /// Keep the roadmap of prm or gaussian-prm in this file: written if it does not exist, else used for
    /// the path or the tasks
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "discover", "route"])]
    roadmap: Option<PathBuf>,
    /// Where to draw the path and what was expanded: a file ending in .svg or .png
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: OptionFlags,
}

const AFTER_HELP: &str = "\
Examples:
  A path through a hall, with a picture:
    raceline plan hall.yaml --from 2.0,3.5 --to 14,9 --vehicle robot-car -o path.png
  All planners beside one another:
    raceline plan hall.yaml --from 2.0,3.5 --to 14,9 --vehicle robot-car --all -o paths.svg
  How often and how fast they find one of 100 random paths:
    raceline plan hall.yaml --vehicle robot-car --all --tasks 100 --seed 1
  100 paths by a roadmap that is made once and kept:
    raceline plan hall.yaml --vehicle robot-car --tasks 100 --roadmap hall-roadmap.json
  A drive through a maze that is discovered with a lidar of 5 m:
    raceline plan maze.yaml --from 1,1 --to 14,9 --vehicle robot-car --discover 5 -o driven.png
  A race over road tiles of 20 m with checkpoints, of which those within 60 m are seen:
    raceline plan town.png --metres-per-pixel 1 --from 10,10 --via 90,30 --to 10,170 --discover 60 --tile-m 20 --all
  The fastest route through streets, with a picture:
    raceline plan streets.geojson --from 0,0 --to 250,80 --via 120,40 -o route.png";

impl Arguments {
    /// Plans, prints and draws.
    pub fn run(self, flags: GlobalFlags) -> Result<(), Failure> {
        if files::is_standard_input(&self.input) {
            return Err(Failure::usage("plan reads its map twice: save standard input to a file and name that"));
        }
        let format = self.output.as_deref().map(|path| super::picture_format(path, ".svg or .png")).transpose()?;
        let layered = self.options.layered(&self.input)?;
        let vehicle = layered.load_vehicle()?;
        let output = format.zip(self.output.as_deref().map(Output::new));
        let kept = self.roadmap.as_deref().map(Output::new);
        let outputs = output.iter().map(|(_, output)| output).chain(&kept);
        file_guard::check(&self.options.files(&self.input), outputs)?;
        if let Some((_, output)) = &output {
            output.check()?;
        }
        let options = &layered.options;
        if self.discover.is_some() && options.plan.chooses_search() {
            return Err(Failure::usage(
                "--discover plans with D* Lite, which knows no heading: remove planner, heuristic, potential_escape, \
                 from_heading_deg and to_heading_deg, or pass --no-sidecar if they stand there",
            ));
        }
        if options.plan.is_planned()
            && let Some(map) =
                pipeline::streets(&self.input, options, &vehicle).map_err(|error| layered.failure(error))?
        {
            if self.discover.is_some() {
                return Err(Failure::usage("--discover needs a map with free space: streets are known as a whole"));
            }
            if self.roadmap.is_some() {
                return Err(Failure::usage("--roadmap needs a map with free space: streets need no samples"));
            }
            return plan_streets::run(&self.input, &map, options, &vehicle, (self.all, self.json), output.as_ref());
        }
        let space = pipeline::free_space(&self.input, options, &vehicle)?;
        if let Some(radius_m) = self.discover {
            let of = (options, &vehicle);
            let failure = |error| layered.failure(error);
            if let Some(tile_m) = self.tile_m {
                let look_ahead =
                    LookAhead { depth: options.network.depth(), turn_tiles: self.turn_tiles.unwrap_or_default() };
                let how = TileRaceOptions { tile_m, radius_m, look_ahead, compares: self.all };
                let drive = |stops: &[Point], closed| {
                    plan::tile_race(&space, stops, closed, &how).map(|race| RaceOver { race, tile_m })
                };
                return plan_drive::run(&self.input, &space, of, self.json, output.as_ref(), failure, drive);
            }
            let drive = |stops: &[Point], closed| plan::discover(&space, stops, closed, radius_m, self.all);
            return plan_drive::run(&self.input, &space, of, self.json, output.as_ref(), failure, drive);
        }
        let seed = options.solve.seed;
        let roadmap = self
            .roadmap
            .as_deref()
            .map(|file| plan_roadmap::kept_in(file, options.plan.planner, &space, seed))
            .transpose()?;
        let kinds = match &roadmap {
            _ if self.all => PlannerKind::ALL.to_vec(),
            Some(roadmap) => vec![roadmap.kind()],
            None => vec![options.plan.kind()],
        };
        let find = |kind: PlannerKind, stops: &[Point], closed: bool| match &roadmap {
            Some(roadmap) => plan::plan_on(roadmap, &options.plan, &space, stops, closed, &vehicle),
            // One planner refuses an option that it does not have; beside others it goes without.
            None if self.all => {
                plan::plan(kind, &options.plan.for_planner(kind), &space, stops, closed, &vehicle, seed)
            }
            None => plan::plan(kind, &options.plan, &space, stops, closed, &vehicle, seed),
        };
        let progress = progress::watch(flags, &self.input.display().to_string());
        if let Some(tasks) = self.tasks {
            let tried = plan_tasks::run(&kinds, find, &space, (tasks as usize, seed), &*progress)?;
            drop(progress);
            let text = if self.json { serde_json::to_string_pretty(&tried)? + "\n" } else { tried.table() };
            report::to_stdout(&text)?;
            return if tried.is_solvable() {
                Ok(())
            } else {
                Err(Failure::Job(anyhow!("{}: no planner has a path for any of the tasks", self.input.display())))
            };
        }
        let wrong = |error| Error::Plan { file: self.input.clone(), error };
        let (stops, closed) = pipeline::stops(options, &space.frame).map_err(|error| layered.failure(wrong(error)))?;
        let mut rows = vec![heading()];
        let mut results = Vec::new();
        let (mut plans, mut failures): (Vec<Plan>, Vec<PlanError>) = (Vec::new(), Vec::new());
        for &kind in &kinds {
            progress.stage(kind.name());
            let begun = Instant::now();
            let found = find(kind, &stops, closed);
            let milliseconds = begun.elapsed().as_secs_f64() * 1e3;
            match found {
                Ok(plan) => {
                    rows.push(row(&plan, milliseconds));
                    results.push(PlanSummary::found(&plan));
                    plans.push(plan);
                }
                Err(error @ (PlanError::NoPath { .. } | PlanError::NoTurn { .. } | PlanError::GaveUp { .. }))
                    if self.all =>
                {
                    let status = if matches!(error, PlanError::GaveUp { .. }) { "gave up" } else { "no way" };
                    rows.push(vec![kind.name().to_owned(), status.to_owned()]);
                    results.push(PlanSummary::missing(kind, status));
                    failures.push(error);
                }
                Err(error) => return Err(wrong(error).into()),
            }
        }
        drop(progress);
        if let Some((format, output)) = &output {
            output.write(&format.bytes_of(plan_picture::svg(&space, &stops, &plans)?)?)?;
        }
        if !flags.quiet {
            for plan in &plans {
                let Some(first) = plan.minima.first() else { continue };
                let message = format!(
                    "{}: {} stopped in {} local minima, first at ({:.2} m, {:.2} m), and left each: prefer \
                     --planner voronoi, which has none",
                    self.input.display(),
                    plan.planner.name(),
                    plan.minima.len(),
                    first.x,
                    first.y
                );
                report::print_warning(&message, flags.colour());
            }
        }
        let text = if self.json { serde_json::to_string_pretty(&results)? + "\n" } else { text_table(&rows, 2) };
        let reported = report::beside(&text, output.is_some_and(|(_, output)| output.is_stdout()));
        match failures.pop() {
            Some(error) if plans.is_empty() => Err(Failure::Job(anyhow!("{}", with_advice(&wrong(error))))),
            _ => Ok(reported?),
        }
    }
}

fn heading() -> Vec<String> {
    ["planner", "status", "cost", "length", "estimated time", "expanded", "time"].map(str::to_owned).to_vec()
}

fn row(plan: &Plan, milliseconds: f64) -> Vec<String> {
    let unit = if plan.planner == PlannerKind::Voronoi { "s" } else { "m" };
    vec![
        plan.planner.name().to_owned(),
        "found".to_owned(),
        format!("{:.2} {unit}", plan.cost),
        format!("{:.2} m", plan.length_m),
        format!("{:.2} s", plan.estimated_time_s),
        plan.nodes_expanded.to_string(),
        format!("{milliseconds:.1} ms"),
    ]
}
