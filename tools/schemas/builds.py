"""The installed builds that can be probed, and the calls that probing needs."""

import importlib
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import text

_STRING = re.compile(rb"(?<![\w.$-])[A-Za-z_][\w.$-]{0,79}(?=\0)")
# The dialects that every context of JAX has (`make_ir_context` in `jax/_src/interpreters/mlir.py`), and the ones
# that only users of Pallas and of other extensions register.
JAX_DIALECTS = {
    "_mlirHlo": "register_mhlo_dialect",
    "_chlo": "register_dialect",
    "_stablehlo": "register_dialect",
    "_sdy": "register_dialect",
    "_sdyMpmd": "register_dialect",
}
EXTENSION_DIALECTS = {
    "_tpu_ext": "register_dialect",
    "_triton_ext": "register_dialect",
    "_mosaic_gpu_ext": "register_dialect",
    "_thunky_ext": "register_dialect",
}

TORCH_DIALECTS = {"_torchMlir": "register_dialect", "_stablehlo": "register_dialect"}


@dataclass
class Answer:
    """The answer of a build to a text or a file: its complaint, and the properties of the operation."""

    complaint: str | None
    shown: dict[str, str] | None


class Build:
    """A build of MLIR with Python bindings."""

    def __init__(self, package: str, library: str, context: Any) -> None:
        self._ir = importlib.import_module(f"{package}.ir")
        root = Path(str(self._ir.__file__)).parent
        self._library = root / library
        self.classes = sorted((root / "dialects").rglob("_*_ops_gen.py"))
        self.context = context
        context.allow_unregistered_dialects = True
        context.enable_multithreading(False)

    @cached_property
    def strings(self) -> set[str]:
        """The strings in the library that could be names."""
        return {match.decode() for match in _STRING.findall(self._library.read_bytes())}

    def is_registered(self, operation: str) -> bool:
        """Whether the build defines an operation."""
        return bool(self.context.is_registered_operation(operation))

    def has_dialect(self, name: str) -> bool:
        """Whether a context of the build has a dialect, with operations or without."""
        try:
            self.context.get_dialect_descriptor(name)
        except ValueError:
            return False
        return True

    def complaints(self, attribute: str) -> list[tuple[str, int]]:
        """The complaints of the build about the text of an attribute, each with its column."""
        try:
            self._ir.Attribute.parse(attribute, context=self.context)
        except ValueError:
            return [("no reason given", -1)]
        except self._ir.MLIRError as error:
            return [(item.message, _column(str(item.location))) for item in error.error_diagnostics]
        except RuntimeError:
            # The text was parsed, but some builds of IREE cannot make Python objects of attributes of
            # `linalg`.
            return []
        return []

    def canonical(self, attribute: str) -> str:
        """The text of an attribute as the build prints it."""
        answer = self.read("probe.op", f'"probe.op"() <{{p = {attribute}}}> : () -> ()')
        if answer.shown is None:
            raise ValueError(f"{attribute}: {answer.complaint}")
        return answer.shown["p"]

    def write(self, source: str, version: int) -> bytes:
        """An operation as bytecode."""
        file = io.BytesIO()
        self._parse(source).write_bytecode(file, desired_version=version)
        return file.getvalue()

    def _parse(self, source: str) -> Any:
        return self._ir.Operation.parse(source, context=self.context).operation

    def create(self, operation: str, attributes: Iterable[str] = ()) -> str:
        """An operation with unit attributes of these names, in the generic form, without verification."""
        with self.context, self._ir.Location.unknown():
            unit = self._ir.UnitAttr.get()
            created = self._ir.Operation.create(operation, attributes=dict.fromkeys(attributes, unit))
            return str(created.get_asm(print_generic_op_form=True, use_local_scope=True))

    def bytecode(self, operation: str, attributes: Mapping[str, str]) -> bytes:
        """An operation with these attributes as bytecode, without verification."""
        with self.context, self._ir.Location.unknown():
            values = {name: self._ir.Attribute.parse(value) for name, value in attributes.items()}
            created = self._ir.Operation.create(operation, attributes=values)
            file = io.BytesIO()
            created.write_bytecode(file)
        return file.getvalue()

    def read(self, operation: str, data: bytes | str) -> Answer:
        """The answer of the build to a file with one operation."""
        try:
            module = self._ir.Module.parse(data, context=self.context)
        except self._ir.MLIRError as error:
            if not error.error_diagnostics:
                return Answer("no reason given", None)
            first = error.error_diagnostics[0]
            shown = [text.shown(note.message, operation) for note in first.notes]
            return Answer(first.message, next((item for item in shown if item is not None), None))
        return Answer(
            None,
            text.shown(module.operation.get_asm(print_generic_op_form=True, use_local_scope=True), operation),
        )


def _column(location: str) -> int:
    match = re.search(r":(\d+)\)$", location)
    return int(match[1]) - 1 if match else -1


def jaxlib(extensions: Mapping[str, str] = EXTENSION_DIALECTS) -> Build:
    """Jaxlib, with the dialects of JAX and of these extensions."""
    ir = importlib.import_module("jaxlib.mlir.ir")
    libraries = "jaxlib.mlir._mlir_libs"
    root = Path(str(ir.__file__)).parent
    registry = ir.DialectRegistry()
    extension = "_jax_mlir_ext" if any(root.glob("_mlir_libs/_jax_mlir_ext.*")) else "register_jax_dialects"
    importlib.import_module(f"{libraries}.{extension}").register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    for module, function in {**JAX_DIALECTS, **extensions}.items():
        if any(root.glob(f"_mlir_libs/{module}.so")):  # older ones have fewer parts
            getattr(importlib.import_module(f"{libraries}.{module}"), function)(context)
    context.load_all_available_dialects()
    common = "../libjax_common.so"
    older = "_mlir_libs/libjaxlib_mlir_capi.so"
    return Build("jaxlib.mlir", common if (root / common).exists() else older, context)


def iree() -> Build:
    """The IREE compiler, whose contexts have every dialect."""
    context = importlib.import_module("iree.compiler.ir").Context()
    context.load_all_available_dialects()
    return Build("iree.compiler", "_mlir_libs/libIREECompiler.so", context)


def torch_mlir() -> Build:
    """Torch-MLIR: the dialects of LLVM, `torch` and the dialects that the package converts it to."""
    context = importlib.import_module("torch_mlir.ir").Context()
    for module, function in TORCH_DIALECTS.items():
        getattr(importlib.import_module(f"torch_mlir._mlir_libs.{module}"), function)(context)
    context.load_all_available_dialects()
    return Build("torch_mlir", "_mlir_libs/libTorchMLIRAggregateCAPI.so", context)


def circt() -> Build:
    """CIRCT, whose package has its own dialects only."""
    context = importlib.import_module("circt.ir").Context()
    importlib.import_module("circt").register_dialects(context)
    context.load_all_available_dialects()
    return Build("circt", "_mlir_libs/libCIRCTBindingsPythonCAPI.so", context)


BUILDS = {"circt": circt, "iree": iree, "jaxlib": jaxlib, "torch-mlir": torch_mlir}
