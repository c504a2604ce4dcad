"""Call a function for every file of a corpus, in this process or on the workers of an executor.

>>> for result in mlirbc.corpus.scan(["examples"], mlirbc.Module.op_counts):
...     print(result.path.name, sum(result.value.values()) if result.error is None else result.error)
artifact.mlirbc 5
layout.mlirbc 8
mlp.jax 12
two_layers.mlirbc 34
"""

import contextlib
import glob
import itertools
import multiprocessing
import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from mlirbc import _mlirbc
from mlirbc._logging import logger

__all__ = ["FileResult", "SupportsSubmit", "WorkerLostError", "files", "ray_executor", "scan"]

_Value = TypeVar("_Value")
_Path = str | os.PathLike[str]
_Task = Callable[[_mlirbc.Module], _Value]

_log = logger.getChild("corpus")


class SupportsSubmit(Protocol):
    """The part of an executor that `scan` needs; executors of `concurrent.futures` have it.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> hasattr(ThreadPoolExecutor, "submit")
    True
    """

    def submit(self, function: Callable[..., object], /, *arguments: object) -> "Future[object]":
        """Start a call on a worker; the `result` of the future returns the result of the call, or raises its
        error.
        """
        ...


class WorkerLostError(Exception):
    """The process that read a file ended before the function returned: it crashed, or the system killed it.

    >>> issubclass(mlirbc.corpus.WorkerLostError, mlirbc.Error)
    False
    """


@dataclass(frozen=True, slots=True)
class FileResult(Generic[_Value]):
    """The result of the function for a file, or the exception that was raised.

    >>> [result] = mlirbc.corpus.scan(["README.md"], mlirbc.Module.op_counts)
    >>> result.value, result.error.identifier
    (None, 'mlirbc.invalid.assembly.syntax')
    """

    path: Path
    value: _Value | None
    error: Exception | None
    """The exception of opening the file, or of the function; None if the function returned."""


def files(paths: Iterable[_Path], *, suffixes: tuple[str, ...] | None = None) -> Iterator[Path]:
    """The files that paths, glob patterns and folders name, without repetition.

    A folder stands for the regular files in it, at any depth, that have modules: bytecode, JAX exports, and
    compressed ones with a name such as `model.mlirbc.gz`. With `suffixes` it stands for all files whose names
    end in one of the suffixes. Files are sorted by path; hidden files and folders, and folders behind links,
    are left out. Patterns are as for `glob`, with `**` for any depth. Pipes, sockets and devices that a
    folder or pattern has are left out with a warning in the log. A path that names nothing is returned as it
    is, so that opening it raises `FileNotFoundError`; so is a folder that cannot be read.

    >>> [path.name for path in mlirbc.corpus.files(["examples/*.mlirbc", "examples/layout.mlirbc"])]
    ['artifact.mlirbc', 'layout.mlirbc', 'two_layers.mlirbc']
    """
    seen: set[str] = set()
    for path in paths:
        text = os.fspath(path)
        names: Iterable[str] = [text]
        if os.path.isdir(text):
            names = _files_below(text, suffixes)
        elif glob.has_magic(text) and not os.path.exists(text):
            names = [
                name
                for name in sorted(glob.iglob(text, recursive=True))
                if not os.path.isdir(name) and not _is_special(name)
            ]
        for name in names:
            if name not in seen:
                seen.add(name)
                yield path if name is text and isinstance(path, Path) else Path(name)


def _files_below(folder: str, suffixes: tuple[str, ...] | None) -> Iterator[str]:
    # The command walks folders in the same way.
    inputs, special, unreadable = _mlirbc._inputs_below(folder, suffixes)
    for name in special:
        _leave_out(name)
    yield from map(os.fspath, [*unreadable, *inputs])


def _is_special(name: str) -> bool:
    """Whether a path leads to a pipe, a socket or a device, which is left out."""
    if not os.path.exists(name) or os.path.isfile(name):
        return False
    _leave_out(name)
    return True


def _leave_out(name: "str | os.PathLike[str]") -> None:
    _log.warning("%r is left out: it is not a regular file", os.fspath(name))


