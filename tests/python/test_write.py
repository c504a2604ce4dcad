"""`Module.write` and `mlir-opt` of the release write the same bytes for the same file.

Every kept file in its own version; the oldest and the newest in every other one, across the border at
version 5 in both directions. What is known to differ is in `DIFFERENCES`, and has to.
"""

import io
import itertools
import json
import os
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import mlirbc
import pytest

from support import jaxlib_oracle, oracles
from support.printing import dialect_files

DATA = Path(__file__).resolve().parents[1] / "data"
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "two_layers.mlirbc"

UNKNOWN = "no table describes the properties and encodings of LLVM's own test dialect"
RENAMED = "a resource that text names has another name once MLIR has read the text"

DIFFERENCES: dict[tuple[str, int], str] = {
    ("resources_test_dialect", 16): RENAMED,
    ("resources_test_dialect", 19): RENAMED,
    ("resources_test_dialect", 22): RENAMED,
    ("test_19_22", 19): UNKNOWN,
    ("test_19_22", 22): UNKNOWN,
    ("test_19_22_v5_6", 19): UNKNOWN,
    ("test_19_22_v5_6", 22): UNKNOWN,
    ("test_22", 22): UNKNOWN,
    ("test_dialect_properties", 19): UNKNOWN,
    ("test_dialect_properties", 22): UNKNOWN,
}
"""By module and release; some file of each has to differ."""


def written(path: Path, version: int | None) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        module = mlirbc.open(path)
        return module.write(numbering="canonical", version=version, drop_unsupported=True)


def expected(path: Path, release: int, version: int) -> bytes | None:
    """The bytes that the oracle writes; nothing when it refuses the file."""
    words = [str(path), *oracles.emit_args(release, version)]
    done = subprocess.run([str(oracles.find(release)), *words], capture_output=True, timeout=300, check=False)
    return done.stdout if done.returncode == 0 else None


def stored_files() -> list[tuple[str, int, list[tuple[Path, int]]]]:
    """The files of each module of each release, with their versions."""
    entries = json.loads((DATA / "index.json").read_text("utf-8"))["files"]
    rows = [
        (
            Path(entry["source"]).stem,
            int(entry["release"].partition(".")[0]),
            DATA / entry["file"],
            entry["version"],
        )
        for entry in entries
    ]
    rows.sort(key=lambda row: row[:2])
    groups = itertools.groupby(rows, key=lambda row: row[:2])
    return [(module, release, [(row[2], row[3]) for row in group]) for (module, release), group in groups]


@pytest.mark.parametrize(
    ("module", "release", "files"),
    stored_files(),
    ids=lambda value: "" if isinstance(value, list) else str(value),
)
def test_the_bytes_are_those_of_the_release(module: str, release: int, files: list[tuple[Path, int]]) -> None:
    oracles.require(release)
    jobs = []
    for path, version in files:
        jobs.append((path, version))
        if version in (0, 6):
            jobs.extend(
                (path, target_version)
                for target_version in oracles.versions(release)
                if target_version != version
            )
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        theirs = list(pool.map(lambda job: expected(job[0], release, job[1]), jobs))
    compare(module, release, jobs, theirs)


def compare(module: str, release: int, jobs: list[tuple[Path, int]], theirs: list[bytes | None]) -> None:
    different = [
        (path.parent.name, version)
        for (path, version), want in zip(jobs, theirs, strict=True)
        if want is not None and written(path, version) != want
    ]
    if (module, release) in DIFFERENCES:
        read = [want for want in theirs if want is not None]
        assert different or not read, f"no longer different: {DIFFERENCES[module, release]}"
    else:
        assert different == []


def dialect_modules() -> list[tuple[Path, int, tuple[str, ...]]]:
    return sorted(
        {(file.source, file.release, file.flags) for file in dialect_files() if file.source is not None}
    )


