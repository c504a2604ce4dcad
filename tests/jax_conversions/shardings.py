"""Writes the HLO of random named shardings: `python -m jax_conversions.shardings FILE COUNT [SEED]`.

A line has the sizes of the axes of a mesh, the axes of each dimension of an array, and the protocol buffer of
HLO.
"""

import json
import random
import sys
from pathlib import Path

from jax.sharding import AbstractMesh, NamedSharding
from jax.sharding import PartitionSpec as P

SIZES = [1, 1, 2, 2, 2, 3, 4, 5, 8, 16]


def sample(draws):
    sizes = [draws.choice(SIZES) for _ in range(draws.randint(1, 6))]
    rank = draws.randint(0, 5)
    axes = draws.sample(range(len(sizes)), draws.randint(0, len(sizes)) if rank else 0)
    dimensions = [[] for _ in range(rank)]
    for axis in axes:
        draws.choice(dimensions).append(axis)
    names = [f"axis{number}" for number in range(len(sizes))]
    # A specification may be shorter than the rank.
    spec = [tuple(names[axis] for axis in dimension) or None for dimension in dimensions]
    while spec and spec[-1] is None and draws.random() < 0.5:
        spec.pop()
    mesh = AbstractMesh(tuple(sizes), tuple(names))
    message = NamedSharding(mesh, P(*spec))._to_xla_hlo_sharding(rank).to_proto().SerializeToString()
    return {"mesh": sizes, "dimensions": dimensions, "message": message.hex()}


def main():
    path, count, *seed = sys.argv[1:]
    draws = random.Random(int(seed[0]) if seed else 44)
    lines = [json.dumps(sample(draws), separators=(",", ":")) for _ in range(int(count))]
    Path(path).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
