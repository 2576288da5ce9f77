"""How well times are found and resolved, against two public sets. Standard library and this package.

    python tests/bench/times.py [--data DIR] [--misses] [--speed] [--write DIR]

The data (default ../shared/bench beside the repository) are `temporal/locomo_dates.jsonl` (LoCoMo, CC BY-NC 4.0) and
`temporal/recognizers_en.jsonl` (Microsoft Recognizers-Text, MIT); neither is part of this repository.

locomo_dates: questions "when did ..", answered by every interval that `find_times` puts on the evidence turns (a turn
    without any gets its session's day). exact: one of them equals the gold interval. overlap: one touches it and is at
    most twice as wide. intervals: how many a question got.
recognizers: span: the mention's text is found. value: and one gold value equals ours. Only types date, daterange,
    datetime and duration of the DateTimeModel rows count. `_mention` puts a span into that set's own conventions: one
    text and one value each.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lean_memory.extract.times import TimeSpan, find_times

_SECONDS = {
    "second": 1, "minute": 60, "hour": 3600, "day": 86400, "weekend": 172800, "week": 604800, "month": 2592000,
    "quarter": 7776000, "year": 31536000, "decade": 315360000, "century": 3153600000,
}  # fmt: skip
_KEEP = {"datetimeV2.date", "datetimeV2.daterange", "datetimeV2.datetime", "datetimeV2.duration"}


def _rows(path: Path) -> list[dict]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


# --- LoCoMo: intervals of whole days


def _grain_around(when: datetime, grain: str) -> tuple[date, date]:
    day = when.date()
    if grain == "year":
        return date(day.year, 1, 1), date(day.year, 12, 31)
    if grain == "month":
        following = date(day.year + day.month // 12, day.month % 12 + 1, 1)
        return date(day.year, day.month, 1), following - timedelta(days=1)
    if grain == "week":
        monday = day - timedelta(days=day.weekday())
        return monday, monday + timedelta(days=6)
    return day, day


def event_interval(span: TimeSpan) -> tuple[date, date] | None:
    """The days on which the event told with this expression happened, or began."""
    if span.relation in ("for", "since"):
        return None if span.start is None else _grain_around(span.start, span.grain)
    if span.relation not in ("at", "range") or span.start is None or span.stop is None or span.grain == "second":
        return None
    return span.start.date(), (span.stop - timedelta(microseconds=1)).date()


def locomo(rows: list[dict], show: bool) -> tuple[dict[str, list[tuple[bool, bool, int]]], list[dict]]:
    """Marks by grain, and the intervals of each question."""
    predicted: list[dict] = []
    marks: dict[str, list[tuple[bool, bool, int]]] = defaultdict(list)
    for row in rows:
        found: list[tuple[date, date]] = []
        for turn in row["evidence"]:
            ref = datetime.fromisoformat(turn["session_time_iso"]).replace(tzinfo=timezone.utc)
            intervals = [i for i in map(event_interval, find_times(turn["text"], ref)) if i]
            found += intervals or [(ref.date(), ref.date())]
        found = list(dict.fromkeys(found))
        predicted.append({"id": row["id"], "dates": [[f"{s}", f"{e}"] for s, e in found]})
        a, b = date.fromisoformat(row["gold_start"]), date.fromisoformat(row["gold_end"])
        exact = (a, b) in found
        overlap = any(s <= b and e >= a and (e - s).days + 1 <= 2 * ((b - a).days + 1) for s, e in found)
        for key in (row["grain"], "all"):
            marks[key].append((exact, overlap, len(found)))
        if show and not exact:
            print(f"  {row['id']}: wanted {a}..{b}, got {[f'{s}..{e}' for s, e in found]}")
            for turn in row["evidence"]:
                print(f"      {turn['session_time_iso'][:10]} {turn['text'][:200]}")
    return marks, predicted


# --- Recognizers-Text: mentions and values


_NO_ARTICLE = re.compile(
    r"the (?=(?:\d+ )?(?:last|next|past|previous|coming|upcoming|following|current|end|beginning)\b)", re.I
)
_PART_OF = re.compile(r"(?:week|year|month)s? (?:of|before|after)\b")
_LEADS = re.compile(r"(?:from|between|since|until|till|by|before|after|starting|in|no|ever|more|less)\b", re.I)


def _mention(text: str, span: TimeSpan) -> dict:
    """The span as that set writes it: with the preposition of a relation but not that of a date, ranges up to the
    start of the last period, `three weeks ago` as a day, lengths in seconds."""
    with_lead = span.relation in ("since", "until", "before", "after", "range") or span.point is not None
    words = text[span.begin : span.end]
    if with_lead and _LEADS.match(text, span.outer):
        words = text[span.outer : span.end]
    article = _NO_ARTICLE.match(words)
    if article and not _PART_OF.search(words):
        words = words[article.end() :]
    day, fine = "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"
    start, stop, edge = span.start, span.stop, span.earliest_stop or span.stop
    value = ""
    if span.relation in ("for", "after", "before") and span.length and start is None:
        value = str(int(span.length[0] * _SECONDS[span.length[1]]))
    elif span.relation == "at" and span.point:
        value = span.point.strftime(fine if span.grain in ("second", "minute", "hour") else day)
    elif span.relation == "at" and start and stop:
        if span.grain in ("second", "minute", "hour"):
            value = start.strftime(fine)
        elif span.grain == "day" and stop - start == timedelta(days=1):
            value = start.strftime(day)
        else:
            value = f"{start:%Y-%m-%d}/{stop:%Y-%m-%d}"
    elif span.relation in ("range", "for") and start and edge:
        value = f"{start:%Y-%m-%d}/{edge:%Y-%m-%d}"
    elif span.relation == "since" and start:
        value = f"{start:%Y-%m-%d}/"
    elif span.relation == "after" and start:
        value = f"{start - timedelta(days=span.grain == 'day'):%Y-%m-%d}/"
    elif span.relation in ("until", "before") and edge:
        value = f"/{edge:%Y-%m-%d}"
    return {"text": words, "values": [value]}


def recognizers(rows: list[dict], show: bool) -> tuple[dict[str, list[tuple[bool, bool]]], int, list[dict]]:
    """Marks by type, how many mentions we found that the set has not, and what we found."""
    marks: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    extra, predicted = 0, []
    for row in rows:
        if not row["id"].startswith("DateTimeModel_"):
            continue
        ref = datetime.fromisoformat(row["reference"] or "2016-11-07T00:00:00").replace(tzinfo=timezone.utc)
        text = row["input"]
        ours = [_mention(text, span) for span in find_times(text, ref, prefer="future")]
        predicted.append({"id": row["id"], "mentions": list(ours)})
        wanted = [m for m in row["mentions"] if m["type"] in _KEEP]
        for gold in wanted:
            name = (gold["text"] or "").casefold().strip()
            golds = {v["value"].replace(" ", "T") for v in gold["values"] if v.get("value")}
            golds |= {
                f"{v.get('start', '')}/{v.get('end', '')}" for v in gold["values"] if v.get("start") or v.get("end")
            }
            hit = next((o for o in ours if o["text"].casefold().strip() == name), None)
            if hit:
                ours.remove(hit)
            right = hit is not None and not golds.isdisjoint(hit["values"])
            for key in (gold["type"].removeprefix("datetimeV2."), "all"):
                marks[key].append((hit is not None, right))
            if show and not right:
                print(f"  {row['id']} {ref:%Y-%m-%d} {text[:90]!r}: {name!r} {sorted(golds)[:2]}; ours {hit or ours}")
        if len(wanted) == len(row["mentions"]):
            extra += len(ours)
            if show and ours:
                print(f"  {row['id']} {text[:90]!r}: extra {[o['text'] for o in ours]}")
    return marks, extra, predicted


def _speed() -> Iterator[tuple[str, float]]:
    plain = ["The new flat is small but it has a lovely view of the canal, so we are happy with it"] * 200
    plain += ["My sister Anna plays the cello and her husband works for a bakery in the old town"] * 200
    dated = ["We moved to Berlin in May last year", "Anna has worked at Acme for six years now"] * 200
    dated += ["The deadline is 12 September 2025 and the review is next Tuesday at 3pm"] * 200
    ref = datetime(2025, 6, 18, 10, tzinfo=timezone.utc)
    find_times("today", ref)
    for name, texts in (("without a time", plain), ("with a time", dated)):
        begin = time.perf_counter()
        for text in texts:
            find_times(text, ref)
        yield name, len(texts) / (time.perf_counter() - begin)


def _table(name: str, columns: list[str], marks: dict[str, list[tuple]]) -> None:
    print(f"{name:<14}{'n':>5}" + "".join(f"{column:>11}" for column in columns))
    for key, got in sorted(marks.items(), key=lambda kv: -len(kv[1])):
        means = (sum(mark[i] for mark in got) / len(got) for i in range(len(columns)))
        print(f"{key:<14}{len(got):>5}" + "".join(f"{mean:>11.3f}" for mean in means))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "bench")
    parser.add_argument("--misses", action="store_true", help="show what was missed")
    parser.add_argument("--speed", action="store_true", help="sentences a second, this machine")
    parser.add_argument("--write", type=Path, metavar="DIR", help="write the answers as JSON Lines, for another scorer")
    options = parser.parse_args()
    dates = options.data / "temporal" / "locomo_dates.jsonl"
    mentions = options.data / "temporal" / "recognizers_en.jsonl"
    for path in (dates, mentions):
        if not path.is_file():
            print(f"no data: {path} is missing; say where it is with --data DIR", file=sys.stderr)
    written: dict[str, list[dict]] = {}
    if dates.is_file():
        marks, written["locomo_dates"] = locomo(_rows(dates), options.misses)
        _table("locomo_dates", ["exact", "overlap", "intervals"], marks)
    if mentions.is_file():
        marks2, extra, written["recognizers_en"] = recognizers(_rows(mentions), options.misses)
        print()
        _table("recognizers", ["span", "value"], marks2)
        hits = sum(mark[0] for mark in marks2["all"])
        print(f"span precision {hits / max(1, hits + extra):.3f}")
    if options.write:
        options.write.mkdir(parents=True, exist_ok=True)
        for name, rows in written.items():
            lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (options.write / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    if options.speed:
        for name, rate in _speed():
            print(f"{name}: {rate:,.0f} sentences/s")


if __name__ == "__main__":
    main()
