"""The console's token, which MCP over HTTP shares: it is told once, to whoever started the server, and nowhere else."""

from __future__ import annotations

import ast
import os
import stat
import sys
from pathlib import Path

import pytest

from tests.console.process import REST, Console
from tests.safety.sealed import contents

PACKAGE = Path(__file__).parents[2] / "lean_memory"


def busy(console: Console) -> list[str]:
    """Every kind of request, good and bad; the answers with their headers."""
    answers = [
        console.ask("/"), console.ask("/part/review"), console.ask("/part/activity"), console.ask("/nowhere"),
        console.ask("/part/search?n=missing&q=tea"), console.ask(f"{REST}/memories", {"text": "I like tea."}),
        console.ask(f"{REST}/memories", b"{not json"), console.ask(f"{REST}/search", {"query": 7}),
        console.ask("/part/decide", {"decisions": "x"}), console.ask("/part/review", token="guessed"),
        console.ask("/part/review", token=None), console.ask("/part/review", headers={"Host": "evil.example"}),
        console.ask("/part/review", headers={"Origin": "http://evil.example"}),
        console.ask(f"/part/review?token={console.token}", token=None),
        console.ask("/part/review", token=None, headers={"Cookie": f"token={console.token}"}),
        console.ask("/part/review", token=None, headers={"Authorization": f"Basic {console.token}"}),
        console.ask("/part/review", headers={"Referer": f"http://127.0.0.1/#token={console.token}"}),
        console.ask("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "nothing"}),
        console.ask("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "nothing"}, token="guessed"),
        console.ask("/static/console.js", token=None), console.ask("/", method="DELETE"),
    ]  # fmt: skip
    assert [answer.status for answer in answers[13:16]] == [401] * 3  # a header alone carries it
    return [f"{answer.headers} {answer.text}" for answer in answers]


@pytest.mark.parametrize("own", [pytest.param(False, marks=pytest.mark.slow), True])
def test_it_is_in_no_answer_log_file_or_argument(own: bool, tmp_path: Path) -> None:
    options = ["--token-file", "token"] if own else []
    with Console(tmp_path, "--mcp", *options) as console:
        assert all(console.token not in answer for answer in busy(console))
        if sys.platform == "linux":
            for part in ("cmdline", "environ"):
                assert console.token.encode() not in Path(f"/proc/{console.process.pid}/{part}").read_bytes()
        console.process.terminate()
        out, err = console.process.communicate(timeout=60)
        assert console.token.encode() not in out + err  # it was told in the first line, which was read
    holding = [name for name, data in contents(tmp_path).items() if console.token.encode() in data]
    assert holding == ([str(tmp_path / "token")] if own else [])
    if own and os.name == "posix":
        assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600


def test_the_address_carries_it_where_no_request_does(tmp_path: Path) -> None:
    """In the fragment: browsers send that to nobody, neither as an address nor as a Referer."""
    with Console(tmp_path) as console:
        before, _, fragment = console.url.partition("#")
        assert console.token in fragment
        assert console.token not in before
        assert console.ask("/").headers["referrer-policy"] == "no-referrer"
        script = console.ask("/static/console.js", token=None).text
    assert "history.replaceState(null" in script  # and not in the browser's history either
    assert "localStorage" not in script


def test_it_is_compared_in_the_same_time_whatever_is_guessed() -> None:
    """Nowhere with `==`, `in` or `startswith`: what is expected goes to `hmac.compare_digest` alone."""
    compared = 0
    for path in [*PACKAGE.glob("console/*.py"), *PACKAGE.glob("mcp_server/*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            told = ast.unparse(node) if isinstance(node, (ast.Compare, ast.Call)) else ""
            if "_expected" not in told:
                continue
            assert isinstance(node, ast.Call), f"{path.name}: {told}"
            if "compare_digest" in told:
                compared += 1
            else:
                assert "startswith" not in told, f"{path.name}: {told}"
    assert compared == 2
