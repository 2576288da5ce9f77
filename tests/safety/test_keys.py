"""What LM_ENCRYPT may say, and what is said where it is amiss. None of it needs the SQLite that encrypts."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import pytest

from lean_memory.errors import LeanMemoryError, UsageError
from lean_memory.keys import key_from
from lean_memory.settings import Settings
from lean_memory.store.encryption import INSTALL, looks_encrypted
from tests.safety.sealed import PLAIN_ONLY, command, contents, fresh_key, opened


def key_file(folder: Path, content: bytes, mode: int = 0o600) -> Path:
    path = folder / "memory.key"
    path.write_bytes(content)
    path.chmod(mode)
    return path


def test_without_the_variable_there_is_no_key() -> None:
    assert key_from({}) is None


def test_a_passphrase_or_a_file_that_holds_it_are_one_key(tmp_path: Path) -> None:
    secret = fresh_key()
    for ending in (b"", b"\n", b"\r\n"):
        path = key_file(tmp_path, secret.encode() + ending)
        key = key_from({"LM_ENCRYPT": f"@{path}"})
        assert key is not None
        assert key == key_from({"LM_ENCRYPT": secret})
        assert key.secret == secret.encode()
        assert str(path) in key.origin


def test_the_home_folder_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    key_file(tmp_path, b"a key of enough bytes")
    key = key_from({"LM_ENCRYPT": "@~/memory.key"})
    assert key is not None
    assert key.secret == b"a key of enough bytes"


@pytest.mark.parametrize("value", ["", "short", "@", "x" * 5000])
def test_what_is_no_key_is_an_error_and_never_no_encryption(value: str) -> None:
    with pytest.raises(UsageError) as refused:
        key_from({"LM_ENCRYPT": value})
    assert refused.value.code == "bad_key"
    assert refused.value.hint


@pytest.mark.parametrize("content", [b"", b"\n", b"short\n", b"x" * 5000])
def test_nor_is_a_file_without_one(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"memory\.key"):
        key_from({"LM_ENCRYPT": f"@{key_file(tmp_path, content)}"})


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o777])
def test_a_key_file_that_others_may_read_is_refused_with_the_command_that_mends_it(mode: int, tmp_path: Path) -> None:
    path = key_file(tmp_path, fresh_key().encode(), mode)
    with pytest.raises(UsageError, match="others may read") as refused:
        key_from({"LM_ENCRYPT": f"@{path}"})
    assert refused.value.hint == f"make it yours alone: chmod 600 {path}"


def test_a_key_shows_itself_nowhere(tmp_path: Path) -> None:
    secret = fresh_key()
    settings = Settings.from_environ({"LM_ENCRYPT": secret, "LM_ENCRYPT_OLD": secret[::-1]})
    for shown in (repr(settings), str(settings), repr(settings.key()), str(settings.key())):
        assert secret not in shown
        assert secret[::-1] not in shown
        assert secret.encode().hex() not in shown
    ended = command("lm-search -n work --print-config", tmp_path, LM_ENCRYPT=secret)
    assert ended.rc == 0
    assert b"\nencryption: " in ended.stdout
    assert secret.encode() not in ended.stdout + ended.stderr


def sealed_in_looks(path: Path) -> None:
    """A file with the header of an encrypted one, of pages of 4 KiB."""
    noise = secrets.token_bytes(8192)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x01" + noise[:15] + bytes.fromhex("1000020220402020") + noise[24:])


def test_an_encrypted_file_is_known_by_its_header(tmp_path: Path) -> None:
    sealed_in_looks(tmp_path / "a.db")
    assert looks_encrypted((tmp_path / "a.db").read_bytes()[:100])
    with opened(tmp_path / "plain") as memory:
        memory.add("work", "I like tea.")
    for content in ((tmp_path / "plain" / "work.db").read_bytes(), b"", b"x" * 100, bytes(100)):
        assert not looks_encrypted(content[:100])


@pytest.mark.parametrize(
    "line",
    ["lm-search -n work tea", "lm-log -n work", "lm-maintain check", "lm-maintain backup -n work copy.db",
     "lm-maintain forget -n work --text tea --yes", "lm-maintain clear -n work --yes", "lm-review list -n work",
     "echo I like tea. | lm-extract | lm-store -n work", "lm-embed -n work"],
)  # fmt: skip
def test_without_its_key_an_encrypted_file_is_left_alone(line: str, tmp_path: Path) -> None:
    sealed_in_looks(tmp_path / "memory" / "work.db")
    before = contents(tmp_path)
    ended = command(line, tmp_path)
    assert ended.rc == 5
    assert b"memory/work.db is encrypted" in ended.stderr
    assert b"set LM_ENCRYPT to its key" in ended.stderr
    assert contents(tmp_path) == before


@PLAIN_ONLY
@pytest.mark.parametrize("line", ["lm-search -n work tea", "echo I like tea. | lm-extract | lm-store -n work"])
def test_what_cannot_encrypt_says_what_to_install_and_writes_nothing(line: str, tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        memory.add("other", "I like tea.")
    before = contents(tmp_path)
    ended = command(line.replace("-n work", "-n other"), tmp_path, LM_ENCRYPT=fresh_key())
    assert ended.rc == 6
    assert INSTALL.encode() in ended.stderr
    assert contents(tmp_path) == before
    ended = command("echo I like tea. | lm-extract | lm-store -n fresh", tmp_path, LM_ENCRYPT=fresh_key())
    assert ended.rc == 6
    assert contents(tmp_path) == before
    ended = command("lm-maintain rekey", tmp_path, LM_ENCRYPT=fresh_key())
    assert ended.rc == 6
    assert contents(tmp_path) == before


def test_a_change_of_keys_needs_one(tmp_path: Path) -> None:
    with pytest.raises(LeanMemoryError, match="which key") as refused, opened(tmp_path) as memory:
        memory.rekey("work")
    assert refused.value.code == "bad_key"