def scan(
    paths: Iterable[_Path],
    function: Callable[[_mlirbc.Module], _Value],
    *,
    workers: int | None = None,
    executor: SupportsSubmit | None = None,
    batch: int = 32,
    limits: _mlirbc.Limits | None = None,
    release: str | None = None,
) -> Iterator[FileResult[_Value]]:
    """Open each file, call the function with its module, and yield the results in the order of the files.

    `paths` are as for `files`. The module is closed after the call, so the function must return plain results
    and not handles. Exceptions, of the function too, are in the result of their file and do not end the scan.

    With `workers`, that many processes do the work, `batch` files at a time; a process that dies is replaced,
    and its file has a `WorkerLostError`. The processes import the function, so it belongs in a module, and
    the call below `if __name__ == "__main__":`. With `executor`, the workers belong to a
    `concurrent.futures.Executor`, of `ray_executor()`, or of Dask (`client.get_executor()`); where the
    executor loses a worker, each file of the batch has the exception of the executor. In both cases the
    function and its results must be picklable, unless the workers are threads. Memory is bounded: at most
    some batches for each worker are under way.

    `limits` and `release` are as for `mlirbc.open`. Raises `ValueError` for both `workers` and `executor`,
    and for a batch below 1.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor() as pool:
    ...     results = list(mlirbc.corpus.scan(["examples"], mlirbc.Module.op_counts, executor=pool))
    >>> len(results)
    4
    """
    if batch < 1:
        raise ValueError(f"expected a batch of at least one file, found {batch}")
    if workers is not None and executor is not None:
        raise ValueError("expected workers or an executor, found both")
    if workers is not None and workers < 1:
        raise ValueError(f"expected at least one worker, found {workers}")
    call = _Call(function, limits, release)
    if executor is not None:
        return _on_executor(files(paths), call, executor, batch)
    if workers is not None:
        return _in_processes(files(paths), call, workers, batch)
    return map(call.result, files(paths))


@dataclass(frozen=True, slots=True)
class _Call(Generic[_Value]):
    """The work on one file, which executors send to their workers."""

    function: Callable[[_mlirbc.Module], _Value]
    limits: _mlirbc.Limits | None
    release: str | None

    def result(self, path: Path) -> FileResult[_Value]:
        return FileResult(path, *self.outcome(path))

    def outcome(self, path: "_Path") -> "_Outcome[_Value]":
        try:
            with _mlirbc._open_one_of_many(path, self.limits, self.release) as module:
                return self.function(module), None
        except Exception as error:
            _log.debug("%s: %s", path, error)
            return None, error

    def outcomes(self, batch: list[str]) -> "list[_Outcome[_Value]]":
        """The results of the function for each file, or the exceptions; paths stay where the scan is."""
        return [_transferable(self.outcome(path)) for path in batch]


# The result of the call for one file, and its exception; the exception is None if the function returned.
_Outcome = tuple[_Value | None, Exception | None]


def _transferable(outcome: _Outcome[_Value]) -> _Outcome[_Value]:
    """The outcome with an exception that can be pickled: another would take its whole batch with it."""
    _, error = outcome
    if error is None:
        return outcome
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return None, RuntimeError(f"{type(error).__name__}: {error}")
    return outcome


def _texts(paths: Iterable[Path]) -> list[str]:
    return [os.fspath(path) for path in paths]


def _together(paths: Iterable[Path], outcomes: Iterable[_Outcome[_Value]]) -> list[FileResult[_Value]]:
    return [FileResult(path, *outcome) for path, outcome in zip(paths, outcomes, strict=True)]


# Enough that no worker waits for the next batch, and little enough that results do not pile up.
_BATCHES_UNDER_WAY = 4


def _on_executor(
    paths: Iterator[Path], call: _Call[_Value], executor: SupportsSubmit, batch: int
) -> Iterator[FileResult[_Value]]:
    workers = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
    under_way: deque[tuple[list[Path], Future[object] | Exception]] = deque()
    try:
        batches = _batches(paths, batch)
        for some in itertools.islice(batches, _BATCHES_UNDER_WAY * workers):
            under_way.append((some, _submitted(executor, call.outcomes, _texts(some))))
        while under_way:
            some, future = under_way.popleft()
            yield from _finished(some, future)
            for following in itertools.islice(batches, 1):
                under_way.append((following, _submitted(executor, call.outcomes, _texts(following))))
    finally:
        for _, future in under_way:
            if not isinstance(future, Exception):
                future.cancel()


