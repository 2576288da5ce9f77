import sys

import apsw

from lean_memory.cli.store import main
from lean_memory.store import connect

connect.BUSY_TIMEOUT = 0.1
other = apsw.Connection("memory/work.db")
other.execute("BEGIN IMMEDIATE; UPDATE meta SET value = value")
sys.argv = ["lm-store", "-n", "work"]
main()
