//! A car of TORCS by its own file: sizes, weights, steering, gears, and first guesses of what only driving shows.

use std::f64::consts::{PI, TAU};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use raceline::vehicle::{self, DriveLimit, Vehicle};
use raceline_numerics::{STANDARD_GRAVITY, bisected};

use super::params::Params;

/// Mass of the fuel on board, kg.
const FUEL_KG: f64 = 20.0;
/// Metres of an inch.
const INCH_M: f64 = 0.0254;
/// A drag of TORCS is this times the drag coefficient and the front area, in kg/m: half of the density of air.
const HALF_AIR_KGPM3: f64 = 0.645;
/// A wing of TORCS drags this times its area and the sine of its angle, in kg/m, and presses so many times as much.
const WING_KGPM3: f64 = 1.23;
const WING_LIFT: f64 = 4.0;
/// The robot changes up at this fraction of the largest engine speed.
const CHANGE_UP: f64 = 0.985;
/// Where a car's file has no ride height, mm.
const USUAL_RIDE_MM: f64 = 100.0;
/// The key of the fraction of the weight on the front axle.
const WEIGHT: &str = "front-rear weight repartition";
/// Fraction of the engine's power that reaches the road.
const EFFICIENCY: f64 = 0.85;
/// Speed up to which the first guess of the drive has its largest force, m/s.
const FULL_FORCE_MPS: f64 = 15.0;
/// Braking begins with this multiple of what locks the first axle: a driver brakes no harder than the limit that it
/// is given, so one that is too low would never be seen.
const BRAKING_TO_TRY: f64 = 1.08;
/// Largest slip angle at which a tyre's peak is sought, rad, and the halvings of this range.
const LARGEST_PEAK_RAD: f64 = 1.0;
const HALVINGS: usize = 60;
/// The car whose preset has the reserves, which are not in a car's file.
const TEMPLATE: &str = "torcs-car1-trb1";
/// Time of a gear change in TORCS where neither a car nor its category has one, s.
const USUAL_SHIFT_S: f64 = 0.2;
/// Keys of a tyre's stiffness, its friction when it slides, % of the largest, and the factor of its elasticity, with
/// TORCS's values likewise.
const TYRE: [(&str, f64); 3] = [("stiffness", 30.0), ("dynamic friction", 80.0), ("elasticity factor", 0.7)];

/// What is guessed in the vehicle of [`vehicle_of`] and stays so: telemetry does not show it.
pub const GUESSED: [&str; 4] = ["rear_grip_reserve", "longitudinal_reserve", "rear_reserve", "crest_reserve"];

/// The values of a car.
struct CarValues<'a> {
    values: Params,
    path: &'a Path,
}

impl<'a> CarValues<'a> {
    /// The values of a set-up, above those of the car's file `path`, above those of the car's category, as in TORCS.
    fn read(path: &'a Path, setup: Option<&Path>) -> anyhow::Result<Self> {
        let file = Params::read(path)?;
        let category = match file.text("Car", "category") {
            Some(category) => Params::read(&category_file(path, category)?)?,
            None => Params::default(),
        };
        let setup = setup.map(Params::read).transpose()?.unwrap_or_default();
        Ok(Self { values: setup.above(file).above(category), path })
    }

    fn number(&self, section: &str, key: &str) -> Option<f64> {
        self.values.number(section, key)
    }

    fn needed(&self, section: &str, key: &str) -> anyhow::Result<f64> {
        self.number(section, key).ok_or_else(|| anyhow!("{}: there is no {section}, {key}", self.path.display()))
    }

    fn traction(&self) -> &str {
        self.values.text("Drivetrain", "type").unwrap_or("RWD")
    }

    /// Radius of an axle's wheels, m.
    fn radius_m(&self, axle: &str) -> anyhow::Result<f64> {
        let wheel = wheel_of(axle);
        let tyre_m = 1e-3 * self.needed(&wheel, "tire width")? * self.needed(&wheel, "tire height-width ratio")?;
        Ok(0.5 * INCH_M * self.needed(&wheel, "rim diameter")? + tyre_m)
    }

