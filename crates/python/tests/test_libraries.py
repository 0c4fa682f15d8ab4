"""Files of raceline in public libraries of their formats, and files of those libraries in raceline.

A library that is not installed skips its tests, with its name.
"""

import datetime
import io
import json
import math

import numpy as np
import pytest
import raceline

ORIGIN = (11.1, 49.4)


def library(name):
    return pytest.importorskip(name, reason=f"{name} is not installed")


@pytest.fixture(scope="module")
def line():
    oval = raceline.generate("oval", seed=3, length=900.0, width=12.0)
    return raceline.optimize(oval, vehicle="gt", method="min-curvature")


@pytest.fixture(scope="module")
def degrees(line):
    """Longitude and latitude of places in the line's frame, as the export has them."""
    features = json.loads(line.export(format="geojson", origin=ORIGIN))["features"]
    return np.array(features[0]["geometry"]["coordinates"])[:, :2]


def length(x, y, closed=True):
    x, y = np.asarray(x), np.asarray(y)
    if closed:
        x, y = np.append(x, x[0]), np.append(y, y[0])
    return np.hypot(np.diff(x), np.diff(y)).sum()


def ring(radius=120.0, count=240):
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    # An ellipse: a circle has no corner.
    return 1.5 * radius * np.cos(angle), radius * np.sin(angle)


def on_globe(x, y):
    """Longitude and latitude of a map in metres about `ORIGIN`, on the WGS 84 ellipsoid."""
    latitude = math.radians(ORIGIN[1])
    a, e2 = 6378137.0, 0.00669437999014
    w = math.sqrt(1 - e2 * math.sin(latitude) ** 2)
    east, north = a / w * math.cos(latitude), a * (1 - e2) / w**3
    return ORIGIN[0] + np.degrees(np.asarray(x) / east), ORIGIN[1] + np.degrees(np.asarray(y) / north)


def test_gpxpy_reads_the_lap_and_writes_a_road(line, degrees, tmp_path):
    gpxpy = library("gpxpy")
    lap = gpxpy.parse(line.export(format="gpx", origin=ORIGIN).decode())
    points = lap.tracks[0].segments[0].points
    assert lap.tracks[0].name == line.name and len(points) == len(line.x) + 1
    np.testing.assert_allclose([(p.longitude, p.latitude) for p in points], degrees, atol=1e-8)
    # Its length is that on a sphere.
    assert abs(lap.length_2d() / line.length - 1) < 5e-3
    driven = (points[-1].time - points[0].time).total_seconds()
    assert abs(driven - line.lap_time) < 2e-3

    road = gpxpy.gpx.GPX()
    road.tracks.append(gpxpy.gpx.GPXTrack(name="ellipse"))
    road.tracks[0].segments.append(gpxpy.gpx.GPXTrackSegment())
    x, y = ring()
    for longitude, latitude in zip(*on_globe(x, y)):
        road.tracks[0].segments[0].points.append(gpxpy.gpx.GPXTrackPoint(latitude, longitude))
    (tmp_path / "ellipse.gpx").write_text(road.to_xml())
    track = raceline.extract(tmp_path / "ellipse.gpx", track_width_m=11.0)
    assert abs(track.length / length(x, y) - 1) < 1e-3 and abs(np.mean(track.width) - 11.0) < 0.02


def test_fastkml_reads_the_line(line, degrees, tmp_path):
    kml = library("fastkml").kml
    written = line.export(format="kml", origin=ORIGIN)
    places = list(kml_places(kml.KML.from_string(written)))
    assert len(places) == 3
    np.testing.assert_allclose([c[:2] for c in places[0].geometry.coords], degrees, atol=1e-8)


def test_simplekml_writes_edges(tmp_path):
    simplekml = library("simplekml")
    x, y = ring()
    # The road between an ellipse and one that is 10 m larger all round.
    grown = np.array(ring(1.0)) / np.hypot(*ring(1.0))
    road = simplekml.Kml()
    for name, by in (("left", 0.0), ("right", 10.0)):
        longitude, latitude = on_globe(x + by * grown[0], y + by * grown[1])
        road.newlinestring(name=name, coords=[*zip(longitude, latitude), (longitude[0], latitude[0])])
    for ending in ("kml", "kmz"):
        path = tmp_path / f"ellipse.{ending}"
        (road.save if ending == "kml" else road.savekmz)(path)
        track = raceline.extract(path)
        between = length(x + 5 * grown[0], y + 5 * grown[1])
        assert track.closed and abs(track.length / between - 1) < 2e-3, ending
        assert 9.0 < np.mean(track.width) <= 10.05, ending


def kml_places(feature):
    """The placemarks of a KML with a line."""
    for child in getattr(feature, "features", None) or []:
        if getattr(child, "geometry", None) is not None and hasattr(child.geometry, "coords"):
            yield child
        yield from kml_places(child)


def test_ezdxf_reads_line_and_edges_and_writes_a_line(line, tmp_path):
    ezdxf = library("ezdxf")
    line.save(tmp_path / "line.dxf")
    drawing = ezdxf.readfile(tmp_path / "line.dxf")
    assert not drawing.audit().has_errors
    of_layer = {entity.dxf.layer: entity for entity in drawing.modelspace().query("POLYLINE")}
    points = np.array([vertex.dxf.location for vertex in of_layer["RACING_LINE"].vertices])
    assert of_layer["RACING_LINE"].is_closed
    np.testing.assert_allclose(points[:, 0], line.x, atol=1e-3)
    np.testing.assert_allclose(points[:, 1], line.y, atol=1e-3)
    assert {"LEFT_EDGE", "RIGHT_EDGE"} <= of_layer.keys()

    drawing = ezdxf.new("R12")
    x, y = ring()
    drawing.modelspace().add_polyline2d(list(zip(x, y)), close=True, dxfattribs={"layer": "RACING_LINE"})
    drawing.saveas(tmp_path / "own.dxf")
    own = raceline.profile(tmp_path / "own.dxf", vehicle="gt")
    assert own.closed and abs(own.length / length(x, y) - 1) < 1e-3


