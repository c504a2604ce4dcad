"""Contexts, locations and insertion points of `mlirbc.mlir.ir`."""

import gc
import subprocess
import sys
import threading
from pathlib import Path
from typing import TypeVar

import mlirbc
import pytest
from mlirbc.mlir import _context, ir

T = TypeVar("T")
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _no_context() -> None:
    """Other tests of the process may have left a context open."""
    _context._thread.frames.clear()
    _context._thread.last = None


def noted(items: list[T], item: T) -> bool:
    items.append(item)
    return True


def test_nested_contexts_are_current_in_turn() -> None:
    assert ir.Context.current is None
    with ir.Context() as outer:
        with ir.Context() as inner:
            assert ir.Context.current is inner
        assert ir.Context.current is outer
    assert ir.Context.current is None


def test_another_context_hides_location_and_insertion_point() -> None:
    context = ir.Context()
    with ir.Location.name("here", context=context) as here:
        module = ir.Module.create()
        with ir.InsertionPoint(module.body) as point:
            assert ir.Location.current is here and ir.InsertionPoint.current is point
            with ir.Context():
                assert ir.Location.current is None
                with pytest.raises(ValueError, match="No current InsertionPoint"):
                    _ = ir.InsertionPoint.current
            with context:
                assert ir.InsertionPoint.current is point


def test_threads_have_stacks_of_their_own() -> None:
    seen: list[ir.Context | None] = []
    with ir.Context():
        thread = threading.Thread(target=lambda: seen.append(ir.Context.current))
        thread.start()
        thread.join()
    assert seen == [None]


def test_a_call_without_a_context_says_what_is_missing() -> None:
    with pytest.raises(RuntimeError, match="requires a Context"):
        ir.Module.parse("module {}")
    with ir.Context(), pytest.raises(RuntimeError, match="requires a Location"):
        ir.Module.create()


def test_contexts_and_modules_are_freed() -> None:
    before = ir.Context._get_live_count()
    context = ir.Context()
    module = ir.Module.parse("module {}", context)
    assert (ir.Context._get_live_count(), context._get_live_module_count()) == (before + 1, 1)
    del context, module
    gc.collect()
    assert ir.Context._get_live_count() == before


def test_operations_are_registered_if_a_release_has_them() -> None:
    context = ir.Context()
    assert context.is_registered_operation("cf.cond_br")
    assert not context.is_registered_operation("func.not_existing")
    with pytest.raises(ValueError, match="not_existing"):
        context.get_dialect_descriptor("not_existing")


def test_the_newest_handler_is_asked_first() -> None:
    context = ir.Context()
    calls: list[str] = []
    context.attach_diagnostic_handler(lambda info: noted(calls, f"old {info}"))
    handler = context.attach_diagnostic_handler(lambda info: not noted(calls, f"new {info}"))
    ir.Location.unknown(context).emit_error("too deep")
    assert calls == ["new too deep", "old too deep"]
    handler.detach()
    ir.Location.unknown(context).emit_error("again")
    assert calls[2:] == ["old again"] and not handler.attached


def test_a_diagnostic_ends_with_its_handler() -> None:
    context = ir.Context()
    diagnostics: list[ir.Diagnostic] = []
    with context.attach_diagnostic_handler(lambda info: noted(diagnostics, info)):
        ir.Location.unknown(context).emit_error("too deep")
    assert str(diagnostics[0]) == "<Invalid Diagnostic>"
    with pytest.raises(ValueError, match="outside of callback"):
        _ = diagnostics[0].message


def test_an_exception_of_a_handler_is_noted() -> None:
    context = ir.Context()

    def fail(info: ir.Diagnostic) -> bool:
        raise KeyError(str(info))

    handler = context.attach_diagnostic_handler(fail)
    ir.Location.unknown(context).emit_error("too deep")
    assert handler.had_error


def test_errors_have_diagnostics_unless_a_handler_gets_them() -> None:
    context = ir.Context()
    messages: list[str] = []
    context.attach_diagnostic_handler(lambda info: noted(messages, info.message))
    with pytest.raises(ir.MLIRError) as raised:
        ir.Attribute.parse("not an attr", context)
    assert [str(info) for info in raised.value.error_diagnostics] == ["expected attribute value"]
    assert messages == []
    context.emit_error_diagnostics = True
    with pytest.raises(ir.MLIRError) as raised:
        ir.Attribute.parse("not an attr", context)
    assert raised.value.error_diagnostics == [] and messages == ["expected attribute value"]


def test_errors_of_mlirbc_stay_as_they_are_without_a_context() -> None:
    with pytest.raises(mlirbc.InvalidError, match="expected an attribute, found `not`"):
        mlirbc.Attribute.parse("not an attr")


def test_what_needs_mlir_says_which_package_has_it() -> None:
    from mlirbc.mlir.passmanager import PassManager

    with pytest.raises(mlirbc.UnsupportedError, match=r"pass manager needs .*jaxlib"):
        PassManager.parse("builtin.module(cse)")
    with ir.Context() as context, pytest.raises(mlirbc.UnsupportedError, match="capsule"):
        _ = context._CAPIPtr


def test_locations_come_from_the_call_stack() -> None:
    def make() -> ir.Operation:
        return ir.Operation.create("test.op")

    with ir.Context(), ir.loc_tracebacks(max_depth=2):
        location = make().location
    assert isinstance(location, ir.CallSiteLoc) and isinstance(location.callee, ir.NameLoc)
    assert location.callee.name_str.endswith("<locals>.make")
    place = location.callee.child_loc
    assert isinstance(place, ir.FileLineColLoc) and place.filename == __file__
    # As in MLIR's tests: columns count from 0, and the end is behind the last character.
    assert (place.start_col, place.end_col) == (15, 45)


def test_modules_are_for_the_release_of_an_imported_pack() -> None:
    program = """
import mlirbc
from mlirbc.mlir import ir

mlirbc.dialects.load("tests/data/packs/toy.mlirpack")
from mlirbc.mlir.dialects import func, toy

with ir.Context() as context, ir.Location.unknown():
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        ir.Operation.create("toy.odd")
        region = ir.Operation.create("toy.region", regions=1)
        with ir.InsertionPoint(region.regions[0].blocks.append()):
            ir.Operation.create("toy.done")
    print(context.release, "toy.region {" in str(module))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=False, timeout=60, text=True
    )
    assert done.stdout == "toy-1 True\n", done.stderr
