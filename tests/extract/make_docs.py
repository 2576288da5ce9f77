"""Writes `docs/extraction.md` from the case files. Run: python -m tests.extract.make_docs"""

from __future__ import annotations

from pathlib import Path

from tests.extract.material import ROOT, Kind, read_kinds

__all__ = ["page"]

_HEAD = """\
# What is understood

<!-- Made by `python -m tests.extract.make_docs` from `tests/extract/cases/`; the tests check every line. -->

Facts are read from text by rules, without a model. All examples are said on Tuesday, 10 March 2026, at noon UTC.
A fact is written `subject | predicate | object`; `from` and `until` bound it in world time (`now` is the moment of
speaking), `not` marks a denial; `adds`, `corrects` and `replaces` say how it relates to what was known.
Where no fact stands, the sentence stays searchable as an episode and nothing is concluded from it.

## Confidence

How directly the words say it, not a measured probability: .95 for the first person, .9 for a named other, .85 where the
subject is left out, .8 and less for pronouns, plans and what is understood from context, .65 for reported words.
What it is worth, on 450 turns by three writers who listed the facts that a reader takes from each and some that a
reader must not (`tests/bench/calibration.py`):

| confidence from | facts | expected by the reader | neither listed nor ruled out | ruled out |
| --- | --- | --- | --- | --- |
| .90 | 416 | .94 | .06 | .00 |
| .80 | 173 | .93 | .07 | .00 |
| .70 | 14 | 1.00 | .00 | .00 |
| less | 9 | .89 | .11 | .00 |

The rules have been improved with two of the three sets, so expect a little less of other text.
The rules are made to be right or silent, so the levels differ little; what they decide is whether a model is asked.

## Salience

0 to 10, by fixed rules: the predicate's own weight (see `predicates.toml`: identity, health and family high, purchases
and films low); +2 where the sentence asks to be remembered; +0.5 for the speaker and the speaker's relatives, -1 for
others; -1 for what is over; -1 below a confidence of .7.

## Secrets and recalled text

Keys, tokens, passwords, private keys and card numbers are masked before anything is stored. Text between
`<recalled-memory>` and `</recalled-memory>`, code blocks and quoted mail (`>`) are kept but not read for facts.

## With a dependency parse

With the extra `[parse]` installed (spaCy and its small English pipeline), a sentence in which the rules leave a telling
verb unread is parsed, and its clauses are put in plain order (subject, verb, object) and read again:
`the firm I work for is Acme`, `Leeds is where I live`, `mushrooms I hate`. What a question, a condition, a wish or
somebody's opinion holds stays unread. Such facts have the route `parse` and a confidence of at most .85.

`tests/bench/parse.py` measures three ways: the rules' own clauses; the parse's in their place; both, which is what the
extra does. Expected facts found, with the rules as they were then:

| cases | rules | parse | both |
| --- | --- | --- | --- |
| 150 turns that the rules were made with (220 facts) | 1.000 | .882 | 1.000 |
| 150 harder turns by others (182 facts) | .566 | .538 | .582 |
| 69 sentences of hard shape (62 facts), made for this | .468 | .403 | .742 |
| cases without a fact that must not be read (the second set) | .990 | .990 | .990 |
| dates right | 1.000 | 1.000 | 1.000 |
| other facts a case (the second set) | .09 | .11 | .10 |
| facts from 60 turns of chatter | 0 | 0 | 0 |
| sentences a second of processor time, a busy machine | 900-1,900 | 150-270 | 230-380 |

So the parse alone is worse than the rules and both together are better at the same precision, most where words stand in
an unusual order; ordinary turns gain little. It costs about four times the time a sentence, and two seconds to load at
the first sentence that needs it. Hence the choice: the default install does without; who installs the extra gets both,
and `LM_PARSE=off` switches it off. A spaCy pipeline that is there for something else must be asked for with
`LM_PARSE=spacy`.
"""


def page(kinds: list[Kind]) -> str:
    """The page's text."""
    out = [_HEAD]
    for kind in kinds:
        out.append(f"## {kind.title}\n")
        if kind.about:
            out.append(f"{kind.about}\n")
        out.append("| said | facts |\n| --- | --- |")
        for case in kind.cases:
            said = _cell(case.say) + (f" ({case.speaker} speaks)" if case.speaker else "")
            facts = "<br>".join(f"`{_cell(fact)}`" for fact in case.facts) or "none"
            out.append(f"| {said} | {facts} |")
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>").replace("<br>- ", "<br>• ")


if __name__ == "__main__":
    Path(ROOT, "docs", "extraction.md").write_text(page(read_kinds()), encoding="utf-8")
