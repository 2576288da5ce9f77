"""Which models help extraction, and why. They leave no trace in stored vectors, so the best one installed is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Generic, TypeVar

from lean_memory.candidates import CandidateGenerator, Generator
from lean_memory.errors import BackendUnavailable, UsageError
from lean_memory.parses import DependencyParser

__all__ = ["Chosen", "choose_finder", "choose_generator", "choose_parser", "warm"]

Model = TypeVar("Model")

_OFF: Final = frozenset({"off", "none", "0"})


@dataclass(frozen=True, slots=True)
class Chosen(Generic[Model]):
    """A model, or None, and the reason in words for a person."""

    model: Model | None
    reason: str


def choose_finder(env: Mapping[str, str]) -> Chosen[CandidateGenerator]:
    """The candidate generator. Nothing heavy is imported and nothing is fetched.

    LM_GLINER names a GLiNER2 model's folder or hub name, or is `off`. Unset, the default model is used when the extra
    [extract] is installed and the model is on the disk.

    Raises:
        BackendUnavailable: the model that LM_GLINER names can't be used.
    """
    from lean_memory.backends import gliner

    asked = env.get("LM_GLINER", "")
    if asked in _OFF or env.get("LM_BACKENDS") == "stub":
        return Chosen(None, f"LM_GLINER={asked}" if asked in _OFF else "LM_BACKENDS=stub")
    installed = _has_gliner()
    name = asked or gliner.DEFAULT
    if not installed:
        if asked:
            raise BackendUnavailable(
                "LM_GLINER needs gliner2 and torch", hint="install them with: pip install 'lean-memory[extract]'"
            )
        return Chosen(None, "pip install 'lean-memory[extract]' brings candidates by GLiNER2")
    if gliner.on_disk(name, env) is None:
        if asked:
            raise BackendUnavailable(
                f"the model {name} is not on the disk",
                hint="LM_GLINER must name a folder, or a model in the hub's cache",
            )
        return Chosen(None, f"{name} is not on the disk; LM_GLINER names another")
    return Chosen(gliner.GLiNER(name, env), f"LM_GLINER={asked}" if asked else "installed, with its model on the disk")


def choose_parser(env: Mapping[str, str]) -> Chosen[DependencyParser]:
    """The parser for sentences in which the rules leave something unread. Nothing heavy is imported.

    LM_PARSE is `spacy` or `off`. Unset, it is used where the extra [parse] is installed: measured beside the rules it
    finds more at the same precision (tests/bench/parse.py).

    Raises:
        BackendUnavailable: LM_PARSE asks for it, and it is not installed.
        UsageError: LM_PARSE is something else.
    """
    from lean_memory.backends import spacy_parse

    asked = env.get("LM_PARSE", "")
    if asked in _OFF:
        return Chosen(None, f"LM_PARSE={asked}")
    if asked not in ("", "spacy"):
        raise UsageError(f"LM_PARSE can't be {asked!r}", hint="set it to spacy or off, or leave it unset")
    if env.get("LM_BACKENDS") == "stub" and not asked:
        return Chosen(None, "LM_BACKENDS=stub")
    installed = spacy_parse.installed_model()
    if asked and installed is None:
        raise BackendUnavailable(
            "LM_PARSE=spacy needs spaCy and its English pipeline",
            hint="install them with: pip install 'lean-memory[parse]'",
        )
    if asked:
        return Chosen(spacy_parse.SpacyParser(), "LM_PARSE=spacy")
    if installed != spacy_parse.MODELS[0]:  # spaCy that is there for something else must not slow this program down
        return Chosen(None, "the rules alone; pip install 'lean-memory[parse]' adds a dependency parse")
    return Chosen(spacy_parse.SpacyParser(), "the extra [parse] is installed")


def choose_generator(env: Mapping[str, str]) -> Chosen[Generator]:
    """The language model, which must be asked for. Nothing is imported and no server is asked.

    LM_GGUF names a GGUF file, read in this process; LM_OLLAMA_MODEL a model of the Ollama server at LM_OLLAMA_HOST,
    by default one on this machine. LM_THREADS limits the threads of the first.

    Raises:
        BackendUnavailable: the one asked for is not installed.
        UsageError: both are asked for.
    """
    path, model = env.get("LM_GGUF", ""), env.get("LM_OLLAMA_MODEL", "")
    if env.get("LM_BACKENDS") == "stub":
        return Chosen(None, "LM_BACKENDS=stub")
    if path and model:
        raise UsageError("LM_GGUF and LM_OLLAMA_MODEL are both set", hint="leave one of them unset")
    if path:
        _need("LM_GGUF", "xllamacpp", "gguf")
        from lean_memory.backends.gguf import GGUF

        threads = env.get("LM_THREADS", "")
        return Chosen(GGUF(path, threads=int(threads) if threads.isdigit() else None), f"LM_GGUF={path}")
    if model:
        _need("LM_OLLAMA_MODEL", "ollama", "llm")
        from lean_memory.backends.ollama_client import HOST, Ollama

        host = env.get("LM_OLLAMA_HOST") or HOST
        return Chosen(Ollama(model, host=host), f"LM_OLLAMA_MODEL={model} at {host}")
    return Chosen(None, "none asked for: LM_OLLAMA_MODEL or LM_GGUF names one")


def warm(env: Mapping[str, str]) -> None:
    """Fetches the candidate generator's model where its extra is installed and the model is not on the disk, and loads
    the models that are in use. The one place where extraction's models are downloaded.

    Raises:
        BackendUnavailable: a model can't be fetched or does not load.
    """
    from lean_memory.backends import gliner

    asked = env.get("LM_GLINER", "")
    if asked not in _OFF and env.get("LM_BACKENDS") != "stub" and _has_gliner():
        name = asked or gliner.DEFAULT
        if gliner.on_disk(name, env) is None:
            gliner.fetch(name)
    for model in (choose_finder(env).model, choose_generator(env).model, choose_parser(env).model):
        if model is not None:
            model.warm()


def _has_gliner() -> bool:
    return find_spec("gliner2") is not None and find_spec("torch") is not None


def _need(variable: str, package: str, extra: str) -> None:
    if find_spec(package) is None:
        raise BackendUnavailable(
            f"{variable} needs the package {package}", hint=f"install it with: pip install 'lean-memory[{extra}]'"
        )
