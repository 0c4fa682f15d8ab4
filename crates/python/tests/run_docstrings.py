"""Runs the examples in the docstrings of the package, also of what is written in Rust.

Fails where a public function or class has no docstring, and where a function has no example.
"""

import doctest
import inspect
import sys

import raceline

# What has no example of its own: exceptions, and what others return.
WITHOUT = {"Command", "Method", "NeuralDriver", "Options", "PathAhead", "Line", "Track", "laps", "schema"}


def documented():
    """The public objects, and the methods of the classes, by their names."""
    for name in raceline.__all__:
        value = getattr(raceline, name)
        if name.startswith("__") or inspect.ismodule(value):
            continue
        yield name, value
        if inspect.isclass(value) and not issubclass(value, Exception) and name not in ("Options",):
            for part, member in vars(value).items():
                if not part.startswith("_"):
                    yield f"{name}.{part}", getattr(value, part)


def main():
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    examples, faults = 0, []
    doctest.testmod(raceline)
    for name, value in documented():
        text = getattr(value, "__doc__", None) or ""
        if not text and name not in WITHOUT:
            faults.append(f"{name} has no docstring")
        test = parser.get_doctest(text, {}, name, None, None)
        is_function = "." not in name and not inspect.isclass(value)
        if is_function and not test.examples and name not in WITHOUT:
            faults.append(f"{name} has no example")
        examples += len(test.examples)
        runner.run(test)
    for fault in faults:
        print(fault)
    print(f"docstrings: {examples} examples, {runner.failures} fail")
    return 1 if faults or runner.failures else 0


if __name__ == "__main__":
    sys.exit(main())