def _submitted(
    executor: SupportsSubmit, call: Callable[[list[str]], object], some: list[str]
) -> "Future[object] | Exception":
    try:
        return executor.submit(call, some)
    # An executor that is broken or shut down refuses further work.
    except Exception as error:
        return error


def _finished(paths: list[Path], future: "Future[object] | Exception") -> Iterator[FileResult[_Value]]:
    if isinstance(future, Exception):
        yield from (FileResult(path, None, future) for path in paths)
        return
    try:
        outcomes = future.result()
    except Exception as error:
        yield from (FileResult(path, None, error) for path in paths)
        return
    assert isinstance(outcomes, list)
    yield from _together(paths, outcomes)


@dataclass(slots=True)
class _Worker:
    """A process that answers lists of paths with lists of results, and its current work."""

    process: BaseProcess
    connection: Connection
    job: "_Job | None" = None
    is_ready: bool = False
    """Whether it has said that it began: until then it may end for reasons that no file has."""


@dataclass(frozen=True, slots=True)
class _Job:
    """Files that one worker reads: a batch, or one file of a batch that has ended a worker."""

    batch: int
    first: int
    paths: list[Path]


# Pipes and not `ProcessPoolExecutor`, which loses the work of all workers with the first one that ends. It
# also needs semaphores, which containers without a writable /dev/shm do not have.
def _in_processes(
    paths: Iterator[Path], call: _Call[_Value], workers: int, batch: int
) -> Iterator[FileResult[_Value]]:
    jobs = (_Job(number, 0, next_job) for number, next_job in enumerate(_batches(paths, batch)))
    again: deque[_Job] = deque()
    idle: list[_Worker] = []
    busy: dict[Connection, _Worker] = {}
    pickled = bytes(ForkingPickler.dumps(call))
    # By batch: the results in the order of the files, None while they are missing, and the number of missing
    # ones.
    results_by_batch: dict[int, list[FileResult[_Value] | None]] = {}
    missing: dict[int, int] = {}
    following = 0
    try:
        while True:
            while len(busy) < workers:
                if again:
                    job = again.popleft()
                elif len(results_by_batch) < _BATCHES_UNDER_WAY * workers and (next_job := next(jobs, None)):
                    job = next_job
                    results_by_batch[job.batch], missing[job.batch] = [None] * len(job.paths), len(job.paths)
                else:
                    break
                worker = idle.pop() if idle else _started(pickled)
                worker.job = job
                busy[worker.connection] = worker
                with contextlib.suppress(OSError):  # if it has ended, there is no answer either
                    worker.connection.send(_texts(job.paths))
            if missing.get(following) == 0:
                del missing[following]
                yield from (result for result in results_by_batch.pop(following) if result is not None)
                following += 1
                continue
            if not busy:
                return
            ready: list[object] = [*wait(list(busy))]
            for connection in [candidate for candidate in busy if candidate in ready]:
                worker = busy.pop(connection)
                assert worker.job is not None
                job, answer = worker.job, _answer(worker.connection)
                if not worker.is_ready:
                    _check_started(worker, answer)
                    busy[connection] = worker
                    continue
                if answer is not None:
                    idle.append(worker)
                    results: list[FileResult[_Value]] = _read_answer(answer, job)
                else:
                    worker.connection.close()
                    worker.process.join()
                    _log.debug("lost process %s, status %s", worker.process.pid, worker.process.exitcode)
                    if len(job.paths) > 1:
                        _log.warning(
                            "a process ended while it read one of %d files; each is read again alone",
                            len(job.paths),
                        )
                        again.extend(_Job(job.batch, n, [path]) for n, path in enumerate(job.paths))
                        continue
                    [path] = job.paths
                    lost = f"the process that read {path} ended before it returned a result"
                    results = [FileResult(path, None, WorkerLostError(lost))]
                results_by_batch[job.batch][job.first : job.first + len(results)] = results
                missing[job.batch] -= len(results)
    finally:
        for worker in itertools.chain(idle, busy.values()):
            worker.process.kill()
        for worker in itertools.chain(idle, busy.values()):
            worker.process.join()
            worker.connection.close()