    /// The largest power of the engine up to a speed, W.
    fn largest_power_w(&self, revs_rpm: f64) -> Option<f64> {
        let point = |k: u32| {
            let section = format!("Engine/data points/{k}");
            Some((self.number(&section, "rpm")?, self.number(&section, "Tq")?))
        };
        let powers =
            (1..).map_while(point).filter(|(rpm, _)| *rpm <= revs_rpm).map(|(rpm, torque)| rpm / 60.0 * TAU * torque);
        powers.reduce(f64::max)
    }

    /// The largest power of the engine, W, and the speed of the engine's limit in each gear, m/s.
    fn engine_and_gears(&self) -> anyhow::Result<(f64, Vec<f64>)> {
        let revs_rpm = self.needed("Engine", "revs limiter")?;
        let power_w = self.largest_power_w(revs_rpm).with_context(|| format!("{}: no engine", self.path.display()))?;
        let driven = if self.traction() == "FWD" { "Front" } else { "Rear" };
        let wheel_m = self.radius_m(driven)?;
        let central = self.number("Central Differential", "ratio").filter(|_| self.traction() == "4WD");
        let final_drive =
            central.unwrap_or(1.0) * self.number(&format!("{driven} Differential"), "ratio").unwrap_or(1.0);
        let ratios = (1..).map_while(|gear| self.number(&format!("Gearbox/gears/{gear}"), "ratio"));
        Ok((power_w, ratios.map(|ratio| revs_rpm / 60.0 * TAU * wheel_m / (ratio * final_drive)).collect()))
    }

    /// Fraction of the braking force at the front axle: the key of the file is that of the pressure, and discs and
    /// pistons differ.
    fn front_brake_fraction(&self) -> anyhow::Result<f64> {
        let pressure = self.needed("Brake System", "front-rear brake repartition")?;
        let braking = |axle: &str, pressure: f64| -> anyhow::Result<f64> {
            let brake = |key: &str| self.needed(&format!("{axle} Right Brake"), key);
            Ok(pressure * brake("disk diameter")? * brake("piston area")? * brake("mu")? / self.radius_m(axle)?)
        };
        let [front, rear] = [braking("Front", pressure)?, braking("Rear", 1.0 - pressure)?];
        ensure!(front + rear > 0.0, "{}: no brakes", self.path.display());
        Ok(front / (front + rear))
    }

    /// Drag and downforce, kg/m, and the fraction of the downforce on the front axle.
    fn air(&self, wheelbase_m: f64) -> anyhow::Result<[f64; 3]> {
        let wing_kgpm = |wing: &str| {
            let angle = self.number(wing, "angle").unwrap_or(0.0).to_radians();
            WING_KGPM3 * self.number(wing, "area").unwrap_or(0.0) * angle.sin()
        };
        let wings = ["Front Wing", "Rear Wing"].map(|wing| (wing, wing_kgpm(wing)));
        let drag_kgpm =
            HALF_AIR_KGPM3 * self.needed("Aerodynamics", "Cx")? * self.needed("Aerodynamics", "front area")?
                + wings.iter().map(|(_, drag_kgpm)| drag_kgpm).sum::<f64>();
        let height_m = |axle: &str| 1e-3 * self.number(&wheel_of(axle), "ride height").unwrap_or(USUAL_RIDE_MM);
        let ground = ground_effect(2.0 * (height_m("Front") + height_m("Rear")));
        let lift = |axle: &str| ground * self.number("Aerodynamics", &format!("{axle} Clift")).unwrap_or(0.0);
        let rear_axle_m = self.needed("Rear Axle", "xpos")?;
        let [mut front_kgpm, mut downforce_kgpm] = [lift("front"), lift("front") + lift("rear")];
        for (wing, drag_kgpm) in wings {
            let pressing = WING_LIFT * drag_kgpm;
            let place_m = self.number(wing, "xpos").unwrap_or(0.0);
            downforce_kgpm += pressing;
            front_kgpm += pressing * (place_m - rear_axle_m) / wheelbase_m;
        }
        let downforce_kgpm = downforce_kgpm.max(0.0);
        let front_fraction = if downforce_kgpm > 0.0 {
            (front_kgpm / downforce_kgpm).clamp(0.0, 1.0)
        } else {
            self.needed("Car", WEIGHT)?
        };
        Ok([drag_kgpm, downforce_kgpm, front_fraction])
    }

