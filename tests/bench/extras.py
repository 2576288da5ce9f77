"""Installs the wheel, and each extra with it, in an environment of its own, and loads what the extra is for:
`python tests/bench/extras.py [EXTRA ...] [--out FILE] [--licences FILE] [--keep DIR]`.

Prints a Markdown table: packages and megabytes beside the base install, whether `pip check` is content, and what the
probe saw. Nothing of the checkout is on the path of what is probed. A constraint for pip, such as one that asks for
PyTorch's build without CUDA, goes in PIP_CONSTRAINT. Ends with 1 if an extra does not install or load.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from docs.licences import PROJECT, Package, closure, installed, page  # noqa: E402

BASE = ""

# What shows that an extra works: a program in the new environment that prints one line. Where the weights of a model
# don't come as a package, it goes as far as it can without them.
PROBES = {
    BASE: """
from lean_memory import Memory
with Memory() as memory:
    memory.add("diary", "I adopted a cat called Pixel.", t_ref="2026-03-01T09:00:00Z")
    hits = memory.search("diary", "do I have a pet?", k=1)
    print("MiniLM answers:", hits[0].text)
""",
    "models": """
import os
from pathlib import Path
from sentence_transformers import SentenceTransformer
from sentence_transformers.models import Pooling, Transformer
from transformers import BertConfig, BertModel, BertTokenizerFast
from lean_memory.backends.sentence_transformer import SentenceTransformerEmbedder
import lean_memory.backends.cross_encoder
words = Path(lean_memory.backends.cross_encoder.__file__).parent / "data" / "vocab.txt"
tokenizer = BertTokenizerFast(str(words))
size = dict(hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64)
BertModel(BertConfig(vocab_size=len(tokenizer), **size)).save_pretrained("bert")
tokenizer.save_pretrained("bert")
part = Transformer("bert")
SentenceTransformer(modules=[part, Pooling(32)]).save("tiny")
[vector] = SentenceTransformerEmbedder(str(Path("tiny").absolute()), os.environ).embed(["a cat"])
print("a tiny random BERT, made here, embeds in", vector.dim, "dimensions")
""",
    "multilingual": """
from lean_memory.backends.e5 import E5
[one, other] = E5().embed(["a cat", "eine Katze"])
print("e5 embeds in", one.dim, "dimensions")
""",
    "extract": """
import gliner2
from gliner2 import AutoExtractor, Schema
from lean_memory.backends import gliner
from lean_memory.backends.files import cached_snapshot
print("gliner2 and its schema import; its weights come from a hub")
""",
    "llm": """
import socket
from lean_memory.backends.ollama_client import Ollama
from lean_memory.errors import BackendUnavailable
with socket.socket() as taken:
    taken.bind(("127.0.0.1", 0))  # and nobody listens
    try:
        Ollama("any", host=f"http://127.0.0.1:{taken.getsockname()[1]}", attempts=1).warm()
    except BackendUnavailable as error:
        assert "gave no answer" in str(error), error
print("the client says that no server answers")
""",
    "parse": """
from lean_memory.backends.spacy_parse import SpacyParser
parser = SpacyParser()
[cat, sleeps] = parser.parse(["Cats", "sleep"])
print(parser.name, "parses")
""",
    "gguf": """
from lean_memory.backends.gguf import GGUF
from lean_memory.errors import BackendUnavailable
import pathlib, xllamacpp
xllamacpp.CommonParams()
pathlib.Path("none.gguf").write_bytes(b"no model")
try:
    GGUF("none.gguf").warm()
except BackendUnavailable as error:
    assert "no GGUF file" in str(error), error
print("the engine loads and refuses what is no model; weights are one's own")
""",
    "mcp": """
import json, subprocess, sys
from pathlib import Path
me = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "probe", "version": "1"}}
lines = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": me},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
]
asked = "".join(json.dumps(line) + "\\n" for line in lines)
server = [str(Path(sys.executable).parent / "lean-memory-mcp")]
done = subprocess.run(server, input=asked, capture_output=True, text=True)
answers = {answer["id"]: answer["result"] for answer in map(json.loads, done.stdout.splitlines()) if "id" in answer}
print(answers[1]["serverInfo"]["name"], "shakes hands and lists", len(answers[2]["tools"]), "tools")
""",
    "encrypted": """
import os
os.environ["LM_ENCRYPT"] = "a passphrase"
from pathlib import Path
from lean_memory import Memory
with Memory() as memory:
    memory.add("diary", "I adopted a cat called Pixel.", t_ref="2026-03-01T09:00:00Z")
    hits = memory.search("diary", "do I have a pet?", k=1)
[file] = Path.home().glob(".lean_memory/*.db")
assert b"Pixel" in hits[0].text.encode() and b"SQLite" not in file.read_bytes()[:16]
print("a memory is written, found in, and noise on the disk")
""",
    "console": """
