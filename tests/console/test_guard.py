"""Who gets in: with the token, from this machine, under its own name, from its own page."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from lean_memory.console.server import listen
from tests.commands import run
from tests.console.process import REST, Console

PARTS = ("review", "search?q=tea", "timeline?entity=user", "activity", "namespaces", "source?fact=x")


@pytest.fixture(scope="module")
def open_console(made: Path) -> Iterator[Console]:
    """One for all the tests that change nothing."""
    with Console(made) as running:
        yield running


@pytest.mark.parametrize("part", PARTS)
def test_what_a_memory_holds_is_shown_with_the_token_alone(part: str, open_console: Console) -> None:
    assert open_console.ask(f"/part/{part}").status == 200
    for token in (None, "guessed", open_console.token[:-1], open_console.token.lower()):
        refused = open_console.ask(f"/part/{part}", token=token)
        assert refused.status == 401
        assert "Nora" not in refused.text


@pytest.mark.parametrize("page", ["/", "/review?n=work", "/search", "/timeline", "/activity", "/namespaces"])
def test_a_page_itself_is_empty(page: str, open_console: Console) -> None:
    shell = open_console.ask(page, token=None)
    assert shell.status == 200
    assert "work" not in shell.text
    assert "Nora" not in shell.text


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:{port}", "127.0.0.1:1", "", "192.168.0.1:{port}"]
)
def test_another_name_is_refused_even_with_the_token(host: str, open_console: Console) -> None:
    """DNS rebinding: a page whose name was pointed at this machine."""
    named = {"Host": host.format(port=open_console.port)}
    assert open_console.ask("/part/review", headers=named).status == 421
    assert open_console.ask("/", token=None, headers=named).status == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
def test_another_page_is_refused_even_with_the_token(origin: str, open_console: Console) -> None:
    sent = {"Origin": origin.format(port=open_console.port)}
    assert open_console.ask("/part/review", headers=sent).status == 403
    assert open_console.ask("/part/decide", {"decisions": []}, headers=sent).status == 403


def test_a_request_that_the_browser_calls_foreign_is_refused(open_console: Console) -> None:
    for site in ("cross-site", "same-site"):
        assert open_console.ask("/part/review", headers={"Sec-Fetch-Site": site}).status == 403
    own = {"Sec-Fetch-Site": "same-origin", "Origin": open_console.origin}
    assert open_console.ask("/part/review", headers=own).status == 200


@pytest.mark.parametrize("path", ["/", "/part/review", "/static/console.js", "/nowhere", f"{REST}/nothing"])
def test_every_answer_forbids_foreign_scripts_frames_and_cookies(path: str, open_console: Console) -> None:
    for token in ("", None):
        headers = open_console.ask(path, token=token).headers
        policy = dict(one.strip().split(" ", 1) for one in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "set-cookie" not in headers
        assert "access-control-allow-origin" not in headers


def test_there_is_no_script_or_style_within_a_page(open_console: Console) -> None:
    pages = [open_console.ask("/").text, *(open_console.ask(f"/part/{part}").text for part in PARTS)]
    for page in pages:
        assert page.count("<script") == page.count('<script src="/static/')
        for inline in ("<style", " style=", " onclick=", " onerror=", "javascript:"):
            assert inline not in page


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fserver.py", "/static//etc/passwd"]
)
def test_only_the_consoles_own_files_are_served(path: str, open_console: Console) -> None:
    assert open_console.ask(path, token=None).status in (401, 404)


def test_the_console_loads_nothing_from_elsewhere() -> None:
    folder = Path(__file__).parents[2] / "lean_memory" / "console"
    for path in [*folder.glob("static/*"), *folder.glob("pages/*")]:
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, path.name
        assert "https://" not in text, path.name
        assert "url(" not in text, path.name


def test_a_body_that_is_too_large_is_refused_before_it_is_read(open_console: Console) -> None:
    assert open_console.ask(f"{REST}/memories", b"{}", headers={"Content-Length": str(1 << 30)}).status == 413


# ------------------------------------------------------------------------------------------ how it runs


def test_it_listens_on_the_loopback_interface_alone() -> None:
    with listen(0) as found:
        assert found.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = run(f"lm-review serve --port {taken.getsockname()[1]}", folder=tmp_path)
    assert ended.rc == 2
    assert b"can't listen on port" in ended.stderr


def test_every_run_has_a_token_of_its_own(made: Path, open_console: Console) -> None:
    with Console(made) as other:
        assert other.token != open_console.token
        assert len(other.token) >= 40
        assert other.ask("/part/review", token=open_console.token).status == 401


@pytest.mark.parametrize("stop", ["interrupt", "terminate"])
def test_it_ends_with_its_command_and_leaves_nothing(stop: str, folder: Path) -> None:
    with Console(folder) as running:
        assert running.ask("/part/search?n=work&q=tea").status == 200
        assert running.ask(f"{REST}/search", {"query": "tea"}).status == 200
        if stop == "interrupt":
            assert running.interrupt() == 130
        else:
            running.process.terminate()
            assert running.process.wait(60) != 0
        with pytest.raises(ConnectionRefusedError):
            running.ask("/")
    assert sorted(path.name for path in folder.iterdir()) == ["memory"]
    assert [
        path.name for path in (folder / "memory").iterdir() if path.name.endswith(("-wal", "-shm", "-journal"))
    ] == []


def test_a_slow_client_does_not_keep_it_from_ending(folder: Path) -> None:
    with Console(folder) as running, socket.create_connection(("127.0.0.1", running.port)) as held:
        held.sendall(b"POST /part/decide HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n")
        assert running.interrupt() == 130


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_token_file_is_made_private_kept_and_never_shared(folder: Path) -> None:
    with Console(folder, "--token-file", "token") as first:
        assert (folder / "token").stat().st_mode & 0o777 == 0o600
        assert (folder / "token").read_text().strip() == first.token
    with Console(folder, "--token-file", "token") as second:
        assert second.token == first.token
    (folder / "token").chmod(0o644)
    ended = run("lm-review serve --token-file token", folder=folder)
    assert (ended.rc, b"chmod 600 token" in ended.stderr) == (2, True)
    (folder / "token").chmod(0o600)
    (folder / "token").write_text("short\n")
    assert run("lm-review serve --token-file token", folder=folder).rc == 2


def test_without_its_extra_it_says_what_to_install(folder: Path) -> None:
    script = (
        "import sys; sys.modules['starlette'] = None; sys.argv = ['lm-review', 'serve'];"
        " from lean_memory.cli.review import main; main()"
    )
    ended = run(f'python -c "{script}"', folder=folder)
    assert ended.rc == 6
    assert b"pip install 'lean-memory[console]'" in ended.stderr
