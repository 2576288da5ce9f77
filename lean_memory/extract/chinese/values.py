"""Objects of Chinese phrases: parted, cleaned, and checked against the kind that the predicate takes."""

from __future__ import annotations

import re
from collections.abc import Callable

from lean_memory.extract.chinese.subjects import ChineseSubjects
from lean_memory.extract.chinese.words import one_of
from lean_memory.extract.table import PredicateTable

__all__ = ["ChineseValues"]

_SPLIT = re.compile(r"[、/]|和|跟|与|以及|还有")
_DATE = re.compile(r"(?:\d{2,4}年)?\d{1,2}月\d{1,2}[日号]?|\d{4}-\d\d-\d\d|\d{4}年")


class ChineseValues(ChineseSubjects):
    """The words in a phrase's slots."""

    def __init__(self, table: PredicateTable) -> None:
        super().__init__(table)
        words = self.words
        self._particles = re.compile(f"(?:{one_of(words['end_particles'])}|\\s)*$")
        self._kinds: dict[str, Callable[[str], bool]] = {
            "job": lambda t: any(t.endswith(w) for w in words["jobs"]) and len(t) <= 12,
            "role": lambda t: False,
            "playable": lambda t: any(t.endswith(w) for w in words["playables"]) and len(t) <= 8,
            "language": lambda t: t.endswith(words["languages"]) and len(t) <= 6,
            "diet": lambda t: t in words["diets"],
            "condition": lambda t: t.endswith(words["conditions_named"]) and len(t) <= 10,
            "medicine": lambda t: t.endswith(words["medicine_ends"]) and len(t) <= 10,
            "animal": lambda t: any(w in t for w in words["animals"]) and len(t) <= 12,
            "date": lambda t: _DATE.search(t) is not None,
            "age": lambda t: t.isdigit() or all(c in "零一二三四五六七八九十百" for c in t),
            "phone": lambda t: sum(c.isdigit() for c in t) >= 5,
            "email": lambda t: "@" in t,
            "name": lambda t: 1 <= len(t) <= 8 and not t.endswith(("人", "们")),
            "person": lambda t: 1 <= len(t) <= 8,
            "field": lambda t: 1 < len(t) <= 8 and t != "读书",
            "seen_place": lambda t: t.endswith(
                (*words["places"], "国", "市", "省", "岛", "山", "城", "湖", "寺", "州")
            ),
            "group": lambda t: t.endswith(words["group_ends"]),
            "company": lambda t: t.endswith(words["company_ends"]) or t.isascii(),
            "org": lambda t: t not in words["places"] and not t.endswith(("市", "省", "县", "里", "上", "家")),
        }

    def _values(self, kind: str, raw: str) -> list[str]:
        raw = self._particles.sub("", raw).strip().strip("《》“”\"'")
        parts = (
            _SPLIT.split(raw)
            if kind not in ("name", "org", "place", "date", "phone", "email", "address", "plan", "decision", "wish")
            else [raw]
        )
        out = []
        for part in parts:
            value = re.sub(r"^(?:了|过|一点|一些|少量|流利的)+", "", part.strip().strip("《》的"))
            if kind == "animal":
                called = re.match(r".*(?:叫做?|名叫)(.+)$", value)
                value = called[1] if called and any(w in value for w in self.words["animals"]) else value
                if not called and not self._kinds["animal"](value):
                    continue
                value = (
                    re.sub(f"^{one_of(self.words['measure'])}", "", value)
                    if called is None and value.startswith(("一", "个", "只", "条"))
                    else value
                )
            elif kind == "job":
                value = re.sub(r"^(?:一名|一个|一位|名|位|个)", "", value)
            elif kind in ("vehicle", "possession", "purchase", "tool"):
                value = re.sub(r"^(?:一辆|一台|一部|一个|一双|一把|一本|辆|台|个|新的?)", "", value)
            check = self._kinds.get(kind)
            if (
                not value
                or value in self.words["not_objects"]
                or len(value) > 24
                or (kind != "animal" and check is not None and not check(value))
            ):
                continue
            if any(value.startswith(w) for w in ("它", "这", "那", "你")) and kind not in ("plan", "decision", "wish"):
                continue
            out.append(value)
        return out
