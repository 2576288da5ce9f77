"""Who a Chinese clause is about: the speaker, relatives, names, 他 and 她."""

from __future__ import annotations

import re

from lean_memory.extract.chinese.model import ChineseClause
from lean_memory.extract.chinese.words import NAME, chinese_words, one_of
from lean_memory.extract.people import Mention
from lean_memory.extract.reading import Reading
from lean_memory.extract.table import PredicateTable
from lean_memory.extract.turn import Turn

__all__ = ["ChineseSubjects"]

_PLURAL_SPEAKER = ("我们", "咱们", "我", "咱", "俺", "本人")


class ChineseSubjects:
    """The words before a phrase, as those whom it is said of."""

    def __init__(self, table: PredicateTable) -> None:
        words = self.words = chinese_words()
        self._table = table
        self._relations: dict[str, tuple[str | None, bool]] = dict.fromkeys(words["roles"], (None, False))
        self._relations |= dict.fromkeys(words["relatives"], ("relative_of" if "relative_of" in table else None, False))
        for predicate in table.values():
            self._relations |= dict.fromkeys(predicate.zh_relatives, (predicate.name, False))
        for word in [w for w, (p, _) in self._relations.items() if p in ("married_to", "partner_of")]:
            self._relations["前" + word] = (self._relations[word][0], True)
        self._relations |= {"前夫": ("married_to", True), "前妻": ("married_to", True)} if "married_to" in table else {}
        self._kin = one_of(tuple(sorted(self._relations, key=len, reverse=True)))

    def _who(
        self,
        turn: Turn,
        head: str,
        clause: ChineseClause,
        subject: list[tuple[str, float]] | None,
        *,
        noun: bool = False,
        loose: bool = False,
    ) -> tuple[list[tuple[str, float]], list[Reading]]:
        head = head.strip().removesuffix("的") if noun else head.strip()
        head = re.sub(
            f"^(?:{one_of(self.words['adverbs'])}|{one_of(self.words['past'])}|不过|但是?|而且|然后|所以|因为|对了|另外|从|自从|自|到|于|在)+",
            "",
            head,
        ).strip()
        if not head:
            if loose:
                return [], []
            return (subject or [(turn.speaker, 0.8)]), []
        out: list[tuple[str, float]] = []
        named: list[Reading] = []
        for part in re.split(r"和|跟|与|、", head):
            got = self._one(turn, part.strip(), clause, named, loose)
            if got is None:
                return [], []
            out.append(got)
        return out, named

    def _one(
        self, turn: Turn, part: str, clause: ChineseClause, named: list[Reading], loose: bool
    ) -> tuple[str, float] | None:
        part = part.removesuffix("的")
        if part in _PLURAL_SPEAKER or part in ("我家", "我们家", "咱家"):
            return turn.speaker, 0.95
        if part in ("他", "她", "TA", "ta"):
            found = turn.memory.resolve("he" if part == "他" else "she" if part == "她" else "they")
            return (found.name, 0.75) if found else None
        kin = re.match(
            f"(?:(?P<me>我们?|咱们?)|(?P<he>他|她)|(?P<who>{NAME.pattern}?))?(?P<of>家)?的?(?P<adj>新|老|前|大|小|最好的)?(?P<rel>{self._kin})(?:叫做?)?(?P<name>.{{0,8}})$",
            part,
        )
        if kin and (kin["me"] or kin["he"] or kin["who"] or len(kin["rel"]) > 1):
            owner = turn.speaker
            if kin["he"]:
                found = turn.memory.resolve("he" if kin["he"] == "他" else "she")
                if found is None:
                    return None
                owner = found.name
            elif kin["who"]:
                owner = kin["who"].removesuffix("的")
                if owner in self.words["not_names"]:
                    return None
            word = kin["rel"]
            role = f"{owner}'s {word}"
            gender = "m" if word in self.words["male"] else "f" if word in self.words["female"] else None
            name = "" if loose else kin["name"].strip()
            if name and not re.fullmatch(r"[\u4e00-\u9fff·]{1,4}|[A-Za-z][\w.' -]*", name):
                return None
            predicate, former = (
                self._relations["前" + word]
                if kin["adj"] == "前" and "前" + word in self._relations
                else self._relations[word]
            )
            if name:
                turn.memory.add(Mention(0, 0, name, gender, relation=word, owner=owner, named=True, role=role))
                if predicate:
                    named.append(
                        Reading(
                            owner,
                            predicate,
                            name,
                            clause.start,
                            clause.end,
                            starts=None if former else turn.t_ref,
                            ends=turn.t_ref if former else None,
                            confidence=0.9,
                        )
                    )
                return name, 0.9
            known = turn.memory.aliases.get(role, role)
            turn.memory.add(Mention(0, 0, known, gender, relation=word, owner=owner, role=role))
            return known, 0.9
        if (
            NAME.fullmatch(part)
            and part not in self.words["not_names"]
            and not part.startswith(("这", "那", "你", "每", "有", "没", "不", "很", "我", "他", "她", "想"))
        ):
            if loose and not part.endswith(self.words["titles"]):
                return None
            turn.memory.add(Mention(0, 0, part, named=True))
            return part, 0.85
        return None
