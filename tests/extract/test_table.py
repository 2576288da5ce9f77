"""The predicate table: what resolve and retrieve read from it, and what is told to a user whose file is wrong."""

from __future__ import annotations

import pytest

from lean_memory.errors import UsageError
from lean_memory.extract import default_table, load_table


def test_one_at_a_time_or_many() -> None:
    table = default_table()
    one = "name age birthday born_in lives_in works_at studies_at job_title drives phone email address married_to"
    many = "likes speaks has_pet uses hobby member_of owns friend_of parent_of allergic_to visited"
    assert all(table[name].functional for name in one.split())
    assert not any(table[name].functional for name in many.split())


def test_what_excludes_and_what_ends() -> None:
    table = default_table()
    assert table["likes"].excludes == ("dislikes",)
    assert set(table["married_to"].ends) == {"engaged_to", "partner_of"}
    for predicate in table.values():
        for other in (*predicate.excludes, *predicate.ends, *filter(None, [predicate.inverse])):
            assert other in table, f"{predicate.name} names {other}"
        assert predicate.kind in ("state", "event")
        assert 0 <= predicate.salience <= 10
        assert "{o}" in predicate.text
        assert "{s}" in predicate.text
    assert table.get("no_such") is None


def test_the_vocabulary_of_the_design_is_there() -> None:
    wanted = """
        name age birthday born_in from nationality lives_in works_at job_title studies_at field_of_study
        studied_at married_to partner_of engaged_to parent_of child_of sibling_of friend_of colleague_of
        has_pet owns drives likes dislikes favorite wants plans_to uses prefers speaks plays hobby member_of
        allergic_to diet has_condition takes_medication email phone address timezone visited attended bought
        read watched learned started finished decided deadline located_in is_a manages reports_to
        interested_in skilled_in believes moved_to about
    """
    assert set(wanted.split()) <= set(default_table())


def test_a_later_text_adds_to_lists_and_replaces_the_rest() -> None:
    table = load_table('[a]\ntext = "{s} {o}"\nphrases = ["do {o}"]', '[a]\nsalience = 9\nphrases = ["make {o}"]')
    assert table["a"].phrases == ("do {o}", "make {o}")
    assert (table["a"].text, table["a"].salience) == ("{s} {o}", 9)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[a", "not TOML"),
        ("a = 1", "not a table"),
        ("[a]\ncolour = 'red'", "unknown field 'colour'"),
        ("[a]\nfunctional = 'yes'", "must be a bool"),
        ("[a]\nphrases = [1]", "list of strings"),
        ("[[rule]]\nsay = 'do {x}'", "needs `say` and `facts`"),
    ],
)
def test_a_wrong_file_is_told_what_is_wrong(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        load_table(text)
