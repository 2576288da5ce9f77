"""An embedded, local-first memory for agents and people.

Start at `Memory`; the commands and every other face compose it.
"""

__version__ = "0.1.0"
__all__ = ["Memory", "__version__"]  # noqa: F822 - made by __getattr__


def __getattr__(name: str) -> object:
    # On first use, so that `lm-search --help` loads neither SQLite nor a model.
    if name == "Memory":
        from lean_memory.memory import Memory

        return Memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
