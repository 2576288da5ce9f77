"""A Chinese question is understood as an English one is."""

from __future__ import annotations

import pytest

from lean_memory.extract import default_table
from lean_memory.retrieve import chinese, roles, understand
from lean_memory.retrieve.query import about, asks_for
from lean_memory.words import query_terms

ASKS = {name: row.asks for name, row in default_table().items()}


@pytest.mark.parametrize(
    ("question", "predicate"),
    [
        ("我在哪里工作？", "works_at"),
        ("我在哪儿上班", "works_at"),
        ("我是做什么的？", "job_title"),
        ("我住在哪里？", "lives_in"),
        ("我对什么过敏？", "allergic_to"),
        ("我养了什么宠物？", "has_pet"),
        ("我的生日是几号？", "birthday"),
        ("我会说什么语言？", "speaks"),
        ("我有什么爱好？", "hobby"),
        ("我打算做什么？", "plans_to"),
    ],
)
def test_it_asks_for_a_predicate_of_the_user(question: str, predicate: str) -> None:
    query = understand(question, asks=ASKS)
    assert asks_for(query, predicate, "user") >= 0.5
    assert about(query, "user") == 1.0
    assert query.present
    assert not query.past


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("我妹妹住在哪里？", "妹妹"),
        ("我的老板叫什么", "老板"),
        ("我家的狗几岁了？", "狗"),
        ("我表姐在哪儿上班？", "表姐"),
    ],
)
def test_whom_it_calls_by_what_they_are_is_not_the_user(question: str, role: str) -> None:
    assert roles(question) == [f"user's {role}"]
    query = understand(question)
    assert about(query, f"user's {role}") == 1.0


def test_a_question_about_a_sister_is_none_about_the_user_but_who_she_is_is() -> None:
    assert not understand("我妹妹住在哪里？").first_person
    assert understand("我妹妹和我谁大？").first_person
    assert understand("我妹妹是谁？").first_person
    assert understand("谁是我的老板？").first_person


@pytest.mark.parametrize("question", ["我以前在哪里工作？", "我小时候住在哪儿？", "我曾经养过什么？", "那时我和谁住？"])
def test_words_of_the_past_ask_for_what_has_been(question: str) -> None:
    assert understand(question).past
    assert not understand(question).present


@pytest.mark.parametrize("question", ["我昨天去了哪里？", "我去年买了什么？", "我搬家了吗？"])
def test_what_happened_once_is_neither(question: str) -> None:
    query = understand(question)
    assert (query.past, query.present) == (False, False)


@pytest.mark.parametrize("question", ["我什么时候搬家的？", "我几岁了", "我在这里多久了？", "哪一年毕业的？"])
def test_it_asks_for_a_time(question: str) -> None:
    assert understand(question).asks_time


def test_what_is_not_so_is_asked_for_with_a_negation_or_a_question_of_yes_or_no() -> None:
    assert understand("我不吃什么？").denial
    assert understand("小雅喜欢香菜吗？").denial
    assert not understand("小雅喜欢什么？").denial


def test_the_words_that_ask_are_no_terms() -> None:
    assert query_terms("我在哪里工作？") == ["在", "工作"]
    assert query_terms("請問你為什麼喜歡爵士？") == query_terms("喜歡爵士")
    assert query_terms("谁？") == ["谁"], "where there are no others they stay"
    assert query_terms("哪吒的故事") == ["哪吒", "吒的", "的故", "故事"]
    assert query_terms("啤酒吧台") == ["啤酒", "酒吧", "吧台"]


def test_other_languages_have_nothing_of_it() -> None:
    assert chinese.read("where do I work?") is None
    assert chinese.read("どこ") is None