    /// The slip angle of the tyres' largest force, rad: the mean of both axles.
    fn peak_slip_rad(&self) -> f64 {
        let of_axle = |axle: &str| {
            let value = |(key, usual): (&str, f64)| self.number(&wheel_of(axle), key).unwrap_or(usual);
            let [stiffness, sliding, elasticity] = TYRE.map(value);
            peak_slip_rad(stiffness, 0.01 * sliding, elasticity)
        };
        f64::midpoint(of_axle("Front"), of_axle("Rear"))
    }
}

fn wheel_of(axle: &str) -> String {
    format!("{axle} Right Wheel")
}

/// The file of a category, for a car whose own file is `path`: both folders stand in one.
fn category_file(path: &Path, category: &str) -> anyhow::Result<PathBuf> {
    let name = format!("{category}.xml");
    ensure!(
        Path::new(&name).file_name() == Some(name.as_ref()),
        "{}: {category} is not the name of a category",
        path.display()
    );
    let data = path.ancestors().nth(3).unwrap_or(Path::new(""));
    Ok(data.join("categories").join(name))
}

/// The slip angle of the largest force of a TORCS tyre, rad, by its stiffness Ca, its friction R when it slides, as
/// a fraction of the largest, and the factor E of its elasticity. Its force at the slip s = sin α is
///
/// ```text
/// sin(C atan(x (1 - E) + E atan x))     with   C = 2 - 2 asin(R) / π,   x = s Ca / C
/// ```
///
/// and is the largest where the inner sum is tan(π / 2 C).
fn peak_slip_rad(stiffness: f64, sliding: f64, elasticity: f64) -> f64 {
    let shape = 2.0 - 2.0 * sliding.clamp(0.0, 1.0).asin() / PI;
    let elasticity = elasticity.min(1.0);
    let at_peak = (PI / (2.0 * shape)).tan();
    let is_below = |x: f64| x * (1.0 - elasticity) + elasticity * x.atan() < at_peak;
    let [x, _] = bisected([0.0, LARGEST_PEAK_RAD.sin() * stiffness / shape], HALVINGS, is_below);
    (x * shape / stiffness).asin()
}

