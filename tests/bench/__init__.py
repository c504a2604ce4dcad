"""The benchmarks; `scripts/bench` runs them."""
