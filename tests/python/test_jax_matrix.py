"""`check --target jax-X` foretells the behaviour of the release: 17 releases read the exports of 15."""

from pathlib import Path

import mlirbc
import pytest

from artifacts import matrix

DATA = Path(__file__).parents[1] / "data" / "containers"
ARCHIVE = DATA.parent / "jax_matrix.tar.xz"


def test_every_answer_is_that_of_the_release(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = matrix.compare(ARCHIVE, is_verbose=False)
    assert wrong == []
    # An empty table would have no wrong answer.
    assert "4488 answers of 17 releases of JAX, 0 differ" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("0.10.0", "its compiler does not take #vhlo.replica_group_mesh_axes_v1"),
        ("0.10.2", None),
        ("0.12", None),
        ("0.9.2", "it reads VHLO up to 1.14.0, and #vhlo.axis_ref_v1 needs 1.16.0"),
    ],
)
def test_features_that_a_compiler_refuses_are_reasons(version: str, reason: str | None) -> None:
    files = matrix.unpack(ARCHIVE)
    reader = mlirbc.open_artifact(files["0.11.0/manual.jax"]).jax_reader(version)
    assert reader.reasons == ((reason,) if reason else ())


def test_custom_calls_of_some_releases_are_reasons() -> None:
    files = matrix.unpack(ARCHIVE)
    old = mlirbc.open_artifact(files["0.5.0/linear_algebra.jax"])
    assert old.jax_reader("0.5.3").calls
    assert old.jax_reader("0.6.0").reasons == (
        "it does not implement the custom call `lapack_spotrf` for the CPU",
    )


def test_exports_before_the_window_are_refused() -> None:
    files = matrix.unpack(ARCHIVE)
    why = {
        version: mlirbc.open_artifact(files[f"{version}/sharded.jax"]).jax_reader("0.12.0")
        for version in ("0.8.0", "0.8.3", "0.9.0")
    }
    assert [len(reader.reasons) for reader in why.values()] == [1, 1, 0]
    assert "nr_devices_short" in why["0.8.0"].reasons[0]
    assert "protocol buffers of HLO" in why["0.8.3"].reasons[0]


def test_a_derivative_is_called_too() -> None:
    artifact = mlirbc.open_artifact(DATA / "newer_derivative.jax")
    assert artifact.jax_reader("0.10.2").reasons == (
        "module `vjp`: it reads VHLO up to 1.17.0, and vhlo.custom_call_v2 needs 1.18.0",
    )
    assert artifact.jax_reader("0.11.0").calls


def test_versions_of_kernels_are_notes() -> None:
    artifact = mlirbc.open_artifact(DATA / "tpu_kernel.jax")
    (note,) = artifact.jax_reader("0.9.0").notes
    assert note.startswith(
        "kernel `main/kernels/blocked_dot` has version 11 of Mosaic TPU, and the release takes up to 9"
    )
    assert artifact.jax_reader("0.9.0").calls
    assert artifact.jax_reader("0.10.2").notes == ()
