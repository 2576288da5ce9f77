"""Masks secrets before anything is stored: keys, tokens, passwords, private keys, card numbers.

A mask keeps the kind and a short digest, so the same secret always looks the same and two different ones don't:
`[secret:api_key:3f9a1c]`. The digest is keyless and short: it identifies, it does not protect a guessable secret, so
passwords get none.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator

__all__ = ["find_secrets", "mask_secrets"]

_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
# Prefixes that their makers publish so that scanners find them.
_TOKENS = re.compile(
    r"\b(?:sk-(?:ant-|proj-|live-)?[A-Za-z0-9_-]{16,}|sk_(?:live|test)_[A-Za-z0-9]{16,}|rk_live_[A-Za-z0-9]{16,}|pk_live_[A-Za-z0-9]{16,}"
    r"|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,}|glpat-[A-Za-z0-9_-]{18,}|xox[abposr]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}"
    r"|AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{30,}"
    r"|pypi-[A-Za-z0-9_-]{40,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|dop_v1_[a-f0-9]{60,}|shpat_[a-fA-F0-9]{30,}|AGE-SECRET-KEY-1[0-9A-Z]{50,}"
    r"|[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,})"
)
_URL_LOGIN = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:(?P<secret>[^\s/@]{3,})@")
_BEARER = re.compile(r"\b(?:Bearer|Basic)\s+(?P<secret>[A-Za-z0-9._~+/-]{16,}=*)")
_LABELLED = re.compile(
    r"\b(?P<label>pass(?:word|wd|phrase|code)?|pwd|pin(?: code| number)?|secret(?: key)?|(?:api|access"
    r"|auth|secret|private|client)[ _-]?(?:key|token|secret)|token|cvv|cvc"
    r"|recovery (?:code|key|phrase)|seed phrase)s?\b[\"']?\s*(?:(?:for|to|of)\s+(?:(?:the|my|our"
    r"|your)\s+)?[\w.-]+(?:\s+[\w.-]+)?\s+)?(?P<link>is\s*:|is|was|are|to|:=|=>"
    r"|[:=：])\s*(?P<secret>\"[^\"\n]{3,}\"|'[^'\n]{3,}'|`[^`\n]{3,}`|[^\s,;\"'`，。；]{3,})",
    re.IGNORECASE,
)
_ZH_LABELLED = re.compile(r"(?:密码|口令|密钥|验证码|令牌)(?:是|为|：|:|=)\s*(?P<secret>[^\s，。；,;]{3,})")
_CARD = re.compile(r"(?<![\d-])(?:\d[ -]?){12,18}\d(?![\d-])")
_MASK = re.compile(r"\[secret:[a-z_]+(?::[0-9a-f]{6})?\]")
# Without one of these there is nothing to find: keeps ordinary text cheap.
_HINT = re.compile(
    r"[A-Za-z0-9_-]{16}|\d{4}[ -]?\d{4}|://|pass|pwd|pin|secret|key|token|cv[vc]|phrase|bearer|basic|密码|口令|密钥|验证码|令牌",
    re.IGNORECASE,
)
_WORDS = frozenset(
    "the a an my our your his her not no very so too wrong right correct strong weak long short expired "
    "changed reset required needed secret same "
    "different invalid valid missing lost forgotten safe secure stored saved kept in on at for with and "
    "or but that this what it easy hard "
    "hunter unknown empty protected encrypted hashed hidden important stolen leaked compromised good bad "
    "something stuck up down about "
    "how where when why who whatever everyone nobody being getting been also still now always never just only".split()
)


def mask_secrets(text: str) -> str:
    """The text with every secret replaced by its mask; the text itself when there is none."""
    out: list[str] = []
    at = 0
    for start, end, kind in find_secrets(text):
        out += [text[at:start], _mask(kind, text[start:end])]
        at = end
    return "".join([*out, text[at:]]) if out else text


def find_secrets(text: str) -> list[tuple[int, int, str]]:
    """(start, end, kind) of each secret, in order and disjoint."""
    if not _HINT.search(text):
        return []
    found: list[tuple[int, int, str]] = []
    masks = [match.span() for match in _MASK.finditer(text)]
    for start, end, kind in sorted(_candidates(text), key=lambda c: (c[0], -c[1])):
        if (not found or start >= found[-1][1]) and not any(a < end and start < b for a, b in masks):
            found.append((start, end, kind))
    return found


def _candidates(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _PRIVATE_KEY.finditer(text):
        yield *match.span(), "private_key"
    for match in _TOKENS.finditer(text):
        yield *match.span(), "token"
    for match in _URL_LOGIN.finditer(text):
        yield *match.span("secret"), "password"
    for match in _BEARER.finditer(text):
        yield *match.span("secret"), "token"
    for match in _LABELLED.finditer(text):
        secret = match["secret"].strip("\"'`").rstrip(".!?)")
        if _looks_secret(secret, match["label"].lower(), match["link"].lower()):
            start = match.start("secret") + (match["secret"][0] in "\"'`")
            yield (
                start,
                start + len(secret),
                "password" if match["label"].lower()[:3] in ("pas", "pwd", "pin", "cvv", "cvc") else "secret",
            )
    for match in _ZH_LABELLED.finditer(text):
        if not match["secret"].startswith("["):
            yield *match.span("secret"), "password"
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if 13 <= len(digits) <= 19 and digits[0] in "23456" and _luhn(digits):
            yield match.start(), match.end(), "card"


def _looks_secret(secret: str, label: str, link: str) -> bool:
    """`password: hunter2` is one, `the password is wrong` and `the token is expired` are none."""
    low = secret.lower()
    if low in _WORDS or secret.startswith(("[secret:", "http://", "https://")):
        return False
    if label.startswith(("pin", "cvv", "cvc")):
        return secret.isdigit() and 3 <= len(secret) <= 8
    mixed = any(c.isdigit() or not c.isalnum() for c in secret) or (
        not secret.islower() and not secret.istitle() and not secret.isupper()
    )
    if link in ("is", "was", "are", "to"):
        return mixed and len(secret) >= 4
    return mixed or (
        len(secret) >= 6
        and _entropy(secret) > 2.5
        and label.startswith(("pass", "pwd", "api", "secret", "access", "auth"))
    )


def _entropy(text: str) -> float:
    """Shannon entropy in bits per character."""
    return -sum((n := text.count(c) / len(text)) * math.log2(n) for c in set(text))


def _luhn(digits: str) -> bool:
    """The check digit of payment cards (ISO/IEC 7812-1, annex B)."""
    total = 0
    for i, c in enumerate(reversed(digits)):
        d = int(c) * (2 if i % 2 else 1)
        total += d - 9 if d > 9 else d
    return total % 10 == 0


def _mask(kind: str, secret: str) -> str:
    if kind == "password":
        return "[secret:password]"
    digest = hashlib.blake2b(secret.encode("utf-8", "surrogatepass"), digest_size=3).hexdigest()
    return f"[secret:{kind}:{digest}]"
