"""Configuration of the documentation site; `scripts/docs` builds it."""

import re
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import python_reference  # noqa: E402
from pygments.lexers.rust import RustLexer  # noqa: E402
from pygments.lexers.special import TextLexer  # noqa: E402

project = "mlirbc"
author = "the mlirbc authors"
package = tomllib.loads((HERE.parent / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]
version = release = package["version"]
# Without an owner, the repository has no address, and nothing links to it.
repository = None if "/OWNER/" in package["repository"] else package["repository"]

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# Pages of the repository that the site does not have: links to them stay text.
exclude_patterns = ["_build", "_ext", "_static"]
nitpicky = True
# Hypothesis publishes no inventory under the name that its users import it by.
nitpick_ignore = [("py:class", "DuckDBPyConnection"), ("py:class", "st.SearchStrategy")]
default_role = "code"
add_module_names = False
python_maximum_signature_line_length = 90
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"mlirbc {release}"
html_theme_options = (
    {"source_repository": repository, "source_branch": f"v{release}", "source_directory": "docs/"}
    if repository
    else {}
)
html_static_path = ["_static"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False


def drop_foreign_references(app, env, node, contnode):
    """Leaves names of the standard library in signatures as text; other unknown names are warnings."""
    if node.get("refdomain") == "py" and python_reference.is_foreign(node["reftarget"]):
        return contnode
    return None


def show_changelog(app, docname, source):
    """Puts the changelog in place of the page that names it, with links as seen from this folder."""
    if docname == "changelog":
        text = (HERE.parent / "CHANGELOG.md").read_text("utf-8")
        source[0] = re.sub(r"\]\((?![a-z]+:|#)([^)\s]+)\)", r"](../\1)", text).replace("](../docs/", "](")


def repository_links(app, docname, source):
    """Turns links to files that the site does not have into links to the repository, or into their path."""

    def replace(match):
        target = (HERE / Path(docname).parent / match[2].split("#")[0]).resolve()
        if HERE in target.parents or not target.is_relative_to(HERE.parent):
            return match[0]
        path = target.relative_to(HERE.parent).as_posix()
        text = match[1].strip("`")
        if repository:
            return f"[{match[1]}]({repository}/blob/v{release}/{path})"
        return f"`{path}`" if text == path else f"{match[1]} (`{path}`)"

    source[0] = re.sub(r"\[([^\]\n]+)\]\((\.\./[^)\s]+)\)", replace, source[0])


def write_pages(app):
    python_reference.Writer().write()


def setup(app):
    app.add_lexer("rust,no_run", RustLexer)
    # Pygments has no lexer for it.
    app.add_lexer("mlir", TextLexer)
    app.connect("builder-inited", write_pages)
    app.connect("source-read", show_changelog)
    app.connect("source-read", repository_links)
    app.connect("missing-reference", drop_foreign_references)
    return {"parallel_read_safe": True}
