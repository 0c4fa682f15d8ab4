use super::{Car, Motion, Reserve, SHAPE};
use crate::car::number::{Number, Second};
use crate::speed::Ground;
use raceline_car::{GgDiagram, STANDARD_GRAVITY, Vehicle, preset};

/// A car without resistance, which the closed forms leave out.
fn free_vehicle() -> Vehicle {
    let mut vehicle = preset("tum-racecar").expect("the preset exists");
    vehicle.drag_kgpm = 0.0;
    vehicle
}

/// Linear cornering stiffnesses by the mass, front and rear, m/s² per rad.
fn stiffness(car: &Car, vehicle: &Vehicle) -> [f64; 2] {
    let slope = SHAPE * car.stiffness / car.peak_slip_rad;
    let length = car.to_front_m + car.to_rear_m;
    let limit = vehicle.lateral_limit_mps2;
    [car.to_rear_m, car.to_front_m].map(|far| far / length * limit * slope)
}

/// The motion on which u', v' and r' vanish at the speed u and the yaw rate r.
fn trim(car: &Car, u: f64, r: f64) -> Motion<f64> {
    let mut x = [0.0, 0.0, 0.0];
    for _ in 0..30 {
        let variable = |k: usize| Second::<3>::variable(x[k], k);
        let motion = Motion {
            forward: Second::constant(u),
            leftward: variable(0),
            yaw_rate: Second::constant(r),
            steering: variable(1),
            pedal: variable(2),
        };
        let rates = car.rates(motion, &Ground::LEVEL, 1.0);
        let rows = [rates.forward, rates.leftward, rates.yaw];
        let jacobian = nalgebra::Matrix3::from_fn(|i, j| rows[i].gradient[j]);
        let errors = nalgebra::Vector3::from_fn(|i, _| rows[i].value);
        let step = jacobian.lu().solve(&errors).expect("a regular matrix");
        x.iter_mut().zip(&step).for_each(|(entry, change)| *entry -= change);
    }
    Motion { forward: u, leftward: x[0], yaw_rate: r, steering: x[1], pedal: x[2] }
}

#[test]
fn on_a_circle_the_steering_grows_by_the_understeer_gradient() {
    let vehicle = free_vehicle();
    let car = Car::new(&vehicle, Reserve::NONE).expect("a valid vehicle");
    let length = vehicle.wheelbase_m;
    // δ = L / R + K a_y with K = b / (L C_f) - a / (L C_r), Rajamani, section 3.1.
    let [front, rear] = stiffness(&car, &vehicle);
    let gradient = car.to_rear_m / (length * front) - car.to_front_m / (length * rear * 1.05);
    let radius = 1000.0;
    for speed in [10.0, 20.0, 30.0] {
        let steering = trim(&car, speed, speed / radius).steering;
        let expected = length / radius + gradient * speed * speed / radius;
        assert!((steering / expected - 1.0).abs() < 2e-3, "{speed}: {steering} {expected}");
    }
    assert!(gradient > 0.0);
}

#[test]
fn a_start_in_a_gentle_bend_has_the_slip_of_the_trimmed_car() {
    let car = car_with(Reserve::NONE);
    for (speed, radius) in [(10.0, 200.0), (25.0, 1000.0), (40.0, -2000.0)] {
        let (start, trimmed) =
            (car.steady(speed, 1.0 / radius, 0.0, &Ground::LEVEL, 1.0), trim(&car, speed, speed / radius));
        // What the steering is beyond that of a car without slip, and the slip of the rear axle.
        let slips = |motion: Motion<f64>| {
            let rear = (car.to_rear_m * motion.yaw_rate - motion.leftward) / motion.forward;
            [motion.steering - (motion.leftward + car.to_front_m * motion.yaw_rate) / motion.forward, rear]
        };
        for (start, trimmed) in slips(start).into_iter().zip(slips(trimmed)) {
            assert!((start / trimmed - 1.0).abs() < 0.02, "{speed} m/s: {start} for {trimmed}");
        }
    }
}