@pytest.mark.parametrize(
    ("source", "release", "flags"),
    dialect_modules(),
    ids=lambda value: value.stem if isinstance(value, Path) else str(value) if isinstance(value, int) else "",
)
def test_every_dialect_is_written_as_its_release_does(
    source: Path, release: int, flags: tuple[str, ...], tmp_path: Path
) -> None:
    binary = oracles.require(release)
    path = tmp_path / "made.mlirbc"
    args = [*oracles.emit_args(release, max(oracles.versions(release))), *flags]
    if max(oracles.versions(release)) not in {
        file.version for file in dialect_files() if file.source == source
    }:
        args = [*oracles.emit_args(release, 4), *flags]
    words = [str(binary), source.name, *args, "-o", str(path)]
    subprocess.run(words, capture_output=True, timeout=300, check=True, cwd=source.parent)
    written_version = mlirbc.open(path).bytecode.version
    versions = [written_version] if release == 16 else sorted({written_version, 4})
    jobs = [(path, version) for version in versions]
    compare(source.stem, release, jobs, [expected(path, release, version) for version in versions])


@pytest.mark.parametrize("source", sorted((DATA / "stablehlo").glob("*.mlir")), ids=lambda path: path.stem)
def test_stablehlo_is_written_as_jaxlib_does(source: Path) -> None:
    jaxlib = jaxlib_oracle.require()

    def theirs(data: bytes | str, version: int) -> bytes:
        with jaxlib.context:
            file = io.BytesIO()
            jaxlib.ir.Module.parse(data).operation.write_bytecode(file, desired_version=version)
        return file.getvalue()

    try:
        file_by_version = {version: theirs(source.read_text("utf-8"), version) for version in (0, 4, 6)}
    except jaxlib.ir.MLIRError:
        pytest.skip("not in this jaxlib")
    # Below version 5 only the release tells which attributes have properties.
    release = mlirbc.read(file_by_version[6]).release.nearest
    for data in file_by_version.values():
        module = mlirbc.read(data, release=release)
        for version in (0, 4, 6):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                mine = module.write(numbering="canonical", version=version, drop_unsupported=True)
            assert mine == theirs(data, version)


def test_every_listed_difference_is_of_a_module() -> None:
    modules = {(module, release) for module, release, _ in stored_files()}
    modules |= {(path.stem, release) for path, release, _ in dialect_modules()}
    assert modules >= DIFFERENCES.keys()


# ---- without an oracle ----


@pytest.mark.parametrize("folder", ["llvm-16/v0", "llvm-19/v3", "llvm-22/v6"])
def test_preserving_gives_the_same_bytes(folder: str) -> None:
    files = sorted((DATA / "bytecode" / folder).glob("*.mlirbc"))
    assert files
    for path in files:
        assert mlirbc.open(path).write() == path.read_bytes()


def test_hostile_files_are_preserved_when_they_open() -> None:
    opened = 0
    for path in sorted((DATA / "hostile").glob("*.mlirbc")):
        try:
            module = mlirbc.open(path)
        except mlirbc.Error:
            continue
        # A text becomes bytecode.
        if not path.read_bytes().startswith(b"ML\xefR"):
            continue
        assert module.write() == path.read_bytes()
        opened += 1
    assert opened > 100


@pytest.mark.parametrize("name", ["resources", "resources_without_data"])
def test_stripped_resources_keep_their_keys(name: str) -> None:
    """The resources of dialects are as `mlir-opt --elide-resource-data-from-bytecode` leaves them."""
    oracles.require(22)
    path = DATA / "bytecode" / "llvm-22" / "v6" / f"{name}.mlirbc"
    module = mlirbc.open(path)
    args = [*oracles.emit_args(22, 6), "--elide-resource-data-from-bytecode"]
    theirs = mlirbc.read(oracles.checked(oracles.run_mlir_opt(22, args, path.read_bytes())))
    edited = module.edit()
    edited.operation.location = mlirbc.Location.name("edited")
    for data in (module.write(strip_resources=True), edited.write(strip_resources=True)):
        stripped = mlirbc.read(data)
        rows = [(row.group, row.key, row.has_data) for row in stripped.resources.values()]
        assert sorted(rows) == sorted((row.group, row.key, False) for row in theirs.resources.values())
        stripped.verify()
        # References lead to the same keys.
        texts = [
            oracles.checked(oracles.run_mlir_opt(22, ["--allow-unregistered-dialect"], candidate))
            for candidate in (data, edited.write())
        ]
        bodies = [text.partition(b"\n{-#")[0].rstrip() for text in texts]
        assert bodies[0] == bodies[1] and b"dense_resource<" in bodies[0]


