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
# Prefixes that their makers publish so that scanners find them, by what follows them.
_TOKENS = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-(?:ant-|proj-|live-|or-v1-|svcacct-)?[A-Za-z0-9_-]{16,}"
    r"|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}"
    r"|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,}|gl(?:pat|rt|dt|cbt|ptt|soat|ft|agent|imt)-[A-Za-z0-9_-]{18,}"
    r"|ATATT3x[A-Za-z0-9_=-]{50,}|ATBB[A-Za-z0-9]{28,}"
    r"|xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[A-Za-z0-9_-]{24,}"
    r"|1//0[A-Za-z0-9_-]{40,}|[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"
    r"|(?:hf|npm|ntn|figd|gsk|r8|glsa|sntrys|sntryu|lin_api|pscale_(?:tkn|pw|oauth)|CLOJARS|secret)_[A-Za-z0-9_+/=-]{28,}"
    r"|dckr_pat_[A-Za-z0-9_-]{24,}|A{20,22}[A-Za-z0-9%]{40,}"
    r"|(?:dop|doo|dor)_v1_[a-f0-9]{60,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{30,}|sbp_[a-f0-9]{40}|rubygems_[a-f0-9]{48}"
    r"|dapi[a-f0-9]{32}(?:-\d)?|key-[a-f0-9]{32}|[a-f0-9]{32}-us\d{1,2}|SK[a-f0-9]{32}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}"
    r"|pypi-[A-Za-z0-9_-]{40,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}"
    r"|hv[sbr]\.[A-Za-z0-9_-]{20,}|dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9]{40,}|fm[12][a-z]?_[A-Za-z0-9+/=_,-]{40,}"
    r"|(?:xai|pplx|NRAK)-[A-Za-z0-9]{24,}|tskey-[a-z]+-[A-Za-z0-9-]{20,}|HRKU-[A-Za-z0-9_-]{36,}|AKCp[A-Za-z0-9]{60,}"
    r"|EAA[A-Z][A-Za-z0-9]{50,}|access_token\$[a-z]{4,12}\$[A-Za-z0-9]{8,40}\$[a-f0-9]{32}|AGE-SECRET-KEY-1[0-9A-Z]{50,}"
    r"|[0-9]{8,10}:AA[A-Za-z0-9_-]{33}|[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}"
    r")"
)
# Addresses that let in whoever knows them.
_HOOK = re.compile(
    r"\bhttps://(?:hooks\.slack\.com/(?:services|workflows)/|(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d+/)"
    r"(?P<secret>[A-Za-z0-9_/-]{20,})"
    r"|[?&#](?:sig|signature|sas|token|access_token|auth|apikey|api_key|key)=(?P<other>[A-Za-z0-9%+/_.~-]{20,})"
)
_URL_LOGIN = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]*:(?P<secret>[^\s/@]{3,})@")
_LOGIN = re.compile(r"(?:\s-u|--user|\blogin\s+\S{1,80}\s+password)[ =]\s*(?:[^\s:\"']+:)?(?P<secret>[^\s\"']{4,})")
_BEARER = re.compile(r"\b(?:Bearer|Basic)\s+(?P<secret>[A-Za-z0-9._~+/-]{16,}=*)")
_COOKIE = re.compile(r"\b(?:Set-)?Cookie:\s*(?P<secret>[^\s=;]+=[^\r\n]{8,})", re.IGNORECASE)
_LABELLED = re.compile(
    r"\b(?P<label>pass(?:word|wd|phrase|code)?|pwd|pin(?: code| number)?|secret(?: key)?|(?:api|access|auth|secret"
    r"|private|client|encryption|decryption|signing|master|webhook)[ _-]?(?:key|token|secret)|token|cvv2?|cvc2?"
    r"|recovery (?:code|key|phrase)|seed phrase)s?\b[\"']?\s*(?:(?:for|to|of)\s+(?:(?:the|my|our"
    r"|your)\s+)?[\w.-]+(?:\s+[\w.-]+)?\s+)?(?P<link>is\s*:|is|was|are|to|:=|=>"
    r"|[:=：])\s*(?P<secret>\"[^\"\n]{3,}\"|'[^'\n]{3,}'|`[^`\n]{3,}`|[^\s,;\"'`，。；]{3,})",
    re.IGNORECASE,
)
# As in files of settings: DB_PASSWORD=.., AccountKey=.., "clientSecret": ".."
_ASSIGNED = re.compile(
    r"(?<![\w.-])(?:[A-Za-z][\w.-]{0,60}?(?<![a-z](?=[a-z])))?"
    r"(?:[Pp]ass(?:word|wd|phrase|code)?|PASS(?:WORD|WD|PHRASE|CODE)?|[Pp]wd|PWD|[Ss]ecret|SECRET|[Tt]oken|TOKEN|ENCRYPT(?:_OLD)?"
    r"|(?:[Aa]pi|API|[Aa]ccess|ACCESS|[Aa]ccount|ACCOUNT|[Aa]uth|AUTH|[Pp]rivate|PRIVATE|[Ss]hared|SHARED|[Ss]igning|SIGNING"
    r"|[Ee]ncryption|ENCRYPTION|[Mm]aster|MASTER)[_-]?(?:[Kk]ey|KEY))"
    r"[\"']?\s*(?::=|=>|[:=])\s*(?P<secret>\"[^\"\n]{4,}\"|'[^'\n]{4,}'|[^\s,;\"'`&]{4,})"
)
_CODE = re.compile(
    r"\b(?:(?:verification|security|login|log-in|sign-in|one-time|backup|2fa|mfa|otp)\s+(?:code|password|pin)|otp|cvv2?|cvc2?)"
    r"(?:\s+(?:is|was)|\s*[:=])?\s+(?P<secret>\d{3,8})\b",
    re.IGNORECASE,
)
_PHRASE = re.compile(
    r"\b(?:(?:seed|recovery|backup|mnemonic|secret)\s+(?:phrase|words)|mnemonic)\b(?:\s+(?:is|was))?\s*[:=]?\s*"
    r"(?P<secret>[a-z]{3,8}(?:[\s,]+[a-z]{3,8}){11,23})\b"
)
# `my password is`, in other languages.
_FOREIGN = re.compile(
    r"(?:(?:\b(?:passwort|kennwort|wachtwoord|contrase(?:ñ|n\u0303)a|senha|palavra-passe|mot de passe|hasło"
    r"|lösenord|adgangskode|passord|salasana|şifre|parola|heslo|jelszó|пароль|пароля"
    r"|κωδικός|סיסמה|كلمة المرور|mật khẩu|kata sandi)"
    r"(?:\s+(?:ist|lautet|is|es|é|è|est|to|är|er|on|это))?\s*[:=]?\s+)|(?:パスワード|暗証番号|비밀번호|암호)\s*(?:は|が|는|은|[:：=])?\s*)"
    r"(?P<secret>[^\s,;，。；、]{4,})",
    re.IGNORECASE,
)
_ZH_LABELLED = re.compile(r"(?:密码|口令|密钥|验证码|令牌)(?:是|为|：|:|=)\s*(?P<secret>[^\s，。；,;]{3,})")
_CARD = re.compile(r"(?<![\d-])(?:\d[ -]?){12,18}\d(?![\d-])")
_MASK = re.compile(r"\[secret:[a-z_]+(?::[0-9a-f]{6})?\]")
# Without one of these there is nothing to find: keeps ordinary text cheap.
_HINT = re.compile(
    r"[A-Za-z0-9_-]{16}|\d{4}[ -]?\d{4}|://|pass|pwd|pin|secret|key|token|cv[vc]|phrase|bearer|basic|cookie|mnemonic|otp"
    r"|encrypt| code|--user|-u |密码|口令|密钥|验证码|令牌"
    r"|kennwort|wachtwoord|contrase|senha|hasło|lösenord|adgangskode|salasana|şifre|parola|heslo|jelszó|парол|κωδικός|סיסמה"
    r"|المرور|mật khẩu|kata sandi|パスワード|暗証番号|비밀번호|암호",
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
    for match in _HOOK.finditer(text):
        yield *match.span("secret" if match["secret"] else "other"), "token"
    for pattern, kind in ((_URL_LOGIN, "password"), (_BEARER, "token"), (_COOKIE, "token"), (_CODE, "password"),
                          (_PHRASE, "password")):  # fmt: skip
        for match in pattern.finditer(text):
            yield *match.span("secret"), kind
    for pattern in (_LOGIN, _FOREIGN):
        for match in pattern.finditer(text):
            secret = match["secret"].rstrip(".!?)。")
            if _mixed(secret) and not secret.startswith("[secret:"):
                yield match.start("secret"), match.start("secret") + len(secret), "password"
    for match in _ASSIGNED.finditer(text):
        secret = match["secret"].strip("\"'").rstrip(".!?)")
        if (
            len(secret) >= 4
            and _mixed(secret)
            and not secret.startswith(("[secret:", "$", "{", "<", "http", "os.", "@"))
        ):
            start = match.start("secret") + (match["secret"][0] in "\"'")
            yield start, start + len(secret), "secret"
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
    mixed = _mixed(secret)
    if link in ("is", "was", "are", "to"):
        return mixed and len(secret) >= 4
    return mixed or (
        len(secret) >= 6
        and _entropy(secret) > 2.5
        and label.startswith(("pass", "pwd", "api", "secret", "access", "auth"))
    )


def _mixed(text: str) -> bool:
    """Whether it is no word."""
    return any(c.isdigit() or not c.isalnum() for c in text) or (
        not text.islower() and not text.istitle() and not text.isupper()
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
