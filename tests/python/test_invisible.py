"""Names with characters that reorder text or show nothing, in pages, pieces of HTML, and JSON."""

import json
import unicodedata

import mlirbc
import pytest

RISKY = "\u202e\u2066\u2028\u2029\x1b\x7f\x9b\xad\u200b\ufeff\U000e0001"


@pytest.fixture(scope="module")
def modules():
    """Two modules that differ in a value."""
    name = "".join(f"\\{byte:02X}" for byte in RISKY.encode())
    return [
        mlirbc.parse(
            f'func.func @"f{name}"() attributes {{t.a = "{name}"}} {{\n'
            f'  %0 = arith.constant dense_resource<"r{name}"> : tensor<2xi8>\n'
            f'  %1 = arith.constant {value} : i32 loc("{name}")\n  return\n}}\n'
            f'{{-# dialect_resources: {{ builtin: {{ "r{name}": "0x010000000102" }} }} #-}}'
        )
        for value in (1, 2)
    ]


def check(text, shown="202e"):
    raw = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")}
    assert raw <= {"\n", "\t"}, text
    assert shown in text


def test_pages_and_pieces_of_html(modules):
    before, after = modules
    difference = mlirbc.diff(before, after)
    pages = [mlirbc.explore(before), difference.to_html()]
    for page in pages:
        check(page)
        assert "default-src 'none'" in page and "unsafe" not in page
    check(difference._repr_html_())
    # MLIR's own escapes of strings.
    check(before._repr_html_(), "\\E2\\80\\AE")
    check(before.weights._repr_html_())
    [weight] = [weight for name, weight in before.weights.items() if name.startswith("r")]
    check(weight._repr_html_())


def test_json_says_the_same(modules):
    text = mlirbc.diff(*modules).to_json()
    check(text)
    assert RISKY in json.dumps(json.loads(text), ensure_ascii=False).replace("\\u001b", "\x1b")
