"""The public Rust API is the list in the repository: a changed signature changes the list, or fails here."""

import copy
import os
import re
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import rust_api  # noqa: E402

if sys.platform == "win32":
    pytest.skip("the wrapper of rustdoc is a shell script", allow_module_level=True)
if shutil.which("cargo") is None:
    pytest.skip("needs cargo", allow_module_level=True)

# The functions that a version promises, without the setters of options. A new capability raises the number by
# its functions.
MOST_FUNCTIONS = 501


@cache
def description() -> dict[str, Any]:
    return rust_api.rustdoc_json()


@cache
def api() -> rust_api.Api:
    try:
        return rust_api.Api(description())
    except rust_api.UnknownFormat as error:
        # The workflow runs this file with the compiler of releases, whose format is known.
        if os.environ.get("MLIRBC_REQUIRE_RUST_API"):
            raise
        pytest.skip(str(error))


def test_the_list_is_the_public_api_of_the_sources() -> None:
    expected = rust_api.SNAPSHOT.read_text("utf-8").splitlines()
    added, removed = sorted(set(api().lines) - set(expected)), sorted(set(expected) - set(api().lines))
    assert (added, removed) == ([], []), "run `python3 tools/rust_api.py --write` if the change is meant"


def test_the_api_does_not_grow_unnoticed() -> None:
    assert api().functions <= MOST_FUNCTIONS


def test_each_promised_name_has_one_path() -> None:
    assert api().repeated() == {}


def test_promised_signatures_mention_promised_types() -> None:
    assert api().unpromised() == []


def test_every_promised_item_is_documented() -> None:
    # The page of errors, which a test compares with the table of rules, documents each kind of error.
    documented_by_rules = [path for path in api().undocumented if path.startswith("mlirbc::ErrorKind::")]
    assert api().undocumented == documented_by_rules


def test_options_are_not_exhaustive() -> None:
    options = [line for line in api().lines if re.match(r"struct mlirbc::[\w:]*(Options|Limits)\b", line)]
    assert len(options) >= 14
    assert [line for line in options if "(non-exhaustive)" not in line] == []


def test_another_signature_is_another_list() -> None:
    """The comparison notices a result that changes, a function that is hidden and one that is private."""
    changed = copy.deepcopy(description())
    functions = {
        item["name"]: item
        for item in changed["index"].values()
        if "function" in item["inner"]
        and item["visibility"] == "public"
        and item["name"] in ("decode_all", "upgraded", "is_changed")
    }
    functions["is_changed"]["inner"]["function"]["sig"]["output"] = {"primitive": "u8"}
    functions["decode_all"]["attrs"].append({"other": "#[doc(hidden)]"})
    functions["upgraded"]["visibility"] = "crate"
    before, after = set(api().lines), set(rust_api.Api(changed).lines)
    assert [line for line in after - before if "is_changed" in line and line.endswith("-> u8")]
    assert (
        len([line for line in before - after if re.search(r"::(decode_all|upgraded|is_changed)\(", line)])
        == 3
    )
