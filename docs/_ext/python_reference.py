"""Writes the pages of the Python reference when Sphinx builds the site.

Signatures and types come from the sources: `_mlirbc.pyi` for the extension module, the annotations of the
Python modules for the rest. Docstrings come from the installed package, because those of the extension
module are written in Rust.

Alternatives considered: `sphinx.ext.autodoc` sees the extension module at run time, where no types are
left; tools that read stubs alone find no docstrings there, and keeping them in both places would let them
differ.
"""

import ast
import builtins
import copy
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

PACKAGE = Path(__file__).parents[2] / "python" / "mlirbc"
OUT = Path(__file__).parents[1] / "reference" / "api"

# Pages of the names at the top of the package: file, title, introduction, and the sources of their names.
PAGES = [
    (
        "modules",
        "Modules and operations",
        "Opening files and walking their IR.",
        [
            "_mlirbc.pyi",
            "_walk.py",
            "_weights.py",
            "_query.py",
            "_locations.py",
            "tools.py",
            "symbols.py",
            "artifacts.py",
        ],
    ),
]
# The private sources of modules that import all of their names.
SOURCES = {
    "affine": ["_affine_expressions.py", "_affine.py"],
    "attributes": [
        "_attributes.py",
        "_strings.py",
        "_affine_attributes.py",
        "_numbers.py",
        "_dense_arrays.py",
        "_elements.py",
        "_sparse_elements.py",
    ],
    "locations": ["_locations.py"],
    "types": ["_types.py", "_shaped.py"],
}
# Names of the first page that get pages of their own.
SPLIT = {
    "errors": (
        "Errors and limits",
        "The exceptions of mlirbc, and the limits that bound its work. [Errors](../errors.md) lists "
        "every identifier, [limits](../limits.md) the defaults.",
        re.compile(r".*Error$|Limits?$|Loss$|error_identifiers$"),
    )
}
MODULES = [
    "attributes",
    "types",
    "locations",
    "affine",
    "sequences",
    "edit",
    "fallback",
    "artifacts",
    "containers",
    "models",
    "symbols",
    "versions",
    "bytecode",
    "releases",
    "verification",
    "lazy",
    "layout",
    "dialects",
    "schemas",
    "testing",
    "tools",
    "corpus",
    "tables",
    "graphs",
    "upstream",
    "xdsl",
]
# Public bases that the documentation shows in place of private ones.
BASES = {"_List": "Sequence[{0}]", "_Concatenable": "Sequence[{0}]", "_Map": "Mapping[str, {0}]"}
CONSTRUCTORS = ("__new__", "__init__")
RECURSIVE = {"_Property": "Attribute | int | str | list[object] | None", "_ArrowArray": "tuple[object, ...]"}
# Types that the documentation shows in place of names of private modules.
SHARED = {
    "Version": "Hashable", "WrittenBytes": "bytes", "Exchanged": "object", "_Item": "T",
    "_CloneOptions": "TypedDict", "ArrowTable": "mlirbc.tables.Table", "TypeID": "Hashable",
    "DiagnosticInfo": "object", "_EditedOperations": "mlirbc.sequences.OperationList",
    "_EditedBlocks": "mlirbc.sequences.BlockList",
}  # fmt: skip


