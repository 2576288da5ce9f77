"""Writes `docs/faults.md`: each fault is done to a memory, and what the commands then say is what the page shows.

Run: python -m tests.faults.make_docs
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.commands import Ended, run
from tests.faults.scenarios import SCENARIOS, Impossible, Scenario, _unprotect, begin, episodes, look

__all__ = ["PAGE", "head", "made", "row", "tail"]

PAGE = Path(__file__).resolve().parents[2] / "docs" / "faults.md"

_HEAD = """\
# When something goes wrong

<!-- Made by `python -m tests.faults.make_docs`, which does each of these to a memory; a test does it again. -->

A receipt promises that its line is on the disk: a line is stored in one transaction of SQLite's, whose write-ahead
log is waited for before the receipt is given. So what has a receipt is there after a kill or a power cut, and any
other line is there whole or not at all. What can't be carried out is refused with exit code 5, a message that names
the file, and what mends it; nothing is guessed, and no damaged file is written to.

`lm-maintain check` finds damage. SQLite itself finds what is wrong with the structure of its pages, but has no
checksums; so the check also makes anew what follows from something else in the file and compares: ids, the words of
the text index, coarse vectors, the schema. What follows from nothing is a row's own times, numbers and notes: a
changed bit in one of these can pass, unless the memory is encrypted, as then each page is authenticated. Of 1,332
single bytes that were changed at random all over a memory of 111 pages, 1,064 changed nothing that is read, 259 were
found, and 9 passed.

A **backup** is what brings a damaged memory back: `lm-maintain backup -n work FILE`, while it is in use. Don't copy
the file itself while a process has it open, as its last lines are in `work.db-wal`; and don't copy a file over it, as
the log of the old one would be taken for its own. `lm-maintain restore -n work FILE` verifies the backup, moves what
was there aside (`work.db.before-restore`) and puts the copy in its place.

The commands below are run on a memory with four lines and a backup of them; what they print is shown as it came.

"""

_TABLE = "| What goes wrong | What is kept | What you see | What mends it |\n| --- | --- | --- | --- |\n"

_TAIL = """
## How it is tested

* **Power cuts**: a layer under SQLite records what is written and what is waited for. The power is cut after each of
  some 3,500 calls; of what was not waited for, any 512-byte sector, truncation or name may be there or not. Then the
  file must be sound, hold every line with a receipt, and of the others whole ones in their order. The same for
  maintenance, for forgetting and for an upgrade of the schema.
* **A failing disk**: each call of storing, searching, embedding, maintaining, forgetting, backing up, restoring and
  checking fails in turn, once, or from then on, or as on a full disk. The outcome is that of an undisturbed run, or a
  message as above; the next try ends where an undisturbed one does.
* **Damage**: bytes of every page, whole pages, files and logs cut at any length.
* **Kills**: at statements of maintenance, of an upgrade, and between receipts.
* **Upgrades**: memories of every released schema are kept as SQL (`tests/migrations/released/`), brought up to date,
  interrupted before each statement and inside long ones, and brought up to date again: the content is the same.

`just faults` tries every one of these points; the suite takes a sample.
"""


def head() -> str:
    return _HEAD + _TABLE


def tail() -> str:
    return _TAIL


def made(scenario: Scenario, sound: Path, folder: Path) -> tuple[Ended, str]:
    """The fault, done in a folder, met and mended; what was met, and the row of the page. Raises Impossible."""
    shutil.copytree(sound, folder, dirs_exist_ok=True)
    scenario.happens(folder)
    met = look(scenario, folder)
    error = json.loads(met.stderr.splitlines()[-1]) if met.rc else {}
    if scenario.unprivileged:
        _unprotect(folder)
    for line in scenario.mend:
        mended = run(line, folder=folder, stdin=_again())
        assert mended.rc == 0, (line, mended.stderr)
    assert met.rc == scenario.rc, (met, scenario.title)
    assert error.get("code") == scenario.code, met
    assert len(episodes(folder, scenario.mended)) == scenario.kept, scenario.title
    checked = run(f"lm-maintain check -n {scenario.mended}", folder=folder)
    assert checked.rc == 0, checked.stdout
    return met, row(scenario, met, error)


def _again() -> bytes:
    from tests.faults.scenarios import _late

    return _late()


def row(scenario: Scenario, met: Ended, error: dict[str, str]) -> str:
    command = scenario.shown or scenario.look
    seen = f"`{command}` exits with {met.rc}"
    if error:
        seen += f": {error['message']}"
    elif scenario.code is None and command.startswith("lm-maintain check"):
        seen += ": it is sound"
    mends = scenario.mends or (error.get("hint") or "")
    cells = (
        scenario.title,
        scenario.keeps,
        f"{seen}.",
        mends if mends.endswith(".") else f"{mends}.",
    )
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |\n"


def main() -> None:
    with TemporaryDirectory() as place:
        sound = Path(place) / "sound"
        sound.mkdir()
        begin(sound)
        rows = [_row(scenario, sound, Path(place) / str(number)) for number, scenario in enumerate(SCENARIOS)]
    PAGE.write_text(head() + "".join(rows) + tail(), "utf-8")


def _row(scenario: Scenario, sound: Path, folder: Path) -> str:
    try:
        return made(scenario, sound, folder)[1]
    except Impossible:  # as it was made on another machine
        old = PAGE.read_text("utf-8").splitlines(keepends=True)
        return next(line for line in old if line.startswith(f"| {scenario.title} |"))


if __name__ == "__main__":
    main()
