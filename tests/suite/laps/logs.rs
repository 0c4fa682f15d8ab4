//! Logs as loggers write them, of what `raceline drive` drives: with noise and drift from a seed.

use std::fmt::Write as _;

use raceline::drive::TraceRow;
use raceline::geometry::{Point, Projection};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Where the circuits of the tests lie: longitude and latitude, degrees; in the west, so that a sign counts.
pub const ORIGIN_DEG: [f64; 2] = [-1.0169, 52.0706];

/// What a receiver does.
#[derive(Clone, Copy, Debug)]
pub struct Receiver {
    pub rate_hz: f64,
    pub noise_m: f64,
    /// Amplitude of the drift, m; its period is some minutes.
    pub drift_m: f64,
    pub seed: u64,
}

/// A row of a log.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub time_s: f64,
    pub position_m: [f64; 2],
    pub longitude: f64,
    pub latitude: f64,
    pub speed_mps: f64,
    /// Degrees clockwise from the north.
    pub bearing: f64,
    pub lateral_g: f64,
    pub pedal: f64,
}

/// What a receiver writes of a trace.
pub fn rows(trace: &[TraceRow], receiver: Receiver) -> Vec<Row> {
    let projection = Projection::at(ORIGIN_DEG);
    let mut random = ChaCha8Rng::seed_from_u64(receiver.seed);
    let mut normal = move || {
        let (a, b): (f64, f64) = (random.random(), random.random());
        (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    };
    let end = trace.last().unwrap().time_s;
    let count = (end * receiver.rate_hz).floor() as usize;
    (0..count)
        .map(|index| {
            // Not at the same time as the frames of the drive.
            let time_s = 0.013 + index as f64 / receiver.rate_hz;
            let after = trace.partition_point(|row| row.time_s <= time_s).clamp(1, trace.len() - 1);
            let (a, b) = (&trace[after - 1], &trace[after]);
            let fraction = (time_s - a.time_s) / (b.time_s - a.time_s);
            let mix = |from: f64, to: f64| from + fraction * (to - from);
            let drift = [(time_s / 47.0 + 1.0).sin(), (time_s / 61.0).cos()].map(|part| receiver.drift_m * part);
            let position_m = [
                mix(a.x_m, b.x_m) + drift[0] + receiver.noise_m * normal(),
                mix(a.y_m, b.y_m) + drift[1] + receiver.noise_m * normal(),
            ];
            let [longitude, latitude] = projection.unproject(Point::from(position_m)).unwrap();
            let course = a.heading_rad + a.leftward_mps.atan2(a.forward_mps.max(0.1));
            let speed = mix(a.forward_mps.hypot(a.leftward_mps), b.forward_mps.hypot(b.leftward_mps));
            Row {
                time_s,
                position_m,
                longitude,
                latitude,
                speed_mps: (speed + 0.05 * normal()).max(0.0),
                bearing: (90.0 - course.to_degrees() + 0.3 * normal()).rem_euclid(360.0),
                lateral_g: -(speed * mix(a.yaw_rate_radps, b.yaw_rate_radps)) / 9.80665 + 0.02 * normal(),
                pedal: mix(a.pedal, b.pedal),
            }
        })
        .collect()
}

/// Hours, minutes and seconds from one o'clock on.
fn clock(time_s: f64) -> (u32, u32, f64) {
    let time = time_s + 13.0 * 3600.0 + 58.0 * 60.0;
    let (hours, minutes) = ((time / 3600.0) as u32, (time % 3600.0 / 60.0) as u32);
    (hours, minutes, time % 60.0)
}

pub fn vbo(rows: &[Row]) -> String {
    let mut text = String::from(
        "File created on 25/11/2026 at 13:58:00\r\n\r\n[header]\r\nsatellites\r\ntime\r\nlatitude\r\nlongitude\r\nvelocity kmh\r\nheading\r\nheight\r\nlateral acc g\r\n\r\n[comments]\r\nLog Rate (Hz) : 10.00\r\n\r\n[column names]\r\nsats time lat long velocity heading height LatAcc\r\n\r\n[data]\r\n",
    );
    for row in rows {
        let (hours, minutes, seconds) = clock(row.time_s);
        let _ = write!(
            text,
            "{:03} {hours:02}{minutes:02}{seconds:06.3} {:+013.7} {:+014.7} {:07.3} {:06.2} +0101.00 {:+.3}\r\n",
            64 + 9,
            60.0 * row.latitude,
            -60.0 * row.longitude,
            3.6 * row.speed_mps,
            row.bearing,
            row.lateral_g
        );
    }
    text
}

pub fn racechrono_3(rows: &[Row]) -> String {
    let mut text = String::from(
        "This file is created using RaceChrono Pro v9.1.3 ( http://racechrono.com/ ).\nFormat,3\nSession title,\"A day\"\nSession type,Lap timing\nTrack name,\"Here\"\nDriver name,\nCreated,25/11/2026,13:58\nNote,\n\ntimestamp,fragment_id,lap_number,elapsed_time,distance_traveled,accuracy,altitude,bearing,latitude,longitude,satellites,speed,lateral_acc,speed,throttle_pos\nunix time,,,s,m,m,m,deg,deg,deg,sats,m/s,G,m/s,%\n,,,,,100: gps,100: gps,100: gps,100: gps,100: gps,100: gps,100: gps,calc,200: obd,200: obd\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:.3},0,,{:.3},,0.5,101.0,{:.2},{:.8},{:.8},12.0,{:.3},{:.3},{:.1},{:.1}",
            1_764_079_080.0 + row.time_s,
            row.time_s,
            row.bearing,
            row.latitude,
            row.longitude,
            row.speed_mps,
            row.lateral_g,
            0.9 * row.speed_mps,
            100.0 * row.pedal.max(0.0)
        );
    }
    text
}

