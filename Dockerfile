# raceline without Rust: docker build -t raceline .
# docker run --rm -i -v "$PWD:/tracks" --user "$(id -u):$(id -g)" raceline optimize club.png

FROM rust:1.95-slim-bookworm AS build
# OSQP is built from C sources.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends cmake g++ make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN cargo build --release --locked --bin raceline

# The C library of the same Debian, and no shell.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /source/target/release/raceline /usr/bin/raceline
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/raceline/
WORKDIR /tracks
USER nonroot:nonroot
ENTRYPOINT ["/usr/bin/raceline"]
CMD ["--help"]
