"""Samples shardings of HLO: `python make_shardings.py COUNT [SEED] > hlo_shardings.jsonl`, with jax 0.10.2.

A line has the sizes of the axes of a mesh, the axes of each dimension of an array, the manual axes, and what
JAX makes of them: the text of `mhlo.sharding` and the protocol buffer `OpSharding`.
"""

import json
import random
import sys

from jax.sharding import AbstractMesh, AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

SIZES = [1, 1, 2, 2, 2, 3, 4, 5, 8, 16]


def sample(draws):
    sizes = [draws.choice(SIZES) for _ in range(draws.randint(1, 6))]
    rank = draws.randint(0, 5)
    axes = draws.sample(range(len(sizes)), draws.randint(0, len(sizes)))
    manual = sorted(axes[: draws.randint(0, len(axes))]) if draws.random() < 0.5 else []
    dimensions = [[] for _ in range(rank)]
    for axis in axes if rank else []:
        if axis not in manual:
            draws.choice(dimensions).append(axis)
    names = [f"axis{number}" for number in range(len(sizes))]
    types = [AxisType.Manual if axis in manual else AxisType.Auto for axis in range(len(sizes))]
    mesh = AbstractMesh(tuple(sizes), tuple(names), axis_types=tuple(types))
    spec = P(*(tuple(names[axis] for axis in dimension) or None for dimension in dimensions))
    sharding = NamedSharding(mesh, spec)._to_xla_hlo_sharding(rank)
    message = sharding.to_proto().SerializeToString().hex()
    return {
        "mesh": sizes,
        "dimensions": dimensions,
        "manual": manual,
        "text": repr(sharding),
        "message": message,
    }


def main():
    count, *seed = sys.argv[1:]
    draws = random.Random(int(seed[0]) if seed else 44)
    for _ in range(int(count)):
        print(json.dumps(sample(draws), separators=(",", ":")))


if __name__ == "__main__":
    main()
