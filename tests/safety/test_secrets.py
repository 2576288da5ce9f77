"""No secret that was said is kept, of any of the known kinds and by whichever door it comes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lean_memory.extract.secrets import mask_secrets
from tests.commands import run
from tests.console.process import Console
from tests.mcp.clients import call, over_stdio
from tests.mcp.clients import run as scenario
from tests.safety.material import made_up
from tests.safety.sealed import contents

KINDS = made_up()
AROUND = ["{}", "I work at Larkfield Books, {} and I like tea.", "note: {}", "({})", "> {}", "{}\n", "a\n{}\nb"]
HARMLESS = [
    "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it", "id 123e4567-e89b-12d3-a456-426614174000",
    "max_tokens: 4096, temperature: 0.7", "primary_key: customer_id_2", "the key is under the doormat",
    "I have a cookie: it is sweet", "a cookie recipe: 200 g of sugar", "my code is reviewed by Anna", "area code 030",
    "the zip code is 90210", "secret santa = Nora", "password_length = minimum", "see https://example.com/a?page=2&q=tea",
    "ISBN 978-3-16-148410-0", "call +49 30 901820", "sha256 of the file is in the notes", "token=none",
    "I am 1,000 times happier", "The passcode party starts at 8", "a master key opens every door",
    "mot de passe oublié", "das Passwort ist falsch", "skating-with-friends-in-the-park",
    "key-value stores and sk-learn models",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_masked_wherever_it_stands(kind: str) -> None:
    written, secret = KINDS[kind]
    for around in AROUND:
        text = around.format(written)
        masked = mask_secrets(text)
        assert secret not in masked, kind
        assert "[secret:" in masked
        assert mask_secrets(masked) == masked
        assert masked.replace("\n", "").startswith(around.split("{}")[0].replace("\n", ""))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_none_stays(text: str) -> None:
    assert mask_secrets(text) == text


def every_secret() -> bytes:
    return "".join(json.dumps({"text": f"Remember: {written}"}) + "\n" for written, _ in KINDS.values()).encode()


def kept(data: bytes) -> list[str]:
    """The kinds of which the secret stands in some bytes, as it is or as JSON or a row may write it."""
    return [
        kind
        for kind, (_, secret) in KINDS.items()
        if len(secret) > 6 and any(form in data for form in (secret.encode(), json.dumps(secret)[1:-1].encode()))
    ]


def test_none_reaches_the_disk_or_an_output(tmp_path: Path) -> None:
    (tmp_path / "export.json").write_text(export(), "utf-8")
    ended = run(
        "lm-extract | tee out | lm-store -n work > receipts; lm-search -n work secret; lm-log -n work; "
        "lm-log -n work --dump; lm-maintain --apply; lm-extract < export.json > out2",
        folder=tmp_path, stdin=every_secret(),
    )  # fmt: skip
    assert ended.rc == 0, ended.stderr
    (tmp_path / "export.json").unlink()
    told = ended.stdout + ended.stderr
    assert b"[secret:" in told
    assert kept(told) == []
    for name, data in contents(tmp_path).items():
        assert kept(data) == [], name
    assert (tmp_path / "out2").read_bytes().count(b'"type":"episode"') == len(KINDS)


def export() -> str:
    """The same as a conversation of ChatGPT."""
    messages = {
        str(n): {
            "id": str(n), "parent": str(n - 1) if n else None,
            "message": {"author": {"role": "user"}, "create_time": 1.7e9 + n, "content": {"parts": [written]}},
        }
        for n, (written, _) in enumerate(KINDS.values())
    }  # fmt: skip
    return json.dumps([{"title": "t", "create_time": 1.7e9, "mapping": messages, "current_node": str(len(KINDS) - 1)}])


@pytest.mark.slow
def test_nor_by_way_of_an_agent_or_the_console(tmp_path: Path) -> None:
    some = list(KINDS.values())[::9]

    async def talk() -> None:
        async with over_stdio(tmp_path) as client:
            for written, secret in some:
                text, data = await call(client, "memory_add", text=f"Remember: {written}")
                assert secret not in text
                assert secret not in json.dumps(data)

    scenario(talk)
    with Console(tmp_path) as console:
        for written, secret in some:
            answer = console.ask("/v1/home/memories", {"text": f"Remember: {written}"})
            assert answer.status < 300
            assert secret not in answer.text
    for name, data in contents(tmp_path).items():
        assert [secret for _, secret in some if len(secret) > 6 and secret.encode() in data] == [], name


@pytest.mark.slow
def test_a_language_model_sees_none() -> None:
    from lean_memory.extract import Extractor
    from lean_memory.extract.passes import Passes
    from lean_memory.records import Note

    seen: list[str] = []

    class Model:
        name = "model"

        def generate(self, prompt: str, schema: object, **_: object) -> str:
            seen.append(prompt)
            return "{}"

        def warm(self) -> None: ...

    passes = Passes(Extractor(), generator=Model(), finder=None)  # type: ignore[arg-type]
    for written, _ in KINDS.values():
        before = len(seen)
        passes.episode(Note(text=f"He lives in Leeds. {written} He works at Larkfield Books.", t_ref=0))
        assert len(seen) > before  # of whom nothing says who he is: it is asked
    assert kept("\n".join(seen).encode()) == []
