"""A cascade of regular expressions over roles: the engine that a language's tables drive.

Theory of operation. Each word has roles (`month`, `unit`, `since`; `second` is both `ord` and `unit`), with a value for
each. A token is written as one character that stands for its set of roles, so a stretch of text becomes a short
string, and a rule is a regular expression over it: `<month:m> <dom:d> (?:<comma>? <year:y>)?` names roles, with a
label where the action needs the value (`d` and `d2` in two branches are one label). Stages run in order; in each, the
leftmost match is replaced by the one token that its action returns. An action that returns None declines, and the
next rule is tried at that place.
This is the finite-state cascade of FASTUS (Hobbs et al., 1997), with Python's `re` as the automaton.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["Action", "Alphabet", "Match", "Node", "Roles", "Stage", "Token"]

Roles: TypeAlias = Mapping[str, Any]
Node: TypeAlias = "Mapping[str, Any] | None"

_ELEMENT = re.compile(r"<(\w+)(?::(\w+))?>")


@dataclass(slots=True)
class Token:
    """Text [begin, end) with its roles. `first` and `last` are the places of its words in the raw token list."""

    begin: int
    end: int
    roles: Roles
    char: str
    first: int = 0
    last: int = 0


class Alphabet:
    """One private character a set of roles. Every set has to be known before the first rule is compiled."""

    def __init__(self, role_sets: Sequence[frozenset[str]], aliases: Mapping[str, tuple[str, ...]]) -> None:
        # From chr(1) on: `re` tests sets of characters below 256 with a bitmap.
        self.chars = {roles: chr(1 + i) for i, roles in enumerate(dict.fromkeys(role_sets))}
        self._single = {next(iter(roles)): char for roles, char in self.chars.items() if len(roles) == 1}
        self.aliases = aliases
        self._classes: dict[str, str] = {}

    def char(self, roles: Roles) -> str:
        """The character of a token with these roles."""
        return self._single[next(iter(roles))] if len(roles) == 1 else self.chars[frozenset(roles)]

    def class_of(self, name: str) -> str:
        """All characters that stand for the role (or one of the alias's roles), as a class of a regular expression.

        Raises ValueError when nothing has the role.
        """
        if name not in self._classes:
            wanted = frozenset(self.aliases.get(name, (name,)))
            found = "".join(re.escape(char) for roles, char in self.chars.items() if not wanted.isdisjoint(roles))
            if not found:
                raise ValueError(f"no word and no action gives the role {name!r}")
            self._classes[name] = f"[{found}]"
        return self._classes[name]

    def compile(self, pattern: str, *, labels: bool) -> str:
        """The pattern as a regular expression over characters."""

        def element(match: re.Match[str]) -> str:
            chars = self.class_of(match[1])
            return f"(?P<{match[2]}>{chars})" if labels and match[2] else chars

        return _ELEMENT.sub(element, pattern.replace(" ", ""))


@dataclass(slots=True)
class Match:
    """What an action sees: the tokens matched, their labelled values, and where in the text it is."""

    tokens: Sequence[Token]
    labelled: Mapping[str, tuple[str, Token]]
    aliases: Mapping[str, tuple[str, ...]]
    begin: int = 0
    end: int = 0

    def __contains__(self, label: str) -> bool:
        return label in self.labelled

    def token(self, label: str) -> Token:
        """The token under the label."""
        return self.labelled[label][1]

    def __getitem__(self, label: str) -> Any:
        """The value under the label; KeyError when that part of the pattern did not take part."""
        role, token = self.labelled[label]
        return next(token.roles[r] for r in self.aliases.get(role, (role,)) if r in token.roles)

    def get(self, label: str, default: Any = None) -> Any:
        """The value under the label, or the default."""
        return self[label] if label in self.labelled else default


Action: TypeAlias = Callable[[Match, Any], Node]


class _Rule:
    """A pattern and its action. The pattern with its labels is compiled when it first matches."""

    def __init__(self, name: str, pattern: str, action: Action, alphabet: Alphabet) -> None:
        self.name, self.pattern, self.action, self._alphabet = name, pattern, action, alphabet
        # group, label, role
        self.labels = [(m[2], m[2].rstrip("0123456789"), m[1]) for m in _ELEMENT.finditer(pattern) if m[2]]
        self._labelled: re.Pattern[str] | None = None

    @property
    def labelled(self) -> re.Pattern[str]:
        if self._labelled is None:
            self._labelled = re.compile(self._alphabet.compile(self.pattern, labels=True))
        return self._labelled


class Stage:
    """Rules that are tried together at each place, in their order."""

    def __init__(self, rules: Sequence[tuple[str, str]], actions: Mapping[str, Action], alphabet: Alphabet) -> None:
        self._alphabet = alphabet
        self._rules: list[_Rule] = []
        plain: list[str] = []
        for name, pattern in rules:
            try:
                self._rules.append(_Rule(name, pattern, actions[name], alphabet))
                plain.append(f"(?P<r{len(plain)}>{alphabet.compile(pattern, labels=False)})")
            except (KeyError, ValueError) as err:
                raise ValueError(f"rule {name!r} {pattern!r}: {err}") from err
        self._any = re.compile("|".join(plain))

    def check(self) -> None:
        """Compiles every rule now. Raises ValueError for one that can't be."""
        for rule in self._rules:
            try:
                _ = rule.labelled
            except re.error as err:
                raise ValueError(f"rule {rule.name!r} {rule.pattern!r}: {err}") from err

    def run(self, tokens: list[Token], text: str, context: Any) -> str:
        """Rewrites `tokens` in place. `text` is their characters; returns the characters after."""
        found = self._any.search(text)
        if found is None:
            return text
        out: list[Token] = []
        at, rules = 0, len(self._rules)
        while found is not None:
            start = found.start()
            out += tokens[at:start]
            rule, token = int((found.lastgroup or "r0")[1:]), None
            while token is None and rule < rules:
                token, at = self._apply(rule, text, start, tokens, context)
                rule += 1
            if token is None:
                token, at = tokens[start], start + 1
            out.append(token)
            found = self._any.search(text, at)
        out += tokens[at:]
        tokens[:] = out
        return "".join([token.char for token in out])

    def _apply(self, index: int, text: str, start: int, tokens: list[Token], context: Any) -> tuple[Token | None, int]:
        rule = self._rules[index]
        found = rule.labelled.match(text, start)
        if found is None or found.end() == start:
            return None, start
        begin, end = found.span()
        labelled = {}
        for label, name, role in rule.labels:
            place = found.start(label)
            if place >= 0:
                labelled[name] = (role, tokens[place])
        matched = tokens[begin:end]
        roles = rule.action(Match(matched, labelled, self._alphabet.aliases, begin, end), context)
        if roles is None:
            return None, start
        head, tail = matched[0], matched[-1]
        return Token(head.begin, tail.end, roles, self._alphabet.char(roles), head.first, tail.last), end
