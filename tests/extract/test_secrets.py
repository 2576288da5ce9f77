"""Secrets never reach the store: they are masked in the text, always by the same mask."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.extract import Extractor
from lean_memory.extract.secrets import find_secrets, mask_secrets
from lean_memory.records import Episode, Note
from tests.extract.material import SAID_AT

SECRET = [
    ("my password is hunter2!", "hunter2"),
    ("wifi password for the guest network is Sunny-Day-42", "Sunny-Day-42"),
    ('PASSWORD="correct horse battery"', "correct horse battery"),
    ("pin is 4921", "4921"),
    ("API_KEY=abcdef123456XYZ", "abcdef123456XYZ"),
    ("Authorization: Bearer abcdefghijklmnop.qrst", "abcdefghijklmnop.qrst"),
    ("use sk-" + "a1B2" * 8, "sk-" + "a1B2" * 8),
    ("ghp_" + "a1" * 18, "ghp_" + "a1" * 18),
    ("AKIA" + "ABCDEFGH12345678", "AKIA" + "ABCDEFGH12345678"),
    ("postgres://bob:s3cr3t@db.example.com/x", "s3cr3t"),
    ("My card is 4111 1111 1111 1111, exp 12/29", "4111 1111 1111 1111"),
    ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", "MIIE"),
    ("密码是abc12345", "abc12345"),
]  # fmt: skip

HARMLESS = [
    "the password is wrong",
    "the token is expired",
    "my secret is patience",
    "a passport number is needed",
    "the secret is that he left early",
    "call 555-0117 or +44 7700 900123",
    "the order number is 1234567890123",  # no card: fails the check digit
    "see https://example.com/a/b?c=d",
    "I forgot my password",
]


@pytest.mark.parametrize(("text", "secret"), SECRET)
def test_a_secret_is_masked(text: str, secret: str) -> None:
    masked = mask_secrets(text)
    assert secret not in masked
    assert "[secret:" in masked


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_words_stay(text: str) -> None:
    assert mask_secrets(text) == text


@pytest.mark.parametrize(("text", "secret"), SECRET)
def test_masking_again_changes_nothing(text: str, secret: str) -> None:
    masked = mask_secrets(text)
    assert mask_secrets(masked) == masked


def test_the_same_key_has_the_same_mask_and_another_key_another() -> None:
    one, two = "sk-" + "a1B2" * 8, "sk-" + "c3D4" * 8
    assert mask_secrets(f"{one} {one}").split()[0] == mask_secrets(f"x {one}").split()[1]
    assert mask_secrets(one) != mask_secrets(two)


def test_a_password_leaves_no_digest_to_guess_against() -> None:
    assert mask_secrets("my password is hunter2") == mask_secrets("my password is hunter3")


def test_the_episode_is_masked_unless_told_not_to(say: Callable[..., Episode]) -> None:
    text = "I work at Acme, my password is hunter2"
    assert say(text).text == "I work at Acme, my password is [secret:password]"
    assert [f.object for f in say(text).facts] == ["Acme"]
    assert Extractor(mask=False).episode(Note(text=text, t_ref=SAID_AT)).text == text


@given(st.text())
def test_secrets_are_disjoint_and_in_order(text: str) -> None:
    found = find_secrets(text)
    assert all(a < b <= len(text) for a, b, _ in found)
    assert all(x[1] <= y[0] for x, y in itertools.pairwise(found))
