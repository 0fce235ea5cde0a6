# The steps of scripts/test, one by one.

default:
    @just --list

# Everything CI runs
test:
    scripts/test

format:
    cargo fmt --all

lint:
    cargo clippy --workspace --all-targets -- -D warnings

unit:
    cargo test --release --workspace

# Longer fuzzing: just fuzz 600
fuzz seconds="60":
    fuzz/run {{seconds}}

bench *arguments:
    benchmarks/run {{arguments}}