@dataclass
class Source:
    """The top level of one file: classes, functions by name (one for each overload), and private aliases."""

    module: str
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    functions: dict[str, list[ast.FunctionDef]] = field(default_factory=dict)
    aliases: dict[str, ast.expr] = field(default_factory=dict)
    variables: dict[str, ast.expr] = field(default_factory=dict)


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body, including statements under `if TYPE_CHECKING:`."""
    for statement in body:
        if isinstance(statement, ast.If):
            yield from statements(statement.body)
        else:
            yield statement


def load(file: str) -> Source:
    source = Source(f"mlirbc.{Path(file).stem}")
    for node in statements(ast.parse((PACKAGE / file).read_text("utf-8")).body):
        if isinstance(node, ast.ClassDef):
            source.classes[node.name] = node
        elif isinstance(node, ast.FunctionDef):
            source.functions.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            if ast.unparse(node.annotation) == "TypeAlias":
                source.aliases[node.target.id] = node.value
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            is_type = (
                isinstance(node.value, ast.BinOp | ast.Subscript) and name[0] in "_ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            )
            if is_type and not name.isupper():
                source.aliases[name] = node.value
    return source


class Public(ast.NodeTransformer):
    """Replaces private names in annotations by public ones."""

    def __init__(
        self, aliases: dict[str, ast.expr], classes: dict[str, ast.ClassDef], qualified: dict[str, str]
    ) -> None:
        self.aliases = aliases
        self.classes = classes
        self.qualified = qualified

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, str):
            try:
                return self.visit(ast.parse(node.value, mode="eval").body)
            except SyntaxError:
                return node
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        name = ast.unparse(node.value)
        if name == "Literal":
            return node
        if name in BASES:
            return ast.parse(BASES[name].format(ast.unparse(self.visit(node.slice))), mode="eval").body
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        text = ast.unparse(node)
        if text.startswith("_mlirbc._"):
            return self.visit_Name(ast.Name(node.attr))
        if text.startswith(("_edit.", "_mlirbc.")):
            name = text.split(".", 1)[1]
            path = f"mlirbc.edit.{name}" if text.startswith("_edit.") else f"mlirbc.{name}"
            return ast.Name(path if text.startswith("_edit.") else self.qualified.get(name, path))
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in RECURSIVE or node.id in SHARED:
            return ast.parse((RECURSIVE | SHARED)[node.id], mode="eval").body
        if node.id in self.aliases:
            return self.visit(copy.deepcopy(self.aliases[node.id]))
        if node.id == "_T_co":
            return ast.Name("T")
        if node.id in ("_TypeLayout", "_ScopeSpecification", "_IdentifierRules"):
            return ast.Name(f"mlirbc.layout.{node.id.removeprefix('_')}")
        if node.id.startswith("_") and node.id in self.classes:
            # A list or map of its own; its first base says what can be done with it.
            bases = self.classes[node.id].bases
            return self.visit(copy.deepcopy(bases[0])) if bases else ast.Name("object")
        return ast.Name(self.qualified.get(node.id, node.id))


def parse_all() -> dict[str, Source]:
    files = {file for _, _, _, sources in PAGES for file in sources} | {f"{name}.py" for name in MODULES}
    files |= {file for sources in SOURCES.values() for file in sources}
    return {file: load(file) for file in sorted(files)}


class Writer:
    def __init__(self) -> None:
        self.sources = parse_all()
        self.aliases = {
            name: value for source in self.sources.values() for name, value in source.aliases.items()
        }
        self.classes = {
            name: node for source in self.sources.values() for name, node in source.classes.items()
        }
        self.public: set[str] = set()
        # The path of each name that the package has or had, and of names on other pages.
        self.paths: dict[str, str] = {}
        self.qualified: dict[str, str] = {}

    # -- text of annotations and signatures

    def annotation(self, node: ast.expr) -> str:
        return ast.unparse(self.replacer().visit(copy.deepcopy(node)))

    def replacer(self) -> Public:
        return Public(self.aliases, self.classes, self.qualified)

    def signature(self, function: ast.FunctionDef, *, method: bool) -> str:
        function = copy.deepcopy(function)
        arguments = function.args
        if method and not any(ast.unparse(d) == "staticmethod" for d in function.decorator_list):
            (arguments.posonlyargs or arguments.args).pop(0)
        for argument in [
            *arguments.posonlyargs,
            *arguments.args,
            *arguments.kwonlyargs,
            arguments.vararg,
            arguments.kwarg,
        ]:
            if argument and argument.annotation:
                argument.annotation = self.replacer().visit(argument.annotation)
        result = f" -> {self.annotation(function.returns)}" if function.returns else ""
        return f"({ast.unparse(arguments)}){result}"

    # -- docstrings

    def text(self, doc: str | None) -> str:
        """A docstring as Markdown: examples fenced, names of public things linked."""
        out: list[str] = []
        example: list[str] = []

        def end() -> None:
            if example:
                out.extend(["```pycon", *textwrap.dedent("\n".join(example)).splitlines(), "```"])
                example.clear()

        for line in (doc or "").splitlines():
            if line.lstrip().startswith(">>>") or (example and line.strip()):
                example.append(line)
                continue
            end()
            out.append(re.sub(r"`([A-Za-z_.]+)(\(\))?`", self.link, line))
        end()
        return "\n".join(out).strip()

    def link(self, match: re.Match[str]) -> str:
        name = match[1].removeprefix("mlirbc.")
        name = self.paths.get(name, name).removeprefix("mlirbc.")
        # A plain word such as `read` may also be the value of an argument.
        is_clear = "." in name or name[0].isupper() or match[2]
        if is_clear and name in self.public:
            return f"{{py:obj}}`{name}{match[2] or ''} <mlirbc.{name}>`"
        return match[0]

    # -- items

    def function(self, name: str, nodes: list[ast.FunctionDef], doc: str | None) -> str:
        overloads = [
            n for n in nodes if any("overload" in ast.unparse(d) for d in n.decorator_list)
        ] or nodes[-1:]
        lines = [name + self.signature(node, method=False) for node in overloads]
        return self.directive("function", lines, self.text(doc), 6)

    @staticmethod
    def directive(
        kind: str, signatures: list[str], body: str, colons: int, options: dict[str, str] | None = None
    ) -> str:
        fence = ":" * colons
        first, *more = signatures
        head = [f"{fence}{{py:{kind}}} {first}", *more]
        head += [f":{key}: {value}".rstrip() for key, value in (options or {}).items()]
        return "\n".join([*head, "", body, fence, ""])

    def bases(self, node: ast.ClassDef) -> list[str]:
        bases = []
        for base in node.bases:
            name = ast.unparse(base.value if isinstance(base, ast.Subscript) else base).split(".")[-1]
            argument = self.annotation(base.slice) if isinstance(base, ast.Subscript) else "object"
            if name in BASES:
                bases.append(BASES[name].format(argument))
            elif name.startswith("_"):
                bases += [
                    b for s in self.sources.values() if name in s.classes for b in self.bases(s.classes[name])
                ]
            elif name not in ("object", "Generic", "Protocol"):
                bases.append(self.annotation(base))
        return bases

    def members(self, node: ast.ClassDef) -> Iterator[ast.stmt]:
        """The members of a class, then the members of its private bases, which have no entry of their own."""
        yield from statements(node.body)
        for base in node.bases:
            name = ast.unparse(base).split("[")[0].split(".")[-1]
            if name.startswith("_") and name not in BASES:
                for source in self.sources.values():
                    if name in source.classes:
                        inherited = self.members(source.classes[name])
                        # Handles are not made by users, who do not need the constructor of their base.
                        yield from (m for m in inherited if getattr(m, "name", "") not in CONSTRUCTORS)

    def class_(self, title: str, node: ast.ClassDef, value: type, *, colons: int = 6) -> str:
        functions: dict[str, list[ast.FunctionDef]] = {}
        variables: dict[str, ast.expr | None] = {}
        docs: dict[str, str] = {}
        last = ""
        for member in self.members(node):
            if isinstance(member, ast.Expr) and isinstance(member.value, ast.Constant) and last:
                # A string after a field is its documentation.
                docs.setdefault(last, inspect.cleandoc(str(member.value.value)))
            last = ""
            if isinstance(member, ast.FunctionDef) and (
                not member.name.startswith("_") or member.name in CONSTRUCTORS
            ):
                functions.setdefault(member.name, []).append(member)
            elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
                variables.setdefault(member.target.id, member.annotation)
                last = member.target.id
            elif isinstance(member, ast.Assign) and isinstance(member.targets[0], ast.Name):
                variables.setdefault(member.targets[0].id, None)
                last = member.targets[0].id

        parts = []
        bases = self.bases(node)
        if bases:
            parts.append("Bases: " + ", ".join(f"`{base}`" for base in bases) + "\n")
        parts.append(self.text(inspect.getdoc(value)) + "\n")
        for inner in statements(node.body):
            if isinstance(inner, ast.ClassDef) and not inner.name.startswith("_"):
                parts.append(self.class_(inner.name, inner, getattr(value, inner.name), colons=5))
        constructors = functions.pop("__new__", None) or functions.pop("__init__", [])
        for name, annotation in variables.items():
            if not name.startswith("_"):
                options = {"type": self.annotation(annotation)} if annotation else {}
                parts.append(self.directive("attribute", [name], self.text(docs.get(name)), 4, options))
        for name, nodes in functions.items():
            doc = inspect.getdoc(inspect.getattr_static(value, name, None))
            decorators = [ast.unparse(d) for n in nodes for d in n.decorator_list]
            if "property" in decorators or "cached_property" in decorators:
                returns = nodes[0].returns
                options = {"type": self.annotation(returns)} if returns else {}
                parts.append(self.directive("property", [name], self.text(doc), 4, options))
                continue
            kind = (
                "staticmethod"
                if "staticmethod" in decorators
                else "classmethod"
                if "classmethod" in decorators
                else "method"
            )
            overloads = [
                n for n in nodes if any("overload" in ast.unparse(d) for d in n.decorator_list)
            ] or nodes[:1]
            lines = [name + self.signature(n, method=True) for n in overloads]
            parts.append(self.directive(kind, lines, self.text(doc), 4))
        is_private = value.__init__ is object.__init__ and value.__new__ is object.__new__
        signatures = [
            title + self.signature(n, method=True).split(" -> ")[0]
            for n in constructors[:1]
            if not is_private
        ] or [title]
        kind = "exception" if issubclass(value, BaseException) else "class"
        return self.directive(kind, signatures, "\n".join(parts), colons)

    def item(self, name: str, value: object, files: list[str]) -> str | None:
        for file in files:
            source = self.sources[file]
            if name in source.classes and isinstance(value, type):
                return self.class_(name, source.classes[name], value)
            if name in source.functions:
                return self.function(name, source.functions[name], inspect.getdoc(value))
        return None

    # -- pages

    def position(self, name: str) -> tuple[int, int]:
        """Where a name of the package is defined: pages have the order of their sources."""
        files = [file for _, _, _, sources in PAGES for file in sources]
        for number, file in enumerate(files):
            source = self.sources[file]
            if name in source.classes:
                return number, source.classes[name].lineno
            if name in source.functions:
                return number, source.functions[name][0].lineno
        return len(files), 0

    def pages(self) -> dict[str, str]:
        """The text of each page, by its file name."""
        package = importlib.import_module("mlirbc")
        modules = {name: importlib.import_module(f"mlirbc.{name}") for name in MODULES}
        names = [
            n
            for n in [*package.__all__, "hash", "open"]
            if not isinstance(getattr(package, n), ModuleType) and n != "__version__"
        ]
        self.public = set(names) | {f"{m}.{n}" for m, module in modules.items() for n in module.__all__}
        self.paths = {name: f"mlirbc.{name}" for name in names}
        for module_name, module in modules.items():
            for name in module.__all__:
                if getattr(package, name, None) is getattr(module, name):
                    self.paths.setdefault(name, f"mlirbc.{module_name}.{name}")
        self.qualified = {name: path for name, path in self.paths.items() if name not in names}
        pages = {file: (title, intro, []) for file, title, intro, _ in PAGES}
        pages |= {file: (title, intro, []) for file, (title, intro, _) in SPLIT.items()}
        for name in sorted(names, key=self.position):
            value = getattr(package, name)
            for file, _, _, sources in PAGES:
                text = self.item(name, value, sources)
                if text:
                    split = next((page for page, (_, _, rule) in SPLIT.items() if rule.match(name)), None)
                    pages[split if file == "modules" and split else file][2].append(text)
                    break
            else:
                raise LookupError(f"mlirbc.{name} is in no source that the Python reference reads")
        written = {}
        for file, (title, intro, items) in pages.items():
            written[file] = f"# {title}\n\n{intro}\n\n```{{py:currentmodule}} mlirbc\n```\n\n" + "\n".join(
                items
            )
        for name, module in modules.items():
            items = []
            local = set(module.__all__)
            self.qualified = {inner: path for inner, path in self.paths.items() if inner not in local}
            for inner in module.__all__:
                text = self.item(
                    inner, getattr(module, inner), [f"{name}.py", *SOURCES.get(name, ()), "_mlirbc.pyi"]
                )
                items.append(text or self.constant(inner, module))
            head = f"# `mlirbc.{name}`\n\n```{{py:module}} mlirbc.{name}\n```\n\n"
            written[name] = head + self.text(inspect.getdoc(module)) + "\n\n" + "\n".join(items)
        return written

    def write(self) -> None:
        written = self.pages()
        OUT.mkdir(exist_ok=True)
        for old in OUT.glob("*.md"):
            if old.stem not in written:
                old.unlink()
        for file, text in written.items():
            path = OUT / f"{file}.md"
            # An unchanged page keeps its time, so that Sphinx does not build it again.
            if not path.exists() or path.read_text("utf-8") != text:
                path.write_text(text, "utf-8")

    def constant(self, name: str, module: ModuleType) -> str:
        doc = (
            inspect.getdoc(getattr(module, name)) if not isinstance(getattr(module, name), str | int) else ""
        )
        is_alias = type(getattr(module, name)).__module__ in ("builtins", "typing", "types")
        return self.directive("data", [name], "" if is_alias else self.text(doc), 6)


def is_foreign(name: str) -> bool:
    """Whether a name in a signature belongs to another package, or is a type variable."""
    first = name.split(".")[0]
    return (
        first in {"os", "np", "npt", "numpy", "T", "_D", "Buffer", "collections", "networkx"}
        or hasattr(builtins, name)
        or name in FOREIGN
    )


FOREIGN = {
    "Callable", "ClassVar", "Context", "Enum", "Final", "Future", "Generator", "Generic", "Iterable",
    "Iterator", "Literal", "Mapping", "ModuleOp", "MutableMapping", "Never", "Path", "Protocol", "Self",
    "Sequence", "SupportsIndex", "TracebackType", "enum.Enum",
}  # fmt: skip
