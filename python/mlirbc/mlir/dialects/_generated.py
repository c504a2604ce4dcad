"""Names of dialect modules, made when they are asked for: classes, functions and enumerations."""

import sys
from collections.abc import Callable
from enum import IntEnum, IntFlag
from functools import partial
from typing import TYPE_CHECKING, cast

from mlirbc import _mlirbc
from mlirbc.mlir import _registry
from mlirbc.mlir._context import register_jax_dialect
from mlirbc.mlir._definitions import definition_of, function_name
from mlirbc.mlir._op_classes import make_class, make_function
from mlirbc.mlir._opview import OpView

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute

__all__ = ["DialectNames", "load_enumerations", "names_of"]

_MODULES: "dict[str, list[DialectNames]]" = {}


# Dialects whose bindings have a function that registers the dialect in a context.
_JAX_DIALECTS = ("chlo", "mhlo", "sdy", "stablehlo")


class DialectNames:
    """The names of a module of a dialect.

    >>> from mlirbc.mlir.dialects import arith
    >>> "addi" in dir(arith), arith.AddIOp.OPERATION_NAME
    (True, 'arith.addi')
    """

    def __init__(
        self, dialect: str, module: str, contains: "Callable[[str], bool]" = lambda mnemonic: True
    ) -> None:
        self.dialect = dialect
        """The name of the dialect."""
        self._module = module
        self._contains = contains
        self._classes: dict[str, str] | None = None
        self._functions: dict[str, str] = {}
        self._enumerations: dict[str, type] = {}
        _MODULES.setdefault(dialect, []).append(self)

    def _index(self) -> dict[str, str]:
        """The operations by class; reading them is put off until a name is asked for."""
        if self._classes is None:
            classes: dict[str, str] = {}
            for operation, class_name in _mlirbc._binding_operations(self.dialect):
                if self._contains(operation.partition(".")[2]) and class_name.isidentifier():
                    classes.setdefault(class_name, operation)
                    self._functions.setdefault(function_name(operation, class_name), operation)
            self._classes = classes
            self._enumerations = load_enumerations(self.dialect, self._module)
        return self._classes

    def has_operation(self, operation: str) -> bool:
        """Whether the module has the class of an operation."""
        return self._contains(operation.partition(".")[2])

    def all(self) -> list[str]:
        """All public names, including the names in the file of the module."""
        index = self._index()
        hand_written = [name for name in vars(sys.modules[self._module]) if not name.startswith("_")]
        return sorted({*index, *self._functions, *self._enumerations, *hand_written})

    def get(self, name: str) -> object:
        """The object of a name, which the module keeps. Raises `AttributeError` if there is none."""
        if name == "__all__":
            return self.all()
        created = self._make(name)
        if created is None:
            raise AttributeError(f"module {self._module!r} has no attribute {name!r}")
        setattr(sys.modules[self._module], name, created)
        return created

    def builder(self, name: str) -> "Callable[..., OpView]":
        """The class of an operation, which builds it. Raises `AttributeError` if there is none."""
        return cast("Callable[..., OpView]", self.get(name))

    def _make(self, name: str) -> object:
        if name == "_Dialect":
            body = {"DIALECT_NAMESPACE": self.dialect, "__module__": self._module}
            return _registry.register_dialect(type("_Dialect", (_registry.Dialect,), body))
        if name.startswith("__"):
            return None
        if name == "register_dialect" and self.dialect in _JAX_DIALECTS:
            return register_jax_dialect
        index = self._index()
        if name in self._enumerations:
            return self._enumerations[name]
        if name in index:
            return self.class_of(index[name])
        if name in self._functions:
            return self._function(self._functions[name])
        return None

    def class_of(self, operation: str) -> type[OpView]:
        """The class of an operation: the one of the file of the module, else the generated one."""
        definition = definition_of(operation)
        if definition is None:
            raise AttributeError(f"no definition of {operation} is known")
        hand_written = vars(sys.modules[self._module]).get(definition.class_name)
        if isinstance(hand_written, type):
            return hand_written
        created = make_class(definition, self._module)
        _registry.OPERATION_CLASSES.setdefault(operation, created)
        setattr(sys.modules[self._module], definition.class_name, created)
        return created

    def generated(self, name: str) -> object:
        """The object of a name without the names in the file of the module, as upstream's `_arith_ops_gen`.

        Raises `AttributeError` if there is none.
        """
        index = self._index()
        if name in index:
            return self.generated_class(index[name])
        if name in self._functions:
            return self.generated_function(name)
        return _builder(name) or self.get(name)

    def generated_class(self, operation: str) -> type[OpView]:
        """The generated class, which a class of the file of the module extends."""
        cls = self.class_of(operation)
        return next(base for base in cls.__mro__ if "_DEFINITION" in vars(base))

    def generated_function(self, name: str) -> "Callable[..., object]":
        """The generated function, which a function of the file of the module hides."""
        self._index()
        return self._function(self._functions[name])

    def _function(self, operation: str) -> "Callable[..., object]":
        definition = definition_of(operation)
        if definition is None:
            raise AttributeError(f"no definition of {operation} is known")
        return make_function(definition, self.class_of(operation))


