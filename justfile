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
    cargo test --workspace

# What CI runs of fuzzing, or longer: just fuzz 600
fuzz *seconds:
    fuzz/run {{seconds}}

# New random cases for so many minutes
test-long minutes="60":
    scripts/test-long {{minutes}}

bench *arguments:
    benchmarks/run {{arguments}}