#[test]
fn the_pedal_of_a_fraction_has_that_fraction() {
    for vehicle in [free_vehicle(), preset("gt").expect("the preset exists")] {
        let car = Car::new(&vehicle, Reserve::NONE).expect("a valid vehicle");
        for forward in [0.0, 12.0, 50.0] {
            for fraction in [-1.0, -0.3, 0.0, 0.4, 1.0] {
                let pedal = car.pedal_of_fraction(fraction, forward);
                assert!((car.pedal_fraction(pedal, forward) - fraction).abs() < 1e-12, "{fraction} at {forward} m/s");
            }
        }
        assert_eq!(car.pedal_of_fraction(-1.0, 0.0), -car.longitudinal_limit_mps2());
    }
}

#[test]
fn a_steady_bend_is_nearly_steady() {
    let car = Car::new(&preset("gt").expect("the preset exists"), Reserve::NONE).expect("a valid vehicle");
    for (speed, curvature) in [(20.0, 0.02), (40.0, -0.006), (70.0, 0.0)] {
        let rates = car.rates(car.steady(speed, curvature, 0.0, &Ground::LEVEL, 1.0), &Ground::LEVEL, 1.0);
        for rate in [rates.forward, rates.leftward, rates.yaw] {
            assert!(rate.abs() < 0.7, "{speed} {curvature}: {rate}");
        }
    }
}

#[test]
fn full_braking_reaches_the_limit_of_the_vehicle_with_its_load_transfer() {
    let mut vehicle = free_vehicle();
    for (front_brake, limiting) in [(0.6, 1), (0.9, 0)] {
        vehicle.front_brake_fraction = Some(front_brake);
        let car = Car::new(&vehicle, Reserve::NONE).expect("a valid vehicle");
        let braking = vehicle.longitudinal_limit_mps2;
        let motion = Motion { forward: 30.0, leftward: 0.0, yaw_rate: 0.0, steering: 0.0, pedal: -braking };
        let rates = car.rates(motion, &Ground::LEVEL, 1.0);
        assert!((rates.forward + braking).abs() < 1e-9, "{}", rates.forward);
        assert!(rates.use_less_one[limiting].abs() < 5e-3, "{:?}", rates.use_less_one);
        // The other axle by its load: N = m g (fraction of the weight) ± m a h / L.
        let moved = braking * 0.38 / (STANDARD_GRAVITY * 3.0);
        let by_load = [front_brake / (0.4667 + moved), (1.0 - front_brake) / (0.5333 - moved)];
        let other = (by_load[1 - limiting] / by_load[limiting]).powi(2) - 1.0;
        assert!((rates.use_less_one[1 - limiting] - other).abs() < 5e-3, "{:?} {other}", rates.use_less_one);
    }
}

fn car_with(reserve: Reserve) -> Car {
    Car::new(&free_vehicle(), reserve).expect("a valid vehicle")
}

#[test]
fn the_drive_pushes_its_axle_and_the_brakes_theirs() {
    let car = Car::new(&free_vehicle(), Reserve::NONE).expect("a valid vehicle");
    let at = |pedal: f64| {
        let motion = Motion { forward: 30.0, leftward: 0.0, yaw_rate: 0.0, steering: 0.0, pedal };
        car.rates(motion, &Ground::LEVEL, 1.0).use_less_one.map(|by| by + 1.0)
    };
    let [front, rear] = at(5.0);
    assert!(front < 1e-4 && rear > 0.1, "rear-wheel drive: {front} {rear}");
    let [front, rear] = at(-5.0);
    assert!(front > 0.1 && rear > 0.1, "brakes on both: {front} {rear}");
}

