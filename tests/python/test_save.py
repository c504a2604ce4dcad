"""A save that a signal interrupts leaves the old file, and nothing beside it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import mlirbc
import pytest

DATA = Path(__file__).resolve().parents[1] / "data/bytecode/llvm-22/v6"
SIZE = 256 << 20

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at open files as Linux shows them")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that takes a while to save."""
    folder = tmp_path_factory.mktemp("large")
    weights, model = folder / "weights", folder / "large.mlirbc"
    with weights.open("wb") as file:
        file.truncate(SIZE)
    source = str(DATA / "resources_external.mlirbc")
    replaced = ["--group", "builtin", "--resize", "--replace", f"blob={weights}", "-o", str(model)]
    # In a process of its own, because commands that write files take signals.
    subprocess.run([sys.executable, "-m", "mlirbc", "resources", source, *replaced], check=True)
    return model


def is_writing(process: subprocess.Popen[str], folder: Path) -> bool:
    try:
        for link in Path(f"/proc/{process.pid}/fd").iterdir():
            if os.readlink(link).startswith(f"{folder}/") and link.stat().st_size > 0:
                return True
    except OSError:
        pass
    return False


def interrupted(arguments: list[str], folder: Path, number: signal.Signals) -> tuple[int, str]:
    """Sends the signal while the process writes; returns its status and its output."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True)
    try:
        while process.poll() is None and not is_writing(process, folder):
            time.sleep(0.0005)
        process.send_signal(number)
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, out


@pytest.mark.parametrize(
    ("setup", "number", "status", "said"),
    [
        ("", signal.SIGTERM, -signal.SIGTERM, ""),
        ("", signal.SIGKILL, -signal.SIGKILL, ""),
        ("signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))", signal.SIGTERM, 143, ""),
        ("signal.signal(signal.SIGINT, signal.default_int_handler)", signal.SIGINT, 0, "stopped\n"),
    ],
)
def test_a_signal_leaves_nothing(
    large: Path, tmp_path: Path, setup: str, number: signal.Signals, status: int, said: str
) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"old")
    program = f"""
import mlirbc, signal, sys
{setup}
try:
    mlirbc.open({str(large)!r}).save({str(target)!r})
except KeyboardInterrupt:
    print("stopped")
"""
    assert interrupted(["-c", program], tmp_path, number) == (status, said)
    assert list(tmp_path.iterdir()) == [target]
    assert target.read_bytes() == b"old"


def test_the_command_ends_as_the_signal_says(large: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"old")
    arguments = ["-m", "mlirbc", "convert", str(large), "-o", str(target)]
    assert interrupted(arguments, tmp_path, signal.SIGTERM) == (-signal.SIGTERM, "")
    assert list(tmp_path.iterdir()) == [target]
    assert target.read_bytes() == b"old"


def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("nowhere")
    module = mlirbc.open(DATA / "resources_external.mlirbc")
    with pytest.raises(OSError, match="it is a symbolic link to `nowhere`, which does not exist"):
        module.save(link)
    assert link.is_symlink() and list(tmp_path.iterdir()) == [link]


def test_a_library_takes_no_signals(tmp_path: Path) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)]
    caught = _caught()
    mlirbc.open(DATA / "resources_external.mlirbc").save(tmp_path / "saved")
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)] == before
    assert _caught() & ~(1 << (signal.SIGBUS - 1)) == caught & ~(1 << (signal.SIGBUS - 1))


def _caught() -> int:
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), 16)
