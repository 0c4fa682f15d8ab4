//! Numbers for which the car's equations are written: plain ones, and ones with first and second
//! derivatives.

pub use raceline_numerics::{Number, Second};

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::{Number, Second};

    /// A function of two variables.
    type Function = (&'static str, fn(Second<2>, Second<2>) -> Second<2>, fn(f64, f64) -> f64);

    /// Every operation, with numbers that carry derivatives and with plain ones.
    const FUNCTIONS: [Function; 11] = [
        ("sum", |x, y| x + y * 2.0 + 3.0, |x, y| x + y * 2.0 + 3.0),
        ("difference", |x, y| -x - y * x, |x, y| -x - y * x),
        ("product", |x, y| x * y * y, |x, y| x * y * y),
        ("reciprocal", |x, y| (x * y).recip(), |x, y| Number::recip(x * y)),
        ("square", |x, y| (x - y).square(), |x, y| (x - y).square()),
        ("root", |x, y| Number::sqrt(x + y * y), |x, y| Number::sqrt(x + y * y)),
        ("sine", |x, y| Number::sin_cos(x * y).0, |x, y| Number::sin_cos(x * y).0),
        ("cosine", |x, y| Number::sin_cos(x * y).1, |x, y| Number::sin_cos(x * y).1),
        ("arc tangent", |x, y| Number::atan(x - y * x), |x, y| Number::atan(x - y * x)),
        ("power", |x, y| (x * y).power(0.7), |x, y| (x * y).power(0.7)),
        ("first power", |x, y| (x * y).power(1.0), |x, y| (x * y).power(1.0)),
    ];

    #[test]
    fn operations_have_their_derivatives_at_random_places() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let h = 1e-5;
        for (name, carried, plain) in FUNCTIONS {
            for _ in 0..100 {
                let x: [f64; 2] = std::array::from_fn(|_| 0.3 + 1.5 * random.random::<f64>());
                let exact = carried(Second::variable(x[0], 0), Second::variable(x[1], 1));
                assert!((exact.value - plain(x[0], x[1])).abs() < 1e-14 * (1.0 + exact.value.abs()), "{name}");
                let at = |i: f64, j: f64| plain(x[0] + i * h, x[1] + j * h);
                let near = |found: f64, exact: f64, tolerance: f64| {
                    assert!((found - exact).abs() < tolerance * (1.0 + exact.abs()), "{name} {x:?}: {found} {exact}");
                };
                near((at(1.0, 0.0) - at(-1.0, 0.0)) / (2.0 * h), exact.gradient[0], 1e-7);
                near((at(0.0, 1.0) - at(0.0, -1.0)) / (2.0 * h), exact.gradient[1], 1e-7);
                let slope = |k: usize, sign: f64| {
                    let mut x = x;
                    x[k] += sign * h;
                    carried(Second::variable(x[0], 0), Second::variable(x[1], 1)).gradient
                };
                for k in 0..2 {
                    let (after, before) = (slope(k, 1.0), slope(k, -1.0));
                    (0..2).for_each(|j| near((after[j] - before[j]) / (2.0 * h), exact.hessian[k][j], 1e-6));
                }
            }
        }
    }
}
