"""Every package that an installation brings is listed with its licence, and none asks for more than a notice of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.licences import PAGE, PROJECT, Package, closure, installed, licence
from tests.bench.extras import PROBES
from tests.test_packaging import PROJECT as METADATA

TOLD = {
    heading or "the base install": {
        Package(name, words) for name, words in re.findall(r"^\| (\S+) \| (.+?) \|", part, re.M)
    }
    for heading, part in re.findall(
        r"^## (?:`lean-memory\[([\w-]+)\]`|The base install)\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.M | re.S
    )
}
EXTRAS = {name for name in METADATA["optional-dependencies"] if name not in ("dev", "dev-models", "test")}


def listed(*extras: str) -> set[Package]:
    return {
        package
        for extra in ("the base install", *extras)
        for package in TOLD[extra]
        if package.name not in ("package", "---")
    }


def of_other_systems() -> set[str]:
    """Packages that only some systems or Pythons need: the page names them at its head."""
    return {"tomli", "tzdata", "colorama", "exceptiongroup", "pywin32"}


@pytest.mark.slow  # the page is of one Python, on which the slow tests run
def test_the_page_lists_what_the_base_install_brings() -> None:
    here = {package for package in closure(PROJECT, "") if package.name not in of_other_systems()}
    assert {package.name for package in here} - {package.name for package in listed()} == set(), (
        "write it anew: just licences"
    )
    told = {package.name: package.terms for package in listed()}
    assert {package: told[package.name] for package in here if told[package.name] != package.terms} == {}


@pytest.mark.slow
@pytest.mark.parametrize("extra", ["mcp", "console"])
def test_it_lists_what_an_extra_that_is_here_adds(extra: str) -> None:
    here = {package.name for package in closure(PROJECT, extra)} - of_other_systems()
    assert here - {package.name for package in listed(extra)} == set(), "write it anew: just licences"


def test_no_licence_reaches_the_code_that_uses_the_package() -> None:
    for package in listed(*EXTRAS):
        assert package.terms in ("permissive", "by file"), package


def test_of_the_base_install_two_have_terms_for_their_own_files() -> None:
    assert {package.name for package in listed() if package.terms == "by file"} == {"orjson", "tqdm"}


@pytest.mark.parametrize(
    ("expression", "terms"),
    [
        ("MIT", "permissive"),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", "by file"),
        ("GPL-3.0-or-later", "look"),
        ("GPL-2.0-only OR MIT", "permissive"),
        ("Apache-2.0 WITH LLVM-exception", "permissive"),
        ("MIT AND LGPL-2.1-only", "look"),
        ("", "look"),
    ],
)
def test_what_terms_an_expression_has(expression: str, terms: str) -> None:
    assert Package("any", expression).terms == terms


def test_metadata_of_every_age_are_understood() -> None:
    """Classifiers, words, an expression, and nothing but a file."""
    here = installed()
    assert licence(here["click"]) == "BSD-3-Clause"
    assert licence(here["tokenizers"]) == "Apache-2.0"
    assert licence(here["sqlite-vec"]) == "MIT OR Apache-2.0"
    assert licence(here["apsw"]) == "blessing AND Zlib"


def test_every_extra_is_probed_and_listed() -> None:
    assert PROBES.keys() - {""} == EXTRAS
    assert EXTRAS | {"the base install"} == TOLD.keys()


def test_the_packages_own_notices_are_on_the_page() -> None:
    assert "NOTICE" in PAGE.read_text("utf-8")
    assert (Path(PAGE).parent.parent / "lean_memory" / "backends" / "data" / "NOTICE").is_file()
