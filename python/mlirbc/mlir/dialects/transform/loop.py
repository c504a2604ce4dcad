"""The extension `loop` of the dialect `transform`."""

from typing import TYPE_CHECKING

from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.transform import extension_of

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import InsertionPoint

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "loop")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class LoopOutlineOp(OpView, extends="transform.loop.outline"):
    """A loop becomes a function."""

    __slots__ = ()

    def __init__(
        self,
        function_type: "Type",
        call_type: "Type",
        target: object,
        *,
        func_name: "str | Attribute",
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(function_type, call_type, target, func_name=func_name, loc=loc, ip=ip)


class LoopPeelOp(OpView, extends="transform.loop.peel"):
    """A loop becomes two, one of which has whole steps."""

    __slots__ = ()

    def __init__(
        self,
        main_loop_type: "Type",
        remainder_loop_type: "Type",
        target: object,
        *,
        peel_front: "bool | Attribute" = False,
        fail_if_already_divisible: "bool | Attribute" = False,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(
            main_loop_type,
            remainder_loop_type,
            target,
            peel_front=peel_front,
            fail_if_already_divisible=fail_if_already_divisible,
            loc=loc,
            ip=ip,
        )


class LoopPipelineOp(OpView, extends="transform.loop.pipeline"):
    """Iterations of a loop overlap."""

    __slots__ = ()

    def __init__(
        self,
        result_type: "Type",
        target: object,
        *,
        iteration_interval: "int | Attribute | None" = None,
        read_latency: "int | Attribute | None" = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(
            result_type,
            target,
            iteration_interval=1 if iteration_interval is None else iteration_interval,
            read_latency=10 if read_latency is None else read_latency,
            loc=loc,
            ip=ip,
        )


class LoopUnrollOp(OpView, extends="transform.loop.unroll"):
    """Iterations of a loop become one."""

    __slots__ = ()

    def __init__(
        self,
        target: object,
        *,
        factor: "int | Attribute",
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(target, factor=factor, loc=loc, ip=ip)