#[test]
fn after_a_step_of_steering_the_car_answers_as_the_linear_one() {
    let vehicle = free_vehicle();
    let car = Car::new(&vehicle, Reserve::NONE).expect("a valid vehicle");
    let (u, angle, step_s) = (30.0, 1e-3, 1e-3);
    let [front, rear] = stiffness(&car, &vehicle);
    let rear = 1.05 * rear;
    let (a, b, k) = (car.to_front_m, car.to_rear_m, car.gyration_squared);
    // v' and r' of the linear bicycle, Rajamani, section 2.3.
    let linear = nalgebra::Matrix2::new(
        -(front + rear) / u,
        (b * rear - a * front) / u - u,
        (b * rear - a * front) / (k * u),
        -(a * a * front + b * b * rear) / (k * u),
    );
    let push = nalgebra::Vector2::new(front, a * front / k) * angle;
    let (mut v, mut r) = (0.0, 0.0);
    let rate = |v: f64, r: f64| {
        let motion = Motion { forward: u, leftward: v, yaw_rate: r, steering: angle, pedal: 0.0 };
        let rates = car.rates(motion, &Ground::LEVEL, 1.0);
        (rates.leftward, rates.yaw)
    };
    let steady = linear.lu().solve(&-push).expect("a regular matrix");
    for step in 1..=1000 {
        let (v1, r1) = rate(v, r);
        let (v2, r2) = rate(v + 0.5 * step_s * v1, r + 0.5 * step_s * r1);
        (v, r) = (v + step_s * v2, r + step_s * r2);
        if step % 50 == 0 {
            let exact = steady - (linear * (f64::from(step) * step_s)).exp() * steady;
            assert!((r - exact[1]).abs() < 3e-3 * steady[1], "{step}: {r} {}", exact[1]);
        }
    }
    let gain = u / (vehicle.wheelbase_m + (b / front - a / rear) / (a + b) * u * u);
    assert!((r / angle / gain - 1.0).abs() < 2e-3, "{} {gain}", r / angle);
}

#[test]
fn with_a_reserve_the_limits_are_reached_so_much_sooner() {
    let reserve = Reserve { longitudinal: 0.2, rear: 0.1 };
    let (whole, kept) = (car_with(Reserve::NONE), car_with(reserve));
    let braking = |pedal: f64| Motion { forward: 30.0, leftward: 0.0, yaw_rate: 0.0, steering: 0.0, pedal };
    let [all, part] = [(&whole, -8.0), (&kept, 0.8 * -8.0)].map(|(car, pedal)| {
        // The same loads: the pedal moves them.
        let car = Car { height_m: 0.0, ..car.clone() };
        car.rates(braking(pedal), &Ground::LEVEL, 1.0).use_less_one
    });
    // The overlap of drive and brakes is a small part of both.
    assert!(all.iter().zip(part).all(|(a, b)| (a - b).abs() < 1e-3), "{all:?} {part:?}");
    // At 0.9 of the force at its peak the rear axle is at its limit, and the front is not.
    let rear = Motion { leftward: -30.0 * (kept.slip_of(0.9) * kept.peak_slip_rad).tan(), ..braking(0.0) };
    let [front, rear] = kept.rates(rear, &Ground::LEVEL, 1.0).use_less_one;
    assert!(rear.abs() < 1e-3 && front < -0.1, "{front} {rear}");
}

#[test]
fn over_a_crest_the_speed_is_bounded_as_for_the_point_mass() {
    let car = car_with(Reserve::NONE);
    let crest = Ground { normal_curvature: -0.01, min_load: 0.2, ..Ground::LEVEL };
    let d = car.downforce_over_mass;
    // The load g + (d - 0.01) w is 0.2 (g + d w).
    let w = 0.8 * STANDARD_GRAVITY / (0.01 - 0.8 * d);
    assert!((car.speed_limit_mps(&crest) - w.sqrt()).abs() < 1e-9);
    assert_eq!(car.speed_limit_mps(&Ground::LEVEL), free_vehicle().max_speed_mps);
}

#[test]
fn the_force_has_its_peak_where_it_should() {
    let car = Car::new(&free_vehicle(), Reserve::NONE).expect("a valid vehicle");
    let peak = car.force_fraction(Second::<1>::variable(1.0, 0));
    assert!((peak.value - 1.0).abs() < 1e-12 && peak.gradient[0].abs() < 1e-12 && peak.hessian[0][0] < -0.1);
    let small = car.force_fraction(Second::<1>::variable(0.0, 0));
    assert!((small.gradient[0] - 3.0).abs() < 1e-9 && small.value() == 0.0);
    assert!((car.force_fraction(car.slip_of(0.7)) - 0.7).abs() < 1e-12);
}

