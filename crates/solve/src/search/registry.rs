//! The methods by name, and the order in which they are searched.

use raceline_file::Method;

use super::method::LineMethod;
use super::methods::{Blend, Car, IteratedMinCurvature, MinCurvature, PointMass, Relaxation, Sampled, ShortestPath};
use crate::Model;

fn finder(method: Method, model: Model) -> &'static dyn LineMethod {
    match (method, model) {
        (Method::ShortestPath, _) => &ShortestPath,
        (Method::MinCurvature, _) => &MinCurvature,
        (Method::IteratedMinCurvature, _) => &IteratedMinCurvature,
        (Method::Blend, _) => &Blend,
        (Method::TimeOptimal, Model::PointMass) => &PointMass,
        (Method::TimeOptimal, Model::Car) => &Car,
        (Method::Relaxation, _) => &Relaxation,
        (Method::Sampled, _) => &Sampled,
    }
}

/// The methods to search for the line of `method`: those whose lines it starts from, each once and
/// before those that start from it, and itself.
pub fn steps(method: Method, model: Model) -> Vec<&'static dyn LineMethod> {
    searched(method, model).into_iter().map(|method| finder(method, model)).collect()
}

/// The methods of [`steps`].
pub fn searched(method: Method, model: Model) -> Vec<Method> {
    fn add(method: Method, model: Model, steps: &mut Vec<Method>) {
        if steps.contains(&method) {
            return;
        }
        finder(method, model).starts_from().iter().for_each(|&first| add(first, model, steps));
        steps.push(method);
    }
    let mut steps = Vec::new();
    add(method, model, &mut steps);
    steps
}

#[cfg(test)]
mod tests {
    use super::{Method, Model, steps};

    #[test]
    fn each_method_is_searched_once_and_after_those_that_it_starts_from() {
        for (method, count) in [
            (Method::ShortestPath, 1),
            (Method::MinCurvature, 1),
            (Method::IteratedMinCurvature, 2),
            (Method::Blend, 3),
            (Method::TimeOptimal, 4),
            (Method::Relaxation, 1),
            (Method::Sampled, 1),
        ] {
            for model in [Model::PointMass, Model::Car] {
                let steps = steps(method, model);
                assert_eq!(steps.len(), count, "{method:?}");
                assert!(steps[0].starts_from().is_empty(), "{method:?}");
            }
        }
    }
}
