"""The dialect `gpu`."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._dialect_types import DialectAttr, type_class
from mlirbc.mlir._op_classes import result_of
from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.arith import constant
from mlirbc.mlir.extras.meta import region_op

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import Block, InsertionPoint

_names = DialectNames("gpu", __name__)
__path__: list[str] = []


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


AsyncTokenType = type_class("AsyncTokenType", "gpu", "async.token", __name__)


def gpu_async_token() -> "Type":
    """`!gpu.async.token`."""
    return AsyncTokenType.get()


class ObjectAttr(DialectAttr):
    """A compiled object."""

    __slots__ = ()
    _dialect = "gpu"
    _mnemonic = "object"

    @classmethod
    def get(
        cls,
        target: "Attribute",
        format: int,
        object: bytes,
        properties: "Attribute | None" = None,
        kernels: "Attribute | None" = None,
        context: "ir.Context | None" = None,
    ) -> "ObjectAttr":
        """The attribute for a target, a format of `CompilationTarget`, and the bytes of the object."""
        shown = _names.get("CompilationTarget")(int(format))  # type: ignore[operator]
        parts = [str(target)]
        if properties is not None:
            parts.append(f"properties = {properties}")
        if kernels is not None:
            parts.append(f"kernels = {str(kernels).removeprefix('#gpu.kernel_table')}")
        word = "" if str(shown) == "fatbin" else f"{shown} = "
        parts.append(f"{word}{ir.StringAttr.get(object)}")
        return cls._parsed(f"<{', '.join(parts)}>", context)

    @property
    def target(self) -> "Attribute":
        """The target."""
        return ir.Attribute.parse(self._parameters[0])

    @property
    def object(self) -> bytes:
        """The bytes."""
        last = self._parameters[-1]
        text = last if last.startswith('"') else last.partition("=")[2]
        return ir.StringAttr(ir.Attribute.parse(text.strip())).value_bytes

    @property
    def properties(self) -> "Attribute | None":
        """The properties."""
        return self._named("properties", "")

    @property
    def kernels(self) -> "Attribute | None":
        """The table of kernels."""
        return self._named("kernels", "#gpu.kernel_table")

    def _named(self, name: str, prefix: str) -> "Attribute | None":
        for part in self._parameters:
            key, _, value = part.partition(" = ")
            if key == name:
                return ir.Attribute.parse(prefix + value)
        return None


class GPUFuncOp(OpView, extends="gpu.func"):
    """A function of a GPU."""

    __slots__ = ()

    KERNEL_ATTR_NAME = "gpu.kernel"
    """The attribute of kernels."""

    def __init__(
        self,
        function_type: "Type | Attribute",
        sym_name: "str | Attribute | None" = None,
        arg_attrs: object = None,
        res_attrs: object = None,
        kernel: bool | None = None,
        workgroup_attrib_attrs: object = None,
        private_attrib_attrs: object = None,
        known_block_size: object = None,
        known_grid_size: object = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
        body_builder: "Callable[[GPUFuncOp], object] | None" = None,
    ) -> None:
        """Build it; with `body_builder`, the function gets a block that the callback fills.

        Raises `ValueError` without a name.
        """
        if not isinstance(sym_name, (str, ir.StringAttr)):
            raise ValueError("sym_name must be a string or a StringAttr")
        self._build(
            function_type,
            arg_attrs=arg_attrs,
            res_attrs=res_attrs,
            workgroup_attrib_attrs=workgroup_attrib_attrs,
            private_attrib_attrs=private_attrib_attrs,
            known_block_size=known_block_size,
            known_grid_size=known_grid_size,
            loc=loc,
            ip=ip,
        )
        name = ir.StringAttr.get(sym_name) if isinstance(sym_name, str) else sym_name
        self.attributes["sym_name"] = name
        if kernel:
            self.attributes[self.KERNEL_ATTR_NAME] = ir.UnitAttr.get()
        if body_builder is not None:
            with ir.InsertionPoint(self.add_entry_block()):
                body_builder(self)

    @property
    def name(self) -> "ir.StringAttr":  # type: ignore[override]
        """The name of the symbol."""
        return ir.StringAttr(self.attributes["sym_name"])

    @property
    def is_kernel(self) -> bool:
        """Whether it is a kernel."""
        return self.KERNEL_ATTR_NAME in self.attributes

    def add_entry_block(self) -> "Block":
        """Add the block with the arguments of the type. Raises `RuntimeError` if there is one."""
        blocks = self.regions[0].blocks
        if len(blocks):
            raise RuntimeError(f"Entry block already exists for {self.name.value}")
        inputs = self._inputs()
        return blocks.append(*inputs, arg_locs=[self.location] * len(inputs))

    @property
    def entry_block(self) -> "Block":
        """The first block. Raises `RuntimeError` if there is none."""
        blocks = self.regions[0].blocks
        if not len(blocks):
            raise RuntimeError(
                f"Entry block does not exist for {self.name.value}. Do you need to call the "
                "add_entry_block() method on this GPUFuncOp?"
            )
        return blocks[0]

    @property
    def arguments(self) -> "Sequence[Type]":
        """The types of the arguments."""
        return self._inputs()

    def _inputs(self) -> "list[Type]":
        return list(self.attributes["function_type"].value.inputs)  # type: ignore[attr-defined]


def _value(value: object) -> object:
    return constant(ir.IndexType.get(), value) if isinstance(value, int) else value


def _values(sizes: "Sequence[object] | None") -> list[object]:
    return [_value(size) for size in sizes] if sizes else [None] * 3


def _token(dependencies: object) -> "Type | None":
    return gpu_async_token() if dependencies else None


class LaunchFuncOp(OpView, extends="gpu.launch_func"):
    """The launch of a kernel."""

    __slots__ = ()

    def __init__(
        self,
        kernel: "list[str] | Attribute",
        grid_size: "Sequence[object]",
        block_size: "Sequence[object]",
        kernel_operands: "Sequence[object] | None" = None,
        async_dependencies: "Sequence[object] | None" = None,
        dynamic_shared_memory_size: object = None,
        async_object: object = None,
        cluster_size: "Sequence[object] | None" = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; sizes are values or integers."""
        x, y, z = _values(cluster_size)
        self._build(
            _token(async_dependencies),
            async_dependencies or (),
            kernel,
            *_values(grid_size),
            *_values(block_size),
            kernel_operands or (),
            clusterSizeX=x,
            clusterSizeY=y,
            clusterSizeZ=z,
            dynamicSharedMemorySize=dynamic_shared_memory_size,
            asyncObject=async_object,
            loc=loc,
            ip=ip,
        )


