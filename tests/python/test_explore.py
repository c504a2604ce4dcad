"""The page of `mlirbc explore` in a real browser, and the output in notebooks."""

import os
import re
import warnings
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import mlirbc
import pytest

from support import browser

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "two_layers.mlirbc"
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "<!--<script>",
    "\u2028javascript:alert(3)",
    "__proto__",
    'a\nb\\"c',
]


def module_of(symbols: list[str]) -> mlirbc.Module:
    """A function for each name, which the last one refers to."""
    lines = []
    for name in symbols:
        quoted = "".join(
            chr(byte) if byte < 128 and chr(byte).isalnum() else f"\\{byte:02X}" for byte in name.encode()
        )
        lines.append(f'"t.symbol"() {{sym_name = "{quoted}"}} : () -> ()')
        lines.append(f'"t.use"() {{where = [@"{quoted}"]}} : () -> ()')
    edited = mlirbc.parse("\n".join(lines))
    return mlirbc.read(edited.write())


@pytest.fixture(scope="module")
def page() -> Iterator[browser.Page]:
    program = browser.executable()
    if program is None:
        if os.environ.get("MLIRBC_REQUIRE_BROWSER"):
            pytest.fail("no Chromium on this machine")
        pytest.skip("no Chromium on this machine; MLIRBC_CHROMIUM names one")
    with browser.opened(program) as opened:
        opened.size(1400, 900)
        yield opened


def show(page: browser.Page, folder: Path, text: str) -> None:
    path = folder / "page.html"
    path.write_text(text, encoding="utf-8")
    page.problems.clear()
    page.open(path)


def test_a_click_on_a_use_goes_to_the_definition(page: browser.Page, tmp_path: Path) -> None:
    show(page, tmp_path, mlirbc.explore(EXAMPLE))
    assert page.run("document.querySelectorAll('#code .row').length") > 20
    page.run("[...document.querySelectorAll('#code .v')].filter(e => e.textContent === '%dim')[1].click()")
    page.wait("document.querySelector('#code .row.on')")
    assert page.run("document.querySelector('#code .row.on').textContent").split()[1:4] == [
        "%dim",
        "=",
        "tensor.dim",
    ]
    assert page.run("document.querySelectorAll('#code .v.same').length") == 2
    assert "used in line" in page.run("document.querySelector('#detail').textContent")
    page.run("history.back()")
    assert page.problems == []


def test_a_click_on_a_reference_goes_to_the_symbol(page: browser.Page, tmp_path: Path) -> None:
    show(page, tmp_path, mlirbc.explore(EXAMPLE))
    page.run("[...document.querySelectorAll('#code .s')].filter(e => e.textContent === '@dense')[1].click()")
    page.wait("location.hash === '#L2'")
    assert page.problems == []


def test_types_and_locations_are_below_the_pointer(page: browser.Page, tmp_path: Path) -> None:
    show(page, tmp_path, mlirbc.explore(EXAMPLE))
    page.move("#code .row:nth-child(7) .v")
    page.wait("!document.querySelector('#tip').hidden")
    assert "%dim_0 : index" in page.run("document.querySelector('#tip').textContent")
    page.move("#code .row:nth-child(7) .o")
    page.wait("document.querySelector('#tip').textContent.includes('loc(')")
    assert page.problems == []


def test_search_finds_symbols_and_lines(page: browser.Page, tmp_path: Path) -> None:
    show(page, tmp_path, mlirbc.explore(EXAMPLE))
    page.click("#search")
    page.type("dense")
    page.wait("document.querySelector('#sidehead').textContent.includes('result')")
    rows = page.run("[...document.querySelectorAll('#list .row')].map(e => e.textContent)")
    assert rows[0].startswith("dense")
    assert any("call @dense" in row for row in rows)
    page.run("[...document.querySelectorAll('#list .hit')].find(e => e.textContent.includes('call')).click()")
    page.wait("document.querySelector('#code .row.on').textContent.includes('call @dense')")
    assert page.problems == []


def test_every_pane_shows_its_picture(page: browser.Page, tmp_path: Path) -> None:
    show(page, tmp_path, mlirbc.explore(EXAMPLE))
    page.click("#tab-flow")
    assert page.run("document.querySelectorAll('#flow .node').length") == 8
    page.run("[...document.querySelectorAll('#flow button')].find(e => e.textContent === 'unfold').click()")
    assert page.run("document.querySelectorAll('#flow .node').length") == 13
    assert page.run("document.querySelectorAll('#flow .box').length") == 1
    page.run("[...document.querySelectorAll('#flow button')].find(e => e.textContent === 'fold').click()")
    assert page.run("document.querySelectorAll('#flow .node').length") == 8
    page.click("#tab-graph")
    titles = page.run("[...document.querySelectorAll('#graph .node title')].map(e => e.textContent)")
    assert titles == ["@main", "@dense"]
    page.click("#tab-sizes")
    assert page.run("document.querySelectorAll('#sizes rect').length") > 10
    page.click("#tab-data")
    assert page.run("document.querySelectorAll('#data tr').length") == 5
    assert page.run("document.querySelectorAll('#data svg rect').length") == 4 * 32
    assert page.problems == []


