"""The public classes that are written in Python, imported together when the package is asked for one."""

from importlib import import_module

_MODULES = [
    import_module(f"mlirbc.{name}")
    for name in (
        "_affine_attributes",
        "_attributes",
        "_dense_arrays",
        "_elements",
        "_locations",
        "_shaped",
        "_sparse_elements",
        "_strings",
        "_types",
        "_walk",
        "_weights",
    )
]

BY_NAME: dict[str, type] = {
    name: value
    for module in _MODULES
    for name, value in vars(module).items()
    if isinstance(value, type) and value.__module__ == module.__name__ and not name.startswith("_")
}
"""By the name that the package gives them."""
