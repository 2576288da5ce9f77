"""Every example in the README, in English and in Chinese, works: its commands run, and what they print is what it shows
(see `pages`)."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.commands import NOW, run
from tests.pages import Page

ROOT = Path(__file__).resolve().parent.parent
READMES = {name: Page(ROOT / name) for name in ("README.md", "README.zh-CN.md")}


@pytest.fixture(scope="module", params=["README.md", pytest.param("README.zh-CN.md", marks=pytest.mark.slow)])
def readme(request: pytest.FixtureRequest) -> Page:
    return READMES[request.param]


@pytest.fixture(scope="module")
def place(readme: Page, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the reader is, with the files that the README shows."""
    folder = tmp_path_factory.mktemp("readme")
    readme.lay_out(folder)
    return folder


def test_what_it_shows_is_what_a_reader_sees(readme: Page, place: Path) -> None:
    readme.check_examples(place)


def test_commands_without_output_run(readme: Page, place: Path) -> None:
    assert readme.lines()
    readme.check_lines(place)


def test_the_two_commands_at_the_top_run(readme: Page, place: Path) -> None:
    first = re.findall(r"^    (.*)$", readme.text, re.MULTILINE)[:2]
    assert first[0] == "cat notes.txt | lm-extract | lm-store -n work"
    assert first[1].startswith("lm-search -n work")
    for line in first:
        ended = run(line, folder=place)
        assert (ended.rc, ended.stderr) == (0, b"")
        assert ended.stdout


@pytest.mark.parametrize("block", [block for page in READMES.values() for block in page.blocks("python")])
def test_python_does_what_it_shows(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LM_BACKENDS": "stub", "LM_NOW": NOW, "LM_DATA_ROOT": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    output: list[str] = []
    assert doctest.DocTestRunner().run(test, out=output.append).failed == 0, "".join(output)


def test_it_names_every_setting_every_extra_and_every_command(readme: Page) -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "lean_memory").rglob("*.py"))
    for name in {*re.findall(r"\bLM_[A-Z_]+\b", code), *(path.name for path in (ROOT / "bin").glob("lm-*"))}:
        assert f"`{name}`" in readme.text, name
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    extras = re.search(r"^\[project.optional-dependencies\]\n(.*?)^\[", project, re.DOTALL | re.MULTILINE)
    assert extras is not None
    for name in re.findall(r"^([a-z-]+) = ", extras[1], re.MULTILINE):
        assert name in ("dev", "dev-models", "test") or f"`lean-memory[{name}]`" in readme.text, name


def test_each_language_leads_to_the_other_and_says_as_much() -> None:
    english, chinese = READMES.values()
    assert "(README.zh-CN.md)" in english.text
    assert "(README.md)" in chinese.text
    for what in (r"^## ", r"^\| (`[\w-]+|\d+)"):
        told = [re.findall(what, page.text, re.MULTILINE) for page in (english, chinese)]
        assert sorted(told[0]) == sorted(told[1]), what
    pages = [set(re.findall(r"\]\((docs/[\w.#-]+|[A-Z]+\.md)\)", page.text)) for page in (english, chinese)]
    assert pages[0] - pages[1] - {"README.md"} == set()
