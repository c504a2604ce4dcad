"""`mlirbc.corpus` in this process, and on threads, processes, Dask and Ray; broken files, killed workers."""

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import mlirbc
import pytest
from mlirbc import corpus

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Ninety copies of one file, in two folders; one is broken and one is called `kill`."""
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "b").mkdir()
    for n in range(90):
        shutil.copy(EXAMPLES / "two_layers.mlirbc", folder / f"{'b/' if n >= 50 else ''}{n:03}.mlirbc")
    (folder / "020.mlirbc").write_bytes(b"ML\xefR\x0d")
    (folder / "readme.txt").write_text("not a module")
    return folder


def count(module):
    return sum(module.op_counts().values())


def refuse(module):
    raise Unpicklable(threading.Lock())


class Unpicklable(Exception):
    """An exception with a lock, which cannot be pickled."""


def kill_one(module):
    # The file of this module is not known to the function, so it is found by its size.
    if module.op_counts().get("test.kill"):
        os.kill(os.getpid(), signal.SIGKILL)
    return count(module)


def check(results, folder):
    results = list(results)
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.mlirbc"))
    paths = [result.path.relative_to(folder).as_posix() for result in results]
    assert sorted(paths) == names
    assert paths == [path.relative_to(folder).as_posix() for path in corpus.files([folder])]
    broken = [result for result in results if result.error is not None]
    assert [result.path.name for result in broken] == ["020.mlirbc"]
    assert isinstance(broken[0].error, mlirbc.ReadError)
    assert broken[0].error.identifier == "mlirbc.read.string.unterminated"
    assert {result.value for result in results if result.error is None} == {34}


def test_in_this_process(folder):
    check(corpus.scan([folder], count), folder)


def test_in_processes(folder):
    check(corpus.scan([folder], count, workers=2, batch=7), folder)


def without_semaphores():
    """Why `ProcessPoolExecutor` cannot be made here; None if it can."""
    try:
        multiprocessing.get_context("spawn").Lock()
    except OSError as error:
        return f"this machine has no shared semaphores: {error}"
    return None


semaphores = pytest.mark.skipif(without_semaphores() is not None, reason=str(without_semaphores()))


def processes(count):
    # Not by `fork`: other tests have loaded jaxlib, which has threads.
    return ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, pytest.param(processes, marks=semaphores)])
def test_on_executors(folder, pool):
    with pool(2) as executor:
        check(corpus.scan([folder], count, executor=executor, batch=7), folder)


@pytest.mark.filterwarnings("ignore")
def test_on_dask(folder):
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        check(corpus.scan([folder], count, executor=client.get_executor(pure=False), batch=7), folder)


RAY = """
import sys
import ray
from mlirbc import corpus
from test_corpus import check, count
from pathlib import Path

try:
    corpus.ray_executor()
except RuntimeError as error:
    assert "ray.init" in str(error)
