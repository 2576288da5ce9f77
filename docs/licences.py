"""The licences of what an installation brings, from the packages' own metadata. `just licences` writes docs/licences.md
from environments with every extra; `python docs/licences.py [EXTRA]` prints those of what is installed here."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PAGE = Path(__file__).resolve().parent / "licences.md"
PROJECT = "lean-memory"

PERMISSIVE = frozenset(
    "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BSL-1.0 CC0-1.0 CNRI-Python HPND ISC MIT MIT-0 MIT-CMU NCSA PSF-2.0"
    " Unlicense Zlib blessing LLVM-exception".split()
)
"""SPDX names: use, change and passing on are free, with a notice kept."""

BY_FILE = frozenset({"MPL-2.0"})
"""Who changes a file of the package and passes it on gives that file's source; who uses the package owes nothing."""

# What metadata say in words of their own, as SPDX expressions. A package whose metadata say too little is here by its
# name, with what the licence file in it says.
_WORDS = {
    "3-clause bsd license": "BSD-3-Clause",
    "apache 2.0": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "apache2.0": "Apache-2.0",
    "bsd 2-clause license": "BSD-2-Clause",
    "isc license": "ISC",
    "mit license": "MIT",
    "mit license, apache license, version 2.0": "MIT OR Apache-2.0",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
}
_BY_NAME = {
    "apsw": "blessing AND Zlib",  # "any-OSI": the wrapper lets choose one; SQLite itself is dedicated to the public
    "apsw-sqlite3mc": "blessing AND Zlib AND MIT",  # the same, with the ciphers
    **dict.fromkeys(("blis", "jinja2", "mpmath", "scipy", "sympy"), "BSD-3-Clause"),
}
_EXPRESSION = re.compile(r"[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+-]+|[() ])*")

HEAD = """# Licences

lean-memory is under Apache-2.0. This page lists the licence of every package that an installation brings, as the
package's own metadata or licence file says it, in SPDX names. `just licences` writes them from environments with
each extra; they are those of CPython 3.11 on Linux, other systems leave out or add a few
(`tomli`, `exceptiongroup`: MIT; `colorama`: BSD-3-Clause; `tzdata`: Apache-2.0).

All are permissive but those under MPL-2.0, whose terms are on changed files of the package itself; nothing is under a
licence that reaches the code which uses it, unless the tables mark it. Packages that come ready built may hold
libraries of others as well, which their own licence files list: those of `numpy` and `scipy` for Linux have beside them
the runtime of GCC (GPL-3.0 with its exception for programs that use it) and libquadmath (LGPL-2.1).

The words of the default embedder's tokenizer are in the package itself, see
[NOTICE](../lean_memory/backends/data/NOTICE).
"""


@dataclass(frozen=True, order=True)
class Package:
    """A distribution by its normal name, with an SPDX expression; empty if nobody says."""

    name: str
    licence: str

    @property
    def terms(self) -> str:
        """What it asks of who uses it: `permissive`, `by file`, or `look`."""
        names = [name for name in re.findall(r"[A-Za-z0-9.+-]+", self.licence) if name not in ("AND", "OR", "WITH")]
        if not names:
            return "look"
        if all(name in PERMISSIVE for name in names):
            return "permissive"
        if all(name in PERMISSIVE | BY_FILE for name in names):
            return "by file"
        either = [Package(self.name, part) for part in self.licence.split(" OR ")] if "(" not in self.licence else []
        return "permissive" if len(either) > 1 and any(part.terms == "permissive" for part in either) else "look"


def installed(site: Path | None = None) -> dict[str, Distribution]:
    """Normal name -> distribution, in a folder of site-packages or here."""
    found = distributions(path=[str(site)]) if site else distributions()
    return {canonicalize_name(distribution.name): distribution for distribution in found}


def closure(root: str, extra: str, site: Path | None = None) -> set[Package]:
    """All that `root[extra]` needs and that is installed, without `root`."""
    here = installed(site)
    seen: set[tuple[str, str]] = set()

    def needs(name: str, extra: str) -> Iterator[str]:
        if (name, extra) in seen or name not in here:
            return
        seen.add((name, extra))
        yield name
        for line in here[name].requires or ():
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
                for each in ("", *wanted.extras):
                    yield from needs(canonicalize_name(wanted.name), each)

    names = {*needs(root, ""), *needs(root, extra)} - {root}
    return {Package(name, licence(here[name])) for name in names}


def licence(distribution: Distribution) -> str:
    """An SPDX expression: the metadata's own, or what its words or classifiers come to."""
    name = canonicalize_name(distribution.name)
    metadata = distribution.metadata
    if name in _BY_NAME:
        return _BY_NAME[name]
    for expression in metadata.get_all("License-Expression") or []:
        return str(expression)
    classes = metadata.get_all("Classifier") or []
    told: list[str] = [
        *(metadata.get_all("License") or []),
        *(line.split(" :: ")[-1] for line in classes if line.startswith("License ::")),
    ]
    for words in told:
        if spdx := _WORDS.get(words.lower()):
            return spdx
        if _EXPRESSION.fullmatch(words) and Package(name, words).terms != "look":
            return words
    return ""


def table(packages: Iterable[Package]) -> str:
    """In Markdown, by name."""
    rows = [f"| {each.name} | {each.licence or 'not said'} | {_MARKS[each.terms]} |" for each in sorted(packages)]
    return "\n".join(["| package | licence | |", "| --- | --- | --- |", *rows, ""])


_MARKS = {"permissive": "", "by file": "its own files only", "look": "**read it first**"}


def page(tables: dict[str, set[Package] | str]) -> str:
    """The page: of each extra the packages that it adds to the base install, or why there are none."""
    parts = [HEAD]
    for extra, packages in tables.items():
        parts.append(f"## {f'`lean-memory[{extra}]`' if extra else 'The base install'}\n")
        parts.append(packages if isinstance(packages, str) else table(packages))
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description="Lists licences.")
    parser.add_argument("--site", type=Path)
    parser.add_argument("extra", nargs="?", default="")
    arguments = parser.parse_args()
    found = closure(PROJECT, arguments.extra, arguments.site)
    print(json.dumps({each.name: each.licence for each in sorted(found)}, indent=1))


if __name__ == "__main__":
    main()
