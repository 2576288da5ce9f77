"""Facts found by the rules' own clauses, by a dependency parse's, and by both, on the same cases, in one table.

    python tests/bench/parse.py [--data DIR] [--facts FILE ..] [--misses]

Needs the extra [parse]; without it only the rules are measured. Cases: `structures.toml` beside the tests of the parse
(sentences of hard shape); `facts.jsonl` in the folder `--data` (default ../shared/cases beside the repository) and
further files of that form, which are no part of this repository and are judged by the `score_cases.py` of that folder.

found: expected facts that came out. clean: cases with facts that must not come out in which none did. dates: right of
those on facts found. extra: other facts a case. chatter: facts from turns that hold none. /s: sentences a second of
processor time in one process, the best of three runs, models loaded.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lean_memory.backends.spacy_parse import SpacyParser, installed_model
from lean_memory.extract import Extractor
from lean_memory.extract.segment import pieces
from lean_memory.instants import format_instant, parse_instant
from lean_memory.parses import DependencyParser
from lean_memory.records import Fact, Note
from tests.extract.material import SAID_AT, written

ROOT = Path(__file__).resolve().parents[2]
STRUCTURES = ROOT / "tests" / "extract" / "parse" / "structures.toml"


@dataclass
class Row:
    """What one way of reading got on one set."""

    found: int = 0
    expected: int = 0
    clean: int = 0
    rejecting: int = 0
    dates: int = 0
    dated: int = 0
    extra: float = 0.0
    chatter: int = 0
    speed: float = 0.0


def extractors(parser: DependencyParser | None) -> dict[str, Extractor]:
    """The ways to read. `parse`: the parse's clauses stand in for the rules' own, and all else stays."""
    out = {"rules": Extractor()}
    if parser is not None:
        out["parse"], out["both"] = Extractor(parser=parser), Extractor(parser=parser)
        english = out["parse"].english
        assert english.parsed is not None
        english.splitter, english.parsed = english.parsed.splitter, None  # type: ignore[assignment]
    return out


def structures(extractor: Extractor, tell: Callable[[str], None]) -> Row:
    """The sentences of hard shape."""
    row, extra = Row(), 0
    cases = [c for kind in tomllib.loads(STRUCTURES.read_text(encoding="utf-8")).values() for c in kind["cases"]]
    for case in cases:
        lines = [written(fact) for fact in extractor.episode(Note(text=case["say"], t_ref=SAID_AT)).facts]

        def has(wanted: str, lines: list[str] = lines) -> bool:
            return any(line == wanted or line.startswith(wanted + " |") for line in lines)

        wanted, unwanted = case.get("facts", []), case.get("not")
        row.expected += len(wanted)
        row.found += sum(map(has, wanted))
        if unwanted is not None:
            row.rejecting += 1
            row.clean += not any(map(has, unwanted))
        extra += len(lines) - sum(map(has, wanted))
        for missing in (w for w in wanted if not has(w)):
            tell(f"{case['say']}  -  {missing}  -  {lines}")
    row.extra = extra / len(cases)
    row.speed = speed(extractor, [case["say"] for case in cases])
    return row


def scored(extractor: Extractor, path: Path, scorer: Any, tell: Callable[[str], None]) -> Row:
    """A file of cases, by its own scorer."""
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows = []
    for case in cases:
        note = Note(text=case["text"], t_ref=parse_instant(case["t_ref"])[0], speaker=case.get("speaker"))
        facts = [scorer.Fact(_plain(fact)) for fact in extractor.episode(note).facts]
        rows.append(scorer.score_fact_case(case, facts))
        for missing in rows[-1]["misses"]:
            tell(f"{case['id']}: {missing}")
    total = scorer.fact_summary(rows)
    return Row(
        total["found"],
        total["expected"],
        total["reject_clean"],
        total["reject_cases"],
        total["dates_ok"],
        total["dates_matched"],
        total["extra_per_case"],
        total["chatter_facts"],
        speed(extractor, [case["text"] for case in cases]),
    )


def speed(extractor: Extractor, texts: Sequence[str]) -> float:
    """Sentences a second of processor time."""
    count = sum(1 for text in texts for _ in pieces(text, []))
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        for text in texts:
            extractor.episode(Note(text=text, t_ref=SAID_AT))
        best = min(best, time.process_time() - begun)
    return count / best


def _plain(fact: Fact) -> dict[str, Any]:
    out = {key: getattr(fact, key) for key in ("subject", "predicate", "object", "text", "polarity")}
    for key in ("valid_at", "valid_to"):
        at = getattr(fact, key)
        out[key] = None if at is None else format_instant(at)
    return out


def _scorer(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location("score_cases", folder / "score_cases.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _line(name: str, way: str, row: Row) -> str:
    def share(part: int, whole: int) -> str:
        return f"{part / whole:.3f}" if whole else "-"

    return (
        f"| {name} | {way} | {row.found}/{row.expected} | {share(row.found, row.expected)} |"
        f" {share(row.clean, row.rejecting)} | {share(row.dates, row.dated)} | {row.extra:.2f} | {row.chatter} |"
        f" {row.speed:.0f} |"
    )


def main() -> int:
    """Prints the table. Returns 1 when there is nothing to compare with."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "cases")
    options.add_argument("--facts", type=Path, nargs="*", default=[], help="further files of cases")
    options.add_argument("--misses", action="store_true", help="list what was not found, on stderr")
    given = options.parse_args()

    parser: DependencyParser | None = None
    if installed_model() is None:
        print("the extra is missing: pip install 'lean-memory[parse]'; measuring the rules alone", file=sys.stderr)
    else:
        parser = SpacyParser()
        begun = time.process_time()
        parser.warm()
        print(f"{parser.name}: loaded in {time.process_time() - begun:.1f} s", file=sys.stderr)
    files: list[Path] = []
    scorer: Any = None
    if (given.data / "score_cases.py").exists():
        scorer = _scorer(given.data)
        files = [given.data / "facts.jsonl", *given.facts]
    else:
        print(f"no score_cases.py in {given.data}: measuring on structures.toml alone", file=sys.stderr)

    print("| cases | clauses | found | share | clean | dates | extra | chatter | /s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    ways = extractors(parser)
    for path in [STRUCTURES, *files]:
        for way, extractor in ways.items():

            def tell(miss: str, way: str = way) -> None:
                if given.misses:
                    print(f"{way}: {miss}", file=sys.stderr)

            row = structures(extractor, tell) if path == STRUCTURES else scored(extractor, path, scorer, tell)
            print(_line(f"{path.parent.name}/{path.stem}", way, row), flush=True)
    return 0 if parser is not None else 1


if __name__ == "__main__":
    sys.exit(main())
