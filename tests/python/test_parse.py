"""Modules are parsed from their text."""

import signal
import subprocess
import sys
import time

import mlirbc
import pytest

TEXT = """
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
"""


def test_a_text_becomes_a_module() -> None:
    module = mlirbc.parse(TEXT)
    assert [op.name for op in module.body] == ["func.func"]
    [function] = module.body
    assert [op.name for op in function.regions[0].blocks[0].operations] == ["arith.addi", "func.return"]


def test_the_target_decides_the_release() -> None:
    assert "19" in str(mlirbc.parse(TEXT, target="llvm-19").release.name)
    assert [op.name for op in mlirbc.Module.parse(TEXT, target="llvm-19").body] == ["func.func"]


def test_bytes_need_not_be_utf8() -> None:
    module = mlirbc.parse(b'"test.op"() {a = "\xff"} : () -> ()')
    [op] = module.body
    assert op.attributes["a"].value == "\udcff"  # as `os.fsdecode` does
    with pytest.raises(TypeError):
        mlirbc.parse(1)  # type: ignore[arg-type]


def test_an_error_has_its_place() -> None:
    with pytest.raises(mlirbc.InvalidError, match=r"llvm-22 has no operation `arith.adid`, at a.mlir:1:6"):
        mlirbc.parse("%0 = arith.adid %1, %1 : i32", file="a.mlir")


def test_the_first_error_has_the_others() -> None:
    text = "%0 = arith.adid %a, %a : i32\n%1 = arith.addi %0 : i32\nfunc.func private @f(indx)"
    with pytest.raises(mlirbc.Error) as raised:
        mlirbc.parse(text)
    error = raised.value
    assert error.hint == "did you mean `arith.addi`?"
    assert [further.identifier for further in error.errors] == [
        "mlirbc.invalid.assembly.syntax",
        "mlirbc.invalid.assembly.syntax",
    ]
    explained = "`mlirbc explain arith.addi` shows how the operation is written"
    assert [further.hint for further in error.errors] == [explained, "did you mean `index`?"]
    assert all(further.errors == () for further in error.errors)


def test_the_text_has_to_be_a_text() -> None:
    with pytest.raises(TypeError, match=r"^the text of a module is a `str` or `bytes`, not `int`"):
        mlirbc.parse(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (bytes(mlirbc.parse("").write()), "this is MLIR bytecode, not text"),
        (b"\x7fELF\0", "this is a binary file, not text"),
    ],
)
def test_files_that_are_not_texts_are_named(data: bytes, message: str) -> None:
    with pytest.raises(mlirbc.InvalidError, match=message):
        mlirbc.parse(data)


def test_long_names_do_not_hide_a_message() -> None:
    with pytest.raises(mlirbc.InvalidError) as raised:
        mlirbc.parse("%0 = " + "a" * 1_000_000)
    assert len(str(raised.value)) < 1000


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as on Unix")
def test_parsing_is_interrupted() -> None:
    program = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import mlirbc
line = '"t.a"() {a = 1 : i32} : () -> ()' + chr(10)
text = line * 1_000_000
print("ready", flush=True)
try:
    while True:
        mlirbc.parse(text, limits=mlirbc.Limits(max_memory=1 << 34))
except KeyboardInterrupt:
    print("stopped")
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    try:
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out) == (0, "stopped\n")