def test_what_a_version_cannot_hold_is_named_all_at_once(tmp_path: Path) -> None:
    path = DATA / "bytecode" / "llvm-22" / "v6" / "llvm_native_properties.mlirbc"
    if not path.exists():
        path = next(
            file
            for file in sorted((DATA / "bytecode" / "llvm-22" / "v6").glob("*.mlirbc"))
            if b"overflowFlags" in file.read_bytes() or refuses(file)
        )
    module = mlirbc.open(path)
    with pytest.raises(mlirbc.UnsupportedError) as caught:
        module.write(version=4)
    assert caught.value.identifier == "mlirbc.unsupported.target"
    assert "needs bytecode version 5 or later" in str(caught.value)
    target = tmp_path / "out.mlirbc"
    with pytest.raises(mlirbc.UnsupportedError):
        module.save(target, version=4)
    assert not target.exists()
    with pytest.warns(UserWarning, match="left out: "):
        module.save(target, version=4, drop_unsupported=True)
    assert mlirbc.open(target).bytecode.version == 4


def refuses(path: Path) -> bool:
    try:
        mlirbc.open(path).write(version=4)
    except mlirbc.UnsupportedError:
        return True
    return False


def test_keywords_are_checked() -> None:
    module = mlirbc.open(EXAMPLE)
    with pytest.raises(ValueError, match="canonical"):
        module.write(numbering="preserve", version=4)
    with pytest.raises(ValueError, match="0 to 6"):
        module.write(version=7)
    with pytest.raises(ValueError, match="expected numbering="):
        module.write(numbering="sorted")  # type: ignore[arg-type]
    with pytest.raises(mlirbc.Error):
        module.write(target="llvm-1")
    assert mlirbc.read(module.write(producer="someone")).bytecode.producer == "someone"


# ---- files ----


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "model.mlirbc"
    path.write_bytes(EXAMPLE.read_bytes())
    module = mlirbc.open(path)
    module.save(path, version=4)
    assert mlirbc.open(path).bytecode.version == 4
    # The mapping still has the old contents.
    assert module.write() == EXAMPLE.read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == ["model.mlirbc"]


def test_a_folder_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="folder does not exist"):
        mlirbc.open(EXAMPLE).save(tmp_path / "none" / "model.mlirbc")
    path = tmp_path / "model.mlirbc"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(OSError, match="permission denied"):
        mlirbc.open(EXAMPLE).save(path)
    assert path.read_bytes() == b"old"


LIMITED = """
import resource, signal, sys, mlirbc
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    mlirbc.open(sys.argv[1]).save(sys.argv[2])
except OSError as error:
    print("refused:", error)
"""


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    big = max((DATA / "bytecode" / "llvm-22" / "v6").glob("*.mlirbc"), key=lambda path: path.stat().st_size)
    assert big.stat().st_size > 4096
    path = tmp_path / "model.mlirbc"
    path.write_bytes(b"old")
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(big), str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.startswith("refused:")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["model.mlirbc"]


KILLED = """
import sys, mlirbc
mlirbc.open(sys.argv[1]).save(sys.argv[2], producer="x" * 50)
"""


def test_a_kill_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    source = DATA / "bytecode" / "llvm-22" / "v6" / "arithmetic.mlirbc"
    if not source.exists():
        source = EXAMPLE
    path = tmp_path / "model.mlirbc"
    whole = {source.read_bytes(), mlirbc.open(source).write(producer="x" * 50)}
    for wait in range(12):
        path.write_bytes(source.read_bytes())
        process = subprocess.Popen([sys.executable, "-c", KILLED, str(source), str(path)])
        try:
            process.wait(0.02 * wait)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert path.read_bytes() in whole
