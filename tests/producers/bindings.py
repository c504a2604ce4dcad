"""Answers questions about texts and bytecode with the MLIR bindings of a build.

Runs in the interpreter of the build as a program, `bindings.py SITE`, with nothing of this repository but the
functions that send and receive. A question is the kinds of products and the data of a module; the answer is
`ok` and the products, or `refused` and the reason. Each module gets a context of its own, because a context
keeps resources and named structures of the modules before.
"""

from __future__ import annotations

import gc
import importlib
import io
import itertools
import os
import site
import sys
import types
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.jaxlib_oracle import receive, send

NEWEST = "newest"
"""The kind of the bytecode that a build writes without being asked for a version."""
TEXTS: dict[str, dict[str, bool]] = {
    "generic": {"print_generic_op_form": True},
    "custom": {},
    "generic with locations": {"print_generic_op_form": True, "enable_debug_info": True},
    "custom with locations": {"enable_debug_info": True},
    "everything": {"print_generic_op_form": True, "enable_debug_info": True, "use_local_scope": True},
}
"""The texts of a module. `everything` is compared with another module's: it has no numbers of aliases,
which one difference would change everywhere."""
CONTEXTS = 64
"""The number of contexts after which unused contexts are freed: each takes a megabyte."""
LIBRARIES = "_mlir_libs"
REGISTER_IN_CONTEXT = ("register_dialect", "register_mhlo_dialect")
REGISTER_IN_REGISTRY = "register_dialects"
TAKES_CONTEXT = "_circt"
"""The extension whose `register_dialects` takes a context; it ends the process over a registry."""
CORE = ("_mlir", "_mlirExecutionEngine", "_mlirRegisterEverything")
"""Extensions without a dialect, or with dialects that the package's own contexts have anyway."""


class Build:
    """The bindings of an installed build."""

    def __init__(self, folder: Path) -> None:
        # The folder may have files that add folders in it.
        site.addsitedir(str(folder))
        root, self.package = package_of(folder)
        import_only(self.package, root)
        self.ir = importlib.import_module(f"{self.package}.ir")
        if not hasattr(self.ir.Context, "append_dialect_registry"):
            raise SystemExit("the bindings have no dialect registries")
        self.registry = self.ir.DialectRegistry()
        self.on_contexts: list[Any] = []
        for module in self._extensions():
            registers = [getattr(module, name, None) for name in REGISTER_IN_CONTEXT]
            dialects = getattr(module, REGISTER_IN_REGISTRY, None)
            if module.__name__.endswith(TAKES_CONTEXT):
                registers.append(dialects)
            elif dialects is not None:
                dialects(self.registry)
            self.on_contexts += filter(None, registers)

    def _extensions(self) -> list[Any]:
        """The extension modules that may register dialects."""
        root = Path(str(self.ir.__file__)).parent
        while not (root / LIBRARIES).is_dir():
            root = root.parent
        modules = []
        for path in sorted((root / LIBRARIES).iterdir()):
            name = path.name.partition(".")[0]
            if path.suffix == ".so" and name not in CORE and not name.startswith("lib"):
                try:
                    modules.append(importlib.import_module(f"{self.package}.{LIBRARIES}.{name}"))
                except ImportError as error:
                    print(f"{name}: {error}", file=sys.stderr)
        return modules

    def context(self) -> Any:
        """A context with every dialect that the build has bindings for."""
        context = self.ir.Context()
        context.enable_multithreading(False)
        context.allow_unregistered_dialects = True
        context.append_dialect_registry(self.registry)
        for register in self.on_contexts:
            try:
                register(context)
            except TypeError:
                # Some take the context from the surrounding `with`.
                with context:
                    register()
        context.load_all_available_dialects()
        return context

    def make(self, data: bytes, kinds: list[str]) -> list[bytes]:
        """Products of a module: a kind of `TEXTS`, `NEWEST` or a bytecode version."""
        with self.context() as context, Diagnostics(context) as diagnostics:
            try:
                operation = self.ir.Module.parse(data).operation
                return [self._product(operation, kind) for kind in kinds]
            except Exception as error:
                raise Refused(diagnostics.described(error)) from None

    def _product(self, operation: Any, kind: str) -> bytes:
        out = io.BytesIO()
        if kind in TEXTS:
            operation.print(file=out, binary=True, **TEXTS[kind])
        elif kind == NEWEST:
            operation.write_bytecode(out)
        else:
            operation.write_bytecode(out, desired_version=int(kind))
        return out.getvalue()


class Refused(Exception):
    """MLIR refuses an input."""


class Diagnostics:
    """The errors that MLIR reports; older bindings print them, and their exceptions do not have them."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.messages: list[str] = []

    def __enter__(self) -> Diagnostics:
        self.handler = self.context.attach_diagnostic_handler(self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        self.handler.detach()

    def _handle(self, diagnostic: Any) -> bool:
        self.messages.append(f"{diagnostic.severity}: {diagnostic.message}")
        return True

    def described(self, error: Exception) -> str:
        return "\n".join(self.messages) or str(error)


def package_of(folder: Path) -> tuple[Path, str]:
    """The package in a folder that has the bindings, after the innermost folder that has modules."""
    for libraries in sorted(folder.rglob(LIBRARIES)):
        package = libraries.parent
        if (package / "ir.py").exists() or (package / "ir" / "__init__.py").exists():
            roots = [root for root in package.parents if str(root) in sys.path]
            return roots[0], ".".join(package.relative_to(roots[0]).parts)
    raise SystemExit(f"no Python bindings of MLIR in {folder}")


def import_only(package: str, root: Path) -> None:
    """Lets a package be imported without the code of the packages around it, which needs other packages."""
    names = package.split(".")
    for count in range(1, len(names)):
        name = ".".join(names[:count])
        if name not in sys.modules:
            around = types.ModuleType(name)
            around.__path__ = [str(root.joinpath(*names[:count]))]
            sys.modules[name] = around


def serve(folder: Path) -> None:
    """Answers until the end of standard input; the first message is the bytecode of an empty module."""
    # Output of libraries must not come between the answers.
    answers = open(os.dup(1), "wb")  # noqa: SIM115
    os.dup2(2, 1)
    sys.path.insert(0, str(folder))
    build = Build(folder)
    send(answers, build.make(b"", [NEWEST])[0])
    questions = sys.stdin.buffer
    for number in itertools.count():
        kinds, data = receive(questions), receive(questions)
        if kinds is None or data is None:
            break
        try:
            parts = [b"ok", *build.make(data, kinds.decode().split(","))]
        except Refused as error:
            parts = [b"refused", str(error).encode("utf-8", "replace")]
        for part in parts:
            send(answers, part)
        if number % CONTEXTS == 0:
            gc.collect()


if __name__ == "__main__":
    serve(Path(sys.argv[1]).resolve())
