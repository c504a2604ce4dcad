"""Exports of one JAX, converted by mlirbc and called by older ones, for `scripts/jax-conversions`."""