#[test]
fn each_axle_has_the_grip_of_its_own_downforce() {
    let tables = Vehicle {
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        ggv_table: vec![[0.0, 10.0, 12.0], [60.0, 15.0, 19.0]],
        table_downforce_kgpm: Some(1.5),
        ..free_vehicle()
    };
    let constants = Vehicle { downforce_kgpm: 2.0, ..free_vehicle() };
    for (vehicle, fraction) in [(&constants, 0.3), (&constants, 0.7), (&tables, 0.3), (&tables, 0.5)] {
        let (weight, speed) = (0.45, 50.0);
        let vehicle = Vehicle {
            front_weight_fraction: Some(weight),
            front_downforce_fraction: Some(fraction),
            centre_of_gravity_m: Some(0.0),
            ..vehicle.clone()
        };
        let car = Car::new(&vehicle, Reserve::NONE).expect("a valid vehicle");
        let diagram = GgDiagram::new(&vehicle).expect("a valid vehicle");
        let by_weight = [fraction / weight, (1.0 - fraction) / (1.0 - weight)];
        let limiting = usize::from(by_weight[1] < by_weight[0]);
        let air = vehicle.downforce_on_tyres_kgpm() / vehicle.mass_kg * speed * speed;
        // Straight ahead with the slip of the peak at one axle, v = -u tan α at the rear, and none
        // at the other; then the force by the mass that the axle carries.
        let (angle, arms) = (car.peak_slip_rad, [car.to_front_m, car.to_rear_m]);
        let front = Motion { forward: speed, leftward: 0.0, yaw_rate: 0.0, steering: angle, pedal: 0.0 };
        let rear = Motion { leftward: -speed * angle.tan(), steering: -angle, ..front };
        let gyration = car.gyration_squared;
        let front_force = car.rates(front, &Ground::LEVEL, 1.0).yaw * gyration / (arms[0] * angle.cos());
        let rear_force = -car.rates(rear, &Ground::LEVEL, 1.0).yaw * gyration / arms[1] / 1.05;
        let carried = [front_force / weight, rear_force / (1.0 - weight)];
        let limit = diagram.lateral_limit(speed * speed);
        assert!((carried[limiting] / limit - 1.0).abs() < 2e-3, "{carried:?} {limit}");
        let ratio = (STANDARD_GRAVITY + by_weight[1 - limiting] * air) / (STANDARD_GRAVITY + by_weight[limiting] * air);
        let other = carried[1 - limiting] / carried[limiting];
        assert!((other / ratio - 1.0).abs() < 2e-3, "{carried:?} {ratio}");
    }
}

#[test]
fn the_slip_of_a_force_gives_that_force_and_stays_below_the_peak() {
    let car = Car::new(&free_vehicle(), Reserve::NONE).expect("a valid vehicle");
    for fraction in [-0.9, -0.3, 0.0, 0.5, 0.9] {
        let force: f64 = car.force_fraction(car.slip_of(fraction));
        assert!((force - fraction).abs() < 1e-12, "{fraction}: {force}");
    }
    // A force beyond the maximum has no slip: it counts as one a little below.
    for fraction in [1.0, 2.0] {
        let slip = car.slip_of(fraction);
        let force: f64 = car.force_fraction(slip);
        assert!((0.9..1.0).contains(&force) && slip < 1.0, "{fraction}: {slip}, {force}");
    }
}

/// A car with wheels: the fraction of the roll stiffness in front and the tyres' sensitivity to
/// load.
fn wheeled(roll: f64, sensitivity: f64) -> Vehicle {
    Vehicle {
        front_track_width_m: Some(1.6),
        rear_track_width_m: Some(1.5),
        front_roll_stiffness_fraction: Some(roll),
        tyre_load_sensitivity: Some(sensitivity),
        centre_of_gravity_m: Some(0.45),
        ..free_vehicle()
    }
}

