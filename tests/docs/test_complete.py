"""The docs name every setting, route, error code, command and requirement."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

from goclaw import mcp, views
from goclaw.lib import refusals
from goclaw.lib.env import variable
from goclaw.lib.errors import GoClawError
from memory.models import JobKind

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
CODE = [
    path
    for package in ("goclaw", "accounts", "memory", "wiki")
    for path in sorted((ROOT / package).rglob("*.py"))
    if "migrations" not in path.parts
]
READERS = re.compile(r"env_(str|bool|int|float|optional_float|choice|list|path|secret)")


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func).rpartition(".")[2], node


def rows(text: str) -> dict[str, list[str]]:
    """Return the table rows of a page by each `name` in their first cell."""
    found = {}
    for line in text.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for name in re.findall(r"`([^`]+)`", cells[0]):
                found[name] = cells[1:]
    return found


# --- settings ------------------------------------------------------------------------
def settings_read() -> Iterator[tuple[str, object]]:
    """Yield each variable the code reads, with its default (... where computed)."""
    for path in CODE:
        if path.name == "env.py":
            continue
        for name, call in calls(ast.parse(path.read_text(encoding="utf-8"))):
            if not READERS.fullmatch(name):
                continue
            match call.args:
                case [ast.Constant(str() as dotted), ast.Constant(default), *_]:
                    yield variable(dotted), default
                case [ast.Constant(str() as dotted), *_]:
                    given = {k.arg: k.value for k in call.keywords}.get("default")
                    computed = ast.literal_eval(given) if given else ...
                    yield variable(dotted), computed
                case [ast.JoinedStr(values=[ast.Constant(str() as start), _]), *_]:
                    assert start == "memory.half_life.", "teach this test the new name"
                    for kind, days in settings.GOCLAW_SEARCH["half_lives"]:
                        yield variable(start + kind), days
                case _:
                    raise AssertionError(f"{path}:{call.lineno} reads what?")


def test_every_setting_is_described_with_its_default() -> None:
    described = rows(read("configuration.md"))
    known = dict.fromkeys(name for name, _ in settings_read())
    assert sorted(known.keys() - described.keys()) == []
    for name, default in settings_read():
        if default is ...:
            continue
        said = described[name][0].strip("`")
        wanted = str(default).lower() if isinstance(default, bool) else f"{default}"
        assert said == wanted, name


def test_no_setting_is_described_that_nothing_reads() -> None:
    known = {name for name, _ in settings_read()}
    described = {n for n in rows(read("configuration.md")) if n.startswith("GOCLAW_")}
    assert sorted(described - known) == []
    named = {
        name
        for page in PAGES
        for name in re.findall(r"GOCLAW_[A-Z_]+[A-Z]", page.read_text("utf-8"))
    }
    for_shells = {"GOCLAW_URL", "GOCLAW_API_KEY"}
    assert sorted(named - known - for_shells) == []


# --- the API -------------------------------------------------------------------------
def routes() -> Iterator[tuple[str, str]]:
    """Yield method and address of everything under /api/, parameters as {}."""

    def walk(patterns: list[Any], prefix: str) -> Iterator[tuple[str, URLPattern]]:
        for pattern in patterns:
            address = prefix + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, address)
            else:
                yield address, pattern

    for address, pattern in walk(get_resolver().url_patterns, "/"):
        if address.startswith("/api/"):
            view = pattern.callback
            methods = getattr(view, "actions", None)
            if methods is None:
                methods = {
                    name
                    for name in ("get", "post", "put", "patch", "delete")
                    if hasattr(view.view_class, name)
                }
            for method in methods:
                yield method.upper(), re.sub(r"<[^>]+>", "{}", address)


def test_every_route_has_a_heading() -> None:
    headings = re.findall(r"^### ([A-Z]+) (/api/\S+)$", read("api.md"), re.MULTILINE)
    described = {
        (method, re.sub(r"\{[^}]*\}", "{}", path)) for method, path in headings
    }
    existing = {(method, path) for method, path in routes() if method != "HEAD"}
    assert sorted(existing - described) == []
    assert sorted(described - existing) == []


def error_codes() -> set[str]:
    """Return every code with which the code base refuses something."""
    found = set(refusals._CODES.values())
    waiting: list[type[GoClawError]] = [GoClawError]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        found.add(kind.default_code)
    for path in CODE:
        for name, call in calls(ast.parse(path.read_text(encoding="utf-8"))):
            if name == "ValidationError":  # Django's; shown as `invalid`
                continue
            for keyword in call.keywords:
                if keyword.arg == "code" and isinstance(keyword.value, ast.Constant):
                    found.add(keyword.value.value)
    return found - {GoClawError.default_code}  # of the base class, never raised bare


def test_every_error_code_is_described() -> None:
    described = rows(read("api.md").partition("## Errors")[2])
    assert sorted(error_codes() - described.keys()) == []
    assert sorted(described.keys() - error_codes()) == []


# --- what an operator needs -------------------------------------------------------
def test_every_management_command_is_described() -> None:
    commands = {
        path.stem
        for path in CODE
        if path.parent.name == "commands" and path.stem != "__init__"
    }
    described = {name.split()[0] for name in rows(read("operations.md"))}
    assert sorted(commands - described) == []


def test_every_probe_is_described() -> None:
    probes = {
        f"/{pattern.pattern}"
        for pattern in get_resolver().url_patterns
        if isinstance(pattern, URLPattern)
        and pattern.callback.__module__ == views.__name__
    }
    assert {"/healthz", "/readyz"} <= probes
    assert [
        probe for probe in sorted(probes) if probe not in read("operations.md")
    ] == []


def test_every_kind_of_job_is_described() -> None:
    assert sorted(set(JobKind.values) - rows(read("operations.md")).keys()) == []


def test_every_metric_is_described() -> None:
    named = {
        name
        for path in CODE
        if path.name == "metrics.py"
        for name in re.findall(r'"(goclaw_\w+)"', path.read_text(encoding="utf-8"))
    }
    described = {n.removesuffix("_total") for n in rows(read("operations.md"))}
    assert len(named) > 3
    assert sorted(named - described) == []


REQUIREMENTS = [path.name for path in sorted(ROOT.glob("requirements*.txt"))]


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_requirement_has_its_reason(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    required = {line.partition("==")[0] for line in lines if "==" in line}
    described = rows(read("dependencies.md"))
    assert sorted(required - described.keys()) == []


def test_no_package_is_described_that_is_not_required() -> None:
    required = {
        line.partition("==")[0]
        for name in REQUIREMENTS
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines()
    }
    assert sorted(rows(read("dependencies.md")).keys() - required) == []


# --- examples and links --------------------------------------------------------------
def curl_paths() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        places = re.findall(
            r"curl [^\n]*?(?:\$GOCLAW_URL|http://127\.0\.0\.1:8000)(/[^\s\"?]*)", text
        )
        yield from ((page.name, place) for place in places)


def test_the_paths_of_all_curl_examples_exist() -> None:
    examples = list(curl_paths())
    assert len(examples) > 10
    for page, path in examples:
        if path in mcp.door.PATHS:  # beside Django
            continue
        try:
            resolve(path)
        except Resolver404:
            pytest.fail(f"{page} asks for {path}, which is nowhere")


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in headings
    }


def test_links_between_the_pages_lead_somewhere() -> None:
    for page in PAGES:
        text = re.sub(r"`[^`\n]+`", "", page.read_text(encoding="utf-8"))
        for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
            name, _, anchor = target.partition("#")
            place = page.parent / name if name else page
            assert place.is_file(), f"{page.name}: {target}"
            if anchor:
                assert anchor in anchors(place), f"{page.name}: {target}"


def test_the_layout_names_no_module_that_is_gone() -> None:
    layout = re.search(r"## Layout\s+```text\n(.+?)```", read("architecture.md"), re.S)
    assert layout
    package, missing = "", []
    for line in layout[1].splitlines():
        if line and not line.startswith(" "):
            package = line.split("/")[0]
        for name in re.findall(r"\b[a-z_]+\.py\b", line):
            folders = (ROOT / package, ROOT / package / "lib")
            if not any((folder / name).is_file() for folder in folders):
                missing.append(f"{package}/{name}")
    assert missing == []


def test_the_layers_are_those_that_are_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    text = read("architecture.md")
    for contract in project["tool"]["importlinter"]["contracts"]:
        assert "\n".join(contract["layers"]) in text, contract["name"]
