"""The packs of the environment, which are in use from the import on."""

import os
import sys

from mlirbc._mlirbc import InvalidError, LimitError, _load_packs

# The import of mlirbc takes little time.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def _folders() -> "Iterator[str]":
    folder = os.path.join(sys.prefix, "share", "mlirbc", "packs")
    if os.path.isdir(folder):
        yield folder
    # The last one wins.
    yield from filter(None, os.environ.get("MLIRBC_PATH", "").split(os.pathsep))


def _has_entry_points() -> bool:
    """Whether a package names packs.

    Parsing the entry points of all packages would take longer than the import.
    """
    for folder in sys.path:
        try:
            names = [name for name in os.listdir(folder or ".") if name.endswith((".dist-info", ".egg-info"))]
        except OSError:
            continue
        for name in names:
            try:
                with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                    if b"[mlirbc.packs]" in file.read():
                        return True
            except OSError:
                continue
    return False


def installed() -> "Iterator[str]":
    """The files that installed packages name in the group of entry points `mlirbc.packs`."""
    if not _has_entry_points():
        return
    from importlib import metadata, resources

    for entry in metadata.entry_points(group="mlirbc.packs"):
        package, _, name = entry.value.partition(":")
        with resources.as_file(resources.files(package).joinpath(name or f"{entry.name}.mlirpack")) as path:
            yield os.fspath(path)


def load_environment() -> None:
    """Use the packs of installed packages, of the environment and of `MLIRBC_PATH`.

    One that cannot be used is a warning.
    """
    for path in [*installed(), *_folders()]:
        try:
            _, skipped = _load_packs(path, None, True)
        except (InvalidError, LimitError, OSError) as error:
            skipped = [f"{path}: {error}"]
        for row in skipped:
            import warnings

            warnings.warn(row, stacklevel=3)
