"""How well times are found and resolved, against two public sets. Standard library and this package.

    python tests/bench/times.py [--data DIR] [--misses] [--speed]

DIR (default ../shared/bench beside the repository) holds `temporal/locomo_dates.jsonl` (LoCoMo, CC BY-NC 4.0) and
`temporal/recognizers_en.jsonl` (Microsoft Recognizers-Text, MIT); neither is part of this repository.

locomo_dates: questions "when did ..", answered by every interval that `find_times` puts on the evidence turns (a turn
    without any gets its session's day). exact: one of them equals the gold interval. overlap: one touches it and is at
    most twice as wide. intervals: how many a question got.
recognizers: span: the mention's text is found. value: and one gold value equals ours. Only types date, daterange,
    datetime and duration of the DateTimeModel rows count. Mentions there include their preposition, ends of ranges
    are the start of the last period, `three weeks ago` is a day; `_mention` translates.
"""

from __future__ import annotations

import argparse
import json
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


def locomo(rows: list[dict], show: bool) -> dict[str, list[tuple[bool, bool, int]]]:
    marks: dict[str, list[tuple[bool, bool, int]]] = defaultdict(list)
    for row in rows:
        found: list[tuple[date, date]] = []
        for turn in row["evidence"]:
            ref = datetime.fromisoformat(turn["session_time_iso"]).replace(tzinfo=timezone.utc)
            intervals = [i for i in map(event_interval, find_times(turn["text"], ref)) if i]
            found += intervals or [(ref.date(), ref.date())]
        found = list(dict.fromkeys(found))
        a, b = date.fromisoformat(row["gold_start"]), date.fromisoformat(row["gold_end"])
        exact = (a, b) in found
        overlap = any(s <= b and e >= a and (e - s).days + 1 <= 2 * ((b - a).days + 1) for s, e in found)
        for key in (row["grain"], "all"):
            marks[key].append((exact, overlap, len(found)))
        if show and not exact:
            print(f"  {row['id']}: wanted {a}..{b}, got {[f'{s}..{e}' for s, e in found]}")
            for turn in row["evidence"]:
                print(f"      {turn['session_time_iso'][:10]} {turn['text'][:200]}")
    return marks


# --- Recognizers-Text: mentions and values


def _value(when: datetime, *, point: bool) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%S") if point else when.strftime("%Y-%m-%d")


def _mention(text: str, span: TimeSpan) -> tuple[list[str], list[str]]:
    """The texts that the set might take for this mention, and its values."""
    fine = span.grain in ("second", "minute", "hour")
    texts = [text[span.begin : span.end], text[span.outer : span.end]]
    texts += [t[4:] for t in texts if t.lower().startswith("the ")]
    start, stop, edge = span.start, span.stop, span.earliest_stop or span.stop
    values: list[str] = []
    if span.relation == "for" or (span.relation == "after" and span.start is None):
        if span.length:
            values.append(str(int(span.length[0] * _SECONDS[span.length[1]])))
    if span.relation == "at" and start and stop:
        values.append(_value(start, point=fine))
        if span.point:
            values.append(_value(span.point, point=fine))
        values.append(f"{start:%Y-%m-%d}/{stop:%Y-%m-%d}")
    if span.relation in ("range", "for") and start and edge:
        values.append(f"{start:%Y-%m-%d}/{edge:%Y-%m-%d}")
        values.append(f"{start:%Y-%m-%d}/{stop:%Y-%m-%d}")
    if span.relation in ("since", "after") and start:
        values.append(f"{start:%Y-%m-%d}/")
        if span.relation == "after" and span.grain == "day":
            values.append(f"{start - timedelta(days=1):%Y-%m-%d}/")
    if span.relation in ("until", "before") and edge:
        values.append(f"/{edge:%Y-%m-%d}")
    return texts, values


def recognizers(rows: list[dict], show: bool) -> dict[str, list[tuple[bool, bool]]]:
    marks: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    extra = 0
    for row in rows:
        if not row["id"].startswith("DateTimeModel_"):
            continue
        ref = datetime.fromisoformat(row["reference"] or "2016-11-07T00:00:00").replace(tzinfo=timezone.utc)
        text = row["input"]
        spans = find_times(text, ref, prefer="future")
        ours = [_mention(text, span) for span in spans]
        wanted = [m for m in row["mentions"] if m["type"] in _KEEP]
        for gold in wanted:
            name = (gold["text"] or "").casefold().strip()
            hit = next((o for o in ours if name in [t.casefold().strip() for t in o[0]]), None)
            value = False
            if hit:
                ours.remove(hit)
                golds = {v["value"].replace(" ", "T") for v in gold["values"] if v.get("value")}
                golds |= {
                    f"{v.get('start', '')}/{v.get('end', '')}" for v in gold["values"] if v.get("start") or v.get("end")
                }
                value = not golds.isdisjoint(hit[1])
            for key in (gold["type"].removeprefix("datetimeV2."), "all"):
                marks[key].append((hit is not None, value))
            if show and not value:
                golds_shown = [v.get("value") or f"{v.get('start', '')}/{v.get('end', '')}" for v in gold["values"]]
                print(
                    f"  {row['id']} {ref:%Y-%m-%dT%H:%M} {text[:90]!r}: {name!r} {golds_shown[:2]}; ours {[_mention(text, s) for s in spans]}"
                )
        if len(wanted) == len(row["mentions"]):
            extra += len(ours)
            if show and ours:
                print(f"  {row['id']} {text[:90]!r}: extra {[o[0][0] for o in ours]}")
    marks["extra"] = [(False, False)] * extra
    return marks


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "bench")
    parser.add_argument("--misses", action="store_true", help="show what was missed")
    parser.add_argument("--speed", action="store_true", help="sentences a second, this machine")
    options = parser.parse_args()
    dates = options.data / "temporal" / "locomo_dates.jsonl"
    mentions = options.data / "temporal" / "recognizers_en.jsonl"
    for path in (dates, mentions):
        if not path.is_file():
            print(f"no data: {path} is missing; say where it is with --data DIR", file=sys.stderr)
    if dates.is_file():
        marks = locomo(_rows(dates), options.misses)
        print(f"{'locomo_dates':<14}{'n':>5}{'exact':>8}{'overlap':>9}{'intervals':>11}")
        for key, got in sorted(marks.items(), key=lambda kv: -len(kv[1])):
            n = len(got)
            print(
                f"{key:<14}{n:>5}{sum(g[0] for g in got) / n:>8.3f}{sum(g[1] for g in got) / n:>9.3f}{sum(g[2] for g in got) / n:>11.2f}"
            )
    if mentions.is_file():
        marks2 = recognizers(_rows(mentions), options.misses)
        extra = len(marks2.pop("extra"))
        print(f"\n{'recognizers':<14}{'n':>5}{'span':>8}{'value':>9}")
        for key, got2 in sorted(marks2.items(), key=lambda kv: -len(kv[1])):
            n = len(got2)
            print(f"{key:<14}{n:>5}{sum(g[0] for g in got2) / n:>8.3f}{sum(g[1] for g in got2) / n:>9.3f}")
        hits = sum(g[0] for g in marks2["all"])
        print(f"span precision {hits / max(1, hits + extra):.3f}")
    if options.speed:
        for name, rate in _speed():
            print(f"{name}: {rate:,.0f} sentences/s")


if __name__ == "__main__":
    main()
