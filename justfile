# The steps of scripts/test, one by one.

default:
    @just --list

# Everything CI runs
test:
    scripts/test

format:
    cargo fmt --all
    cargo fmt --all --manifest-path fuzz/libfuzzer/Cargo.toml
    cargo fmt --all --manifest-path benchmarks/Cargo.toml

lint:
    cargo clippy --workspace --all-targets -- -D warnings

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

unit:
    cargo test --workspace

# The report in a browser
report:
    cargo build --workspace --bins
    web/test

# The Python package, installed into .venv
python *arguments:
    python/test {{arguments}}

# Fuzzing for so many seconds a target
fuzz seconds="60" *targets:
    fuzz/run {{seconds}} {{targets}}

# New random cases for so many minutes, then so many inputs for the readers
test-long minutes="60" inputs="100000000":
    scripts/test-long {{minutes}} {{inputs}}

bench *arguments:
    benchmarks/run {{arguments}}
