"""Model files: where they are on the disk, in the hub's cache too, which ones they are, and how to fetch them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from lean_memory.errors import BackendUnavailable

__all__ = ["cached_snapshot", "fetch", "fingerprint", "keep_to_disk", "on_disk", "tell_nobody"]

_BLOCK: Final = 1 << 16
_BLOCKS: Final = 64


def fingerprint(paths: Iterable[Path]) -> str:
    """32 hex digits over the files' sizes and of each 64 blocks of 64 KiB, spread from its first byte to its last.

    It tells models apart, since training moves all weights, and takes milliseconds where hashing gigabytes would
    take seconds. It is no guard against a forger.

    Raises:
        BackendUnavailable: a file can't be read.
    """
    digest = hashlib.blake2b(digest_size=16)
    try:
        for path in paths:
            with path.open("rb") as file:
                size = file.seek(0, 2)
                digest.update(size.to_bytes(8, "little"))
                file.seek(0)
                if size <= _BLOCKS * _BLOCK:
                    digest.update(file.read())
                    continue
                for block in range(_BLOCKS):
                    file.seek(block * (size - _BLOCK) // (_BLOCKS - 1))
                    digest.update(file.read(_BLOCK))
    except OSError as err:
        raise BackendUnavailable(f"a model file can't be read: {err}", hint="install the model again") from err
    return digest.hexdigest()


def on_disk(name: str, env: Mapping[str, str]) -> Path | None:
    """The folder of a model: `name` is a path, or a hub model in the local cache. None when it is not there."""
    path = Path(name).expanduser()
    if path.is_dir():
        return path
    return cached_snapshot(name, env)


def keep_to_disk() -> None:
    """To be called before a library of the hub is imported to load what is on the disk: unless it is told not to, it
    also asks the hub for news of a model, and tells it what is used."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    tell_nobody()


def tell_nobody() -> None:
    """The hub is told what model is fetched, and nothing of who does it or what for."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")


def fetch(name: str) -> None:
    """Downloads a hub model into the local cache; what is there already stays.

    Raises:
        BackendUnavailable: there is no such model, or no network.
    """
    tell_nobody()
    try:
        from huggingface_hub import snapshot_download

        snapshot_download(name, ignore_patterns=["onnx/*", "openvino/*", "*.gguf", "*.h5", "*.msgpack", "*.ot"])
    except Exception as err:  # of many kinds, from the hub's library and the HTTP client below it
        raise BackendUnavailable(
            f"the model {name} can't be fetched: {err}",
            hint="check its name and the network, or name a local folder: st:PATH",
        ) from err


def cached_snapshot(name: str, env: Mapping[str, str]) -> Path | None:
    """The folder that holds the hub model `name` (`owner/model`) in the local cache; None when it is not there.

    Follows the cache's layout (`models--OWNER--MODEL/refs/main` names a folder in `snapshots/`) and the variables
    that move it, as huggingface_hub documents them, without importing that library.
    """
    hub = _cache(env) / f"models--{name.replace('/', '--')}"
    try:
        revision = (hub / "refs" / "main").read_text().strip()
    except OSError:
        return None
    snapshot = hub / "snapshots" / revision
    return snapshot if revision and snapshot.is_dir() else None


def _cache(env: Mapping[str, str]) -> Path:
    if hub := env.get("HF_HUB_CACHE") or env.get("HUGGINGFACE_HUB_CACHE"):
        return Path(hub).expanduser()
    if home := env.get("HF_HOME"):
        return Path(home).expanduser() / "hub"
    home = env.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home).expanduser() / "huggingface" / "hub"