paths = {"PYTHONPATH": ":".join(path for path in sys.path if path)}
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": paths})
folder = Path(sys.argv[1])
check(corpus.scan([folder], count, executor=corpus.ray_executor(), batch=30), folder)
"""


def test_on_ray(folder):
    pytest.importorskip("ray", reason="Ray is not installed")
    # In a process of its own: Ray takes over the signals of its process.
    path = os.pathsep.join([str(Path(__file__).parent), *(entry for entry in sys.path if entry)])
    command = [sys.executable, "-c", RAY, str(folder)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def deadly(folder, tmp_path):
    """The files of the corpus and one whose process kills itself."""
    mlirbc.parse('"test.kill"() : () -> ()').save(tmp_path / "kill.mlirbc")
    return [folder / "000.mlirbc", tmp_path / "kill.mlirbc", *sorted(folder.glob("03*.mlirbc"))]


def test_a_process_that_is_killed_costs_one_file(deadly):
    results = list(corpus.scan(deadly, kill_one, workers=2, batch=4))
    assert [result.path for result in results] == deadly
    [lost] = [result for result in results if result.error is not None]
    assert lost.path.name == "kill.mlirbc"
    assert isinstance(lost.error, corpus.WorkerLostError)
    assert "kill.mlirbc" in str(lost.error)


@semaphores
def test_an_executor_that_loses_a_worker_is_in_the_results(deadly):
    with processes(1) as executor:
        results = list(corpus.scan(deadly, kill_one, executor=executor, batch=1))
    assert [result.path for result in results] == deadly
    assert results[0].value == 34
    assert isinstance(results[1].error, BrokenProcessPool)


def test_a_last_process_that_is_killed_is_replaced(deadly):
    results = list(corpus.scan(deadly, kill_one, workers=1, batch=100))
    assert [result.value for result in results].count(34) == len(deadly) - 1


def lock(module):
    return threading.Lock() if module.op_counts().get("test.kill") else 1


def test_a_value_that_cannot_be_pickled_costs_one_file(deadly):
    results = list(corpus.scan(deadly, lock, workers=2, batch=4))
    [refused] = [result for result in results if result.value != 1]
    assert refused.path.name == "kill.mlirbc"
    assert "cannot be pickled" in str(refused.error)


def test_a_function_that_a_process_cannot_import_is_in_the_results(folder, monkeypatch):
    monkeypatch.setattr("__main__.only_here", lambda module: 1, raising=False)
    only_here = sys.modules["__main__"].only_here
    only_here.__module__, only_here.__qualname__ = "__main__", "only_here"
    [result] = corpus.scan([folder / "000.mlirbc"], only_here, workers=1)
    assert isinstance(result.error, AttributeError)


def test_a_program_without_a_guard_is_told_so(folder, tmp_path):
    program = tmp_path / "scan.py"
    program.write_text(
        f"import mlirbc\nlist(mlirbc.corpus.scan([{str(folder)!r}], mlirbc.Module.op_counts, workers=1))\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert done.returncode == 1
    assert "call scan below `if __name__ == '__main__':`" in done.stderr


def test_processes_end_with_the_scan(folder):
    results = corpus.scan([folder], count, workers=2, batch=1)
    assert next(results).value == 34
    assert len(multiprocessing.active_children()) == 2
    results.close()
    assert multiprocessing.active_children() == []


def test_exceptions_of_the_function_are_in_the_results(folder):
    for workers in (None, 1):
        [result] = corpus.scan([folder / "000.mlirbc"], refuse, workers=workers)
        assert result.value is None
        assert "Unpicklable" in repr(result.error)


def test_files_of_folders_patterns_and_paths(folder, tmp_path):
    assert len(list(corpus.files([folder]))) == 90
    assert [path.name for path in corpus.files([folder / "08*.mlirbc", folder / "b/08*.mlirbc"])][:1] == [
        "080.mlirbc"
    ]
    assert len(list(corpus.files([f"{folder}/**/*.mlirbc"]))) == 90
    assert list(corpus.files(["no/such"])) == [Path("no/such")]
    [missing] = corpus.scan(["no/such"], count)
    assert isinstance(missing.error, FileNotFoundError)
    odd = tmp_path / "a[1].mlirbc"
    shutil.copy(folder / "000.mlirbc", odd)
    assert list(corpus.files([odd, odd])) == [odd]


def test_little_is_under_way(folder):
    """The paths are taken as they are needed, so that a corpus may be a stream."""
    taken = 0

    def paths():
        nonlocal taken
        for path in sorted((folder / "b").iterdir()):
            taken += 1
            yield path

    with ThreadPoolExecutor(1) as executor:
        results = corpus.scan(paths(), count, executor=executor, batch=1)
        assert next(results).value == 34
        assert taken < 8
        results.close()


def test_wrong_arguments():
    with pytest.raises(ValueError, match="at least one file, found 0"):
        corpus.scan([], count, batch=0)
    with pytest.raises(ValueError, match="at least one worker"):
        corpus.scan([], count, workers=0)
    with pytest.raises(ValueError, match="found both"), ThreadPoolExecutor(1) as executor:
        corpus.scan([], count, workers=1, executor=executor)
