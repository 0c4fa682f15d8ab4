//! Routes through streets: known shortest routes, turns, one-way streets, orders of vias, all routes,
//! and the road along a route.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::f64::consts::FRAC_PI_2;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use image::{GrayImage, Luma};
use raceline::Options;
use raceline::frame::Spot;
use raceline::geometry::Point;
use raceline::network::{
    Answer, Directions, Network, NetworkError, NetworkOptions, OneWay, PickUp, RouteKind, Street, Task, ViaOrder, route,
};
use raceline::pipeline::{Error, Silent, extract, streets};
use raceline::vehicle::{Vehicle, preset};

/// Side of a block, metres.
const BLOCK_M: f64 = 60.0;

fn kart() -> Vehicle {
    preset("kart").unwrap()
}

fn street(points: &[[f64; 2]], half_width_m: f64) -> Street {
    let line = points.iter().map(|&point| Point::from(point)).collect();
    Street { line, half_width_m, directions: Directions::Both }
}

/// Streets between `count` by `count` junctions.
fn grid(count: usize) -> Network {
    let end = (count - 1) as f64 * BLOCK_M;
    let across = (0..count).map(|i| i as f64 * BLOCK_M);
    let lines = across.flat_map(|at| [street(&[[at, 0.0], [at, end]], 4.0), street(&[[0.0, at], [end, at]], 4.0)]);
    Network::new(&lines.collect::<Vec<_>>(), true).unwrap()
}

fn options(kind: RouteKind) -> NetworkOptions {
    NetworkOptions { route: Some(kind), ..NetworkOptions::default() }
}

fn found(
    network: &Network,
    stops: &[[f64; 2]],
    closed: bool,
    options: &NetworkOptions,
    pick_ups: &[PickUp],
) -> Result<Answer, NetworkError> {
    let stops: Vec<Point> = stops.iter().map(|&stop| Point::from(stop)).collect();
    route(network, &Task { stops: &stops, closed, options, pick_ups, vehicle: &kart() })
}

#[test]
fn the_shortest_route_through_a_grid_has_the_length_of_both_sides_and_the_fastest_one_turn() {
    let network = grid(5);
    assert_eq!((network.nodes.len(), network.pieces.len()), (25, 40));
    let stops = [[0.0, 0.0], [240.0, 120.0]];
    let shortest = found(&network, &stops, false, &options(RouteKind::Shortest), &[]).unwrap().route;
    assert!((shortest.length_m - 360.0).abs() < 1e-6, "{}", shortest.length_m);
    let fastest = found(&network, &stops, false, &options(RouteKind::Fastest), &[]).unwrap().route;
    assert!((fastest.length_m - 360.0).abs() < 1e-6, "{}", fastest.length_m);
    // From corner to side: along one side and then the other. The corner itself is no junction of
    // more than two streets.
    assert!(fastest.turns <= 1 && fastest.estimated_time_s <= shortest.estimated_time_s + 1e-9);
    // From within a piece to within another.
    let stops = [[30.0, 0.0], [30.0, 60.0]];
    let between = found(&network, &stops, false, &options(RouteKind::Shortest), &[]).unwrap().route;
    assert!((between.length_m - 120.0).abs() < 1e-6, "{}", between.length_m);
}

#[test]
fn a_stop_in_a_junction_is_the_junction() {
    // From 2.6 m beside the corner the route would begin with a stub and a bend without room.
    let network = grid(5);
    let from = |x: f64| {
        let stops = [[x, 0.5], [240.0, 120.0]];
        found(&network, &stops, false, &options(RouteKind::Shortest), &[]).unwrap().route
    };
    assert_eq!(from(2.6).path, from(0.0).path);
    assert!((from(2.6).length_m - 360.0).abs() < 1e-6);
    // Beyond half of the street's width it is its own place.
    assert!((from(4.5).length_m - 355.5).abs() < 1e-6, "{}", from(4.5).length_m);
}

