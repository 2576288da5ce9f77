"""Secrets of many kinds, made up anew at every run: none stands in a file, where a scanner would find it."""

from __future__ import annotations

import secrets
import string

__all__ = ["Secret", "made_up"]

Secret = tuple[str, str]
"""What is written, and what in it must not be kept."""

_LETTERS = string.ascii_letters + string.digits
_UPPER = string.ascii_uppercase + string.digits
_HEX = "0123456789abcdef"


def _some(length: int, letters: str = _LETTERS) -> str:
    return "".join(secrets.choice(letters) for _ in range(length))


def _word() -> str:
    """A password that is no word: letters, and a digit."""
    return f"{_some(9)}{secrets.randbelow(10)}"


def made_up() -> dict[str, Secret]:
    """Kind -> how it is written, and the secret part."""
    whole = {  # by a beginning that its maker publishes
        "OpenAI": "sk-" + _some(48), "OpenAI project": f"sk-proj-{_some(40)}_{_some(20)}",
        "Anthropic": f"sk-ant-api03-{_some(80)}-{_some(8)}AA", "OpenRouter": "sk-or-v1-" + _some(64, _HEX),
        "Groq": "gsk_" + _some(52), "xAI": "xai-" + _some(80), "Perplexity": "pplx-" + _some(48),
        "Hugging Face": "hf_" + _some(34), "Replicate": "r8_" + _some(37),
        "GitHub": "ghp_" + _some(36), "GitHub OAuth": "gho_" + _some(36),
        "GitHub fine-grained": f"github_pat_{_some(22)}_{_some(59)}", "GitLab": "glpat-" + _some(20),
        "GitLab runner": "glrt-" + _some(20), "Bitbucket": "ATBB" + _some(32), "Atlassian": "ATATT3xFfGF0" + _some(180),
        "Slack bot": f"xoxb-{_some(12, '123')}-{_some(12, '123')}-{_some(24)}",
        "Slack app": f"xapp-1-A{_some(10, _UPPER)}-{_some(13, '123')}-{_some(64, _HEX)}",
        "Discord": f"M{_some(23)}.{_some(6)}.{_some(38)}", "Telegram": f"{_some(10, '123456789')}:AA{_some(33)}",
        "AWS": "AKIA" + _some(16, _UPPER), "Google": "AIza" + _some(35), "Google OAuth": "ya29." + _some(60),
        "Google client": "GOCSPX-" + _some(28), "Azure AD": f"{_some(3)}8Q~{_some(34)}",
        "DigitalOcean": "dop_v1_" + _some(64, _HEX), "Heroku": "HRKU-AA" + _some(58), "Fly": "fm2_" + _some(100),
        "Vault": "hvs." + _some(90), "Tailscale": f"tskey-auth-{_some(11)}CNTRL-{_some(32)}",
        "npm": "npm_" + _some(36), "PyPI": "pypi-AgEIcHlwaS5vcmc" + _some(80), "Docker": "dckr_pat_" + _some(27),
        "RubyGems": "rubygems_" + _some(48, _HEX), "Stripe": "sk_live_" + _some(24),
        "Stripe hook": "whsec_" + _some(32),
        "Square": "sq0csp-" + _some(43), "Shopify": "shpat_" + _some(32, _HEX), "Twilio": "SK" + _some(32, _HEX),
        "SendGrid": f"SG.{_some(22)}.{_some(43)}", "Mailgun": "key-" + _some(32, _HEX),
        "Mailchimp": _some(32, _HEX) + "-us12", "Linear": "lin_api_" + _some(40), "Notion": "ntn_" + _some(46),
        "Figma": "figd_" + _some(40), "Doppler": "dp.pt." + _some(43), "Grafana": f"glsa_{_some(32)}_{_some(8, _HEX)}",
        "Databricks": "dapi" + _some(32, _HEX), "Postman": f"PMAK-{_some(24, _HEX)}-{_some(34, _HEX)}",
        "age": "AGE-SECRET-KEY-1" + _some(58, _UPPER), "JWT": f"eyJ{_some(20)}.eyJ{_some(40)}.{_some(43)}",
        "card": "4111 1111 1111 1111",
    }  # fmt: skip
    within = {  # by what is written around it
        "private key": ("-----BEGIN OPENSSH PRIVATE KEY-----\n{}\n-----END OPENSSH PRIVATE KEY-----", _some(70)),
        "PGP": ("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{}\n-----END PGP PRIVATE KEY BLOCK-----", _some(64)),
        "database": ("postgres://bob:{}@db.example.com/x", _word()), "Redis": ("redis://:{}@cache:6379/0", _word()),
        "Slack hook": ("https://hooks.slack.com/services/{}", f"T{_some(8)}/B{_some(8)}/{_some(24)}"),
        "Azure storage": ("AccountName=a;AccountKey={};EndpointSuffix=x", f"{_some(86)}=="),
        "Azure SAS": ("https://x.blob.example/c?sv=1&sig={}", f"{_some(43)}%3D"),
        "query": ("https://api.example.com/v1?api_key={}&x=1", _some(32)),
        "the console's address": ("http://127.0.0.1:8000/#token={}", secrets.token_urlsafe(32)),
        "bearer": ("Authorization: Bearer {}", _some(30)), "basic": ("Authorization: Basic {}", f"{_some(24)}=="),
        "header": ("X-API-Key: {}", _some(32)), "cookie": ("Cookie: sid={}", _some(32)),
        "curl": ("curl -u bob:{} https://example.com", _word()), "netrc": ("machine x login bob password {}", _word()),
        "AWS file": ("aws_secret_access_key = {}", _some(40)), "export": ("export AWS_SECRET_ACCESS_KEY={}", _some(40)),
        "environment": ("DB_PASSWORD={}", _word()), "compose": ("MYSQL_ROOT_PASSWORD: {}", _word()),
        "JSON": ('{{"password": "{}"}}', _word()), "camel case": ('{{"clientSecret":"{}"}}', _some(24)),
        "YAML": ("api_key: {}", _some(32)), "TOML": ('auth_token = "{}"', _some(32)),
        "hex": ("encryption key: {}", _some(64, _HEX)),
        "our own key": ("LM_ENCRYPT={}", _some(32)), "our old key": ("LM_ENCRYPT_OLD={}", _some(32)),
        "said": ("my wifi password is {}", _word()),
        "said of something": ("the password for the router is {}", _word()),
        "German": ("mein Passwort ist {}", _word()), "Spanish": ("mi contraseña es {}", _word()),
        "French": ("mon mot de passe est {}", _word()), "Russian": ("мой пароль: {}", _word()),
        "Chinese": ("密码是{}", _word()), "Japanese": ("パスワードは{}", _word()), "Korean": ("비밀번호는 {}", _word()),
        "PIN": ("my PIN is {}", _some(4, "123456789")), "code": ("your verification code is {}", _some(6, "123456789")),
        "CVV": ("CVV {}", _some(3, "123456789")),
        "seed phrase": ("my seed phrase is {}", " ".join(_some(6, string.ascii_lowercase) for _ in range(12))),
    }  # fmt: skip
    return {
        **{kind: (secret, secret) for kind, secret in whole.items()},
        **{kind: (form.format(secret), secret) for kind, (form, secret) in within.items()},
    }
