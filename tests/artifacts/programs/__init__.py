"""Programs in JAX whose exports are the corpus; each file has some families."""
