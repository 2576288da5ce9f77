"""The REST mirror: add to a memory, search it. JSON in, records out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.convertors import Convertor, register_url_convertor
from starlette.responses import Response
from starlette.routing import Route

from lean_memory.claims import View
from lean_memory.console.security import LARGEST
from lean_memory.errors import BackendUnavailable, LeanMemoryError, Malformed, StoreBusy, UsageError
from lean_memory.records import Note
from lean_memory.wire import Line, Object, decode_note, dump, encode, encode_error, optional_instant, to_object

if TYPE_CHECKING:
    from starlette.requests import Request

    from lean_memory.memory import Memory

__all__ = ["ROUTES", "body", "status_of"]

_JSON: Final = "application/json"
_MOST: Final = 1000
_SEARCH: Final = frozenset("query k as_of known_at now kind subject predicate since until include_cold explain".split())


def status_of(error: LeanMemoryError) -> int:
    """The HTTP status that says so."""
    if error.code in ("no_namespace", "no_proposal"):
        return 404
    if error.code == "too_large":
        return 413
    if isinstance(error, (UsageError, Malformed)):
        return 400
    return 503 if isinstance(error, (StoreBusy, BackendUnavailable)) else 500


async def body(request: Request) -> Object:
    """The request's JSON object. Raises UsageError."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _JSON:
        raise UsageError("the body must be JSON", hint="send it with: Content-Type: application/json", code="not_json")
    sent = b""
    async for piece in request.stream():
        sent += piece
        if len(sent) > LARGEST:  # of a body that didn't tell its length
            raise UsageError(f"the body has more than {LARGEST >> 20} MiB", code="too_large")
    try:
        return Line(1, 0, sent).object()
    except Malformed as error:
        raise UsageError(error.message.replace("line 1", "the body", 1), hint=error.hint, code=error.code) from None


def _endpoint(
    work: Callable[[Memory, str, Object], Response],
) -> Callable[[Request], Awaitable[Response]]:
    """A handler that reads JSON, does the work in a thread, and turns failures to `error` records."""

    async def handle(request: Request) -> Response:
        def run(asked: Object) -> Response:
            with request.app.state.desk.used() as memory:
                return work(memory, request.path_params["namespace"], asked)

        try:
            return await run_in_threadpool(run, await body(request))
        except LeanMemoryError as error:
            return _failure(error, status_of(error))

    return handle


def add(memory: Memory, namespace: str, asked: Object) -> Response:
    """A note in, its receipt out."""
    note = decode_note(asked, default=Note(text="", t_ref=memory.now()))
    receipt = memory.add(
        namespace, note.text, t_ref=note.t_ref, tz=note.tz, source=note.source, speaker=note.speaker,
        session=note.session, meta=note.meta,
    )  # fmt: skip
    return Response(encode(receipt), status_code=201 if receipt.status == "stored" else 200, media_type=_JSON)


def search(memory: Memory, namespace: str, asked: Object) -> Response:
    """A query in, ranked hits out."""
    if unknown := sorted(set(asked) - _SEARCH):
        raise UsageError(f"unknown fields: {', '.join(unknown)}", hint=f"known are: {', '.join(sorted(_SEARCH))}")
    query, k = _string(asked, "query"), asked.get("k", 10)
    if not isinstance(query, str):
        raise UsageError("field 'query' must be a string", code="bad_field")
    if type(k) is not int or not 1 <= k <= _MOST:
        raise UsageError(f"field 'k' must be an integer from 1 to {_MOST}", code="bad_field")
    kind = asked.get("kind", "any")
    if kind not in ("fact", "episode", "any"):
        raise UsageError("field 'kind' must be fact, episode or any", code="bad_field")
    now = optional_instant(asked, "now")
    view = View(
        now=memory.present() if now is None else now,
        as_of=optional_instant(asked, "as_of"),
        known_at=optional_instant(asked, "known_at"),
        kind=kind,
        subject=_string(asked, "subject"),
        predicate=_string(asked, "predicate"),
        since=optional_instant(asked, "since"),
        until=optional_instant(asked, "until"),
        include_cold=_flag(asked, "include_cold"),
    )
    hits = memory.search(namespace, query, k=k, view=view, explain=_flag(asked, "explain"))
    return Response(dump({"hits": [to_object(hit) for hit in hits]}), media_type=_JSON)


def _string(asked: Object, key: str) -> str | None:
    value: Any = asked.get(key)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"field {key!r} must be a string", code="bad_field")
    return value


def _flag(asked: Object, key: str) -> bool:
    value = asked.get(key, False)
    if not isinstance(value, bool):
        raise UsageError(f"field {key!r} must be true or false", code="bad_field")
    return value


async def _openapi(request: Request) -> Response:
    from lean_memory.console.openapi import document

    return Response(dump(document(largest_k=_MOST)), media_type=_JSON)


async def _wrong_method(request: Request) -> Response:
    error = UsageError(f"{request.method} is not taken here", hint="send it with: POST", code="no_method")
    answer = _failure(error, 405)
    answer.headers["Allow"] = "POST"
    return answer


async def _not_found(request: Request) -> Response:
    return _failure(UsageError(f"there is nothing at {request.scope['path']}", code="no_address"), 404)


def _failure(error: LeanMemoryError, status: int) -> Response:
    record = encode_error(error, command="lm-review")
    return Response(record, status_code=status, media_type=_JSON)


class _Any(Convertor[str]):
    """Any part of an address, line ends too, as a memory's name may have them."""

    regex = r"[\s\S]+"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("any", _Any())

_OTHER_METHODS: Final = ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")

ROUTES: Final = (
    Route("/v1/openapi.json", _openapi),
    Route("/v1/{namespace:any}/memories", _endpoint(add), methods=["POST"]),
    Route("/v1/{namespace:any}/search", _endpoint(search), methods=["POST"]),
    Route("/v1/{namespace:any}/memories", _wrong_method, methods=_OTHER_METHODS),
    Route("/v1/{namespace:any}/search", _wrong_method, methods=_OTHER_METHODS),
    Route("/v1/{rest:any}", _not_found, methods=["GET", "POST"]),
)
