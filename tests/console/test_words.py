"""The console speaks each of its languages wholly, and what a memory says is never taken for markup."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.console.language import LANGUAGES, chosen, words
from lean_memory.console.marks import marked
from tests.commands import run
from tests.console.process import Console

PAGES = Path(__file__).parents[2] / "lean_memory" / "console" / "pages"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_says_everything_with_the_same_values(code: str) -> None:
    english, other = words("en"), words(code)
    assert other.keys() == english.keys()
    for key in sorted(english.keys()):
        assert set(re.findall(r"{\w+}", _raw(code, key))) == set(re.findall(r"{\w+}", _raw("en", key))), key


def _raw(code: str, key: str) -> str:
    class Blank(dict[str, str]):
        def __missing__(self, name: str) -> str:
            return f"{{{name}}}"

    return words(code)._table[key].format_map(Blank())


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("de, zh;q=0.5, en;q=0.7", "en"),
        ("fr", "en"),
        ("zh;q=0, en;q=0.1", "en"),
        ("zh;q=x", "en"),
        ("ZH-Hant", "zh"),
    ],
)
def test_the_language_is_the_one_that_the_browser_likes_best(header: str, language: str) -> None:
    assert chosen(header) == language


def test_a_chinese_reader_reads_chinese(console: Console) -> None:
    page = console.ask("/part/review", headers={"Accept-Language": "zh-CN,zh;q=0.9"}).text
    assert "有 5 条建议等待决定。" in page
    assert "Approve" not in page
    assert 'lang="zh"' in console.ask("/", token=None, headers={"Accept-Language": "zh"}).text


@given(st.text("ab é你好 \n", max_size=12), st.text("ab É你好 \n", max_size=12))
def test_a_marked_difference_loses_no_letter_and_marks_what_differs_alone(one: str, other: str) -> None:
    left, right = marked(one, other)
    assert "".join(text for text, _ in left) == one
    assert "".join(text for text, _ in right) == other

    def common(pieces: list[tuple[str, bool]]) -> list[str]:
        return "".join(text for text, only in pieces if not only).casefold().split()

    if one.casefold() == other.casefold():
        assert not any(only for _, only in [*left, *right])
    assert all(text == text.strip() for text, only in [*left, *right] if only)
    assert "".join(common(left)) == "".join(common(right))


def test_words_that_differ_are_marked() -> None:
    left, right = marked("likes long quiet walks", "likes long slow walks")
    assert left == [("likes long ", False), ("quiet", True), (" walks", False)]
    assert right == [("likes long ", False), ("slow", True), (" walks", False)]


EVIL = """</textarea></script><script>alert(1)</script><img src=x onerror=alert(2)>"'&{{7*7}}"""


def test_what_a_memory_says_is_text_wherever_it_is_shown(tmp_path: Path) -> None:
    """A fact, its quote, the speaker, the subject, the predicate's value, the memory's name and who decides."""
    namespace = EVIL[:60]
    facts = [
        {"subject": EVIL, "predicate": "bought", "object": f"{EVIL} {n}", "text": f"{EVIL} {n}", "quote": EVIL,
         "span": [0, len(EVIL)], "salience": 4}
        for n in range(6)
    ]  # fmt: skip
    lines = [
        {"type": "episode", "text": EVIL, "t_ref": f"2020-01-0{n + 1}T00:00:00Z", "speaker": EVIL, "facts": [fact]}
        for n, fact in enumerate(facts)
    ]
    stdin = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    assert run('lm-store -n "$NAME"', folder=tmp_path, stdin=stdin, NAME=namespace).rc == 0
    assert run('lm-maintain -n "$NAME" --apply', folder=tmp_path, NAME=namespace).rc == 0
    where = f"n={quote(namespace)}"
    with Console(tmp_path, "--by", EVIL) as console:
        proposals = [json.loads(line) for line in run("lm-review list", folder=tmp_path).stdout.splitlines()]
        assert proposals
        fact = proposals[0]["targets"][0]["id"]
        shown = [
            console.ask(f"/part/{part}")
            for part in (
                f"review?{where}&status=any", f"search?{where}&q={quote(EVIL)}",
                f"timeline?{where}&entity={quote(EVIL)}",
                f"timeline?{where}", f"activity?{where}", f"namespaces?{where}", f"source?{where}&fact={fact}",
                f"source?{where}&fact={quote(EVIL)}", f"review?n={quote(EVIL)}",
            )
        ]  # fmt: skip
        shown.append(console.ask(f"/part/maintain?{where}", {"apply": False}))
        decision = {"proposal": proposals[0]["id"], "verdict": "keep", "edits": {}}
        shown.append(console.ask(f"/part/decide?{where}", {"decisions": [decision]}))
        shown.append(console.ask(f"/part/decide?{where}", {"decisions": [{**decision, "proposal": EVIL}]}))
        shown.append(console.ask(f"/part/review?{where}&status=any"))
    for answer in shown:
        assert answer.status in (200, 404)
        assert "<script" not in answer.text
        assert "<img" not in answer.text
        assert "49" not in re.findall(r"\b49\b", answer.text)
        assert answer.headers["content-type"].startswith("text/html")
    assert sum("&lt;script&gt;" in answer.text for answer in shown) >= 9


def test_every_template_is_escaped_by_default() -> None:
    for path in PAGES.glob("*.html"):
        text = path.read_text("utf-8")
        assert "|safe" not in text.replace(" ", ""), path.name
        assert "autoescape" not in text, path.name
