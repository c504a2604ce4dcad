"""Work that may bring the process down, done in processes that may go down."""

import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def results_of(items: Sequence[Item], work: Callable[[Item], Result]) -> Iterator[tuple[Item, Result | None]]:
    """The result for each item, or nothing if the process did not survive it."""
    done = 0
    while done < len(items):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            with os.fdopen(writer, "wb") as pipe:
                _work(items[done:], work, pipe)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as results:
            while True:
                try:
                    result: Result = pickle.load(results)
                except (EOFError, pickle.UnpicklingError):
                    break
                yield items[done], result
                done += 1
        os.waitpid(child, 0)
        if done < len(items):
            yield items[done], None
            done += 1


def _work(items: Sequence[Item], work: Callable[[Item], Result], pipe: BinaryIO) -> None:
    for item in items:
        try:
            result = work(item)
        except BaseException as error:
            os.write(2, f"{item}: {error!r}\n".encode())
            os._exit(1)
        pickle.dump(result, pipe)
        pipe.flush()
