//! The methods by name, and the order in which they are searched.

use raceline_file::Method;

use super::method::LineMethod;
use super::methods::{
    Blend, Car, Given, IteratedMinCurvature, MinCurvature, PointMass, Relaxation, Sampled, ShortestPath,
};
use super::options::LineOptions;
use crate::Model;

/// How lines of `method` are found. [`LineOptions::for_vehicle`] has chosen the model before.
fn finder(method: Method, model: Option<Model>) -> &'static dyn LineMethod {
    match (method, model) {
        (Method::ShortestPath, _) => &ShortestPath,
        (Method::MinCurvature, _) => &MinCurvature,
        (Method::IteratedMinCurvature, _) => &IteratedMinCurvature,
        (Method::Blend, _) => &Blend,
        (Method::TimeOptimal, Some(Model::Car)) => &Car,
        (Method::TimeOptimal, _) => &PointMass,
        (Method::Relaxation, _) => &Relaxation,
        (Method::Sampled, _) => &Sampled,
        (Method::Given, _) => &Given,
    }
}

/// The methods to search for the line of the options: those whose lines it starts from, each once
/// and before those that start from it, and itself.
pub fn steps(options: &LineOptions) -> Vec<&'static dyn LineMethod> {
    searched(options).into_iter().map(|method| finder(method, options.solve.model)).collect()
}

/// The methods of [`steps`].
pub fn searched(options: &LineOptions) -> Vec<Method> {
    fn add(method: Method, options: &LineOptions, steps: &mut Vec<Method>) {
        if steps.contains(&method) {
            return;
        }
        let first = match &options.initial_line {
            Some(_) if method != Method::Given => &[Method::Given],
            _ => finder(method, options.solve.model).starts_from(),
        };
        first.iter().for_each(|&first| add(first, options, steps));
        steps.push(method);
    }
    let mut steps = Vec::new();
    add(options.method, options, &mut steps);
    steps
}

#[cfg(test)]
mod tests {
    use super::{LineOptions, Method, Model, searched, steps};
    use crate::SolveOptions;

    #[test]
    fn each_method_is_searched_once_and_after_those_that_it_starts_from() {
        for (method, count) in [
            (Method::ShortestPath, 1),
            (Method::MinCurvature, 1),
            (Method::IteratedMinCurvature, 2),
            (Method::Blend, 3),
            (Method::TimeOptimal, 3),
            (Method::Relaxation, 1),
            (Method::Sampled, 1),
            (Method::Given, 1),
        ] {
            for model in [Some(Model::PointMass), Some(Model::Car)] {
                let solve = SolveOptions { model, ..SolveOptions::default() };
                let steps = steps(&LineOptions { method, solve, ..LineOptions::default() });
                assert_eq!(steps.len(), count, "{method:?}");
                assert!(steps[0].starts_from().is_empty(), "{method:?}");
            }
        }
    }

    #[test]
    fn the_search_starts_from_an_initial_line_alone() {
        let options = LineOptions { initial_line: Some(Vec::new()), ..LineOptions::default() };
        assert_eq!(searched(&options), [Method::Given, Method::TimeOptimal]);
    }
}
