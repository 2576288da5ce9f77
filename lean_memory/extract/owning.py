"""Whose a fact may be: what somebody else says or writes is never the user's own, whatever it calls itself.

A text with a speaker is that person's: `User: I live in Leeds` within it, or `user works at the zoo`, is their words
about somebody of whom the user has said nothing.
"""

from __future__ import annotations

from lean_memory.names import name_key

__all__ = ["may_say"]

_USER = "user"


def may_say(speaker: str | None, subject: str) -> bool:
    """Whether a text of the speaker's may give a fact about the subject. None is the user."""
    if speaker is None or name_key(speaker) == _USER:
        return True
    key = name_key(subject)
    return key != _USER and not key.startswith((f"{_USER}'s ", f"{_USER}’s "))