pub fn racechrono_2(rows: &[Row]) -> String {
    let mut text = String::from(
        "This file is created using RaceChrono v4.50 ( http://racechrono.com/ ).\r\nFormat,2\r\nSession title,A day\r\nSession type,Lap timing\r\n\r\nLap #,Timestamp (s),Distance (m),Locked satellites,Latitude (deg),Longitude (deg),Speed (m/s),Speed (kph),Altitude (m),Bearing (deg),Lateral Acceleration (G)\r\n",
    );
    for row in rows {
        let _ = write!(
            text,
            "0,{:.3},0,9,{:.8},{:.8},{:.3},{:.2},101,{:.2},{:.3}\r\n",
            row.time_s,
            row.latitude,
            row.longitude,
            row.speed_mps,
            3.6 * row.speed_mps,
            row.bearing,
            row.lateral_g
        );
    }
    text
}

pub fn aim(rows: &[Row]) -> String {
    let mut text = String::from(
        "\"Format\",\"AiM CSV File\"\n\"Venue\",\"Here\"\n\"Vehicle\",\"Car\"\n\"Time\",\"1:58 PM\"\n\"Sample Rate\",\"20\"\n\"Duration\",\"400\"\n\"Segment\",\"Session\"\n\n\"Time\",\"GPS Speed\",\"GPS Nsat\",\"GPS LatAcc\",\"GPS Heading\",\"GPS Latitude\",\"GPS Longitude\",\"RPM\"\n\"s\",\"mph\",\"#\",\"g\",\"deg\",\"deg\",\"deg\",\"rpm\"\n\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "\"{:.3}\",\"{:.3}\",\"9\",\"{:.3}\",\"{:.2}\",\"{:.8}\",\"{:.8}\",\"4000\"",
            row.time_s,
            row.speed_mps / 0.44704,
            row.lateral_g,
            row.bearing,
            row.latitude,
            row.longitude
        );
    }
    text
}

pub fn motec_csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "\"Format\",\"MoTeC CSV File\",,,\"Workbook\",\"\"\n\"Venue\",\"Here\",,,\"Worksheet\",\"\"\n\"Sample Rate\",\"10.000\",\"Hz\",,\"End Time\",\"300\",\"s\"\n\"Beacon Markers\",\"\"\n\n\n\"Time\",\"Ground Speed\",\"GPS Latitude\",\"GPS Longitude\",\"GPS Heading\",\"G Force Lat\",\"Throttle Pos\"\n\"s\",\"km/h\",\"deg\",\"deg\",\"deg\",\"g\",\"%\"\n\n\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "\"{:.3}\",\"{:.3}\",\"{:.8}\",\"{:.8}\",\"{:.2}\",\"{:.3}\",\"{:.1}\"",
            row.time_s,
            3.6 * row.speed_mps,
            row.latitude,
            row.longitude,
            row.bearing,
            row.lateral_g,
            100.0 * row.pedal.max(0.0)
        );
    }
    text
}

pub fn gpx(rows: &[Row]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n<metadata><time>2026-11-25T13:58:00Z</time></metadata>\n<trk><name>A day</name><trkseg>\n",
    );
    for row in rows {
        let (hours, minutes, seconds) = clock(row.time_s);
        let _ = writeln!(
            text,
            "<trkpt lat=\"{:.8}\" lon=\"{:.8}\"><ele>101</ele><time>2026-11-25T{hours:02}:{minutes:02}:{seconds:06.3}Z</time><extensions><speed>{:.3}</speed><course>{:.2}</course></extensions></trkpt>",
            row.latitude, row.longitude, row.speed_mps, row.bearing
        );
    }
    text + "</trkseg></trk></gpx>\n"
}

/// KML of a telephone: a track with times before the positions.
pub fn kml(rows: &[Row]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document><Placemark><name>A day</name><gx:Track>\n",
    );
    for row in rows {
        let (hours, minutes, seconds) = clock(row.time_s);
        let _ = writeln!(text, "<when>2026-11-25T{hours:02}:{minutes:02}:{seconds:06.3}Z</when>");
    }
    for row in rows {
        let _ = writeln!(text, "<gx:coord>{:.8} {:.8} 101</gx:coord>", row.longitude, row.latitude);
    }
    text + "</gx:Track></Placemark></Document></kml>\n"
}