#[test]
fn the_fastest_route_is_longer_where_the_shortest_has_many_turns() {
    // A saw between the corners of a square, with teeth of 40°, and the route along two sides.
    let (teeth, whole) = (10, 2f64.sqrt() * 100.0);
    let step = whole / f64::from(teeth);
    let aside = step * 40f64.to_radians().tan();
    let saw: Vec<[f64; 2]> = (0..=teeth)
        .map(|i| {
            let (along, across) = (f64::from(i) * step, if i % 2 == 1 { aside } else { 0.0 });
            let (sine, cosine) = 45f64.to_radians().sin_cos();
            [along * cosine - across * sine, along * sine + across * cosine]
        })
        .collect();
    let sides = [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0]];
    let network = Network::new(&[street(&saw, 2.5), street(&sides, 2.5)], false).unwrap();
    let stops = [[0.0, 0.0], [100.0, 100.0]];
    let shortest = found(&network, &stops, false, &options(RouteKind::Shortest), &[]).unwrap().route;
    let saw_m = whole / 40f64.to_radians().cos();
    assert!((shortest.length_m - saw_m).abs() < 1e-3, "{} and {saw_m}", shortest.length_m);
    let fastest = found(&network, &stops, false, &options(RouteKind::Fastest), &[]).unwrap().route;
    assert!((fastest.length_m - 200.0).abs() < 1e-6, "{}", fastest.length_m);
    assert!(fastest.estimated_time_s < shortest.estimated_time_s);
}

#[test]
fn one_way_streets_are_respected_and_reported_when_nothing_else_leads_there() {
    let square = [[0.0, 0.0], [100.0, 0.0], [100.0, 50.0], [0.0, 50.0], [0.0, 0.0]];
    let lines: Vec<Street> = square.windows(2).map(|ends| street(ends, 3.0)).collect();
    let network = Network::new(&lines, false).unwrap();
    let stops = [[0.0, 0.0], [100.0, 0.0]];
    let mut given = options(RouteKind::Shortest);
    let length =
        |given: &NetworkOptions| found(&network, &stops, false, given, &[]).map(|answer| answer.route.length_m);
    assert!((length(&given).unwrap() - 100.0).abs() < 1e-9);
    given.one_way.push(OneWay { from: [60.0, 0.0], to: [40.0, 0.0] });
    assert!((length(&given).unwrap() - 200.0).abs() < 1e-9);
    given.one_way.push(OneWay { from: [60.0, 50.0], to: [40.0, 50.0] });
    let error = length(&given).unwrap_err();
    assert!(matches!(error, NetworkError::NoRoute { despite_one_way: true, .. }), "{error}");
    assert!(error.to_string().contains("one-way streets forbid it"), "{error}");
    let apart = Network::new(&[lines[0].clone(), street(&[[0.0, 20.0], [9.0, 20.0]], 3.0)], false).unwrap();
    let error = found(&apart, &[[0.0, 0.0], [9.0, 20.0]], false, &options(RouteKind::Fastest), &[]).unwrap_err();
    assert!(matches!(error, NetworkError::NoRoute { despite_one_way: false, .. }), "{error}");
}

/// Every order of `items`.
fn orders(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |first: &usize| {
        let rest: Vec<usize> = items.iter().copied().filter(|item| item != first).collect();
        orders(&rest).into_iter().map(|order| [vec![*first], order].concat()).collect::<Vec<_>>()
    };
    items.iter().flat_map(with_first).collect()
}

#[test]
fn any_order_of_six_vias_is_the_best_of_all_permutations() {
    let network = grid(4);
    let vias = [[180.0, 120.0], [0.0, 120.0], [60.0, 0.0], [180.0, 180.0], [120.0, 180.0], [180.0, 0.0]];
    let from = [0.0, 0.0];
    // In a grid two stops are as far apart as both differences together.
    let apart = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs() + (a[1] - b[1]).abs();
    let tour = |order: &Vec<usize>| {
        let stops: Vec<[f64; 2]> = [from].into_iter().chain(order.iter().map(|&i| vias[i])).chain([from]).collect();
        stops.windows(2).map(|pair| apart(pair[0], pair[1])).sum::<f64>()
    };
    let all = orders(&[0, 1, 2, 3, 4, 5]);
    assert_eq!(all.len(), 720);
    let best = all.iter().map(tour).fold(f64::INFINITY, f64::min);
    let stops: Vec<[f64; 2]> = [from].into_iter().chain(vias).collect();
    let any = NetworkOptions { via_order: Some(ViaOrder::Any), ..options(RouteKind::Shortest) };
    let answer = found(&network, &stops, true, &any, &[]).unwrap();
    assert!((answer.route.length_m - best).abs() < 1e-6, "{} and {best}", answer.route.length_m);
    assert_eq!(answer.route.repeats, None);
    let given = found(&network, &stops, true, &options(RouteKind::Shortest), &[]).unwrap();
    assert!(given.route.length_m > best + 1.0);
    let many: Vec<[f64; 2]> = (0..12).map(|i| [f64::from(i) * 10.0, 0.0]).collect();
    let error = found(&network, &many, true, &any, &[]).unwrap_err();
    assert_eq!(error, NetworkError::TooManyVias { count: 11, limit: 10 });
}

