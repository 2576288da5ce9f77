"""What maintenance costs, and what it does to a year: `python tests/bench/maintain.py [--sizes N ...] [--year FACTS]`.

* `--sizes`: time and memory of the command on memories of so many facts: a dry run, an applied one, the one after it.
* `--year FACTS`: a synthetic life of so many facts (restatements, changes, the same in other words, trifles) that is
  maintained every night. After each, the facts of an earlier day must read as they did; every thirtieth night is proved
  by the command's own `--prove`. Half of the proposals are approved.
* `--locomo FOLDER`: evidence recall among the ten best on LoCoMo (not part of the project), before and after a run four
  hundred days later whose proposals are all approved.

Prints Markdown.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from recall_data import Question, locomo

from lean_memory.claims import View
from lean_memory.instants import format_instant, parse_instant
from lean_memory.memory import Memory
from lean_memory.records import Episode, Fact, Note, episode_id, fact_id
from lean_memory.settings import Settings
from lean_memory.upkeep import Decision
from lean_memory.wire import encode

DAY = 86_400_000
START = 1_700_000_000_000
THINGS = (
    "lamp kettle chair rug bowl desk clock book coat scarf bike tent drum vase mirror plate fork jar rope hat".split()
)
SORTS = (
    "red blue oak steel old small large paper glass woollen striped plain silver clay folding garden kitchen".split()
)
PLACES = "Leeds Bath Oslo Turin Graz Lyon Porto Ghent Malmö Brno".split()
FIRMS = ["Larkfield", "Harbour Press", "Quill", "Norden", "Tessel"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--year", type=int, default=5_000)
    parser.add_argument("--locomo", type=Path)
    options = parser.parse_args(arguments)
    if options.sizes:
        sizes(options.sizes)
    if options.year:
        year(options.year)
    if options.locomo:
        recall(options.locomo)
    return 0


def opened(root: Path, now: int) -> Memory:
    return Memory(settings=Settings(root=root, fixed_now=now, environ={"LM_BACKENDS": "stub"}), fast=True)


# ------------------------------------------------------------------------------------------------------------- life


def life(count: int, days: int, seed: int = 1) -> Iterator[Episode]:
    """Episodes of one fact each, evenly over the days."""
    dice = random.Random(seed)
    told: list[tuple[str, str, str, float]] = []
    for number in range(count):
        roll = dice.random()
        who = dice.choice(["user", "user", "user", "Anna", "Marek"])
        thing = f"{dice.choice(SORTS)} {dice.choice(SORTS)} {dice.choice(THINGS)} {dice.choice(SORTS)}"
        if roll < 0.25 and told:
            said = dice.choice(told[-2000:])
        elif roll < 0.30 and told:
            who, predicate, value, salience = dice.choice(told[-2000:])
            said = (who, "enjoys" if predicate == "likes" else predicate, value, salience)
        elif roll < 0.34:
            said = (who, "lives_in", dice.choice(PLACES), 8.0)
        elif roll < 0.38:
            said = (who, "works_at", dice.choice(FIRMS), 8.0)
        elif roll < 0.55:
            said = (who, "likes", thing, 5.0)
        elif roll < 0.75:
            said = (who, "bought", thing, dice.choice([1.0, 3.0]))
        else:
            said = (who, dice.choice(["saw", "watched", "read"]), thing, dice.choice([1.5, 2.5, 4.0]))
        told.append(said)
        yield episode(START + number * days * DAY // count, *said)


def episode(when: int, subject: str, predicate: str, value: str, salience: float) -> Episode:
    verb = "likes" if predicate == "enjoys" else predicate
    words = f"{subject} {verb} {value}"
    text = f"{words}, {format_instant(when)}"
    fact = Fact(
        id=fact_id(subject, predicate, value), subject=subject, predicate=predicate, object=value, text=words,
        quote=words, span=(0, len(words)), valid_at=when, salience=salience,
    )  # fmt: skip
    return Episode(id=episode_id(Note(text=text, t_ref=when)), text=text, t_ref=when, facts=(fact,))


# ------------------------------------------------------------------------------------------------------------ sizes


def sizes(counts: Sequence[int]) -> None:
    print("| facts | run | seconds | of processor | MiB | retired | evicted | proposed |")
    print("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            with opened(root, START + 400 * DAY) as memory:
                memory.store("ns", list(life(count, 400)), embed=False)
                memory.embed_missing("ns")
                facts = memory.maintenance_status("ns").hot
            for name, flags in (("dry", []), ("applied", ["--apply"]), ("again", ["--apply"]), ("proved", ["--prove"])):
                if name == "proved":  # a rehearsal of what is to do a hundred days later
                    flags = [*flags, "--now", format_instant(START + 500 * DAY)]
                line, seconds, busy, size = timed(root, flags)
                done = [line["counts"][key] for key in ("retired", "evicted", "proposed")]
                told = " | ".join(map(str, done)) if line["status"] != "nothing" else "nothing | |"
                print(f"| {facts} | {name} | {seconds:.1f} | {busy:.1f} | {size:.0f} | {told} |", flush=True)


def timed(root: Path, flags: list[str]) -> tuple[dict[str, object], float, float, float]:
    """The command's report, seconds by the clock and of the processor, and its largest size in MiB."""
    import json

    reading, writing = os.pipe()
    began = time.monotonic()
    environ = {**os.environ, "LM_BACKENDS": "stub", "LM_NOW": format_instant(START + 400 * DAY)}
    code = "from lean_memory.cli.maintain import main; main()"
    arguments = [sys.executable, "-c", code, "--root", str(root), *flags]
    child = os.fork()
    if child == 0:
        os.dup2(writing, 1)
        os.execve(sys.executable, arguments, environ)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        report = json.loads(pipe.read())
    _, status, used = os.wait4(child, 0)
    if status:
        raise SystemExit(f"the command ended with {status}")
    per_mib = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return report, time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / per_mib