/// A semicolon between fields, decimal commas, no unit of the speed, which is in km/h.
pub fn plain(rows: &[Row]) -> String {
    let mut text = String::from("Time;Latitude;Longitude;Speed\n");
    for row in rows {
        let line = format!("{:.3};{:.8};{:.8};{:.3}\n", row.time_s, row.latitude, row.longitude, 3.6 * row.speed_mps);
        text.push_str(&line.replace('.', ","));
    }
    text
}

/// In metres, as of a game: turned by 40 degrees and moved.
pub fn metres(rows: &[Row]) -> String {
    let (sine, cosine) = 40_f64.to_radians().sin_cos();
    let mut text = String::from("time_s,x_m,y_m,speed_mps\n");
    for row in rows {
        let [x, y] = row.position_m;
        let [x, y] = [x * cosine - y * sine + 5000.0, x * sine + y * cosine - 900.0];
        let _ = writeln!(text, "{:.3},{x:.3},{y:.3},{:.3}", row.time_s, row.speed_mps);
    }
    text
}

/// MoTeC's binary log: positions as whole numbers with decimals, the speed as a floating-point number.
pub fn motec_ld(rows: &[Row], rate_hz: u16) -> Vec<u8> {
    struct Channel {
        name: &'static str,
        unit: &'static str,
        float: bool,
        decimals: i16,
        data: Vec<u8>,
    }
    let whole =
        |of: fn(&Row) -> f64| rows.iter().flat_map(|row| ((of(row) * 1e7).round() as i32).to_le_bytes()).collect();
    let channels = [
        Channel { name: "GPS Latitude", unit: "deg", float: false, decimals: 7, data: whole(|row| row.latitude) },
        Channel { name: "GPS Longitude", unit: "deg", float: false, decimals: 7, data: whole(|row| row.longitude) },
        Channel {
            name: "Ground Speed",
            unit: "km/h",
            float: true,
            decimals: 0,
            data: rows.iter().flat_map(|row| (3.6 * row.speed_mps as f32).to_le_bytes()).collect(),
        },
    ];
    let (header, described) = (0x1000_usize, 124_usize);
    let mut bytes = vec![0_u8; header + described * channels.len()];
    bytes[0] = 0x40;
    bytes[8..12].copy_from_slice(&(header as u32).to_le_bytes());
    for (index, channel) in channels.iter().enumerate() {
        let at = header + index * described;
        let next = if index + 1 < channels.len() { at + described } else { 0 };
        let data = bytes.len() as u32;
        let kind: u16 = if channel.float { 7 } else { 5 };
        let mut put =
            |offset: usize, field: &[u8]| bytes[at + offset..at + offset + field.len()].copy_from_slice(field);
        put(4, &(next as u32).to_le_bytes());
        put(8, &data.to_le_bytes());
        put(12, &(rows.len() as u32).to_le_bytes());
        put(0x12, &kind.to_le_bytes());
        put(0x14, &4_u16.to_le_bytes());
        put(0x16, &rate_hz.to_le_bytes());
        put(0x1a, &1_i16.to_le_bytes());
        put(0x1c, &1_i16.to_le_bytes());
        put(0x1e, &channel.decimals.to_le_bytes());
        put(0x20, channel.name.as_bytes());
        put(0x48, channel.unit.as_bytes());
        bytes.extend_from_slice(&channel.data);
    }
    bytes
}

/// FIT: a definition of `record` and one message for each whole second.
pub fn fit(rows: &[Row]) -> Vec<u8> {
    let mut data: Vec<u8> = vec![0x40, 0, 0];
    data.extend_from_slice(&20_u16.to_le_bytes());
    // timestamp, position_lat, position_long, enhanced_speed: number, bytes, base type.
    data.extend_from_slice(&[4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 73, 4, 0x86]);
    for (index, row) in rows.iter().enumerate() {
        let semicircles = |degrees: f64| ((degrees / 180.0 * 2_f64.powi(31)).round() as i32).to_le_bytes();
        data.push(0);
        data.extend_from_slice(&(1_100_000_000 + index as u32).to_le_bytes());
        data.extend_from_slice(&semicircles(row.latitude));
        data.extend_from_slice(&semicircles(row.longitude));
        data.extend_from_slice(&((1000.0 * row.speed_mps).round() as u32).to_le_bytes());
    }
    let mut file: Vec<u8> = vec![14, 0x10, 0x43, 0x08];
    file.extend_from_slice(&(data.len() as u32).to_le_bytes());
    file.extend_from_slice(b".FIT");
    let header_crc = crc(&file);
    file.extend_from_slice(&header_crc.to_le_bytes());
    file.extend_from_slice(&data);
    let whole_crc = crc(&file);
    file.extend_from_slice(&whole_crc.to_le_bytes());
    file
}

/// The check sum of FIT (CRC-16/ARC).
fn crc(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0_u16, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xa001 } else { crc >> 1 })
    })
}