#[test]
fn the_exhaustive_search_by_time_alone_finds_the_route_of_the_graph_search() {
    let network = grid(4);
    let stops = [[0.0, 0.0], [180.0, 120.0]];
    let by_time = NetworkOptions { depth: Some(8), ..options(RouteKind::Exhaustive) };
    let answer = found(&network, &stops, false, &by_time, &[]).unwrap();
    assert!(answer.is_same() && answer.paths.unwrap() > 10);
    let graph = answer.fastest.unwrap();
    assert!((graph.estimated_time_s - answer.route.estimated_time_s).abs() < 1e-9);
    // Something of worth on the far side is fetched, and counted.
    let pick_up = PickUp { at: [150.0, 183.0], radius_m: 1.0, worth_s: 60.0 };
    let fetched = found(&network, &stops, false, &by_time, &[pick_up]).unwrap();
    assert!((fetched.route.worth_s - 60.0).abs() < 1e-9 && !fetched.is_same());
    assert!((fetched.route.score_s - (fetched.route.estimated_time_s - 60.0)).abs() < 1e-9);
    // With a great worth of straights more junctions are passed straight on.
    let straight = NetworkOptions { straight_weight_s: Some(100.0), ..by_time.clone() };
    let through = found(&network, &stops, false, &straight, &[]).unwrap().route;
    assert!(through.straights > answer.route.straights, "{} {}", through.straights, answer.route.straights);
    let shallow = NetworkOptions { depth: Some(2), ..by_time };
    let error = found(&network, &stops, false, &shallow, &[]).unwrap_err();
    assert!(matches!(error, NetworkError::TooShallow { depth: 2, needed: 5 }), "{error}");
}

#[test]
fn lines_that_cross_are_a_junction_only_where_they_share_a_point_or_where_asked() {
    let cross = [street(&[[-50.0, 0.0], [50.0, 0.0]], 3.0), street(&[[0.0, -50.0], [0.0, 50.0]], 3.0)];
    let bridge = Network::new(&cross, false).unwrap();
    assert_eq!((bridge.nodes.len(), bridge.pieces.len()), (4, 2));
    let junction = Network::new(&cross, true).unwrap();
    assert_eq!((junction.nodes.len(), junction.pieces.len()), (5, 4));
    // An end beside another street joins it.
    let side = [cross[0].clone(), street(&[[10.0, 0.3], [10.0, 40.0]], 3.0)];
    let joined = Network::new(&side, false).unwrap();
    assert_eq!((joined.nodes.len(), joined.pieces.len()), (4, 3));
    assert_eq!(Network::new(&[], true), Err(NetworkError::NoStreets));
}

