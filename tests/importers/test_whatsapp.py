"""WhatsApp's exported chats, as phones of many languages write them."""

from __future__ import annotations

import pytest

from tests.importers.inputs import errors, notes, read, said, when

ANDROID = """\
14/05/2024, 21:03 - Messages and calls are end-to-end encrypted. No one outside of this chat can read them.
14/05/2024, 21:03 - Anna: I moved to Oslo
and I work at the zoo.
14/05/2024, 21:04 - Ben: <Media omitted>
14/05/2024, 21:05 - Ben changed the subject from "Us" to "Plan: Oslo"
14/05/2024, 21:06 - Ben: Note: bring tea
"""


def test_a_message_goes_on_until_the_next_date_and_the_apps_own_lines_are_left_out() -> None:
    assert said(notes("whatsapp", ANDROID)) == [
        ("Anna", "I moved to Oslo\nand I work at the zoo."),
        ("Ben", "Note: bring tea"),
    ]


def test_times_are_local_to_the_reader_and_the_file_is_the_conversation() -> None:
    [first, _] = notes("whatsapp", ANDROID, tz="Europe/Oslo", name="chats/WhatsApp Chat with Ben.txt")
    assert (when(first), first.tz) == ("2024-05-14T19:03:00.000Z", "Europe/Oslo")
    assert (first.session, first.source) == ("WhatsApp Chat with Ben", "whatsapp")
    assert notes("whatsapp", ANDROID, name="WhatsApp Chat - Ben/_chat.txt")[0].session == "WhatsApp Chat - Ben"


def test_messages_of_one_minute_keep_their_order() -> None:
    chat = "".join(f"14.05.24, 21:03 - Anna: {n}\n" for n in range(3))
    assert [when(note)[17:] for note in notes("whatsapp", chat)] == ["00.000Z", "00.001Z", "00.002Z"]


def test_me_is_who_the_user_is_called_there() -> None:
    assert [note.speaker for note in notes("whatsapp", ANDROID, me="anna")] == [None, "Ben"]


@pytest.mark.parametrize(
    ("stamp", "at"),
    [
        ("[14/05/2024, 21:03:11] ", "2024-05-14T21:03:11"),
        ("\u200e[14/05/2024, 21:03:11] ", "2024-05-14T21:03:11"),
        ("[5/14/24, 9:03:11\u202fPM] ", "2024-05-14T21:03:11"),
        ("[5/14/24, 12:03:11 AM] ", "2024-05-14T00:03:11"),
        ("5/14/24, 9:03 PM - ", "2024-05-14T21:03:00"),
        ("14/05/2024, 9:03 p.\u00a0m. - ", "2024-05-14T21:03:00"),
        ("14/05/2024 21:03 - ", "2024-05-14T21:03:00"),
        ("14/05/2024 à 21:03 - ", "2024-05-14T21:03:00"),
        ("14.05.24, 21:03 - ", "2024-05-14T21:03:00"),
        ("[14.05.24, 21:03:11] ", "2024-05-14T21:03:11"),
        ("[14.5.2024 klo 21.03.11] ", "2024-05-14T21:03:11"),
        ("14.5.2024 klo 21.03 - ", "2024-05-14T21:03:00"),
        ("14-05-2024 21:03 - ", "2024-05-14T21:03:00"),
        ("2024-05-14 21:03 - ", "2024-05-14T21:03:00"),
        ("[2024-05-14 21:03:11] ", "2024-05-14T21:03:11"),
        ("2024/5/14 21:03 - ", "2024-05-14T21:03:00"),
        ("[2024/5/14 下午9:03:11] ", "2024-05-14T21:03:11"),
        ("[2024. 5. 14. 오후 9:03:11] ", "2024-05-14T21:03:11"),
        ("2024. 5. 14. 오전 12:03 - ", "2024-05-14T00:03:00"),
        ("١٤/٥/٢٠٢٤, ٢١:٠٣ - ", "2024-05-14T21:03:00"),
        ("14/05/24, 21:03 – ", "2024-05-14T21:03:00"),
    ],
)
def test_dates_of_many_locales(stamp: str, at: str) -> None:
    [note] = notes("whatsapp", f"{stamp}Anna B: I live in Oslo.\r\n")
    assert (note.speaker, note.text, when(note)[:19]) == ("Anna B", "I live in Oslo.", at)


@pytest.mark.parametrize("name", ["~\u202fAnna", "\u202a+49 170 5550123\u202c", "Anna (work) 🌷", "Åse Ø.", "アンナ"])
def test_names_as_phones_write_them(name: str) -> None:
    [note] = notes("whatsapp", f"[14/05/2024, 21:03:11] {name}: Hi\n")
    assert note.speaker == name.strip("~\u202f\u202a\u202c")