def _builder(name: str) -> "Callable[..., Attribute] | None":
    """The builder of an attribute, which upstream's modules name `_arith_cmpfpredicateattr` and the like."""
    builders = _registry.ATTRIBUTE_BUILDERS
    return next((builders[kind] for kind in builders if f"_{kind.lower()}" == name), None)


def names_of(operation: str) -> DialectNames | None:
    """The names of the imported module that has an operation."""
    modules = _MODULES.get(operation.partition(".")[0], ())
    return next((names for names in modules if names.has_operation(operation)), None)


# ---- enumerations ----


def load_enumerations(dialect: str, module: str) -> dict[str, type]:
    """The classes of the enumerations of a dialect; builders of their attributes are registered."""
    classes: dict[str, type] = {}
    for row in _mlirbc._binding_enumerations(dialect):
        if len(row) == 2:
            constraint, text = row
            _registry.ATTRIBUTE_BUILDERS.setdefault(constraint, partial(_attribute_of_case, text))
            continue
        name, kind, constraint, cases = row
        width = int(kind.removeprefix("flags"))
        classes[name] = _enumeration(name, kind.startswith("flags"), cases, module)
        _registry.ATTRIBUTE_BUILDERS.setdefault(constraint, partial(_integer_of_case, width))
    return classes


def _enumeration(name: str, is_flags: bool, cases: str, module: str) -> type:
    values: dict[str, int] = {}
    texts: dict[int, str] = {}
    for case in cases.split(", "):
        symbol, _, rest = case.partition("=")
        value, _, text = rest.partition(":")
        values[symbol] = int(value)
        texts.setdefault(int(value), text or symbol)
    base: Callable[..., type] = _FlagText if is_flags else _CaseText  # type: ignore[assignment]
    created = base(name, values, module=module)
    created._texts = texts  # type: ignore[attr-defined]
    return created  # pyright: ignore[reportReturnType]


class _CaseText(IntEnum):
    """A case prints as its text in MLIR."""

    def __str__(self) -> str:
        return str(type(self)._texts[int(self)])  # type: ignore[attr-defined]


class _FlagText(IntFlag):
    """A set of flags prints as the texts of its flags."""

    def __str__(self) -> str:
        texts: dict[int, str] = type(self)._texts  # type: ignore[attr-defined]
        if int(self) in texts:
            return texts[int(self)]
        return ", ".join(text for bit, text in texts.items() if bit and bit & int(self) == bit)


def _attribute_of_case(text: str, case: object, context: object = None) -> "Attribute":
    before, _, rest = text.partition("{")
    separator, _, after = rest.partition("}")
    shown = str(case).replace(", ", separator) if separator else str(case)
    return _mlirbc.Attribute.parse(f"{before}{shown}{after}")


def _integer_of_case(width: int, case: int, context: object = None) -> "Attribute":
    builder = _registry.ATTRIBUTE_BUILDERS[f"I{width}Attr"]
    return builder(int(case), context=None)
