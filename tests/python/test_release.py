"""A release can be made from the repository: crates, their order, their pages and their files."""

import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CRATES = ROOT / "scripts/release/crates"

if sys.platform == "win32":
    pytest.skip("the scripts of a release run on Linux and macOS", allow_module_level=True)
if shutil.which("cargo") is None:
    pytest.skip("needs cargo", allow_module_level=True)


def output_of(*command: str | Path) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def published() -> dict[str, dict[str, Any]]:
    command = ["cargo", "metadata", "--no-deps", "--locked", "--offline", "--format-version", "1"]
    packages = json.loads(output_of(*command))["packages"]
    return {package["name"]: package for package in packages if package["publish"] != []}


def test_each_crate_is_published_after_its_dependencies() -> None:
    order = output_of(sys.executable, CRATES, "list").split()
    assert sorted(order) == sorted(published())
    for name, package in published().items():
        for dependency in package["dependencies"]:
            if dependency["kind"] != "dev" and "path" in dependency:
                assert order.index(dependency["name"]) < order.index(name)


def test_an_unpublished_dependency_is_reported(tmp_path: Path) -> None:
    """A crate that becomes `publish = false` while another one needs it stops the release."""
    for path in ("Cargo.toml", "Cargo.lock", "scripts", "rust", "fuzz"):
        source = ROOT / path
        if source.is_dir():
            shutil.copytree(source, tmp_path / path, ignore=shutil.ignore_patterns("data", "regressions"))
        else:
            shutil.copy(source, tmp_path / path)
    manifest = tmp_path / "rust/mlirbc-smith/Cargo.toml"
    manifest.write_text(
        manifest.read_text("utf-8").replace("[package]\n", "[package]\npublish = false\n"), "utf-8"
    )
    command = [sys.executable, tmp_path / "scripts/release/crates", "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "mlirbc-cli needs mlirbc-smith, which is never published" in done.stderr


def test_only_the_script_knows_the_order() -> None:
    workflow = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    page = (ROOT / "RELEASE.md").read_text("utf-8")
    assert "scripts/release/crates dry-run" in workflow and "scripts/release/crates publish" in workflow
    assert "cargo publish" not in workflow + page
    for name in published():
        assert not re.search(rf"\bpublish\b.*-p {name}\b", workflow)
        assert f"`{name}`" not in page


@pytest.mark.parametrize("name", published())
def test_packages_carry_their_licence_and_page_and_no_tests(name: str) -> None:
    command = ["cargo", "package", "--locked", "--offline", "--allow-dirty", "--list", "-p", name]
    files = output_of(*command).splitlines()
    assert {"LICENSE", "NOTICE", "README.md", "Cargo.lock"} <= set(files)
    assert not [file for file in files if file.startswith(("tests/", "proptest-regressions/"))]
    for file in ("LICENSE", "NOTICE"):
        assert (ROOT / "rust" / name / file).read_bytes() == (ROOT / file).read_bytes()


@pytest.mark.parametrize("name", published())
def test_crates_say_where_they_come_from(name: str) -> None:
    package = published()[name]
    for field in ("description", "documentation", "homepage", "license", "readme", "repository"):
        assert package[field], field
    assert package["categories"] and package["keywords"] and package["authors"]
    assert package["metadata"]["docs"]["rs"] == {"all-features": True, "rustdoc-args": ["--cfg", "docsrs"]}
    assert "cfg_attr(docsrs, feature(doc_cfg))" in (ROOT / "rust" / name / "src/lib.rs").read_text("utf-8")


def test_the_page_of_the_registries_is_the_readme() -> None:
    output_of(sys.executable, ROOT / "scripts/release/readme", "--check")


def test_the_page_of_the_registries_links_to_files_that_are_there() -> None:
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]
    text = (ROOT / "rust/mlirbc/README.md").read_text("utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset|href)="([^"]+)"', text)
    assert len(links) >= 10
    bases = [
        f"{workspace['repository']}/blob/v{workspace['version']}/",
        workspace["repository"].replace("//github.com", "//raw.githubusercontent.com")
        + f"/v{workspace['version']}/",
    ]
    for link in links:
        assert link.startswith(("https://", "#")), f"{link} leads nowhere on another page"
        for base in bases:
            if link.startswith(base):
                assert (ROOT / link.removeprefix(base).partition("#")[0]).exists(), link


# Licences of linked crates.


def test_notices_and_bill_of_materials_are_those_of_the_lock_file() -> None:
    fetched = subprocess.run(
        ["cargo", "fetch", "--locked", "--offline"], cwd=ROOT, capture_output=True, check=False
    )
    if fetched.returncode:
        pytest.skip("needs the packages of all platforms: cargo fetch --locked")
    output_of(sys.executable, ROOT / "scripts/release/third-party", "--check")


def test_a_licence_is_acceptable_in_both_places_or_in_none() -> None:
    """`cargo deny` and the notices go by one list of licences."""
    script = runpy.run_path(str(ROOT / "scripts/release/third-party"))
    allowed = tomllib.loads((ROOT / "deny.toml").read_text("utf-8"))["licenses"]["allow"]
    assert sorted(script["PREFERRED"]) == sorted(allowed)


def test_every_crate_of_the_bill_is_named_in_the_notices_and_locked() -> None:
    bill = json.loads((ROOT / "mlirbc.cdx.json").read_text("utf-8"))
    notices = (ROOT / "THIRD-PARTY.txt").read_text("utf-8")
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text("utf-8"))["package"]
    locked = {(package["name"], package["version"]): package.get("checksum") for package in lock}
    names = {component["bom-ref"] for component in bill["components"]}
    assert len(names) == len(bill["components"]) > 80
    for component in bill["components"]:
        checksum = locked[component["name"], component["version"]]
        if checksum:
            assert component["hashes"] == [{"alg": "SHA-256", "content": checksum}]
            assert f"\n{component['name']} {component['version']} " in notices
    for entry in bill["dependencies"]:
        assert set(entry["dependsOn"]) <= names
    assert not re.search(r"file:|/home/|/root/|/work/|registry/src", json.dumps(bill) + notices)


def test_a_licence_text_is_that_of_the_crate(tmp_path: Path) -> None:
    """The MIT licence needs the copyright line of each crate; of several licences, one is chosen."""
    script = runpy.run_path(str(ROOT / "scripts/release/third-party"))
    crate = {"name": "a", "version": "1.0.0", "manifest_path": str(tmp_path / "Cargo.toml"), "license": "MIT"}
    (tmp_path / "LICENSE").write_text("MIT\n\nCopyright (c) A  \n", "utf-8")
    assert script["text_of"](crate, "MIT") == "MIT\n\nCopyright (c) A\n"
    for expression, expected in [
        ("MIT OR Apache-2.0", ["Apache-2.0"]),
        ("MIT/Apache-2.0", ["Apache-2.0"]),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", ["Apache-2.0", "Unicode-3.0"]),
        ("Unlicense OR MIT", ["MIT"]),
    ]:
        assert script["licences"]({**crate, "license": expression}) == expected
    with pytest.raises(SystemExit, match=r"no licence of `GPL-3\.0` is in PREFERRED"):
        script["licences"]({**crate, "license": "GPL-3.0"})
    (tmp_path / "LICENSE").unlink()
    with pytest.raises(SystemExit, match="has no file with the text of MIT"):
        script["text_of"](crate, "MIT")


# Projects outside LLVM's repository that define dialects in the tables of releases.
PROJECT_DIALECTS = {
    "StableHLO": "stablehlo chlo vhlo",
    "XLA": "mhlo",
    "Shardy": "sdy mpmd",
    "JAX": "tpu mosaic_gpu thunky",
    "Triton": "tt",
    "IREE": "check flow hal hal_inline hal_loader io_parameters iree_codegen iree_encoding iree_gpu "
    "iree_input iree_linalg_ext iree_tensor_ext iree_vector_ext pcf stream util vm vmvx",
    "CIRCT": "aig arc comb dbg emit esi fsm handshake hw hwarith kanagawa ltl msft om pipeline rtg rtgtest "
    "seq sim sv synth verif",
    "Torch-MLIR": "tm_tensor torch torch_c",
}


def test_the_notice_names_the_project_of_each_dialect() -> None:
    """Some licences, such as the licence of Triton's definitions, demand that the copyright line is kept."""
    dialects: dict[bool, set[str]] = {False: set(), True: set()}
    for path in (ROOT / "rust/mlirbc/data/releases").glob("*.json"):
        operations = json.loads(path.read_text("utf-8"))["ops"]
        dialects[path.name.startswith("llvm-")].update(name.split(".")[0] for name in operations)
    projects = {dialect: name for name, text in PROJECT_DIALECTS.items() for dialect in text.split()}
    assert projects.keys() == dialects[False] - dialects[True]
    headings = re.findall(r"^([\w-]+).*\(https://", (ROOT / "NOTICE").read_text("utf-8"), re.MULTILINE)
    assert set(headings) == {*PROJECT_DIALECTS, "LLVM"}


# The Python package.


def test_the_package_carries_its_notices_and_addresses() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = pyproject["project"]
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]
    assert project["license-files"] == ["LICENSE", "NOTICE", "THIRD-PARTY.txt"]
    assert pyproject["tool"]["maturin"]["sbom"] == {"rust": False, "include": ["mlirbc.cdx.json"]}
    assert project["urls"].keys() == {"Repository", "Documentation", "Changelog", "Issues"}
    for address in project["urls"].values():
        assert address.startswith(workspace["repository"])
    for part in ("Operating System :: ", "Programming Language :: Python :: 3.14"):
        assert any(classifier.startswith(part) for classifier in project["classifiers"]), part


def test_every_address_of_the_repository_names_one_owner() -> None:
    """A release refuses the placeholder, so it must be replaced in all files or in none."""
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]
    files = (
        "pyproject.toml",
        "rust/mlirbc/README.md",
        "fuzz/oss-fuzz/project.yaml",
        "fuzz/oss-fuzz/Dockerfile",
    )
    for file in files:
        owners = re.findall(r"github(?:usercontent)?\.com/([^/]+)/mlirbc\b", (ROOT / file).read_text("utf-8"))
        assert set(owners) == {workspace["repository"].split("/")[3]}, file