# ------------------------------------------------------------------------------------- day and month


def test_one_date_that_can_be_read_in_one_way_decides_for_all() -> None:
    chat = "[05/04/24, 10:00:00] Anna: a\n[05/13/24, 10:00:00] Anna: b\n"
    assert [when(note)[:10] for note in notes("whatsapp", chat)] == ["2024-05-04", "2024-05-13"]


def test_the_order_of_the_messages_decides() -> None:
    chat = "".join(f"{day}, 10:00 - Anna: a\n" for day in ("05/04/24", "06/04/24", "02/05/24"))
    assert [when(note)[:10] for note in notes("whatsapp", chat)] == ["2024-04-05", "2024-04-06", "2024-05-02"]


def test_that_no_message_is_younger_than_its_file_decides() -> None:
    chat = "[05/09/24, 10:00:00] Anna: exported on the first of June\n"
    assert when(notes("whatsapp", chat)[0])[:10] == "2024-05-09"


def test_a_day_that_equals_its_month_needs_no_decision() -> None:
    assert when(notes("whatsapp", "[05/05/24, 10:00:00] Anna: a\n")[0])[:10] == "2024-05-05"


def test_dates_that_do_not_tell_are_not_guessed() -> None:
    chat = "05/04/24, 10:00 - Anna: a\n"
    [error] = errors("whatsapp", chat)
    assert (error.code, error.line) == ("date_order", 1)
    assert error.hint == "say which comes first: --dates dmy or --dates mdy"
    assert when(notes("whatsapp", chat, dates="dmy")[0])[:10] == "2024-04-05"
    assert when(notes("whatsapp", chat, dates="mdy")[0])[:10] == "2024-05-04"


def test_a_date_that_there_is_not_is_told_with_its_line() -> None:
    found = read("whatsapp", "[14/05/24, 10:00:00] Anna: a\n[04/05/24, 10:00:00] Anna: b\n", dates="mdy")
    assert (found[0].code, found[0].line, found[1].text) == ("bad_time", 1, "b")
    assert "--dates dmy" in found[0].hint


# --------------------------------------------------------------------------- what a person did not write


@pytest.mark.parametrize(
    "text",
    [
        "\u200eimage omitted",
        "\u200eMessages and calls are end-to-end encrypted.",
        "\u200eYou deleted this message.",
        "image omitted",
        "This message was deleted",
        "<Media omitted>",
        "<Medien ausgeschlossen>",
        "<Médias omis>",
        "<Без медиафайлов>",
        "Bild weggelassen",
        "imagen omitida",
        "null",
        "IMG-20240514-WA0001.jpg (file attached)",
        "\u200eIMG-20240514-WA0001.jpg (Datei angehängt)",
        "\u200e<attached: 00000002-PHOTO-2024-05-14-21-03-11.jpg>",
        "",
    ],
)
def test_what_the_app_wrote_is_left_out(text: str) -> None:
    chat = f"[14/05/2024, 21:03:11] Anna: {text}\n[14/05/2024, 21:03:12] Anna: I live in Oslo.\n"
    assert said(notes("whatsapp", chat)) == [("Anna", "I live in Oslo.")]


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo.\u200e <This message was edited>",
        "I live in Oslo. <Diese Nachricht wurde bearbeitet.>",
        "I live in Oslo. \u200e<attached: 00000002-PHOTO-2024-05-14-21-03-11.jpg>",
        "IMG-20240514-WA0001.jpg (file attached)\nI live in Oslo.",
        "<Media omitted>\nI live in Oslo.",
        "\u200fI live in Oslo.\u200f",
    ],
)
def test_a_persons_words_beside_it_stay(text: str) -> None:
    assert said(notes("whatsapp", f"14.05.2024, 21:03 - Anna: {text}\n")) == [("Anna", "I live in Oslo.")]


@pytest.mark.parametrize("text", ["I <3 Oslo", "<b>Oslo</b>", "null and void", "see plan.pdf (attached it above)"])
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert said(notes("whatsapp", f"14.05.2024, 21:03 - Anna: {text}\n")) == [("Anna", text)]


def test_what_is_no_export_is_told() -> None:
    [error] = errors("whatsapp", "I live in Oslo.\n")
    assert (error.code, error.line) == ("no_speaker", 1)
    assert "--from chat" in str(error.hint)


def test_a_line_that_is_no_utf_8_costs_itself_alone() -> None:
    found = read("whatsapp", b"14.05.2024, 21:03 - Anna: caf\xe9\n14.05.2024, 21:04 - Anna: tea\n")
    assert (found[0].code, found[0].line, found[1].text) == ("not_utf8", 1, "tea")


def test_an_empty_file_is_nothing() -> None:
    assert read("whatsapp", "") == read("whatsapp", "\ufeff\r\n\r\n") == []