def launch_func(
    kernel: "list[str] | Attribute",
    grid_size: "Sequence[object]",
    block_size: "Sequence[object]",
    kernel_operands: "Sequence[object] | None" = None,
    async_dependencies: "Sequence[object] | None" = None,
    dynamic_shared_memory_size: object = None,
    async_object: object = None,
    cluster_size: "Sequence[object] | None" = None,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build the launch of a kernel and return its token, or the operation."""
    return result_of(
        LaunchFuncOp(
            kernel,
            grid_size,
            block_size,
            kernel_operands,
            async_dependencies,
            dynamic_shared_memory_size,
            async_object,
            cluster_size,
            loc=loc,
            ip=ip,
        )
    )


def wait(
    async_dependencies: "Sequence[object] | None" = None,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a wait for tokens and return its token."""
    build = _names.generated_function("wait")
    return build(gpu_async_token(), async_dependencies or (), loc=loc, ip=ip)


class LaunchOp(OpView, extends="gpu.launch"):
    """The launch of a region."""

    __slots__ = ()

    def __init__(
        self,
        grid_size: "Sequence[object]",
        block_size: "Sequence[object]",
        async_dependencies: "Sequence[object] | None" = None,
        dynamic_shared_memory_size: object = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it with an empty block; sizes are values or integers."""
        self._build(
            _token(async_dependencies),
            async_dependencies or (),
            *_values(grid_size),
            *_values(block_size),
            dynamicSharedMemorySize=dynamic_shared_memory_size,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(*[ir.IndexType.get()] * 12)


def _terminate(values: list[object]) -> object:
    return _names.builder("TerminatorOp")()


launch = region_op(LaunchOp, terminator=_terminate)
"""A decorator: the function builds the operations of the region."""


def printf(
    format: "str | Attribute",
    *args: object,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a print."""
    return _names.generated_function("printf")(format, args, loc=loc, ip=ip)
