# The steps of scripts/test, one by one.

default:
    @just --list

# Everything CI runs
test:
    scripts/test

format:
    cargo fmt --all
    cargo fmt --all --manifest-path fuzz/Cargo.toml
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

# Fuzzing as CI does it (just fuzz), or longer: just fuzz 600
fuzz *seconds:
    fuzz/run {{seconds}}

# New random cases for so many minutes
test-long minutes="60":
    scripts/test-long {{minutes}}

bench *arguments:
    benchmarks/run {{arguments}}