def test_lxml_reads_opendrive_and_writes_a_map(line, tmp_path):
    etree = library("lxml.etree")
    road = etree.fromstring(line.export(format="opendrive")).find("road")
    pieces = road.findall("planView/geometry")
    total = sum(float(piece.get("length")) for piece in pieces)
    assert abs(total - float(road.get("length"))) < 1e-3 and abs(total / line.length - 1) < 1e-3
    starts = np.array([[float(piece.get(axis)) for axis in "xy"] for piece in pieces])
    near = np.hypot(line.x[:, None] - starts[:, 0], line.y[:, None] - starts[:, 1]).min(axis=0)
    assert near.max() < 1e-2
    for name in ("gpx", "kml", "lanelet2"):
        etree.fromstring(line.export(format=name, origin=ORIGIN))

    osm = etree.Element("osm", version="0.6")
    x, y = ring()
    way = etree.Element("way", id="1")
    for number, (longitude, latitude) in enumerate(zip(*on_globe(x, y)), start=1):
        etree.SubElement(osm, "node", id=str(number), lon=f"{longitude:.8f}", lat=f"{latitude:.8f}")
        etree.SubElement(way, "nd", ref=str(number))
    etree.SubElement(way, "nd", ref="1")
    for key, value in (("highway", "raceway"), ("width", "10"), ("name", "Ellipse & Söhne")):
        etree.SubElement(way, "tag", k=key, v=value)
    osm.append(way)
    etree.ElementTree(osm).write(tmp_path / "ellipse.osm", encoding="UTF-8", xml_declaration=True)
    track = raceline.extract(tmp_path / "ellipse.osm")
    assert track.closed and abs(track.length / length(x, y) - 1) < 1e-3 and track.name == "Ellipse & Söhne"


def test_svgelements_reads_the_paths(line):
    svgelements = library("svgelements")
    drawing = svgelements.SVG.parse(io.BytesIO(line.export(format="svg-path")))
    paths = {path.id: path for path in drawing.elements() if isinstance(path, svgelements.Path)}
    # A pixel is 1/96 of an inch, a metre is a millimetre.
    metres = 25.4 / 96
    racing_line = next(path for name, path in paths.items() if "line" in (name or ""))
    assert abs(racing_line.length(error=1e-4) * metres / line.length - 1) < 2e-3
    assert len(paths) == 3


def test_trimesh_writes_a_mesh(tmp_path):
    trimesh = library("trimesh")
    x, y = ring()
    grown = np.array(ring(1.0)) / np.hypot(*ring(1.0))
    rows = [np.column_stack((x + by * grown[0], y + by * grown[1], 0 * x)) for by in (0.0, 10.0)]
    count = len(x)
    here, ahead = np.arange(count), (np.arange(count) + 1) % count
    faces = np.vstack((np.column_stack((here, here + count, ahead)), np.column_stack((ahead, here + count, ahead + count))))
    mesh = trimesh.Trimesh(np.vstack(rows), faces, process=False)
    between = length(x + 5 * grown[0], y + 5 * grown[1])
    for ending in ("obj", "glb"):
        mesh.export(tmp_path / f"road.{ending}")
        track = raceline.extract(tmp_path / f"road.{ending}")
        assert track.closed and abs(track.length / between - 1) < 2e-3, ending


def test_a_log_of_fit_tool_is_that_of_fitdecode(tmp_path):
    library("fit_tool")
    fitdecode = library("fitdecode")
    from fit_tool.fit_file_builder import FitFileBuilder
    from fit_tool.profile.messages.file_id_message import FileIdMessage
    from fit_tool.profile.messages.record_message import RecordMessage
    from fit_tool.profile.profile_type import FileType, Manufacturer

    builder = FitFileBuilder(auto_define=True)
    began = datetime.datetime(2026, 11, 25, 13, 58, tzinfo=datetime.timezone.utc)
    head = FileIdMessage()
    head.type = FileType.ACTIVITY
    head.manufacturer = Manufacturer.DEVELOPMENT.value
    head.time_created = round(began.timestamp() * 1000)
    builder.add(head)
    # Four laps of 52 s at an even speed, a place every second.
    x, y = ring(count=2400)
    along = np.append(0, np.cumsum(np.hypot(np.diff(np.append(x, x[0])), np.diff(np.append(y, y[0])))))
    speed = along[-1] / 52.0
    for second in range(4 * 52 + 20):
        s = (second * speed) % along[-1]
        here = [np.interp(s, along, np.append(axis, axis[0])) for axis in (x, y)]
        longitude, latitude = on_globe(*here)
        record = RecordMessage()
        record.timestamp = round(began.timestamp() * 1000) + 1000 * second
        record.position_long, record.position_lat, record.speed = float(longitude), float(latitude), speed
        builder.add(record)
    builder.build().to_file(str(tmp_path / "day.fit"))
    with fitdecode.FitReader(str(tmp_path / "day.fit")) as frames:
        records = [f for f in frames if isinstance(f, fitdecode.FitDataMessage) and f.name == "record"]
    assert len(records) == 4 * 52 + 20
    day = raceline.laps(tmp_path / "day.fit")
    whole = [lap["time_s"] for lap in day["laps"] if lap["is_whole"]]
    assert len(whole) >= 3
    np.testing.assert_allclose(whole, 52.0, atol=0.02)
