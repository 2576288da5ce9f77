"""no_sockets.py COMMAND ..: runs it under a filter of the kernel that kills whoever makes a socket to a network.

The filter (seccomp) is inherited by every process that it starts and holds for native code too. Exit code 77 where it
can't be had.
"""

import ctypes
import os
import platform
import struct
import sys

_MACHINES = {
    "x86_64": (0xC000003E, 41),
    "aarch64": (0xC00000B7, 198),
}  # the architecture's mark, its number of socket()
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_KILL, _ALLOW = 0x80000000, 0x7FFF0000
_UNIX, _UNSPECIFIED = 1, 0
_LOAD, _EQUAL, _END = 0x20, 0x15, 0x06


def restrict() -> str | None:
    """Restricts this process and all it starts; why not, if it can't be done."""
    if sys.platform != "linux" or platform.machine() not in _MACHINES:
        return f"no filter for {sys.platform} on {platform.machine()}"
    mark, number = _MACHINES[platform.machine()]
    steps = [
        (_LOAD, 0, 0, 4), (_EQUAL, 0, 5, mark),  # another architecture's calls are not told apart: let through
        (_LOAD, 0, 0, 0), (_EQUAL, 0, 3, number),
        (_LOAD, 0, 0, 16), (_EQUAL, 1, 0, _UNIX), (_END, 0, 0, _KILL), (_END, 0, 0, _ALLOW),
    ]  # fmt: skip
    program = b"".join(struct.pack("HBBI", *step) for step in steps)
    kept = ctypes.create_string_buffer(program)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return os.strerror(ctypes.get_errno())
    told = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(kept))
    if libc.prctl(_SET_SECCOMP, _FILTER, told, 0, 0):
        return os.strerror(ctypes.get_errno())
    return None


if __name__ == "__main__":
    if (why := restrict()) is not None:
        print(f"no_sockets: {why}", file=sys.stderr)
        sys.exit(77)
    os.execvp(sys.argv[1], sys.argv[1:])
