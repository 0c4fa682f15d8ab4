//! The elementary functions: closed forms, their error, and the same bits everywhere.

use super::Noise;
use raceline_numerics::math;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_4, FRAC_PI_6, LN_2, LN_10, PI};

/// A function of one number, the one of the standard library, and where it is tested.
type Case = (&'static str, fn(f64) -> f64, fn(f64) -> f64, f64, f64);

const CASES: [Case; 18] = [
    ("sin", math::sin, f64::sin, -100.0, 100.0),
    ("cos", math::cos, f64::cos, -100.0, 100.0),
    ("sine of both", |x| math::sin_cos(x).0, f64::sin, -100.0, 100.0),
    ("cosine of both", |x| math::sin_cos(x).1, f64::cos, -100.0, 100.0),
    ("tan", math::tan, f64::tan, -1.5, 1.5),
    ("asin", math::asin, f64::asin, -1.0, 1.0),
    ("acos", math::acos, f64::acos, -1.0, 1.0),
    ("atan", math::atan, f64::atan, -30.0, 30.0),
    ("sinh", math::sinh, f64::sinh, -20.0, 20.0),
    ("tanh", math::tanh, f64::tanh, -20.0, 20.0),
    ("asinh", math::asinh, f64::asinh, -30.0, 30.0),
    ("exp", math::exp, f64::exp, -300.0, 300.0),
    ("exp_m1", math::exp_m1, f64::exp_m1, -3.0, 3.0),
    ("ln", math::ln, f64::ln, 0.0, 30.0),
    ("ln_1p", math::ln_1p, f64::ln_1p, -1.0, 3.0),
    ("log2", math::log2, f64::log2, 0.0, 30.0),
    ("log10", math::log10, f64::log10, 0.0, 30.0),
    ("cbrt", math::cbrt, f64::cbrt, -30.0, 30.0),
];

/// Distance of two numbers in units of the last place of `b`.
fn ulps(a: f64, b: f64) -> f64 {
    if a == b {
        return 0.0;
    }
    (a - b).abs() / (b.abs().next_up() - b.abs())
}

/// Arguments in [low, high] in the middle of the range and near its ends and zero.
fn arguments(low: f64, high: f64) -> impl Iterator<Item = f64> {
    let mut noise = Noise(7);
    (0..5000).map(move |i| {
        let x = 0.5 * (low + high) + 0.5 * (high - low) * noise.next();
        if i % 5 == 0 && low < 0.0 { 1e-3 * x } else { x }
    })
}

#[test]
fn values_of_closed_form() {
    let half = 0.5_f64;
    let exact = [
        (math::sin(FRAC_PI_6), half),
        (math::cos(FRAC_PI_3), half),
        (math::tan(FRAC_PI_4), 1.0),
        (math::asin(half), FRAC_PI_6),
        (math::acos(half), FRAC_PI_3),
        (math::atan(1.0), FRAC_PI_4),
        (math::atan2(1.0, 0.0), FRAC_PI_2),
        (math::atan2(-1.0, -1.0), -3.0 * FRAC_PI_4),
        (math::sinh(LN_2), 0.75),
        (math::tanh(LN_2), 0.6),
        (math::asinh(0.75), LN_2),
        (math::exp(LN_10), 10.0),
        (math::exp_m1(LN_2), 1.0),
        (math::ln(2.0), LN_2),
        (math::ln_1p(1.0), LN_2),
        (math::log2(1024.0), 10.0),
        (math::log10(1000.0), 3.0),
        (math::cbrt(-27.0), -3.0),
        (math::powf(2.0, 0.5), 2.0_f64.sqrt()),
        (math::powf(9.0, 1.5), 27.0),
        (math::hypot(-5.0, 12.0), 13.0),
        (math::hypot(3e300, 4e300), 5e300),
    ];
    for (i, (found, exact)) in exact.into_iter().enumerate() {
        // One more for the rounding of the argument.
        assert!(ulps(found, exact) <= 2.0, "{i}: {found} for {exact}");
    }
    assert_eq!(math::sin_cos(0.0), (0.0, 1.0));
    assert_eq!(math::atan2(0.0, -1.0), PI);
    assert_eq!(math::atan2(-0.0, -1.0), -PI);
    assert!(math::ln(-1.0).is_nan() && math::asin(1.1).is_nan() && math::powf(-8.0, 1.0 / 3.0).is_nan());
    assert_eq!((math::ln(0.0), math::exp(-1000.0), math::exp(1000.0)), (f64::NEG_INFINITY, 0.0, f64::INFINITY));
}

/// The standard library's are those of the platform, whose errors are below a unit of the last
/// place on Linux, macOS and Windows: two of its units are a bound of ours and of theirs.
#[test]
fn the_error_is_at_most_two_units_of_the_last_place() {
    for (name, ours, theirs, low, high) in CASES {
        for x in arguments(low, high) {
            assert!(ulps(ours(x), theirs(x)) <= 2.0, "{name}({x}): {} for {}", ours(x), theirs(x));
        }
    }
    let mut noise = Noise(11);
    for _ in 0..5000 {
        let (x, y) = (30.0 * noise.next(), 5.0 * noise.next());
        assert!(ulps(math::atan2(y, x), y.atan2(x)) <= 2.0, "the angle of ({x}, {y})");
        assert!(ulps(math::hypot(x, y), x.hypot(y)) <= 2.0, "the length of ({x}, {y})");
        assert!(ulps(math::powf(x.abs(), y), x.abs().powf(y)) <= 2.0, "{} to the power of {y}", x.abs());
    }
}

#[test]
fn whole_powers_are_products() {
    for x in arguments(-3.0, 3.0) {
        assert_eq!(math::powi(x, 0), 1.0);
        assert_eq!(math::powi(x, 1), x);
        assert_eq!(math::powi(x, 2), x * x);
        assert_eq!(math::powi(x, 3), x * (x * x));
        assert_eq!(math::powi(x, 7), x * (x * x) * ((x * x) * (x * x)));
        assert_eq!(math::powi(x, -2), 1.0 / (x * x));
    }
    assert_eq!(math::powi(10.0, 22), 1e22);
    assert_eq!(math::powi(2.0, i32::MIN), 0.0);
    assert_eq!(math::powi(1.0, i32::MAX), 1.0);
}

/// The bits of all functions at 5000 places each, as one number: another release of `libm`, or
/// another processor, that computes any of them otherwise fails here.
#[test]
fn the_bits_are_those_of_every_machine() {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64; // FNV-1a
    let mut add = |value: f64| {
        for byte in value.to_bits().to_le_bytes() {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for (_, ours, _, low, high) in CASES {
        arguments(low, high).for_each(|x| add(ours(x)));
    }
    let mut noise = Noise(13);
    for i in 0..5000 {
        let (x, y) = (30.0 * noise.next(), 5.0 * noise.next());
        for value in [math::atan2(y, x), math::hypot(x, y), math::powf(x.abs(), y), math::powi(y, i % 9 - 4)] {
            add(value);
        }
    }
    assert_eq!(digest, 0xa9a8_7e9b_fd8b_1aeb, "{digest:#018x}");
}
