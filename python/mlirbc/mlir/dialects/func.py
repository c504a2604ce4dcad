"""The dialect `func`."""

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from mlirbc.mlir import ir
from mlirbc.mlir._opview import OpView, result_or_value
from mlirbc.mlir.dialects._function_body import FunctionBody
from mlirbc.mlir.dialects._generated import DialectNames

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import InsertionPoint, Region, Value

_names = DialectNames("func", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class _Returns(Protocol):
    def __call__(self, operands: Sequence[object], **keywords: object) -> object: ...


class ConstantOp(OpView, extends="func.constant"):
    """A function as a value."""

    __slots__ = ()

    @property
    def type(self) -> "Type":
        """The type of the result."""
        return self.results[0].type


class FuncOp(FunctionBody, extends="func.func"):
    """A function.

    >>> from mlirbc.mlir.dialects import func
    >>> with ir.Context(), ir.Location.unknown():
    ...     module = ir.Module.create()
    ...     with ir.InsertionPoint(module.body):
    ...         function = func.FuncOp("run", ([], []), visibility="private")
    >>> function.name, function.is_external
    (StringAttr("run"), True)
    """

    __slots__ = ()

    def __init__(
        self,
        name: "str | Attribute",
        type: "Type | tuple[Sequence[Type], Sequence[Type]]",
        *,
        visibility: str | None = None,
        body_builder: "Callable[[FuncOp], object] | None" = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build a function of a type, or of the types of its arguments and results.

        `visibility` is `public`, `private` or `nested`. With `body_builder`, the function gets an entry
        block, in which the callback builds operations.
        """
        if isinstance(type, tuple):
            type = ir.FunctionType.get(inputs=list(type[0]), results=list(type[1]))
        self._build(
            name if isinstance(name, ir.Attribute) else ir.StringAttr.get(str(name)),
            ir.TypeAttr.get(type) if isinstance(type, ir.Type) else type,
            sym_visibility=None if visibility is None else ir.StringAttr.get(str(visibility)),
            loc=loc,
            ip=ip,
        )
        if body_builder is not None:
            with ir.InsertionPoint(self.add_entry_block()):
                body_builder(self)

    @property
    def body(self) -> "Region":
        """The region."""
        return self.regions[0]

    @property
    def type(self) -> "ir.FunctionType":
        """The type of the function."""
        return cast("ir.FunctionType", cast("ir.TypeAttr", self.attributes["function_type"]).value)

    @property
    def visibility(self) -> "Attribute":
        """The visibility of the symbol."""
        return self.attributes["sym_visibility"]

    @property
    def name(self) -> "ir.StringAttr":  # type: ignore[override]
        """The name of the symbol."""
        return cast("ir.StringAttr", self.attributes["sym_name"])

    @property
    def arg_attrs(self) -> "ir.ArrayAttr":
        """The attributes of the arguments."""
        attributes = self.attributes.get("arg_attrs")
        if attributes is None:
            attributes = ir.ArrayAttr.get([ir.DictAttr.get({}) for _ in self.type.inputs])
        return cast("ir.ArrayAttr", attributes)

    @arg_attrs.setter
    def arg_attrs(self, attribute: "ir.ArrayAttr | Sequence[Attribute]") -> None:
        if not isinstance(attribute, ir.ArrayAttr):
            attribute = ir.ArrayAttr.get(list(attribute))
        self.attributes["arg_attrs"] = attribute

    @property
    def arguments(self) -> "Sequence[Value]":
        """The arguments of the entry block."""
        return self.entry_block.arguments

    @property
    def result_attrs(self) -> "Attribute":
        """The attributes of the results."""
        return self.attributes["res_attrs"]

    @result_attrs.setter
    def result_attrs(self, attribute: "Attribute") -> None:
        self.attributes["res_attrs"] = attribute

    @classmethod
    def from_py_func(
        cls,
        *inputs: "Type",
        results: "Sequence[Type] | None" = None,
        name: str | None = None,
    ) -> "Callable[[Callable[..., object]], Callable[..., object]]":
        """A decorator that makes a function of a Python function with arguments of these types.

        Without `results`, what the Python function returns is returned, and gives the types of the results;
        with them, the Python function builds the `func.return`. A parameter `func_op` gets the operation.
        Calls of the decorated function build a `func.call`.
        """

        def decorate(function: "Callable[..., object]") -> "Callable[..., object]":
            symbol = name or function.__name__
            types = ir.FunctionType.get(inputs=list(inputs), results=list(results or ()))
            function_op = FuncOp(name=symbol, type=types)
            with ir.InsertionPoint(function_op.add_entry_block()):
                keywords = {"func_op": function_op} if _takes_operation(function) else {}
                returned = function(*function_op.entry_block.arguments, **keywords)
                if results is not None:
                    assert returned is None, (
                        "Capturing a python function with explicit `results=` requires that the wrapped "
                        "function returns None."
                    )
                    return_types = list(results)
                else:
                    return_types = _return(function_op, list(inputs), returned)
            return _caller(function, function_op, symbol, return_types)

        return decorate


def _takes_operation(function: "Callable[..., object]") -> bool:
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return any(
        one.kind == one.VAR_KEYWORD or (one.name == "func_op" and one.kind in named)
        for one in inspect.signature(function).parameters.values()
    )


def _return(function_op: FuncOp, inputs: "list[Type]", returned: object) -> "list[Type]":
    """Build the `func.return` and set the type of the function; returns the types of the results."""
    values = _values(returned)
    returns = cast(_Returns, _names.get("ReturnOp"))
    returns(values)
    types = [result_or_value(value).type for value in values]
    function_op.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get(inputs=inputs, results=types)
    )
    return types


def _values(returned: object) -> "list[object]":
    if returned is None:
        return []
    if isinstance(returned, ir.Value):
        return [returned]
    if isinstance(returned, (ir.Operation, OpView)):
        return list(returned.operation.results)
    return list(returned)  # type: ignore[call-overload, no-any-return]


def _caller(
    function: "Callable[..., object]", function_op: FuncOp, symbol: str, types: "list[Type]"
) -> "Callable[..., object]":
    def call(*arguments: object) -> object:
        built = CallOp(types, ir.FlatSymbolRefAttr.get(symbol), arguments)
        return built.operation.result if len(types) == 1 else built.results

    call.__name__ = function.__name__
    call.func_op = function_op  # type: ignore[attr-defined]
    return call


func = FuncOp.from_py_func


class CallOp(OpView, extends="func.call"):
    """A call of a function."""

    __slots__ = ()

    def __init__(
        self,
        callee_or_results: "FuncOp | Sequence[Type]",
        arguments_or_callee: "Sequence[object] | Attribute | str",
        arguments: "Sequence[object] | None" = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build a call: `CallOp(function, arguments)`, or `CallOp(result_types, name, arguments)`."""
        if isinstance(callee_or_results, FuncOp):
            if not isinstance(arguments_or_callee, (list, tuple)):
                raise ValueError(
                    "when constructing a call to a function, expected the second argument to be a list of "
                    f"call arguments, got {type(arguments_or_callee)}"
                )
            if arguments is not None:
                raise ValueError("unexpected third argument when constructing a call to a function")
            callee: object = ir.FlatSymbolRefAttr.get(callee_or_results.name.value)
            self._build(callee_or_results.type.results, callee, list(arguments_or_callee), loc=loc, ip=ip)
            return
        if isinstance(arguments_or_callee, (list, tuple)):
            raise ValueError(
                "when constructing a call to a function by name, expected the second argument to be a string "
                f"or a FlatSymbolRefAttr, got {type(arguments_or_callee)}"
            )
        callee = arguments_or_callee
        if isinstance(callee, str):
            callee = ir.FlatSymbolRefAttr.get(callee)
        self._build(callee_or_results, callee, arguments or (), loc=loc, ip=ip)