# Pages about a release.


def test_the_readme_names_the_number_of_releases_that_mlirbc_knows() -> None:
    table = (ROOT / "docs/reference/supported.md").read_text("utf-8")
    heading = next(line for line in table.splitlines() if line.startswith("| |"))
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"[{heading.count('`') // 2} releases](docs/reference/supported.md)" in readme


def test_measurements_in_the_readme_are_those_of_the_page() -> None:
    """Rows have the names of the page, and a column has the fields of the same column there."""

    def rows(text: str, first: str) -> dict[str, dict[str, str]]:
        lines = text.splitlines()
        start = next(number for number, line in enumerate(lines) if line.startswith(f"| {first} | mlirbc |"))
        table = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines[start:]]
        heading = [re.sub(r"[` ]|\d.*", "", cell) for cell in table[0]]
        end = next(number for number, row in enumerate(table) if not row)
        return {row[0]: dict(zip(heading[1:], row[1:], strict=True)) for row in table[2:end]}

    readme = rows((ROOT / "README.md").read_text("utf-8"), "a module of a million operations")
    page = rows((ROOT / "docs/explanation/performance.md").read_text("utf-8"), "job")
    assert len(readme) >= 5
    for name, row in readme.items():
        assert row == {column: page[name][column] for column in row}, name


def test_the_installation_page_lists_extras_and_the_oldest_python() -> None:
    page = (ROOT / "docs/installation.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = re.findall(r"^\| `mlirbc\[(\w+)\]`", page, re.MULTILINE)
    assert extras == sorted(project["optional-dependencies"])
    assert f"CPython {project['requires-python'].removeprefix('>=')} and newer" in page


# Workflows.


def test_workflows_run_scripts_that_are_there_and_keep_no_credentials() -> None:
    workflows = sorted((ROOT / ".github/workflows").glob("*.yml"))
    assert len(workflows) >= 6
    for path in workflows:
        text = path.read_text("utf-8")
        for script in re.findall(r"(?<![\w/.-])((?:\.ci|scripts)/[\w/-]+)(?![\w./-])", text):
            assert (ROOT / script).stat().st_mode & 0o111 or script.endswith("rust-version"), script
        checkouts = text.count("uses: actions/checkout@")
        assert text.count("persist-credentials: false") == checkouts, path.name
        jobs = text.partition("\njobs:\n")[2]
        assert jobs.count("    timeout-minutes: ") == len(re.findall(r"^  [\w-]+:$", jobs, re.MULTILINE)), (
            path.name
        )
