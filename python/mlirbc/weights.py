"""Programs with other weights: arguments as constants, constants as arguments, constants in smaller types.

Each function reads a module with its container, and writes both. In a JAX export, the arguments that
`jax.export` describes and the derivatives change, too. `limits` are for a file that is opened.

>>> report = mlirbc.weights.cast("examples/mlp.jax", "bf16")
>>> report.size_before, report.size_after
(256, 128)
>>> mlirbc.open(report.data).weights["jit(mlp)/dot_general"].dtype.name
'bfloat16'
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mlirbc import _mlirbc

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["FreezeReport", "HoistReport", "StoreReport", "cast", "freeze", "hoist", "quantize"]

_Source = _mlirbc.Module | str | bytes | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class FreezeReport:
    """The arguments that became constants. `data` is the file, unless it was written to a path.

    >>> mlirbc.weights.FreezeReport(["args[0]"], 4, ["args[1]"], []).remaining
    ['args[1]']
    """

    frozen: list[str]
    size: int
    remaining: list[str]
    extra: list[str]
    data: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class HoistReport:
    """The constants that became arguments, in order. `kept` has the reasons why others are still constants.

    >>> mlirbc.weights.HoistReport(["layer0/dot_general"], 128, []).size
    128
    """

    hoisted: list[str]
    size: int
    kept: list[tuple[str, str]]
    data: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class StoreReport:
    """The constants that are stored in another form, with the paths of their modules if there are several.

    >>> mlirbc.weights.StoreReport(["a"], 256, 128, 0.001, []).size_after
    128
    """

    stored: list[str]
    size_before: int
    size_after: int
    largest_error: float
    kept: list[tuple[str, str]]
    data: bytes = field(default=b"", repr=False)


def freeze(
    source: _Source,
    values: "Mapping[str, npt.ArrayLike] | str | os.PathLike[str]",
    output: str | os.PathLike[str] | None = None,
    *,
    function: str | None = None,
    allow_extra: bool = False,
    bare: bool = False,
    limits: _mlirbc.Limits | None = None,
) -> FreezeReport:
    """Make arguments constants.

    `values` are arrays by the names of arguments, or a safetensors, `.npz` or `.npy` file. The names are the
    paths that JAX shows, `args[0]['w']`, or the keys alone, `w`. A positional argument without other leaves
    is removed. `allow_extra` ignores values that are for no argument, and `bare` writes the module without
    its container. Raises `InvalidError` for other names, dtypes or shapes.

    >>> import numpy as np
    >>> report = mlirbc.weights.freeze("examples/mlp.jax", {"b0": np.zeros(16, np.float32)})
    >>> report.frozen
    ["args[0]['b0']"]
    """
    tensors, paths = [], []
    if isinstance(values, (str, os.PathLike)):
        paths.append(os.fspath(values))
    else:
        import numpy as np

        for name, value in values.items():
            array = np.asarray(value)
            shape = list(array.shape)
            tensors.append((name, _element(array.dtype.name), shape, np.ascontiguousarray(array).tobytes()))
    text, data = _mlirbc._freeze_weights(
        _module(source, limits), tensors, paths, function, allow_extra, bare, _path(output)
    )
    return FreezeReport(**json.loads(text), data=data or b"")


def hoist(
    source: _Source,
    values: str | os.PathLike[str] | None = None,
    output: str | os.PathLike[str] | None = None,
    *,
    names: Sequence[str] | None = None,
    users: Sequence[str] | None = None,
    function: str | None = None,
    drop_derivatives: bool = False,
    bare: bool = False,
    limits: _mlirbc.Limits | None = None,
) -> HoistReport:
    """Make constants arguments: in a JAX export the keys of a dictionary, the last positional argument.

    `values` is the file for their elements, `.npz` or safetensors. `names` are those of `module.weights`; by
    default, all tensors of floats with several elements. `users` are paths of operations, for which alone the
    constants are replaced. Raises `InvalidError` for an export with derivatives, unless `drop_derivatives` is
    set.

    >>> mlirbc.weights.hoist("examples/mlp.jax", drop_derivatives=True).hoisted
    ['jit(mlp)/dot_general']
    """
    text, data = _mlirbc._hoist_weights(
        _module(source, limits),
        _list(names),
        _list(users),
        function,
        drop_derivatives,
        bare,
        _path(values),
        _path(output),
    )
    report = json.loads(text)
    reasons = [(name, why) for name, why in report["kept"]]
    return HoistReport(report["hoisted"], report["size"], reasons, data or b"")


def cast(
    source: _Source,
    to: str,
    output: str | os.PathLike[str] | None = None,
    *,
    names: Sequence[str] | None = None,
    users: Sequence[str] | None = None,
    bare: bool = False,
    limits: _mlirbc.Limits | None = None,
) -> StoreReport:
    """Store constants in another floating-point type, rounded as NumPy and `ml_dtypes` do.

    The program converts them back where it uses them. `to` is a type of MLIR: `bf16`, `f16`, `f8E4M3FN`.
    Raises `InvalidError` for another type, and if no constant is stored.

    >>> mlirbc.weights.cast("examples/mlp.jax", "f16").largest_error < 0.001
    True
    """
    return _store(_module(source, limits), to, -1, (names, users, bare, output))


def quantize(
    source: _Source,
    to: str = "int8",
    output: str | os.PathLike[str] | None = None,
    *,
    axis: int | None = None,
    per_channel: bool = False,
    names: Sequence[str] | None = None,
    users: Sequence[str] | None = None,
    bare: bool = False,
    limits: _mlirbc.Limits | None = None,
) -> StoreReport:
    """Store constants as integers from -127 to 127 with a scale, by which the program multiplies them.

    `axis` gives each index of this dimension a scale, `per_channel` that of the last one. Raises
    `InvalidError` for elements that are not finite, and if no constant is stored.

    >>> mlirbc.weights.quantize("examples/mlp.jax", per_channel=True).size_after
    96
    """
    if to != "int8":
        raise ValueError(f"expected int8, found {to}")
    if axis is not None and axis < 0:
        raise ValueError(f"axis is {axis}; count dimensions from 0")
    number = axis if axis is not None else (-2 if per_channel else -1)
    return _store(_module(source, limits), to, number, (names, users, bare, output))


def _store(
    module: _mlirbc.Module,
    to: str,
    axis: int,
    choice: tuple[Sequence[str] | None, Sequence[str] | None, bool, str | os.PathLike[str] | None],
) -> StoreReport:
    names, users, bare, output = choice
    text, data = _mlirbc._store_weights(module, to, axis, _list(names), _list(users), bare, _path(output))
    report = json.loads(text)
    report["kept"] = [(name, why) for name, why in report["kept"]]
    return StoreReport(**report, data=data or b"")


_ELEMENTS = {
    "bool": "i1",
    "bfloat16": "bf16",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
}


def _element(dtype: str) -> str:
    for start, element in (("uint", "ui"), ("int", "i")):
        if dtype.startswith(start):
            return element + dtype[len(start) :]
    if dtype in _ELEMENTS:
        return _ELEMENTS[dtype]
    kind, _, form = dtype.partition("_")
    return kind.replace("float", "f") + form.upper()


def _module(source: _Source, limits: _mlirbc.Limits | None) -> _mlirbc.Module:
    return source if isinstance(source, _mlirbc.Module) else _mlirbc.open(source, limits=limits)


def _list(names: Sequence[str] | None) -> list[str] | None:
    return None if names is None else list(names)


def _path(path: str | os.PathLike[str] | None) -> str | None:
    return None if path is None else os.fspath(path)