/// Factor on the lateral limit of an axle with the load n times that of a level road, whose wheels
/// are k sensitive: Σ N_w (1 - k (N_w / N₀ - 1)) with N_w = N/2 ± ΔN and N₀ = N⁰/2.
fn usable_fraction(vehicle: &Vehicle, axle: usize, n: f64, lateral: f64) -> f64 {
    let k = vehicle.tyre_load_sensitivity.expect("a key of this vehicle");
    let roll = vehicle.front_roll_stiffness_fraction.expect("a key of this vehicle");
    let [part, width, weight] = [[roll, 1.6, 0.4667], [1.0 - roll, 1.5, 0.5333]][axle];
    let moved = 2.0 * part * 0.45 * lateral / (width * weight * STANDARD_GRAVITY);
    n * (1.0 + k - k * (n + moved * moved / n))
}

#[test]
fn on_flat_and_banked_circles_the_limit_is_that_of_the_moved_loads() {
    for (roll, k) in [(0.6, 0.0), (0.6, 0.15), (0.4, 0.25)] {
        let vehicle = wheeled(roll, k);
        let car = Car::new(&vehicle, Reserve::NONE).expect("a valid vehicle");
        let limit = vehicle.lateral_limit_mps2;
        let reserve = [1.0, 1.05];
        let parts = [0, 1].map(|i| reserve[i] * usable_fraction(&vehicle, i, 1.0, limit));
        for (banking, curvature) in [(0.0_f64, 0.01), (0.2, 0.01), (-0.1, 0.02)] {
            // The acceleration A at which an axle slides: A = A_y factor c(n, A), with the road's
            // load n that the speed on the banking gives.
            let (sin, cos) = banking.sin_cos();
            let load = |w: f64| STANDARD_GRAVITY * cos + curvature * w * sin;
            let across = |w: f64| curvature * w * cos - STANDARD_GRAVITY * sin;
            let left = |w: f64| {
                let by = |i: usize| reserve[i] * usable_fraction(&vehicle, i, load(w) / STANDARD_GRAVITY, across(w));
                limit * by(0).min(by(1)) / parts[0].min(parts[1]) - across(w)
            };
            let (mut low, mut high) = (0.0, 4.0 * limit / curvature);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if left(middle) > 0.0 { low = middle } else { high = middle }
            }
            let w: f64 = low;
            let ground = Ground {
                gravity_normal: STANDARD_GRAVITY * cos,
                gravity_across: -STANDARD_GRAVITY * sin,
                normal_curvature: curvature * sin,
                ..Ground::LEVEL
            };
            if banking == 0.0 {
                assert!((curvature * w / limit - 1.0).abs() < 1e-9, "a level circle is driven at A_y");
            }
            // The lateral limits by the mass that each axle carries; the smaller one is what
            // holds the car.
            let limits = car.axles(w.sqrt(), 0.0, Some(across(w)), &ground, 1.0).lateral_limits;
            let carried = (limits[0] / 0.4667).min(limits[1] / 0.5333);
            assert!((carried / across(w) - 1.0).abs() < 4e-3, "{roll} {k} {banking}: {carried} {}", across(w));
        }
    }
}

#[test]
fn the_understeer_grows_with_the_roll_stiffness_in_front() {
    let radius = 200.0;
    let steering = |roll: f64, k: f64, lateral: f64| {
        let vehicle = wheeled(roll, k);
        let car = Car::new(&vehicle, Reserve::NONE).expect("a valid vehicle");
        let speed = f64::sqrt(lateral * radius);
        let found = trim(&car, speed, speed / radius);
        // δ = L / R + α_f - α_r, with the slip at which each axle gives its part of the force. The
        // forces along hold the speed against the steered wheels and move load to the rear.
        let limit = vehicle.lateral_limit_mps2;
        let worst = usable_fraction(&vehicle, 0, 1.0, limit).min(1.05 * usable_fraction(&vehicle, 1, 1.0, limit));
        let moved = found.pedal * 0.45 / (STANDARD_GRAVITY * 3.0);
        let slip = |i: usize| {
            let n = [1.0 - moved / 0.4667, 1.0 + moved / 0.5333][i];
            let part = [1.0, 1.05][i] * usable_fraction(&vehicle, i, n, lateral) / worst;
            car.slip_of(lateral / (limit * part)) * car.peak_slip_rad
        };
        let expected = 3.0 / radius + slip(0) - slip(1);
        assert!((found.steering - expected).abs() < 2e-3, "{roll} {k} {lateral}: {} {expected}", found.steering);
        found.steering
    };
    for lateral in [3.0, 6.0, 9.0] {
        let [soft, even, stiff] = [0.35, 0.5, 0.65].map(|roll| steering(roll, 0.2, lateral));
        assert!(soft < even && even < stiff, "{lateral}: {soft} {even} {stiff}");
    }
}

