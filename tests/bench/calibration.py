"""What a fact's confidence is worth: of the facts at each level, how many a reader expects too.

    python tests/bench/calibration.py --cases ../shared/cases/score_cases.py FACTS.jsonl ...

The files hold turns with the facts that readers take from them (and some that they don't), in the format that the
scorer beside them documents. `expected`: facts that a reader listed; `wrong`: facts that a reader ruled out, or any
fact of a turn that states none; the rest are other facts, right or not, that nobody listed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from lean_memory.extract import Extractor
from lean_memory.instants import parse_instant
from lean_memory.records import Note
from lean_memory.wire import to_object

LEVELS = (0.9, 0.8, 0.7, 0.0)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--cases", type=Path, default=Path("../shared/cases/score_cases.py"), help="the scorer")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    files = options.files or [options.cases.with_name("facts.jsonl")]
    if not options.cases.is_file():
        sys.stderr.write(f"no scorer at {options.cases}: nothing measured (choose it with --cases)\n")
        return 0
    scorer = load(options.cases)
    extractor = Extractor()
    counts: Counter[tuple[float, str]] = Counter()
    for path in files:
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            when, tz = parse_instant(case["t_ref"])
            note = Note(text=case["text"], t_ref=when, tz=tz, speaker=case.get("speaker"))
            raw = json.loads(json.dumps(to_object(extractor.episode(note))["facts"]))
            facts = [scorer.Fact(fact) for fact in raw]
            scored = scorer.score_fact_case(case, facts)
            other, wrong = set(scored["extras"]), {entry["fact"] for entry in scored["rejected"]}
            for fact, fields in zip(facts, raw, strict=True):
                kind = "wrong" if fact.short() in wrong or "chatter" in case["tags"] else "expected"
                kind = "other" if fact.short() in other and kind == "expected" else kind
                counts[next(level for level in LEVELS if fields["confidence"] >= level), kind] += 1
    print("| confidence from | facts | expected | other | wrong |\n| --- | --- | --- | --- | --- |")
    for level in LEVELS:
        row = {kind: counts[level, kind] for kind in ("expected", "other", "wrong")}
        total = sum(row.values())
        if total:
            shares = " | ".join(f"{row[kind] / total:.2f}" for kind in row)
            print(f"| {level:.2f} | {total} | {shares} |")
    return 0


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("score_cases", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    raise SystemExit(main())
