# The daily commands; CONTRIBUTING.md explains them. `just` lists them.

[private]
default:
    @just --list --unsorted

# Check formatting, lints and documentation; warnings are errors
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

# Run all tests, or those of the integration tests whose path contains FILTER, such as `speed::`
test FILTER="":
    cargo test --locked {{ if FILTER == "" { "--workspace" } else { "--test suite " + FILTER } }}

# Accept changed lines in tracks/, snapshots and generated parts of docs/, then show the difference
bless:
    RACELINE_BLESS=1 cargo test --locked --test suite -- goldens:: reference::
    INSTA_UPDATE=always INSTA_FORCE_PASS=1 cargo test --locked --test suite
    git diff --stat

# Run one bench: extraction, stages, speed or time_optimal; ARGS select groups in it
bench NAME *ARGS:
    cargo bench --locked --bench {{ NAME }} -- {{ ARGS }}

# Build the pages of docs/ as a site, target/book, and check its links
book:
    .ci/book

# Build that site with the app in its tutorials and the lines of the gallery
site:
    .ci/site

# Run everything that must pass before a change is merged
ci:
    .ci/run

# Build, install and try what is passed on: the wheel and the Debian package
packages:
    .ci/packages

# Check the examples for game engines, which `ci` leaves out
engines:
    examples/check_engines
