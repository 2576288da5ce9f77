"""Put before a command by PYTHONPATH: whatever it does with a network is noted in a file, and refused.

LM_GUARD names the file; with LM_GUARD_LOOPBACK set, listening on 127.0.0.1 and answering there is let through.
"""

import os
import sys

_FINE = {"socket.gethostname"}  # the machine's own name
_LOCAL = {"socket.bind", "socket.__new__"}


def _watch(event, args):
    if not event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser.")) or event in _FINE:
        return
    if event == "socket.__new__" and args[1] == 1:  # AF_UNIX: between a process's own threads
        return
    if (
        os.environ.get("LM_GUARD_LOOPBACK")
        and event in _LOCAL
        and (event != "socket.bind" or args[1][0] == "127.0.0.1")
    ):
        return
    told = os.open(os.environ["LM_GUARD"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(told, f"{event} {args!r} in {sys.argv}\n".encode("utf-8", "backslashreplace"))
    os.close(told)
    raise OSError(f"no network: {event}")


if "LM_GUARD" in os.environ:
    sys.addaudithook(_watch)
