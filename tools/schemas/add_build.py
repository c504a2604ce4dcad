"""Adds a build to the data, or probes it again: one command for each build.

The build has a row in `packages.toml`, which names its package, and one in `releases.toml`. The package is
installed for an interpreter that it has files for. The property layouts are probed (`from_build.py`) and reduced
to what differs from another release (`release_differences.py`); the dialects that the build registers are probed
(`registered_dialects.py`); and what mlirbc makes of generated files is held against what the build says
(`generated_files.py`).

    add_build.py jaxlib-0.12                     all steps
    add_build.py --step registered jaxlib-0.5    one step
    add_build.py --list                          the builds, and the interpreters that are missing here
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from release_differences import expanded
from schema import load, save

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "rust" / "mlirbc" / "data"
STEPS = ("install", "layouts", "registered", "read-back")
_MINORS = range(10, 15)
# Dependencies of the packages, where their own metadata names too many or too few.
_NEEDED = ("numpy", "ml_dtypes", "typing_extensions", "PyYAML")


class Missing(Exception):
    """Something that has to be there before a build can be probed."""


def packages() -> dict[str, dict[str, Any]]:
    """The rows of `packages.toml`, by the names of their releases."""
    table = tomllib.loads((HERE / "packages.toml").read_text("utf-8"))
    return {row["release"]: row for row in table["package"]}


def interpreters() -> dict[str, Path]:
    """The interpreters that are here, by their versions (`3.12`)."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [Path(sys.executable), *sorted(pyenv.glob("*/bin/python"))]
    commands = [shutil.which(f"python3.{minor}") for minor in _MINORS]
    candidates += [Path(name) for name in commands if name is not None]
    result: dict[str, Path] = {}
    for path in candidates:
        code = "import sys; print('%d.%d' % sys.version_info[:2])"
        run = subprocess.run([path, "-c", code], capture_output=True, check=False, text=True)
        if run.returncode == 0:
            result.setdefault(run.stdout.strip(), path)
    return result


def wanted_interpreters(requirement: str) -> Iterator[str]:
    """The versions of Python that a package has files for, the newest first."""
    for minor in reversed(_MINORS):
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--dry-run",
            "--no-deps",
            "--target",
            "unused",
        ]
        command += ["--only-binary", ":all:", "--python-version", f"3.{minor}", requirement]
        run = subprocess.run([*command, requirement], capture_output=True, check=False)
        if run.returncode == 0:
            yield f"3.{minor}"


def interpreter_for(requirement: str) -> Path:
    """The newest interpreter here that a package has files for."""
    present = interpreters()
    versions = list(wanted_interpreters(requirement))
    usable = next((present[version] for version in versions if version in present), None)
    if usable is None:
        needed = " or ".join(versions) or "none of " + ", ".join(f"3.{minor}" for minor in _MINORS)
        raise Missing(f"{requirement} needs Python {needed}; here are {', '.join(sorted(present))}")
    return usable


def install(row: dict[str, Any], folder: Path) -> None:
    """Install the package, and note its interpreter."""
    if (folder / "interpreter").exists():
        return
    python = interpreter_for(row["package"])
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder / "site")]
    subprocess.run([*command, str(row["package"]), *_NEEDED], check=True)
    (folder / "interpreter").write_text(str(python), "utf-8")


def run(folder: Path, arguments: Sequence[str | Path]) -> None:
    """Run a program of this directory in the environment of a build, which has mlirbc, too."""
    spec = importlib.util.find_spec("mlirbc")
    if spec is None or spec.origin is None:
        raise Missing("mlirbc is not installed for this interpreter")
    extra = folder / "mlirbc"
    extra.mkdir(exist_ok=True)
    if not (extra / "mlirbc").exists():
        (extra / "mlirbc").symlink_to(Path(spec.origin).parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder / "site", extra)))}
    python = (folder / "interpreter").read_text("utf-8")
    subprocess.run([python, *arguments], cwd=HERE, env=environment, check=True)


def layouts(row: dict[str, Any], folder: Path) -> None:
    """Probe the property layouts, and store the differences from another release."""
    name, like = row["release"], row.get("like", "")
    _, _, version = row["package"].partition("==")
    arguments: list[str | Path] = ["from_build.py", "--build", row["kind"], "--release", name]
    arguments += ["--version", version, "--producer", row["producer"], "--out", folder / "full.json"]
    known_releases = dict.fromkeys((like, *row.get("known", ()), "stablehlo-1.20"))
    for known_release in filter(None, known_releases):
        path = folder / f"known-{known_release}.json"
        save(expanded(dict(load(DATA / "releases" / f"{known_release}.json")), DATA / "releases"), path)
        arguments += ["--known", path]
    run(folder, arguments)
    out = DATA / "releases" / f"{name}.json"
    if like:
        reduce = [
            HERE / "release_differences.py",
            folder / "full.json",
            "--like",
            like,
            "--data",
            DATA / "releases",
        ]
        subprocess.run([sys.executable, *reduce, "--out", out], check=True)
    else:
        shutil.copy(folder / "full.json", out)


def steps(name: str, folder: Path, only: str | None) -> None:
    """Take a build through its steps."""
    row = packages().get(name)
    if row is None:
        raise Missing(f"packages.toml has no row for {name}")
    table = tomllib.loads((DATA / "releases.toml").read_text("utf-8"))
    if all(release["name"] != name for release in table["release"]):
        raise Missing(f"releases.toml has no row for {name}; its head explains the keys")
    install(row, folder)
    if only in (None, "layouts"):
        layouts(row, folder)
    if only in (None, "registered"):
        run(folder, ["registered_dialects.py", "--write", name])
    if only in (None, "read-back"):
        run(folder, ["generated_files.py", name])


def main(arguments: list[str] | None = None) -> int:
    """Add builds, or list them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("releases", nargs="*", metavar="RELEASE")
    parser.add_argument("--step", choices=STEPS, help="this step only, and the installation that it needs")
    parser.add_argument("--folder", type=Path, default=Path("builds"), help="where the packages go")
    parser.add_argument("--list", action="store_true", help="list the builds and what they need")
    options = parser.parse_args(arguments)
    present = interpreters() if options.list else {}
    for row in packages().values() if options.list else ():
        versions = list(wanted_interpreters(row["package"]))
        is_missing = not any(version in present for version in versions)
        note = "; no interpreter for it is here" if is_missing else ""
        print(f"{row['release']}: {row['package']}, Python {', '.join(versions) or '-'}{note}")
    status = 0
    for name in options.releases:
        try:
            steps(name, options.folder.resolve() / name, options.step)
        except (Missing, subprocess.CalledProcessError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
