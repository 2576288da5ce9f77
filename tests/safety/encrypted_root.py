"""A plugin for pytest: whatever a test opens in its own process is encrypted. For the suites of store and memory, which
then show that nothing depends on a plain file: `pytest -p tests.safety.encrypted_root tests/store`."""

from __future__ import annotations

from lean_memory.keys import Key
from lean_memory.store import connect
from lean_memory.store.encryption import need_encryption

need_encryption("this plugin encrypts")
_KEY = Key(b"of no importance, as it is the tests'", "a test")

for function in (connect.open_store, connect.namespaces, connect.remove_namespace):
    function.__kwdefaults__["key"] = _KEY