#[test]
fn with_a_locked_differential_low_wheels_and_even_tyres_four_wheels_are_two() {
    let four = Vehicle { centre_of_gravity_m: Some(0.0), differential_lock_fraction: Some(1.0), ..wheeled(0.6, 0.0) };
    let two = Vehicle {
        front_track_width_m: None,
        rear_track_width_m: None,
        front_roll_stiffness_fraction: None,
        tyre_load_sensitivity: None,
        differential_lock_fraction: None,
        ..four.clone()
    };
    let [four, two] = [four, two].map(|vehicle| Car::new(&vehicle, Reserve::NONE).expect("a valid vehicle"));
    let motion = Motion { forward: 35.0, leftward: -0.8, yaw_rate: 0.3, steering: 0.06, pedal: -3.0 };
    let ground = Ground { gravity_across: -0.7, normal_curvature: 0.001, ..Ground::LEVEL };
    let (weights, limits) = ([0.3, -0.2, 0.5], [0.1, 0.7, 0.4, 0.2, 0.3]);
    let [a, b] = [&four, &two].map(|car| car.derivatives(motion, &ground, 0.9, weights, limits));
    let near = |a: f64, b: f64| (a - b).abs() < 1e-11 * (1.0 + b.abs());
    assert!(a.rates.iter().zip(&b.rates).all(|(a, b)| near(*a, *b)));
    assert!(a.rate_gradients.as_flattened().iter().zip(b.rate_gradients.as_flattened()).all(|(a, b)| near(*a, *b)));
    assert!(a.limit_gradients.as_flattened().iter().zip(b.limit_gradients.as_flattened()).all(|(a, b)| near(*a, *b)));
    assert!(a.hessian.as_flattened().iter().zip(b.hessian.as_flattened()).all(|(a, b)| near(*a, *b)));
}

#[test]
fn the_inner_wheel_bounds_the_brakes_in_a_bend() {
    // One inner rear wheel with a part of its load: brakes reach their limit so much sooner.
    let vehicle = wheeled(0.5, 0.0);
    let car = Car::new(&vehicle, Reserve::NONE).expect("a valid vehicle");
    let at = |lateral: f64| {
        let axles = car.axles(30.0, -6.0, Some(lateral), &Ground::LEVEL, 1.0);
        axles.braking_use.map(f64::sqrt)
    };
    let lateral = 8.0;
    let (straight, bend) = (at(0.0), at(lateral));
    let moved_along = 6.0 * 0.45 / 3.0;
    for (i, width) in [1.6, 1.5].into_iter().enumerate() {
        let load = [0.4667 * STANDARD_GRAVITY + moved_along, 0.5333 * STANDARD_GRAVITY - moved_along][i];
        let inner = 1.0 - 0.98 * 2.0 * 0.5 * 0.45 * lateral / (width * load);
        assert!((straight[i] / bend[i] / inner - 1.0).abs() < 0.01, "{i}: {straight:?} {bend:?} {inner}");
    }
}

#[test]
fn full_braking_of_sensitive_tyres_reaches_the_limit_of_the_vehicle() {
    let vehicle = wheeled(0.5, 0.2);
    let car = Car::new(&vehicle, Reserve::NONE).expect("a valid vehicle");
    let motion =
        Motion { forward: 30.0, leftward: 0.0, yaw_rate: 0.0, steering: 0.0, pedal: -vehicle.longitudinal_limit_mps2 };
    let [front, rear] = car.rates(motion, &Ground::LEVEL, 1.0).use_less_one;
    assert!(front.max(rear).abs() < 5e-3, "{front} {rear}");
}