/// The vehicle of a car by its file `path`, with the values of its set-up above those of the file.
///
/// The tyres' limits are those of their friction on a level road with what wings and floor press, the drive is that
/// of the engine's largest power: a beginning, from which a car is driven and calibrated.
pub fn vehicle_of(car: &str, path: &Path, setup: Option<&Path>) -> anyhow::Result<Vehicle> {
    let file = CarValues::read(path, setup)?;
    let mass_kg = file.needed("Car", "mass")? + FUEL_KG;
    let [width_m, length_m] = [file.needed("Car", "overall width")?, file.needed("Car", "overall length")?];
    let wheelbase_m = file.needed("Front Axle", "xpos")? - file.needed("Rear Axle", "xpos")?;
    let max_steering_rad = file.needed("Steer", "steer lock")?.to_radians();
    let spread = file.needed("Car", "mass repartition coefficient")? * length_m;
    let friction = file.needed(&wheel_of("Front"), "mu")?.min(file.needed(&wheel_of("Rear"), "mu")?);
    ensure!(mass_kg > 0.0 && wheelbase_m > 0.0 && friction > 0.0, "{}: not a car", path.display());
    let front_drive_fraction = match file.traction() {
        "FWD" => 1.0,
        "4WD" => 0.5,
        _ => 0.0,
    };
    let (power_w, mut tops_mps) = file.engine_and_gears()?;
    let top_mps = tops_mps.pop().with_context(|| format!("{}: no gears", path.display()))?;
    let front_brake_fraction = file.front_brake_fraction()?;
    let [drag_kgpm, downforce_kgpm, front_downforce_fraction] = file.air(wheelbase_m)?;
    // ---- Limits that driving is to find
    let grip_mps2 = friction * STANDARD_GRAVITY;
    let front_weight_fraction = file.needed("Car", WEIGHT)?;
    let centre_of_gravity_m = file.needed("Car", "GC height")?;
    let braking_mps2 = grip_mps2.min(
        BRAKING_TO_TRY
            * first_locking_mps2(
                friction,
                [front_brake_fraction, front_weight_fraction],
                centre_of_gravity_m / wheelbase_m,
            ),
    );
    let pressed = if file.traction() == "4WD" { 1.0 } else { 0.5 };
    let force_n = |speed: f64| (EFFICIENCY * power_w / speed.max(FULL_FORCE_MPS)).min(pressed * mass_kg * grip_mps2);
    let template = vehicle::preset(TEMPLATE)?;
    let bare = Vehicle {
        front_downforce_fraction: Some(front_downforce_fraction),
        front_weight_fraction: Some(front_weight_fraction),
        ..template.clone()
    };
    let limiting_kgpm = bare.limiting_downforce_fraction().max(0.0) * downforce_kgpm;
    let limits = |speed: f64| {
        let pressed = |kgpm: f64| 1.0 + kgpm * speed * speed / (mass_kg * STANDARD_GRAVITY);
        [speed, braking_mps2 * pressed(downforce_kgpm), grip_mps2 * pressed(limiting_kgpm)]
    };
    let table_n = (0..=18).map(|k| 5.0 * f64::from(k)).map(|speed| [speed, force_n(speed)]).collect();
    Ok(Vehicle {
        name: format!("torcs-{car}"),
        mass_kg,
        width_m,
        length_m,
        wheelbase_m,
        max_speed_mps: top_mps,
        max_curvature_radpm: max_steering_rad.min(0.45 * PI).tan() / wheelbase_m,
        max_steering_rad: Some(max_steering_rad),
        peak_slip_rad: Some(file.peak_slip_rad()),
        front_weight_fraction: Some(front_weight_fraction),
        yaw_inertia_kgm2: Some(mass_kg / 12.0 * (width_m * width_m + spread * spread)),
        centre_of_gravity_m: Some(centre_of_gravity_m),
        front_brake_fraction: Some(front_brake_fraction),
        front_drive_fraction: Some(front_drive_fraction),
        drag_kgpm,
        gear_change_s: file.number("Gearbox", "shift time").unwrap_or(USUAL_SHIFT_S),
        gear_change_speeds_mps: tops_mps.into_iter().map(|top_mps| CHANGE_UP * top_mps).collect(),
        front_downforce_fraction: Some(front_downforce_fraction),
        ggv_table: (0..=18).map(|k| limits(5.0 * f64::from(k))).collect(),
        driving_limit_table: Vec::new(),
        table_downforce_kgpm: Some(downforce_kgpm),
        drive: DriveLimit::TableN(table_n),
        ..template
    })
}

/// Factor of what the floor presses, for the sum of the ride heights of all wheels, m: TORCS's own formula.
fn ground_effect(heights_m: f64) -> f64 {
    2.0 * (-3.0 * (1.5 * heights_m).powi(4)).exp()
}

