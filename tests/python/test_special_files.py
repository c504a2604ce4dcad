"""Pipes, sockets, devices and links to them, as inputs of Python's functions and in folders."""

import json
import logging
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import mlirbc
import pytest
from mlirbc import corpus

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
SMALL = mlirbc.Limits(max_memory=1 << 20)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two modules, one behind a link, among files of other kinds."""
    monkeypatch.chdir(tmp_path)
    inputs = tmp_path / "in"
    (inputs / "sub").mkdir(parents=True)
    (inputs / ".hidden").mkdir()
    for name in ("a.mlirbc", "sub/b.mlirbc", ".c.mlirbc", ".hidden/d.mlirbc"):
        shutil.copy(EXAMPLES / "two_layers.mlirbc", inputs / name)
    (inputs / "link.mlirbc").symlink_to("a.mlirbc")
    (inputs / "linked").symlink_to("sub")
    (inputs / "zero.mlirbc").symlink_to("/dev/zero")
    os.mkfifo(inputs / "sub" / "pipe.mlirbc")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("in/socket.mlirbc")
        yield inputs


INPUTS = ["a.mlirbc", "link.mlirbc", "sub/b.mlirbc"]


def bounded(code, *arguments):
    """Runs Python with little memory and time, so that reading for ever fails alone."""
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n{code}"
    command = [sys.executable, "-c", limited, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def count(module):
    return sum(module.op_counts().values())


def test_a_folder_stands_for_its_regular_files(folder, caplog):
    with caplog.at_level(logging.WARNING, "mlirbc"):
        inputs = list(corpus.files([folder]))
    assert [path.relative_to(folder).as_posix() for path in inputs] == INPUTS
    left_out = [record.getMessage() for record in caplog.records]
    assert len(left_out) == 3 and all("it is not a regular file" in text for text in left_out)
    assert list(corpus.files([f"{folder}/*.mlirbc"])) == [folder / "a.mlirbc", folder / "link.mlirbc"]


def test_scans_and_queries_end(folder):
    code = (
        "import sys, mlirbc\n"
        "print([result.error for result in mlirbc.corpus.scan(sys.argv[1:], mlirbc.Module.op_counts)])\n"
    )
    done = bounded(code, folder, f"{folder}/**/*.mlirbc")
    # The pattern also follows the link to a folder.
    assert (done.stdout, done.stderr) == ("[None, None, None, None]\n", "")


def test_a_query_says_what_it_leaves_out(folder):
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    sql = "select distinct file from ops order by file"
    command = [sys.executable, "-m", "mlirbc", "query", "--csv", "in", sql]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.splitlines() == ["file", *(f"in/{name}" for name in INPUTS)]
    notes = [
        f"note: 'in/{name}.mlirbc' is left out: it is not a regular file"
        for name in ("socket", "sub/pipe", "zero")
    ]
    assert done.stderr.splitlines() == notes


def test_the_command_takes_the_same_files(folder):
    command = [sys.executable, "-m", "mlirbc", "info", "--json", "in"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == [
        f"in/{name}" for name in INPUTS
    ]


def test_named_streams_are_read_to_the_limit():
    for backend in ("map", "read"):
        with pytest.raises(mlirbc.LimitError, match="`/dev/zero` has more than 1048576 bytes"):
            mlirbc.open("/dev/zero", backend=backend, limits=SMALL)
    with pytest.raises(mlirbc.LimitError):
        mlirbc.dump("/dev/zero", limits=SMALL)
    [result] = corpus.scan(["/dev/zero"], count, limits=SMALL)
    assert isinstance(result.error, mlirbc.LimitError)


@pytest.mark.parametrize(
    "call",
    [
        "mlirbc.open('/dev/zero')",
        "mlirbc.dialects.register('/dev/zero')",
        "mlirbc.schemas.register('/dev/zero')",
        "mlirbc.layout.register('/dev/zero')",
    ],
)
def test_the_default_limit_is_a_part_of_the_memory(call):
    done = bounded(f"import mlirbc\ntry:\n    {call}\nexcept mlirbc.LimitError as error:\n    print(error)")
    assert "/dev/zero` has more than 1073741824 bytes" in done.stdout, done.stderr


def test_a_pipe_that_is_named_is_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", EXAMPLES / "two_layers.mlirbc"], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert count(mlirbc.open(f"/dev/fd/{writer.stdout.fileno()}")) == 34


def test_resources_are_of_regular_files(tmp_path):
    edited = mlirbc.open(EXAMPLES / "two_layers.mlirbc").edit()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(OSError, match="not a regular file"):
            edited.resources["layer0.weight"] = path