/// GeoJSON of lines in metres about 9° E on the equator.
fn geojson(lines: &[Vec<[f64; 2]>], properties: &str) -> String {
    let degrees = |[x, y]: [f64; 2]| {
        format!("[{:.12}, {:.12}]", 9.0 + (x / 6_378_137.0f64).to_degrees(), (y / 6_335_439.327f64).to_degrees())
    };
    let feature = |line: &Vec<[f64; 2]>| {
        let points: Vec<String> = line.iter().map(|&point| degrees(point)).collect();
        format!(
            r#"{{"type": "Feature", "properties": {{{properties}}}, "geometry": {{"type": "LineString", "coordinates": [{}]}}}}"#,
            points.join(", ")
        )
    };
    let features: Vec<String> = lines.iter().map(feature).collect();
    format!(r#"{{"type": "FeatureCollection", "features": [{}]}}"#, features.join(",\n"))
}

/// A ring of 200 m by 100 m about (0, 0) with a street across it at x = -20.
fn ladder() -> Vec<Vec<[f64; 2]>> {
    let (left, middle, right, low, high) = (-100.0, -20.0, 100.0, -50.0, 50.0);
    vec![
        vec![[left, low], [middle, low], [right, low]],
        vec![[left, high], [middle, high], [right, high]],
        vec![[left, low], [left, high]],
        vec![[middle, low], [middle, high]],
        vec![[right, low], [right, high]],
    ]
}

fn through_ladder() -> Options {
    let mut options = Options::default();
    options.plan.from = Some(Spot::Metres([-60.0, -50.0]));
    options.plan.to = Some(Spot::Metres([30.0, 50.0]));
    options.network.route = Some(RouteKind::Fastest);
    options.vehicle = Some("kart".to_owned());
    options
}

fn route_in(file: &Path, options: &Options) -> Answer {
    let map = streets(file, options, &kart()).unwrap().expect("a network");
    map.route(options, &kart()).unwrap()
}

#[test]
fn picture_drawing_and_geojson_of_the_same_streets_have_the_same_route_and_a_road_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let lines = ladder();
    let (json, drawing, picture) =
        (folder.path().join("a.geojson"), folder.path().join("b.svg"), folder.path().join("c.png"));
    fs::write(&json, geojson(&lines, r#""width_m": 8"#)).unwrap();
    let paths: Vec<String> = lines
        .iter()
        .map(|line| {
            let points: Vec<String> = line.iter().map(|[x, y]| format!("{},{}", x + 120.0, 70.0 - y)).collect();
            format!(r#"<path d="M{}" fill="none" stroke="black" stroke-width="8"/>"#, points.join(" L"))
        })
        .collect();
    let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="240" height="140">{}</svg>"#, paths.concat());
    fs::write(&drawing, svg).unwrap();
    let cell = 0.5;
    let near = |x: f64, y: f64| {
        lines.iter().flat_map(|line| line.windows(2)).any(|pair| {
            let ([ax, ay], [bx, by]) = (pair[0], pair[1]);
            let outside = |v: f64, a: f64, b: f64| (a.min(b) - v).max(v - a.max(b)).max(0.0);
            outside(x, ax, bx).max(outside(y, ay, by)) <= 4.0
        })
    };
    let image = GrayImage::from_fn(480, 280, |column, row| {
        let (x, y) = ((f64::from(column) + 0.5) * cell - 120.0, 70.0 - (f64::from(row) + 0.5) * cell);
        Luma([if near(x, y) { 255 } else { 0 }])
    });
    image.save(&picture).unwrap();
    let (expected, mut turns) = (40.0 + 100.0 + 50.0, Vec::new());
    for file in [&json, &drawing, &picture] {
        let mut options = through_ladder();
        if file != &json {
            options.scale.metres_per_pixel = Some(if file == &picture { cell } else { 1.0 });
            options.scale.origin_m = Some([-120.0, -70.0]);
        }
        let (route, place) = (route_in(file, &options).route, file.display());
        assert!((route.length_m - expected).abs() < 0.02 * expected, "{place}: {} m", route.length_m);
        turns.push(route.turns);
        let extraction = extract(file, &options, &Silent).unwrap();
        for section in &extraction.track.sections {
            let width = section.width();
            assert!(width > 2.0 && width < 14.0, "{place}: {width}");
            if file != &picture {
                assert!((7.8..9.5).contains(&width), "{place}: {width}");
            }
            for end in [section.left, section.right] {
                // Inner corners are rounded by a tenth of half the width.
                let inside = [0.3, -0.3, 0.0].map(|dx| [0.3, -0.3, 0.0].map(|dy| near(end.x + dx, end.y + dy)));
                assert!(inside.as_flattened().contains(&true), "{place}: {end} is outside of the streets");
            }
        }
    }
    assert_eq!(turns, [turns[0]; 3]);
}

#[test]
fn the_road_round_a_corner_has_the_streets_outer_arc() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("corner.geojson");
    // The middle of both lines is (50, 50).
    fs::write(&file, geojson(&[vec![[0.0, 0.0], [100.0, 0.0]], vec![[100.0, 0.0], [100.0, 100.0]]], "")).unwrap();
    let mut options = through_ladder();
    options.network.street_width_m = Some(10.0);
    options.plan.from = Some(Spot::Metres([-50.0, -50.0]));
    options.plan.to = Some(Spot::Metres([50.0, 50.0]));
    let length = extract(&file, &options, &Silent).unwrap().track.centre_line().length();
    // An arc of 1.1 half-widths in place of two tangents as long.
    let radius = 5.5;
    let expected = 200.0 - (2.0 - FRAC_PI_2) * radius;
    assert!((length - expected).abs() < 0.5, "{length} and {expected}");
}

#[test]
fn what_cannot_be_a_road_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("town.geojson");
    fs::write(&file, geojson(&ladder(), r#""width_m": 8, "oneway": "no""#)).unwrap();
    let reported = |change: &dyn Fn(&mut Options)| {
        let mut options = through_ladder();
        change(&mut options);
        match extract(&file, &options, &Silent) {
            Err(Error::Network { error, .. }) => error,
            other => panic!("{:?}", other.map(|found| found.name)),
        }
    };
    let beside = reported(&|options| options.plan.to = Some(Spot::Metres([30.0, 30.0])));
    assert!(matches!(beside, NetworkError::NotOnStreet { .. }), "{beside}");
    assert!(beside.to_string().contains("20.0 m from the nearest street"), "{beside}");
    let pixels = reported(&|options| options.plan.to = Some(Spot::Pixels([3.0, 4.0])));
    assert_eq!(pixels, NetworkError::NoPixels { stop: "to".to_owned() });
    let narrow = reported(&|options| options.safety_distance_m = Some(4.5));
    assert!(matches!(narrow, NetworkError::TooNarrow { .. }), "{narrow}");
    // From a dead end and back there is no route but the same street.
    fs::write(&file, geojson(&[vec![[0.0, 0.0], [100.0, 0.0]], vec![[100.0, 0.0], [200.0, 0.0]]], "")).unwrap();
    let twice = reported(&|options| {
        options.plan.from = Some(Spot::Metres([-90.0, 0.0]));
        options.plan.to = Some(Spot::Metres([-50.0, 0.0]));
        options.route.via = vec![Spot::Metres([60.0, 0.0])];
    });
    assert!(matches!(twice, NetworkError::RepeatsStreet { .. }), "{twice}");
    fs::write(&file, geojson(&ladder(), r#""width_m": -1"#)).unwrap();
    let width = reported(&|_| {});
    assert!(width.to_string().contains("feature 1: its width_m is -1"), "{width}");
}

#[test]
fn streets_beside_a_sidecar_are_planned_and_optimised_by_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("town.geojson"), geojson(&ladder(), r#""width_m": 8, "oneway": "no""#)).unwrap();
    // The street across the ring leads down only.
    let sidecar = "from = [-60, -50]\nto = [30, 50]\nvehicle = \"kart\"\n\
                   [[one_way]]\nfrom = [-20, 20]\nto = [-20, -20]\n[[pick_up]]\nat = [60, -50]\nradius_m = 1\nworth_s = 1\n\
                   [route_weights]\nturn_weight_s = 2\n";
    fs::write(folder.path().join("town.toml"), sidecar).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("raceline").unwrap();
        let output = command.current_dir(folder.path()).args(arguments).output().unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        assert!(output.status.success(), "{text}");
        text
    };
    let table = run(&["plan", "town.geojson", "--all", "-o", "routes.svg"]);
    // Up the left side: 40 + 100 + 130 m.
    assert!(table.contains("270.00 m") && table.contains("exhaustive: "), "{table}");
    assert!(fs::read_to_string(folder.path().join("routes.svg")).unwrap().contains("fastest"));
    let report =
        run(&["optimize", "town.geojson", "--route", "exhaustive", "--method", "min-curvature", "-o", "line.json"]);
    assert!(report.contains("route: the best of ") && report.contains("pick-up 1 is left"), "{report}");
    assert!(folder.path().join("line.json").is_file());
}

/// A map with more pieces than an exhaustive search has: the other kinds of route are printed all the same.
#[test]
fn all_kinds_of_route_are_compared_where_the_exhaustive_search_gives_up() {
    let folder = tempfile::tempdir().unwrap();
    let map = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/maps/quarter.geojson");
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.current_dir(folder.path()).arg("plan").arg(&map).args(["--depth", "1"]).args(arguments);
        command.output().unwrap()
    };
    let output = run(&["--all", "--json"]);
    let routes: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((routes[1]["status"].as_str(), routes[2]["status"].as_str()), (Some("found"), Some("gave up")));
    assert!(routes[1]["length_m"].is_number() && routes[2]["length_m"].is_null(), "{routes}");
    let table = String::from_utf8(run(&["--all"]).stdout).unwrap();
    assert!(table.contains("gave up") && table.contains("raise depth"), "{table}");
    assert_eq!(run(&["--route", "exhaustive"]).status.code(), Some(1));
}

#[test]
fn in_the_quarter_the_shortest_route_is_not_the_fastest_and_a_pick_up_leads_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let map = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/maps/quarter.geojson");
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.arg("plan").arg(map).args(["--all", "--json", "-o"]).arg(folder.path().join("routes.svg"));
    let output = command.assert().success().get_output().stdout.clone();
    let routes: serde_json::Value = serde_json::from_slice(&output).unwrap();
    let number = |index: usize, key: &str| routes[index][key].as_f64().unwrap();
    assert!(number(0, "length_m") < number(1, "length_m") - 50.0, "{routes}");
    assert!(number(1, "estimated_time_s") < number(0, "estimated_time_s") - 0.5, "{routes}");
    assert!(number(2, "estimated_time_s") > number(1, "estimated_time_s") + 1.0, "{routes}");
    assert!((number(2, "score_s") - (number(2, "estimated_time_s") - 5.0)).abs() < 1e-6, "{routes}");
}

#[test]
fn a_line_with_details_has_the_streets_about_its_route_and_the_page_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let map = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks/maps/quarter.geojson");
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.current_dir(folder.path()).args(arguments).assert().success();
    };
    let line = |name: &str| raceline::file::json::read(&fs::read(folder.path().join(name)).unwrap()).unwrap();
    run(&["optimize", map.to_str().unwrap(), "--detail", "-o", "line.json", "--quiet"]);
    run(&["optimize", map.to_str().unwrap(), "-o", "short.json", "--quiet"]);
    assert_eq!(line("short.json").streets, None);
    let detailed = line("line.json");
    let streets = detailed.streets.as_ref().unwrap();
    let network = streets_of_quarter(&map);
    assert_eq!((streets.lines.len(), streets.left_out), (network.pieces.len(), 0));
    // The line runs along some of them, and others lie far from it.
    let distance = |street: &Vec<[f64; 2]>| {
        let nearest =
            |[x, y]: &[f64; 2]| detailed.points.iter().map(|at| (at.x_m - x).hypot(at.y_m - y)).fold(1e9, f64::min);
        street.iter().map(nearest).fold(0.0, f64::max)
    };
    assert!(streets.lines.iter().any(|street| distance(street) < 10.0));
    assert!(streets.lines.iter().any(|street| distance(street) > 50.0));
    run(&["render", "line.json", "-o", "line.html"]);
    run(&["render", "short.json", "-o", "short.html"]);
    let page = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(page("line.html").contains(r#""streets":{"counts":[2"#) && !page("short.html").contains(r#""streets":"#));
    assert!(page("line.html").len() < page("short.html").len() + 40_000, "a few streets are some kilobytes");
    // A line of a track that was read from an extracted file, or from a line, is no route.
    run(&["extract", map.to_str().unwrap(), "-o", "track.json", "--quiet"]);
    run(&["optimize", "track.json", "--detail", "-o", "track_line.json", "--quiet"]);
    assert_eq!(line("track_line.json").streets, None);
}

/// The streets of the file, as they are read for a route.
fn streets_of_quarter(map: &Path) -> Network {
    let options = Options::from_layers(&[raceline::options::Layer::from_toml(
        &map.with_extension("toml"),
        &fs::read_to_string(map.with_extension("toml")).unwrap(),
    )
    .unwrap()])
    .unwrap();
    streets(map, &options, &kart()).unwrap().unwrap().network
}