/// Deceleration at which the first axle locks, m/s²: `friction` times its load, to which braking moves `height` by
/// wheelbase of it, is the fraction of the brakes' force that it has. Infinite where none does.
fn first_locking_mps2(friction: f64, [front_brake, front_weight]: [f64; 2], height: f64) -> f64 {
    let of_axle = |brake: f64, weight: f64, moved: f64| match brake - friction * moved {
        rest if rest > 0.0 => friction * weight * STANDARD_GRAVITY / rest,
        _ => f64::INFINITY,
    };
    of_axle(front_brake, front_weight, height).min(of_axle(1.0 - front_brake, 1.0 - front_weight, -height))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::fs;

    use super::{BRAKING_TO_TRY, peak_slip_rad, vehicle_of};
    use raceline::vehicle::DriveLimit;
    use raceline_numerics::STANDARD_GRAVITY;

    const CAR: &str = r#"<params name="a"><section name="Car"><attnum name="mass" val="1180"/>
        <attnum name="overall length" val="4"/><attnum name="overall width" val="2"/><attnum name="GC height" val="0.3"/>
        <attnum name="front-rear weight repartition" val="0.6"/><attnum name="mass repartition coefficient" val="0.5"/></section>
        <section name="Front Axle"><attnum name="xpos" val="1.2"/></section>
        <section name="Rear Axle"><attnum name="xpos" val="-1.3"/></section>
        <section name="Steer"><attnum name="steer lock" unit="deg" val="30"/></section>
        <section name="Drivetrain"><attstr name="type" val="FWD"/></section>
        <section name="Brake System"><attnum name="front-rear brake repartition" val="0.7"/></section>
        <section name="Aerodynamics"><attnum name="Cx" val="0.4"/><attnum name="front area" val="2"/></section>
        <section name="Engine"><attnum name="revs limiter" val="6000"/><section name="data points">
          <section name="1"><attnum name="rpm" val="3000"/><attnum name="Tq" val="200"/></section>
          <section name="2"><attnum name="rpm" val="6000"/><attnum name="Tq" val="150"/></section>
          <section name="3"><attnum name="rpm" val="9000"/><attnum name="Tq" val="150"/></section></section></section>
        <section name="Gearbox"><section name="gears"><section name="1"><attnum name="ratio" val="4"/></section>
          <section name="2"><attnum name="ratio" val="2"/></section></section></section>
        <section name="Front Differential"><attnum name="ratio" val="3"/></section>
        <section name="Front Right Wheel"><attnum name="mu" val="1.5"/><attnum name="rim diameter" val="15.7480315"/>
          <attnum name="tire width" val="200"/><attnum name="tire height-width ratio" val="0.5"/></section>
        <section name="Rear Right Wheel"><attnum name="mu" val="1.4"/><attnum name="rim diameter" val="15.7480315"/>
          <attnum name="tire width" val="200"/><attnum name="tire height-width ratio" val="0.5"/></section>
        <section name="Front Right Brake"><attnum name="disk diameter" val="300"/><attnum name="piston area" val="20"/>
          <attnum name="mu" val="0.3"/></section>
        <section name="Rear Right Brake"><attnum name="disk diameter" val="200"/><attnum name="piston area" val="10"/>
          <attnum name="mu" val="0.3"/></section>
        <section name="Rear Wing"><attnum name="area" val="0.5"/><attnum name="angle" val="30"/>
          <attnum name="xpos" val="-1.8"/></section></params>"#;

    #[test]
    fn sizes_steering_axles_and_gears_are_those_of_the_cars_file() {
        let folder = tempfile::TempDir::new().unwrap();
        let [file, setup] = ["car.xml", "setup.xml"].map(|name| folder.path().join(name));
        fs::write(&file, CAR).unwrap();
        let vehicle = vehicle_of("a", &file, None).unwrap();
        vehicle.validate().unwrap();
        assert_eq!((vehicle.name.as_str(), vehicle.mass_kg, vehicle.wheelbase_m), ("torcs-a", 1200.0, 2.5));
        let close = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-6 * expected.abs(), "{value}");
        close(vehicle.max_curvature_radpm, 30_f64.to_radians().tan() / 2.5);
        close(vehicle.yaw_inertia_kgm2.unwrap(), 100.0 * (4.0 + 4.0));
        close(vehicle.drag_kgpm, 0.645 * 0.8 + 1.23 * 0.5 * 0.5);
        assert_eq!(vehicle.front_drive_fraction, Some(1.0));
        // 0.7 of the pressure on discs that give three times the torque.
        close(vehicle.front_brake_fraction.unwrap(), 0.7 * 3.0 / (0.7 * 3.0 + 0.3));
        // Wheels of 0.3 m, 100 turns of the engine in a second by 4 · 3 and by 2 · 3.
        let turn_m = 0.3 * std::f64::consts::TAU;
        assert_eq!(vehicle.gear_change_speeds_mps.len(), 1);
        close(vehicle.gear_change_speeds_mps[0], 0.985 * turn_m * 100.0 / 12.0);
        close(vehicle.max_speed_mps, turn_m * 100.0 / 6.0);
        // The smaller friction of both axles; the engine's power at 6000 rpm, beyond which it does not turn.
        close(vehicle.ggv_table[0][2], 1.4 * STANDARD_GRAVITY);
        // The wing presses 4 times its drag, behind the rear axle: it lifts the front, which limits.
        let pressing = 4.0 * 1.23 * 0.25;
        close(vehicle.table_downforce_kgpm.unwrap(), pressing);
        assert_eq!(vehicle.front_downforce_fraction, Some(0.0));
        let [_, braking_fast, lateral_fast] = vehicle.ggv_table[10];
        close(lateral_fast, 1.4 * STANDARD_GRAVITY);
        close(braking_fast, vehicle.ggv_table[0][1] * (1.0 + pressing * 2500.0 / (1200.0 * STANDARD_GRAVITY)));
        // The front wheels lock first: 1.4 times their load at this deceleration is their part of the brakes' force.
        let braking = vehicle.ggv_table[0][1] / BRAKING_TO_TRY;
        let load = 0.6 * STANDARD_GRAVITY + braking * 0.3 / 2.5;
        close(1.4 * load, vehicle.front_brake_fraction.unwrap() * braking);
        let DriveLimit::TableN(table) = &vehicle.drive else { panic!("{:?}", vehicle.drive) };
        close(table.last().unwrap()[1], 0.85 * 150.0 * 100.0 * std::f64::consts::TAU / 90.0);

        // The set-up is above the file.
        fs::write(&setup, r#"<params><section name="Gearbox"><section name="gears"><section name="2"><attnum name="ratio" val="1"/></section></section></section></params>"#).unwrap();
        close(vehicle_of("a", &file, Some(&setup)).unwrap().max_speed_mps, turn_m * 100.0 / 3.0);

        // Nothing is known of gear changes and tyres: TORCS's own values.
        assert_eq!(vehicle.gear_change_s, 0.2);
        close(vehicle.peak_slip_rad.unwrap(), peak_slip_rad(30.0, 0.8, 0.7));

        // What is missing is named.
        fs::write(&file, CAR.replace("steer lock", "lock")).unwrap();
        let refusal = vehicle_of("a", &file, None).unwrap_err().to_string();
        assert!(refusal.contains("car.xml") && refusal.contains("Steer, steer lock"), "{refusal}");
    }

    #[test]
    fn a_category_counts_below_the_cars_file_and_must_be_a_name() {
        let folder = tempfile::TempDir::new().unwrap();
        let [cars, categories] = ["cars/a", "categories"].map(|name| folder.path().join(name));
        fs::create_dir_all(&cars).unwrap();
        fs::create_dir_all(&categories).unwrap();
        let file = cars.join("a.xml");
        let of = |category: &str| {
            let key = format!(r#"<attstr name="category" val="{category}"/><attnum name="mass""#);
            fs::write(&file, CAR.replacen(r#"<attnum name="mass""#, &key, 1)).unwrap();
            vehicle_of("a", &file, None)
        };
        let rules = r#"<params><section name="Car"><attnum name="mass" val="9"/></section><section name="Gearbox">
            <attnum name="shift time" val="0.3"/></section></params>"#;
        fs::write(categories.join("slow.xml"), rules).unwrap();
        let vehicle = of("slow").unwrap();
        assert_eq!((vehicle.mass_kg, vehicle.gear_change_s), (1200.0, 0.3));
        assert!(format!("{:#}", of("none").unwrap_err()).contains("none.xml"));
        let refusal = of("../slow").unwrap_err().to_string();
        assert!(refusal.contains("../slow is not the name of a category"), "{refusal}");
    }

    #[test]
    fn the_force_of_a_tyre_is_largest_at_its_peak() {
        // Without elasticity x is tan(π / 2 C); friction of a half is C = 5 / 3.
        let slip = (0.3 * std::f64::consts::PI).tan() * (5.0 / 3.0) / 25.0;
        assert!((peak_slip_rad(25.0, 0.5, 0.0) - slip.asin()).abs() < 1e-9);
        for (stiffness, sliding, elasticity) in [(20.0, 0.8, 0.7), (10.0, 0.7, 0.7), (30.0, 0.9, 0.3)] {
            let force = |angle: f64| {
                let shape = 2.0 - 2.0 * f64::asin(sliding) / std::f64::consts::PI;
                let x = angle.sin() * stiffness / shape;
                (shape * (x * (1.0 - elasticity) + elasticity * x.atan()).atan()).sin()
            };
            let peak = peak_slip_rad(stiffness, sliding, elasticity);
            assert!((force(peak) - 1.0).abs() < 1e-9 && force(1.01 * peak) < force(peak), "{peak}");
        }
        // Where the peak is beyond the range, its end is taken.
        assert!((peak_slip_rad(1.0, 0.99, 0.9) - 1.0).abs() < 1e-9);
    }
}