def _context() -> SpawnContext | ForkServerContext:
    # `fork` is avoided: it may block a process that has threads, such as one with JAX.
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    return multiprocessing.get_context("forkserver")


def _started(pickled: bytes) -> _Worker:
    ours, theirs = Pipe()
    process = _context().Process(target=_serve, args=(theirs, pickled), daemon=True)
    process.start()
    # Only the worker keeps its end open, so that the connection ends with the worker.
    theirs.close()
    return _Worker(process, ours)


def _check_started(worker: _Worker, answer: bytes | None) -> None:
    if answer is None:
        worker.process.join()
        worker.connection.close()
        raise RuntimeError(
            "a process that reads files ended as it started; call scan below `if __name__ == '__main__':`, "
            "because such a process imports the program"
        )
    _log.debug("started process %s", worker.process.pid)
    worker.is_ready = True


def _serve(connection: Connection, pickled: bytes) -> None:
    """Runs in a worker until its process is ended."""
    # Ctrl-C reaches every process of the terminal; the one that scans ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    call: _Call[object] | Exception
    try:
        call = pickle.loads(pickled)
    # The function is not in a module that this process can import, as one of a notebook.
    except Exception as error:
        call = error
    connection.send_bytes(b"ready")
    while True:
        try:
            paths: list[str] = connection.recv()
        except EOFError:
            return
        outcomes: list[_Outcome[object]]
        outcomes = [(None, call) for _ in paths] if isinstance(call, Exception) else call.outcomes(paths)
        try:
            answer = ForkingPickler.dumps(outcomes)
        except Exception:
            answer = ForkingPickler.dumps([_picklable(outcome) for outcome in outcomes])
        connection.send_bytes(answer)


def _picklable(outcome: _Outcome[object]) -> _Outcome[object]:
    try:
        ForkingPickler.dumps(outcome)
    except Exception as error:
        return None, TypeError(f"the value of the function cannot be pickled: {error}")
    return outcome


def _answer(connection: Connection) -> bytes | None:
    """The pickled results; None if the process has ended."""
    try:
        return connection.recv_bytes()
    except (EOFError, OSError):
        return None


def _read_answer(answer: bytes, job: _Job) -> list[FileResult[_Value]]:
    try:
        outcomes = pickle.loads(answer)
    except Exception as error:
        return [FileResult(path, None, error) for path in job.paths]
    assert isinstance(outcomes, list)
    return _together(job.paths, outcomes)


def _batches(paths: Iterator[Path], size: int) -> Iterator[list[Path]]:
    while some := list(itertools.islice(paths, size)):
        yield some


class _RayExecutor:
    def submit(self, function: Callable[..., object], /, *arguments: object) -> "Future[object]":
        import ray

        future: Future[object] = ray.remote(_called).remote(function, *arguments).future()
        return future


def _called(function: Callable[..., _Value], *arguments: object) -> _Value:
    # Ray makes tasks of functions only, not of bound methods.
    return function(*arguments)


def ray_executor() -> SupportsSubmit:
    """An executor whose calls are tasks of Ray; `ray.init` decides where they run.

    A task whose worker dies is tried again as often as Ray is configured to; then its files have Ray's
    exception.
    Raises `ImportError` when Ray is not installed, and `RuntimeError` when it is not running.

    >>> mlirbc.corpus.ray_executor()
    Traceback (most recent call last):
        ...
    RuntimeError: Ray is not running; call ray.init() first
    """
    try:
        import ray
    except ImportError as error:
        raise ImportError("scanning on Ray needs the package ray: pip install ray") from error
    if not ray.is_initialized():
        raise RuntimeError("Ray is not running; call ray.init() first")
    return _RayExecutor()