import http.client, subprocess, sys
from pathlib import Path
from urllib.parse import urlsplit
serve = [str(Path(sys.executable).parent / "lm-review"), "serve"]
with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
    try:
        connection = http.client.HTTPConnection(urlsplit(server.stdout.readline()).netloc)
        connection.request("GET", "/review")
        answer = connection.getresponse()
        body = answer.read()
    finally:
        server.terminate()
assert answer.status == 200, answer.status
print("the page comes,", len(body) // 1024, "KiB")
""",
}


# What is to be installed behind an extra, by its page.
BEHIND = {"encrypted": ["--force-reinstall", "--no-deps", "apsw-sqlite3mc"]}


@dataclass
class Tried:
    """What became of one extra."""

    extra: str
    packages: int = 0
    size: int = 0
    said: str = ""
    failed: bool = False
    licences: set[Package] = field(default_factory=set)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("extras", nargs="*", metavar="EXTRA", help="all by default")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--licences", type=Path, help="write the page of licences")
    parser.add_argument("--keep", type=Path, help="make the environments in this folder and leave them")
    arguments = parser.parse_args()
    if arguments.licences and arguments.extras:
        parser.error("the page of licences lists every extra: name none")
    with workplace(arguments.keep) as place:
        wheel = build(place)
        tried = [attempt(extra, wheel, place) for extra in (BASE, *(arguments.extras or [*PROBES][1:]))]
    table = report(tried)
    print(table, end="")
    if arguments.out:
        arguments.out.write_text(table, encoding="utf-8")
    if arguments.licences:
        base = tried[0].licences
        tables = {
            each.extra: each.licences - (base if each.extra else set()) if each.licences else f"{each.said}\n"
            for each in tried
        }
        arguments.licences.write_text(page({**tables}), encoding="utf-8")
    return int(any(each.failed for each in tried))


@contextmanager
def workplace(keep: Path | None) -> Iterator[Path]:
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def build(place: Path) -> Path:
    """The wheel of this checkout."""
    built = place / "wheel"
    line = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)]
    subprocess.run(line, cwd=ROOT, check=True, capture_output=True)
    [wheel] = built.glob("*.whl")
    return wheel


def attempt(extra: str, wheel: Path, place: Path) -> Tried:
    """Makes the environment, installs, probes."""
    print(f"{PROJECT}[{extra}] ...", file=sys.stderr, flush=True)
    home = place / f"env-{extra or 'base'}"
    venv.create(home, with_pip=True, clear=True)
    python = home / "bin" / "python"
    [site] = home.glob("lib/python*/site-packages")
    before, packages = size(site), len(installed(site))
    tried = Tried(extra)
    what = f"{wheel}[{extra}]" if extra else str(wheel)
    pip = [str(python), "-m", "pip"]
    behind = [[*pip, "install", "-q", *BEHIND[extra]]] if extra in BEHIND else []
    for line in ([*pip, "install", "-q", what], *behind, [*pip, "check"]):
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        if done.returncode:
            tried.failed = True
            tried.said = last(done.stdout + done.stderr)
            return tried
    tried.packages = len(installed(site)) - packages
    tried.size = size(site) - before
    tried.licences = closure(PROJECT, extra, site)
    with tempfile.TemporaryDirectory() as elsewhere:
        bare = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        done = subprocess.run(
            [python, "-I", "-W", "ignore", "-c", PROBES[extra]], cwd=elsewhere, capture_output=True, text=True,
            env={**bare, "HOME": elsewhere, "HF_HUB_OFFLINE": "1"}, timeout=600, check=False,
        )  # fmt: skip
    tried.failed = bool(done.returncode)
    tried.said = last(done.stderr if tried.failed else done.stdout)
    if tried.failed:
        print(done.stderr, file=sys.stderr)
    return tried


def size(folder: Path) -> int:
    """Bytes of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def last(text: str) -> str:
    """The last line that says something."""
    return ([line.strip() for line in text.splitlines() if line.strip()] or ["nothing"])[-1].replace("|", "\\|")


def report(tried: list[Tried]) -> str:
    base = tried[0]
    rows = []
    for each in tried:
        name = f"`lean-memory[{each.extra}]`" if each.extra else "`lean-memory`"
        more = "+" if each.extra else ""
        packages, megabytes = (each.packages - base.packages, each.size - base.size) if each.extra else (
            each.packages, each.size,
        )  # fmt: skip
        numbers = f"{more}{packages} | {more}{megabytes / 1e6:.0f}" if each.packages else "|"
        rows.append(f"| {name} | {numbers} | {'FAILED: ' if each.failed else ''}{each.said} |")
    head = ["| what | packages | MB | seen |", "| --- | ---: | ---: | --- |"]
    return "\n".join([*head, *rows, ""])


if __name__ == "__main__":
    sys.exit(main())