# ------------------------------------------------------------------------------------------------------------- year


def year(count: int) -> None:
    dice = random.Random(2)
    lines = list(life(count, 365))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        place, nights = 0, []
        began = time.monotonic()
        with opened(root, START) as memory:
            for day in range(1, 366):
                memory._settings = replace(memory._settings, fixed_now=START + day * DAY)
                until = count * day // 365
                if until > place:
                    memory.store("ns", lines[place:until], embed=False)
                    memory.embed_missing("ns")
                place = until
                nights.append(night(memory, day, dice))
                if day % 73 == 0:
                    sys.stderr.write(f"day {day}: {time.monotonic() - began:.0f} s\n")
            status = memory.maintenance_status("ns")
            facts = len(list(memory.visible("ns", View(now=memory.present(), kind="fact", include_cold=True))))
            wrong = memory.check("ns")
        total = {key: sum(one[key] for one in nights) for key in nights[0]}
    print(f"\n{count} lines in 365 days: {status.hot} facts at hand, {status.cold} in the cold tier ({facts} hold).")
    print(f"{total['retired']} retired, {total['evicted']} evicted, {total['proposed']} proposed, {total['approved']}"
          f" approved; {total['compared']} answers about the past compared, none differed; sound: {not wrong};"
          f" {time.monotonic() - began:.0f} s.")  # fmt: skip


def night(memory: Memory, day: int, dice: random.Random) -> dict[str, int]:
    past = START + dice.randrange(day) * DAY
    before = known(memory, past)
    report = memory.maintain("ns", apply=True, prove=day % 30 == 0)
    if report.status == "unproved":
        raise SystemExit(f"night {day}: law 1 is broken: {report.differing[:3]}")
    chosen = [one.id for one in report.proposals if dice.random() < 0.5]
    outcomes = memory.decide("ns", [Decision(proposal=id, verdict="approve") for id in chosen], by="bench")
    if known(memory, past) != before:
        raise SystemExit(f"night {day}: law 1 is broken")
    if memory.maintain("ns", apply=True, auto_only=True).status != "nothing":
        raise SystemExit(f"night {day}: law 3 is broken")
    done = {key: report.counts[key] for key in ("retired", "evicted", "proposed")}
    approved = sum(outcome.outcome == "applied" for outcome in outcomes)
    return {**done, "approved": approved, "compared": 1 + (report.proved or 0)}


def known(memory: Memory, at: int) -> bytes:
    digest = blake2b()
    for hit in memory.visible("ns", View(now=at, as_of=at, kind="fact")):
        digest.update(encode(hit))
    return digest.digest()


# ----------------------------------------------------------------------------------------------------------- recall


def recall(data: Path) -> None:
    before: list[float] = []
    after: list[float] = []
    moved = 0
    for stack in locomo(data):
        notes = [
            Note(text=note.text, t_ref=parse_instant(note.t_ref)[0], speaker=note.speaker, session=note.session)
            for note in stack.notes
        ]
        now = max(note.t_ref for note in notes) + DAY
        settings = Settings(root=Path(), fixed_now=now, environ={"LM_USAGE": "off"})
        with tempfile.TemporaryDirectory() as folder, Memory(folder, settings=settings, fast=True) as memory:
            episodes = [memory.extractor().episode(note) for note in notes]
            memory.store("ns", episodes)
            ids = {episode.id: note.id for episode, note in zip(episodes, stack.notes, strict=True)}
            before += found(memory, stack.questions, ids, now)
            memory._settings = replace(memory._settings, fixed_now=now + 400 * DAY)
            while (report := memory.maintain("ns", apply=True)).status == "done":
                waiting = memory.proposals("ns")
                memory.decide("ns", [Decision(proposal=one.id, verdict="approve") for one in waiting], by="bench")
                moved += report.counts["retired"] + report.counts["evicted"]
                moved += sum(len(one.targets) for one in waiting)
            after += found(memory, stack.questions, ids, now)
    mean_before, mean_after = (sum(values) / len(values) for values in (before, after))
    print(f"\nLoCoMo, {len(before)} questions: evidence recall at 10 {mean_before:.4f} before, {mean_after:.4f} after"
          f" ({moved} facts retired, evicted or in approved proposals).", flush=True)  # fmt: skip


def found(memory: Memory, questions: Sequence[Question], ids: Mapping[str, str], now: int) -> Iterator[float]:
    """Of each question, which share of its evidence is among the ten best."""
    for question in questions:
        hits = memory.search("ns", question.text, k=10, view=View(now=now))
        shown = {ids.get(hit.episode or "") for hit in hits}
        yield len(question.evidence & shown) / len(question.evidence)


if __name__ == "__main__":
    sys.exit(main())