def test_names_of_a_file_are_text(page: browser.Page, tmp_path: Path) -> None:
    module = module_of(HOSTILE)
    show(page, tmp_path, mlirbc.explore(module, name=HOSTILE[1]))
    names = page.run("[...document.querySelectorAll('#list .row .s')].map(e => e.textContent)")
    # No page has a character that ends lines or reverses text.
    assert names == [name.replace("\u2028", "\\u{2028}") for name in HOSTILE]
    for tab in ("flow", "graph", "sizes", "data", "text"):
        page.click(f"#tab-{tab}")
    page.click("#search")
    page.type("<img")
    page.wait("document.querySelectorAll('#list mark').length > 0")
    assert page.run("document.querySelectorAll('img').length") == 0
    # Nothing ran, and nothing was asked for.
    assert page.problems == []
    # The page itself forbids scripts that it does not contain.
    page.run(
        "document.head.appendChild(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))"
    )
    assert page.run("window.ran") is None


def test_a_hundred_thousand_operations_open_in_two_seconds(page: browser.Page, tmp_path: Path) -> None:
    lines = []
    for number in range(100):
        lines += [f"func.func @f{number}(%a: i32) -> i32 {{"]
        lines += [
            f"  %v{place} = arith.addi %{f'v{place - 1}' if place else 'a'}, %a : i32"
            for place in range(1000)
        ]
        lines += ["  return %v999 : i32", "}"]
    module = mlirbc.read(mlirbc.parse("\n".join(lines)).write())
    show(page, tmp_path, mlirbc.explore(module))
    first = page.run("+document.documentElement.dataset.ready")
    assert first < 2000
    page.run("location.hash = '#L100000'")
    page.wait("document.querySelector('#code .row.on')")
    assert page.run("document.querySelector('#code .row.on .no').textContent") == "100000"
    assert page.problems == []


def test_what_is_left_out_is_a_warning_and_in_the_page() -> None:
    with pytest.warns(UserWarning, match="limit for this page"):
        page = mlirbc.explore(EXAMPLE, max_assembly=300)
    assert "limit for this page" in page
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mlirbc.explore(EXAMPLE)


class Checker(HTMLParser):
    """Collects elements that a notebook would remove, or run."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in {"div", "style", "p", "pre", "b", "span", "svg", "rect"}, tag
        assert not any(name.startswith("on") or name in {"href", "src"} for name, _ in attrs)
        if tag != "rect":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "rect":
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


def seen(html: str) -> str:
    checker = Checker()
    checker.feed(html)
    assert checker.open == []
    return checker.text


def test_notebooks_show_text_in_colours() -> None:
    module = mlirbc.open(EXAMPLE)
    assert "func.func @main" in seen(module._repr_html_())
    assert seen(module._repr_html_()).startswith("mlirbc.Module version 6")
    loop = module.body.operations[0]
    assert "scf.for" in seen(loop._repr_html_())
    value = mlirbc.Attribute.parse('"<b>"')
    assert seen(value._repr_html_()) == 'StringAttr"<b>"'
    assert seen(mlirbc.Type.parse("tensor<4xf32>")._repr_html_()) == "RankedTensorTypetensor<4xf32>"
    for shown in (module.resources["layer0.weight"], module.weights["layer0.weight"]):
        html = shown._repr_html_()
        assert "mean 0.2083" in seen(html)
        assert html.count("<rect") == 5
    assert "note" in seen(module.resources["note"]._repr_html_())


def test_notebooks_show_the_beginning_of_large_modules() -> None:
    module = module_of([f"s{number}" for number in range(5000)])
    text = seen(module._repr_html_())
    assert "the rest is not shown" in text
    assert text.count("\n") < 70


def test_names_in_notebooks_are_text() -> None:
    html = module_of(HOSTILE)._repr_html_()
    assert HOSTILE[0] in seen(html)
    assert re.search(r"<(img|script)", html) is None


def test_a_location_that_is_endless_as_text_is_cut() -> None:
    lines = ['#l0 = loc("a":1:1)']
    lines += [f"#l{number + 1} = loc(callsite(#l{number} at #l{number}))" for number in range(60)]
    module = mlirbc.read(mlirbc.parse("\n".join([*lines, '"t.a"() : () -> () loc(#l60)'])).write())
    assert len(mlirbc.explore(module)) < 100_000
