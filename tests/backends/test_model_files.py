"""Finding models on the disk and telling them apart, without loading anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lean_memory.backends.files import cached_snapshot, fetch, fingerprint, on_disk
from lean_memory.backends.sentence_transformer import SentenceTransformerEmbedder
from lean_memory.errors import BackendUnavailable


def write(path: Path, content: bytes | object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def hub_model(hub: Path, name: str) -> Path:
    folder = hub / f"models--{name.replace('/', '--')}"
    write(folder / "refs" / "main", b"abc123\n")
    write(folder / "snapshots" / "abc123" / "config.json", {"hidden_size": 8})
    return folder / "snapshots" / "abc123"


# ---------------------------------------------------------------------------------------------- where it is


@pytest.mark.parametrize(
    ("variable", "hub"),
    [
        ("HF_HUB_CACHE", "."),
        ("HUGGINGFACE_HUB_CACHE", "."),
        ("HF_HOME", "hub"),
        ("XDG_CACHE_HOME", "huggingface/hub"),
    ],
)
def test_a_hub_model_is_found_where_the_environment_puts_the_cache(tmp_path: Path, variable: str, hub: str) -> None:
    snapshot = hub_model(tmp_path / hub, "acme/large")
    env = {variable: str(tmp_path)}
    assert on_disk("acme/large", env) == snapshot
    assert on_disk("acme/small", env) is None


def test_a_hub_model_is_found_under_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = hub_model(tmp_path / ".cache" / "huggingface" / "hub", "acme/large")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cached_snapshot("acme/large", {}) == snapshot


def test_a_download_that_was_cut_off_is_no_model(tmp_path: Path) -> None:
    snapshot = hub_model(tmp_path, "acme/large")
    (snapshot.parents[1] / "refs" / "main").unlink()
    assert cached_snapshot("acme/large", {"HF_HUB_CACHE": str(tmp_path)}) is None


def test_a_folder_is_a_model_by_its_path(tmp_path: Path) -> None:
    assert on_disk(str(tmp_path), {}) == tmp_path


def test_what_is_no_hub_name_can_not_be_fetched() -> None:
    with pytest.raises(BackendUnavailable, match=r"\./models/mine can't be fetched") as caught:
        fetch("./models/mine")
    assert "local folder" in str(caught.value.hint)


# ---------------------------------------------------------------------------------------------- which it is


def test_the_fingerprint_is_the_content_s_and_not_the_path_s(tmp_path: Path) -> None:
    one, same, other = (
        write(tmp_path / name / "weights", content)
        for name, content in (("a", b"12345"), ("b", b"12345"), ("c", b"12346"))
    )
    assert fingerprint([one]) == fingerprint([same]) != fingerprint([other])
    assert fingerprint([one, other]) != fingerprint([other, one])


@pytest.mark.parametrize("size", [0, 1, 1 << 16, (1 << 16) + 1, 5_000_000])
def test_the_fingerprint_reads_from_the_first_byte_to_the_last(tmp_path: Path, size: int) -> None:
    content = bytearray(size)
    path = write(tmp_path / "weights", bytes(content))
    seen = {fingerprint([path])}
    for at in {0, size - 1} if size else set():
        changed = content.copy()
        changed[at] = 1
        seen.add(fingerprint([write(path, bytes(changed))]))
    assert len(seen) == 1 + len({0, size - 1} if size else set())


def test_a_file_that_can_not_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match="gone"):
        fingerprint([tmp_path / "gone"])


@pytest.mark.parametrize(
    ("modules", "dim"),
    [
        ([("", {"hidden_size": 8})], 8),
        ([("", {"hidden_size": 8}), ("1_Pooling", {"word_embedding_dimension": 16})], 16),
        ([("", {"hidden_size": 8}), ("1_Pooling", {"embedding_dimension": 16}), ("2_Normalize", None)], 16),
        (
            [
                ("", {"hidden_size": 8}),
                ("1_Pooling", {"word_embedding_dimension": 8}),
                ("2_Dense", {"out_features": 4}),
            ],
            4,
        ),
    ],
)
def test_the_dimension_is_the_last_module_s(tmp_path: Path, modules: list[tuple[str, object]], dim: int) -> None:
    write(tmp_path / "modules.json", [{"path": path} for path, _ in modules])
    write(tmp_path / "model.safetensors", b"weights")
    for path, config in modules:
        if config is not None:
            write(tmp_path / path / "config.json", config)
    mark = SentenceTransformerEmbedder(str(tmp_path), {}).mark
    assert (mark.name, mark.dim) == (f"st:{tmp_path}", dim)


def test_a_folder_that_is_no_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match="how many dimensions"):
        _ = SentenceTransformerEmbedder(str(tmp_path), {}).mark
    with pytest.raises(BackendUnavailable, match="not on the disk"):
        SentenceTransformerEmbedder("acme/large", {"HF_HOME": str(tmp_path)}).warm()
